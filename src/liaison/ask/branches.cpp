// SPDX-License-Identifier: Apache-2.0
// Reads RELAY=WHERE and names what is wrong with it.
#include "liaison/ask/branches.hpp"

#include "liaison/base/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace liaison::ask {
namespace {

using realise::Branch;

constexpr std::array<std::pair<const char*, Branch>, 4> k_words{{{"above", Branch::above},
                                                                 {"below", Branch::below},
                                                                 {"stay", Branch::stay},
                                                                 {"cross", Branch::cross}}};

} // namespace

realise::Branches read_branches(const std::vector<std::string>& texts, const model::Model& model,
                                base::Diagnostics& diagnostics) {
    std::vector<std::string> relays;
    for (const model::Relay& r : model.relays) relays.push_back(r.name);
    realise::Branches result;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        const std::string name = text.substr(0, equals);
        const std::string word = equals == std::string::npos ? "" : text.substr(equals + 1);
        const auto* const found =
            std::ranges::find_if(k_words, [&](const auto& w) { return word == w.first; });
        if (found == k_words.end()) {
            diagnostics
                .report(base::Code::bad_setting,
                        fmt::format("--branch {}: RELAY=WHERE is expected", text))
                .note("WHERE is above, below, stay or cross");
            continue;
        }
        if (std::ranges::find(relays, name) == relays.end()) {
            auto& d =
                diagnostics.report(base::Code::bad_setting,
                                   fmt::format("--branch {}: there is no relay {}", text, name));
            if (const auto near = base::nearest(name, relays))
                d.note(fmt::format("did you mean {}?", *near));
            else if (!relays.empty())
                d.note(fmt::format("the relays are {}", fmt::join(relays, ", ")));
            continue;
        }
        result[name] = found->second;
    }
    return result;
}

} // namespace liaison::ask
