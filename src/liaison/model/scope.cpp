// SPDX-License-Identifier: Apache-2.0
// All names that expressions of a model may use, and what each of them is.
#include "liaison/model/scope.hpp"

#include "liaison/base/nearest.hpp"
#include "liaison/expr/functions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace liaison::model {

namespace {

constexpr std::array<std::string_view, 6> k_words{"t", "pi", "deg", "and", "or", "not"};

bool is_identifier(std::string_view name) {
    return !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) != 0;
}

std::string line_of(base::Span span) {
    return span ? fmt::format(", line {}", span.position().line) : std::string{};
}

std::string_view why_reserved(std::string_view name) {
    if (name == "t") return "t is time";
    if (name == "u") return "u is the value of a relay";
    if (name == "pi") return "pi is 3.14159…";
    if (name == "deg") return "deg is pi/180";
    if (is_function(name)) return "it is the name of a function";
    return "it is a word of the expression language";
}

} // namespace

std::string_view word(Meaning meaning) {
    switch (meaning) {
    case Meaning::coordinate: return "coordinate";
    case Meaning::velocity: return "quasi-velocity";
    case Meaning::parameter: return "parameter";
    case Meaning::state: return "discrete state";
    case Meaning::let: return "[let] name";
    case Meaning::table: return "table";
    case Meaning::relay: return "relay";
    case Meaning::body: return "body";
    case Meaning::unknown: return "unknown of [invert]";
    case Meaning::index: return "family index";
    }
    return "name";
}

std::string member_name(std::string_view head, const std::vector<long>& index) {
    if (index.empty()) return std::string(head);
    const std::size_t dot = std::min(head.find('.'), head.size());
    return fmt::format("{}[{}]{}", head.substr(0, dot), fmt::join(index, ","), head.substr(dot));
}

bool Scope::declare(const std::string& name, const std::string& head, Entry entry,
                    base::Diagnostics& diagnostics) {
    if (is_reserved(head) || (relays_ && head == "u")) {
        diagnostics.report(base::Code::reserved_name, fmt::format("`{}` is reserved", head))
            .at(entry.span, std::string(why_reserved(head)))
            .note("choose another name, such as `" + head + "1`");
        return false;
    }
    const bool member = name != head;
    const auto clash = [&](const Entry& first) {
        auto& report = diagnostics.report(base::Code::duplicate_name,
                                          fmt::format("`{}` is defined twice", name));
        report.at(entry.span, fmt::format("a {} here", word(entry.meaning)))
            .see(first.span, fmt::format("already a {}", word(first.meaning)))
            .note("expressions use both, so their names must differ: rename one of them");
    };
    // A head is either one thing or a family, never both.
    if (member) {
        if (const auto plain = entries_.find(head); plain != entries_.end()) {
            clash(plain->second);
            return false;
        }
    } else if (const auto family = families_.find(head); family != families_.end()) {
        clash(family->second);
        return false;
    }
    const auto [at, fresh] = entries_.try_emplace(name, entry);
    if (!fresh) {
        clash(at->second);
        return false;
    }
    if (!member || families_.try_emplace(head, entry).second) heads_.emplace_back(head, entry);
    return true;
}

const Entry* Scope::find(const std::string& name) const {
    const auto found = entries_.find(name);
    return found == entries_.end() ? nullptr : &found->second;
}

std::optional<std::string> Scope::suggestion(std::string_view name, bool (*fits)(Meaning)) const {
    std::vector<std::string> candidates;
    for (const auto& [head, entry] : heads_) {
        if (fits(entry.meaning)) candidates.push_back(head);
    }
    const auto near = base::nearest(name, candidates);
    if (!near) return std::nullopt;
    const auto found = std::ranges::find(heads_, *near, &std::pair<std::string, Entry>::first);
    const Entry& entry = found->second;
    return fmt::format("did you mean `{}` ({}{})?", *near, word(entry.meaning),
                       line_of(entry.span));
}

bool is_reserved(std::string_view name) {
    return std::ranges::find(k_words, name) != k_words.end() || is_function(name);
}

bool is_function(std::string_view name) {
    return std::ranges::find(expr::k_composed_functions, name) !=
               std::end(expr::k_composed_functions) ||
           (is_identifier(name) && expr::find_function(name) != nullptr);
}

std::vector<std::string> function_names() {
    std::vector<std::string> names(std::begin(expr::k_composed_functions),
                                   std::end(expr::k_composed_functions));
    for (const expr::Function& row : expr::functions()) {
        if (is_identifier(row.name)) names.emplace_back(row.name);
    }
    return names;
}

} // namespace liaison::model
