// SPDX-License-Identifier: Apache-2.0
// All tables and keys of a model file, one row each.
#include "liaison/text/model_keys.hpp"

#include <array>

namespace liaison::text {

namespace {

using enum Takes;

// clang-format off
constexpr std::array k_keys{
    // ---- the file itself ----
    KeyRow{.path = "format", .takes = integer, .help = "Format of the file; this version knows format 1.", .required = true},
    KeyRow{.path = "name", .takes = text, .help = "Name of the system, printed with every result."},
    KeyRow{.path = "about", .takes = text, .help = "What the system is, for people."},
    KeyRow{.path = "coordinates", .takes = names, .help = "Generalised coordinates; the velocity of `x` is `x'`. A family member is `z[i]`."},
    KeyRow{.path = "velocities", .takes = names, .help = "Quasi-velocities v with q' = K(q) v given in [rates]."},

    // ---- quantities ----
    KeyRow{.path = "parameters", .takes = table, .help = "Constants, which commands may set, sweep or follow."},
    KeyRow{.path = "parameters.NAME", .takes = number | numbers | table, .help = "Value; or a list over a family; or a table with value, unit, range, about."},
    KeyRow{.path = "parameters.NAME.value", .takes = number | numbers, .help = "Value of the parameter.", .required = true},
    KeyRow{.path = "parameters.NAME.unit", .takes = text, .help = "Unit, checked and printed, never converted; `deg` is refused, angles are radians."},
    KeyRow{.path = "parameters.NAME.range", .takes = numbers, .help = "Sensible values, for sliders and sweeps; outside it a warning.", .shortest = 2, .longest = 2},
    KeyRow{.path = "parameters.NAME.about", .takes = text, .help = "What the parameter is."},
    KeyRow{.path = "family", .takes = table, .help = "Indices: a thousand bodies stay a short file and a short program."},
    KeyRow{.path = "family.NAME", .takes = table, .help = "An index, as i in `z[i]`."},
    KeyRow{.path = "family.NAME.range", .takes = numbers, .help = "First and last value of the index.", .shortest = 2, .longest = 2, .required = true},
    KeyRow{.path = "let", .takes = table, .help = "Named sub-expressions, in any order, without cycles; they may contain velocities."},
    KeyRow{.path = "let.NAME", .takes = expression, .help = "A named sub-expression."},
    KeyRow{.path = "state", .takes = table, .help = "Discrete states, changed only by events."},
    KeyRow{.path = "state.NAME", .takes = number, .help = "Value at the start."},
    KeyRow{.path = "table", .takes = table, .help = "Measured data as functions `NAME(arg)`."},
    KeyRow{.path = "table.NAME", .takes = table, .help = "Piecewise polynomial through the points; its knots are guards."},
    KeyRow{.path = "table.NAME.x", .takes = numbers, .help = "Arguments, increasing.", .shortest = 2, .required = true},
    KeyRow{.path = "table.NAME.y", .takes = numbers, .help = "Values, as many as arguments.", .shortest = 2, .required = true},
    KeyRow{.path = "table.NAME.order", .takes = integer, .help = "Degree of the pieces; 3 is a cubic spline.", .fallback = "3"},

    // ---- dynamics ----
    KeyRow{.path = "energy", .takes = table, .help = "Energies: T and V, or the Lagrangian L."},
    KeyRow{.path = "energy.T", .takes = expression, .help = "Kinetic energy: quadratic, linear and free terms in the velocities."},
    KeyRow{.path = "energy.V", .takes = expression, .help = "Potential; without velocities.", .fallback = "0"},
    KeyRow{.path = "energy.L", .takes = expression, .help = "The Lagrangian, instead of T and V."},
    KeyRow{.path = "force", .takes = table, .help = "Forces; several tables add up."},
    KeyRow{.path = "force.NAME", .takes = table, .help = "One expression per coordinate, or a vector at a point."},
    KeyRow{.path = "force.NAME.at", .takes = expressions, .help = "Point of application: Q = (∂at/∂q)ᵀ vector.", .shortest = 1, .longest = 3},
    KeyRow{.path = "force.NAME.vector", .takes = expressions, .help = "Components of the force at the point.", .shortest = 1, .longest = 3},
    KeyRow{.path = "force.NAME.COORD", .takes = expression | table, .help = "Generalised force on a coordinate, or torque on a quasi-velocity."},
    KeyRow{.path = "force.NAME.COORD.COORD", .takes = expression, .help = "The same for a coordinate of a body."},
    KeyRow{.path = "rates", .takes = table, .help = "Rates of the coordinates in terms of the quasi-velocities: q' = K(q) v."},
    KeyRow{.path = "rates.COORD", .takes = expression, .help = "Rate of a coordinate."},
    KeyRow{.path = "system", .takes = table, .help = "Instead of energies: a first-order system x' = …"},
    KeyRow{.path = "system.COORD", .takes = expression, .help = "Rate of a state."},
    KeyRow{.path = "body", .takes = table, .help = "Rigid bodies with quasi-velocities."},
    KeyRow{.path = "body.NAME", .takes = table, .help = "A free body (x y z, e0 e1 e2 e3; vx vy vz p q r) or one with a fixed point (gamma1 gamma2 gamma3; p q r)."},
    KeyRow{.path = "body.NAME.kind", .takes = word, .help = "What holds the body.", .words = "free fixed-point", .required = true},
    KeyRow{.path = "body.NAME.mass", .takes = expression, .help = "Mass of a free body."},
    KeyRow{.path = "body.NAME.inertia", .takes = expressions | matrix, .help = "Principal moments [A, B, C], or the rows of the inertia tensor.", .shortest = 3, .longest = 3, .required = true},
    KeyRow{.path = "body.NAME.center", .takes = expressions, .help = "Centre of mass, in the body; torque weight·γ×center.", .shortest = 3, .longest = 3},
    KeyRow{.path = "body.NAME.weight", .takes = expression, .help = "Weight of a body with a fixed point."},
    KeyRow{.path = "body.NAME.gyrostat", .takes = expressions, .help = "Constant gyrostatic moment, in the body.", .shortest = 3, .longest = 3},
    KeyRow{.path = "kinematics", .takes = table, .help = "The family x' = c [f_x C] + f_x⁺ (P f − f_t) from constraints alone."},
    KeyRow{.path = "kinematics.speed", .takes = expression, .help = "The factor c."},
    KeyRow{.path = "kinematics.directions", .takes = expressions | matrix, .help = "The rows of C."},
    KeyRow{.path = "kinematics.velocity", .takes = table, .help = "Instead of speed and directions: a wanted velocity, changed as little as the constraints need."},
    KeyRow{.path = "kinematics.velocity.COORD", .takes = expression, .help = "Wanted rate of a coordinate."},
    KeyRow{.path = "kinematics.partition", .takes = boolean, .help = "Only as many velocities as there are constraints follow from them, the others are as wanted.", .fallback = "false"},

    // ---- constraints of every kind ----
    KeyRow{.path = "constraint", .takes = table, .help = "Bilateral constraints."},
    KeyRow{.path = "constraint.NAME", .takes = table, .help = "Holonomic, or nonholonomic if velocities occur; rheonomic if `t` occurs."},
    KeyRow{.path = "constraint.NAME.equation", .takes = equation, .help = "left = right; f = left − right is kept at 0.", .required = true},
    KeyRow{.path = "constraint.NAME.tolerance", .takes = number, .help = "Bound on |f| to be certified or monitored.", .positive = true},
    KeyRow{.path = "constraint.NAME.stabilise", .takes = word | table | matrix, .help = "The constraint-perturbation equation: a word, { p }, { frequency, damping }, or rows of a matrix.", .words = "auto none"},
    KeyRow{.path = "constraint.NAME.stabilise.p", .takes = expression, .help = "f' = −p f."},
    KeyRow{.path = "constraint.NAME.stabilise.frequency", .takes = expression, .help = "f'' = −2 damping·frequency f' − frequency² f."},
    KeyRow{.path = "constraint.NAME.stabilise.damping", .takes = expression, .help = "Damping ratio of that equation."},
    KeyRow{.path = "constraint.NAME.actuator", .takes = table, .help = "Servo constraint, realised by this direction instead of the ideal one."},
    KeyRow{.path = "constraint.NAME.actuator.COORD", .takes = expression, .help = "Component of the direction."},
    KeyRow{.path = "constraint.NAME.slip", .takes = expression | expressions, .help = "Slip velocity of friction leaning on the reaction.", .shortest = 1, .longest = 2},
    KeyRow{.path = "constraint.NAME.friction", .takes = expression | table, .help = "Coefficient of friction, for either sign of the reaction."},
    KeyRow{.path = "constraint.NAME.friction.static", .takes = expression, .help = "Coefficient at rest."},
    KeyRow{.path = "constraint.NAME.friction.dynamic", .takes = expression, .help = "Coefficient in motion."},
    KeyRow{.path = "contact", .takes = table, .help = "Unilateral constraints."},
    KeyRow{.path = "contact.NAME", .takes = table, .help = "Keeps a gap ≥ 0 by a reaction ≥ 0 along its gradient."},
    KeyRow{.path = "contact.NAME.gap", .takes = expression, .help = "Kept ≥ 0; a length along the normal when friction is used.", .group = "gap", .required = true},
    KeyRow{.path = "contact.NAME.between", .takes = expressions, .help = "[lower, f, upper], two-sided, instead of gap.", .group = "gap", .shortest = 3, .longest = 3, .required = true},
    KeyRow{.path = "contact.NAME.restitution", .takes = expression | table, .help = "Coefficient of restitution, between 0 and 1.", .fallback = "0"},
    KeyRow{.path = "contact.NAME.restitution.value", .takes = expression, .help = "Coefficient of restitution.", .required = true},
    KeyRow{.path = "contact.NAME.restitution.law", .takes = word, .help = "Law of impact.", .words = "energetic poisson newton moreau"},
    KeyRow{.path = "contact.NAME.slip", .takes = expression | expressions, .help = "Slip velocity: one expression in the plane, two in space.", .shortest = 1, .longest = 2},
    KeyRow{.path = "contact.NAME.friction", .takes = expression | table, .help = "Coulomb coefficient; an expression of `slip` for Stribeck laws."},
    KeyRow{.path = "contact.NAME.friction.static", .takes = expression, .help = "Coefficient at rest."},
    KeyRow{.path = "contact.NAME.friction.dynamic", .takes = expression, .help = "Coefficient in motion."},
    KeyRow{.path = "contact.NAME.stiffness", .takes = expression, .help = "N of the elastic realisation: penalty N·½·B·gap²."},
    KeyRow{.path = "contact.NAME.damping", .takes = expression, .help = "c of the damping force −c·gap'.", .group = "damping"},
    KeyRow{.path = "contact.NAME.damping_ratio", .takes = expression, .help = "ζ with c = 2ζ√(N·B·μ).", .group = "damping"},
    KeyRow{.path = "contact.NAME.profile", .takes = expression | matrix, .help = "B of the penalty; or the law of the spring with the penetration d = −gap: \"hertz\" (stiffness·d^1.5), \"hunt-crossley\" (stiffness·d^1.5·(1 + damping·d')), or rows [d, stiffness from there on].", .fallback = "the kinetic metric μ(q)"},
    KeyRow{.path = "contact.NAME.potential", .takes = expression, .help = "Replaces the whole penalty; may use `gap`."},
    KeyRow{.path = "contact.NAME.exit", .takes = word, .help = "When an elastic contact opens.", .words = "gap force"},
    KeyRow{.path = "contact.NAME.preload", .takes = expression, .help = "The normal force of a contact that starts closed. Rigid, with friction: the force under which it is jammed there, among contacts that can hold each other. Elastic: that with which the spring is pressed, gap = −preload/(N·B); R of the rigid motion is a start without oscillation."},
    KeyRow{.path = "relay", .takes = table, .help = "Discontinuous forces, switching on a surface."},
    KeyRow{.path = "relay.NAME", .takes = table, .help = "The value `u.NAME`, or `u` inside this table, jumps where the surface changes sign."},
    KeyRow{.path = "relay.NAME.surface", .takes = expression, .help = "S: u is `above` where S > 0 and `below` where S < 0.", .required = true},
    KeyRow{.path = "relay.NAME.values", .takes = table, .help = "Values of the relay.", .fallback = "{ above = 1, below = -1 }"},
    KeyRow{.path = "relay.NAME.values.above", .takes = expression, .help = "Value where S > 0.", .fallback = "1"},
    KeyRow{.path = "relay.NAME.values.below", .takes = expression, .help = "Value where S < 0.", .fallback = "-1"},
    KeyRow{.path = "relay.NAME.values.static", .takes = expression, .help = "A larger holding level on S = 0."},
    KeyRow{.path = "relay.NAME.branch", .takes = word, .help = "The motion to take where the surface does not determine one: repelling on both sides, or cross although `static` could hold.", .words = "above below stay cross"},
    KeyRow{.path = "relay.NAME.force", .takes = table, .help = "Force carried by the relay, linear or not in `u`."},
    KeyRow{.path = "relay.NAME.force.COORD", .takes = expression | table, .help = "Its component on a coordinate, an expression of `u`."},
    KeyRow{.path = "relay.NAME.force.COORD.COORD", .takes = expression, .help = "The same for a coordinate of a body."},

    // ---- start ----
    KeyRow{.path = "start", .takes = table, .help = "The initial state."},
    KeyRow{.path = "start.closed", .takes = names, .help = "Contacts that start closed: gap = 0 and gap' = 0 are solved for; `play.lower` is a side of a two-sided one."},
    KeyRow{.path = "start.solve", .takes = names, .help = "Coordinates solved from the constraints, nearest to the value given for them."},
    KeyRow{.path = "start.time", .takes = expression, .help = "Time at the start.", .fallback = "0"},
    KeyRow{.path = "start.inconsistent", .takes = word, .help = "What to do if the start violates a constraint.", .words = "refuse project relax"},
    KeyRow{.path = "start.velocity", .takes = table, .help = "Initial velocities."},
    KeyRow{.path = "start.velocity.COORD", .takes = expression | table, .help = "Velocity of a coordinate, or a quasi-velocity.", .fallback = "0"},
    KeyRow{.path = "start.velocity.COORD.COORD", .takes = expression, .help = "The same for a body."},
    KeyRow{.path = "start.COORD", .takes = expression | table, .help = "Value of a coordinate.", .fallback = "0"},
    KeyRow{.path = "start.COORD.COORD", .takes = expression, .help = "The same for a body."},

    // ---- run ----
    KeyRow{.path = "run", .takes = table, .help = "How long, how exactly, and how the constraints are given a meaning."},
    KeyRow{.path = "run.until", .takes = expression, .help = "Time at the end."},
    KeyRow{.path = "run.tolerance", .takes = number, .help = "Relative and absolute local error per unit step.", .positive = true},
    KeyRow{.path = "run.method", .takes = word, .help = "Integrator; rk: Runge–Kutta of order 8; stiff, dae: implicit, from SUNDIALS; the last five have a fixed step.", .words = "taylor rk stiff dae euler heun rk3 rk4 dopri5"},
    KeyRow{.path = "run.step", .takes = expression, .help = "Step of fixed-step methods: t_k = start + k·step, the last one ends at until."},
    KeyRow{.path = "run.hold", .takes = names, .help = "First integrals to be kept."},
    KeyRow{.path = "run.hold_rate", .takes = expression, .help = "Keep them by a law inside the equations, d(g − g₀)/dt = −hold_rate·(g − g₀), instead of a correction after each step."},
    KeyRow{.path = "run.contact", .takes = word, .help = "Realisation of contacts.", .words = "events routh elastic timestep auto"},
    KeyRow{.path = "run.location", .takes = word, .help = "With contact = \"routh\" and a fixed step: none goes through impacts without locating them, which costs the order of the method; for studies (converge --over step).", .words = "exact none"},
    KeyRow{.path = "run.bilateral", .takes = word, .help = "Realisation of constraints.", .words = "projection program multiplier index2"},
    KeyRow{.path = "run.relay", .takes = word, .help = "Meaning of sliding on a switching surface.", .words = "filippov utkin lagrange"},
    KeyRow{.path = "run.codimension", .takes = word, .help = "Meaning of sliding on two surfaces at once.", .words = "bilinear moments"},
    KeyRow{.path = "run.paradox", .takes = word, .help = "How a paradox of friction is resolved.", .words = "impact separate stop"},
    KeyRow{.path = "run.impacts", .takes = word, .help = "Several contacts in one impact.", .words = "sequential simultaneous"},
    KeyRow{.path = "run.order", .takes = word, .help = "Order of sequential impacts.", .words = "deepest declared reverse"},
    KeyRow{.path = "run.energy", .takes = word, .help = "An impact that would create energy.", .words = "report limit poisson"},
    KeyRow{.path = "run.enumerate", .takes = boolean, .help = "Without effect in runs: check --contacts lists all solutions of a contact problem.", .fallback = "false"},
    KeyRow{.path = "run.switch_events", .takes = boolean, .help = "Without effect: crossings of surfaces made by abs, sign, min, max, floor, mod, if are always told.", .fallback = "false"},
    KeyRow{.path = "run.gap_tolerance", .takes = number, .help = "Without effect: contacts close at gaps of the size of the tolerance.", .positive = true},
    KeyRow{.path = "run.theta", .takes = number, .help = "θ of time stepping.", .fallback = "0.5", .positive = true},
    KeyRow{.path = "run.solver", .takes = word, .help = "Contact solver of time stepping.", .words = "auto direct lemke nsgs newton admm ipm"},
    KeyRow{.path = "run.residual", .takes = number, .help = "Residual the contact solver must reach.", .positive = true},
    KeyRow{.path = "run.drift", .takes = number, .help = "Penetration time stepping may leave.", .positive = true},

    // ---- observation and analysis ----
    KeyRow{.path = "observe", .takes = table, .help = "Extra outputs, in results, plots and sweeps."},
    KeyRow{.path = "observe.NAME", .takes = expression, .help = "An observed quantity."},
    KeyRow{.path = "event", .takes = table, .help = "Events of the user."},
    KeyRow{.path = "event.NAME", .takes = table, .help = "At a zero crossing, or when a condition becomes true; right-hand sides use values before the event."},
    KeyRow{.path = "event.NAME.when", .takes = condition, .help = "An expression that crosses zero, or a condition.", .required = true},
    KeyRow{.path = "event.NAME.direction", .takes = word, .help = "Which crossings count.", .words = "both up down"},
    KeyRow{.path = "event.NAME.stop", .takes = boolean, .help = "The motion ends here.", .fallback = "false"},
    KeyRow{.path = "event.NAME.set", .takes = table, .help = "New values."},
    KeyRow{.path = "event.NAME.set.velocity", .takes = table, .help = "New velocities."},
    KeyRow{.path = "event.NAME.set.velocity.COORD", .takes = expression | table, .help = "New velocity of a coordinate."},
    KeyRow{.path = "event.NAME.set.velocity.COORD.COORD", .takes = expression, .help = "The same for a body."},
    KeyRow{.path = "event.NAME.set.state", .takes = table, .help = "New values of discrete states."},
    KeyRow{.path = "event.NAME.set.state.COORD", .takes = expression, .help = "New value of a discrete state."},
    KeyRow{.path = "event.NAME.set.COORD", .takes = expression | table, .help = "New value of a coordinate."},
    KeyRow{.path = "event.NAME.set.COORD.COORD", .takes = expression, .help = "The same for a body."},
    KeyRow{.path = "integral", .takes = table, .help = "First integrals, monitored in runs; input of `invert`."},
    KeyRow{.path = "integral.NAME", .takes = expression, .help = "An expression that should stay constant."},
    KeyRow{.path = "invert", .takes = table, .help = "Inverse problem: which forces have these first integrals?"},
    KeyRow{.path = "invert.unknown", .takes = names, .help = "Unknown functions, which may occur in forces or right-hand sides."},
    KeyRow{.path = "invert.positional", .takes = boolean, .help = "Only forces of positions are sought.", .fallback = "false"},
    KeyRow{.path = "invert.stabilise", .takes = expression, .help = "p: every integral and equation f is attracted to zero, (d/dt + p)ᵏ f = 0, instead of kept wherever it starts."},
    KeyRow{.path = "invert.positions", .takes = names, .help = "States that are positions, in a [system] model."},
    KeyRow{.path = "invert.free", .takes = expressions, .help = "Choice of what the integrals leave free."},
    KeyRow{.path = "invert.follow", .takes = table, .help = "Motions and servo constraints that the forces are to make."},
    KeyRow{.path = "invert.follow.NAME", .takes = equation, .help = "left = right, of the state and time; kept by the forces once it holds."},
    KeyRow{.path = "periodic", .takes = table, .help = "What a period is, for `orbit` and `follow`."},
    KeyRow{.path = "periodic.period", .takes = expression, .help = "Forcing period."},
    KeyRow{.path = "periodic.phase", .takes = expression, .help = "An expression that crosses zero upwards once per period."},
    KeyRow{.path = "periodic.drift", .takes = names, .help = "Coordinates that may drift, for relative orbits."},
    KeyRow{.path = "periodic.symmetry", .takes = table, .help = "A symmetry, for half-maps."},
    KeyRow{.path = "periodic.symmetry.COORD", .takes = expression, .help = "Image of a coordinate."},

    // ---- picture ----
    KeyRow{.path = "draw", .takes = tables, .help = "The picture: each [[draw]] adds one shape, placed by expressions."},
    KeyRow{.path = "draw.segment", .takes = matrix, .help = "Two points.", .group = "shape", .shortest = 2, .longest = 2, .required = true},
    KeyRow{.path = "draw.disc", .takes = expressions, .help = "A centre.", .group = "shape", .shortest = 2, .longest = 3, .required = true},
    KeyRow{.path = "draw.polyline", .takes = matrix, .help = "Points joined by lines.", .group = "shape", .shortest = 2, .required = true},
    KeyRow{.path = "draw.spring", .takes = matrix, .help = "Two points joined by a zigzag.", .group = "shape", .shortest = 2, .longest = 2, .required = true},
    KeyRow{.path = "draw.wall", .takes = matrix, .help = "Points joined by hatched lines.", .group = "shape", .shortest = 2, .required = true},
    KeyRow{.path = "draw.text", .takes = text, .help = "Words, written at `at`.", .group = "shape", .required = true},
    KeyRow{.path = "draw.body", .takes = name, .help = "A rigid body, by its name.", .group = "shape", .required = true},
    KeyRow{.path = "draw.radius", .takes = expression, .help = "Radius of a disc."},
    KeyRow{.path = "draw.at", .takes = expressions, .help = "Place of a text.", .shortest = 2, .longest = 3},
    KeyRow{.path = "draw.colour", .takes = text, .help = "Colour, as in SVG."},
    KeyRow{.path = "draw.label", .takes = text, .help = "Name in the legend."},
};
// clang-format on

} // namespace

std::span<const KeyRow> model_keys() { return k_keys; }

const Schema& model_schema() {
    static const Schema schema(model_keys());
    return schema;
}

} // namespace liaison::text
