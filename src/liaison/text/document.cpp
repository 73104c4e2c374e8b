// SPDX-License-Identifier: Apache-2.0
// A TOML file as a tree of values, each knowing where it was written; the only user of toml++.
#include "liaison/text/document.hpp"

#include "liaison/base/utf8.hpp"
#include "liaison/text/toml_mistakes.hpp"
#include "liaison/text/toml_statements.hpp"
#include "liaison/text/toml_string.hpp"

#include <fmt/format.h>

// Every assertion of the parser is followed by a proper error path, but some do fail on wrong texts
// ("[=]" in version 3.3); they must neither abort nor become assumptions of the optimiser.
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 64
#include <toml++/toml.h>

#include <algorithm>

namespace liaison::text {

namespace {

using base::Code;

constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";

// Offsets of the line and column positions that toml++ counts in code points. Values come line by
// line, so the offsets of one line that is not plain ASCII are kept.
class Locator {
  public:
    Locator(const SourceFile& file, std::size_t skipped) : file_(file), skipped_(skipped) {}

    std::size_t offset(const toml::source_position& p) {
        const std::size_t line = p.line, column = p.column == 0 ? 0 : p.column - 1;
        if (line != line_) enter(line);
        if (plain_) return std::min(begin_ + column, end_);
        return column < starts_.size() ? starts_[column] : end_;
    }

    Span span(const toml::source_region& region) {
        const std::size_t begin = offset(region.begin);
        const std::size_t end = std::max(offset(region.end), begin);
        return {&file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    }

  private:
    void enter(std::size_t line) {
        line_ = line;
        begin_ = file_.line_begin(line) + (line == 1 ? skipped_ : 0);
        end_ = std::max(begin_, file_.line_begin(line) + file_.line(line).size());
        const std::string_view content = file_.text().substr(begin_, end_ - begin_);
        plain_ =
            std::ranges::all_of(content, [](char c) { return static_cast<signed char>(c) >= 0; });
        starts_.clear();
        for (std::size_t i = 0; !plain_ && i < content.size();
             i += base::decode_utf8(content, i).length) {
            starts_.push_back(begin_ + i);
        }
    }

    const SourceFile& file_;
    std::size_t skipped_;
    std::size_t line_ = 0, begin_ = 0, end_ = 0;
    bool plain_ = true;
    std::vector<std::size_t> starts_;
};

// toml++ nodes → our values; recursion is bounded by the limits on nesting and dots.
class Converter {
  public:
    Converter(const SourceFile& file, std::size_t skipped) : locate_(file, skipped) {}

    Value table(const toml::table& source) {
        Value value = start(source, ValueKind::table);
        value.in_line = source.is_inline();
        value.entries.reserve(source.size());
        for (const auto& [key, node] : source) {
            const Span key_span = locate_.span(key.source());
            value.entries.push_back({std::string(key.str()), key_span, convert(node)});
        }
        std::ranges::sort(value.entries, {}, [](const Entry& e) { return e.key_span.begin; });
        value.index_entries();
        return value;
    }

  private:
    Value start(const toml::node& node, ValueKind kind) {
        Value value;
        value.kind = kind;
        value.span = locate_.span(node.source());
        return value;
    }

    Value convert(const toml::node& node) {
        if (const auto* source = node.as_table()) return table(*source);
        if (const auto* source = node.as_array()) {
            Value value = start(node, ValueKind::list);
            value.in_line =
                !source->is_array_of_tables() || source->front().as_table()->is_inline();
            value.items.reserve(source->size());
            for (const auto& item : *source) value.items.push_back(convert(item));
            return value;
        }
        if (const auto* source = node.as_string()) {
            Value value = start(node, ValueKind::string);
            value.passage = decode_string(value.span, source->get());
            return value;
        }
        if (const auto* source = node.as_integer()) {
            Value value = start(node, ValueKind::number);
            value.number = static_cast<double>(source->get());
            value.integral = true;
            return value;
        }
        if (const auto* source = node.as_floating_point()) {
            Value value = start(node, ValueKind::number);
            value.number = source->get();
            return value;
        }
        if (const auto* source = node.as_boolean()) {
            Value value = start(node, ValueKind::boolean);
            value.boolean = source->get();
            return value;
        }
        return start(node, ValueKind::date);
    }

    Locator locate_;
};

class Reader {
  public:
    Reader(const SourceFile& file, base::Diagnostics& diagnostics, const DocumentLimits& limits)
        : file_(file), diagnostics_(diagnostics), limits_(limits) {}

    std::optional<Value> run() {
        text_ = std::string(file_.text());
        skipped_ = text_.starts_with(k_byte_order_mark) ? k_byte_order_mark.size() : 0;
        if (!acceptable()) return std::nullopt;
        remove_strangers();
        // The parser stops at its first error: take the guilty statement out and look for more, until
        // enough has been read and told.
        for (std::size_t work = 0; work < k_most_work && found_ < k_most_errors;
             work += text_.size() + 1) {
            auto value = attempt();
            if (found_ == 0 || value) return found_ == 0 ? std::move(value) : std::nullopt;
            if (!repaired_) return std::nullopt;
        }
        return std::nullopt;
    }

  private:
    static constexpr std::size_t k_most_errors = 20;
    static constexpr std::size_t k_most_work = std::size_t{8} << 20U;

    Span span(std::size_t begin, std::size_t end) const {
        return {&file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    }

    bool acceptable() {
        if (file_.size() > limits_.size) {
            diagnostics_
                .report(Code::text_too_large,
                        fmt::format("{} has {} bytes, more than the {} accepted", file_.name(),
                                    file_.size(), limits_.size))
                .at(span(0, 0))
                .note("repeated bodies are written once with [family.i]");
            return false;
        }
        if (const auto bad = file_.first_invalid_utf8()) {
            diagnostics_.report(Code::not_utf8, fmt::format("{} is not UTF-8 text", file_.name()))
                .at(span(*bad, *bad + 1),
                    fmt::format("byte 0x{:02x} cannot stand here",
                                static_cast<unsigned char>(file_.text()[*bad])))
                .note("save the file as UTF-8 in your editor");
            return false;
        }
        statements_ = scan_statements(file_.text(), skipped_);
        return std::ranges::all_of(statements_, [&](const Statement& s) { return shallow(s); }) &&
               countable();
    }

    // The parser looks for each dotted table among all others, so their number is bounded.
    bool countable() {
        std::size_t joints = 0;
        for (const Statement& statement : statements_) {
            joints += statement.joints;
            if (joints <= limits_.dotted) continue;
            diagnostics_
                .report(Code::text_too_large,
                        fmt::format("more than {} dotted keys and tables", limits_.dotted))
                .at(span(statement.begin, statement.end), "the count is exceeded here")
                .note("repeated bodies are written once with [family.i]");
            return false;
        }
        return true;
    }

    bool shallow(const Statement& statement) {
        const bool deep = statement.deepest > limits_.nesting;
        if (!deep && statement.dots <= limits_.dots) return true;
        diagnostics_
            .report(Code::nesting_too_deep,
                    deep ? fmt::format("lists are nested deeper than {} levels", limits_.nesting)
                         : fmt::format("a key with more than {} dots", limits_.dots))
            .at(span(statement.begin, statement.end))
            .note("no key of a model file needs that");
        return false;
    }

    // Outside strings and comments TOML is ASCII; the parser must not see anything else there
    // (version 3.3 runs into an unreachable point on a degree sign).
    void remove_strangers() {
        for (const Statement& statement : statements_) {
            if (!statement.stranger) continue;
            if (found_++ < k_most_errors) {
                report_toml_error(file_, statements_, {*statement.stranger, "not a TOML character"},
                                  diagnostics_);
            }
            blank_out(&statement);
        }
    }

    std::optional<Value> attempt() {
        try {
            const auto parsed = toml::parse(std::string_view(text_).substr(skipped_));
            return Converter(file_, skipped_).table(parsed);
        } catch (const toml::parse_error& error) {
            Locator locate(file_, skipped_);
            const std::size_t offset = locate.offset(error.source().begin);
            const Statement* const guilty = guilty_statement(statements_, offset);
            repaired_ = blank_out(guilty);
            // A statement that is blank already has been told about.
            if (repaired_ || found_ == 0) {
                report_toml_error(file_, statements_, {offset, error.description()}, diagnostics_);
            }
            ++found_;
            return std::nullopt;
        }
    }

    // Overwrites a statement with blanks; a header takes the statements below it along, which
    // would otherwise fall into the table above.
    bool blank_out(const Statement* guilty) {
        if (guilty == nullptr) return false;
        const Statement* const end = statements_.data() + statements_.size();
        const Statement* last = guilty + 1;
        if (guilty->kind == StatementKind::header) {
            last = std::find_if(last, end,
                                [](const Statement& s) { return s.kind == StatementKind::header; });
        }
        bool changed = false;
        for (const Statement* s = guilty; s != last; ++s) {
            for (std::size_t i = s->begin; i < s->end; ++i) {
                if (text_[i] == '\n' || text_[i] == '\r' || text_[i] == ' ') continue;
                text_[i] = ' ';
                changed = true;
            }
        }
        return changed;
    }

    const SourceFile& file_;
    base::Diagnostics& diagnostics_;
    const DocumentLimits& limits_;
    std::vector<Statement> statements_;
    std::string text_;
    std::size_t skipped_ = 0;
    std::size_t found_ = 0;
    bool repaired_ = false;
};

} // namespace

Document Document::read(std::shared_ptr<const SourceFile> file, base::Diagnostics& diagnostics,
                        const DocumentLimits& limits) {
    Document document;
    document.file_ = std::move(file);
    diagnostics.keep(document.file_);
    if (auto root = Reader(*document.file_, diagnostics, limits).run()) {
        document.root_ = std::move(*root);
        document.ok_ = true;
    }
    return document;
}

} // namespace liaison::text
