// SPDX-License-Identifier: Apache-2.0
// Numerical derivatives of a transition, for those that do not know their own.
#include "liaison/expr/traverse.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/flow/reset_derivative.hpp"
#include "liaison/solve/extrapolated_difference.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace liaison::flow {
namespace {

using Eigen::VectorXd;

class DifferenceReset final : public ResetDerivative {
  public:
    DifferenceReset(const Transition& transition, const Flow& flow, Atoms atoms)
        : transition_(transition), atoms_(std::move(atoms)) {
        std::vector<expr::Expr> seen = flow.rates;
        for (const Guard& g : flow.guards) seen.push_back(g.value);
        const auto symbols = expr::free_symbols(seen);
        for (const ModeSlot& slot : flow.modes) {
            const bool used =
                std::find(symbols.begin(), symbols.end(), slot.symbol) != symbols.end();
            branch_.push_back(!slot.continuous && (used || !slot.words.empty()) ? 1 : 0);
        }
    }

    [[nodiscard]] ResetJacobian at(const Passage& passage) const override {
        ResetJacobian result;
        result.matrix = identity_reset(static_cast<Eigen::Index>(atoms_.rows()),
                                       static_cast<Eigen::Index>(atoms_.size()));
        if (passage.call != Passage::Call::transit && w(passage.before) == w(passage.after))
            return result;
        for (std::size_t j = 0; j < atoms_.size(); ++j) {
            const auto column =
                solve::extrapolated_difference([&](double h) { return moved(passage, j, h); },
                                               1e-2 * std::max(1.0, std::abs(value(passage, j))));
            if (!column) {
                result.obstacle = "the outcome changes its branch under arbitrarily small changes "
                                  "of the state before it";
                return result;
            }
            result.matrix.col(static_cast<Eigen::Index>(j)) = column->value;
            result.error = std::max(result.error, column->error);
        }
        return result;
    }

  private:
    [[nodiscard]] VectorXd w(const Instant& now) const {
        VectorXd values(static_cast<Eigen::Index>(atoms_.rows()));
        for (std::size_t i = 0; i < atoms_.n_states; ++i)
            values(static_cast<Eigen::Index>(i)) = now.state[i];
        for (std::size_t i = 0; i < atoms_.slots.size(); ++i)
            values(static_cast<Eigen::Index>(atoms_.n_states + i)) = now.mode[atoms_.slots[i]];
        return values;
    }

    [[nodiscard]] double value(const Passage& passage, std::size_t j) const {
        if (j < atoms_.rows()) return w(passage.before)(static_cast<Eigen::Index>(j));
        if (j == atoms_.time()) return passage.before.field_time;
        return passage.before.parameters[atoms_.parameters[j - atoms_.time() - 1]];
    }

    // w⁺ with atom j moved by h; nothing where another branch is taken.
    [[nodiscard]] std::optional<VectorXd> moved(const Passage& passage, std::size_t j,
                                                double h) const {
        Instant now = passage.before;
        std::vector<double> parameters(now.parameters.begin(), now.parameters.end());
        now.parameters = parameters;
        if (j < atoms_.n_states) {
            now.state[j] += h;
        } else if (j < atoms_.rows()) {
            now.mode[atoms_.slots[j - atoms_.n_states]] += h;
        } else if (j == atoms_.time()) {
            now.time = now.time + h;
            now.field_time += h;
        } else {
            parameters[atoms_.parameters[j - atoms_.time() - 1]] += h;
        }
        Outcome outcome;
        switch (passage.call) {
        case Passage::Call::start: outcome = transition_.start(now); break;
        case Passage::Call::transit: outcome = transition_.transit(passage.fired, now); break;
        case Passage::Call::refresh: outcome = transition_.jump(*passage.jumped_from, now); break;
        case Passage::Call::settle: transition_.settle(now); break;
        }
        if (outcome.fail) return std::nullopt;
        for (std::size_t i = 0; i < branch_.size(); ++i) {
            if (branch_[i] != 0 && now.mode[i] != passage.after.mode[i]) return std::nullopt;
        }
        return w(now);
    }

    const Transition& transition_;
    Atoms atoms_;
    std::vector<char> branch_; // slots whose value tells the branch
};

} // namespace

std::shared_ptr<const ResetDerivative> difference_reset(const Transition& transition,
                                                        const Flow& flow, const Atoms& atoms) {
    return std::make_shared<DifferenceReset>(transition, flow, atoms);
}

} // namespace liaison::flow
