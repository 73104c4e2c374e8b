// SPDX-License-Identifier: Apache-2.0
// Hidden slots of the crossing history.
#include "liaison/realise/relay_history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace liaison::realise {
namespace {

enum Slot : std::size_t { last_time, interval_1, interval_2, interval_3, estimate, first_relay };

constexpr const char* k_name = "crossings#";

} // namespace

void RelayHistory::declare(flow::Flow& flow, std::size_t relays) {
    for (std::size_t i = 0; i < first_relay + relays; ++i) {
        const std::string name = k_name + std::to_string(i);
        flow.modes.push_back({name, flow.pool->symbol(name), 0.0, {}});
    }
}

RelayHistory::RelayHistory(const flow::Flow& flow, std::size_t relays)
    : slot_(flow::slot_of(flow, flow.pool->symbol(std::string(k_name) + "0"))), relays_(relays) {}

void RelayHistory::reset(flow::Instant& now) const {
    constexpr double k_never = -std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < first_relay + relays_; ++i) now.mode[slot_ + i] = 0.0;
    now.mode[slot_ + last_time] = k_never;
    for (std::size_t b = 0; b < relays_; ++b) now.mode[slot_ + first_relay + b] = k_never;
}

void RelayHistory::crossed(flow::Instant& now, std::size_t relay) const {
    const double t = now.time.rounded();
    const double d = t - now.mode[slot_ + last_time];
    now.mode[slot_ + first_relay + relay] = t;
    if (d == 0.0) return;
    now.mode[slot_ + last_time] = t;
    now.mode[slot_ + interval_3] = now.mode[slot_ + interval_2];
    now.mode[slot_ + interval_2] = now.mode[slot_ + interval_1];
    now.mode[slot_ + interval_1] = d;
}

double RelayHistory::remaining(const flow::Instant& now) const {
    const double d1 = now.mode[slot_ + interval_1];
    const double d2 = now.mode[slot_ + interval_2];
    const double d3 = now.mode[slot_ + interval_3];
    const double q = d1 / d3;
    if (!(d3 > 0.0) || !(q < 1.0)) return 0.0;
    const double since = now.time.rounded() - now.mode[slot_ + last_time];
    return std::max(0.0, (d1 + d2) * q / (1.0 - q) - since);
}

std::optional<RelayHistory::Limit> RelayHistory::limit(flow::Instant& now) const {
    const double left = remaining(now);
    if (!(left > 0.0)) return std::nullopt;
    const double t = now.time.rounded() + left;
    const double change = std::abs(t - now.mode[slot_ + estimate]);
    now.mode[slot_ + estimate] = t;
    if (change > std::max(now.tolerance, 1e-13) * std::max(1.0, std::abs(t))) return std::nullopt;
    return Limit{left, change};
}

bool RelayHistory::recent(const flow::Instant& now, std::size_t relay) const {
    const double span =
        now.mode[slot_ + interval_1] + now.mode[slot_ + interval_2] + now.mode[slot_ + interval_3];
    return now.time.rounded() - now.mode[slot_ + first_relay + relay] <= span;
}

} // namespace liaison::realise
