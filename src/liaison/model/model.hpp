// SPDX-License-Identifier: Apache-2.0
// What the user said, checked and resolved to expressions: the plain description of a system.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/expr/table.hpp"
#include "liaison/model/formula.hpp"
#include "liaison/model/run_options.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace liaison::model {

inline constexpr std::size_t k_none = std::numeric_limits<std::size_t>::max();

// How the motion is given.
enum class Kind {
    energies,     // T and V (or L) with forces, constraints, contacts, relays
    first_order,  // [system]: x' = right-hand side
    kinematic,    // [kinematics]: constraints alone, x' from the family of theory 03
};

// A generalised coordinate q. Its rate q' is
//   the symbol "x'" itself                     for plain coordinates,
//   an expression K(q) v of quasi-velocities   where [rates] or a body gives it,
//   the right-hand side                        in a first-order system,
// so that d/dt f(q, t) = Σ ∂f/∂q · rate + ∂f/∂t holds in every kind of model.
struct Coordinate {
    std::string name;
    expr::Expr q;
    Formula rate;
    base::Span span;
    std::string family;            // "z" for the member z[3], empty otherwise
    std::vector<long> index;       // {3}
    std::size_t body = k_none;     // the body it belongs to
};

// A velocity v_j in which T, forces and momenta are written: the rate x' of a plain coordinate, or a
// quasi-velocity. First-order systems have none; kinematic models have the rates.
struct Velocity {
    std::string name; // "x'" or the name of the quasi-velocity
    expr::Expr v; // symbol
    expr::Expr a; // symbol of its time derivative, only in [observe]
    std::size_t coordinate = k_none; // the coordinate whose rate it is, none for quasi-velocities
    base::Span span;
    std::size_t body = k_none;
};

struct Parameter {
    std::string name; // members of lists: "m[3]"
    expr::Expr symbol;
    double value = 0.0;
    std::string unit;
    std::optional<std::pair<double, double>> range;
    std::string about;
    base::Span span; // the key
    base::Span value_span;
    bool used = false; // occurs in some expression of the model
};

// A discrete state: constant between events, changed by event `set`.
struct State {
    std::string name;
    expr::Expr symbol;
    double value = 0.0;
    base::Span span;
};

// A [let] name; `node` is a named node, so that sharing and the name survive.
struct Let {
    std::string name;
    expr::Expr node;
    base::Span span;
};

// T and V include what bodies contribute. With L given, T is empty and L stands for T − V.
struct Energy {
    Formula T;
    Formula V;
    Formula L;
};

// Generalised forces: one expression per velocity of the model (empty where none acts). For a plain
// coordinate that is the force on the coordinate, for a quasi-velocity the torque on it. A force
// vector at a point is already mapped: Q_j = Σ (∂at/∂q · ∂q'/∂v_j) vector.
struct Force {
    std::string name;
    std::vector<Formula> Q; // by velocity index; by coordinate index in first-order systems
    std::vector<Formula> at; // as written, for pictures and reports; empty for plain forces
    std::vector<Formula> vector;
    base::Span span;
};

struct Friction {
    Formula sticking; // largest |λ_T|/λ_N while sticking (static)
    Formula sliding; // coefficient while sliding (dynamic)
    // Occurs in the coefficients of velocity-dependent laws; stands for the slip itself (planar) or its
    // magnitude (two slips).
    expr::Expr slip_symbol;
    bool depends_on_slip = false;
    base::Span span;

    explicit operator bool() const { return static_cast<bool>(sliding); }
};

// How the violation of a constraint evolves (theory 03): ḟ = −p f, or f̈ + 2 ζ ω ḟ + ω² f = 0, or a matrix.
struct Stabilise {
    enum class Kind { automatic, none, rate, oscillator, matrix };
    Kind kind = Kind::automatic;
    Formula p;
    Formula frequency, damping;
    std::vector<std::vector<Formula>> rows;
    base::Span span;
};

// f = left − right = 0. f(q, t) is holonomic, f(q, v, t) nonholonomic.
struct Constraint {
    std::string name;
    Formula f;
    Formula left, right; // as written
    bool holonomic = true;
    bool rheonomic = false; // t occurs
    bool linear_in_velocity = true;
    std::optional<double> tolerance;
    Stabilise stabilise;
    // Servo constraint: the reaction acts along this direction, by velocity index; empty: ideal.
    std::vector<Formula> actuator;
    std::vector<Formula> slip; // leaning friction: none, one or two
    Friction friction;
    base::Span span;
};

enum class RestitutionLaw { energetic, poisson, newton, moreau };

// Elastic realisation of a contact (theory 04); everything is optional.
struct Elasticity {
    Formula stiffness; // N
    Formula damping; // c of −c gap'
    Formula damping_ratio; // ζ, c = 2 ζ √(N B μ)
    Formula profile; // B(q); the kinetic metric μ(q) where empty
    Formula potential; // replaces the whole penalty; may contain gap_symbol
    Formula preload;
    expr::Expr gap_symbol;
    enum class Exit { gap, force };
    Exit exit = Exit::gap;
};

// gap ≥ 0, or lower ≤ f ≤ upper.
struct Contact {
    struct Side {
        std::string name; // "" for one-sided contacts, "lower", "upper"
        Formula gap; // gap, or f − lower, upper − f
    };
    std::string name;
    std::vector<Side> sides; // one or two
    Formula lower, middle, upper; // as written in `between`
    bool rheonomic = false;
    Formula restitution; // empty: 0
    RestitutionLaw law = RestitutionLaw::energetic;
    bool law_given = false;
    std::vector<Formula> slip; // none, one (planar) or two (spatial) tangential velocities
    Friction friction;
    Elasticity elastic;
    base::Span span;

    [[nodiscard]] bool two_sided() const { return sides.size() == 2; }
};

// u = above where S > 0, below where S < 0.
// Which motion to take where the surface of a relay does not determine one.
enum class RelayBranch {
    none, // stop and list the motions; a static level holds where it can
    stay, // slide, on a surface that repels too
    above,
    below,
    cross, // go on to the other side although a static level could hold
};

struct Relay {
    std::string name;
    expr::Expr u; // symbol "u.NAME"
    Formula surface;
    Formula above, below;
    Formula holding; // `static`: larger level while at rest on S = 0; empty: none
    std::vector<Formula>
        force; // by velocity index (coordinate index in first-order systems), contains u
    RelayBranch branch = RelayBranch::none;
    base::Span span;
};

// A rigid body; its coordinates, quasi-velocities, rates and energies are part of the model already.
struct Body {
    enum class Kind { free, fixed_point };
    std::string name;
    Kind kind = Kind::free;
    std::vector<std::size_t> coordinates; // x y z e0 e1 e2 e3, or gamma1 gamma2 gamma3
    std::vector<std::size_t> velocities; // vx vy vz p q r, or p q r
    Formula mass, weight;
    std::array<std::array<Formula, 3>, 3> inertia;
    std::array<Formula, 3> center; // fixed point to mass centre, in the body
    std::array<Formula, 3> gyrostat; // gyrostatic momentum, may depend on t
    expr::Expr norm; // |e|² or |γ|²: equals one along every motion
    base::Span span;
};

// [system] right-hand sides as written, without what relays and forces add; Coordinate::rate has all.
struct FirstOrder {
    std::vector<Formula> right_hand_sides; // by coordinate
};

struct Kinematics {
    Formula speed; // c
    std::vector<std::vector<Formula>> directions; // rows of C
    std::vector<Formula> velocity; // wanted instead of c and C, by velocity; none: not given
    bool partition = false; // only as many velocities as there are constraints follow from them
    base::Span span;
};

struct DataTable {
    std::string name;
    std::shared_ptr<const expr::Table> data;
    int order = 3;
    base::Span span;
};

// An output, or a first integral.
struct Named {
    std::string name;
    Formula formula;
    base::Span span;
};

struct Event {
    enum class Direction { up, down, both };
    struct Set {
        enum class What { coordinate, velocity, state };
        What what = What::coordinate;
        std::size_t index = 0;
        Formula value;
        base::Span span;
    };
    std::string name;
    Formula when; // expression crossing zero, or a condition becoming true
    bool condition = false;
    Direction direction = Direction::both;
    bool stop = false;
    std::vector<Set> sets; // all right-hand sides use values before the event
    base::Span span;
};

struct Invert {
    std::vector<expr::Expr> unknown; // symbols that occur in forces or right-hand sides
    std::vector<std::string> names;
    bool positional = false;
    // p: each integral and equation f obeys (d/dt + p)ᵏ f = 0 instead of dᵏf/dtᵏ = 0, and is attracted to zero.
    Formula stabilise;
    std::vector<std::size_t> positions; // coordinates that are positions in a first-order system
    std::vector<Formula> free; // choice of what the integrals leave free
    std::vector<Named> follow; // motions or servo constraints to be made: left − right of each
    base::Span span;
};

enum class Inconsistent { refuse, project, relax };

struct Start {
    std::vector<Formula> q; // by coordinate; empty: 0
    std::vector<Formula> v; // by velocity; empty: 0
    std::vector<std::size_t> closed; // contacts with gap = 0 and gap' = 0 at the start
    std::vector<std::size_t> closed_side; // side of each, 0 for one-sided contacts
    std::vector<std::size_t> solve; // coordinates solved for; coordinates.size() + j: velocity j
    Formula time; // expression of parameters; empty: 0
    Inconsistent inconsistent = Inconsistent::refuse;
    base::Span span, closed_span, solve_span;
};

struct Periodic {
    Formula period;
    Formula phase;
    std::vector<std::size_t> drift; // coordinates
    struct Image {
        std::size_t coordinate = 0;
        Formula value;
    };
    std::vector<Image> symmetry;
    base::Span span;
};

struct Draw {
    enum class Shape { segment, disc, polyline, spring, wall, text, body };
    Shape shape = Shape::segment;
    std::vector<std::vector<Formula>> points; // each of two or three components
    Formula radius; // of a disc
    std::string text;
    std::string colour;
    std::string label; // name in the legend
    std::size_t body = k_none;
    base::Span span;
};

// A surface on which an expression of the motion is not smooth: made by abs, sign, min, max, floor, if
// and the knots of tables.
struct Switch {
    expr::Op op{};
    expr::Expr
        surface; // vanishes on the surface; argument of floor: at integers; of a table: knots
    expr::Expr node; // the nonsmooth node itself
    std::string where; // "energy V", "force motor", …: the first place it occurs in
    base::Span span;
};

struct Family {
    std::string index; // "i"
    long first = 0;
    long last = -1;
    base::Span span;
};

struct Model {
    // Spans refer to the source, expressions live in the pool: both are kept alive here.
    std::shared_ptr<expr::Pool> pool;
    std::shared_ptr<const base::SourceFile> source; // the model file, if there is one
    std::vector<std::shared_ptr<const base::SourceFile>> passages; // texts given from C++

    std::string name;
    std::string about;
    Kind kind = Kind::energies;

    expr::Expr t;
    std::vector<Family> families;
    std::vector<Coordinate> coordinates;
    std::vector<Velocity> velocities;
    bool quasi = false; // some rate is not its own velocity symbol
    std::vector<Parameter> parameters;
    std::vector<State> states;
    std::vector<Let> lets;
    std::vector<DataTable> tables;

    Energy energy;
    std::vector<Force> forces;
    std::vector<Constraint> constraints;
    std::vector<Contact> contacts;
    std::vector<Relay> relays;
    std::vector<Body> bodies;
    std::optional<FirstOrder> system;
    std::optional<Kinematics> kinematics;

    std::vector<Event> events;
    std::vector<Named> observes;
    std::vector<Named> integrals;
    std::optional<Invert> invert;
    std::optional<Periodic> periodic;
    std::vector<Draw> draws;
    std::vector<Switch> switches;

    Start start;
    RunOptions run;

    base::Diagnostics warnings;

    // Index of a name, k_none where there is none.
    [[nodiscard]] std::size_t coordinate(std::string_view wanted) const;
    [[nodiscard]] std::size_t velocity(std::string_view wanted) const;
    [[nodiscard]] std::size_t parameter(std::string_view wanted) const;
    [[nodiscard]] std::size_t contact(std::string_view wanted) const;
    [[nodiscard]] std::size_t constraint(std::string_view wanted) const;
};

} // namespace liaison::model
