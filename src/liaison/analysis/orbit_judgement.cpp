// SPDX-License-Identifier: Apache-2.0
// Saltations around the orbit; a simulation of one period beside it.
#include "liaison/analysis/orbit_judgement.hpp"

#include "liaison/analysis/half_orbit.hpp"
#include "liaison/analysis/multipliers.hpp"
#include "liaison/analysis/observed_motion.hpp"
#include "liaison/analysis/orbit_scales.hpp"
#include "liaison/record/trace.hpp"
#include "liaison/solve/dense.hpp"

#include <Eigen/Core>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::analysis {
namespace {

using Eigen::Index;

std::string describe(const flow::Flow& flow, const std::vector<flow::Firing>& fired,
                     const std::vector<flow::Event>& events) {
    if (events.empty()) return flow.guards[fired.front().guard].name;
    const flow::Event& e = events.front();
    std::string text(flow::name(e.kind));
    if (!e.where.empty()) text += " " + e.where;
    if (!e.side.empty()) text += " " + e.side;
    return text;
}

// A matrix between states measured by their sizes: eigenvalues stay, and ranks do not depend on units.
Eigen::MatrixXd measured(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& sizes) {
    return sizes.cwiseInverse().asDiagonal() * matrix * sizes.asDiagonal();
}

// Of the motions that are possible in the mode of this instant.
Index dimension(const flow::SaltationRule& rule, flow::Instant now, const Eigen::VectorXd& sizes) {
    const auto rows = static_cast<Index>(rule.atoms().rows());
    const auto kept = rule.settle(now);
    if (!kept) return rows;
    return solve::rank_of(measured(kept->matrix.leftCols(rows), sizes));
}

class Judge {
  public:
    Judge(const std::shared_ptr<const flow::SaltationRule>& rule, PieceMap& pieces,
          const OrbitEquations& equations, const OrbitOptions& options, Orbit& orbit)
        : rule_(rule), flow_(rule->flow()), pieces_(pieces), equations_(equations),
          options_(options), orbit_(orbit) {}

    void judge() {
        orbit_.legs = equations_.legs();
        orbit_.period = equations_.period();
        orbit_.time = orbit_.legs.front().time;
        const auto& w = orbit_.legs.front().w;
        orbit_.state.assign(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(flow_.n_controlled));
        for (const std::size_t c : options_.drift) {
            const auto k = static_cast<Index>(c);
            orbit_.drift.push_back(equations_.ends().back().w(k) - w(k));
        }
        sizes_ = orbit_scales(*rule_, equations_).state;
        std::vector<MonodromyFactor> factors;
        for (std::size_t i = 0; i < orbit_.legs.size(); ++i) add_factor(i, factors);
        if (orbit_.no_multipliers.empty())
            judge_multipliers(multipliers(factors), options_.drift.size(), orbit_);
        compare_with_motion();
    }

  private:
    void add_factor(std::size_t i, std::vector<MonodromyFactor>& factors) {
        const Leg& leg = equations_.legs()[i];
        const LegEnd& end = equations_.ends()[i];
        MonodromyFactor factor{
            measured(end.piece.by_state, sizes_), {}, dimension(*rule_, end.piece.instant, sizes_)};
        free_.push_back(factor.dimension);
        before_.push_back(orbit_.signature.size());
        if (!leg.fired.empty()) {
            const auto passed = rule_->passed(leg.fired, end.piece.instant, end.after, end.event);
            orbit_.signature.push_back(describe(flow_, leg.fired, end.event.outcome.events));
            const auto shared = std::make_shared<const flow::Saltation>(passed.saltation);
            for (flow::Event e : end.event.outcome.events) {
                e.saltation = shared;
                orbit_.events.push_back(std::move(e));
            }
            if (!passed.saltation.obstacle.empty())
                orbit_.no_multipliers =
                    fmt::format("{} at t = {:.6g}: {}", orbit_.signature.back(),
                                end.piece.instant.time.rounded(), passed.saltation.obstacle);
            if (passed.saltation.obstacle.empty())
                factor.saltation = measured(passed.saltation.matrix, sizes_);
        }
        factors.push_back(std::move(factor));
    }

    // The leg to start a simulation in: the longest of those that nothing holds on a surface, where rounding does
    // not matter.
    [[nodiscard]] std::size_t freest_leg() const {
        std::size_t best = 0;
        std::pair<Index, double> value{-1, 0.0};
        for (std::size_t i = 0; i < orbit_.legs.size(); ++i) {
            const std::pair<Index, double> here{free_[i], orbit_.legs[i].duration};
            if (here > value) {
                value = here;
                best = i;
            }
        }
        return best;
    }

    // The motion from the middle of a leg must meet the same events at the same times.
    void compare_with_motion() {
        const std::size_t begin = freest_leg();
        const Leg& first = orbit_.legs[begin];
        const PieceEnd middle = pieces_.run(first.time, first.w, first.mode, 0.5 * first.duration);
        if (!middle.reached) {
            orbit_.violation = middle.reason;
            return;
        }
        flow::Flow from = flow_;
        from.parameter_values.assign(middle.instant.parameters.begin(),
                                     middle.instant.parameters.end());
        from.start_time = middle.instant.time.rounded();
        std::copy(middle.instant.state.begin(), middle.instant.state.end(),
                  from.start_state.begin());
        for (std::size_t i = 0; i < from.modes.size(); ++i)
            from.modes[i].initial = middle.instant.mode[i];
        Observation look;
        look.tolerance = options_.tolerance;
        look.keep_from = from.start_time;
        look.until = from.start_time + orbit_.period;
        record::Trace trace(flow_.states.size());
        look.on_piece = [&](const motion::Piece& piece) { trace.see(piece); };
        ObservedMotion seen = observe(rule_, from, look);
        if (seen.trajectory.status != motion::Status::done) {
            orbit_.violation = seen.trajectory.reason;
            const double at = seen.trajectory.time.rounded();
            orbit_.deviation = {leg_begun_by(at), std::nullopt, std::nullopt};
            expect(at, *orbit_.deviation);
            orbit_.deviation->stopped = true;
            return;
        }
        std::erase_if(seen.instants, [&](const PassedInstant& p) {
            return p.idle && p.fired.front().guard != options_.begin;
        });
        // Started on a surface to rounding, the motion may find its way back onto it first.
        while (!seen.instants.empty() && seen.instants.front().after.mode == middle.instant.mode &&
               seen.instants.front().before.time.rounded() - from.start_time < 1e-6 * orbit_.period)
            seen.instants.erase(seen.instants.begin());
        // Events in the order they are met from the middle of that leg on.
        std::size_t met = 0;
        for (std::size_t j = 0; j < orbit_.legs.size(); ++j) {
            const std::size_t i = (begin + j) % orbit_.legs.size();
            const Leg& leg = orbit_.legs[i];
            if (leg.fired.empty()) continue;
            const double due = equations_.ends()[i].piece.instant.time.rounded() +
                               (i < begin ? orbit_.period : 0.0);
            const std::string& name = orbit_.signature[before_[i]];
            if (met >= seen.instants.size()) {
                orbit_.violation = fmt::format("{} at t = {:.9g} does not happen", name, due);
                orbit_.deviation = {leg_begun_by(due), leg.kind, std::nullopt};
                if (at_once(i)) {
                    orbit_.deviation->met = leg.kind;
                    orbit_.deviation->elsewhere = true;
                }
                return;
            }
            const PassedInstant& p = seen.instants[met++];
            const double at = p.before.time.rounded();
            if (std::abs(at - due) > 1e-6 * orbit_.period ||
                p.fired.front().guard != leg.fired.front().guard) {
                orbit_.violation = fmt::format("{} happens at t = {:.9g}, before {} at t = {:.9g}",
                                               describe(flow_, p.fired, p.events), at, name, due);
                deviates(p);
                constexpr double k_together = 1e-3; // of the period
                if (orbit_.deviation)
                    orbit_.deviation->elsewhere =
                        p.fired.front().guard != leg.fired.front().guard &&
                        std::abs(at - due) < k_together * orbit_.period;
                return;
            }
            const std::string mode = other_mode(p, i);
            if (!mode.empty()) {
                orbit_.violation =
                    fmt::format("after {} at t = {:.9g} the motion is {}", name, at, mode);
                deviates(p, true);
                return;
            }
            if (leg.kind && leg.kind != telling_kind(p.events)) {
                orbit_.violation = fmt::format("{} happens at t = {:.9g} instead of {}",
                                               describe(flow_, p.fired, p.events), at, name);
                deviates(p);
                return;
            }
        }
        if (met < seen.instants.size()) {
            const PassedInstant& p = seen.instants[met];
            orbit_.violation =
                fmt::format("{} happens at t = {:.9g}, which the solution does not "
                            "know",
                            describe(flow_, p.fired, p.events), p.before.time.rounded());
            deviates(p);
            return;
        }
        orbit_.admissible = true;
        orbit_.trace = trace.take();
    }

    // Whether the event at the end of a leg comes together with another one of the solution, of another guard: the motion
    // takes both as one.
    [[nodiscard]] bool at_once(std::size_t i) const {
        constexpr double k_together = 1e-3; // of the period
        const std::size_t n = orbit_.legs.size();
        const Leg& leg = orbit_.legs[i];
        const Leg& before = orbit_.legs[(i + n - 1) % n];
        const Leg& after = orbit_.legs[(i + 1) % n];
        const auto other = [&](const Leg& neighbour, double apart) {
            return apart < k_together * orbit_.period && !neighbour.fired.empty() &&
                   neighbour.fired.front().guard != leg.fired.front().guard;
        };
        return n > 1 && (other(before, leg.duration) || other(after, after.duration));
    }

    // The mode, in words, by which the motion goes on after the end of a leg, where the solution has another.
    [[nodiscard]] std::string other_mode(const PassedInstant& p, std::size_t i) const {
        const Leg& next = orbit_.legs[(i + 1) % orbit_.legs.size()];
        for (std::size_t s = 0; s < flow_.modes.size(); ++s) {
            const flow::ModeSlot& slot = flow_.modes[s];
            if (slot.continuous || p.after.mode[s] == next.mode[s]) continue;
            for (const auto& w : slot.words) {
                if (w.value == p.after.mode[s]) return fmt::format("{} {}", slot.name, w.word);
            }
        }
        return {};
    }

    // Of the leg that the solution is in at this time.
    [[nodiscard]] std::optional<flow::EventKind> leg_begun_by(double time) const {
        const double since = (time - orbit_.time) / orbit_.period;
        double left = (since - std::floor(since)) * orbit_.period;
        std::size_t i = 0;
        for (; i + 1 < orbit_.legs.size() && left > orbit_.legs[i].duration; ++i)
            left -= orbit_.legs[i].duration;
        // Leg by leg back, past the cut of the period, to the one that ends in an event.
        for (std::size_t j = 1; j <= orbit_.legs.size(); ++j) {
            const Leg& before = orbit_.legs[(i + orbit_.legs.size() - j) % orbit_.legs.size()];
            if (!before.fired.empty()) return before.kind;
        }
        return std::nullopt;
    }

    // What the solution does at about this time, and after it.
    void expect(double at, OrbitDeviation& deviation) const {
        constexpr double k_short = 1e-3; // of the period
        double nearest = 0.01 * orbit_.period;
        for (std::size_t i = 0; i < orbit_.legs.size(); ++i) {
            if (orbit_.legs[i].fired.empty()) continue;
            const LegEnd& end = equations_.ends()[i];
            const double apart =
                std::abs(std::remainder(end.piece.instant.time.rounded() - at, orbit_.period));
            if (apart > nearest) continue;
            nearest = apart;
            deviation.expected = orbit_.legs[i].kind;
            const Leg& next = orbit_.legs[(i + 1) % orbit_.legs.size()];
            deviation.next_short = next.duration < k_short * orbit_.period;
            deviation.next = next.kind;
        }
    }

    // An event the solution does not have, beside the nearest one it has.
    void deviates(const PassedInstant& p, bool branch = false) {
        const double at = p.before.time.rounded();
        OrbitDeviation deviation{leg_begun_by(at), std::nullopt, telling_kind(p.events)};
        expect(at, deviation);
        deviation.branch = branch;
        orbit_.deviation = deviation;
    }

    std::shared_ptr<const flow::SaltationRule> rule_;
    const flow::Flow& flow_;
    PieceMap& pieces_;
    const OrbitEquations& equations_;
    const OrbitOptions& options_;
    Orbit& orbit_;
    Eigen::VectorXd sizes_; // of the states on the orbit
    std::vector<Index> free_; // dimension of the motions each leg allows
    std::vector<std::size_t> before_; // events before the end of each leg
};

} // namespace

void judge_orbit(const std::shared_ptr<const flow::SaltationRule>& rule, PieceMap& pieces,
                 const OrbitEquations& equations, const OrbitOptions& options, Orbit& orbit) {
    Judge(rule, pieces, equations, options, orbit).judge();
}

std::vector<std::complex<double>> map_multipliers(const flow::SaltationRule& rule,
                                                  const OrbitEquations& equations,
                                                  const Involution* symmetry) {
    const Eigen::VectorXd sizes = orbit_scales(rule, equations).state;
    std::vector<MonodromyFactor> factors;
    for (std::size_t i = 0; i < equations.legs().size(); ++i) {
        const Leg& leg = equations.legs()[i];
        const LegEnd& end = equations.ends()[i];
        factors.push_back(
            {measured(end.piece.by_state, sizes), {}, dimension(rule, end.piece.instant, sizes)});
        if (leg.fired.empty()) continue;
        const auto passed = rule.passed(leg.fired, end.piece.instant, end.after, end.event);
        if (!passed.saltation.obstacle.empty()) return {};
        factors.back().saltation = measured(passed.saltation.matrix, sizes);
    }
    if (symmetry == nullptr) return multipliers(factors);
    const LegEnd& end = equations.ends().back();
    factors.push_back({measured(symmetry->by_state(end.w, end.piece.instant.parameters), sizes),
                       {},
                       factors.back().dimension});
    return multipliers(factors);
}

double judge_symmetric_orbit(const std::shared_ptr<const flow::SaltationRule>& rule,
                             PieceMap& pieces, const OrbitEquations& half, Closure closure,
                             const std::vector<Leg>& pattern, const OrbitOptions& options,
                             Orbit& orbit) {
    auto mu = map_multipliers(*rule, half, options.symmetry.get());
    OrbitEquations whole(rule, pieces,
                         whole_of(half, pattern, closure, *options.symmetry, options.drift),
                         closure, 2.0 * half.period(), options.drift);
    Eigen::VectorXd r;
    whole(whole.unknowns(), r, nullptr);
    if (!r.allFinite()) {
        orbit.violation = whole.obstacle();
        return std::numeric_limits<double>::infinity();
    }
    const double apart = r.cwiseQuotient(orbit_scales(*rule, whole).residual).cwiseAbs().maxCoeff();
    judge_orbit(rule, pieces, whole, options, orbit);
    orbit.half = half.legs();
    if (mu.empty() || !orbit.no_multipliers.empty()) return apart;
    std::vector<std::complex<double>> squares;
    for (const std::complex<double> m : mu) squares.push_back(m * m);
    orbit.half_multipliers = std::move(mu);
    judge_multipliers(std::move(squares), options.drift.size(), orbit);
    return apart;
}

void judge_multipliers(std::vector<std::complex<double>> multipliers, std::size_t drifts,
                       Orbit& orbit) {
    orbit.multipliers = std::move(multipliers);
    // The motion itself, and each direction in which the orbit drifts, has the multiplier 1.
    orbit.trivial = std::min(orbit.multipliers.size(), (orbit.forced ? 0 : 1) + drifts);
    std::vector<std::size_t> order(orbit.multipliers.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(orbit.multipliers[a] - 1.0) < std::abs(orbit.multipliers[b] - 1.0);
    });
    orbit.trivial_error = 0.0;
    orbit.stable = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::complex<double> m = orbit.multipliers[order[i]];
        if (i < orbit.trivial)
            orbit.trivial_error = std::max(orbit.trivial_error, std::abs(m - 1.0));
        else if (!(std::abs(m) < 1.0))
            orbit.stable = false;
    }
}

} // namespace liaison::analysis
