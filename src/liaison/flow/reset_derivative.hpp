// SPDX-License-Identifier: Apache-2.0
// First derivatives of what a transition does to the state: the part of a saltation matrix its owner knows.
//
// Atoms are what a motion is differentiated by, in this order:
//   w = (the controlled states, the continuous mode slots),   t,   the chosen parameters p.
// A transition maps w⁻ to w⁺ = R(t, w⁻, p) in the branch it took; it gives ∂R/∂(w, t, p). The variational flow
// adds the variation of the instant (saltation.hpp), so that R need not know its guard: any smooth continuation of
// R off the guard gives the same saltation matrix.
#pragma once

#include "liaison/flow/transition.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace liaison::flow {

// One call of a transition: what it was given, what it made of it.
struct Passage {
    enum class Call { start, transit, refresh, settle };
    Call call = Call::transit;
    std::span<const Firing> fired; // of a transit
    const Instant& before;
    const Instant& after;
    const Outcome& outcome;
    const Instant* jumped_from =
        nullptr; // of a refresh: the instant before the other owner's change
};

struct ResetJacobian {
    Eigen::MatrixXd matrix; // ∂w⁺/∂atoms: rows w, columns atoms
    double error = 0.0; // estimated absolute error of its entries; 0: exact up to rounding
    std::string obstacle; // not empty: there is no derivative here, and this is why
    // Of a start: only variations with bound · δz = 0 have a derivative (others leave a surface that neighbours reach
    // differently from its two sides).
    Eigen::MatrixXd bound;
};

// Made by Transition::derivative for one flow and one list of atoms; must not outlive its transition.
class ResetDerivative {
  public:
    virtual ~ResetDerivative() = default;
    [[nodiscard]] virtual ResetJacobian at(const Passage& passage) const = 0;
    // False: settle() leaves the state alone, so that steps need not ask.
    [[nodiscard]] virtual bool settles() const { return true; }
};

// ∂w⁺/∂atoms of a map that leaves the state alone.
[[nodiscard]] Eigen::MatrixXd identity_reset(Eigen::Index rows, Eigen::Index atoms);

// For transitions that never change the state (switching surfaces).
[[nodiscard]] std::shared_ptr<const ResetDerivative> no_reset(const Flow& flow,
                                                              std::span<const expr::Expr> atoms);

// What a motion of this flow is differentiated by.
struct Atoms {
    std::vector<std::size_t> slots; // continuous mode slots
    std::vector<std::size_t> parameters; // chosen parameters
    std::size_t n_states = 0; // controlled states

    Atoms(const Flow& flow, std::vector<std::size_t> chosen);
    Atoms(const Flow& flow, std::span<const expr::Expr> symbols);

    [[nodiscard]] std::size_t rows() const { return n_states + slots.size(); }
    [[nodiscard]] std::size_t time() const { return rows(); }
    [[nodiscard]] std::size_t size() const { return rows() + 1 + parameters.size(); }
    [[nodiscard]] std::vector<expr::Expr> symbols(const Flow& flow) const;
    // Row of a flow state or mode slot among w; k_none: not among them.
    static constexpr std::size_t k_none = ~std::size_t{0};
    [[nodiscard]] std::size_t row_of_slot(std::size_t slot) const;
};

// The default: differences of the transition itself, extrapolated (Ridders 1982), with the error estimate of the
// extrapolation. Where the two sides of a difference end in different modes there is no derivative.
[[nodiscard]] std::shared_ptr<const ResetDerivative>
difference_reset(const Transition& transition, const Flow& flow, const Atoms& atoms);

} // namespace liaison::flow
