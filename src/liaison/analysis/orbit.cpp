// SPDX-License-Identifier: Apache-2.0
// Guess, Newton, multipliers, admissibility.
#include "liaison/analysis/orbit.hpp"

#include "liaison/analysis/half_orbit.hpp"
#include "liaison/analysis/multipliers.hpp"
#include "liaison/analysis/orbit_equations.hpp"
#include "liaison/analysis/orbit_guess.hpp"
#include "liaison/analysis/orbit_judgement.hpp"
#include "liaison/analysis/orbit_scales.hpp"
#include "liaison/motion/measured_stepper.hpp"
#include "liaison/record/trace.hpp"

#include <Eigen/Core>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class Finder {
  public:
    Finder(const std::shared_ptr<const flow::Flow>& flow, const OrbitOptions& options)
        : flow_(flow), options_(options),
          rule_(std::make_shared<flow::SaltationRule>(flow, std::vector<std::size_t>())),
          pieces_(flow, std::nullopt, options.tolerance) {
        pieces_.end_by(options.interrupt);
    }

    Orbit find() {
        OrbitGuess guess = guess_orbit(rule_, options_);
        if (!guess.problem.empty()) {
            orbit_.reason = guess.problem;
            return std::move(orbit_);
        }
        orbit_.forced = guess.closure == Closure::forced;
        orbit_.periods = guess.periods;
        if (guess.accumulates)
            through_events(guess);
        else
            by_legs(guess);
        return std::move(orbit_);
    }

  private:
    // Of unknowns and residual in units of their sizes.
    template <class Equations>
    bool newton(Equations& equations, VectorXd& X) {
        solve::NewtonWorkspace work;
        solve::NewtonOptions newton;
        newton.tolerance = 1e-12;
        newton.max_iterations = 30;
        const auto report = solve::newton(equations, X, work, newton);
        orbit_.iterations = report.iterations;
        orbit_.history = report.history;
        orbit_.residual = report.residual;
        // Rounding may stop the iteration just above the tolerance.
        constexpr double k_enough = 1e-9;
        orbit_.found = report.converged() || (report.residual <= k_enough &&
                                              report.status == solve::NewtonStatus::no_descent);
        if (orbit_.found) return true;
        orbit_.reason = fmt::format("no convergence from this guess: {}", report.explanation());
        return false;
    }

    void by_legs(const OrbitGuess& guess) {
        orbit_.method = "multiple shooting";
        std::optional<std::vector<Leg>> half;
        if (options_.symmetry) {
            orbit_.method = "multiple shooting over half a period";
            half = first_half(guess.legs, guess.closure, guess.period);
            if (!half) {
                orbit_.reason = "the motion used as a guess is not symmetric: the halves of its "
                                "period have different numbers of events";
                return;
            }
        }
        OrbitEquations equations(rule_, pieces_, half.value_or(guess.legs), guess.closure,
                                 half ? 0.5 * guess.period : guess.period, options_.drift,
                                 options_.symmetry);
        const OrbitScales sizes = orbit_scales_at_unknowns(*rule_, equations, pieces_);
        const auto scaled = [&](const VectorXd& x, VectorXd& r, MatrixXd* J) {
            equations(x.cwiseProduct(sizes.unknowns), r, J);
            r = r.cwiseQuotient(sizes.residual).eval();
            if (J != nullptr)
                *J = (sizes.residual.cwiseInverse().asDiagonal() * *J * sizes.unknowns.asDiagonal())
                         .eval();
        };
        VectorXd x = equations.unknowns().cwiseQuotient(sizes.unknowns);
        const bool solved = newton(scaled, x);
        VectorXd r;
        scaled(x, r, nullptr);
        if (!solved) {
            if (!equations.obstacle().empty()) orbit_.reason += "; " + equations.obstacle();
            explain_failure(equations, r, sizes.residual);
            return;
        }
        if (!half) {
            judge_orbit(rule_, pieces_, equations, options_, orbit_);
            return;
        }
        const double apart = judge_symmetric_orbit(rule_, pieces_, equations, guess.closure,
                                                   guess.legs, options_, orbit_);
        constexpr double k_alike = 1e-8;
        if (apart <= k_alike) return;
        orbit_.found = false;
        orbit_.reason = fmt::format(
            "the image of half the orbit is not its other half (they differ by {:.3g} of their size): "
            "[periodic] symmetry is no symmetry of this motion{}{}",
            apart, orbit_.violation.empty() ? "" : ", ", orbit_.violation);
    }

    void explain_failure(const OrbitEquations& equations, const VectorXd& r,
                         const VectorXd& sizes) {
        if (!r.allFinite() || r.size() == 0) return;
        Index worst = 0;
        r.cwiseAbs().maxCoeff(&worst);
        const auto rows = static_cast<Index>(rule_->atoms().rows());
        const auto leg = static_cast<std::size_t>(worst / (rows + 1));
        const std::string what =
            worst % (rows + 1) == rows && !equations.legs()[leg].fired.empty()
                ? "guard " + flow_->guards[equations.legs()[leg].fired.front().guard].name
                : "the state at its end";
        orbit_.reason +=
            fmt::format("; largest residual {:.3g} in leg {} of {} ({})",
                        std::abs(r(worst)) * sizes(worst), leg + 1, equations.legs().size(), what);
    }

    // Infinitely many impacts: the map over a period is followed through its events instead.
    void through_events(const OrbitGuess& guess) {
        orbit_.method = "shooting through events";
        const Leg& first = guess.legs.front();
        const auto rows = static_cast<Index>(rule_->atoms().rows());
        std::vector<flow::Tangent> tangents;
        for (Index i = 0; i < rows; ++i) {
            flow::Tangent t;
            t.name = std::to_string(i);
            t.start.assign(static_cast<std::size_t>(i) + 1, 0.0);
            t.start.back() = 1.0;
            tangents.push_back(std::move(t));
        }
        auto extended = flow::extend(flow_, tangents, {.outputs = false});
        const auto stepper = motion::make_measured_stepper(extended.flow, options_.tolerance);
        motion::Trajectory last;
        record::Trace trace(extended.flow.states.size());
        MatrixXd M;
        const auto map = [&](const VectorXd& X, VectorXd& r, MatrixXd* J) {
            flow::Flow& f = extended.flow;
            f.start_time = first.time;
            std::fill(f.start_state.begin(), f.start_state.end(), 0.0);
            for (Index i = 0; i < rows; ++i) {
                f.start_state[static_cast<std::size_t>(i)] = X(i);
                f.start_state[extended.index(static_cast<std::size_t>(i),
                                             static_cast<std::size_t>(i))] = 1.0;
            }
            for (std::size_t i = 0; i < first.mode.size(); ++i) f.modes[i].initial = first.mode[i];
            motion::SimulateOptions simulate;
            simulate.until = first.time + guess.period;
            simulate.tolerance = options_.tolerance;
            trace = record::Trace(f.states.size());
            simulate.on_piece = [&](const motion::Piece& piece) { trace.see(piece); };
            simulate.interrupt = options_.interrupt;
            last = motion::simulate(f, *stepper, simulate);
            r.resize(rows);
            M.resize(rows, rows);
            for (Index i = 0; i < rows; ++i) {
                r(i) = last.status == motion::Status::done
                           ? last.state[static_cast<std::size_t>(i)] - X(i)
                           : std::numeric_limits<double>::quiet_NaN();
                for (Index j = 0; j < rows; ++j)
                    M(i, j) = last.state[extended.index(static_cast<std::size_t>(j),
                                                        static_cast<std::size_t>(i))];
            }
            if (J != nullptr) *J = M - MatrixXd::Identity(rows, rows);
        };
        orbit_.period = guess.period;
        if (!rule_->atoms().slots.empty()) {
            orbit_.reason = "orbits with accumulating impacts and discrete states that events "
                            "set are not solved";
            return;
        }
        VectorXd r;
        map(first.w, r, nullptr);
        VectorXd size = first.w.cwiseAbs();
        for (const motion::Sample& s : trace.take()) {
            for (Index i = 0; i < rows; ++i)
                size(i) = std::max(size(i), std::abs(s.state[static_cast<std::size_t>(i)]));
        }
        for (double& s : size) {
            if (!(s > 0.0)) s = 1.0;
        }
        const auto scaled = [&](const VectorXd& x, VectorXd& residual, MatrixXd* J) {
            map(x.cwiseProduct(size), residual, J);
            residual = residual.cwiseQuotient(size).eval();
            if (J != nullptr)
                *J = (size.cwiseInverse().asDiagonal() * *J * size.asDiagonal()).eval();
        };
        VectorXd x = first.w.cwiseQuotient(size);
        if (!newton(scaled, x)) return;
        const VectorXd X = x.cwiseProduct(size);
        orbit_.time = first.time;
        orbit_.state.assign(X.begin(), X.end());
        for (const flow::Event& e : last.events) {
            orbit_.events.push_back(e);
            orbit_.signature.push_back(fmt::format("{} {}", flow::name(e.kind), e.where));
            if (!e.side.empty()) orbit_.signature.back() += " " + e.side;
        }
        if (last.mode[extended.lost] == 0.0) {
            // Accumulation forgets gap and gap rate.
            MonodromyFactor whole{M, {}, rows};
            auto mu = multipliers({whole});
            const Index rank = std::max<Index>(0, rows - 2);
            for (std::size_t i = static_cast<std::size_t>(rank); i < mu.size(); ++i) mu[i] = 0.0;
            judge_multipliers(std::move(mu), options_.drift.size(), orbit_);
        } else {
            orbit_.no_multipliers = "an event of the orbit has no derivative";
        }
        orbit_.admissible = true;
        orbit_.trace = trace.take();
    }

    std::shared_ptr<const flow::Flow> flow_;
    const OrbitOptions& options_;
    std::shared_ptr<const flow::SaltationRule> rule_;
    PieceMap pieces_;
    Orbit orbit_;
};

} // namespace

Orbit find_orbit(const std::shared_ptr<const flow::Flow>& flow, const OrbitOptions& options) {
    Orbit orbit = Finder(flow, options).find();
    if (options.interrupted()) {
        orbit.found = false;
        orbit.reason = "interrupted";
    }
    return orbit;
}

} // namespace liaison::analysis
