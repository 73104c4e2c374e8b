// SPDX-License-Identifier: Apache-2.0
// Reading of ranges; their ends are constant expressions.
#include "liaison/ask/range.hpp"

#include "liaison/prepare/prepare.hpp"

#include <fmt/format.h>

namespace liaison::ask {

std::optional<Range> read_range(const std::string& option, const std::string& text,
                                base::Diagnostics& diagnostics, const RangeRule& rule) {
    const auto wrong = [&](const std::string& why) -> std::optional<Range> {
        diagnostics.report(base::Code::bad_setting, fmt::format("{} {}: {}", option, text, why))
            .note(fmt::format("as in {} {}{}", option, rule.example,
                              rule.positive  ? ", both ends positive and different"
                              : rule.falling ? ""
                                             : ", with FROM below TO"));
        return std::nullopt;
    };
    const auto equals = text.find('=');
    const auto colon = text.find(':');
    if (equals == std::string::npos || equals == 0 || colon == std::string::npos || colon < equals)
        return wrong("NAME=FROM:TO or NAME=FROM:TO:POINTS is expected");
    const auto second = text.find(':', colon + 1);
    const std::string what = option + " " + text.substr(0, equals);
    const auto value = [&](std::size_t begin, std::size_t end) {
        return prepare::constant_value(
            text.substr(begin, end == std::string::npos ? end : end - begin), what, diagnostics);
    };
    const auto from = value(equals + 1, colon);
    const auto to = value(colon + 1, second);
    if (!from || !to) return std::nullopt;
    if (rule.falling ? *from == *to : !(*from < *to)) return wrong("the range is empty");
    if (rule.positive && (!(*from > 0.0) || !(*to > 0.0))) return wrong("an end is not positive");
    Range range{text.substr(0, equals), *from, *to, {}};
    if (second != std::string::npos) {
        const auto points = value(second + 1, std::string::npos);
        if (!points) return std::nullopt;
        if (!(*points >= static_cast<double>(rule.fewest)) ||
            !(*points <= static_cast<double>(rule.most)))
            return wrong(fmt::format("the number of points must lie between {} and {}", rule.fewest,
                                     rule.most));
        range.points = static_cast<std::size_t>(*points);
    }
    return range;
}

} // namespace liaison::ask
