// SPDX-License-Identifier: Apache-2.0
// The [run] table: how long, how exactly, and by which realisation the motion is computed.
#pragma once

#include "liaison/model/formula.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::model {

enum class Method { taylor, rk, stiff, dae, euler, heun, rk3, rk4, dopri5 };
enum class ContactRealisation { events, routh, elastic, timestep, automatic };
enum class BilateralRealisation { projection, program, multiplier, index2 };
enum class RelayRealisation { filippov, utkin, lagrange };
enum class Codimension { bilinear, moments };
enum class Paradox { impact, separate, stop };
enum class Impacts { sequential, simultaneous };
enum class ImpactOrder { deepest, declared, reverse };
enum class ImpactEnergy { report, limit, poisson };
// Whether the crossings of unfolded contacts are located, or a step goes through them and notices at its end.
enum class Location { exact, none };
enum class SteppingSolver { automatic, direct, lemke, nsgs, newton, admm, ipm };

// Empty optionals mean: the engine chooses. Enumerations start with their default.
struct RunOptions {
    Formula until; // expression of parameters
    std::optional<double> tolerance; // relative and absolute local error per unit step
    Method method = Method::taylor;
    Formula step; // fixed-step methods and time stepping; expression of parameters
    std::vector<std::size_t> hold; // integrals kept by correction, indices into Model::integrals
    // Integrals that are known for a body (known_integrals.hpp) and to be kept as well.
    struct Known {
        std::string name;
        base::Span span;
    };
    std::vector<Known> hold_known;
    // Empty: by a correction after each step; else by the law d(g − g₀)/dt = −rate (g − g₀) inside the equations.
    Formula hold_rate;

    ContactRealisation contact = ContactRealisation::events;
    // `program` is implied by an explicit `stabilise` where the user did not choose.
    BilateralRealisation bilateral = BilateralRealisation::projection;
    Location location = Location::exact;
    RelayRealisation relay = RelayRealisation::filippov;
    Codimension codimension = Codimension::bilinear;
    Paradox paradox = Paradox::impact;
    Impacts impacts = Impacts::sequential;

    ImpactOrder order = ImpactOrder::deepest;
    ImpactEnergy energy = ImpactEnergy::report;
    bool enumerate = false; // list all solutions of a contact problem
    std::optional<double> gap_tolerance; // gaps below it count as closed
    std::optional<double> theta; // time stepping
    SteppingSolver solver = SteppingSolver::automatic;
    std::optional<double> residual;
    std::optional<double> drift;
    bool switch_events = false; // log crossings of surfaces made by abs, sign, …

    base::Span span; // the [run] header
};

} // namespace liaison::model
