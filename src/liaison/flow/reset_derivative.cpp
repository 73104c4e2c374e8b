// SPDX-License-Identifier: Apache-2.0
// Atoms of a flow, and the derivative of transitions that leave the state alone.
#include "liaison/flow/reset_derivative.hpp"

#include "liaison/flow/flow.hpp"

#include <algorithm>

namespace liaison::flow {
namespace {

class NoReset final : public ResetDerivative {
  public:
    NoReset(Eigen::Index rows, Eigen::Index atoms) : rows_(rows), atoms_(atoms) {}
    [[nodiscard]] ResetJacobian at(const Passage&) const override {
        return {identity_reset(rows_, atoms_), 0.0, {}, {}};
    }
    [[nodiscard]] bool settles() const override { return false; }

  private:
    Eigen::Index rows_, atoms_;
};

} // namespace

Eigen::MatrixXd identity_reset(Eigen::Index rows, Eigen::Index atoms) {
    return Eigen::MatrixXd::Identity(rows, atoms);
}

std::shared_ptr<const ResetDerivative> no_reset(const Flow& flow,
                                                std::span<const expr::Expr> atoms) {
    const Atoms w(flow, atoms);
    return std::make_shared<NoReset>(static_cast<Eigen::Index>(w.rows()),
                                     static_cast<Eigen::Index>(atoms.size()));
}

Atoms::Atoms(const Flow& flow, std::vector<std::size_t> chosen)
    : parameters(std::move(chosen)), n_states(flow.n_controlled) {
    for (std::size_t i = 0; i < flow.modes.size(); ++i) {
        if (flow.modes[i].continuous) slots.push_back(i);
    }
}

Atoms::Atoms(const Flow& flow, std::span<const expr::Expr> symbols)
    : Atoms(flow, std::vector<std::size_t>()) {
    for (const expr::Expr symbol : symbols.subspan(time() + 1)) {
        const auto found = std::find(flow.parameters.begin(), flow.parameters.end(), symbol);
        parameters.push_back(static_cast<std::size_t>(found - flow.parameters.begin()));
    }
}

std::vector<expr::Expr> Atoms::symbols(const Flow& flow) const {
    std::vector<expr::Expr> all(flow.states.begin(),
                                flow.states.begin() + static_cast<std::ptrdiff_t>(n_states));
    for (const std::size_t s : slots) all.push_back(flow.modes[s].symbol);
    all.push_back(flow.time);
    for (const std::size_t p : parameters) all.push_back(flow.parameters[p]);
    return all;
}

std::size_t Atoms::row_of_slot(std::size_t slot) const {
    const auto found = std::find(slots.begin(), slots.end(), slot);
    return found == slots.end() ? k_none
                                : n_states + static_cast<std::size_t>(found - slots.begin());
}

} // namespace liaison::flow
