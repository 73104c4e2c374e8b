// SPDX-License-Identifier: Apache-2.0
// Diagnostics as text with source excerpts.
#include "liaison/base/render.hpp"

#include "liaison/base/excerpt.hpp"
#include "liaison/base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace liaison::base {

namespace {

constexpr std::string_view k_red = "\x1b[1;31m";
constexpr std::string_view k_yellow = "\x1b[1;33m";
constexpr std::string_view k_blue = "\x1b[1;34m";
constexpr std::string_view k_bold = "\x1b[1m";
constexpr std::string_view k_plain = "\x1b[0m";

// One underline on one line, in bytes of that line.
struct Mark {
    std::size_t begin, end;
    std::string text;
    bool primary;
};

class TextRenderer {
  public:
    TextRenderer(const Diagnostic& diagnostic, const RenderOptions& options)
        : diagnostic_(diagnostic), options_(options) {}

    std::string render() {
        title();
        for (const SourceFile* file : files()) excerpts(*file);
        for (const Fix& fix : diagnostic_.fixes) {
            if (!fix.why.empty()) remark(fix.why);
        }
        for (const std::string& note : diagnostic_.notes) remark(note);
        remark(fmt::format("liaison explain {}", row(diagnostic_.code).text));
        return std::move(out_);
    }

  private:
    std::string paint(std::string_view colour, std::string_view text) const {
        return options_.colour ? fmt::format("{}{}{}", colour, text, k_plain) : std::string(text);
    }

    std::string_view severity_colour() const {
        return diagnostic_.severity == Severity::error ? k_red : k_yellow;
    }

    void title() {
        const char* const kind = diagnostic_.severity == Severity::error ? "error" : "warning";
        const auto head = fmt::format("{}[{}]", kind, row(diagnostic_.code).text);
        out_ += fmt::format("{}: {}\n", paint(severity_colour(), head),
                            paint(k_bold, readable(diagnostic_.message)));
    }

    // Files of the labels, the one with the mistake first.
    std::vector<const SourceFile*> files() const {
        std::vector<const SourceFile*> list;
        if (const Span place = diagnostic_.place()) list.push_back(place.file);
        for (const Label& label : diagnostic_.labels) {
            if (std::ranges::find(list, label.span.file) == list.end()) {
                list.push_back(label.span.file);
            }
        }
        return list;
    }

    // Distributes the labels of a file over its lines; a long span marks its first and last line.
    std::map<std::size_t, std::vector<Mark>> marks(const SourceFile& file) const {
        std::map<std::size_t, std::vector<Mark>> by_line;
        for (const Label& label : diagnostic_.labels) {
            if (label.span.file != &file) continue;
            const std::size_t begin = std::min<std::size_t>(label.span.begin, file.size());
            const std::size_t end = std::clamp<std::size_t>(label.span.end, begin, file.size());
            const std::size_t first = file.line_of(begin);
            const std::size_t last = end > begin ? file.line_of(end - 1) : first;
            const std::size_t from = begin - file.line_begin(first);
            if (first == last) {
                const std::size_t to = end - file.line_begin(first);
                by_line[first].push_back({from, to, label.text, label.primary});
                continue;
            }
            by_line[first].push_back({from, file.line(first).size(), {}, label.primary});
            const std::size_t to = end - file.line_begin(last);
            const std::size_t indent =
                std::min(file.line(last).find_first_not_of(" \t"), file.line(last).size());
            by_line[last].push_back({std::min(indent, to), to, label.text, label.primary});
        }
        for (auto& [line, list] : by_line) {
            std::ranges::stable_sort(list, {}, &Mark::begin);
        }
        return by_line;
    }

    void excerpts(const SourceFile& file) {
        const auto by_line = marks(file);
        gutter_ =
            std::max<std::size_t>(gutter_, fmt::formatted_size("{}", by_line.rbegin()->first));
        const std::string margin(gutter_, ' ');
        const Span place = diagnostic_.place();
        const std::size_t offset =
            place.file == &file ? place.begin : file.line_begin(by_line.begin()->first);
        const Position p = file.position(offset);
        out_ += fmt::format("{}{} {}:{}:{}\n", margin, paint(k_blue, "┌─"), printable(file.name()),
                            p.line, p.column);
        out_ += fmt::format("{}{}\n", margin, paint(k_blue, "│"));
        std::size_t previous = 0;
        for (const auto& [line, list] : by_line) {
            if (previous != 0 && line > previous + 1) {
                out_ += fmt::format("{}{}\n", margin, paint(k_blue, "⋮"));
            }
            excerpt(line, file.line(line), list);
            previous = line;
        }
    }

    // The line, then one underline row per mark.
    void excerpt(std::size_t number, std::string_view content, const std::vector<Mark>& list) {
        const auto primary = std::ranges::find_if(list, &Mark::primary);
        const std::size_t focus = (primary == list.end() ? list.front() : *primary).begin;
        const Excerpt shown(content, focus, options_.width);
        out_ += fmt::format("{} {}\n", paint(k_blue, fmt::format("{:>{}}│", number, gutter_)),
                            shown.text());
        for (const Mark& mark : list) {
            const std::size_t from = shown.column(mark.begin);
            const std::size_t to = std::max(shown.column(mark.end), from + 1);
            std::string under(to - from, mark.primary ? '^' : '-');
            if (!mark.text.empty()) under += " " + readable(mark.text);
            out_ += fmt::format("{}{} {}{}\n", std::string(gutter_, ' '), paint(k_blue, "│"),
                                std::string(from, ' '),
                                paint(mark.primary ? severity_colour() : k_blue, under));
        }
    }

    void remark(std::string_view text) {
        out_ +=
            fmt::format("{}{} {}\n", std::string(gutter_, ' '), paint(k_blue, "="), readable(text));
    }

    const Diagnostic& diagnostic_;
    const RenderOptions& options_;
    std::string out_;
    std::size_t gutter_ = 2;
};

std::string count(std::size_t number, std::string_view noun) {
    return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

} // namespace

std::string render(const Diagnostic& diagnostic, const RenderOptions& options) {
    return TextRenderer(diagnostic, options).render();
}

std::string render(const Diagnostics& diagnostics, const RenderOptions& options) {
    std::string out;
    const auto shown = diagnostics.shown();
    for (const Diagnostic* diagnostic : shown) out += render(*diagnostic, options) + "\n";
    std::string total;
    if (diagnostics.has_errors()) total = count(diagnostics.error_count(), "error");
    if (diagnostics.warning_count() > 0) {
        total += (total.empty() ? "" : ", ") + count(diagnostics.warning_count(), "warning");
    }
    const auto listed = static_cast<std::size_t>(std::ranges::count_if(
        shown, [](const Diagnostic* d) { return d->severity == Severity::error; }));
    if (diagnostics.error_count() > Diagnostics::k_shown_errors) {
        total += fmt::format(" (the first {} errors are shown)", listed);
    }
    return total.empty() ? out : out + total + "\n";
}

} // namespace liaison::base
