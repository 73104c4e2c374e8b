// SPDX-License-Identifier: Apache-2.0
// The loop of the motion room.
#include "liaison/motion/simulation.hpp"

#include "liaison/base/assert.hpp"
#include "liaison/compile/taylor_step.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/flow/bystander.hpp"
#include "liaison/flow/decisions.hpp"
#include "liaison/flow/outcome_room.hpp"
#include "liaison/flow/root_guard.hpp"
#include "liaison/motion/flow_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::motion {
namespace {

constexpr int k_max_chain = 1000; // transitions that answer each other at one instant

double frequency_of(const flow::Flow& flow) {
    if (!flow.frequency) return 0.0;
    const double w =
        std::abs(expr::evaluate(flow.frequency, flow.parameters, flow.parameter_values));
    return std::isfinite(w) ? w : 0.0;
}

} // namespace

Simulation::Simulation(const flow::Flow& flow, Stepper& stepper, const SimulateOptions& options)
    : flow_(flow), stepper_(stepper), options_(options), watch_(flow, stepper.expands()),
      clock_(solve::DoubleLength(flow.start_time), frequency_of(flow)), until_(options.until),
      n_moving_(n_moving(flow)), progress_(flow.guards.size()) {
    for (const auto& transition : flow.transitions) {
        if (const auto* owner = dynamic_cast<const flow::Restorer*>(transition.get()))
            restorers_.push_back(owner);
    }
    now_.state = flow.start_state;
    for (const flow::ModeSlot& slot : flow.modes) now_.mode.push_back(slot.initial);
    now_.parameters = flow.parameter_values;
    now_.tolerance = options.tolerance;
    carry_.assign(now_.state.size(), 0.0);
    if (options.from != nullptr) {
        LIAISON_ASSERT(options.from->state.size() == now_.state.size() &&
                           options.from->state_low.size() == now_.state.size() &&
                           options.from->mode.size() == now_.mode.size(),
                       "a motion goes on from a standing of its own flow");
        now_.state = options.from->state;
        now_.mode = options.from->mode;
        carry_ = options.from->state_low;
        clock_.set(options.from->time);
    }
    read_clock();
}

Trajectory Simulation::run() {
    begin();
    while (goes_on()) step();
    return finish();
}

void Simulation::begin() {
    result_.start_mode = now_.mode;
    if (!(until_ >= now_.time)) {
        stop(fmt::format("the end time {} lies before the start time {}", options_.until,
                         now_.time.rounded()));
        return;
    }
    if (options_.from != nullptr) {
        armed_ = options_.from->armed;
    } else {
        const std::vector<double> initial = now_.mode;
        const auto own = rehearse_start();
        for (std::size_t i = 0; i < flow_.transitions.size(); ++i) {
            if (!own.empty())
                for (const std::size_t slot : own[i]) now_.mode[slot] = initial[slot];
            const bool accepted = accept(flow_.transitions[i]->start(now_), armed_);
            result_.start_mode = now_.mode; // of a motion that cannot begin, too
            if (!accepted) return;
        }
    }
    begin_piece();
    sample_until(0.0, nullptr, true);
}

// Who decides first at the start does not know yet what the others will say: a contact not the forces that relays switch, a
// relay not the contacts that hold. All of them decide once for the others to know; then each begins as it did, among the
// modes of the others. The modes that each of them changed, none where that makes no difference: one who decides alone has
// nobody to wait for.
std::vector<std::vector<std::size_t>> Simulation::rehearse_start() {
    std::vector<std::vector<std::size_t>> own;
    const auto decides = [](const auto& owner) {
        return dynamic_cast<const flow::Bystander*>(owner.get()) == nullptr;
    };
    if (flow_.transitions.size() < 2 || flow_.modes.empty() ||
        std::ranges::count_if(flow_.transitions, decides) < 2)
        return own;
    const flow::Listening nobody(nullptr);
    flow::Instant trial = now_;
    for (const auto& transition : flow_.transitions) {
        const std::vector<double> before = trial.mode;
        if (transition->start(trial).fail) return {};
        auto& slots = own.emplace_back();
        for (std::size_t k = 0; k < before.size(); ++k)
            if (trial.mode[k] != before[k]) slots.push_back(k);
    }
    now_.mode = trial.mode;
    return own;
}

bool Simulation::goes_on() {
    if (over_ || !(now_.time < until_)) return false;
    if (options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed)) {
        result_.status = Status::interrupted;
        result_.reason = "interrupted";
        return false;
    }
    if (++result_.statistics.steps > options_.max_steps) {
        stop(fmt::format("more than {} steps", options_.max_steps));
        return false;
    }
    return keeps_pace();
}

void Simulation::step() { take(stepper_.advance(now_, left())); }

void Simulation::take(const Step& proposal) {
    if (proposal.status != StepStatus::ok) {
        stop(describe(proposal));
        return;
    }
    piece_is_new_ = true; // as lanes see it
    const auto confirmed = confirmed_step(proposal.h);
    if (!confirmed) {
        stop(described(fmt::format(
            "from t = {:.17g} on the series of the motion is not that of its functions, which have a "
            "branch point or an end that no step leads past",
            now_.time.rounded())));
        return;
    }
    const bool last = *confirmed >= left();
    const Watch& seen = watch_.result();
    if (seen.unresolved) {
        result_.warnings.push_back(
            fmt::format("t = {:.17g}: the roots of guard {} could not be separated",
                        now_.time.rounded(), flow_.guards[seen.unresolved_guard].name));
    }
    if (seen.identically_zero) warn_of_zero(seen.zero_guard);
    if (fresh_ && !turned_back(seen)) return;
    for (const GuardGraze& g : seen.grazes) report_graze(g);

    if (options_.on_piece || sample_is_near(seen.tau)) {
        build_piece(seen.tau);
        sample_until(seen.tau, &piece_, seen.fired.empty());
        if (options_.on_piece) options_.on_piece(piece_);
    }
    move(seen.tau);
    note_step(seen.tau);
    if (seen.fired.empty()) {
        if (last)
            clock_.set(until_);
        else
            clock_.advance(seen.tau);
        read_clock();
        watch_.advance();
        if (fresh_)
            forget_guards_left(seen.tau);
        else
            armed_.clear();
        if (!stepper_.ends_singular())
            for (const auto& transition : flow_.transitions) transition->settle(now_);
        progress_.step();
        return;
    }
    clock_.advance(seen.tau, seen.correction);
    read_clock();
    fired_ = seen.fired;
    seen_ = was_away(seen);
    if (fresh_ && never_left(seen.tau)) return;
    transit();
}

// The length of the step, searched for guards, that agrees at its end with the functions themselves; nothing where none does.
std::optional<double> Simulation::confirmed_step(double h) {
    constexpr double k_before = 0.99; // of the time to an event: at a zero a root may have no value
    constexpr int k_halvings = 50;
    for (int i = 0; i < k_halvings; ++i) {
        const Watch& seen = watch_.search(stepper_, h);
        const double tau = seen.fired.empty() ? seen.tau : k_before * seen.tau;
        if (stepper_.confirms(now_, tau)) return h;
        h = 0.5 * seen.tau;
    }
    return std::nullopt;
}

// Transitions at one instant, owner by owner, until no guard fires there any more.
void Simulation::transit() {
    auto earlier = armed_before();
    // Guards that the motion has not left since they were armed.
    just_armed_.clear();
    for (const flow::Armed& a : armed_) {
        if (std::ranges::find(fired_, a.guard, &flow::Firing::guard) == fired_.end())
            just_armed_.push_back(a);
    }
    const std::vector<double> untouched = earlier.empty() ? std::vector<double>{} : now_.state;
    armed_.clear();
    spoke_.clear();
    int speakers = 0;
    for (std::size_t owner = 0; owner < flow_.transitions.size(); ++owner) {
        owned_.clear();
        for (const flow::Firing& f : fired_) {
            if (flow_.guards[f.guard].owner == owner) owned_.push_back(f);
        }
        if (owned_.empty()) continue;
        std::fill(carry_.begin(), carry_.end(), 0.0);
        const bool alone = flow_.transitions.size() == 1;
        if (!alone) before_ = now_;
        if (!accept(flow_.transitions[owner]->transit(owned_, now_), armed_)) return;
        spoken_.clear();
        if (speakers++ == 0) spoken_.assign(now_.state.begin(), now_.state.end());
        if (!alone && !tell_others(owner, before_, 0)) return;
    }
    // Who decided anew has said which guards are zero now.
    std::erase_if(earlier, [&](const flow::Armed& a) {
        return std::ranges::find(spoke_, flow_.guards[a.guard].owner) != spoke_.end();
    });
    if (!earlier.empty() && now_.state == untouched) {
        for (const flow::Armed& a : earlier) {
            if (std::ranges::find(armed_, a.guard, &flow::Armed::guard) == armed_.end())
                armed_.push_back(a);
        }
    }
    if (flow_.transitions.size() > 1 || !just_armed_.empty()) confirm_armed();
    after_transit();
}

// Which guards start the next piece at zero, asked of the state as all transitions have left it. What the only one that
// spoke said of its own holds where nobody moved the state after it: it knows how exactly the instant was located.
void Simulation::confirm_armed() {
    said_.clear();
    if (spoken_ == now_.state) said_ = armed_;
    for (const auto& transition : flow_.transitions) transition->confirm(now_, just_armed_, armed_);
    for (const flow::Armed& a : said_) {
        if (std::ranges::find(armed_, a.guard, &flow::Armed::guard) == armed_.end())
            armed_.push_back(a);
    }
}

// Guards of other owners that are zero since an earlier transition at this very instant and do not fire now. They must
// not fire again while nobody moves the state.
std::vector<flow::Armed> Simulation::armed_before() const {
    std::vector<flow::Armed> earlier;
    if (flow_.transitions.size() < 2 || now_.time != chain_time_) return earlier;
    for (const flow::Armed& a : armed_) {
        if (std::ranges::find(fired_, a.guard, &flow::Firing::guard) == fired_.end())
            earlier.push_back(a);
    }
    return earlier;
}

// Many transitions at one instant, or ever faster, end the motion; otherwise a new piece begins.
void Simulation::after_transit() {
    if (!gains_time()) return;
    accumulation_.event(now_.time);
    if (const auto point = accumulation_.point(resolution())) {
        const flow::Guard& guard = flow_.guards[fired_.front().guard];
        stop(fmt::format(
            "events accumulate at t = {:.15g} (intervals shrink by {:.6g}, {} events so far, the "
            "last at guard {}){}",
            point->time.rounded(), point->ratio, point->events, guard.name,
            guard.kept_nonnegative
                ? uncompleted_bounces()
                : "; what happens after infinitely many of them is not given by the model"));
        return;
    }
    // A tenth of what the tolerance makes of one unit of time.
    const double shortest = 0.1 * options_.tolerance * std::max(1.0, std::abs(now_.time.rounded()));
    if (const auto crowd = accumulation_.crowd(shortest)) {
        stop_in_crowd(*crowd);
        return;
    }
    begin_piece();
    fresh_ = !armed_.empty();
    lingers_ = false;
}

void Simulation::begin_piece() {
    watch_.begin(now_.mode, armed_);
    stepper_.watch(watch_.watched());
    const auto is_root = [&](const flow::Armed& a) { return flow::is_root(flow_.guards[a.guard]); };
    if (std::ranges::any_of(armed_, is_root)) stepper_.leave_branch_point();
    piece_is_new_ = true;
}

// Times closer than this cannot be told apart: rounding, or how well the last events could be located where that
// is worse, down to the tolerance.
double Simulation::resolution() const {
    const double scale =
        std::max(std::abs(now_.time.rounded()), until_.rounded() - flow_.start_time);
    double accuracy = 0.0;
    // Contacts complete their own bounces; only what they leave uncompleted stops the motion.
    for (const flow::Firing& f : fired_) {
        if (!flow_.guards[f.guard].kept_nonnegative) accuracy = std::max(accuracy, f.accuracy);
    }
    // Ratios of intervals mean something as long as those are well above the accuracy.
    constexpr double k_distinct = 32.0;
    return scale * std::max(4.0 * std::numeric_limits<double>::epsilon(),
                            std::min(k_distinct * accuracy / scale, options_.tolerance));
}

// The other owners learn of a change of state; what they do about it the others learn in turn.
bool Simulation::tell_others(std::size_t owner, const flow::Instant& before, int depth) {
    if (depth > k_max_chain) {
        stop(fmt::format("more than {} transitions answer each other at t = {:.17g}", k_max_chain,
                         now_.time.rounded()));
        return false;
    }
    for (std::size_t other = 0; other < flow_.transitions.size(); ++other) {
        if (other == owner) continue;
        const flow::Instant here = now_;
        flow::Outcome outcome = flow_.transitions[other]->jump(before, now_);
        // Corrections in silence are nobody else's business.
        const bool happened = !outcome.events.empty() || outcome.concerns_others;
        if (happened || !outcome.armed.empty()) spoke_.push_back(other);
        if (!accept(std::move(outcome), armed_)) return false;
        const bool changed = now_.state != here.state || now_.mode != here.mode;
        if (happened && changed && !tell_others(other, here, depth + 1)) return false;
    }
    return true;
}

// A transition that arms a guard without crossing it promises that the motion turns back there. Found on the far
// side by more than the step can be wrong, or at the guard again before it ever left, the motion has gone through:
// it stops with that fact.
bool Simulation::turned_back(const Watch& seen) {
    for (const flow::Armed& a : armed_) {
        const flow::Guard& guard = flow_.guards[a.guard];
        if (a.crossed || guard.direction == flow::Direction::both || !watch_.watched()[a.guard])
            continue;
        if (seen.fired.empty() && came_back(a.guard)) continue;
        const bool fired = std::any_of(seen.fired.begin(), seen.fired.end(),
                                       [&](const auto& f) { return f.guard == a.guard; });
        const bool through =
            fired ? lingers_ && !guard.kept_nonnegative
                  : beyond(a.guard, seen.tau) >
                        stepper_.guard_remainder(a.guard, seen.tau) + options_.tolerance;
        if (!through) continue;
        if (guard.kept_nonnegative) {
            stop(fmt::format("at t = {:.15g} the motion goes through {}{}", now_.time.rounded(),
                             guard.name, uncompleted_bounces()));
            return false;
        }
        stop(fmt::format(
            "at t = {:.15g} the motion goes through {}: what happens there leaves it on the "
            "surface with nothing that leads away from it. An event may set a velocity that "
            "leads away or say stop = true; a body that comes to rest on something is a "
            "[contact]",
            now_.time.rounded(), guard.name));
        return false;
    }
    return true;
}

// Contacts complete their bounces themselves, from impacts that are located well enough.
std::string Simulation::uncompleted_bounces() const {
    const double located = fired_.empty() ? 0.0 : fired_.front().accuracy;
    if (located <= options_.tolerance)
        return fmt::format(
            ": what the event before decided does not last, and nothing else was found "
            "there (located to ±{:.1g}). A start or a parameter a little beside it, or "
            "another tolerance, may pass it",
            located);
    return fmt::format(": its bounces have become smaller than what this method locates (the last "
                       "to ±{:.1g}), so that their end could not be completed; method = "
                       "\"taylor\" follows them to rest",
                       located);
}

// A step so short, or so coarse, that an armed guard has not left zero yet does not settle where it goes.
void Simulation::forget_guards_left(double tau) {
    std::erase_if(armed_, [&](const flow::Armed& a) {
        return a.crossed || !watch_.watched()[a.guard] || came_back(a.guard) ||
               -beyond(a.guard, tau) > stepper_.guard_remainder(a.guard, tau);
    });
    fresh_ = lingers_ = !armed_.empty();
}

// The search has shown that a guard ends the whole step on the side its direction comes from.
bool Simulation::came_back(std::size_t k) const {
    const int from = flow_.guards[k].direction == flow::Direction::down ? 1 : -1;
    return flow_.guards[k].direction != flow::Direction::both && watch_.certain_side(k) == from;
}

// How far a guard is on the side its direction leads to, at time tau of the step.
double Simulation::beyond(std::size_t k, double tau) const {
    const auto c = stepper_.guard(k);
    const double value = c[0] + increment(c, tau);
    return flow_.guards[k].direction == flow::Direction::down ? -value : value;
}

// A guard that vanishes along the motion never crosses; told once per guard.
void Simulation::warn_of_zero(std::size_t k) {
    if (flow_.guards[k].kept_nonnegative) return;
    zero_told_.resize(flow_.guards.size(), 0);
    if (zero_told_[k] != 0) return;
    zero_told_[k] = 1;
    result_.warnings.push_back(fmt::format(
        "t = {:.17g}: {} is zero all along the motion there; it does not cross, and nothing "
        "happens",
        now_.time.rounded(), flow_.guards[k].name));
}

// Takes what a transition said; false when the motion is over.
bool Simulation::accept(flow::Outcome&& outcome, std::vector<flow::Armed>& armed) {
    for (flow::Event& e : outcome.events) {
        ++result_.statistics.events;
        result_.event_energy += e.energy.value_or(0.0);
        // A contact that stays closed bounces no more.
        if (e.kind == flow::EventKind::accumulation || e.closes) accumulation_.completed();
        if (options_.on_event) options_.on_event(e, now_.mode);
        if (result_.events.size() < options_.keep_events) result_.events.push_back(std::move(e));
    }
    armed.insert(armed.end(), outcome.armed.begin(), outcome.armed.end());
    if (outcome.fail) {
        stop(outcome.reason);
        return false;
    }
    if (outcome.stop) {
        over_ = true;
        return false;
    }
    flow::give_back(std::move(outcome));
    if (result_.statistics.events > options_.max_events) {
        stop(fmt::format("more than {} events", options_.max_events));
        return false;
    }
    return true;
}

void Simulation::move(double tau) {
    // Compensated: the carry holds what the last sums lost (Kahan–Neumaier).
    const std::size_t n = n_moving_;
    const auto take = [this](std::size_t i, const compile::Compensated& end) {
        now_.state[i] = end.value;
        carry_[i] = end.low;
    };
    std::size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        compile::Compensated one{0.0, carry_[i]};
        compile::Compensated other{0.0, carry_[i + 1]};
        compile::evaluate_compensated(stepper_.state(i), stepper_.state(i + 1), tau, one, other);
        take(i, one);
        take(i + 1, other);
    }
    if (i < n) take(i, compile::evaluate_compensated(stepper_.state(i), tau, carry_[i]));
}

void Simulation::note_step(double tau) {
    double& smallest = result_.statistics.smallest_step;
    smallest = result_.statistics.steps == 1 ? tau : std::min(smallest, tau);
}

void Simulation::build_piece(double tau) {
    piece_.start = now_.time;
    piece_.field_time = now_.field_time;
    piece_.length = tau;
    piece_.order = stepper_.degree();
    piece_.n = now_.state.size();
    piece_.mode = now_.mode;
    piece_.coefficients.clear();
    for (std::size_t i = 0; i < piece_.n; ++i) {
        const auto c = stepper_.state(i);
        piece_.coefficients.insert(piece_.coefficients.end(), c.begin(), c.end());
    }
}

// Whether a sample may lie within the next stretch τ.
bool Simulation::sample_is_near(double tau) const {
    return next_sample_ < options_.sample_at.size() &&
           options_.sample_at[next_sample_] <= (now_.time + 2.0 * tau).rounded();
}

// Samples inside the piece; its end belongs to it unless an event changes the state there.
void Simulation::sample_until(double tau, const Piece* piece, bool inclusive) {
    while (next_sample_ < options_.sample_at.size()) {
        const double at = options_.sample_at[next_sample_];
        double local = (solve::DoubleLength(at) - now_.time).rounded();
        if (local < 0.0) {
            if (piece == nullptr) { // before the start
                ++next_sample_;
                continue;
            }
            local = 0.0; // asked at an event that lies half an ulp later
        }
        if (local > tau || (local == tau && !inclusive)) return;
        Sample sample{at, now_.field_time + local, now_.state, now_.mode};
        if (piece != nullptr) {
            piece->evaluate(local, sample.state);
            if (!stepper_.passes_singular()) restore(sample);
        }
        result_.samples.push_back(std::move(sample));
        ++next_sample_;
    }
}

void Simulation::restore(Sample& sample) {
    if (restorers_.empty()) return;
    flow::Instant here{solve::DoubleLength(sample.time), sample.field_time, std::move(sample.state),
                       std::move(sample.mode),           now_.parameters,   now_.tolerance};
    for (const flow::Restorer* owner : restorers_) owner->restore(here);
    sample.state = std::move(here.state);
    sample.mode = std::move(here.mode);
}

void Simulation::report_graze(const GuardGraze& graze) {
    flow::Event event;
    event.time = now_.time + graze.tau;
    event.kind = flow::EventKind::graze;
    event.where = flow_.guards[graze.guard].name;
    event.accuracy = std::abs(graze.value);
    event.state_minus = now_.state;
    for (std::size_t i = 0; i < n_moving_; ++i) {
        const auto c = stepper_.state(i);
        event.state_minus[i] = c[0] + increment(c, graze.tau);
    }
    event.state_plus = event.state_minus;
    ++result_.statistics.events;
    if (options_.on_event) options_.on_event(event, now_.mode);
    if (result_.events.size() < options_.keep_events) result_.events.push_back(std::move(event));
}

std::string Simulation::describe(const Step& step) const {
    return described(fmt::format("{} at t = {:.17g}", step.reason, now_.time.rounded()));
}
// A fact with the present state.
std::string Simulation::described(std::string facts) const {
    for (std::size_t i = 0; i < std::min<std::size_t>(flow_.n_controlled, 12); ++i) {
        facts +=
            fmt::format("{} {} = {:.6g}", i == 0 ? ";" : ",", flow_.state_names[i], now_.state[i]);
    }
    return facts;
}

void Simulation::stop(std::string reason) {
    over_ = true;
    result_.status = Status::stopped;
    result_.reason = std::move(reason);
}

void Simulation::read_clock() {
    now_.time = clock_.now();
    now_.field_time = clock_.field_time();
}

Trajectory Simulation::finish() {
    // A terminal event may have ended the motion exactly at a sample.
    while (next_sample_ < options_.sample_at.size() &&
           options_.sample_at[next_sample_] == now_.time.rounded()) {
        result_.samples.push_back(
            {options_.sample_at[next_sample_++], now_.field_time, now_.state, now_.mode});
    }
    if (result_.statistics.events > result_.events.size() && options_.keep_events > 0) {
        result_.warnings.push_back(fmt::format("{} events happened, the log keeps the first {}",
                                               result_.statistics.events, result_.events.size()));
    }
    result_.time = now_.time;
    result_.state = now_.state;
    result_.mode = now_.mode;
    result_.state_low = std::move(carry_);
    result_.armed = std::move(armed_);
    result_.field_time = now_.field_time;
    result_.statistics.evaluations = stepper_.evaluations();
    result_.statistics.order = stepper_.order();
    for (std::string& w : stepper_.warnings()) result_.warnings.push_back(std::move(w));
    return std::move(result_);
}

Trajectory simulate(const flow::Flow& flow, Stepper& stepper, const SimulateOptions& options) {
    return Simulation(flow, stepper, options).run();
}

} // namespace liaison::motion
