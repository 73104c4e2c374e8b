// SPDX-License-Identifier: Apache-2.0
// Prints the reference pages that liaison knows by itself: keys, functions, commands, messages.
#include "liaison/app/help.hpp"
#include "liaison/app/limits.hpp"
#include "liaison/base/codes.hpp"
#include "liaison/expr/functions.hpp"
#include "liaison/text/schema.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

namespace {

// One row per function, in the order of the table.
std::string functions_page() {
    std::string page = "| function | domain | smooth | meaning |\n|---|---|---|---|\n";
    constexpr std::array<std::string_view, 4> arguments{"", "x", "a, b", "a, b, c"};
    for (const liaison::expr::Function& row : liaison::expr::functions()) {
        const std::string_view shown = arguments.at(static_cast<std::size_t>(row.arity));
        page += fmt::format("| `{}({})` | {} | {} | {} |\n", row.name, shown,
                            row.domain.empty() ? "all" : row.domain,
                            row.smooth ? "yes" : "switching surface", row.help);
    }
    return page;
}

std::string model_file_page() { return liaison::text::model_schema().markdown(); }

std::string limits_page() {
    std::string page = "| bound | at most | |\n|---|---|---|\n";
    for (const liaison::app::Limit& limit : liaison::app::limits()) {
        page += fmt::format("| {} | {} | {} |\n", limit.key, limit.value, limit.meaning);
    }
    return page;
}

struct Page {
    std::string_view name;
    std::string (*text)();
};

constexpr std::array pages{
    Page{"model-file", model_file_page},
    Page{"expressions", functions_page},
    Page{"commands", liaison::app::commands_markdown},
    Page{"errors", liaison::base::codes_markdown},
    Page{"limits", limits_page},
};

} // namespace

int main(int argc, char** argv) {
    for (const Page& page : pages) {
        if (argc == 2 && page.name == argv[1]) {
            fmt::print("{}", page.text());
            return 0;
        }
    }
    fmt::print(stderr, "usage: liaison_reference PAGE, where PAGE is one of:");
    for (const Page& page : pages) fmt::print(stderr, " {}", page.name);
    fmt::print(stderr, "\n");
    return 64;
}
