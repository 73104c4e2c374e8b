// SPDX-License-Identifier: Apache-2.0
// The loop over steps of all lanes.
#include "liaison/motion/lanes.hpp"

#include "liaison/compile/step_rule.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/flow/root_guard.hpp"
#include "liaison/flow/step_work.hpp"
#include "liaison/motion/flow_plan.hpp"
#include "liaison/motion/flow_program.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::motion {
namespace {

using solve::UsualStep;

} // namespace

Lanes::Lanes(const flow::Flow& flow, double tolerance, double expected_steps, bool usual,
             std::size_t width)
    : flow_(flow), width_(width), tolerance_{tolerance, tolerance} {
    const compile::TaylorPlan plan = plan_of(flow);
    // The proof of the number of roots grows with the square of the order; in lanes that part of it is a twentieth of a
    // step of order 22 (sampled profile of a sweep).
    constexpr double k_proof = 0.15;
    const unsigned order = compile::order_for(tolerance, plan, flow.guards.empty() ? 0.0 : k_proof);
    batch_ = compile::make_taylor_batch(plan, order, static_cast<std::uint32_t>(width_),
                                        {.expansions = expected_steps});
    workspace_ = batch_->workspace();
    if (batch_->backend() == compile::Backend::llvm) flow::compile_step_work(flow, false);

    std::vector<expr::Expr> needed = flow.rates;
    for (const flow::Guard& g : flow.guards) needed.push_back(g.value);
    for (const auto& transition : flow.transitions) {
        auto& reset = resets_.emplace_back();
        const auto* const owner = dynamic_cast<const flow::LaneOwner*>(transition.get());
        auto rule = usual && owner != nullptr ? owner->usual_reset(flow) : nullptr;
        if (!rule) continue;
        needed.insert(needed.end(), rule->numbers().begin(), rule->numbers().end());
        compile::Request request = inputs_of(flow);
        request.outputs = rule->numbers();
        reset.emplace();
        reset->numbers = compile::make_evaluator(
            request, {.backend = batch_->backend(), .lanes = static_cast<std::uint32_t>(width_)});
        reset->workspace = reset->numbers.make_workspace();
        reset->values.resize(request.outputs.size() * width_);
        reset->rule = std::move(rule);
    }
    const auto symbols = expr::free_symbols(needed);
    for (std::size_t j = 0; j < flow.modes.size(); ++j)
        if (std::find(symbols.begin(), symbols.end(), flow.modes[j].symbol) != symbols.end())
            used_.push_back(j);

    const std::size_t n = flow.states.size();
    parameters_.resize(flow.parameters.size() * width_);
    modes_.resize(flow.modes.size() * width_);
    state_.resize(n * width_);
    moved_.resize(n * width_);
    low_.resize(n * width_);
    inputs_.resize((flow.parameters.size() + flow.modes.size() + 1 + n) * width_);
    for (std::size_t l = 0; l < width_; ++l)
        lanes_.push_back({nullptr, {}, LaneView(*batch_, l), Course::idle, {}, 0.0, {}});
    for (Lane& lane : lanes_) lane.sides.resize(flow.guards.size());
}

void Lanes::run(const Next& next, const Done& done) {
    for (std::size_t l = 0; l < width_; ++l) fill(l, next, done);
    const auto working = [](const Lane& lane) { return lane.motion != nullptr; };
    while (std::any_of(lanes_.begin(), lanes_.end(), working)) {
        read_lanes();
        batch_->expand(std::span(time_).first(width_), state_, workspace_);
        choose();
        search();
        evaluate();
        finish_steps();
        for (std::size_t l = 0; l < width_; ++l) {
            Lane& lane = lanes_[l];
            if (!lane.motion || lane.motion->goes_on()) continue;
            done(l, lane.motion->finish());
            fill(l, next, done);
        }
    }
}

// The next motion for a free lane. One that is over before its first step makes room for another.
void Lanes::fill(std::size_t l, const Next& next, const Done& done) {
    Lane& lane = lanes_[l];
    lane.motion.reset();
    while (const auto motion = next(l)) {
        lane.of = *motion;
        lane.view.restart();
        lane.motion = std::make_unique<Simulation>(*lane.of.flow, lane.view, *lane.of.options);
        lane.motion->begin();
        for (std::size_t i = 0; i < flow_.parameters.size(); ++i)
            parameters_[i * width_ + l] = lane.of.flow->parameter_values[i];
        changed_ = true;
        if (lane.motion->goes_on()) return;
        done(l, lane.motion->finish());
        lane.motion.reset();
    }
}

// Where the motions stand; a free lane repeats what it held last.
void Lanes::read_lanes() {
    for (std::size_t l = 0; l < width_; ++l) {
        Lane& lane = lanes_[l];
        lane.course = Course::idle;
        if (!lane.motion) continue;
        const flow::Instant& now = lane.motion->now();
        time_[l] = now.field_time;
        left_[l] = lane.motion->left();
        for (std::size_t i = 0; i < now.state.size(); ++i) {
            state_[i * width_ + l] = now.state[i];
            low_[i * width_ + l] = lane.motion->carry()[i];
        }
        for (const std::size_t j : used_) {
            double& mode = modes_[j * width_ + l];
            if (mode == now.mode[j]) continue;
            mode = now.mode[j];
            changed_ = true;
        }
        lane.view.count();
        lane.course = lane.motion->plain() ? Course::pass : Course::alone;
    }
    if (!changed_) return;
    changed_ = false;
    batch_->bind(parameters_, modes_, workspace_);
    for (auto& reset : resets_)
        if (reset) reset->from = compile::Stage::constant;
}

// The length of every step; those that need a closer look are made by the scalar stepper.
void Lanes::choose() {
    compile::choose_steps(*batch_, workspace_, tolerance_, step_);
    const auto singular = batch_->singular(workspace_);
    for (std::size_t l = 0; l < width_; ++l) {
        if (lanes_[l].course == Course::idle) continue;
        if (singular[l] != 0.0 || !(step_[l] > 0.0) || std::isinf(step_[l]) ||
            lanes_[l].view.leaves_branch_point())
            lanes_[l].course = Course::odd;
        step_[l] = std::min(left_[l], step_[l]);
    }
    for (std::size_t k = 0; k < flow_.guards.size(); ++k) {
        compile::LaneValues counts{};
        bool some = false;
        for (std::size_t l = 0; l < width_; ++l) {
            const bool watched =
                lanes_[l].course != Course::idle && lanes_[l].view.watched()[k] != 0;
            counts[l] = watched ? 1.0 : 0.0;
            some = some || watched;
        }
        if (some)
            compile::limit_steps({batch_->output(workspace_, k), width_}, compile::k_guard_share,
                                 tolerance_.absolute, counts, step_);
    }
    for (std::size_t l = 0; l < width_; ++l) {
        Lane& lane = lanes_[l];
        if (lane.course == Course::idle) continue;
        const double h = step_[l];
        const double least =
            k_time_resolution * std::max(std::abs(lane.motion->now().time.rounded()), left_[l]);
        if (!(h > 0.0) || (h < left_[l] && h < least)) lane.course = Course::odd;
        tau_[l] = h;
    }
}

void Lanes::search() {
    for (std::size_t k = 0; k < flow_.guards.size(); ++k) search(k);
}

void Lanes::search(std::size_t k) {
    solve::LaneQuery query;
    bool some = false;
    for (std::size_t l = 0; l < width_; ++l) {
        Lane& lane = lanes_[l];
        const bool usual = lane.course == Course::pass || lane.course == Course::strike;
        if (!usual || lane.view.watched()[k] == 0) continue;
        const int multiplicity = lane.motion->watch().multiplicity(k);
        if (multiplicity > 1) {
            lane.course = Course::alone;
            continue;
        }
        query.wanted[l] = 1;
        query.at_zero[l] = multiplicity == 1 ? 1 : 0;
        some = true;
    }
    if (!some) return;
    query.coefficients = batch_->output(workspace_, k);
    query.lanes = width_;
    query.h = step_;
    compile::truncations({query.coefficients, width_}, step_, query.rho);
    query.remainder_order = static_cast<int>(batch_->order()) + 1;
    solve::LaneRoots found;
    solve::search_lanes(query, found);
    for (std::size_t l = 0; l < width_; ++l)
        if (query.wanted[l] != 0) judge(l, k, found);
}

void Lanes::judge(std::size_t l, std::size_t k, const solve::LaneRoots& found) {
    Lane& lane = lanes_[l];
    const auto passage = found.passage(l);
    const int side = found.side(l);
    if (passage == UsualStep::Passage::unknown || !lane.motion->starts_rightly(k, side)) {
        lane.course = Course::alone;
        return;
    }
    lane.sides[k] = side;
    if (passage == UsualStep::Passage::clear) return;
    // The first of several guards is for the Simulation to find, and what turns with a root.
    if (lane.course == Course::strike || flow::is_root(flow_.guards[k]) ||
        !lane.motion->fires_rightly(k, side)) {
        lane.course = Course::alone;
        return;
    }
    lane.course = Course::strike;
    lane.correction = found.correction[l];
    lane.firing = {k, side < 0, found.derivative[l], found.accuracy[l]};
    tau_[l] = found.time[l];
}

void Lanes::evaluate() {
    const std::size_t n = flow_.states.size();
    for (std::size_t i = 0; i < n; ++i)
        compile::evaluate_compensated({batch_->state(workspace_, i), width_}, tau_,
                                      moved_.data() + i * width_, low_.data() + i * width_);
}

void Lanes::finish_steps() {
    bool some = false;
    for (std::size_t l = 0; l < width_; ++l) {
        Lane& lane = lanes_[l];
        switch (lane.course) {
        case Course::idle: break;
        case Course::odd: step_oddly(lane); break;
        case Course::alone: step_alone(lane, l); break;
        case Course::pass:
        case Course::strike: {
            const bool passes = lane.course == Course::pass;
            if (lane.motion->sample_is_near(tau_[l])) {
                lane.view.show(*batch_, workspace_);
                lane.motion->sample(tau_[l], passes);
            }
            if (passes) {
                lane.motion->pass(tau_[l], moved_.data() + l, low_.data() + l, width_, lane.sides);
                break;
            }
            lane.motion->reach(tau_[l], lane.correction, moved_.data() + l, width_, lane.firing);
            some = true;
            break;
        }
        }
    }
    if (some) strike();
}

// Transitions of the lanes that have reached one; their numbers are computed side by side.
void Lanes::strike() {
    const std::size_t n_parameters = parameters_.size();
    const std::size_t n_modes = modes_.size();
    for (std::size_t owner = 0; owner < resets_.size(); ++owner) {
        const auto strikes = [&](const Lane& lane) {
            return lane.course == Course::strike && flow_.guards[lane.firing.guard].owner == owner;
        };
        if (std::none_of(lanes_.begin(), lanes_.end(), strikes)) continue;
        auto& reset = resets_[owner];
        if (reset) {
            if (reset->from == compile::Stage::constant) {
                std::copy(parameters_.begin(), parameters_.end(), inputs_.begin());
                std::copy(modes_.begin(), modes_.end(),
                          inputs_.begin() + static_cast<std::ptrdiff_t>(n_parameters));
            }
            double* const time = inputs_.data() + n_parameters + n_modes;
            for (std::size_t l = 0; l < width_; ++l)
                if (lanes_[l].motion) time[l] = lanes_[l].motion->now().field_time;
            std::copy(moved_.begin(), moved_.end(), time + width_);
            reset->numbers.run(inputs_.data(), reset->values.data(), reset->workspace, reset->from);
            reset->from = compile::Stage::time;
        }
        for (std::size_t l = 0; l < width_; ++l) {
            if (!strikes(lanes_[l])) continue;
            if (reset)
                lanes_[l].motion->transit_usually(reset->rule.get(), reset->values.data() + l,
                                                  width_, lanes_[l].of.witness);
            else
                lanes_[l].motion->transit_usually(nullptr, nullptr, width_, lanes_[l].of.witness);
        }
    }
}

void Lanes::step_alone(Lane& lane, std::size_t l) {
    lane.view.show(*batch_, workspace_);
    lane.motion->take({StepStatus::ok, step_[l], {}});
}

void Lanes::step_oddly(Lane& lane) {
    if (!spare_) spare_ = make_taylor_stepper_of_order(flow_, tolerance_.relative, batch_->order());
    spare_->forget();
    spare_->watch(lane.view.watched());
    if (lane.view.leaves_branch_point()) spare_->leave_branch_point();
    lane.view.left_branch_point();
    const Step step = spare_->advance(lane.motion->now(), lane.motion->left());
    lane.view.show(*spare_);
    lane.motion->take(step);
}

} // namespace liaison::motion
