// SPDX-License-Identifier: Apache-2.0
// Sections by samples at whole periods, or by a witness around the transitions of the flow.
#include "liaison/analysis/section.hpp"

#include "liaison/expr/traverse.hpp"
#include "liaison/flow/start_instant.hpp"
#include "liaison/flow/step_work.hpp"
#include "liaison/flow/usual_reset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::analysis {

std::string_view name(MotionLabel label) {
    switch (label) {
    case MotionLabel::periodic: return "periodic";
    case MotionLabel::irregular: return "irregular";
    case MotionLabel::rest: return "rest";
    case MotionLabel::chattering: return "chattering";
    case MotionLabel::moving: return "moving";
    case MotionLabel::divergence: return "divergence";
    case MotionLabel::unmet: return "unmet";
    case MotionLabel::inadmissible: return "inadmissible";
    case MotionLabel::failed: return "failed";
    }
    return "failed";
}

// Stands around a transition and sees what it does; the transition itself is asked unchanged.
class SectionWitness final : public flow::Transition,
                             public flow::LaneOwner,
                             public flow::StepWork {
  public:
    SectionWitness(std::shared_ptr<const flow::Transition> inner, SectionWatch& watch)
        : inner_(std::move(inner)), lanes_(dynamic_cast<const flow::LaneOwner*>(inner_.get())),
          work_(dynamic_cast<const flow::StepWork*>(inner_.get())), watch_(watch) {}

    flow::Outcome start(flow::Instant& now) const override {
        const Whole whole(watch_, now);
        return inner_->start(now);
    }
    flow::Outcome transit(std::span<const flow::Firing> fired, flow::Instant& now) const override {
        const Whole whole(watch_, now);
        if (!watch_.options_.rule.before) {
            flow::Outcome outcome = inner_->transit(fired, now);
            watch_.see(outcome, nullptr, now);
            return outcome;
        }
        const flow::Instant before = now;
        flow::Outcome outcome = inner_->transit(fired, now);
        watch_.see(outcome, &before, now);
        return outcome;
    }
    void settle(flow::Instant& now) const override {
        const Whole whole(watch_, now);
        inner_->settle(now);
    }
    flow::Outcome refresh(flow::Instant& now) const override {
        const Whole whole(watch_, now);
        return inner_->refresh(now);
    }
    flow::Outcome jump(const flow::Instant& from, flow::Instant& now) const override {
        const Whole whole(watch_, now);
        const flow::Instant before = watch_.whole(from);
        flow::Outcome outcome = inner_->jump(before, now);
        watch_.see(outcome, &before, now);
        return outcome;
    }
    void confirm(const flow::Instant& now, std::span<const flow::Armed> earlier,
                 std::vector<flow::Armed>& armed) const override {
        inner_->confirm(watch_.whole(now), earlier, armed);
    }

    [[nodiscard]] bool settles(const flow::Instant& now) const override {
        return lanes_ == nullptr || lanes_->settles(now);
    }
    [[nodiscard]] bool listens(const flow::Instant& now) const override {
        return lanes_ == nullptr || lanes_->listens(now);
    }
    [[nodiscard]] std::shared_ptr<const flow::UsualReset>
    usual_reset(const flow::Flow& flow) const override {
        return lanes_ == nullptr ? nullptr : lanes_->usual_reset(flow);
    }
    void compile(bool only_cached) const override {
        if (work_ != nullptr) work_->compile(only_cached);
    }
    [[nodiscard]] bool compiled() const override { return work_ == nullptr || work_->compiled(); }

  private:
    // All states while the transition works, those of the motion afterwards.
    class Whole {
      public:
        Whole(const SectionWatch& watch, flow::Instant& now) : now_(now), n_(now.state.size()) {
            now_.state.resize(watch.all_states_, 0.0);
        }
        ~Whole() { now_.state.resize(n_); }
        Whole(const Whole&) = delete;
        Whole& operator=(const Whole&) = delete;

      private:
        flow::Instant& now_;
        std::size_t n_;
    };

    std::shared_ptr<const flow::Transition> inner_;
    const flow::LaneOwner* lanes_; // the same, where it lets motions be computed side by side
    const flow::StepWork* work_; // the same, where it works after every step
    SectionWatch& watch_;
};

SectionWatch::SectionWatch(const flow::Flow& flow, SectionOptions options)
    : flow_(flow), all_states_(flow.states.size()), options_(std::move(options)) {
    for (auto& transition : flow_.transitions)
        transition = std::make_shared<SectionWitness>(transition, *this);
    std::vector<expr::Expr> observed, rates, admissible, violations;
    for (const Observed& o : options_.observed)
        if (o.what == Observed::What::output) observed.push_back(flow_.outputs[o.output].value);
    for (std::size_t i = 0; i < flow_.n_controlled; ++i) rates.push_back(flow_.rates[i]);
    for (const flow::Output& o : flow_.outputs) {
        if (o.group != flow::OutputGroup::gap) continue;
        admissible.push_back(o.value);
        admissible_names_.push_back(o.name);
    }
    n_gaps_ = admissible.size();
    for (const flow::HeldConstraint& c : flow_.constraints) {
        admissible.push_back(c.f);
        admissible_names_.push_back("constraint " + c.name);
    }
    values_.resize(std::max({observed.size(), rates.size(), admissible.size()}));
    observed_ = flow::Probe(flow_, std::move(observed));
    rates_ = flow::Probe(flow_, std::move(rates));
    admissible_ = flow::Probe(flow_, std::move(admissible));
    leave_out_carried();
    stepper_ = motion::make_taylor_stepper(flow_, options_.tolerance,
                                           steps_per_motion() * options_.expected_points);
}

void SectionWatch::leave_out_carried() {
    const std::size_t n = flow_.n_controlled;
    if (!flow_.followed.empty() || !flow_.algebraic.empty()) return;
    std::vector<expr::Expr> needed(flow_.rates.begin(),
                                   flow_.rates.begin() + static_cast<std::ptrdiff_t>(n));
    for (const flow::Guard& g : flow_.guards) needed.push_back(g.value);
    for (const expr::Expr symbol : expr::free_symbols(needed)) {
        if (std::find(flow_.states.begin() + static_cast<std::ptrdiff_t>(n), flow_.states.end(),
                      symbol) != flow_.states.end())
            return;
    }
    flow_.states.resize(n);
    flow_.state_names.resize(n);
    flow_.rates.resize(n);
    flow_.start_state.resize(n);
}

flow::Instant SectionWatch::whole(const flow::Instant& now) const {
    flow::Instant result = now;
    result.state.resize(all_states_, 0.0);
    return result;
}

// Grids of starts reach into walls: that is no motion, and no attractor.
std::string SectionWatch::start_violation() {
    const auto values = admissible_(whole(flow::start_instant(flow_)));
    for (std::size_t i = 0; i < values.size(); ++i) {
        constexpr double k_rounding = 1e-9;
        if (i < n_gaps_ ? values[i] < -k_rounding : std::abs(values[i]) > k_rounding)
            return fmt::format("the start violates {} by {:.3g}", admissible_names_[i],
                               std::abs(values[i]));
    }
    return {};
}

// Writes down what is observed at this instant.
void SectionWatch::take(const flow::Instant& now) {
    observed_.evaluate(now, values_);
    const double* output = values_.data();
    for (const Observed& o : options_.observed) {
        switch (o.what) {
        case Observed::What::output: result_.values.push_back(*output++); break;
        case Observed::What::time: result_.values.push_back(now.time.rounded()); break;
        case Observed::What::phase: {
            const double turns = period_ > 0.0 ? now.time.rounded() / period_ : 0.0;
            result_.values.push_back(turns - std::floor(turns));
            break;
        }
        }
    }
}

void SectionWatch::see(const flow::Outcome& outcome, const flow::Instant* before,
                       const flow::Instant& now) {
    const SectionRule& rule = options_.rule;
    for (const flow::Event& e : outcome.events) {
        const bool kept = rule.kind == SectionRule::Kind::event ? met_ > options_.drop
                                                                : now.time.rounded() >= kept_from_;
        if (kept && e.kind == flow::EventKind::impact) ++result_.impacts;
        if (kept && e.kind == flow::EventKind::accumulation) ++accumulations_;
        if (rule.kind != SectionRule::Kind::event || enough_) continue;
        if (e.where != rule.where && flow::name(e.kind) != rule.where) continue;
        if (++met_ <= options_.drop) continue;
        take(rule.before && before != nullptr ? *before : now);
        if (met_ == options_.drop + options_.keep) enough_ = true;
    }
}

SectionResult SectionWatch::run(std::span<const double> parameters, std::span<const double> start,
                                double start_time, double period,
                                const std::atomic<bool>* interrupt) {
    if (!prepare(parameters, start, start_time, period, interrupt)) return conclude({});
    return simulate();
}

SectionResult SectionWatch::simulate() {
    stepper_->forget();
    return conclude(motion::simulate(flow_, *stepper_, simulate_));
}

bool SectionWatch::prepare(std::span<const double> parameters, std::span<const double> start,
                           double start_time, double period, const std::atomic<bool>* interrupt) {
    std::copy(parameters.begin(), parameters.end(), flow_.parameter_values.begin());
    std::copy_n(start.begin(), std::min(start.size(), flow_.start_state.size()),
                flow_.start_state.begin());
    flow_.start_time = start_time;
    result_ = {};
    met_ = 0;
    accumulations_ = 0;
    enough_ = false;
    period_ = period;
    kept_from_ = start_time;
    std::string why = start_violation();
    begins_ = why.empty();
    if (!begins_) {
        result_.label = MotionLabel::inadmissible;
        result_.reason = std::move(why);
        return false;
    }
    simulate_.sample_at.clear();
    simulate_.tolerance = options_.tolerance;
    simulate_.keep_events = 0;
    simulate_.interrupt = interrupt;
    const auto drop = static_cast<double>(options_.drop);
    if (options_.rule.kind == SectionRule::Kind::period) {
        // Whole periods of the force itself, wherever the motion begins.
        const double first = std::ceil(start_time / period - options_.rule.phase) + drop;
        for (std::size_t k = 0; k < options_.keep; ++k)
            simulate_.sample_at.push_back((first + static_cast<double>(k) + options_.rule.phase) *
                                          period);
        simulate_.until = simulate_.sample_at.back();
        kept_from_ = simulate_.sample_at.front();
    } else {
        simulate_.until = start_time + options_.until;
        simulate_.interrupt = &enough_;
        if (options_.rule.kind == SectionRule::Kind::end)
            kept_from_ = start_time + 0.5 * options_.until;
    }
    return true;
}

void SectionWatch::see_usual(flow::EventKind kind, const flow::Instant& now) {
    if (kind == flow::EventKind::impact && now.time.rounded() >= kept_from_) ++result_.impacts;
}

SectionResult SectionWatch::conclude(motion::Trajectory&& trajectory) {
    if (!begins_) {
        last_.state = flow_.start_state;
        return std::move(result_);
    }
    last_ = std::move(trajectory);
    flow::Instant now;
    now.parameters = flow_.parameter_values;
    for (const motion::Sample& s : last_.samples) {
        now.time = solve::DoubleLength(s.time);
        now.field_time = s.field_time;
        now.state = s.state;
        now.mode = s.mode;
        take(whole(now));
    }
    if (options_.rule.kind == SectionRule::Kind::end && last_.status == motion::Status::done) {
        now.time = last_.time;
        now.field_time = last_.field_time;
        now.state = last_.state;
        now.mode = last_.mode;
        take(whole(now));
    }
    label(last_, result_);
    return std::move(result_);
}

void SectionWatch::label(const motion::Trajectory& t, SectionResult& result) const {
    double largest = 0.0;
    for (std::size_t i = 0; i < flow_.n_controlled; ++i)
        largest =
            std::max(largest, std::isfinite(t.state[i]) ? std::abs(t.state[i])
                                                        : std::numeric_limits<double>::infinity());
    for (const double x : result.values)
        largest = std::max(largest, std::isfinite(x) ? 0.0 : options_.limit * 2.0);
    const bool by_events = options_.rule.kind == SectionRule::Kind::event;
    if (largest > options_.limit) {
        result.label = MotionLabel::divergence;
        result.reason = t.reason;
        return;
    }
    if (t.status == motion::Status::stopped) {
        result.label = MotionLabel::failed;
        result.reason = t.reason;
        return;
    }
    // Rest: nothing moves at the end, and nothing has happened since the transient.
    flow::Instant now;
    now.parameters = flow_.parameter_values;
    now.time = t.time;
    now.field_time = t.field_time;
    now.state = t.state;
    now.mode = t.mode;
    double fastest = 0.0;
    for (const double rate : rates_(whole(now))) fastest = std::max(fastest, std::abs(rate));
    constexpr double k_still = 1e-7;
    result.period = recurrence(result);
    const bool still = fastest <= k_still * std::max(1.0, largest);
    if (still && result.impacts == 0 &&
        (by_events ? !enough_
                   : options_.rule.kind == SectionRule::Kind::end || result.period == 1)) {
        result.label = MotionLabel::rest;
        return;
    }
    if (by_events && !enough_) {
        result.label = MotionLabel::unmet;
        result.reason = fmt::format("only {} sections in the time given", met_);
        return;
    }
    if (accumulations_ > 0) {
        result.label = MotionLabel::chattering;
        return;
    }
    if (options_.rule.kind == SectionRule::Kind::end)
        result.label = MotionLabel::moving;
    else
        result.label = result.period > 0 ? MotionLabel::periodic : MotionLabel::irregular;
}

// The smallest number of sections after which all that follow repeat; time itself does not. A motion that still winds
// into its orbit may seem to repeat later than it does: a divisor that fits the second half less closely is the period.
std::uint32_t SectionWatch::recurrence(const SectionResult& result) const {
    const std::size_t width = options_.observed.size();
    if (width == 0) return 0;
    const std::size_t n = result.values.size() / width;
    if (n < 2) return 0;
    double size = 0.0;
    for (std::size_t i = 0; i < result.values.size(); ++i) {
        if (options_.observed[i % width].what == Observed::What::output)
            size = std::max(size, std::abs(result.values[i]));
    }
    const auto repeats = [&](std::size_t p, std::size_t from, double share) {
        const double near = share * std::max(size, 1e-12);
        for (std::size_t k = std::max(p, from); k < n; ++k) {
            for (std::size_t j = 0; j < width; ++j) {
                const auto what = options_.observed[j].what;
                if (what == Observed::What::time) continue;
                const double d =
                    std::abs(result.values[k * width + j] - result.values[(k - p) * width + j]);
                if (what == Observed::What::phase ? std::min(d, 1.0 - d) > share : d > near)
                    return false;
            }
        }
        return true;
    };
    for (std::size_t p = 1; 2 * p <= n; ++p) {
        if (!repeats(p, p, options_.recurrence)) continue;
        constexpr double k_looser = 100.0;
        for (std::size_t d = 1; d < p; ++d)
            if (p % d == 0 && repeats(d, n / 2, k_looser * options_.recurrence))
                return static_cast<std::uint32_t>(d);
        return static_cast<std::uint32_t>(p);
    }
    return 0;
}

} // namespace liaison::analysis
