// SPDX-License-Identifier: Apache-2.0
// Pieces counted in steps, the reach of other orders by its growth, the work of both.
#include "liaison/motion/order_study.hpp"

#include "liaison/compile/step_rule.hpp"
#include "liaison/compile/taylor_step.hpp"
#include "liaison/compile/taylor_sums.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::motion {
namespace {

constexpr int k_watched = 64; // steps of each phase
constexpr int k_patience = 4 * k_watched;
constexpr std::size_t k_pieces = 8; // fewer say nothing
constexpr double k_spare = 1.04; // the reach is known to a few percent
constexpr double k_saving = 0.97; // of the work; below it a change is not worth its trouble

double whole_steps(double length) { return std::max(1.0, std::ceil(length)); }

// ln of the reach of an order: h = ρ (s·tol)^{1/N} for a finite radius ρ, and (N!)^{1/N} times that for an entire
// motion, whose coefficients fall like 1/k!.
double of_tolerance(double tolerance, unsigned order) {
    return std::log(compile::k_share * tolerance) / order;
}
double of_factorial(unsigned order) { return std::lgamma(order + 1.0) / order; }

} // namespace

unsigned OrderStudy::other() const {
    if (phase_ == Phase::trying && order_ > first_) return first_;
    return std::max(3U, 2 * order_ / 3);
}

std::optional<double> OrderStudy::elapsed(solve::DoubleLength time) const {
    if (!begun_) return std::nullopt;
    const double length = (time - *begun_).rounded();
    if (!(length > 0.0)) return std::nullopt;
    return length;
}

void OrderStudy::begin(solve::DoubleLength time, double reach, double reach_of_other) {
    begun_ = time;
    reach_ = reach;
    reach_of_other_ = reach_of_other;
}

void OrderStudy::restart() {
    begun_.reset();
    steps_ = 0;
    piece_ = {};
    pieces_.clear();
    growth_ = 0.0;
    compared_ = 0.0;
    rounding_ = 0.0;
}

std::optional<unsigned> OrderStudy::end(solve::DoubleLength time, double rounding,
                                        const compile::TaylorPlan& plan) {
    const auto length = elapsed(time);
    const bool endless = ++calls_ > k_patience; // many short motions, none long enough
    if (!length || endless) {
        restart();
        if (!endless) return std::nullopt;
        const bool trying = phase_ == Phase::trying;
        settle();
        return trying ? std::optional(first_) : std::nullopt;
    }
    const bool limited = *length < 0.999 * reach_; // by an event
    piece_.length += limited ? *length / reach_ : 1.0;
    piece_.other += *length / reach_of_other_;
    ++piece_.steps;
    rounding_ = std::max(rounding_, rounding);
    if (std::isfinite(reach_) && reach_of_other_ > 0.0 && std::isfinite(reach_of_other_)) {
        // Steps that an event ends early are nearly polynomials often enough; what counts is the way.
        const double weight = std::min(1.0, *length / reach_);
        growth_ += weight * std::log(reach_ / reach_of_other_);
        compared_ += weight;
    }
    if (limited) {
        pieces_.push_back(piece_);
        piece_ = {};
    }
    if (++steps_ < k_watched) return std::nullopt;

    if (phase_ == Phase::watching) {
        const unsigned wanted = pieces_.size() < k_pieces ? order_ : best(plan);
        if (wanted == order_) {
            settle();
            return std::nullopt;
        }
        phase_ = Phase::trying;
        order_ = wanted;
        restart();
        return order_;
    }
    const bool keep = worth_it(plan);
    settle();
    if (keep) return std::nullopt;
    order_ = first_;
    return order_;
}

// Reach of another order in units of the present one; how far the coefficients fall like those of an entire motion is
// read off the two orders that were told.
double OrderStudy::gain(unsigned order) const {
    const double geometric = of_tolerance(tolerance_, order_) - of_tolerance(tolerance_, other());
    const double factorial = of_factorial(order_) - of_factorial(other());
    const double entire = std::clamp((growth_ / compared_ - geometric) / factorial, 0.0, 1.0);
    return std::exp(of_tolerance(tolerance_, order) - of_tolerance(tolerance_, order_) +
                    entire * (of_factorial(order) - of_factorial(order_)));
}

unsigned OrderStudy::best(const compile::TaylorPlan& plan) const {
    if (compared_ == 0.0) return order_;
    unsigned best = order_;
    double least = 0.0;
    for (const Piece& p : pieces_) least += p.steps;
    least *= k_saving * compile::step_work(plan, order_, proof_);
    for (unsigned order = other(); order <= compile::k_largest_order; ++order) {
        if (order == order_) continue;
        const double reach = gain(order) / k_spare;
        double steps = 0.0;
        for (const Piece& p : pieces_) steps += whole_steps(p.length / reach);
        const double work = steps * compile::step_work(plan, order, proof_);
        if (work >= least) continue;
        least = work;
        best = order;
    }
    return best;
}

// On the pieces met while trying: what the first order would have needed there is known, not guessed, when it is the
// lower one.
bool OrderStudy::worth_it(const compile::TaylorPlan& plan) const {
    if (rounding_ > 1.0 || pieces_.size() < k_pieces) return false;
    double now = 0.0;
    double before = 0.0;
    const double reach = order_ > first_ || compared_ == 0.0 ? 1.0 : gain(first_);
    for (const Piece& p : pieces_) {
        now += p.steps;
        before += whole_steps(order_ > first_ ? p.other : p.length / reach);
    }
    return now * compile::step_work(plan, order_, proof_) <
           k_saving * before * compile::step_work(plan, first_, proof_);
}

} // namespace liaison::motion
