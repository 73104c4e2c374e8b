// SPDX-License-Identifier: Apache-2.0
// Predictor, corrector, step control, and the search for special points between two points of a branch.
#include "liaison/analysis/branch.hpp"

#include "liaison/analysis/branch_tests.hpp"
#include "liaison/analysis/orbit_equations.hpp"
#include "liaison/analysis/orbit_guess.hpp"
#include "liaison/analysis/orbit_judgement.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate.hpp"

#include <Eigen/Dense>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double k_none =
    std::numeric_limits<double>::quiet_NaN(); // a test the orbit has no value of

// Length of the force's period and its derivative by the parameter.
class ForcingPeriod {
  public:
    ForcingPeriod(const flow::Flow& flow, const BranchOptions& options) : flow_(flow) {
        const expr::Expr p = flow.parameters[options.parameter];
        inverse_ = !options.period;
        value_ = inverse_ ? flow.frequency : options.period;
        if (value_) rate_ = expr::differentiate(value_, p);
    }
    struct At {
        double length = 0.0;
        double rate = 0.0;
    };
    [[nodiscard]] At operator()(const std::vector<double>& parameters) const {
        if (!value_) return {};
        const double v = expr::evaluate(value_, flow_.parameters, parameters);
        const double r = expr::evaluate(rate_, flow_.parameters, parameters);
        if (!inverse_) return {v, r};
        const double length = 2.0 * std::numbers::pi / std::abs(v);
        return {length, -length * r / v};
    }

  private:
    const flow::Flow& flow_;
    bool inverse_ = false; // value_ is the angular frequency
    expr::Expr value_, rate_;
};

// A solution in scaled unknowns ζ = (X/scale, µ/range), the unit tangent there, and what it is.
struct Stand {
    VectorXd z;
    VectorXd tangent;
    BranchPoint point;
    MultiplierTests tests;
};

class Follower {
  public:
    Follower(const std::shared_ptr<const flow::Flow>& flow, const BranchOptions& options,
             const Orbit& first)
        : flow_(*flow), options_(options), parameters_(flow->parameter_values),
          rule_(std::make_shared<flow::SaltationRule>(flow,
                                                      std::vector<std::size_t>{options.parameter})),
          pieces_(flow, options.parameter, options.orbit.tolerance), forcing_(*flow, options),
          forced_(first.forced), periods_(first.periods),
          equations_(rule_, pieces_, near_zero(first), closure_of(first), first.period,
                     options.orbit.drift) {
        const VectorXd X = equations_.unknowns();
        phase_ = equations_.legs().front().time / first.period;
        scale_ = VectorXd::Constant(X.size() + 1, std::max(1e-3, X.cwiseAbs().maxCoeff()) *
                                                      std::sqrt(static_cast<double>(X.size())));
        scale_(X.size()) = options.high - options.low;
        begin_.z.resize(X.size() + 1);
        begin_.z << X, flow->parameter_values[options.parameter];
        begin_.z = begin_.z.cwiseQuotient(scale_);
    }

    // Both directions from the first orbit; false: it is not on a branch.
    bool follow(Branch& branch) {
        VectorXd along = VectorXd::Zero(begin_.z.size());
        along(along.size() - 1) = 1.0;
        if (!correct(begin_.z, along, begin_.z, 0.0) || !stand_at(begin_, along)) {
            branch.reason = fmt::format("the first orbit cannot be followed: {}", failure());
            return false;
        }
        Branch ahead;
        Branch back;
        branch.closed = walk(1.0, ahead);
        if (!branch.closed) walk(-1.0, back);
        std::reverse(back.points.begin(), back.points.end());
        std::reverse(back.special.begin(), back.special.end());
        branch.points = std::move(back.points);
        branch.points.push_back(begin_.point);
        std::move(ahead.points.begin(), ahead.points.end(), std::back_inserter(branch.points));
        branch.special = std::move(back.special);
        std::move(ahead.special.begin(), ahead.special.end(), std::back_inserter(branch.special));
        branch.notes = std::move(back.notes);
        std::move(ahead.notes.begin(), ahead.notes.end(), std::back_inserter(branch.notes));
        return true;
    }

  private:
    static Closure closure_of(const Orbit& orbit) {
        if (orbit.forced) return Closure::forced;
        return orbit.legs.front().fired.empty() ? Closure::by_phase : Closure::by_event;
    }
    // Long after t = 0 the phase of a force would turn fast with its frequency.
    static std::vector<Leg> near_zero(const Orbit& orbit) {
        std::vector<Leg> legs = orbit.legs;
        const double whole = orbit.forced ? orbit.period / orbit.periods : orbit.legs.front().time;
        const double shift = orbit.forced ? whole * std::floor(legs.front().time / whole) : whole;
        for (Leg& leg : legs) leg.time -= shift;
        return legs;
    }

    [[nodiscard]] double parameter(const VectorXd& z) const {
        return z(z.size() - 1) * scale_(scale_.size() - 1);
    }

    // Residual and scaled derivative (n rows, n + 1 columns) at ζ; false: not finite.
    bool evaluate(const VectorXd& z) {
        const Index n = z.size() - 1;
        parameters_[options_.parameter] = parameter(z);
        const auto force = forcing_(parameters_);
        equations_.set_parameters(parameters_, force.length * periods_, force.rate * periods_);
        MatrixXd J;
        equations_(z.head(n).cwiseProduct(scale_.head(n)), residual_, &J);
        if (!residual_.allFinite() || !J.allFinite()) return false;
        derivative_.resize(n, n + 1);
        derivative_ << J, equations_.by_parameter();
        derivative_ = derivative_ * scale_.asDiagonal();
        return derivative_.allFinite();
    }

    // With the row `across` below the derivative.
    [[nodiscard]] VectorXd solve_bordered(const VectorXd& across, const VectorXd& right) const {
        MatrixXd A(derivative_.rows() + 1, derivative_.cols());
        A << derivative_, across.transpose();
        // Singular where branches cross: the step of least norm stays on this one.
        Eigen::CompleteOrthogonalDecomposition<MatrixXd> factor;
        factor.setThreshold(1e-9);
        return factor.compute(A).solve(right);
    }

    // Newton for F = 0, across·(ζ − from) = s, from a predicted ζ.
    bool correct(VectorXd& z, const VectorXd& across, const VectorXd& from, double s) {
        constexpr int k_most = 10;
        const double unit = scale_(0);
        double before = std::numeric_limits<double>::infinity();
        for (iterations_ = 0; iterations_ < k_most; ++iterations_) {
            if (!evaluate(z)) return false;
            const double size = residual_.cwiseAbs().maxCoeff();
            const double off = across.dot(z - from) - s;
            if (size <= 1e-13 * unit && std::abs(off) < 1e-14) return true;
            // Rounding holds the residual up just above.
            if (iterations_ > 2 && size > 0.3 * before)
                return size <= 1e-10 * unit && std::abs(off) < 1e-12;
            before = size;
            VectorXd right(residual_.size() + 1);
            right << -residual_, -off;
            const VectorXd d = solve_bordered(across, right);
            if (!d.allFinite() || d.norm() > 1.0) return false;
            z += d;
        }
        return false;
    }

    // Tangent and judgement at a corrected ζ; the equations are left at it.
    bool stand_at(Stand& stand, const VectorXd& heading) {
        if (!evaluate(stand.z)) return false;
        VectorXd right = VectorXd::Zero(stand.z.size());
        right(right.size() - 1) = 1.0;
        stand.tangent = solve_bordered(heading, right);
        if (!stand.tangent.allFinite() || !(stand.tangent.norm() > 0.0)) return false;
        stand.tangent.normalize();
        stand.point = {};
        stand.point.parameter = parameter(stand.z);
        Orbit& orbit = stand.point.orbit;
        orbit.found = true;
        orbit.forced = forced_;
        orbit.periods = periods_;
        orbit.method = "continuation";
        orbit.iterations = iterations_;
        orbit.residual = residual_.cwiseAbs().maxCoeff();
        judge_orbit(rule_, pieces_, equations_, options_.orbit, orbit);
        orbit.trace.clear();
        stand.point.section = forced_ ? state_at(orbit, phase_) : orbit.state;
        stand.tests = multiplier_tests(orbit);
        return true;
    }

    [[nodiscard]] std::string failure() const {
        return equations_.obstacle().empty() ? "Newton's method does not converge"
                                             : equations_.obstacle();
    }

    // One direction; true: the branch closed.
    bool walk(double direction, Branch& out) {
        const double largest = options_.largest_step;
        constexpr double k_smallest = 1e-7;
        Stand here = begin_;
        equations_.set_legs(begin_.point.orbit.legs);
        if (here.tangent(here.tangent.size() - 1) * direction < 0) here.tangent = -here.tangent;
        if (here.tangent(here.tangent.size() - 1) == 0.0) here.tangent *= direction;
        const VectorXd heading = here.tangent;
        constexpr double k_straight = 0.966; // cos 15°
        double ds = 0.25 * largest;
        double travelled = 0.0;
        while (out.points.size() < options_.most_points) {
            Stand next;
            next.z = here.z + ds * here.tangent;
            const bool good = correct(next.z, here.tangent, here.z, ds);
            const double mu = parameter(next.z);
            if (good && (mu <= options_.low || mu >= options_.high)) {
                end_at(here, mu <= options_.low ? options_.low : options_.high, ds, out);
                return false;
            }
            if (!good || !stand_at(next, here.tangent) ||
                (next.tangent.dot(here.tangent) < k_straight && ds > 100 * k_smallest)) {
                ds *= 0.5;
                if (ds < k_smallest) {
                    out.notes.push_back(fmt::format("the branch is lost near {} = {:.9g}: {}",
                                                    name(), here.point.parameter, failure()));
                    out.special.push_back({"end", out.notes.back(), here.point});
                    return false;
                }
                continue;
            }
            locate(here, next, ds, out);
            travelled += ds;
            out.points.push_back(next.point);
            if (travelled > 4 * largest && (next.z - begin_.z).norm() < ds &&
                next.tangent.dot(heading) > k_straight)
                return true;
            if (iterations_at_ <= 3) ds = std::min(largest, 2.0 * ds);
            here = std::move(next);
            recut(here);
        }
        out.notes.push_back(fmt::format("{} points were made; the branch goes on at {} = {:.9g}",
                                        out.points.size(), name(), here.point.parameter));
        out.special.push_back({"end", out.notes.back(), here.point});
        return false;
    }

    [[nodiscard]] const std::string& name() const {
        return flow_.parameter_names[options_.parameter];
    }

    void end_at(const Stand& here, double bound, double ds, Branch& out) {
        VectorXd across = VectorXd::Zero(here.z.size());
        across(across.size() - 1) = 1.0;
        const double target = bound / scale_(scale_.size() - 1);
        Stand last;
        const double slope = here.tangent(here.tangent.size() - 1);
        last.z = here.z + here.tangent * std::clamp((target - here.z(here.z.size() - 1)) / slope,
                                                    0.0, 2.0 * ds);
        VectorXd zero = VectorXd::Zero(here.z.size());
        if (!correct(last.z, across, zero, target) || !stand_at(last, here.tangent)) {
            out.notes.push_back(
                fmt::format("the end of the range could not be reached: {}", failure()));
            out.special.push_back({"end", out.notes.back(), here.point});
            return;
        }
        last.point.parameter = bound;
        locate(here, last, here.tangent.dot(last.z - here.z), out);
        out.points.push_back(last.point);
        out.special.push_back({"end", "end of the range", last.point});
    }

    // The stand at arclength s from `from`; empty where the corrector fails.
    std::optional<Stand> between(const Stand& from, const Stand& to, double s, double ds) {
        Stand stand;
        stand.z = from.z + (s / ds) * (to.z - from.z);
        if (!correct(stand.z, from.tangent, from.z, s) || !stand_at(stand, from.tangent))
            return std::nullopt;
        return stand;
    }

    using Test = std::function<double(const Stand&)>;

    // A zero of `test` between two stands where it has different signs: false position with bisection (Illinois).
    // Where branches cross the corrector gives up just beside the zero; the secant has the value there.
    Stand zero(const Stand& from, const Stand& to, double ds, const Test& test) {
        Stand low = from;
        Stand high = to;
        double a = 0.0;
        double b = ds;
        double fa = test(from);
        double fb = test(to);
        double weight_a = 1.0; // false position halves the value of an end that stays
        double weight_b = 1.0;
        constexpr int k_most = 80;
        for (int i = 0; i < k_most && b - a > 1e-13; ++i) {
            const double wa = fa * weight_a;
            const double wb = fb * weight_b;
            double s = b - wb * (b - a) / (wb - wa);
            if (!(s > a && s < b)) s = 0.5 * (a + b);
            auto middle = between(from, to, s, ds);
            if (!middle) break;
            const double f = test(*middle);
            if (std::isnan(f)) break;
            if (std::abs(f) < 1e-15) return *middle;
            const bool right = (f < 0) == (fb < 0);
            weight_a = right ? 0.5 * weight_a : 1.0;
            weight_b = right ? 1.0 : 0.5 * weight_b;
            (right ? high : low) = std::move(*middle);
            (right ? b : a) = s;
            (right ? fb : fa) = f;
        }
        Stand at = std::abs(fa) < std::abs(fb) ? low : high;
        at.point.parameter =
            low.point.parameter + (high.point.parameter - low.point.parameter) * (fa / (fa - fb));
        return at;
    }

    // The last stand that is like `from` and the first that is not, halving until they cannot be told apart.
    std::pair<Stand, Stand> boundary(const Stand& from, const Stand& to, double ds,
                                     const std::function<bool(const Stand&)>& alike) {
        double a = 0.0;
        double b = ds;
        Stand inside = from;
        Stand outside = to;
        constexpr double k_resolution = 1e-14;
        while (b - a > k_resolution) {
            const double s = 0.5 * (a + b);
            auto middle = between(from, to, s, ds);
            if (!middle) break;
            if (alike(*middle)) {
                a = s;
                inside = std::move(*middle);
            } else {
                b = s;
                outside = std::move(*middle);
            }
        }
        return {std::move(inside), std::move(outside)};
    }

    static bool changes(const std::optional<double>& a, const std::optional<double>& b) {
        return a && b && (*a < 0) != (*b < 0);
    }

    void locate(const Stand& here, const Stand& next, double ds, Branch& out) {
        iterations_at_ = iterations_;
        std::vector<std::pair<double, SpecialPoint>> found;
        const auto add = [&](const Stand& stand, std::string kind, std::string what) {
            found.emplace_back(here.tangent.dot(stand.z - here.z),
                               SpecialPoint{std::move(kind), std::move(what), stand.point});
        };
        const Index last = here.z.size() - 1;
        const bool turns = (here.tangent(last) < 0) != (next.tangent(last) < 0);
        if (turns)
            add(zero(here, next, ds, [&](const Stand& s) { return s.tangent(last); }), "fold",
                here.tangent(last) < 0 ? "two orbits are born" : "two orbits meet and vanish");
        if (changes(here.tests.doubling, next.tests.doubling))
            add(zero(here, next, ds,
                     [](const Stand& s) { return s.tests.doubling.value_or(k_none); }),
                "period_doubling", "multiplier −1");
        if (!turns && changes(here.tests.branching, next.tests.branching)) {
            const Stand at = zero(
                here, next, ds, [](const Stand& s) { return s.tests.branching.value_or(k_none); });
            add(at, symmetric(here) ? "symmetry_breaking" : "branch_point",
                "multiplier +1 without a fold: another branch crosses");
        }
        if (changes(here.tests.torus, next.tests.torus))
            add(zero(here, next, ds, [](const Stand& s) { return s.tests.torus.value_or(k_none); }),
                "neimark_sacker", "a complex pair of multipliers on the unit circle");
        if (here.point.orbit.admissible != next.point.orbit.admissible) {
            const bool was = here.point.orbit.admissible;
            const auto pair = boundary(
                here, next, ds, [was](const Stand& s) { return s.point.orbit.admissible == was; });
            const Stand& motion = was ? pair.first : pair.second;
            const Orbit& formal = (was ? pair.second : pair.first).point.orbit;
            add(motion, formal.deviation ? name_of_change(*formal.deviation) : "end_of_motion",
                formal.violation);
        }
        std::sort(found.begin(), found.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        for (auto& [s, point] : found) out.special.push_back(std::move(point));
    }

    // Controlled states at a time given in periods; empty where the motion cannot be followed there.
    std::vector<double> state_at(const Orbit& orbit, double phase) {
        const double since = phase - orbit.time / orbit.period;
        double left = (since - std::floor(since)) * orbit.period;
        for (const Leg& leg : orbit.legs) {
            if (left > leg.duration && &leg != &orbit.legs.back()) {
                left -= leg.duration;
                continue;
            }
            const PieceEnd end = pieces_.run(leg.time, leg.w, leg.mode, left);
            if (!end.reached) break;
            return {end.instant.state.begin(),
                    end.instant.state.begin() + static_cast<std::ptrdiff_t>(flow_.n_controlled)};
        }
        return {};
    }

    // Whether the orbit is its own image: y(t + T/2) = −y(t).
    bool symmetric(const Stand& stand) {
        const Orbit& orbit = stand.point.orbit;
        if (!evaluate(stand.z)) return false;
        const std::vector<double> half = state_at(orbit, orbit.time / orbit.period + 0.5);
        double apart = 0.0;
        double size = 0.0;
        for (std::size_t i = 0; i < half.size(); ++i) {
            apart = std::max(apart, std::abs(half[i] + orbit.state[i]));
            size = std::max(size, std::abs(orbit.state[i]));
        }
        return !half.empty() && apart < 1e-6 * size;
    }

    // A forced orbit must not begin at an event: where an event comes near its start it is cut open elsewhere, in the
    // middle of its longest leg, and goes on in the same direction.
    void recut(Stand& stand) {
        if (!forced_ || stand.point.orbit.legs.size() < 2) return;
        const std::vector<Leg>& legs = stand.point.orbit.legs;
        const double period = stand.point.orbit.period;
        constexpr double k_near = 0.05;
        if (std::min(legs.front().duration, legs.back().duration) > k_near * period) return;
        const Index last = stand.z.size() - 1;
        if (std::abs(stand.tangent(last)) < 1e-3)
            return; // at a fold the direction is not told by µ
        // The first and the last leg are one, cut by the start.
        std::vector<Leg> ring(legs.begin() + 1, legs.end());
        ring.back().duration += legs.front().duration;
        ring.back().fired = legs.front().fired;
        ring.back().kind = legs.front().kind;
        const auto longest = static_cast<std::size_t>(
            std::max_element(ring.begin(), ring.end(),
                             [](const Leg& a, const Leg& b) { return a.duration < b.duration; }) -
            ring.begin());
        const double half = 0.5 * ring[longest].duration;
        const PieceEnd middle =
            pieces_.run(ring[longest].time, ring[longest].w, ring[longest].mode, half);
        if (!middle.reached) return;
        Leg first = ring[longest];
        first.time = middle.instant.time.rounded();
        first.duration = half;
        first.w = middle.w;
        Leg closing = ring[longest];
        closing.duration = half;
        closing.fired.clear();
        closing.kind.reset();
        std::vector<Leg> cut{first};
        for (std::size_t i = 1; i < ring.size(); ++i)
            cut.push_back(ring[(longest + i) % ring.size()]);
        cut.push_back(closing);
        const double whole = period / periods_;
        const double shift = whole * std::floor(first.time / whole);
        for (Leg& leg : cut) leg.time -= shift;
        const double mu = stand.tangent(last);
        const double value = stand.z(last);
        equations_.set_legs(std::move(cut));
        stand.z.head(last) = equations_.unknowns().cwiseQuotient(scale_.head(last));
        stand.z(last) = value;
        VectorXd along = VectorXd::Zero(last + 1);
        along(last) = mu < 0 ? -1.0 : 1.0;
        if (correct(stand.z, along, stand.z, 0.0)) stand_at(stand, along);
    }

    const flow::Flow& flow_;
    const BranchOptions& options_;
    std::vector<double> parameters_;
    std::shared_ptr<const flow::SaltationRule> rule_;
    PieceMap pieces_;
    ForcingPeriod forcing_;
    bool forced_;
    int periods_;
    OrbitEquations equations_;
    VectorXd scale_;
    double phase_ = 0.0; // of the section, in periods of the orbit
    Stand begin_;
    VectorXd residual_;
    MatrixXd derivative_;
    int iterations_ = 0; // of the last correction
    int iterations_at_ = 0; // of the last point
};

} // namespace

Branch follow_orbit(const std::shared_ptr<const flow::Flow>& flow, const BranchOptions& options) {
    Branch branch;
    const Orbit first = find_orbit(flow, options.orbit);
    if (!first.found) {
        branch.reason = first.reason;
        return branch;
    }
    if (first.legs.empty()) {
        branch.reason = "impacts accumulate on this orbit: infinitely many legs cannot be followed";
        return branch;
    }
    Follower(flow, options, first).follow(branch);
    return branch;
}

} // namespace liaison::analysis
