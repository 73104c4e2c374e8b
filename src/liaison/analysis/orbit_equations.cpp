// SPDX-License-Identifier: Apache-2.0
// Assembly of continuity, guards and closure.
#include "liaison/analysis/orbit_equations.hpp"

#include "liaison/flow/probe.hpp"

#include <fmt/format.h>

#include <limits>

namespace liaison::analysis {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

OrbitEquations::OrbitEquations(std::shared_ptr<const flow::SaltationRule> rule, PieceMap& pieces,
                               std::vector<Leg> legs, Closure closure, double period,
                               std::vector<std::size_t> drift,
                               std::shared_ptr<const Involution> symmetry)
    : rule_(std::move(rule)), pieces_(pieces), legs_(std::move(legs)), ends_(legs_.size()),
      known_(legs_.size()), closure_(closure), length_(period), drift_(std::move(drift)),
      symmetry_(std::move(symmetry)), rows_(static_cast<Index>(rule_->atoms().rows())) {
    anchor_ = legs_.front().w;
    if (closure_ != Closure::by_phase) return;
    const PieceEnd here = pieces_.run(legs_.front().time, anchor_, legs_.front().mode, 0.0);
    direction_ = here.reached ? rule_->field(here.instant) : VectorXd::Zero(rows_);
    if (direction_.norm() > 0.0) direction_.normalize();
}

void OrbitEquations::set_parameters(const std::vector<double>& values, double length,
                                    double length_rate) {
    if (values != parameters_) {
        pieces_.set_parameters(values);
        parameters_ = values;
        ++parameters_set_;
    }
    if (closure_ != Closure::forced) return;
    length_ = length;
    length_rate_ = length_rate;
}

void OrbitEquations::set_legs(std::vector<Leg> legs) {
    legs_ = std::move(legs);
    ends_.resize(legs_.size());
    known_.assign(legs_.size(), {});
}

Index OrbitEquations::size() const {
    return static_cast<Index>(legs_.size()) * (rows_ + 1) - (closure_ == Closure::forced ? 1 : 0);
}

VectorXd OrbitEquations::unknowns() const {
    VectorXd X(size());
    for (std::size_t i = 0; i < legs_.size(); ++i) {
        X.segment(offset(i), rows_) = legs_[i].w;
        if (!timed(i)) X(offset(i) + rows_) = legs_[i].duration;
    }
    return X;
}

double OrbitEquations::period() const {
    double sum = 0.0;
    for (const Leg& leg : legs_) sum += leg.duration;
    return closure_ == Closure::forced ? length_ : sum;
}

void OrbitEquations::unpack(const VectorXd& X) {
    double passed = 0.0;
    for (std::size_t i = 0; i < legs_.size(); ++i) {
        Leg& leg = legs_[i];
        leg.time = legs_.front().time + passed;
        leg.w = X.segment(offset(i), rows_);
        leg.duration = timed(i) ? length_ - passed : X(offset(i) + rows_);
        passed += leg.duration;
    }
}

bool OrbitEquations::follow(std::size_t i) {
    const Leg& leg = legs_[i];
    auto& [newer, older] = known_[i];
    const auto is = [&](const Known& k) {
        return k.parameters == parameters_set_ && k.time == leg.time &&
               k.duration == leg.duration && k.w == leg.w;
    };
    if (!is(newer)) {
        std::swap(newer, older);
        if (!is(newer)) {
            newer.parameters = 0;
            if (!compute(i)) return false;
            newer = {parameters_set_, leg.time, leg.duration, leg.w, ends_[i]};
            return true;
        }
    }
    ends_[i] = newer.end;
    return true;
}

bool OrbitEquations::compute(std::size_t i) {
    const Leg& leg = legs_[i];
    LegEnd& end = ends_[i];
    // Two events that change their order are passed smoothly: the leg between them may end before it begins, by a small
    // part of the whole.
    constexpr double k_back = 1e-3;
    end.piece = pieces_.run(leg.time, leg.w, leg.mode, leg.duration, k_back * period());
    if (!end.piece.reached) {
        obstacle_ = fmt::format("leg {} of {}: {}", i + 1, legs_.size(), end.piece.reason);
        return false;
    }
    end.w = end.piece.w;
    end.after = end.piece.instant;
    if (leg.fired.empty()) return true;
    end.event = rule_->transit(leg.fired, end.after);
    if (end.event.outcome.fail) {
        obstacle_ = fmt::format("leg {} of {}: {}", i + 1, legs_.size(), end.event.outcome.reason);
        return false;
    }
    const flow::Atoms& atoms = rule_->atoms();
    for (std::size_t k = 0; k < atoms.n_states; ++k)
        end.w(static_cast<Index>(k)) = end.after.state[k];
    for (std::size_t k = 0; k < atoms.slots.size(); ++k)
        end.w(static_cast<Index>(atoms.n_states + k)) = end.after.mode[atoms.slots[k]];
    return true;
}

// With dt_i the shift of the start of the leg, dτ_i of its duration: the end moves by Φ dY + Φ_t dt + f dτ, its
// time by dt + dτ.
void OrbitEquations::put_jacobian(std::size_t i, MatrixXd& J) const {
    const LegEnd& end = ends_[i];
    const Index row = offset(i);
    const VectorXd field = rule_->field(end.piece.instant);
    const bool event = !legs_[i].fired.empty();
    MatrixXd reset = MatrixXd::Identity(rows_, rows_);
    VectorXd reset_time = VectorXd::Zero(rows_);
    Eigen::RowVectorXd g;
    if (event) {
        reset = end.event.reset.matrix.leftCols(rows_);
        reset_time = end.event.reset.matrix.col(rows_);
        g = rule_->gradient(legs_[i].fired.front().guard, end.piece.instant);
    }
    if (turned(i)) {
        const MatrixXd turn = symmetry_->by_state(end.w, end.piece.instant.parameters);
        reset = turn * reset;
        reset_time = turn * reset_time;
    }
    const VectorXd by_start = reset * end.piece.by_time + reset_time;
    const VectorXd by_duration = reset * field + reset_time;
    J.block(row, offset(i), rows_, rows_) += reset * end.piece.by_state;
    if (event) J.block(row + rows_, offset(i), 1, rows_) = g.head(rows_) * end.piece.by_state;
    for (std::size_t k = 0; k <= i; ++k) {
        if (timed(k)) continue;
        const Index column = offset(k) + rows_;
        // Earlier durations shift the start; the last leg of a forced orbit loses what they gain.
        VectorXd moved = k < i ? by_start : by_duration;
        if (timed(i)) moved = by_start - by_duration;
        J.col(column).segment(row, rows_) += moved;
        if (event) {
            const VectorXd inner = k < i ? end.piece.by_time : field;
            J(row + rows_, column) = g.head(rows_).dot(inner) + g(rows_);
        }
    }
    const std::size_t next = (i + 1) % legs_.size();
    J.block(row, offset(next), rows_, rows_) -= MatrixXd::Identity(rows_, rows_);
    if (next == 0) {
        for (const std::size_t c : drift_) {
            J.row(row + static_cast<Index>(c)).setZero();
            J(row + static_cast<Index>(c), offset(0) + static_cast<Index>(c)) = 1.0;
        }
    }
    if (closure_ == Closure::by_phase) J.row(row + rows_).head(rows_) = direction_.transpose();
}

// At constant Y and τ the parameter moves the end of a leg and the guard there; it stretches the last leg of a
// forced orbit with the period.
void OrbitEquations::put_parameter(std::size_t i) {
    const LegEnd& end = ends_[i];
    const Index row = offset(i);
    VectorXd moved = end.piece.by_parameter;
    if (timed(i)) moved += rule_->field(end.piece.instant) * length_rate_;
    if (!legs_[i].fired.empty()) {
        const Eigen::RowVectorXd g =
            rule_->gradient(legs_[i].fired.front().guard, end.piece.instant);
        by_parameter_(row + rows_) = g.head(rows_).dot(moved) + g(rows_ + 1);
        moved =
            end.event.reset.matrix.leftCols(rows_) * moved + end.event.reset.matrix.col(rows_ + 1);
    }
    if (turned(i)) {
        const auto& parameters = end.piece.instant.parameters;
        moved = symmetry_->by_state(end.w, parameters) * moved +
                symmetry_->by_parameter(end.w, parameters, rule_->atoms().parameters.front());
    }
    by_parameter_.segment(row, rows_) = moved;
    if (i + 1 < legs_.size()) return;
    for (const std::size_t c : drift_) by_parameter_(row + static_cast<Index>(c)) = 0.0;
}

void OrbitEquations::operator()(const VectorXd& X, VectorXd& r, MatrixXd* J) {
    unpack(X);
    obstacle_.clear();
    r = VectorXd::Constant(size(), std::numeric_limits<double>::quiet_NaN());
    if (J != nullptr) *J = MatrixXd::Zero(size(), size());
    for (std::size_t i = 0; i < legs_.size(); ++i) {
        if (!follow(i)) return;
    }
    const bool parametric = J != nullptr && !rule_->atoms().parameters.empty();
    if (parametric) by_parameter_ = VectorXd::Zero(size());
    for (std::size_t i = 0; i < legs_.size(); ++i) {
        const std::size_t next = (i + 1) % legs_.size();
        const VectorXd arrived =
            turned(i) ? symmetry_->image(ends_[i].w, ends_[i].piece.instant.parameters)
                      : ends_[i].w;
        r.segment(offset(i), rows_) = arrived - legs_[next].w;
        if (next == 0) {
            for (const std::size_t c : drift_) {
                const auto k = static_cast<Index>(c);
                r(offset(i) + k) = legs_.front().w(k) - anchor_(k);
            }
        }
        if (!legs_[i].fired.empty()) {
            const std::size_t guard = legs_[i].fired.front().guard;
            r(offset(i) + rows_) = rule_->value(guard, ends_[i].piece.instant);
        } else if (closure_ == Closure::by_phase) {
            r(offset(i) + rows_) = direction_.dot(legs_[i].w - anchor_);
        }
        if (J != nullptr) put_jacobian(i, *J);
        if (parametric) put_parameter(i);
    }
}

} // namespace liaison::analysis
