// SPDX-License-Identifier: Apache-2.0
// Curves of special points over two parameters: where folds, doublings, grazing and changes of sliding move to.
//
// A special point of a branch is a zero of a test function φ. With a second parameter free,
//   F(X, µ, ν) = 0,   φ(X, µ, ν) = 0
// is a curve; it is followed by pseudo-arclength like a branch. Tests are scalar: of multipliers for doublings, losses of
// symmetry and Neimark–Sacker points; for folds the last entry g of the solution of [F_X b; cᵀ 0] (v, g) = (0, 1), which
// vanishes with det F_X (Govaerts 2000); for a touching the extreme value of the guard over its leg; for an impact that is
// lost the speed at its guard; for crossing-sliding the rate of the guard after it.
#pragma once

#include "liaison/analysis/branch.hpp"

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

struct SecondParameter {
    std::size_t parameter = 0; // of the flow
    double low = 0.0;
    double high = 0.0;
    double largest_step = 0.03; // as a share of the ranges
    std::size_t most_points = 200; // in each direction
};

struct SpecialCurvePoint {
    double first = 0.0; // the parameter of the branch
    double second = 0.0;
    double period = 0.0;
    std::vector<std::complex<double>> multipliers;
    std::optional<bool> admissible; // not told where the point is the boundary of what is a motion
};

struct SpecialCurve {
    std::string kind;
    std::size_t from = 0; // index of the special point
    std::vector<SpecialCurvePoint> points; // along the curve; empty: see `reason`
    std::string reason;
    std::vector<std::string> notes; // why an end is one, where it is not the end of a range
};

// One curve for each special point of the branch that has a test; ends have none.
[[nodiscard]] std::vector<SpecialCurve>
follow_special_points(const std::shared_ptr<const flow::Flow>& flow, const BranchOptions& options,
                      const Branch& branch, const SecondParameter& second);

} // namespace liaison::analysis
