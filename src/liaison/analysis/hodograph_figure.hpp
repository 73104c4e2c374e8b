// SPDX-License-Identifier: Apache-2.0
// Pictures of a body with a fixed point: the hodograph in its enveloping surface, sections, the trace on the sphere.
#pragma once

#include "liaison/analysis/hodograph.hpp"
#include "liaison/record/svg.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

// Directions of a parallel projection, in degrees: azimuth about the third axis, elevation above the first two.
struct View {
    double azimuth = 35.0;
    double elevation = 22.0;
};

// A plane ω_axis = value.
struct SectionPlane {
    int axis = 2;
    double value = 0.0;
};

// Planes through the first point of contact with the surface, or through the start.
[[nodiscard]] std::vector<SectionPlane> usual_planes(const Hodograph& h);

// The surface as a net of plane sections, its far side pale, with the hodograph in it and dots where it touches.
[[nodiscard]] record::Panel
hodograph_panel(const Hodograph& h, const std::optional<GyrostatLevels>& levels, const View& view);
// The curve in which the plane cuts the surface, and the points in which the hodograph goes through the plane.
[[nodiscard]] record::Panel section_panel(const Hodograph& h, const GyrostatLevels& levels,
                                          const SectionPlane& plane);
// γ = −ν on the unit sphere of the body.
[[nodiscard]] record::Panel sphere_panel(const Hodograph& h, const View& view);

} // namespace liaison::analysis
