// SPDX-License-Identifier: Apache-2.0
// Curves in space drawn in parallel projection, what is behind the surface paler.
#include "liaison/analysis/hodograph_figure.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace liaison::analysis {
namespace {

using record::Line;

constexpr double k_gap = std::numeric_limits<double>::quiet_NaN();
constexpr std::array k_names{"p", "q", "r"};
constexpr const char* k_near = "#7a93ad";
constexpr const char* k_far = "#c3ced9";
constexpr const char* k_curve = "#c8501e";
constexpr const char* k_dots = "#1f5fa8";

class Projection {
  public:
    explicit Projection(const View& view) {
        const double a = view.azimuth * std::numbers::pi / 180.0;
        const double e = view.elevation * std::numbers::pi / 180.0;
        toward = {std::cos(e) * std::cos(a), std::cos(e) * std::sin(a), std::sin(e)};
        right = {-std::sin(a), std::cos(a), 0.0};
        up = toward.cross(right);
    }
    Vector3d toward, right, up; // toward the eye

    void put(Line& line, const Vector3d& p) const {
        line.x.push_back(right.dot(p));
        line.y.push_back(up.dot(p));
    }
    static void lift(Line& line) {
        line.x.push_back(k_gap);
        line.y.push_back(k_gap);
    }
};

// A curve in two lines: what looks toward the eye, and what looks away.
void split(const Projection& eye, const Polyline& curve,
           const std::function<bool(const Vector3d&)>& visible, Line& near, Line& far) {
    Line* pen = nullptr;
    for (std::size_t i = 0; i + 1 < curve.size(); ++i) {
        Line* line = visible((curve[i] + curve[i + 1]) / 2.0) ? &near : &far;
        if (line != pen) {
            if (pen != nullptr) Projection::lift(*pen);
            eye.put(*line, curve[i]);
            pen = line;
        }
        eye.put(*line, curve[i + 1]);
    }
    if (pen != nullptr) Projection::lift(*pen);
}

Line styled(std::string label, const char* colour, double width, double opacity = 1.0) {
    Line line;
    line.label = std::move(label);
    line.colour = colour;
    line.width = width;
    line.opacity = opacity;
    return line;
}

// Every so many points that a picture needs.
std::size_t stride(std::size_t points) { return std::max<std::size_t>(1, points / 2000); }

void add_axes(const Projection& eye, double length, const std::array<std::string, 3>& names,
              record::Panel& panel) {
    Line axes = styled("", "#444444", 0.8);
    for (Eigen::Index k = 0; k < 3; ++k) {
        Vector3d tip = Vector3d::Zero();
        tip(k) = length;
        eye.put(axes, Vector3d::Zero());
        eye.put(axes, tip);
        Projection::lift(axes);
        panel.labels.push_back(
            {eye.right.dot(tip), eye.up.dot(tip), names[static_cast<std::size_t>(k)]});
    }
    panel.lines.push_back(std::move(axes));
}

void add_surface(const Projection& eye, const GyrostatLevels& levels, record::Panel& panel,
                 Line& near) {
    constexpr int k_sections = 11;
    constexpr int k_cells = 48;
    Line far = styled("", k_far, 0.6);
    // Outside F < 0: the outer normal is −∇F; without weight it is Aω.
    const auto visible = [&](const Vector3d& p) {
        const Vector3d normal =
            levels.r.norm() == 0.0 ? Vector3d(levels.A * p) : Vector3d(-reach_gradient(levels, p));
        return normal.dot(eye.toward) >= 0.0;
    };
    const Vector3d box = bounding_box(levels);
    for (int axis = 0; axis < 3; ++axis) {
        for (int k = 1; k < k_sections; ++k) {
            const double value = box(axis) * (2.0 * k / k_sections - 1.0);
            for (const Polyline& curve : surface_section(levels, axis, value, k_cells))
                split(eye, curve, visible, near, far);
        }
    }
    panel.lines.push_back(std::move(far));
}

} // namespace

std::vector<SectionPlane> usual_planes(const Hodograph& h) {
    const Vector3d p = h.touches.empty() ? h.omega.front() : h.touches.front().omega;
    return {{0, p(0)}, {1, p(1)}, {2, p(2)}};
}

record::Panel hodograph_panel(const Hodograph& h, const std::optional<GyrostatLevels>& levels,
                              const View& view) {
    const Projection eye(view);
    record::Panel panel;
    panel.bare = true;
    panel.equal_axes = true;
    panel.height = 460.0;
    Line near = styled(levels ? "surface of the levels" : "", k_near, 0.7, 0.75);
    if (levels) add_surface(eye, *levels, panel, near);
    double length = 0.0;
    for (const Vector3d& p : h.omega) length = std::max(length, p.norm());
    if (levels) length = std::max(length, bounding_box(*levels).maxCoeff());
    add_axes(eye, 1.1 * length, {"p", "q", "r"}, panel);
    Line curve = styled("hodograph of ω in the body", k_curve, 1.5);
    const std::size_t step = stride(h.omega.size());
    for (std::size_t i = 0; i < h.omega.size(); i += step) eye.put(curve, h.omega[i]);
    panel.lines.push_back(std::move(curve));
    panel.lines.push_back(std::move(near));
    if (!h.touches.empty()) {
        Line dots = styled("touching", k_dots, 1.0);
        dots.dots = true;
        for (const Touch& t : h.touches) eye.put(dots, t.omega);
        panel.lines.push_back(std::move(dots));
    }
    return panel;
}

record::Panel section_panel(const Hodograph& h, const GyrostatLevels& levels,
                            const SectionPlane& plane) {
    const Eigen::Index axis = plane.axis, first = (axis + 1) % 3, second = (axis + 2) % 3;
    record::Panel panel;
    panel.equal_axes = true;
    panel.height = 300.0;
    panel.x_label = k_names[static_cast<std::size_t>(first)];
    panel.y_label = k_names[static_cast<std::size_t>(second)];
    Line curve = styled(fmt::format("section {} = {:.6g} of the surface",
                                    k_names[static_cast<std::size_t>(axis)], plane.value),
                        k_near, 1.4);
    for (const Polyline& line : surface_section(levels, plane.axis, plane.value, 120)) {
        for (const Vector3d& p : line) {
            curve.x.push_back(p(first));
            curve.y.push_back(p(second));
        }
        Projection::lift(curve);
    }
    panel.lines.push_back(std::move(curve));
    Line through = styled("hodograph through the plane", k_curve, 1.0);
    through.dots = true;
    for (std::size_t i = 0; i + 1 < h.omega.size() && through.x.size() < 2000; ++i) {
        const double a = h.omega[i](axis) - plane.value, b = h.omega[i + 1](axis) - plane.value;
        if (a * b > 0.0 || a == b) continue;
        const Vector3d p = h.omega[i] + a / (a - b) * (h.omega[i + 1] - h.omega[i]);
        through.x.push_back(p(first));
        through.y.push_back(p(second));
    }
    panel.lines.push_back(std::move(through));
    return panel;
}

record::Panel sphere_panel(const Hodograph& h, const View& view) {
    const Projection eye(view);
    record::Panel panel;
    panel.bare = true;
    panel.equal_axes = true;
    panel.height = 380.0;
    constexpr int k_points = 72;
    Line near = styled("", "#9aa5b1", 0.6), far = styled("", "#dde2e8", 0.5);
    const auto visible = [&](const Vector3d& p) { return p.dot(eye.toward) >= 0.0; };
    const auto circle = [&](const std::function<Vector3d(double)>& at) {
        Polyline line;
        for (int k = 0; k <= k_points; ++k)
            line.push_back(at(2.0 * std::numbers::pi * k / k_points));
        split(eye, line, visible, near, far);
    };
    for (int k = -2; k <= 2; ++k) { // parallels every 30°
        const double z = std::sin(k * std::numbers::pi / 6.0), c = std::sqrt(1.0 - z * z);
        circle([&](double a) { return Vector3d(c * std::cos(a), c * std::sin(a), z); });
    }
    for (int k = 0; k < 6; ++k) { // meridians
        const double m = k * std::numbers::pi / 6.0;
        circle([&](double a) {
            return Vector3d(std::cos(a) * std::cos(m), std::cos(a) * std::sin(m), std::sin(a));
        });
    }
    for (int k = 0; k <= k_points; ++k) { // the rim
        const double a = 2.0 * std::numbers::pi * k / k_points;
        eye.put(near, std::cos(a) * eye.right + std::sin(a) * eye.up);
    }
    panel.lines.push_back(std::move(far));
    Line behind = styled("", k_curve, 1.0, 0.35),
         front = styled("trace of γ on the sphere", k_curve, 1.5);
    Polyline trace;
    const std::size_t step = stride(h.nu.size());
    for (std::size_t i = 0; i < h.nu.size(); i += step) trace.emplace_back(-h.nu[i]);
    split(eye, trace, visible, front, behind);
    panel.lines.push_back(std::move(behind));
    panel.lines.push_back(std::move(near));
    panel.lines.push_back(std::move(front));
    add_axes(eye, 1.25, {"γ₁", "γ₂", "γ₃"}, panel);
    return panel;
}

} // namespace liaison::analysis
