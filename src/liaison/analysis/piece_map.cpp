// SPDX-License-Identifier: Apache-2.0
// A flow whose guards are taken away and whose modes stay as they are given.
#include "liaison/analysis/piece_map.hpp"

#include "liaison/flow/reset_derivative.hpp"
#include "liaison/flow/root_guard.hpp"
#include "liaison/motion/measured_stepper.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

using Eigen::Index;

// Keeps what a transition does between events (settling on constraints) and nothing else.
class OnlySettles final : public flow::Transition {
  public:
    explicit OnlySettles(std::shared_ptr<const flow::Transition> inner)
        : inner_(std::move(inner)) {}
    flow::Outcome start(flow::Instant&) const override { return {}; }
    // Of a branch point, where only the series begins anew.
    flow::Outcome transit(std::span<const flow::Firing> fired, flow::Instant&) const override {
        flow::Outcome outcome;
        for (const flow::Firing& f : fired) outcome.armed.push_back({f.guard, 1, true});
        return outcome;
    }
    void settle(flow::Instant& now) const override { inner_->settle(now); }
    [[nodiscard]] std::shared_ptr<const flow::ResetDerivative>
    derivative(const flow::Flow& flow, std::span<const expr::Expr> atoms) const override {
        return inner_->derivative(flow, atoms);
    }

  private:
    std::shared_ptr<const flow::Transition> inner_;
};

std::shared_ptr<const flow::Flow> without_guards(const flow::Flow& flow) {
    auto result = std::make_shared<flow::Flow>(flow);
    // The series of roots must still be told where it turns.
    std::erase_if(result->guards, [](const flow::Guard& g) { return !flow::is_root(g); });
    for (auto& t : result->transitions) t = std::make_shared<OnlySettles>(t);
    return result;
}

std::vector<flow::Tangent> all_directions(const flow::Flow& flow, std::size_t rows,
                                          std::optional<std::size_t> parameter) {
    std::vector<flow::Tangent> tangents;
    for (std::size_t i = 0; i < rows; ++i) {
        flow::Tangent t;
        t.name = std::to_string(i);
        t.start.assign(i + 1, 0.0);
        t.start[i] = 1.0;
        tangents.push_back(std::move(t));
    }
    flow::Tangent time;
    time.name = "t";
    time.time = true;
    tangents.push_back(std::move(time));
    if (parameter) {
        flow::Tangent p;
        p.name = flow.parameter_names[*parameter];
        p.parameter = parameter;
        tangents.push_back(std::move(p));
    }
    return tangents;
}

} // namespace

PieceMap::PieceMap(std::shared_ptr<const flow::Flow> flow, std::optional<std::size_t> parameter,
                   double tolerance)
    : base_(std::move(flow)), has_parameter_(parameter.has_value()), tolerance_(tolerance) {
    const flow::Atoms atoms(*base_, std::vector<std::size_t>());
    slots_ = atoms.slots;
    extended_ = flow::extend(without_guards(*base_),
                             all_directions(*base_, atoms.rows(), parameter), {.outputs = false});
    stepper_ = motion::make_measured_stepper(extended_.flow, tolerance_);
}

void PieceMap::set_parameters(std::span<const double> values) {
    // In place: instants of earlier pieces look at these numbers.
    std::copy(values.begin(), values.end(), extended_.flow.parameter_values.begin());
    stepper_->forget();
}

// The mirror image of the piece ahead, which differs from the motion back in time by terms of second order: two events
// that change their order are passed smoothly, and the solution at the change is exact.
PieceEnd PieceMap::backwards(double time, const Eigen::VectorXd& w, std::span<const double> mode,
                             double duration) {
    PieceEnd end = run(time, w, mode, duration);
    if (!end.reached) return end;
    end.w = 2.0 * w - end.w;
    end.by_state =
        2.0 * Eigen::MatrixXd::Identity(end.by_state.rows(), end.by_state.cols()) - end.by_state;
    end.by_time = -end.by_time;
    end.by_parameter = -end.by_parameter;
    for (std::size_t i = 0; i < extended_.flow.n_controlled; ++i)
        end.instant.state[i] = end.w(static_cast<Index>(i));
    end.instant.time = end.instant.time - 2.0 * duration;
    end.instant.field_time -= 2.0 * duration;
    return end;
}

PieceEnd PieceMap::run(double time, const Eigen::VectorXd& w, std::span<const double> mode,
                       double duration, double back) {
    PieceEnd end;
    flow::Flow& flow = extended_.flow;
    const std::size_t n = flow.n_controlled;
    if (duration < 0.0 && duration > -back) return backwards(time, w, mode, -duration);
    if (!w.allFinite() || !std::isfinite(time) || !(duration >= 0.0)) {
        end.reason = "the duration of a piece became negative";
        return end;
    }
    flow.start_time = time;
    std::fill(flow.start_state.begin(), flow.start_state.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i) flow.start_state[i] = w(static_cast<Index>(i));
    for (std::size_t j = 0; j < extended_.rows; ++j) flow.start_state[extended_.index(j, j)] = 1.0;
    for (std::size_t i = 0; i < mode.size(); ++i) flow.modes[i].initial = mode[i];
    for (std::size_t i = 0; i < slots_.size(); ++i)
        flow.modes[slots_[i]].initial = w(static_cast<Index>(n + i));

    motion::SimulateOptions options;
    options.until = time + duration;
    options.tolerance = tolerance_;
    options.interrupt = interrupt_;
    auto t = motion::simulate(flow, *stepper_, options);
    end.reason = t.reason;
    end.reached = t.status == motion::Status::done;
    if (!end.reached) return end;

    const auto rows = static_cast<Index>(extended_.rows);
    end.w.resize(rows);
    end.by_state.resize(rows, rows);
    const auto column = [&](std::size_t j) {
        return Eigen::Map<const Eigen::VectorXd>(t.state.data() + extended_.index(j, 0), rows);
    };
    for (Index j = 0; j < rows; ++j) end.by_state.col(j) = column(static_cast<std::size_t>(j));
    end.by_time = column(extended_.rows);
    if (has_parameter_) end.by_parameter = column(extended_.rows + 1);
    for (std::size_t i = 0; i < n; ++i) end.w(static_cast<Index>(i)) = t.state[i];
    for (std::size_t i = 0; i < slots_.size(); ++i)
        end.w(static_cast<Index>(n + i)) = t.mode[slots_[i]];

    end.instant.time = t.time;
    end.instant.field_time = t.field_time;
    end.instant.tolerance = tolerance_;
    end.instant.parameters = flow.parameter_values;
    end.instant.state.assign(t.state.begin(),
                             t.state.begin() + static_cast<std::ptrdiff_t>(base_->states.size()));
    end.instant.mode.assign(t.mode.begin(),
                            t.mode.begin() + static_cast<std::ptrdiff_t>(base_->modes.size()));
    return end;
}

} // namespace liaison::analysis
