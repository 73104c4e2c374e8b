// SPDX-License-Identifier: Apache-2.0
// Residuals of complementarity and friction, from forces, accelerations and rates as the motion has them.
#include "liaison/record/contact_watch.hpp"

#include "liaison/expr/evaluate.hpp"
#include "liaison/flow/start_instant.hpp"
#include "liaison/laws/sliding_matrix.hpp"
#include "liaison/realise/contact_sizes.hpp"
#include "liaison/realise/displaced_gap.hpp"
#include "liaison/realise/friction_events.hpp"

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace liaison::record {
namespace {

using Eigen::Index;
using flow::OutputGroup;

// Slower than this part of the largest velocity is rest: of gaps, as those see it who decide, so that the last bounces of a
// chatter are none; of slips, whose direction below it would be that of rounding.
constexpr double k_still_gap = 1e-13;
constexpr double k_still_slip = 1e-9;
constexpr double k_rest_slip = 1e-11; // below it those who decide take it for rest

std::string label(const realise::ContactSide& s) {
    return s.side.empty() ? s.name : s.name + " " + s.side;
}

// The force of this name and part; the friction in space has two.
expr::Expr force(const flow::Flow& flow, const std::string& name, std::string_view part,
                 int which) {
    for (const flow::Output& o : flow.outputs) {
        if (o.group == OutputGroup::reaction && o.name == name && o.part == part && which-- == 0)
            return o.value;
    }
    return flow.pool->number(0);
}

void take(double value, double& worst) {
    if (!(value <= worst)) worst = value; // what is no number stays
}

// Of a symmetric matrix with a non-negative spectrum: by powers, from the largest row, good to a part of a thousand.
double largest_eigenvalue(const Eigen::Matrix3d& D) {
    Eigen::Vector3d x = D.rowwise().sum().cwiseAbs() + D.diagonal();
    double value = D.trace();
    for (int i = 0; i < 30 && x.norm() > 0.0; ++i) {
        x.normalize();
        const Eigen::Vector3d y = D * x;
        value = x.dot(y);
        x = y;
    }
    return value > 0.0 ? value : 1.0;
}

// The point of the cone |t| ≤ μ n nearest to (n, t).
std::pair<double, Eigen::Vector2d> in_cone(double n, const Eigen::Vector2d& t, double mu) {
    const double size = t.norm();
    if (size <= mu * n) return {n, t};
    if (mu * size <= -n) return {0.0, Eigen::Vector2d::Zero()};
    const double height = (n + mu * size) / (1.0 + mu * mu);
    return {height, mu * height * t / size};
}

} // namespace

ContactWatch::ContactWatch(const realise::ContactProblem& contacts, const flow::Flow& flow,
                           double tolerance)
    : contacts_(contacts), flow_(flow) {
    const auto& sides = contacts.sides();
    with_friction_ = std::ranges::any_of(sides, [](const auto& s) { return bool(s.friction); });
    with_modes_ = realise::FrictionModes::declared(sides, flow);
    if (with_modes_) modes_ = realise::FrictionModes(sides, flow);
    std::vector<expr::Expr> gap_rates;
    std::vector<expr::Expr> all;
    for (const realise::ContactSide& s : sides) gap_rates.push_back(s.normal.rate);
    rates_ = flow::Probe(flow, gap_rates);
    // g̈ and v̇ are what the field makes of the rates, without D and b.
    const auto accelerations = flow::rates_along(flow, gap_rates);
    for (std::size_t k = 0; k < sides.size(); ++k) {
        const realise::ContactSide& s = sides[k];
        if (!with_modes_) masks_.push_back(flow::slot_of(flow, s.mask));
        Places places{all.size(), all.size() + 3};
        all.insert(all.end(), {gap_rates[k], accelerations[k],
                               force(flow, label(s), s.friction ? "normal" : "", 0)});
        std::vector<expr::Expr> slips;
        for (const equations::RateRow& slip : s.friction.slips) slips.push_back(slip.rate);
        const auto along = flow::rates_along(flow, slips);
        for (std::size_t j = 0; j < slips.size(); ++j)
            all.insert(
                all.end(),
                {slips[j], force(flow, label(s), "tangential", static_cast<int>(j)), along[j]});
        places_.push_back(places);
    }
    probe_ = flow::Probe(flow, std::move(all));
    values_.resize(probe_.size());
    rates_minus_.resize(rates_.size());
    rates_plus_.resize(rates_.size());

    now_ = flow::start_instant(flow);
    now_.tolerance = tolerance;
    const double frequency =
        flow.frequency ? expr::evaluate(flow.frequency, flow.parameters, flow.parameter_values)
                       : 0.0;
    clock_ = motion::Clock(now_.time, frequency);
    contacts_.measure(now_, numbers_);
    Eigen::VectorXd speeds(numbers_.rate.size() + numbers_.slip.size());
    speeds << numbers_.rate, numbers_.slip;
    Eigen::VectorXd response(numbers_.rate.size());
    for (Index k = 0; k < response.size(); ++k) response(k) = numbers_.D(k, k);
    const auto sizes = realise::contact_sizes(flow, numbers_.gap, speeds, numbers_.b, response);
    acceleration_ = sizes.acceleration;
    speed_ = sizes.speed;
    length_ = sizes.length;
    // At the start what touches counts as closed until now.
    for (const double gap : numbers_.gap)
        was_closed_.push_back(std::abs(gap) <= touching() ? 1 : 0);
    now_.mode.clear(); // no mode: the first piece is looked at
    report_.friction = with_friction_;
}

bool ContactWatch::closed(std::size_t k) const {
    if (with_modes_) return modes_.closed(now_, static_cast<Index>(k));
    return now_.mode[masks_[k]] != 0.0;
}

double ContactWatch::speed() const {
    double s = 0.0;
    for (std::size_t i = flow_.n_positions; i < flow_.n_controlled; ++i)
        s = std::max(s, std::abs(now_.state[i]));
    return s;
}

double ContactWatch::touching() const {
    double length = length_;
    for (std::size_t i = 0; i < flow_.n_positions; ++i)
        length = std::max(length, std::abs(now_.state[i]));
    return std::max(1e-12, now_.tolerance) * length;
}

void ContactWatch::see(const motion::Piece& piece) {
    // Modes that another event of the same instant replaces are no decision.
    if (piece.mode == now_.mode || piece.length == 0.0) return;
    now_.mode = piece.mode;
    now_.time = piece.start;
    now_.field_time = piece.field_time;
    now_.state.resize(piece.n);
    piece.evaluate(0.0, now_.state);
    look();
}

void ContactWatch::look() {
    std::vector<std::size_t> decided;
    for (std::size_t k = 0; k < places_.size(); ++k) {
        const bool is_closed = closed(k);
        if (is_closed || was_closed_[k] != 0) decided.push_back(k);
        was_closed_[k] = is_closed ? 1 : 0;
    }
    if (decided.empty()) return;
    contacts_.measure(now_, numbers_);
    probe_.evaluate(now_, values_);
    const double still = k_still_gap * std::max(speed_, speed());
    // One that was thrown off, or that an event of the user put elsewhere, is open, whatever its acceleration.
    const double near = realise::k_displaced * touching();
    std::erase_if(decided, [&](std::size_t k) {
        return !closed(k) &&
               (values_[places_[k].rate] > still || numbers_.gap(static_cast<Index>(k)) > near);
    });
    if (decided.empty()) return;
    double scale = acceleration_;
    for (const std::size_t k : decided)
        scale = std::max(scale, std::abs(numbers_.b(static_cast<Index>(k))));
    ++report_.decisions;
    look_at_groups(decided);
    for (const std::size_t k : decided) {
        const auto i = static_cast<Index>(k);
        const double* at = &values_[places_[k].rate];
        const double normal = at[2];
        const double r = std::min(normal * numbers_.D(i, i), at[1]);
        take(std::abs(r) / scale, report_.complementarity);
        look_at_friction(k, normal, std::max(scale / numbers_.D(i, i), std::abs(normal)));
        look_at_all(k, normal, scale);
    }
}

void ContactWatch::look_at_all(std::size_t k, double normal, double scale) {
    const auto i = static_cast<Index>(k);
    const auto n = static_cast<Index>(contacts_.sides()[k].friction.slips.size());
    // A slip that is led along a direction has no other accelerations than those of that direction.
    if (n == 2 && modes_.leads(now_, i)) return;
    Eigen::Matrix3d D = Eigen::Matrix3d::Zero();
    const Index slip = n > 0 ? contacts_.slip_row(i) : 0;
    const auto row = [&](Index j) { return j == 0 ? i : slip + j - 1; };
    for (Index a = 0; a <= n; ++a) {
        for (Index b = 0; b <= n; ++b) D(a, b) = numbers_.D(row(a), row(b));
    }
    const double rho = 1.0 / largest_eigenvalue(D);
    Eigen::Vector2d v = Eigen::Vector2d::Zero();
    Eigen::Vector2d force = Eigen::Vector2d::Zero();
    Eigen::Vector2d v_dot = Eigen::Vector2d::Zero();
    for (Index j = 0; j < n; ++j) {
        const double* at = &values_[places_[k].slips + 3 * static_cast<std::size_t>(j)];
        v(j) = at[0];
        force(j) = at[1];
        v_dot(j) = at[2];
        scale = std::max(scale, std::abs(numbers_.b(slip + j)));
    }
    const double gap = values_[places_[k].rate + 1];
    const double fastest = std::max({speed_, speed(), v.norm()});
    const bool moves = n > 0 && v.norm() > k_still_slip * fastest;
    // A slip about to end goes against its acceleration, and has no direction that could be measured.
    if (!moves && v.norm() > k_rest_slip * fastest) return;
    // At rest the coefficient is that of rest, and that of slip where it starts.
    const bool starts = v_dot.norm() > k_still_slip * scale;
    const double along = moves ? v(0) : v_dot(0);
    double sliding = 0.0;
    if (n > 0)
        sliding = n == 1 && along < 0.0 ? numbers_.sliding_minus(i) : numbers_.sliding_plus(i);
    double residual = 0.0;
    if (n == 0) {
        residual = std::abs(normal - std::max(0.0, normal - rho * gap));
    } else if (moves) {
        const double pressed = std::max(0.0, normal - rho * gap);
        residual =
            std::hypot(normal - pressed, (force + sliding * pressed * v.normalized()).norm());
    } else {
        const double mu = starts ? sliding : numbers_.sticking(i);
        const auto nearest =
            in_cone(normal - rho * (gap + mu * v_dot.norm()), force - rho * v_dot, mu);
        residual = std::hypot(normal - nearest.first, (force - nearest.second).norm());
    }
    take(residual / std::max({scale * rho, std::abs(normal), force.norm()}), report_.natural);
}

double ContactWatch::limiting_friction(Index k) const {
    return std::max({numbers_.sliding_plus(k), numbers_.sliding_minus(k), numbers_.sticking(k)});
}

void ContactWatch::look_at_friction(std::size_t k, double normal, double scale) {
    const std::size_t n = contacts_.sides()[k].friction.slips.size();
    if (n == 0) return;
    const auto i = static_cast<Index>(k);
    Eigen::Vector2d v = Eigen::Vector2d::Zero();
    Eigen::Vector2d force = Eigen::Vector2d::Zero();
    for (std::size_t j = 0; j < n; ++j) {
        v(static_cast<Index>(j)) = values_[places_[k].slips + 3 * j];
        force(static_cast<Index>(j)) = values_[places_[k].slips + 3 * j + 1];
    }
    const double fastest = std::max({speed_, speed(), v.norm()});
    const bool moves = v.norm() > k_still_slip * fastest;
    const double sliding =
        n == 1 && v(0) < 0.0 ? numbers_.sliding_minus(i) : numbers_.sliding_plus(i);
    const double mu = moves ? sliding : limiting_friction(i);
    take(std::max(0.0, force.norm() - mu * normal) / scale, report_.cone);
    if (!moves) return;
    const Eigen::Vector2d against = force * v.norm() + mu * normal * v;
    take(against.norm() / (scale * fastest), report_.direction);
}

std::optional<std::size_t> ContactWatch::side_of(const std::string& where,
                                                 const std::string& side) const {
    const auto& sides = contacts_.sides();
    const auto found = std::ranges::find_if(
        sides, [&](const auto& s) { return s.name == where && s.side == side; });
    if (found == sides.end()) return std::nullopt;
    return static_cast<std::size_t>(found - sides.begin());
}

void ContactWatch::see(const flow::Event& e, std::span<const double> mode) {
    const bool strikes =
        e.kind == flow::EventKind::impact || e.kind == flow::EventKind::tangential_impact;
    const auto struck = side_of(e.where, e.side);
    if (!strikes || !e.impulse || !struck) return;
    flow::Instant at;
    at.parameters = now_.parameters;
    at.time = e.time;
    clock_.set(e.time);
    at.field_time = clock_.field_time();
    at.mode.assign(flow_.modes.size(), 0.0);
    for (std::size_t i = 0; i < at.mode.size(); ++i)
        at.mode[i] = i < mode.size()     ? mode[i]
                     : now_.mode.empty() ? flow_.modes[i].initial
                                         : now_.mode[i];
    // Coefficients and responses are those of the instant, also for later collisions in it.
    at.state = e.state_plus;
    rates_.evaluate(at, rates_plus_);
    at.state = e.state_minus;
    rates_.evaluate(at, rates_minus_);
    now_.state = e.state_minus;
    if (e.stage <= 1) {
        contacts_.measure(at, numbers_);
        struck_speed_ = speed();
    }
    ++report_.impacts;
    look_at_momentum(e, at);
    if (e.contacts.empty()) {
        strike(e, *struck, *e.impulse, e.tangential);
        return;
    }
    for (const flow::ContactShare& c : e.contacts) {
        if (const auto k = side_of(c.where, c.side)) strike(e, *k, c.impulse, c.tangential);
    }
}

// A_ij = W_N,iᵀ P (W_N,j − μ_j s_j W_T,j) with a definite symmetric part is regular with all its parts.
void ContactWatch::look_at_groups(const std::vector<std::size_t>& decided) {
    if (!with_friction_ || unwatched_ || places_.size() <= realise::k_most_watched_sides) return;
    std::vector<Index> rows;
    std::vector<laws::CoulombContact> sliding;
    for (const std::size_t k : decided) {
        const auto i = static_cast<Index>(k);
        const auto n = static_cast<Index>(contacts_.sides()[k].friction.slips.size());
        if (n == 0 || !closed(k)) continue;
        laws::CoulombContact c;
        for (Index j = 0; j < n; ++j)
            c.direction(j) = values_[places_[k].slips + 3 * static_cast<std::size_t>(j)];
        if (!(c.direction.norm() > k_still_slip * std::max(speed_, speed()))) continue;
        c.direction.normalize();
        c.moving = true;
        c.slips = static_cast<int>(n);
        c.sliding_plus = numbers_.sliding_plus(i);
        c.sliding_minus = numbers_.sliding_minus(i);
        c.normal = static_cast<Index>(rows.size());
        c.slip = c.normal + 1;
        rows.push_back(i);
        for (Index j = 0; j < n; ++j) rows.push_back(contacts_.slip_row(i) + j);
        sliding.push_back(c);
    }
    if (sliding.size() < 2) return;
    const Eigen::MatrixXd D = numbers_.D.block(rows);
    const Eigen::MatrixXd A = laws::sliding_matrix(D, sliding);
    constexpr double k_clearly = 0.05;
    Eigen::MatrixXd part = 0.5 * (A + A.transpose());
    for (std::size_t k = 0; k < sliding.size(); ++k) {
        const auto i = static_cast<Index>(k);
        const Index row = rows[static_cast<std::size_t>(sliding[k].normal)];
        part(i, i) -= k_clearly * numbers_.D(row, row);
    }
    if (Eigen::LLT<Eigen::MatrixXd>(part).info() == Eigen::Success) return;
    // Contacts that depend on each other are never definite: of few of them the friction tells that is still missing.
    constexpr std::size_t k_few = 8;
    constexpr double k_near = 3.0;
    const auto critical =
        sliding.size() <= k_few ? laws::critical_friction(D, sliding) : std::nullopt;
    if (sliding.size() > k_few || (critical && critical->factor < k_near))
        unwatched_ = now_.time.rounded();
}

void ContactWatch::look_at_momentum(const flow::Event& e, const flow::Instant& at) {
    Eigen::VectorXd impulse = Eigen::VectorXd::Zero(numbers_.b.size());
    const auto add = [&](const std::string& where, const std::string& side, double normal,
                         const std::vector<double>& tangential) {
        const auto found = side_of(where, side);
        if (!found) return;
        const auto k = static_cast<Index>(*found);
        impulse(k) += normal;
        for (std::size_t j = 0; j < tangential.size(); ++j)
            impulse(contacts_.slip_row(k) + static_cast<Index>(j)) += tangential[j];
    };
    if (e.contacts.empty()) add(e.where, e.side, e.impulse.value_or(0.0), e.tangential);
    for (const flow::ContactShare& c : e.contacts) add(c.where, c.side, c.impulse, c.tangential);
    const auto velocity = [&](const std::vector<double>& state) {
        return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(
            state.data() + flow_.n_positions, static_cast<Index>(contacts_.velocities())));
    };
    if (const auto residual = contacts_.momentum_residual(at, velocity(e.state_minus),
                                                          velocity(e.state_plus), impulse))
        take(*residual, report_.momentum);
}

void ContactWatch::strike(const flow::Event& e, std::size_t k, double impulse,
                          const std::vector<double>& tangential) {
    const auto i = static_cast<Index>(k);
    const double minus = rates_minus_[k];
    // A wall may hit what is at rest, and a belt rub at it: the largest velocity is that of any gap or slip. Collisions of a
    // sequence may take nearly all of it, and what is left has the rounding of what there was.
    double scale = std::max(speed(), struck_speed_);
    for (const double slip : numbers_.slip) scale = std::max(scale, std::abs(slip));
    for (const auto* rates : {&rates_minus_, &rates_plus_})
        for (const double rate : *rates) scale = std::max(scale, std::abs(rate));
    const double D = numbers_.D(i, i);
    // Restitution is not that of the contact where energy or a sequence without end was cut short; then, and where the law is
    // not one of rates, what is left is that contacts do not pull and do not approach.
    const bool cut = e.rule == "plastic projection" || e.rule == "plastic" ||
                     e.case_name == "energy would grow" ||
                     e.kind == flow::EventKind::tangential_impact;
    const bool alone = !with_friction_ && e.contacts.empty(); // all laws agree
    double r = 0.0;
    if ((contacts_.sides()[k].returns_rate || alone) && !cut)
        r = std::abs(
            std::min(impulse * D, rates_plus_[k] + numbers_.restitution(i) * std::min(minus, 0.0)));
    else
        r = std::max({0.0, -impulse * D, -rates_plus_[k]});
    // Rates that small are zero to the transitions too.
    if (r > k_still_gap * speed_) take(r / scale, report_.impact_complementarity);
    if (tangential.empty()) return;
    double norm = 0.0;
    for (const double t : tangential) norm = std::hypot(norm, t);
    take(std::max(0.0, norm - limiting_friction(i) * impulse) /
             std::max(scale / D, std::abs(impulse)),
         report_.cone);
}

void ContactWatch::finish(Run& run) {
    const motion::Trajectory& t = run.trajectory;
    if (!t.mode.empty() && t.mode != now_.mode && t.status == motion::Status::done) {
        now_.mode = t.mode;
        now_.state = t.state;
        now_.time = t.time;
        now_.field_time = t.field_time;
        look();
    }
    run.contacts = report_;
    if (unwatched_)
        run.warnings.push_back(fmt::format(
            "contacts slide together from t = {:.9g} on, and their common forces are not watched for "
            "the place where they grow without bound: that is done up to {} contacts; each one's own "
            "normal response is watched",
            *unwatched_, realise::k_most_watched_sides));
    // Decisions are exact to rounding, which the response of the contacts may make larger.
    constexpr double k_doubtful = 1e-6;
    const auto warn = [&](double residual, std::string_view condition) {
        if (!(residual <= k_doubtful))
            run.warnings.push_back(
                fmt::format("contacts do not meet {}: relative residual {:.2g}; the motion after "
                            "that decision is in doubt",
                            condition, residual));
    };
    warn(std::max(report_.complementarity, report_.impact_complementarity),
         "their complementarity");
    warn(std::max(report_.cone, report_.direction), "Coulomb's law");
    if (std::max({report_.complementarity, report_.cone, report_.direction}) <= k_doubtful)
        warn(report_.natural, "their conditions together");
    warn(report_.momentum, "the balance of momentum at impacts");
}

} // namespace liaison::record
