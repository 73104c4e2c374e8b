// SPDX-License-Identifier: Apache-2.0
// The least-norm problem by its dual, and where its answers stand in a run.
#include "liaison/record/shared_load.hpp"

#include "liaison/realise/carried_contact.hpp"
#include "liaison/realise/friction_modes.hpp"
#include "liaison/solve/dense.hpp"

#include <algorithm>
#include <span>

namespace liaison::record {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using flow::OutputGroup;

class Loads {
  public:
    Loads(const realise::ContactProblem& contacts, const flow::Flow& flow) : contacts_(contacts) {
        const auto& sides = contacts.sides();
        const bool with_modes = realise::FrictionModes::declared(sides, flow);
        const realise::FrictionModes modes =
            with_modes ? realise::FrictionModes(sides, flow) : realise::FrictionModes();
        for (std::size_t k = 0; k < sides.size(); ++k) {
            const realise::ContactSide& s = sides[k];
            slots_.push_back(with_modes ? modes.at(static_cast<Index>(k)).state
                                        : flow::slot_of(flow, s.mask));
            const std::string name = s.side.empty() ? s.name : s.name + " " + s.side;
            const auto at = std::ranges::find_if(flow.outputs, [&](const flow::Output& o) {
                return o.group == OutputGroup::reaction && o.name == name;
            });
            reactions_.push_back(static_cast<std::size_t>(at - flow.outputs.begin()));
        }
        now_.parameters = flow.parameter_values;
    }

    void share(const std::vector<double>& state, double field_time, const std::vector<double>& mode,
               std::span<double> values) {
        std::vector<Index> closed;
        bool carried = false;
        for (std::size_t k = 0; k < slots_.size(); ++k) {
            const double contact = mode[slots_[k]];
            if (contact == 0.0 || reactions_[k] >= values.size()) continue;
            closed.push_back(static_cast<Index>(k));
            carried =
                carried || contact == realise::k_carried || contact == realise::k_held_by_others;
        }
        if (!carried) return;
        now_.state = state;
        now_.field_time = field_time;
        now_.mode = mode;
        const MatrixXd W = contacts_.at(now_).W(closed, Eigen::all);
        VectorXd given(static_cast<Index>(closed.size()));
        for (Index i = 0; i < given.size(); ++i)
            given(i) =
                values[reactions_[static_cast<std::size_t>(closed[static_cast<std::size_t>(i)])]];
        const VectorXd least = least_admissible(W.transpose(), given);
        for (Index i = 0; i < least.size(); ++i)
            values[reactions_[static_cast<std::size_t>(closed[static_cast<std::size_t>(i)])]] =
                least(i);
    }

  private:
    const realise::ContactProblem& contacts_;
    std::vector<std::size_t> slots_; // 0: open
    std::vector<std::size_t> reactions_; // places among the outputs
    flow::Instant now_;
};

} // namespace

// Optimal are λ = max(0, Bᵀν) with Bλ = f: Newton on the pieces of this equation, which ends where the set of carrying
// contacts repeats.
VectorXd least_admissible(const MatrixXd& B, const VectorXd& given) {
    const VectorXd f = B * given;
    const double size = std::max(given.cwiseAbs().maxCoeff(), 1e-300);
    std::vector<Index> active;
    for (Index i = 0; i < given.size(); ++i) active.push_back(i);
    constexpr int k_most = 50;
    for (int round = 0; round < k_most; ++round) {
        const MatrixXd carrying = B(Eigen::all, active);
        const VectorXd nu = solve::least_norm(carrying * carrying.transpose(), f);
        const VectorXd slope = B.transpose() * nu;
        std::vector<Index> next;
        for (Index i = 0; i < slope.size(); ++i) {
            if (slope(i) > 0.0) next.push_back(i);
        }
        const VectorXd least = slope.cwiseMax(0.0);
        constexpr double k_exact = 1e-10;
        if ((B * least - f).cwiseAbs().maxCoeff() <= k_exact * size) return least;
        if (next == active || next.empty()) break;
        active = std::move(next);
    }
    return {};
}

void share_loads(const realise::ContactProblem& contacts, const flow::Flow& flow, Run& run) {
    const auto& sides = contacts.sides();
    if (std::ranges::any_of(sides, [](const auto& s) { return bool(s.friction); })) return;
    Loads loads(contacts, flow);
    const auto& samples = run.trajectory.samples;
    for (std::size_t i = 0; i < samples.size() && i < run.samples.size(); ++i)
        loads.share(samples[i].state, samples[i].field_time, samples[i].mode,
                    run.samples.values_of(i));
    loads.share(run.trajectory.state, run.trajectory.field_time, run.trajectory.mode, run.end);
}

} // namespace liaison::record
