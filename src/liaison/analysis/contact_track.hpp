// SPDX-License-Identifier: Apache-2.0
// Motions with contacts or relays at common times, and the metric of their gaps: what studies of realisations share.
#pragma once

#include "liaison/base/interrupt.hpp"
#include "liaison/flow/event.hpp"
#include "liaison/laws/damped_contact.hpp"
#include "liaison/model/model.hpp"
#include "liaison/motion/steppers.hpp"
#include "liaison/prepare/point.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

// Positions, velocities and reactions at the common times.
struct Track {
    std::vector<prepare::Point> points;
    std::vector<std::vector<double>> reactions; // by time, by contact side
    std::vector<flow::Event> events;
    std::vector<char> closed_at_start; // by contact side
    bool has_relays = false; // some surface can be slid on
    bool slides_at_start = false; // on the surface of some relay
    std::uint64_t steps = 0;
    double smallest_gap = 0.0; // of all sides, over the whole motion
    std::string failed; // why the motion did not reach its end
};

// `layer`: relays smoothed over this width instead of switching.
Track follow(const model::Model& model, const prepare::Point& start, double until, double tolerance,
             const std::vector<double>& times, std::optional<double> layer = {},
             const motion::MethodOptions& method = {}, base::Interrupt interrupt = nullptr);

// Gap, rate and metric of one contact side as expressions.
struct ContactMetric {
    std::string name; // "stop", "stop lower"
    std::size_t contact = 0;
    expr::Expr gap, rate, mass;
    std::vector<expr::Expr> row; // W by velocity, zeros filled in
    std::vector<expr::Expr> response; // M⁻¹Wᵀ
    expr::Expr profile; // B of the elastic realisation
};
std::vector<ContactMetric> contact_metrics(const model::Model& model);

// The start compressed by what the reactions ask for: gap = −R/(N B), gap rate 0, the rest unchanged in the kinetic
// metric. `reactions` by side, those of the rigid motion at its start.
prepare::Point compressed(const prepare::Evaluator& evaluator,
                          const std::vector<ContactMetric>& sides,
                          const std::vector<double>& reactions, prepare::Point point,
                          double stiffness);

// ζ of the elastic contact: given, or the one that gives its restitution; 0 for a fixed coefficient, whose ratio
// vanishes in the limit.
double damping_ratio(const model::Model& model, const model::Contact& contact,
                     const prepare::Point& point);

laws::ContactExit exit_of(const model::Contact& contact);

// The model whose rigid contacts return what its springs return in the limit.
model::Model rigid_limit(const model::Model& model, const prepare::Point& point);
// The model with elastic contacts of this stiffness.
model::Model with_stiffness(const model::Model& model, double stiffness);

// What of the difference of two motions lies along a contact: without the component on M⁻¹∇g in the kinetic metric of
// the first. Velocities must be rates of the coordinates.
struct AlongDifference {
    double position = 0.0;
    double velocity = 0.0;
};
AlongDifference along(const prepare::Evaluator& evaluator, const ContactMetric& side,
                      const prepare::Point& rigid, const prepare::Point& soft);

std::vector<double> even_times(double from, double to, std::size_t count);

} // namespace liaison::analysis
