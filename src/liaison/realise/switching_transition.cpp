// SPDX-License-Identifier: Apache-2.0
// Crossing of switching surfaces: the mode changes, the state does not.
#include "liaison/expr/table.hpp"
#include "liaison/flow/probe.hpp"
#include "liaison/flow/reset_derivative.hpp"
#include "liaison/flow/usual_reset.hpp"
#include "liaison/realise/switching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::realise {
namespace {

using flow::Instant;
using flow::Outcome;

// One switching surface at run time. Guards of a surface are consecutive.
struct Surface {
    enum class Kind { sign, step, table, saturation };
    Kind kind = Kind::sign;
    std::string name;
    std::size_t slot = 0;      // σ, level, or low (then high, c_0, …)
    std::size_t guard = 0;     // first guard
    std::shared_ptr<const expr::Table> data;
    std::size_t value = 0;     // index of surface or argument among the probed values
};

class SwitchTransition final : public flow::Transition, public flow::LaneOwner {
  public:
    SwitchTransition(std::vector<Surface> surfaces, flow::Probe values, flow::Probe rates)
        : surfaces_(std::move(surfaces)), values_(std::move(values)), rates_(std::move(rates)) {}

    [[nodiscard]] bool settles(const Instant&) const override { return false; }
    [[nodiscard]] bool listens(const Instant&) const override { return true; }
    Outcome start(Instant& now) const override {
        // The sign on the surface itself is the side the motion leaves to; two passes let surfaces that
        // depend on other modes settle.
        for (int pass = 0; pass < 2; ++pass) {
            const auto values = values_(now);
            const auto rates = rates_(now);
            for (const Surface& s : surfaces_) {
                const double v = values[s.value] != 0.0 ? values[s.value] : rates[s.value];
                set(s, now, s.kind == Surface::Kind::sign ? v : values[s.value]);
            }
        }
        return {};
    }

    // A surface the jump did not touch keeps the side the motion has come to: its value may be zero up to rounding.
    Outcome jump(const Instant& before, Instant& now) const override {
        const auto earlier = values_(before);
        const auto values = values_(now);
        for (const Surface& s : surfaces_) {
            const double value = values[s.value];
            if (value == earlier[s.value]) continue;
            if (s.kind != Surface::Kind::sign || value != 0.0) set(s, now, value);
        }
        return turn_back(values, now);
    }

    Outcome transit(std::span<const flow::Firing> fired, Instant& now) const override {
        Outcome outcome;
        const std::vector<double> before = now.state;
        for (const flow::Firing& f : fired) {
            const Surface& s = owner(f.guard);
            cross(s, f, now);
            arm(s, f, outcome);
            if (s.kind == Surface::Kind::saturation) continue; // nothing happens there
            flow::Event event;
            event.time = now.time;
            event.kind = flow::EventKind::crossing;
            event.where = s.name;
            event.accuracy = f.accuracy;
            event.state_minus = before;
            event.state_plus = now.state;
            outcome.events.push_back(std::move(event));
        }
        // After the switch the motion must go on to the side it came to; if it is driven back, it slides.
        const auto rates = rates_(now);
        for (const flow::Firing& f : fired) {
            const Surface& s = owner(f.guard);
            if (s.kind == Surface::Kind::saturation) continue;
            // Continuous functions have the same rate on both sides, up to rounding.
            const double doubt = s.kind == Surface::Kind::sign ? 0.0 : 1e-12 * std::abs(f.rate);
            const double rate = rates[s.value];
            if ((f.upwards && rate < -doubt) || (!f.upwards && rate > doubt)) {
                Outcome stopped = slides(s, f.rate, rate, now);
                outcome.fail = true;
                outcome.reason = std::move(stopped.reason);
            }
        }
        return outcome;
    }

    [[nodiscard]] std::shared_ptr<const flow::ResetDerivative>
    derivative(const flow::Flow& flow, std::span<const expr::Expr> atoms) const override {
        return flow::no_reset(flow, atoms);
    }

  private:
    // What happened at this instant may have changed the forces: a motion on a surface that is driven back stays on
    // the side it came from.
    Outcome turn_back(const std::vector<double>& values, Instant& now) const {
        constexpr double k_zero = 1e-13;
        constexpr double k_still = 1e-12; // rates of rest
        double scale = 1.0;
        for (const double x : now.state) scale = std::max(scale, std::abs(x));
        Outcome outcome;
        for (const Surface& s : surfaces_) {
            if (s.kind != Surface::Kind::sign || std::abs(values[s.value]) > k_zero * scale)
                continue;
            const double rate = rates_(now)[s.value];
            if (now.mode[s.slot] * rate >= -k_still) continue;
            now.mode[s.slot] = -now.mode[s.slot];
            const double after = rates_(now)[s.value];
            if (now.mode[s.slot] * after < -k_still) return slides(s, rate, after, now);
            outcome.armed.push_back({s.guard, 1, true});
        }
        return outcome;
    }
    static Outcome slides(const Surface& s, double before, double after, const Instant& now) {
        Outcome outcome;
        outcome.fail = true;
        outcome.reason = fmt::format(
            "at t = {:.15g} the motion is driven to the switching surface {} from both sides "
            "(rates {:.6g} before and {:.6g} after it); sliding along a surface made by a "
            "nonsmooth function needs a [relay] table",
            now.time.rounded(), s.name, before, after);
        return outcome;
    }

    const Surface& owner(std::size_t guard) const {
        const Surface* found = &surfaces_.front();
        for (const Surface& s : surfaces_) {
            if (s.guard <= guard) found = &s;
        }
        return *found;
    }

    static void set(const Surface& s, Instant& now, double value) {
        switch (s.kind) {
        case Surface::Kind::sign: now.mode[s.slot] = value < 0.0 ? -1.0 : 1.0; break;
        case Surface::Kind::step: now.mode[s.slot] = std::floor(value); break;
        case Surface::Kind::table: set_piece(s, now, s.data->piece(value)); break;
        case Surface::Kind::saturation:
            now.mode[s.slot] =
                std::abs(value) > Switching::k_saturated ? std::copysign(1.0, value) : 0.0;
            break;
        }
    }
    static void set_piece(const Surface& s, Instant& now, std::size_t k) {
        // The outer pieces go on for ever: their far knot is out of reach.
        constexpr double k_far = 1e300;
        const std::size_t pieces = s.data->coefficients.size();
        now.mode[s.slot] = s.data->knots[k];
        now.mode[s.slot + 1] = k + 1 < pieces ? s.data->knots[k + 1] : k_far;
        now.mode[s.slot + 2] = k > 0 ? s.data->knots[k] : -k_far;
        for (std::size_t j = 0; j < s.data->coefficients[k].size(); ++j) {
            now.mode[s.slot + 3 + j] = s.data->coefficients[k][j];
        }
    }
    static void cross(const Surface& s, const flow::Firing& f, Instant& now) {
        switch (s.kind) {
        case Surface::Kind::sign: now.mode[s.slot] = f.upwards ? 1.0 : -1.0; break;
        case Surface::Kind::step: now.mode[s.slot] += f.guard == s.guard ? -1.0 : 1.0; break;
        case Surface::Kind::table: {
            const auto& knots = s.data->knots;
            const bool down = f.guard == s.guard;
            std::size_t k = 0;
            while (knots[k] != now.mode[s.slot]) ++k;
            set_piece(s, now, down ? k - 1 : k + 1);
            break;
        }
        case Surface::Kind::saturation: {
            const bool upper = f.guard == s.guard;
            const bool leaves = upper == f.upwards;
            now.mode[s.slot] = !leaves ? 0.0 : upper ? 1.0 : -1.0;
            break;
        }
        }
    }
    // The surface just crossed is zero at the start of the next piece, under whichever guard now watches it.
    static void arm(const Surface& s, const flow::Firing& f, Outcome& outcome) {
        if (s.kind == Surface::Kind::sign) {
            outcome.armed.push_back({s.guard, 1, true});
        } else if (s.kind == Surface::Kind::saturation) {
            outcome.armed.push_back({f.guard, 1, true});
        } else {
            outcome.armed.push_back({f.guard == s.guard ? s.guard + 1 : s.guard, 1, true});
        }
    }

    std::vector<Surface> surfaces_;
    flow::Probe values_;
    flow::Probe rates_;
};

} // namespace

// Consecutive slots of one table: low, high, the knot that guards the lower end, coefficients.
void Switching::declare(flow::Flow& flow) const {
    const auto slot = [&](Expr symbol) { flow.modes.push_back({symbol.name(), symbol, 0.0, {}}); };
    for (const Sign& s : signs_) slot(s.sigma);
    for (const StepFunction& f : steps_) slot(f.level);
    for (const TablePiece& p : pieces_) {
        slot(p.low);
        slot(p.high);
        slot(p.low_guard);
        for (Expr c : p.c) slot(c);
    }
    for (const Saturation& s : saturations_) slot(s.level);
    for (const Angle& a : angles_) slot(a.chart);
}

void Switching::install(flow::Flow& flow) const {
    install_angles(angles_, flow);
    if (signs_.empty() && steps_.empty() && pieces_.empty() && saturations_.empty()) return;
    const std::size_t owner = flow.transitions.size();
    std::vector<Surface> surfaces;
    std::vector<Expr> watched;
    const auto guard = [&](const std::string& name, Expr value, flow::Direction direction) {
        flow.guards.push_back({name, value, direction, owner, {}, false, false});
        return flow.guards.size() - 1;
    };
    const auto begin = [&](Surface::Kind kind, std::string name, Expr symbol, Expr value) {
        surfaces.push_back({kind, std::move(name), flow::slot_of(flow, symbol), flow.guards.size(),
                            nullptr, watched.size()});
        watched.push_back(value);
    };
    for (const Sign& s : signs_) {
        begin(Surface::Kind::sign, "switch " + std::to_string(surfaces.size() + 1), s.sigma,
              s.surface);
        guard(surfaces.back().name, s.surface, flow::Direction::both);
    }
    for (const StepFunction& f : steps_) {
        begin(Surface::Kind::step, "floor " + std::to_string(surfaces.size() + 1), f.level,
              f.argument);
        guard(surfaces.back().name, f.argument - f.level, flow::Direction::down);
        guard(surfaces.back().name, f.argument - f.level - 1, flow::Direction::up);
    }
    for (const TablePiece& p : pieces_) {
        begin(Surface::Kind::table, "table " + p.data->name, p.low, p.argument);
        surfaces.back().data = p.data;
        guard(surfaces.back().name, p.argument - p.low_guard, flow::Direction::down);
        guard(surfaces.back().name, p.argument - p.high, flow::Direction::up);
    }
    for (const Saturation& s : saturations_) {
        begin(Surface::Kind::saturation, "tanh " + std::to_string(surfaces.size() + 1), s.level,
              s.argument);
        guard(surfaces.back().name, s.argument - k_saturated, flow::Direction::both);
        guard(surfaces.back().name, s.argument + k_saturated, flow::Direction::both);
    }
    flow::Probe values(flow, watched);
    flow::Probe rates(flow, flow::rates_along(flow, watched));
    flow.transitions.push_back(std::make_shared<SwitchTransition>(
        std::move(surfaces), std::move(values), std::move(rates)));
}

} // namespace liaison::realise
