// SPDX-License-Identifier: Apache-2.0
// Corrector, tangent and judgement along a curve of orbits.
#include "liaison/analysis/orbit_curve.hpp"

#include "liaison/analysis/half_orbit.hpp"
#include "liaison/analysis/orbit_judgement.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/solve/dense.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Closure closure_of(const Orbit& orbit) {
    if (orbit.forced) return Closure::forced;
    return orbit.legs.front().fired.empty() ? Closure::by_phase : Closure::by_event;
}
// Long after t = 0 the phase of a force would turn fast with its frequency.
std::vector<Leg> near_zero(const Orbit& orbit, bool halves) {
    std::vector<Leg> legs = halves ? orbit.half : orbit.legs;
    const double whole = orbit.forced ? orbit.period / orbit.periods : orbit.legs.front().time;
    const double shift = orbit.forced ? whole * std::floor(legs.front().time / whole) : whole;
    for (Leg& leg : legs) leg.time -= shift;
    return legs;
}

} // namespace

ForcingPeriod::ForcingPeriod(const flow::Flow& flow, const BranchOptions& options) : flow_(flow) {
    const expr::Expr p = flow.parameters[options.parameter];
    inverse_ = !options.period;
    value_ = inverse_ ? flow.frequency : options.period;
    if (value_) rate_ = expr::differentiate(value_, p);
}

ForcingPeriod::At ForcingPeriod::operator()(const std::vector<double>& parameters) const {
    if (!value_) return {};
    const double v = expr::evaluate(value_, flow_.parameters, parameters);
    const double r = expr::evaluate(rate_, flow_.parameters, parameters);
    if (!inverse_) return {v, r};
    const double length = 2.0 * std::numbers::pi / std::abs(v);
    return {length, -length * r / v};
}

OrbitCurve::OrbitCurve(const std::shared_ptr<const flow::Flow>& flow, const BranchOptions& options,
                       const Orbit& first, std::optional<double> at)
    : flow_(*flow), options_(options), parameters_(flow->parameter_values),
      rule_(
          std::make_shared<flow::SaltationRule>(flow, std::vector<std::size_t>{options.parameter})),
      pieces_(flow, options.parameter, options.orbit.tolerance), forcing_(*flow, options),
      forced_(first.forced), periods_(first.periods), copies_(first.copies),
      halves_(options.orbit.symmetry != nullptr && !first.half.empty()),
      closure_(closure_of(first)), pattern_(first.legs),
      equations_(rule_, pieces_, near_zero(first, halves_), closure_,
                 halves_ ? 0.5 * first.period : first.period, options.orbit.drift,
                 halves_ ? options.orbit.symmetry : nullptr) {
    const VectorXd X = equations_.unknowns();
    if (forced_) {
        const double whole = first.period / periods_;
        phase_ = options.phase.value_or(equations_.legs().front().time / whole);
    }
    first_.resize(X.size() + 1);
    first_ << X, at.value_or(flow->parameter_values[options.parameter]);
    set_parameter(first_(X.size()));
    sizes_ = orbit_scales_at_unknowns(*rule_, equations_, pieces_);
    scale_.resize(X.size() + 1);
    scale_ << sizes_.unknowns * std::sqrt(static_cast<double>(X.size())),
        options.high - options.low;
    first_ = first_.cwiseQuotient(scale_).eval();
}

void OrbitCurve::set_parameter(double value) {
    parameters_[options_.parameter] = value;
    const auto force = forcing_(parameters_);
    const double share = halves_ ? 0.5 * periods_ : periods_;
    equations_.set_parameters(parameters_, force.length * share, force.rate * share);
}

// Residual and derivative (n rows, n + 1 columns) at ζ, both scaled; false: not finite.
bool OrbitCurve::evaluate(const VectorXd& z) {
    if (evaluated_.size() == z.size() && evaluated_ == z) return true;
    evaluated_.resize(0);
    const Index n = z.size() - 1;
    set_parameter(parameter(z));
    MatrixXd J;
    equations_(z.head(n).cwiseProduct(scale_.head(n)), residual_, &J);
    if (!residual_.allFinite() || !J.allFinite()) return false;
    derivative_.resize(n, n + 1);
    derivative_ << J, equations_.by_parameter();
    residual_ = residual_.cwiseQuotient(sizes_.residual).eval();
    derivative_ =
        (sizes_.residual.cwiseInverse().asDiagonal() * derivative_ * scale_.asDiagonal()).eval();
    if (!derivative_.allFinite()) return false;
    evaluated_ = z;
    return true;
}

// With the row `across` below the derivative.
VectorXd OrbitCurve::solve_bordered(const VectorXd& across, const VectorXd& right) const {
    MatrixXd A(derivative_.rows() + 1, derivative_.cols());
    A << derivative_, across.transpose();
    // Singular where branches cross: the step of least norm stays on this one.
    return solve::least_norm(A, right, 1e-9);
}

bool OrbitCurve::correct(VectorXd& z, const VectorXd& across, const VectorXd& from, double s) {
    constexpr int k_most = 20; // at a change of outcomes it converges linearly
    constexpr double k_converged =
        1e-9; // the steps below are polish, and tell nothing of the prediction
    const double rounding = 1e-13 * std::sqrt(static_cast<double>(z.size()));
    double before = std::numeric_limits<double>::infinity();
    iterations_ = 0;
    for (int i = 0; i < k_most; ++i) {
        if (!evaluate(z)) return false;
        const double size = residual_.cwiseAbs().maxCoeff();
        const double off = across.dot(z - from) - s;
        if (size <= rounding && std::abs(off) < 1e-14) return true;
        // Rounding holds the residual up just above.
        if (i > 2 && size > 0.3 * before) return size <= 1e-10 && std::abs(off) < 1e-12;
        before = size;
        if (size > k_converged) ++iterations_;
        VectorXd right(residual_.size() + 1);
        right << -residual_, -off;
        const VectorXd d = solve_bordered(across, right);
        if (!d.allFinite() || d.norm() > 1.0) return false;
        z += d;
    }
    return false;
}

bool OrbitCurve::stand_at(Stand& stand, const VectorXd& heading) {
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
    orbit.copies = copies_;
    orbit.method = "continuation";
    orbit.iterations = iterations_;
    orbit.residual = residual_.cwiseAbs().maxCoeff();
    if (halves_)
        judge_symmetric_orbit(rule_, pieces_, equations_, closure_, pattern_, options_.orbit,
                              orbit);
    else
        judge_orbit(rule_, pieces_, equations_, options_.orbit, orbit);
    orbit.trace.clear();
    put_sections(stand.point);
    stand.tests = multiplier_tests(orbit);
    return true;
}

void OrbitCurve::return_to(const Stand& stand) {
    const Orbit& orbit = stand.point.orbit;
    evaluated_.resize(0);
    if (halves_) pattern_ = orbit.legs;
    equations_.set_legs(halves_ ? orbit.half : orbit.legs);
}

std::string OrbitCurve::failure() const {
    return equations_.obstacle().empty() ? "Newton's method does not converge"
                                         : equations_.obstacle();
}

std::optional<Stand> OrbitCurve::between(const Stand& from, double s, const Stand& low,
                                         const Stand& high) {
    const double a = from.tangent.dot(low.z - from.z);
    const double b = from.tangent.dot(high.z - from.z);
    Stand stand;
    stand.z = low.z + ((s - a) / (b - a)) * (high.z - low.z);
    if (!correct(stand.z, from.tangent, from.z, s) || !stand_at(stand, from.tangent))
        return std::nullopt;
    return stand;
}

std::optional<VectorXd> OrbitCurve::crossing(const VectorXd& z) {
    if (!evaluate(z)) return {};
    // The kernel of [∂F/∂X, ∂F/∂µ] is a plane there: the tangent of this branch and that of the other.
    const MatrixXd V = solve::singular_decomposition(derivative_).V;
    const Index n = V.cols();
    if (n < 2) return {};
    const VectorXd a = V.col(n - 1);
    const VectorXd b = V.col(n - 2);
    VectorXd other = a * b(n - 1) - b * a(n - 1);
    if (!(other.norm() > 0.0)) return {};
    return other.normalized();
}

// Controlled states at a time given in periods; empty where the motion cannot be followed there.
std::vector<double> OrbitCurve::state_at(const Orbit& orbit, double phase) {
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

void OrbitCurve::put_sections(BranchPoint& point) {
    const Orbit& orbit = point.orbit;
    if (forced_) {
        point.section = state_at(orbit, phase_ / periods_);
        for (int k = 1; k < periods_; ++k)
            point.returns.push_back(state_at(orbit, (phase_ + k) / periods_));
        return;
    }
    point.section = orbit.state;
    const std::size_t each = orbit.legs.size() / static_cast<std::size_t>(copies_);
    for (std::size_t i = each; each > 0 && i < orbit.legs.size(); i += each) {
        const auto& w = orbit.legs[i].w;
        point.returns.emplace_back(w.begin(),
                                   w.begin() + static_cast<std::ptrdiff_t>(flow_.n_controlled));
    }
}

bool OrbitCurve::symmetric(const Stand& stand) {
    const Orbit& orbit = stand.point.orbit;
    if (!evaluate(stand.z)) return false;
    const std::vector<double> half = state_at(orbit, orbit.time / orbit.period + 0.5);
    double apart = 0.0; // of the size of each state
    for (std::size_t i = 0; i < half.size(); ++i)
        apart = std::max(apart,
                         std::abs(half[i] + orbit.state[i]) / sizes_.state(static_cast<Index>(i)));
    return !half.empty() && apart < 1e-6;
}

void OrbitCurve::recut(Stand& stand) {
    if (!forced_ || stand.point.orbit.legs.size() < 2) return;
    const std::vector<Leg>& legs = stand.point.orbit.legs;
    const double period = stand.point.orbit.period;
    constexpr double k_near = 0.05;
    if (std::min(legs.front().duration, legs.back().duration) > k_near * period) return;
    const Index last = stand.z.size() - 1;
    if (std::abs(stand.tangent(last)) < 1e-3) return; // at a fold the direction is not told by µ
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
    for (std::size_t i = 1; i < ring.size(); ++i) cut.push_back(ring[(longest + i) % ring.size()]);
    cut.push_back(closing);
    // By whole periods of the orbit, so that its returns to the section keep their order.
    const double shift = period * std::floor(first.time / period);
    double time = first.time - shift;
    for (Leg& leg : cut) {
        leg.time = time;
        time += leg.duration;
    }
    const double mu = stand.tangent(last);
    const double value = stand.z(last);
    if (halves_) {
        const auto legs_of_half = first_half(cut, closure_, period);
        if (!legs_of_half) return;
        pattern_ = cut;
        cut = *legs_of_half;
    }
    equations_.set_legs(std::move(cut));
    evaluated_.resize(0);
    stand.z.head(last) = equations_.unknowns().cwiseQuotient(scale_.head(last));
    stand.z(last) = value;
    VectorXd along = VectorXd::Zero(last + 1);
    along(last) = mu < 0 ? -1.0 : 1.0;
    if (correct(stand.z, along, stand.z, 0.0)) stand_at(stand, along);
}

} // namespace liaison::analysis
