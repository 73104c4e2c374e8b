// SPDX-License-Identifier: Apache-2.0
// What transitions at one instant left behind, compared bit by bit.
#include "liaison/motion/mode_cycle.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::motion {
namespace {

// The modes that users see: "foot stick, wall open".
std::string words(const flow::Flow& flow, const std::vector<double>& mode) {
    std::string text;
    for (std::size_t k = 0; k < flow.modes.size(); ++k) {
        const auto& list = flow.modes[k].words;
        const auto word = std::ranges::find(list, mode[k], &flow::ModeSlot::Word::value);
        if (word == list.end()) continue;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", flow.modes[k].name, word->word);
    }
    return text;
}

} // namespace

std::string ModeCycle::After::mode_words(const flow::Flow& flow) const { return words(flow, mode); }

bool ModeCycle::After::repeats(const After& other) const {
    return guard == other.guard && mode == other.mode && state == other.state &&
           std::ranges::equal(armed, other.armed, [](const flow::Armed& a, const flow::Armed& b) {
               return a.guard == b.guard && a.multiplicity == b.multiplicity &&
                      a.crossed == b.crossed;
           });
}

std::optional<std::string> ModeCycle::note(const flow::Flow& flow, const flow::Instant& now,
                                           const std::vector<flow::Firing>& fired,
                                           const std::vector<flow::Armed>& armed) {
    After after{fired.front().guard, now.state, now.mode, armed};
    const auto same =
        std::ranges::find_if(seen_, [&](const After& earlier) { return earlier.repeats(after); });
    if (same == seen_.end()) {
        if (seen_.size() == k_longest) seen_.erase(seen_.begin());
        seen_.push_back(std::move(after));
        return std::nullopt;
    }
    std::string text;
    for (auto step = same + 1; step != seen_.end(); ++step)
        text +=
            fmt::format("{}, then {}; ", flow.guards[step->guard].name, words(flow, step->mode));
    return text +
           fmt::format("{}, then {}", flow.guards[after.guard].name, words(flow, after.mode));
}

std::string ModeCycle::last_round(const flow::Flow& flow) const {
    const auto alike = [&](std::size_t back, std::size_t period) {
        const After& one = seen_[seen_.size() - 1 - back];
        const After& other = seen_[seen_.size() - 1 - back - period];
        return one.guard == other.guard && one.mode_words(flow) == other.mode_words(flow);
    };
    std::size_t length = std::min<std::size_t>(seen_.size(), 4);
    for (std::size_t period = 1; 2 * period <= seen_.size(); ++period) {
        bool round = true;
        for (std::size_t back = 0; back < period && round; ++back) round = alike(back, period);
        if (!round) continue;
        length = period;
        break;
    }
    std::string text;
    for (std::size_t i = seen_.size() - length; i < seen_.size(); ++i) {
        const std::string modes = seen_[i].mode_words(flow);
        text += fmt::format("{}{}{}{}", text.empty() ? "" : "; ", flow.guards[seen_[i].guard].name,
                            modes.empty() ? "" : ", then ", modes);
    }
    return text;
}

} // namespace liaison::motion
