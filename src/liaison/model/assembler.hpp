// SPDX-License-Identifier: Apache-2.0
// Makes a model from a draft: declares names, resolves expressions, checks what mechanics demands.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/draft.hpp"
#include "liaison/model/formulas.hpp"
#include "liaison/model/members.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace liaison::model {

class Assembler {
  public:
    Assembler(const Draft& draft, std::shared_ptr<expr::Pool> pool,
              std::shared_ptr<const base::SourceFile> source, const Limits& limits,
              base::Diagnostics& diagnostics);

    // Empty if there are errors.
    [[nodiscard]] std::optional<Model> run();
    // What there is of the model after a run that found errors.
    [[nodiscard]] Model rest() { return std::move(model_); }

  private:
    // assemble_names.cpp: everything expressions may refer to
    void declare_families();
    void declare_kind();
    void declare_coordinates();
    void declare_velocities();
    void declare_parameters();
    void declare_parameter(const ParameterDraft& draft);
    void declare_states();
    void declare_tables();
    void declare_relays();
    void declare_unknowns();
    std::size_t add_coordinate(const std::string& name, const std::string& head, base::Span span);
    std::size_t make_coordinate(const std::string& name, const std::string& head, base::Span span);
    std::size_t add_velocity(const std::string& name, base::Span span, std::size_t coordinate);
    bool declare(const std::string& name, const std::string& head, Meaning meaning,
                 std::size_t index, base::Span span);

    // assemble_bodies.cpp
    void declare_bodies();
    void declare_body(const BodyDraft& draft, const Member& member, bool bare);
    void describe_bodies();
    void describe_body(const BodyDraft& draft, Body& body, const Indices& indices);

    // assemble_definitions.cpp: [let] names and rates, in any order
    void declare_definitions();
    void declare_rates();
    void declare_right_hand_sides();
    void resolve_definitions();
    void resolve_from(std::size_t index);
    bool try_definition(std::size_t index, std::vector<std::size_t>& missing);
    void report_cycle(const std::vector<std::size_t>& stack, std::size_t back);
    void finish_rates();
    void check_rate(std::size_t coordinate);

    // assemble_dynamics.cpp
    void energies();
    void check_kinetic(const Formula& kinetic, std::string_view what);
    void forces();
    void force(const ForceDraft& draft, const Member& member);
    void force_at_point(const ForceDraft& draft, Force& force, const Context& context);
    void kinematics();
    void check_directions(const Kinematics& given);

    // assemble_constraints.cpp
    void constraints();
    bool constraint(const ConstraintDraft& draft, const Member& member);
    void check_stabilisation();
    void stabilise(const StabiliseDraft& draft, Constraint& constraint, const Context& context);
    void slip_and_friction(const std::vector<Written>& slip, const FrictionDraft& friction,
                           const std::string& owner, const Indices& indices,
                           std::vector<Formula>& slips, Friction& law, base::Span span);

    // assemble_contacts.cpp
    void contacts();
    void rough_guides();
    bool contact(const ContactDraft& draft, const Member& member);
    bool gaps(const ContactDraft& draft, Contact& contact, const Indices& indices);
    void pieces(const ContactDraft& draft, Contact& contact, const Indices& indices);
    void spring_law(const ContactDraft& draft, Contact& contact, const Indices& indices);
    void elasticity(const ContactDraft& draft, Contact& contact, const Indices& indices);
    void check_laws();

    // assemble_relays.cpp
    void relays();
    void relay(const RelayDraft& draft, const Member& member, std::size_t index);

    // assemble_outputs.cpp
    void observes();
    void integrals();
    void named(const std::vector<Component>& written, unsigned allowed, std::string_view kind,
               std::vector<Named>& into);
    void events();
    void event(const EventDraft& draft, const Member& member);
    void invert();
    void periodic();
    void draws();

    // assemble_start.cpp
    void start();
    void start_values();
    void start_velocities();
    void start_lists();
    void run_options();

    // assembler.cpp: tools
    // Calls `make` for every member of a name but those given apart; reports a family none of whose members exist.
    void each(const Name& name, const std::unordered_set<std::string>& given,
              const std::function<void(const Member&)>& make);
    // Index of the coordinate, or of the velocity, that a key names; reports and k_none otherwise.
    [[nodiscard]] std::size_t coordinate_named(const std::string& name, base::Span span,
                                               std::string_view where);
    // Velocities on which a component of a force acts: one for x or p; Kᵀ-weighted for a coordinate
    // whose rate is made of quasi-velocities.
    struct Acting {
        std::size_t velocity;
        expr::Expr weight;
    };
    [[nodiscard]] std::vector<Acting> acting_on(const std::string& name, base::Span span,
                                                std::string_view where);
    void components(const std::vector<Component>& written, const Context& context,
                    std::string_view where, std::vector<Formula>& by_velocity);
    [[nodiscard]] std::size_t reference(const std::vector<std::string>& names, const Name& name,
                                        std::string_view kind);
    [[nodiscard]] std::size_t
    dimension() const; // of force vectors: velocities, or states of a system
    void unused_parameters();

    const Draft& draft_;
    Model model_;
    std::vector<std::size_t>
        guides_; // the lower of two contacts that hold a constraint from either side
    base::Diagnostics& diagnostics_;
    Declarations declarations_;
    Formulas formulas_;
    Members members_;
};

} // namespace liaison::model
