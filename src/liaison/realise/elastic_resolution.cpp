// SPDX-License-Identifier: Apache-2.0
// Rounding of gaps against the compression of springs.
#include "liaison/realise/elastic_resolution.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/realise/spring_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace liaison::realise {
namespace {

// Roundings that make a compression: below, the sign of the gap in contact is chance.
constexpr double k_seen = 16.0;
// Part of the whole time that a contact must last to be stepped through.
constexpr double k_instant = 64e-15;

// The start, moved along the gradient of the gap to where the gap is zero: q − g ∇g/|∇g|².
prepare::Point at_contact(const prepare::Evaluator& evaluator, prepare::Point point, expr::Expr gap,
                          std::span<const expr::Expr> coordinates) {
    const double g = evaluator.at(point, gap);
    const auto slope = evaluator.at(point, expr::gradient(gap, coordinates));
    double square = 0.0;
    for (const double s : slope) square += s * s;
    if (!(square > 0.0)) return point;
    for (std::size_t i = 0; i < slope.size(); ++i) point.q[i] -= g * slope[i] / square;
    return point;
}

} // namespace

expr::Expr gap_rounding(expr::Expr gap, std::span<const expr::Expr> coordinates, expr::Expr time) {
    expr::Expr sum = expr::abs(expr::differentiate(gap, time) * time);
    for (const expr::Expr q : coordinates) sum = sum + expr::abs(expr::differentiate(gap, q) * q);
    return expr::Number(std::numeric_limits<double>::epsilon()) * sum;
}

Compression compression(double frequency, double rate, double acceleration, double rounding) {
    const double by_rate = std::abs(rate) / frequency;
    const double by_weight = std::max(0.0, -acceleration) / (frequency * frequency);
    Compression c;
    c.depth = std::max(by_rate, by_weight);
    c.rounding = rounding;
    const double least = k_seen * rounding;
    c.resolved = c.depth >= least;
    const double share = by_weight > 0.0 ? by_weight / least : std::pow(by_rate / least, 2);
    c.bearable = std::fmin(1.0, share);
    return c;
}

void report_springs(const model::Model& model, const prepare::Point& start, double tolerance,
                    double until, base::Diagnostics& diagnostics) {
    const auto springs = spring_facts(model, start);
    report_contradiction(model, springs, diagnostics);
    std::vector<expr::Expr> coordinates;
    for (const model::Coordinate& c : model.coordinates) coordinates.push_back(c.q);
    const prepare::Evaluator evaluator(model);
    double speed = 1.0; // tolerances are relative to velocities above one
    for (const double v : start.v) speed = std::max(speed, std::abs(v));
    const double instant = k_instant * std::max(std::abs(until), std::abs(until - start.time));
    std::size_t side = 0;
    for (const model::Contact& contact : model.contacts) {
        bool told = false;
        for (const model::Contact::Side& s : contact.sides) {
            const SpringFacts& spring = springs[side++];
            if (!spring.frequency || told) continue;
            const auto there = at_contact(evaluator, start, s.gap.expr, coordinates);
            const double rounding =
                evaluator.at(there, gap_rounding(s.gap.expr, coordinates, model.t));
            const double omega = *spring.frequency;
            const double stiffness = evaluator.at(start, contact.elastic.stiffness.expr);
            const auto tell = [&](std::string what, std::string remedy) {
                told = true;
                diagnostics.report(base::Code::stiffness_beyond_tolerance, std::move(what))
                    .at(contact.elastic.stiffness.span)
                    .note(std::move(remedy));
            };
            if (omega * instant > 1.0) {
                tell(fmt::format("contact {} is stiffer than time can resolve: it lasts {:.2g} in "
                                 "a motion until {:.6g}",
                                 spring.name, std::numbers::pi / omega, until),
                     fmt::format("up to stiffness = {:.1e} can be followed",
                                 stiffness * std::pow(omega * instant, -2)));
            } else if (const double unknown = omega * rounding; unknown > tolerance * speed) {
                tell(fmt::format("contact {} is stiffer than the tolerance {:.3g} can follow: its "
                                 "gap is known to {:.2g}, which is worth a velocity of {:.2g} "
                                 "while it is pressed",
                                 spring.name, tolerance, rounding, unknown),
                     fmt::format("the tolerance is kept up to stiffness = {:.1e}; this stiffness "
                                 "keeps a tolerance of {:.1e}",
                                 stiffness * std::pow(tolerance * speed / unknown, 2),
                                 unknown / speed));
            }
        }
    }
}

} // namespace liaison::realise
