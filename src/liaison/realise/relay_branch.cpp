// SPDX-License-Identifier: Apache-2.0
// Where several motions go on, or none: what is taken, and how it is told.
#include "liaison/realise/filippov_set.hpp"
#include "liaison/realise/relay_transition.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::realise {

using Eigen::Index;
using flow::EventKind;
using flow::Instant;
using flow::Outcome;

void RelayTransition::prefer_holding(RelayDecision& decision,
                                     const std::vector<std::size_t>& zero) const {
    const bool crosses = std::any_of(zero.begin(), zero.end(), [&](std::size_t b) {
        return surfaces_[b].branch == Branch::cross;
    });
    const auto is_held = [](const RelayChoice& c) { return c.held; };
    if (crosses && !std::all_of(decision.choices.begin(), decision.choices.end(), is_held)) {
        std::erase_if(decision.choices, is_held);
        return;
    }
    const auto held = std::find_if(decision.choices.begin(), decision.choices.end(),
                                   [](const RelayChoice& c) { return c.held; });
    if (held == decision.choices.end()) return;
    RelayChoice chosen = *held;
    decision.choices = {std::move(chosen)};
}

void RelayTransition::leave_what_contacts_accept(const Instant& now,
                                                 RelayDecision& decision) const {
    if (!contacts_ || decision.choices.size() < 2) return;
    std::vector<RelayChoice> left = decision.choices;
    std::erase_if(left, [&](const RelayChoice& choice) {
        Instant there = now;
        rule_.apply(there, choice);
        return !contacts_->agrees(there);
    });
    if (!left.empty()) decision.choices = std::move(left);
}

void RelayTransition::take_branch(RelayDecision& decision, const std::vector<std::size_t>& zero,
                                  const std::vector<int>& before) const {
    std::vector<RelayChoice> wanted = decision.choices;
    std::erase_if(wanted, [&](const RelayChoice& c) {
        return std::any_of(zero.begin(), zero.end(), [&](std::size_t b) {
            switch (surfaces_[b].branch) {
            case Branch::none: return false;
            case Branch::stay: return c.side[b] != 0;
            case Branch::above: return c.side[b] != 1;
            case Branch::below: return c.side[b] != -1;
            case Branch::cross: return c.side[b] == before[b];
            }
            return false;
        });
    });
    if (!wanted.empty()) decision.choices = std::move(wanted);
}

bool RelayTransition::stays(const RelayChoice& choice, const std::vector<std::size_t>& zero) const {
    return std::ranges::any_of(zero, [&](std::size_t b) {
        return choice.side[b] == 0 && surfaces_[b].branch == Branch::stay;
    });
}

void RelayTransition::tell_branch(const Instant& now, const std::vector<std::size_t>& zero,
                                  const std::string& what, bool at_start, Outcome& outcome) const {
    for (const std::size_t b : zero) {
        const int side = rule_.side(now, b);
        if (at_start) outcome.events.push_back(event(kind_of(0, side), b, side, now, 0.0));
    }
    for (flow::Event& e : outcome.events) {
        e.case_name = what;
        e.rule = "as chosen by the user";
    }
}

Outcome RelayTransition::refuse(const Instant& now, const std::vector<std::size_t>& zero,
                                const RelayDecision& decision) const {
    Outcome outcome;
    outcome.fail = true;
    std::string names;
    for (const std::size_t b : zero) names += (names.empty() ? "" : ", ") + surfaces_[b].name;
    const std::string where =
        fmt::format("at t = {:.15g} on the surface{} of relay{} {}", now.time.rounded(),
                    zero.size() > 1 ? "s" : "", zero.size() > 1 ? "s" : "", names);
    if (decision.choices.empty()) {
        outcome.reason = fmt::format(
            "{} no motion goes on: neither sliding nor leaving fits the field on the sides", where);
        return outcome;
    }
    outcome.reason =
        decision.choices.size() > 1
            ? fmt::format("{} the motion is not unique, {} ways to go on:", where,
                          decision.choices.size())
            : fmt::format("{} the values of the sliding relays are not determined, and the "
                          "motion depends on them; one of them:",
                          where);
    for (std::size_t c = 0; c < decision.choices.size(); ++c) {
        outcome.reason += fmt::format(" ({})", c + 1);
        for (const std::size_t b : zero) {
            const auto i = static_cast<Index>(b);
            const int side = decision.choices[c].side[b];
            outcome.reason +=
                side == 0
                    ? fmt::format(" {} slides with w = {:.6g}", surfaces_[b].name,
                                  decision.choices[c].w(i) + 0.0)
                    : fmt::format(" {} leaves {}", surfaces_[b].name, side > 0 ? "above" : "below");
        }
        outcome.reason += c + 1 < decision.choices.size() ? ";" : "";
    }
    const auto remedy = [&](std::size_t b, const char* words, const char* what) {
        if (surfaces_[b].of_function)
            return fmt::format(
                "; a [relay.NAME] with this surface in place of {} has `branch` = {}, "
                "which {}",
                surfaces_[b].name, words, what);
        return fmt::format("; --branch {0}={1} {2}, and so does `branch` in [relay.{0}]",
                           surfaces_[b].name, words, what);
    };
    if (decision.choices.size() == 1) {
        const auto slides = std::ranges::find_if(
            zero, [&](std::size_t b) { return decision.choices[0].side[b] == 0; });
        if (slides != zero.end()) outcome.reason += remedy(*slides, "stay", "goes on with that");
        return outcome;
    }
    if (decision.choices.size() >= 3)
        outcome.reason += "; the surface repels: any of them is a motion";
    outcome.reason += remedy(zero.front(), "above, below or stay", "takes one of them");
    return outcome;
}

void RelayTransition::tell_interval(const Instant& now, const std::vector<std::size_t>& zero,
                                    bool at_start, Outcome& outcome) const {
    const auto open = filippov_set(rule_, now, rest_.end);
    if (open.empty()) return;
    std::string range;
    for (const RateInterval& i : open) {
        range += fmt::format("{}{}' in [{:.14g}, {:.14g}]", range.empty() ? "" : ", ",
                             names_[i.state], i.low, i.high);
    }
    if (at_start) {
        for (const std::size_t b : zero) {
            if (rule_.side(now, b) == 0)
                outcome.events.push_back(event(EventKind::enter_sliding, b, 0, now, 0.0));
        }
    }
    for (flow::Event& e : outcome.events) {
        if (e.kind != EventKind::enter_sliding) continue;
        e.case_name = "Filippov's convex set leaves " + range;
        e.rule = convex_.value_or("");
    }
}

} // namespace liaison::realise
