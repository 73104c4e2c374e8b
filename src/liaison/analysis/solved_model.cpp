// SPDX-License-Identifier: Apache-2.0
// Line by line: the question goes, the definitions come.
#include "liaison/analysis/solved_model.hpp"

#include "liaison/expr/print.hpp"

#include <fmt/format.h>

#include <string_view>

namespace liaison::analysis {
namespace {

// "[let]" of a line that is a table header; empty for other lines.
std::string_view header(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || line[begin] != '[') return {};
    const std::size_t end = line.find(']', begin);
    return end == std::string_view::npos ? std::string_view{} : line.substr(begin, end + 1 - begin);
}

} // namespace

std::string solved_model(const model::Model& model, const InverseAnswer& answer) {
    std::string definitions;
    for (std::size_t i = 0; i < answer.names.size(); ++i)
        definitions += fmt::format("{} = \"{}\"\n", answer.names[i], expr::print(answer.forces[i]));
    std::string text;
    bool question = false;
    bool defined = false;
    for (std::size_t k = 1; k <= model.source->line_count(); ++k) {
        const std::string_view line = model.source->line(k);
        const std::string_view table = header(line);
        if (!table.empty()) question = table == "[invert]" || table.starts_with("[invert.");
        if (question) continue;
        text += line;
        text += '\n';
        if (table == "[let]") {
            text += definitions;
            defined = true;
        }
    }
    while (text.ends_with("\n\n")) text.pop_back();
    if (!defined) text += "\n[let]\n" + definitions;
    return text;
}

} // namespace liaison::analysis
