// SPDX-License-Identifier: Apache-2.0
// Where elastic contacts begin and end.
#include "liaison/flow/probe.hpp"
#include "liaison/flow/yielding.hpp"
#include "liaison/realise/elastic_contacts.hpp"
#include "liaison/realise/elastic_resolution.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

namespace liaison::realise {
namespace {

using flow::Instant;
using flow::Outcome;

// Guards of a side in order: `enter` (gap falls, while free), `leave` (gap rises or the push vanishes, while in
// contact) and, where the contact ends at zero force, `return_` (the push appears again, while free).
struct GuardsOf {
    std::size_t enter = 0;
    std::size_t leave = 0;
    std::size_t return_ = 0;
    bool by_force = false;
};

class ElasticTransition final : public flow::Transition, public flow::Yielding {
  public:
    struct Numbers {
        double gap = 0.0;
        double rate = 0.0;
        double push = 0.0;
        double damping_push = 0.0;
    };

    ElasticTransition(const ElasticContacts& contacts, std::vector<GuardsOf> guards,
                      std::vector<std::size_t> impulses, std::size_t first_slot,
                      std::size_t n_positions, std::size_t n_controlled)
        : sides_(contacts.sides), pairs_(contacts.couplings), guards_(std::move(guards)),
          impulses_(std::move(impulses)), slot_(first_slot), n_positions_(n_positions),
          n_controlled_(n_controlled) {}

    void bind(flow::Probe values, flow::Probe second, flow::Probe third, flow::Probe energy,
              flow::Probe couplings, flow::Probe resolution) {
        couplings_ = std::move(couplings);
        resolution_ = std::move(resolution);
        values_ = std::move(values);
        second_ = std::move(second);
        third_ = std::move(third);
        energy_ = std::move(energy);
    }

    Outcome start(Instant& now) const override {
        for (std::size_t k = 0; k < sides_.size(); ++k) mask(now, k) = 0.0;
        return decide(now);
    }

    // Another owner changed the state: contact follows from the gap again.
    Outcome refresh(Instant& now) const override { return decide(now); }

    Outcome transit(std::span<const flow::Firing> fired, Instant& now) const override {
        Outcome outcome;
        for (const flow::Firing& f : fired) {
            for (std::size_t k = 0; k < sides_.size(); ++k) {
                const GuardsOf& g = guards_[k];
                if (f.guard == g.enter)
                    enter(now, k, f.accuracy, outcome);
                else if (f.guard == g.leave && !g.by_force && falls_back(now, k, outcome))
                    continue;
                else if (f.guard == g.leave)
                    leave(now, k, f.accuracy, outcome);
                else if (g.by_force && f.guard == g.return_)
                    come_back(now, k, f.accuracy, outcome);
            }
        }
        return outcome;
    }

    [[nodiscard]] std::vector<flow::YieldingGap> yielding() const override {
        std::vector<flow::YieldingGap> gaps;
        for (std::size_t k = 0; k < sides_.size(); ++k) {
            gaps.push_back({sides_[k].label(), {}});
            if (!guards_[k].by_force) gaps.back().slot = slot_ + k;
        }
        return gaps;
    }

  private:
    [[nodiscard]] double& mask(Instant& now, std::size_t k) const { return now.mode[slot_ + k]; }
    // Hidden slot: ∫ push dt when the contact began.
    [[nodiscard]] double& impulse_before(Instant& now, std::size_t k) const {
        return now.mode[slot_ + sides_.size() + k];
    }
    // Hidden slot: contacts in a row whose compression was below the rounding of the gap.
    [[nodiscard]] double& unseen(Instant& now, std::size_t k) const {
        return now.mode[slot_ + 2 * sides_.size() + k];
    }
    [[nodiscard]] Numbers numbers(const Instant& now, std::size_t k) const {
        const auto v = values_(now);
        return {v[4 * k], v[4 * k + 1], v[4 * k + 2], v[4 * k + 3]};
    }
    [[nodiscard]] double scale(const Instant& now, std::size_t from, std::size_t to) const {
        double s = 1.0;
        for (std::size_t i = from; i < to; ++i) s = std::max(s, std::abs(now.state[i]));
        return s;
    }

    // Contact where the gap is negative, or zero and about to become so: the first derivative that is not zero
    // to rounding decides.
    Outcome decide(Instant& now) const {
        constexpr double k_round = 8.0 * std::numeric_limits<double>::epsilon();
        Outcome outcome;
        for (std::size_t k = 0; k < sides_.size(); ++k) {
            const Numbers n = numbers(now, k);
            const bool before = mask(now, k) != 0.0;
            int order = 0;
            double sign = n.gap;
            if (std::abs(n.gap) <= k_round * scale(now, 0, n_positions_)) {
                order = 1;
                sign = n.rate;
                if (std::abs(n.rate) <= k_round * scale(now, n_positions_, n_controlled_)) {
                    mask(now, k) = 0.0;
                    order = 2;
                    sign = second_(now)[k];
                    if (std::abs(sign) <= 1e-13) {
                        order = 3;
                        sign = third_(now)[k];
                    }
                }
            }
            const bool by_force = guards_[k].by_force;
            const bool inside = sign < 0.0 && (!by_force || order != 0 || n.push > 0.0);
            mask(now, k) = inside ? 1.0 : 0.0;
            if (inside && !before) impulse_before(now, k) = now.state[impulses_[k]];
            if (order > 0 && !by_force)
                outcome.armed.push_back(
                    {inside ? guards_[k].leave : guards_[k].enter, order, true});
            if (order > 0 && by_force) {
                outcome.armed.push_back({guards_[k].enter, order, true});
                if (n.damping_push <= 0.0) outcome.armed.push_back({guards_[k].leave, order, true});
            }
        }
        return outcome;
    }

    flow::Event event(flow::EventKind kind, std::size_t k, const Instant& now,
                      double accuracy) const {
        flow::Event e;
        e.time = now.time;
        e.kind = kind;
        e.where = sides_[k].name;
        e.side = sides_[k].side;
        e.accuracy = accuracy;
        e.gap_rate = numbers(now, k).rate;
        e.state_minus = now.state;
        e.state_plus = now.state;
        return e;
    }

    // Whether the contact that begins now is more than rounding. A few that are not do no harm (about a lift-off); a
    // body that has come to rest on nothing else stops.
    bool bears(Instant& now, std::size_t k, Outcome& outcome) const {
        constexpr double k_patience = 64.0;
        const ElasticSide& side = sides_[k];
        if (!side.stiffness) return true; // a potential of the user's own
        const auto known = resolution_(now);
        const double stiffness = known[3 * k];
        const double frequency = std::sqrt(known[3 * k + 1]);
        const double before = std::exchange(mask(now, k), 0.0);
        const Compression c =
            compression(frequency, numbers(now, k).rate, second_(now)[k], known[3 * k + 2]);
        mask(now, k) = before;
        unseen(now, k) = c.resolved ? 0.0 : unseen(now, k) + 1.0;
        if (unseen(now, k) < k_patience) return true;
        outcome.fail = true;
        outcome.reason = fmt::format(
            "contact {} is too stiff for double precision at t = {:.15g}: with stiffness = {:.6g} "
            "it is pressed by {:.2g}, and its gap is known to {:.2g}; {:.1e} could be followed, and "
            "contact = \"events\" is the limit",
            side.label(), now.time.rounded(), stiffness, c.depth, c.rounding,
            stiffness * c.bearable);
        return false;
    }

    // A gap that has come back to zero, but not on the way out: contact goes on. True where that was so.
    bool falls_back(Instant& now, std::size_t k, Outcome& outcome) const {
        constexpr double k_round = 8.0 * std::numeric_limits<double>::epsilon();
        const double rate = numbers(now, k).rate;
        const double least = k_round * scale(now, n_positions_, n_controlled_);
        if (rate > least) return false;
        int order = 1;
        if (rate >= -least) {
            mask(now, k) = 0.0;
            const double acceleration = second_(now)[k];
            mask(now, k) = 1.0;
            if (acceleration >= 0.0) return false;
            order = 2;
        }
        if (bears(now, k, outcome)) outcome.armed.push_back({guards_[k].leave, order, true});
        return true;
    }

    void enter(Instant& now, std::size_t k, double accuracy, Outcome& outcome) const {
        outcome.events.push_back(event(flow::EventKind::attach, k, now, accuracy));
        if (!bears(now, k, outcome) || !begins_at_zero(now, k, outcome)) return;
        mask(now, k) = 1.0;
        // Of a law of the user's own the damping may begin at zero, with the sign of rounding.
        if (const Numbers n = numbers(now, k);
            sides_[k].stiffness && n.rate < 0.0 && n.damping_push < 0.0) {
            outcome.fail = true;
            outcome.reason = fmt::format(
                "the damping of contact {} is negative at t = {:.15g} (c = {:.6g}): it would feed "
                "energy; a restitution lies between 0 and 1",
                sides_[k].name, now.time.rounded(), -n.damping_push / n.rate);
            return;
        }
        say_if_coupled(now, k, outcome.events.back());
        impulse_before(now, k) = now.state[impulses_[k]];
        // With damping the push starts at −c ġ > 0; without it, at zero like the gap.
        if (!guards_[k].by_force || !(numbers(now, k).damping_push > 0.0))
            outcome.armed.push_back({guards_[k].leave, 1, true});
    }

    // A potential of the user's own that is not zero where the gap is would change the energy as the contact begins. Of one
    // that is, convex as springs are, nothing is left but the work of its force over the rounding of the gap.
    bool begins_at_zero(Instant& now, std::size_t k, Outcome& outcome) const {
        if (sides_[k].stiffness) return true;
        constexpr double k_round = 64.0 * std::numeric_limits<double>::epsilon();
        const double before = energy_(now)[0];
        const double free = std::exchange(mask(now, k), 1.0);
        const Numbers n = numbers(now, k);
        const double after = energy_(now)[0];
        mask(now, k) = free;
        const double jump = after - before;
        const double rounding =
            2.0 * std::abs(n.push * n.gap) + k_round * (std::abs(before) + std::abs(after));
        if (!(std::abs(jump) > rounding)) return true;
        outcome.fail = true;
        outcome.reason = fmt::format(
            "the potential of contact {} is {:.6g} at t = {:.15g}, where its gap is zero: a spring "
            "that acts while the gap is negative begins with zero; write the potential with gap, "
            "or subtract its value at gap = 0",
            sides_[k].label(), jump, now.time.rounded());
        return false;
    }

    // Another contact is in force and feels this one: no rigid limit exists without their stiffness ratio.
    void say_if_coupled(Instant& now, std::size_t k, flow::Event& e) const {
        if (pairs_.empty()) return;
        const auto values = couplings_(now);
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            const std::size_t other = pairs_[i].one == k ? pairs_[i].other : pairs_[i].one;
            const bool both = pairs_[i].one == k || pairs_[i].other == k;
            constexpr double k_orthogonal = 1e-12;
            if (!both || mask(now, other) == 0.0 || std::abs(values[i]) <= k_orthogonal) continue;
            e.case_name = fmt::format("in contact together with {}: the rigid limit depends on the "
                                      "ratio of their stiffnesses",
                                      sides_[other].name);
            e.rule = "stiffnesses as given";
        }
    }

    void leave(Instant& now, std::size_t k, double accuracy, Outcome& outcome) const {
        flow::Event e = event(flow::EventKind::release, k, now, accuracy);
        e.impulse = now.state[impulses_[k]] - impulse_before(now, k);
        const double before = energy_(now)[0];
        mask(now, k) = 0.0;
        if (guards_[k].by_force) {
            // What the spring still held is lost: the contact does not pull.
            e.energy = energy_(now)[0] - before;
            outcome.armed.push_back({guards_[k].return_, 1, true});
        } else {
            outcome.armed.push_back({guards_[k].enter, 1, true});
        }
        outcome.events.push_back(std::move(e));
    }

    // The push −(N B g + c ġ) became positive: contact if the gap is still negative.
    void come_back(Instant& now, std::size_t k, double accuracy, Outcome& outcome) const {
        if (!(numbers(now, k).gap < 0.0)) {
            outcome.armed.push_back({guards_[k].return_, 1, true});
            return;
        }
        flow::Event e = event(flow::EventKind::attach, k, now, accuracy);
        if (!bears(now, k, outcome)) return;
        const double before = energy_(now)[0];
        mask(now, k) = 1.0;
        e.energy = energy_(now)[0] - before;
        impulse_before(now, k) = now.state[impulses_[k]];
        outcome.armed.push_back({guards_[k].leave, 1, true});
        outcome.events.push_back(std::move(e));
    }

    std::vector<ElasticSide> sides_;
    std::vector<ElasticCoupling> pairs_;
    std::vector<GuardsOf> guards_;
    std::vector<std::size_t> impulses_;
    std::size_t slot_;
    std::size_t n_positions_;
    std::size_t n_controlled_;
    flow::Probe values_, second_, third_, energy_, couplings_;
    flow::Probe resolution_; // by side: N, ω², rounding of the gap
};

} // namespace

void install(const ElasticContacts& contacts, const std::vector<std::size_t>& impulses,
             expr::Expr energy, flow::Flow& flow) {
    const std::vector<ElasticSide>& sides = contacts.sides;
    const std::size_t owner = flow.transitions.size();
    const std::size_t first_slot = flow::slot_of(flow, sides.front().mask);
    std::vector<GuardsOf> guards;
    std::vector<expr::Expr> values;
    std::vector<expr::Expr> gaps;
    std::vector<expr::Expr> resolution;
    const std::span<const expr::Expr> coordinates(flow.states.data(), flow.n_positions);
    for (std::size_t k = 0; k < sides.size(); ++k) {
        const ElasticSide& s = sides[k];
        const std::string name = s.label();
        const auto add = [&](std::string what, expr::Expr value, flow::Direction direction,
                             double while_mask) {
            flow.guards.push_back({std::move(what),
                                   value,
                                   direction,
                                   owner,
                                   {{first_slot + k, while_mask}},
                                   false,
                                   false});
            return flow.guards.size() - 1;
        };
        GuardsOf g;
        g.by_force = s.exit == model::Elasticity::Exit::force;
        g.enter = add(name, s.gap, flow::Direction::down, 0.0);
        g.leave = g.by_force ? add(name + " push", s.push, flow::Direction::down, 1.0)
                             : add(name, s.gap, flow::Direction::up, 1.0);
        if (g.by_force) g.return_ = add(name + " push", s.push, flow::Direction::up, 0.0);
        guards.push_back(g);
        values.insert(values.end(), {s.gap, s.rate, s.push, -(s.damping * s.rate)});
        gaps.push_back(s.gap);
        const expr::Expr none = s.gap.pool().number(0);
        resolution.insert(resolution.end(), {s.stiffness ? s.stiffness : none,
                                             s.stiffness ? s.squared_frequency : none,
                                             gap_rounding(s.gap, coordinates, flow.time)});
    }
    const auto first = flow::rates_along(flow, gaps);
    const auto second = flow::rates_along(flow, first);
    const auto third = flow::rates_along(flow, second);
    std::vector<expr::Expr> couplings;
    for (const ElasticCoupling& c : contacts.couplings) couplings.push_back(c.value);
    auto transition = std::make_shared<ElasticTransition>(
        contacts, std::move(guards), impulses, first_slot, flow.n_positions, flow.n_controlled);
    transition->bind(flow::Probe(flow, std::move(values)), flow::Probe(flow, second),
                     flow::Probe(flow, third), flow::Probe(flow, {energy}),
                     flow::Probe(flow, couplings), flow::Probe(flow, std::move(resolution)));
    flow.transitions.push_back(std::move(transition));
}

} // namespace liaison::realise
