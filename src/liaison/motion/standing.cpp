// SPDX-License-Identifier: Apache-2.0
// A standing held against its flow.
#include "liaison/motion/standing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace liaison::motion {
namespace {

std::string misfit_of_state(const Standing& standing, const flow::Flow& flow) {
    const std::size_t n = flow.states.size();
    if (standing.state.size() != n)
        return fmt::format("state has {} values, the model {}", standing.state.size(), n);
    if (standing.state_low.size() != n)
        return fmt::format("state_low has {} values, the model {}", standing.state_low.size(), n);
    for (std::size_t i = 0; i < n; ++i) {
        if (!std::isfinite(standing.state[i]))
            return fmt::format("state[{}], {}, is {}", i, flow.state_names[i], standing.state[i]);
        if (!std::isfinite(standing.state_low[i]))
            return fmt::format("state_low[{}], of {}, is {}", i, flow.state_names[i],
                               standing.state_low[i]);
    }
    return {};
}

std::string misfit_of_mode(const Standing& standing, const flow::Flow& flow) {
    if (standing.mode.size() != flow.modes.size())
        return fmt::format("mode has {} values, the model {}", standing.mode.size(),
                           flow.modes.size());
    for (std::size_t k = 0; k < flow.modes.size(); ++k) {
        const flow::ModeSlot& slot = flow.modes[k];
        const double value = standing.mode[k];
        // Slots with words are numbers of modes; the others hold times and sizes, "never" is an infinity.
        const bool known =
            slot.words.empty()
                ? !std::isnan(value)
                : std::ranges::any_of(slot.words, [&](const auto& w) { return w.value == value; });
        if (!known)
            return fmt::format("mode[{}], of {}, is {}, which is no mode it has", k, slot.name,
                               value);
    }
    return {};
}

std::string misfit_of_armed(const Standing& standing, const flow::Flow& flow) {
    // A root of higher multiplicity than any series has coefficients is none.
    constexpr int k_most = 100;
    for (std::size_t i = 0; i < standing.armed.size(); ++i) {
        const flow::Armed& a = standing.armed[i];
        if (a.guard >= flow.guards.size())
            return fmt::format("armed[{}] names the guard {}, the model has {}", i, a.guard,
                               flow.guards.size());
        if (a.multiplicity < 1 || a.multiplicity > k_most)
            return fmt::format("armed[{}] has a root of multiplicity {}", i, a.multiplicity);
    }
    if (standing.armed.size() > flow.guards.size())
        return fmt::format("armed has {} guards, the model {}", standing.armed.size(),
                           flow.guards.size());
    return {};
}

} // namespace

std::string misfit(const Standing& standing, const flow::Flow& flow) {
    if (!std::isfinite(standing.time.rounded()))
        return fmt::format("time is {}", standing.time.rounded());
    std::string found = misfit_of_state(standing, flow);
    if (found.empty()) found = misfit_of_mode(standing, flow);
    if (found.empty()) found = misfit_of_armed(standing, flow);
    return found;
}

} // namespace liaison::motion
