// SPDX-License-Identifier: Apache-2.0
// Reads certified facts about a guard in time order and tells crossings from grazes.
//
// Facts are checkpoints (x, sign of g there or 0 inside the band) joined by links (what is known of P between two
// checkpoints). The rule: a stay in the band that ends on the other side is a root; one that ends on the
// same side is a graze.
#pragma once

#include "liaison/solve/polynomial.hpp"
#include "liaison/solve/scaled_polynomial.hpp"

namespace liaison::solve {

enum class Link {
    clear, // |P| > ρ all along, or the two checkpoints are the same point
    single, // P passes through the band exactly once
    rising, // P strictly increasing
    falling, // P strictly decreasing
    flat // nothing certain: P stays within rounding of the band
};

class CrossingScan {
  public:
    // `side`: the sign of g just after t = 0; `in_band`: |P(0)| ≤ ρ. With `only_first`, facts after the
    // first root are ignored.
    CrossingScan(const ScaledPolynomial& q, const RootQuery& query, int side, bool in_band,
                 bool only_first, std::vector<Root>& roots, std::vector<Graze>& grazes);

    // The next checkpoint; x does not decrease.
    void advance(double x, int sign, Link link);
    // Where the next root is likely, for a quick start of its search.
    void expect(double x) { expected_ = x; }
    // The end of the step.
    void finish();

    [[nodiscard]] int side() const { return side_; }
    [[nodiscard]] bool in_band() const { return in_band_; }
    [[nodiscard]] bool overflowed() const { return overflowed_; }
    [[nodiscard]] bool done() const { return done_; }

  private:
    void consider(double x);
    void leave_band(double x, int sign);
    void add_crossing(double upper, bool certain);
    void add_graze(double upper, bool at_end);
    [[nodiscard]] bool touches_last_graze() const;
    [[nodiscard]] bool turned() const { return flat_ || (rose_ && fell_); }

    const ScaledPolynomial& q_;
    const RootQuery& query_;
    std::vector<Root>& roots_;
    std::vector<Graze>& grazes_;

    int side_;
    bool in_band_;
    bool only_first_;
    bool done_ = false;
    bool graze_ended_flat_ = false;
    Link last_link_ = Link::clear;
    bool overflowed_ = false;
    double expected_ = -1; // negative: nothing is known
    double last_out_ = 0; // last checkpoint outside the band (or the start)
    double last_x_ = 0;
    // What happened since last_out_.
    bool from_start_;
    bool rose_ = false;
    bool fell_ = false;
    bool flat_ = false;
    bool began_flat_ = false;
    double extreme_x_ = 0;
    double extreme_value_ = 0; // smallest side·P seen inside the band
};

} // namespace liaison::solve
