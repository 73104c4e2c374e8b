// SPDX-License-Identifier: Apache-2.0
// Derivatives of what frictional contacts do: changes of mode leave the state alone, impacts are differentiated numerically.
#include "liaison/flow/reset_derivative.hpp"
#include "liaison/realise/friction_transition.hpp"

#include <algorithm>

namespace liaison::realise {
namespace {

bool strikes(const flow::Event& e) {
    using flow::EventKind;
    return e.kind == EventKind::impact || e.kind == EventKind::tangential_impact ||
           e.kind == EventKind::accumulation;
}

// Neighbours of a release, a stick or a slip are on other sides of its guard, where the contacts would choose another
// mode; the map continued from the guard is the identity, and that is all a saltation needs (reset_derivative.hpp).
class FrictionReset final : public flow::ResetDerivative {
  public:
    FrictionReset(Eigen::Index rows, Eigen::Index atoms,
                  std::shared_ptr<const flow::ResetDerivative> by_differences)
        : rows_(rows), atoms_(atoms), by_differences_(std::move(by_differences)) {}

    [[nodiscard]] flow::ResetJacobian at(const flow::Passage& passage) const override {
        const auto& events = passage.outcome.events;
        const bool transit = passage.call == flow::Passage::Call::transit;
        if (transit && passage.before.state == passage.after.state &&
            std::none_of(events.begin(), events.end(), strikes))
            return {flow::identity_reset(rows_, atoms_), 0.0, {}, {}};
        return by_differences_->at(passage);
    }
    [[nodiscard]] bool settles() const override { return by_differences_->settles(); }

  private:
    Eigen::Index rows_, atoms_;
    std::shared_ptr<const flow::ResetDerivative> by_differences_;
};

} // namespace

std::shared_ptr<const flow::ResetDerivative>
FrictionTransition::derivative(const flow::Flow& flow, std::span<const expr::Expr> atoms) const {
    const flow::Atoms w(flow, atoms);
    return std::make_shared<FrictionReset>(static_cast<Eigen::Index>(w.rows()),
                                           static_cast<Eigen::Index>(atoms.size()),
                                           flow::difference_reset(*this, flow, w));
}

} // namespace liaison::realise
