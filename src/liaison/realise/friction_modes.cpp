// SPDX-License-Identifier: Apache-2.0
// Slots of frictional contacts: state, masks, sign of slip.
#include "liaison/realise/friction_modes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::realise {
namespace {

// The symbol of the state of a side; sides without friction have one too.
expr::Expr state_symbol(const ContactSide& side, expr::Pool& pool, std::size_t k) {
    return side.friction ? side.friction.state : pool.symbol(fmt::format("friction#{}", k));
}

expr::Expr hidden_symbol(expr::Pool& pool, const char* what, std::size_t k) {
    return pool.symbol(fmt::format("{}#{}", what, k));
}

} // namespace

laws::ContactMode mode_of(Touch touch, bool friction) {
    switch (touch) {
    case Touch::open: return laws::ContactMode::open;
    case Touch::slip_plus:
    case Touch::held_plus: return laws::ContactMode::slip_plus;
    case Touch::slip_minus:
    case Touch::held_minus: return laws::ContactMode::slip_minus;
    case Touch::stick: break;
    }
    return friction ? laws::ContactMode::stick : laws::ContactMode::closed;
}

void FrictionModes::declare(const std::vector<ContactSide>& sides, expr::Pool& pool,
                            flow::Flow& flow) {
    for (std::size_t k = 0; k < sides.size(); ++k) {
        const ContactSide& side = sides[k];
        const std::string name = side.side.empty() ? side.name : side.name + " " + side.side;
        std::vector<flow::ModeSlot::Word> words{
            {0.0, "open"}, {1.0, "closed"}, {k_held_by_others, "closed"}};
        if (side.friction) {
            words = {{0.0, "open"},
                     {1.0, "stick"},
                     {2.0, "slip"},
                     {3.0, "slip"},
                     {4.0, "stick"},
                     {5.0, "stick"},
                     {k_held_by_others, "stick"}};
        }
        flow.modes.push_back({name, state_symbol(side, pool, k), 0.0, std::move(words)});
        const auto hide = [&](expr::Expr symbol) {
            flow.modes.push_back({symbol.name(), symbol, 0.0, {}});
        };
        hide(side.mask);
        if (side.friction) {
            hide(side.friction.stick);
            hide(side.friction.sign);
            hide(side.friction.answers);
        }
        if (side.friction.slips.size() == 2) {
            for (const expr::Expr symbol :
                 {side.friction.stick_second, side.friction.in_cone, side.friction.lead,
                  side.friction.angle, side.friction.turning, side.friction.bend,
                  side.friction.lead_end})
                hide(symbol);
        } else {
            if (side.friction.in_cone) hide(side.friction.in_cone);
            if (side.friction.lead) hide(side.friction.lead);
        }
        for (const SideFriction::Given& given : side.friction.given) {
            hide(given.force);
            if (given.rate) hide(given.rate);
        }
        if (side.preload) hide(hidden_symbol(pool, "preload", k));
        if (side.friction.presses) hide(side.friction.presses);
        if (side.friction.follows) {
            hide(side.friction.follows);
            hide(side.friction.waits);
        }
        for (const expr::Expr share : side.friction.shares) {
            if (share) hide(share);
        }
        hide(hidden_symbol(pool, "last", k));
        hide(hidden_symbol(pool, "limit", k));
        hide(hidden_symbol(pool, "met", k));
        hide(hidden_symbol(pool, "interval", k));
        hide(hidden_symbol(pool, "common limit", k));
    }
}

bool FrictionModes::declared(const std::vector<ContactSide>& sides, const flow::Flow& flow) {
    if (sides.empty()) return false;
    const expr::Expr state = state_symbol(sides.front(), *flow.pool, 0);
    return std::ranges::any_of(flow.modes,
                               [&](const flow::ModeSlot& m) { return m.symbol == state; });
}

FrictionModes::FrictionModes(const std::vector<ContactSide>& sides, const flow::Flow& flow) {
    for (std::size_t k = 0; k < sides.size(); ++k) {
        const ContactSide& side = sides[k];
        Slots s;
        s.state = flow::slot_of(flow, state_symbol(side, *flow.pool, k));
        s.closed = flow::slot_of(flow, side.mask);
        s.presses = s.closed;
        s.friction = static_cast<bool>(side.friction);
        if (s.friction) {
            s.stick = flow::slot_of(flow, side.friction.stick);
            s.sign = flow::slot_of(flow, side.friction.sign);
            s.answers = flow::slot_of(flow, side.friction.answers);
            s.in_cone =
                side.friction.in_cone ? flow::slot_of(flow, side.friction.in_cone) : s.stick;
        }
        s.spatial = side.friction.slips.size() == 2;
        if (s.spatial) {
            s.stick_second = flow::slot_of(flow, side.friction.stick_second);
            s.angle = flow::slot_of(flow, side.friction.angle);
            s.turning = flow::slot_of(flow, side.friction.turning);
            s.bend = flow::slot_of(flow, side.friction.bend);
            s.lead_end = flow::slot_of(flow, side.friction.lead_end);
        }
        s.clocked = static_cast<bool>(side.friction.clock);
        if (s.clocked) {
            s.lead = flow::slot_of(flow, side.friction.lead);
            s.clock = static_cast<std::size_t>(std::ranges::find(flow.states, side.friction.clock) -
                                               flow.states.begin());
        }
        for (const SideFriction::Given& given : side.friction.given) {
            s.given.push_back(flow::slot_of(flow, given.force));
            if (given.rate) s.given_rate.push_back(flow::slot_of(flow, given.rate));
        }
        if (side.preload) s.preload = flow::slot_of(flow, hidden_symbol(*flow.pool, "preload", k));
        if (side.friction.presses) s.presses = flow::slot_of(flow, side.friction.presses);
        if (side.friction.follows) {
            s.follows = flow::slot_of(flow, side.friction.follows);
            s.waits = flow::slot_of(flow, side.friction.waits);
        }
        for (const expr::Expr share : side.friction.shares)
            s.shares.push_back(share ? flow::slot_of(flow, share) : 0);
        s.last = flow::slot_of(flow, hidden_symbol(*flow.pool, "last", k));
        s.limit = flow::slot_of(flow, hidden_symbol(*flow.pool, "limit", k));
        s.met = flow::slot_of(flow, hidden_symbol(*flow.pool, "met", k));
        s.interval = flow::slot_of(flow, hidden_symbol(*flow.pool, "interval", k));
        s.common_limit = flow::slot_of(flow, hidden_symbol(*flow.pool, "common limit", k));
        slots_.push_back(s);
    }
}

Touch FrictionModes::touch(const flow::Instant& now, Eigen::Index k) const {
    const double state = now.mode[at(k).state];
    return state == k_held_by_others ? Touch::stick : static_cast<Touch>(static_cast<int>(state));
}

void FrictionModes::set(flow::Instant& now, Eigen::Index k, Touch touch, bool normal_carries,
                        bool friction_carries) const {
    set(now, k, touch, normal_carries, std::array{friction_carries, friction_carries});
}

void FrictionModes::set(flow::Instant& now, Eigen::Index k, Touch touch, bool normal_carries,
                        std::array<bool, 2> friction_carries) const {
    const Slots& s = at(k);
    const bool all = friction_carries[0] && (!s.spatial || friction_carries[1]);
    const bool carries = normal_carries && (all || !s.friction);
    now.mode[s.state] = touch == Touch::stick && !carries
                            ? k_held_by_others
                            : static_cast<double>(static_cast<int>(touch));
    now.mode[s.closed] = now.mode[s.presses] = touch != Touch::open && normal_carries ? 1.0 : 0.0;
    for (const std::size_t slot : s.given) now.mode[slot] = 0.0;
    for (const std::size_t slot : s.given_rate) now.mode[slot] = 0.0;
    if (!s.shares.empty()) now.mode[s.follows] = now.mode[s.waits] = 0.0;
    for (const std::size_t share : s.shares) {
        if (share != 0) now.mode[share] = 0.0;
    }
    if (s.clocked) now.mode[s.lead] = 0.0;
    if (!s.friction) return;
    now.mode[s.stick] = touch == Touch::stick && friction_carries[0] ? 1.0 : 0.0;
    const bool plus = touch == Touch::slip_plus || touch == Touch::held_plus;
    const bool minus = touch == Touch::slip_minus || touch == Touch::held_minus;
    now.mode[s.sign] = plus ? 1.0 : minus ? -1.0 : 0.0;
    now.mode[s.answers] = slips(touch) && normal_carries ? 1.0 : 0.0;
    now.mode[s.in_cone] =
        touch == Touch::stick && (friction_carries[0] || (s.spatial && friction_carries[1])) ? 1.0
                                                                                             : 0.0;
    if (!s.spatial) return;
    now.mode[s.stick_second] = touch == Touch::stick && friction_carries[1] ? 1.0 : 0.0;
    for (const std::size_t slot : {s.lead, s.angle, s.turning, s.bend, s.lead_end})
        now.mode[slot] = 0.0;
}

bool FrictionModes::carries(const flow::Instant& now, Eigen::Index k) const {
    const Slots& s = at(k);
    if (now.mode[s.closed] != 0.0) return true;
    if (!s.friction) return false;
    return now.mode[s.stick] != 0.0 || (s.spatial && now.mode[s.stick_second] != 0.0);
}

bool FrictionModes::open_all(flow::Instant& now) const {
    bool some = false;
    for (std::size_t k = 0; k < slots_.size(); ++k) {
        const auto side = static_cast<Eigen::Index>(k);
        some = some || closed(now, side);
        set(now, side, Touch::open, false, false);
    }
    return some;
}

void FrictionModes::carry(flow::Instant& now, Eigen::Index k, bool normal_carries) const {
    const Slots& s = at(k);
    now.mode[s.closed] = now.mode[s.presses] = now.mode[s.answers] = normal_carries ? 1.0 : 0.0;
}

void FrictionModes::follow(flow::Instant& now, Eigen::Index k, std::span<const Eigen::Index> others,
                           const Eigen::VectorXd& shares) const {
    const Slots& s = at(k);
    now.mode[s.follows] = now.mode[s.presses] = 1.0;
    share(now, s, others, shares);
}

void FrictionModes::wait(flow::Instant& now, Eigen::Index k, std::span<const Eigen::Index> others,
                         const Eigen::VectorXd& shares) const {
    now.mode[at(k).waits] = 1.0;
    share(now, at(k), others, shares);
}

void FrictionModes::share(flow::Instant& now, const Slots& slots,
                          std::span<const Eigen::Index> others, const Eigen::VectorXd& shares) {
    for (std::size_t i = 0; i < others.size(); ++i)
        now.mode[slots.shares[static_cast<std::size_t>(others[i])]] =
            shares(static_cast<Eigen::Index>(i));
}

void FrictionModes::lead(flow::Instant& now, Eigen::Index k, const Lead& lead) const {
    const Slots& s = at(k);
    now.mode[s.lead] = 1.0;
    now.mode[s.angle] = lead.angle;
    now.mode[s.turning] = lead.turning;
    now.mode[s.bend] = lead.bend;
    now.mode[s.lead_end] = lead.time;
    now.state[s.clock] = 0.0;
}

void FrictionModes::give(flow::Instant& now, Eigen::Index k, const Eigen::Vector3d& force,
                         const Eigen::Vector3d& rate) const {
    const Slots& s = at(k);
    const bool stays = sticks(touch(now, k));
    for (std::size_t i = 0; i < s.given.size(); ++i)
        now.mode[s.given[i]] = force(static_cast<Eigen::Index>(i));
    for (std::size_t i = 0; i < s.given_rate.size(); ++i)
        now.mode[s.given_rate[i]] = stays ? rate(static_cast<Eigen::Index>(i)) : 0.0;
    if (stays && s.friction) now.mode[s.in_cone] = 1.0;
    // At the tip of its cone the limit of friction has a double root: the sign of the normal force tells more.
    const bool presses = force(0) != 0.0 || (stays && !s.given_rate.empty() && rate(0) != 0.0);
    if (presses) now.mode[s.presses] = 1.0;
    if (!stays || !s.clocked) return;
    now.mode[s.lead] = 1.0;
    now.state[s.clock] = 0.0;
}

} // namespace liaison::realise
