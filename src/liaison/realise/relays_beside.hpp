// SPDX-License-Identifier: Apache-2.0
// Relays on their surfaces beside contacts: what the ones do is part of what the others decide.
//
// On the surfaces of the relays F that slide, and with the rows of contacts that may carry,
//   a = b + D λ + β w,   Ṡ = α + ρ λ + δ w,   β = ∂b/∂w,   ρ = ∂Ṡ/∂λ,   δ = ∂Ṡ/∂w,
// all of the system without contact forces. Relays that slide keep Ṡ = 0 whatever the contacts do: w = −δ⁻¹ (α + ρ λ), so that the
// contacts see D − β δ⁻¹ ρ and b − β δ⁻¹ α. A relay whose surface contacts hold does not follow; its value is given.
#pragma once

#include "liaison/realise/contact_problem.hpp"
#include "liaison/realise/relay_rule.hpp"

#include <span>
#include <string>
#include <vector>

namespace liaison::realise {

// Contacts as relays see them.
class ContactsBeside {
  public:
    virtual ~ContactsBeside() = default;
    // Opens all; false: none was closed.
    virtual bool open(flow::Instant& now) const = 0;
    // The forces and accelerations of the present modes, those of the relays among them, are those of these modes.
    [[nodiscard]] virtual bool agrees(const flow::Instant& now) const = 0;
    // The modes of all contacts at rest anew, together with what the relays `zero` may do on their surfaces.
    virtual flow::Outcome decide_again(flow::Instant& now,
                                       std::span<const std::size_t> zero) const = 0;
};

class RelaysBeside {
  public:
    RelaysBeside(const flow::Flow& flow, const RelayField& field);

    [[nodiscard]] const RelayRule& rule() const { return rule_; }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    void measure_by(std::function<bool(flow::Instant&)> open) { rule_.measure_by(std::move(open)); }
    // Those that slide or are on their surface at this instant, `also` among them: of first degree, where contacts can stop
    // them and they contacts.
    [[nodiscard]] std::vector<std::size_t> zero(const flow::Instant& now,
                                                std::span<const std::size_t> also) const;
    // All others are on the side on which the state is, an impact may have moved it.
    void take_sides(flow::Instant& now, std::span<const std::size_t> zero) const;
    // Groups of contacts and relays of which no force of one accelerates a gap, a slip or a surface of another; `free`: the
    // instant with all contacts open. In the order of their first contact, those without contacts last.
    struct Island {
        std::vector<Eigen::Index> contacts;
        std::vector<std::size_t> relays;
    };
    [[nodiscard]] std::vector<Island> islands(const ContactProblem& problem, flow::Instant free,
                                              std::span<const Eigen::Index> contacts,
                                              std::span<const std::size_t> relays) const;
    // The contact problem with `following` eliminated; `free`: the instant with all contacts open.
    [[nodiscard]] ContactNumbers eliminate(const ContactProblem& problem, flow::Instant free,
                                           std::span<const std::size_t> following) const;

  private:
    // What a unit of each relay does to the rows of contacts and to the velocities, and what contacts do to its surface.
    struct Coupling {
        ContactNumbers contacts; // with the relays at zero
        Eigen::MatrixXd beta, acceleration, rho;
        solve::Matrix delta;
        solve::Vector alpha;
    };
    [[nodiscard]] Coupling couple(const ContactProblem& problem, flow::Instant free,
                                  std::span<const std::size_t> relays) const;
    [[nodiscard]] Eigen::VectorXd gradient(const flow::Instant& now, std::size_t relay) const;

    RelayRule rule_;
    std::vector<std::string> names_;
    std::vector<std::size_t> degree_;
    std::size_t n_positions_;
    std::size_t n_velocities_;
    flow::Probe gradients_; // ∂S/∂v by relay
};

} // namespace liaison::realise
