// SPDX-License-Identifier: Apache-2.0
// The values of the start as written: parameters, time, coordinates, velocities.
#include "liaison/expr/traverse.hpp"
#include "liaison/prepare/work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::prepare {

using base::Code;
using expr::Expr;
using model::Formula;
using model::k_none;

namespace {

// Start values may use each other: evaluated in the order of their dependence.
class Ordered {
  public:
    Ordered(Work& work, const std::vector<Formula>& formulas, std::vector<double>& values,
            const std::vector<Expr>& symbols, const std::vector<std::string>& names)
        : work_(work), formulas_(formulas), values_(values), names_(names),
          state_(formulas.size(), State::fresh) {
        for (std::size_t i = 0; i < symbols.size(); ++i) index_[symbols[i].node()] = i;
    }

    bool run() {
        bool fine = true;
        for (std::size_t i = 0; i < formulas_.size(); ++i) fine = visit(i) && fine;
        return fine;
    }

  private:
    enum class State { fresh, open, done };

    bool visit(std::size_t root) {
        std::vector<std::size_t> stack{root};
        while (!stack.empty()) {
            const std::size_t top = stack.back();
            if (state_[top] == State::done || !formulas_[top]) {
                state_[top] = State::done;
                stack.pop_back();
                continue;
            }
            const bool waiting = state_[top] == State::fresh;
            state_[top] = State::open;
            if (waiting && wait_for_others(top, stack)) continue;
            if (broken_) return false;
            if (!evaluate(top)) return false;
            state_[top] = State::done;
            stack.pop_back();
        }
        return true;
    }

    // Pushes what this value needs; reports a circle.
    bool wait_for_others(std::size_t top, std::vector<std::size_t>& stack) {
        bool waits = false;
        for (const Expr symbol : expr::free_symbols(formulas_[top].expr)) {
            const auto found = index_.find(symbol.node());
            if (found == index_.end() || state_[found->second] == State::done) continue;
            if (state_[found->second] == State::open) {
                work_.diagnostics
                    .report(Code::start_cycle,
                            fmt::format("the start value of `{}` depends on itself",
                                        names_[found->second]))
                    .at(formulas_[top].span, fmt::format("needs `{}`", names_[found->second]))
                    .note("give one of them as a number, or let `solve` find it from a constraint");
                broken_ = true;
                return false;
            }
            stack.push_back(found->second);
            waits = true;
        }
        return waits;
    }

    bool evaluate(std::size_t k) {
        values_[k] = work_.at(formulas_[k].expr);
        if (std::isfinite(values_[k])) return true;
        work_.diagnostics
            .report(Code::not_finite,
                    fmt::format("the start value of `{}` is not a finite number", names_[k]))
            .at(formulas_[k].span, work_.values_in(formulas_[k].expr));
        return false;
    }

    Work& work_;
    const std::vector<Formula>& formulas_;
    std::vector<double>& values_;
    const std::vector<std::string>& names_;
    std::vector<State> state_;
    expr::NodeMap<std::size_t> index_;
    bool broken_ = false;
};

bool number(Work& work, const Formula& formula, std::string_view what, double& value) {
    if (!formula) return true;
    value = work.at(formula.expr);
    if (std::isfinite(value)) return true;
    work.diagnostics.report(Code::not_finite, fmt::format("{} is not a finite number", what))
        .at(formula.span, work.values_in(formula.expr));
    return false;
}

// A body whose orientation is not given stands upright: e = (1, 0, 0, 0), γ = (0, 0, 1).
void default_orientations(Work& work) {
    for (const model::Body& body : work.model.bodies) {
        const bool free = body.kind == model::Body::Kind::free;
        const std::size_t first = free ? 3 : 0;
        const bool given = std::any_of(
            body.coordinates.begin() + static_cast<std::ptrdiff_t>(first), body.coordinates.end(),
            [&](std::size_t c) { return static_cast<bool>(work.model.start.q[c]); });
        if (!given) work.start.point.q[body.coordinates[free ? 3 : 2]] = 1.0;
    }
}

void normalise_orientations(Work& work) {
    constexpr double near = 1e-6;
    for (const model::Body& body : work.model.bodies) {
        // What is solved for is a guess as it stands; its length is solved for with it.
        const std::size_t turning = body.kind == model::Body::Kind::free ? 3 : 0;
        const bool guessed = std::ranges::any_of(work.model.start.solve, [&](std::size_t i) {
            const auto place = std::ranges::find(body.coordinates, i);
            return place != body.coordinates.end() &&
                   static_cast<std::size_t>(place - body.coordinates.begin()) >= turning;
        });
        if (guessed) continue;
        const double square = work.at(body.norm);
        if (!(std::abs(square - 1.0) <= near)) {
            work.diagnostics
                .report(Code::not_unit,
                        fmt::format("the orientation of body `{}` is not a unit vector", body.name))
                .at(work.model.start.span ? work.model.start.span : body.span,
                    fmt::format("the sum of its squares is {:.9g}", square))
                .note(body.kind == model::Body::Kind::free ? "e0² + e1² + e2² + e3² = 1"
                                                           : "gamma1² + gamma2² + gamma3² = 1");
            continue;
        }
        const std::size_t first = body.kind == model::Body::Kind::free ? 3 : 0;
        for (std::size_t k = first; k < body.coordinates.size(); ++k) {
            work.start.point.q[body.coordinates[k]] /= std::sqrt(square);
        }
    }
}

} // namespace

bool give_values(Work& work, const Options& options) {
    const model::Model& model = work.model;
    Start& start = work.start;
    start.point = Point(model);
    start.point.parameters = parameter_values(model, options.settings, work.diagnostics);
    start.tolerance = options.tolerance.value_or(model.run.tolerance.value_or(1e-9));

    std::vector<std::string> names;
    std::vector<Expr> symbols;
    for (const auto& coordinate : model.coordinates) {
        names.push_back(coordinate.name);
        symbols.push_back(coordinate.q);
    }
    std::vector<std::string> velocity_names;
    std::vector<Expr> velocity_symbols;
    for (const auto& velocity : model.velocities) {
        velocity_names.push_back(velocity.name);
        velocity_symbols.push_back(velocity.v);
    }
    bool fine = number(work, model.start.time, "the start time", start.point.time);
    default_orientations(work);
    fine = Ordered(work, model.start.q, start.point.q, symbols, names).run() && fine;
    if (!fine) return false;
    fine = Ordered(work, model.start.v, start.point.v, velocity_symbols, velocity_names).run();
    normalise_orientations(work);

    double until = 0.0;
    if (options.until || model.run.until) {
        fine = options.until ? true : number(work, model.run.until, "`until`", until) && fine;
        start.until = options.until.value_or(until);
        if (fine && !(*start.until > start.point.time)) {
            work.diagnostics
                .report(Code::until_in_the_past, fmt::format("the run ends at {} but starts at {}",
                                                             *start.until, start.point.time))
                .at(options.until ? base::Span{} : model.run.until.span,
                    "`until` is a time, not a duration")
                .note(fmt::format("choose a time after {}", start.point.time));
        }
    }
    double step = 0.0;
    if (options.step || model.run.step) {
        fine = options.step ? fine : number(work, model.run.step, "`step`", step) && fine;
        start.step = options.step.value_or(step);
        if (fine && !(*start.step > 0.0)) {
            work.diagnostics
                .report(Code::value_out_of_range,
                        fmt::format("a step of {} leads nowhere", *start.step))
                .at(options.step ? base::Span{} : model.run.step.span)
                .note("a step is a positive time, for example 0.001");
        }
    }
    return fine;
}

} // namespace liaison::prepare
