// SPDX-License-Identifier: Apache-2.0
// Checks what was decided about rigid contacts against the conditions that it has to meet.
//
// Who decides solves a problem; this one only measures (theory of many contacts, §8). At the start of every piece that follows
// a decision, with the forces λ and the accelerations of the field in its new mode,
//   |min(λ_N D_ii, g̈)|,   max(0, |λ_T| − μ λ_N),   | λ_T |v_T| + μ λ_N v_T |,
// and of all conditions at once the natural map |λ − proj_K(λ − ρ(g̈ + μ|v̇_T|, v̇_T))| with the cone K and ρ = 1/λ_max(D_ii),
// or, of a contact that slips, |λ − (1, −μ s) max(0, λ_N − ρ g̈)|;
// and at impacts, with the gap rates γ = ġ of the states before and after them,
//   |min(Λ D_ii, γ⁺ + e min(γ⁻, 0))|,   max(0, |Λ_T| − μ Λ),
// and the balance of momentum |M(v⁺ − v⁻) − W Λ| with the impulses of all contacts, but for bilateral reactions.
// All are relative: accelerations to the largest |b| of the contacts without forces and the size of accelerations in the
// model, rates at impacts to the largest velocity, slips to that and the size of velocities in the model, forces to those that make such accelerations.
#pragma once

#include "liaison/flow/decisions.hpp"
#include "liaison/flow/probe.hpp"
#include "liaison/motion/clock.hpp"
#include "liaison/motion/piece.hpp"
#include "liaison/realise/contact_problem.hpp"
#include "liaison/realise/friction_modes.hpp"
#include "liaison/record/run.hpp"

namespace liaison::record {

class ContactWatch {
  public:
    ContactWatch(const realise::ContactProblem& contacts, const flow::Flow& flow,
                 double tolerance = 1e-10);

    // A step: looked at where its mode is not that of the step before.
    void see(const motion::Piece& piece);
    // `mode`: that after the event. A gap with a kink that is hit on its kink has changed its branch by then.
    void see(const flow::Event& event, std::span<const double> mode = {});
    // Counts the problems that transitions of this thread decide.
    [[nodiscard]] flow::Decisions& decisions() { return report_.resolved; }
    // The last decision may end the run; then the report goes into it.
    void finish(Run& run);

  private:
    // Places of the probed values of a side.
    struct Places {
        std::size_t rate = 0; // γ, g̈, λ_N
        std::size_t slips = 0; // v_T, λ_T, v̇_T of each slip in turn
    };
    void look(); // at now_
    void look_at_friction(std::size_t k, double normal, double scale);
    void look_at_all(std::size_t k, double normal, double scale);
    // Of more sides than are watched for it: sliding contacts whose common problem is not clearly regular.
    void look_at_groups(const std::vector<std::size_t>& decided);
    void look_at_momentum(const flow::Event& event, const flow::Instant& at);
    void strike(const flow::Event& event, std::size_t k, double impulse,
                const std::vector<double>& tangential);
    [[nodiscard]] bool closed(std::size_t k) const;
    [[nodiscard]] std::optional<std::size_t> side_of(const std::string& where,
                                                     const std::string& side) const;
    [[nodiscard]] double speed() const;
    [[nodiscard]] double touching() const; // gaps as small as this are none
    [[nodiscard]] double limiting_friction(Eigen::Index k) const;

    const realise::ContactProblem& contacts_;
    const flow::Flow& flow_;
    bool with_friction_ = false;
    bool with_modes_ = false; // of friction; smooth contacts beside relays have them too
    realise::FrictionModes modes_; // of contacts with friction
    std::vector<std::size_t> masks_; // slots, without friction
    std::vector<Places> places_;
    flow::Probe probe_; // of forces and accelerations
    flow::Probe rates_; // of the gaps
    motion::Clock clock_;
    flow::Instant now_;
    std::vector<char> was_closed_;
    realise::SparseContactNumbers numbers_;
    std::vector<double> values_;
    std::vector<double> rates_minus_, rates_plus_;
    double acceleration_ = 1.0; // sizes of accelerations, velocities and lengths in the model
    double struck_speed_ = 0.0; // before the first of the collisions at an instant
    double speed_ = 1.0;
    double length_ = 1.0;
    ContactReport report_;
    std::optional<double> unwatched_; // since when contacts slide whose determinant is not watched
};

} // namespace liaison::record
