// SPDX-License-Identifier: Apache-2.0
// Bolotov's plane of one contact: circle, hyperbola, line and the path of M, beside the solutions at the start.
#include "liaison/ask/bolotov.hpp"

#include "liaison/ask/contacts_here.hpp"
#include "liaison/laws/bolotov.hpp"
#include "liaison/laws/spatial_impact.hpp"
#include "liaison/record/svg.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>

namespace liaison::ask {
namespace {

using Json = nlohmann::ordered_json;
using Eigen::Index;

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json plane_json(const laws::BolotovPlane& plane) {
    Json invariant = Json::array();
    for (const auto& d : plane.invariant)
        invariant.push_back({{"angle", d.angle},
                             {"M", {d.M(0), d.M(1)}},
                             {"growth", d.growth},
                             {"B1", d.response}});
    Json boundary = Json::array();
    for (const auto& b : plane.boundary) boundary.push_back({{"angle", b.angle}, {"rate", b.rate}});
    return {{"circle", plane.radius},
            {"line", {plane.line(0), plane.line(1), plane.line(2)}},
            {"critical_friction", number(plane.critical_friction)},
            {"hyperbola",
             {{"xi2", plane.xi2},
              {"xi_eta", plane.xi_eta},
              {"eta2", plane.eta2},
              {"xi", plane.xi},
              {"eta", plane.eta}}},
            {"centre", {number(plane.centre(0)), number(plane.centre(1))}},
            {"stick", {plane.stick(0), plane.stick(1)}},
            {"invariant", invariant},
            {"boundary", boundary}};
}

// Roots of a x² + b x + c.
std::vector<double> roots(double a, double b, double c) {
    const double whole = std::abs(a) + std::abs(b) + std::abs(c);
    if (std::abs(a) < 1e-12 * whole)
        return std::abs(b) < 1e-12 * whole ? std::vector<double>{} : std::vector<double>{-c / b};
    const double root = b * b - 4.0 * a * c;
    if (root < 0.0) return {};
    return {(-b + std::sqrt(root)) / (2.0 * a), (-b - std::sqrt(root)) / (2.0 * a)};
}

// The hyperbola cut by lines of both directions, so that branches along either axis are seen.
record::Line hyperbola_points(const laws::BolotovPlane& plane, double reach) {
    constexpr int k_points = 360;
    record::Line line{"direction kept", {}, {}, false, true};
    const auto put = [&](double xi, double eta) {
        if (!(std::abs(xi) <= reach) || !(std::abs(eta) <= reach)) return;
        line.x.push_back(xi);
        line.y.push_back(eta);
    };
    for (int i = 0; i <= k_points; ++i) {
        const double at = -reach + 2.0 * reach * i / k_points;
        for (const double eta :
             roots(plane.eta2, plane.xi_eta * at + plane.eta, plane.xi2 * at * at + plane.xi * at))
            put(at, eta);
        for (const double xi :
             roots(plane.xi2, plane.xi_eta * at + plane.xi, plane.eta2 * at * at + plane.eta * at))
            put(xi, at);
    }
    return line;
}

// M = −μ s while the normal impulse grows, dv/dN = c − μ D_tt s, until slip dies out; then the point of stick.
record::Line path_of_m(const laws::SpatialContact& body, const laws::FrictionImpact& impact,
                       Eigen::Vector2d v, const laws::BolotovPlane& plane) {
    record::Line path{"M during the impact", {}, {}};
    const double start = v.norm();
    if (!(impact.normal > 0.0) || !(start > 0.0)) return path;
    constexpr int k_steps = 4000;
    const double h = impact.normal / k_steps;
    const auto rate = [&](const Eigen::Vector2d& w) -> Eigen::Vector2d {
        return body.coupling() - body.sliding * body.tangential() * w.normalized();
    };
    for (int i = 0; i <= k_steps; ++i) {
        const Eigen::Vector2d M = -body.sliding * v.normalized();
        path.x.push_back(M(0));
        path.y.push_back(M(1));
        const Eigen::Vector2d halfway = v + 0.5 * h * rate(v);
        const Eigen::Vector2d next = v + h * rate(halfway);
        // Slip that dies out turns round within a step.
        if (next.norm() < 1e-3 * start || next.dot(v) < 0.0) {
            path.x.push_back(plane.stick(0));
            path.y.push_back(plane.stick(1));
            break;
        }
        v = next;
    }
    return path;
}

// Circle, both branches of the hyperbola, the line B₁' = 0 and the path of M during the impact.
record::Figure plane_figure(const laws::BolotovPlane& plane, const laws::SpatialContact& body,
                            const laws::FrictionImpact& impact, const Eigen::Vector2d& slip,
                            const std::string& contact) {
    const double reach = 1.6 * std::max(plane.radius, plane.stick.norm());
    record::Panel panel;
    panel.x_label = "X/Z";
    panel.y_label = "Y/Z";
    panel.equal_axes = true;
    panel.height = 560.0;
    record::Line circle{"|M| = friction", {}, {}};
    record::Line line{"B1' = 0", {}, {}, true};
    constexpr int k_points = 360;
    for (int i = 0; i <= k_points; ++i) {
        const double a = 2.0 * std::numbers::pi * i / k_points;
        circle.x.push_back(plane.radius * std::cos(a));
        circle.y.push_back(plane.radius * std::sin(a));
    }
    const Eigen::Vector2d normal = plane.line.head<2>();
    if (normal.norm() > 0.0) {
        const Eigen::Vector2d foot = -plane.line(2) / normal.squaredNorm() * normal;
        const Eigen::Vector2d along = Eigen::Vector2d(-normal(1), normal(0)).normalized();
        for (const double t : {-reach, reach}) {
            line.x.push_back(foot(0) + t * along(0));
            line.y.push_back(foot(1) + t * along(1));
        }
    }
    panel.lines = {circle, hyperbola_points(plane, reach), line};
    record::Line path = path_of_m(body, impact, slip, plane);
    if (!path.x.empty()) {
        record::Line ends{"its start and end",
                          {path.x.front(), path.x.back()},
                          {path.y.front(), path.y.back()},
                          false,
                          true};
        panel.lines.push_back(std::move(path));
        panel.lines.push_back(std::move(ends));
    }
    record::Figure figure;
    figure.title = fmt::format("Bolotov's plane of contact {}", contact);
    figure.caption = "slip in direction s is the point M = −μ s of the circle; beyond the line the "
                     "normal response is negative";
    figure.width = 640.0;
    figure.panels.push_back(std::move(panel));
    return figure;
}

} // namespace

std::optional<PainleveAnswer> at_the_start(const model::Model& model,
                                           const analysis::SlipScan& scan,
                                           const std::string& contact, bool bolotov,
                                           Findings& findings) {
    const std::size_t side = scan.side();
    const realise::ContactProblem& problem = *scan.realisation().contacts;
    const auto n = scan.numbers({}, {});
    const auto place = scan.place({}, {});
    if (!n || !n->regular || !place) {
        findings.reason = "the accelerations are not determined at the start";
        return std::nullopt;
    }
    auto [json, text] =
        contacts_here(problem, *n, contact_stiffness(model, scan.realisation(), *n, place->now));
    PainleveAnswer answer{std::move(json), std::move(text), {}};
    if (!bolotov) return answer;
    const auto k = static_cast<Index>(side);
    laws::SpatialContact body{.sliding = n->sliding_plus(k), .sticking = n->sticking(k)};
    const Index t = problem.slip_row(k);
    const std::vector<Index> at{k, t, t + 1};
    body.D = n->D(at, at);
    const auto plane = laws::bolotov_plane(body);
    answer.json["bolotov"] = plane_json(plane);
    answer.text += fmt::format("a paradox needs friction above {:.9g}\n", plane.critical_friction);
    const Eigen::Vector2d v = n->slip.segment(t - n->gap.size(), 2);
    const auto impact =
        laws::spatial_impact(body, std::min(n->rate(k), 0.0), v, 0.0, laws::Restitution::newton);
    answer.figure = plane_figure(plane, body, impact, v, contact);
    return answer;
}

} // namespace liaison::ask
