// SPDX-License-Identifier: Apache-2.0
// Angular velocities that a heavy gyrostat can have on given levels of its integrals.
//
// A ω̇ = (Aω + λ) × ω + r × ν, ν̇ = ν × ω with ν the unit vertical pointing down. With m = Aω + λ and
// e(ω) = ½ω·Aω − E the integrals say r·ν = e, m·ν = g, |ν| = 1. Such a ν exists, where r and m are independent, iff
// the part of ν in their plane is not longer than one:
//   F(ω) = |r × m|² − (|m|² e² − 2 (r·m) e g + |r|² g²) ≥ 0.
// F = 0 is the surface that envelops the moving hodographs. For a vector ν that does it, F = (ν·(r × m))²: a hodograph
// touches the surface where ν comes into the plane of r and m. Where r ∥ m, that is m = μ r, the inequality says
// g = μ e only, and |e| ≤ |r| has to be asked besides; all ν of a circle belong to such a point. Without weight, r = 0,
// the set is e = 0 with |g| ≤ |m|.
#pragma once

#include <Eigen/Core>

#include <array>
#include <vector>

namespace liaison::analysis {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct GyrostatLevels {
    Matrix3d A = Matrix3d::Identity();
    Vector3d lambda = Vector3d::Zero();
    Vector3d r = Vector3d::Zero(); // weight times centre
    double E = 0.0; // ½ω·Aω − r·ν
    double g = 0.0; // (Aω + λ)·ν

    [[nodiscard]] Vector3d momentum(const Vector3d& omega) const { return A * omega + lambda; }
    [[nodiscard]] double e(const Vector3d& omega) const { return omega.dot(A * omega) / 2.0 - E; }

    // Levels of the motion through a state.
    [[nodiscard]] static GyrostatLevels through(GyrostatLevels body, const Vector3d& omega,
                                                const Vector3d& nu);
};

// F(ω) and its gradient.
[[nodiscard]] double reach(const GyrostatLevels& l, const Vector3d& omega);
[[nodiscard]] Vector3d reach_gradient(const GyrostatLevels& l, const Vector3d& omega);
// What F is compared with: the size of its terms at ω.
[[nodiscard]] double reach_scale(const GyrostatLevels& l, const Vector3d& omega);
// Whether some ν belongs to ω, up to a share of the size of the terms.
[[nodiscard]] bool admissible(const GyrostatLevels& l, const Vector3d& omega,
                              double tolerance = 1e-12);

// The verticals that belong to ω: none, one (on the surface) or two, mirror images in the plane of r and m. Where r and m
// are parallel nothing is told: a whole circle belongs to ω.
[[nodiscard]] std::vector<Vector3d> verticals(const GyrostatLevels& l, const Vector3d& omega);

// Angular velocities with r ∥ m that are admissible: at most three.
[[nodiscard]] std::vector<Vector3d> parallel_points(const GyrostatLevels& l);

// |ω_i| ≤ box_i in the whole set, from |e| ≤ |r|; negative where the set is empty.
[[nodiscard]] Vector3d bounding_box(const GyrostatLevels& l);

// The curve in which the plane ω_axis = value cuts the surface, as polylines of points; closed ones end where they began.
// `cells`: of the grid across the box; vertices lie on the surface to rounding.
using Polyline = std::vector<Vector3d>;
[[nodiscard]] std::vector<Polyline> surface_section(const GyrostatLevels& l, int axis, double value,
                                                    int cells = 120);

} // namespace liaison::analysis
