// SPDX-License-Identifier: Apache-2.0
// The normalisation as the settling part of a transition.
#include "liaison/realise/unit_orientation.hpp"

#include "liaison/flow/bystander.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace liaison::realise {
namespace {

using Quaternion = std::array<std::size_t, 4>; // states

class Normalisation final : public flow::Transition, public flow::Bystander {
  public:
    explicit Normalisation(std::vector<Quaternion> quaternions)
        : quaternions_(std::move(quaternions)) {}

    flow::Outcome start(flow::Instant&) const override { return {}; }
    flow::Outcome transit(std::span<const flow::Firing>, flow::Instant&) const override {
        return {};
    }
    void settle(flow::Instant& now) const override {
        for (const Quaternion& e : quaternions_) {
            double square = 0.0;
            for (const std::size_t i : e) square += now.state[i] * now.state[i];
            if (!(square > 0.0) || !std::isfinite(square)) continue;
            // 1/√s to first order about 1: a norm that is right to the last bit stays untouched.
            const double off = square - 1.0;
            const double factor = std::abs(off) < 1e-6 ? -off / 2.0 : 1.0 / std::sqrt(square) - 1.0;
            for (const std::size_t i : e) now.state[i] += factor * now.state[i];
        }
    }

  private:
    std::vector<Quaternion> quaternions_;
};

} // namespace

void install_unit_orientations(const model::Model& model, flow::Flow& flow) {
    std::vector<Quaternion> quaternions;
    for (const model::Body& body : model.bodies) {
        if (body.kind != model::Body::Kind::free) continue;
        Quaternion e{};
        bool found = true;
        for (std::size_t k = 0; k < e.size(); ++k) {
            const expr::Expr symbol = model.coordinates[body.coordinates[k + 3]].q;
            const auto at = std::ranges::find(flow.states, symbol);
            found = found && at != flow.states.end();
            e[k] = static_cast<std::size_t>(at - flow.states.begin());
        }
        if (found) quaternions.push_back(e);
    }
    if (!quaternions.empty())
        flow.transitions.push_back(std::make_shared<Normalisation>(std::move(quaternions)));
}

} // namespace liaison::realise
