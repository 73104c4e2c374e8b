// SPDX-License-Identifier: Apache-2.0
// Options about flows and files of answers.
#include "liaison/app/flow_arguments.hpp"

#include "liaison/app/exit_code.hpp"
#include "liaison/app/output_guard.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace liaison::app {

void FlowArguments::declare(Options& options, std::string formats) {
    options.positional("MODEL", model, "model file, - for standard input").models().needed();
    options.values("--set", "NAME=VALUE", settings, "another value of a parameter, repeatable");
    options.value("--tolerance", "X", tolerance, "of the integration (default 1e-13)");
    options.values("-o,--output", "FILE", outputs, std::move(formats)).files();
    options.flag("--force", force, "overwrite files");
}

std::string FlowArguments::complaint(const std::vector<std::string>& endings) const {
    if (tolerance && !(*tolerance > 0.0 && *tolerance < 1.0))
        return "--tolerance must lie between 0 and 1";
    for (const std::string& path : outputs) {
        if (std::none_of(endings.begin(), endings.end(),
                         [&](const std::string& ending) { return path.ends_with(ending); }))
            return fmt::format("{}: the ending says the format: {}", path,
                               fmt::join(endings, ", "));
        if (std::string there = in_the_way(path, {model}, force); !there.empty()) return there;
    }
    return {};
}

std::vector<std::string> listed(const std::vector<std::string>& texts) {
    std::vector<std::string> parts;
    for (const std::string& text : texts) {
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            parts.push_back(text.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    return parts;
}

int write_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& texts,
                  const Terminal& terminal) {
    int code = exit_ok;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const std::string problem = record::write_file(paths[i], texts[i]);
        if (problem.empty()) continue;
        terminal.complain(problem);
        code = exit_stopped;
    }
    return code;
}

} // namespace liaison::app
