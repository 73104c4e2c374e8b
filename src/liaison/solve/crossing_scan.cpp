// SPDX-License-Identifier: Apache-2.0
// The rule that makes roots and grazes out of certified checkpoints.
#include "liaison/solve/crossing_scan.hpp"

#include "liaison/solve/horner.hpp"
#include "liaison/solve/polish.hpp"

#include <cmath>
#include <limits>

namespace liaison::solve {

namespace {
constexpr double k_nothing_seen = std::numeric_limits<double>::infinity();
}

CrossingScan::CrossingScan(const ScaledPolynomial& q, const RootQuery& query, int side,
                           bool in_band, bool only_first, std::vector<Root>& roots,
                           std::vector<Graze>& grazes)
    : q_(q), query_(query), roots_(roots), grazes_(grazes), side_(side), in_band_(in_band),
      only_first_(only_first), from_start_(in_band), extreme_value_(k_nothing_seen) {
    if (in_band) consider(0);
}

void CrossingScan::advance(double x, int sign, Link link) {
    if (done_) return;
    if (x > last_x_ && last_x_ == last_out_) began_flat_ = link == Link::flat;
    if (x > last_x_) last_link_ = link;
    rose_ |= link == Link::rising;
    fell_ |= link == Link::falling;
    if (link == Link::flat) {
        flat_ = true;
        in_band_ = true;
        consider(0.5 * (last_x_ + x));
        consider(x);
    }
    last_x_ = x;
    if (sign == 0) {
        in_band_ = true;
        consider(x);
    } else {
        leave_band(x, sign);
    }
}

void CrossingScan::leave_band(double x, int sign) {
    if (sign != side_) {
        add_crossing(x, !from_start_);
        side_ = sign;
    } else if (in_band_) {
        // Just leaving a root at the start that was announced is not a graze.
        const bool leaving_known_root = from_start_ && query_.start_multiplicity > 0 && !turned();
        if (!leaving_known_root) add_graze(x, false);
    }
    in_band_ = from_start_ = rose_ = fell_ = flat_ = began_flat_ = false;
    last_out_ = x;
    extreme_value_ = k_nothing_seen;
}

void CrossingScan::finish() {
    if (done_ || !in_band_) return;
    const CertifiedValue at_end = compensated_horner(q_.a, q_.sigma);
    const int sign = at_end.sign_beyond(0);
    const double slope = horner_with_slope(q_.a, q_.sigma).slope;
    const bool ends_on_zero = sign == 0 && !turned() && side_ * slope < 0;
    if (sign == -side_ || ends_on_zero) {
        add_crossing(q_.sigma, false);
        side_ = -side_;
    } else if (turned() || sign == 0) {
        add_graze(q_.sigma, true);
    }
}

// Remembers the point of the band that lies farthest towards the other side.
void CrossingScan::consider(double x) {
    const double value = side_ * compensated_horner(q_.a, x).value;
    if (value < extreme_value_) {
        extreme_value_ = value;
        extreme_x_ = x;
    }
}

// One stay near zero without certain facts may be read in several pieces.
bool CrossingScan::touches_last_graze() const {
    return began_flat_ && graze_ended_flat_ && grazes_.back().side == side_ &&
           grazes_.back().upper == q_.time(last_out_);
}

void CrossingScan::add_crossing(double upper, bool certain) {
    const Crossing direction = side_ > 0 ? Crossing::down : Crossing::up;
    if (query_.direction != Crossing::both && query_.direction != direction) return;
    if (roots_.size() == roots_.capacity()) {
        overflowed_ = true;
        return;
    }
    const PolishedRoot root = polish_root(q_, last_out_, upper, side_, expected_);
    const double doubt = (q_.band(root.x) + root.error) / std::fabs(root.slope);
    roots_.push_back({.time = q_.time(root.x),
                      .correction = q_.time(root.correction),
                      .lower = q_.time(root.lower),
                      .upper = q_.time(root.upper),
                      .derivative = q_.guard_slope(root.x, root.slope),
                      .location_error = q_.time(std::fmin(doubt, q_.sigma)),
                      .direction = direction,
                      .simple = !turned(),
                      .certain = certain});
    done_ = only_first_;
}

void CrossingScan::add_graze(double upper, bool at_end) {
    if (touches_last_graze()) {
        Graze& last = grazes_.back();
        const double value = q_.guard_value(extreme_x_, side_ * extreme_value_);
        if (side_ * value < side_ * last.value) {
            last.time = q_.time(extreme_x_);
            last.value = value;
        }
        last.upper = q_.time(upper);
        last.at_end = at_end;
        graze_ended_flat_ = last_link_ == Link::flat;
        return;
    }
    if (grazes_.size() == grazes_.capacity()) {
        overflowed_ = true;
        return;
    }
    grazes_.push_back({.time = q_.time(extreme_x_),
                       .value = q_.guard_value(extreme_x_, side_ * extreme_value_),
                       .lower = q_.time(last_out_),
                       .upper = q_.time(upper),
                       .side = side_,
                       .at_start = from_start_,
                       .at_end = at_end});
    graze_ended_flat_ = last_link_ == Link::flat;
}

}  // namespace liaison::solve
