// SPDX-License-Identifier: Apache-2.0
// Simulation with bookkeeping: user quantities at samples, extremes over the dense output, energy balance.
#include "liaison/record/execute.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/flow/motion_alone.hpp"
#include "liaison/flow/probe.hpp"
#include "liaison/model/method.hpp"
#include "liaison/motion/choose_rate.hpp"
#include "liaison/record/constraint_watch.hpp"
#include "liaison/record/contact_watch.hpp"
#include "liaison/record/extremes.hpp"
#include "liaison/record/rank_watch.hpp"
#include "liaison/record/sensitivity.hpp"
#include "liaison/record/table.hpp"
#include "liaison/record/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace liaison::record {
namespace {

using Clock = std::chrono::steady_clock;
using flow::OutputGroup;

double milliseconds(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
}

std::vector<double> sample_times(const flow::Flow& flow, const ExecuteOptions& options) {
    std::vector<double> times = options.at;
    const double start = options.from != nullptr ? options.from->time.rounded() : flow.start_time;
    for (std::size_t i = 0; i < options.grid; ++i) {
        const double share = static_cast<double>(i) /
                             static_cast<double>(std::max<std::size_t>(options.grid - 1, 1));
        times.push_back(start + share * (options.until - start));
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

// Keeps the pieces while they fit.
class Keeper {
  public:
    explicit Keeper(Run& run) : run_(run) {}
    void see(const motion::Piece& piece) {
        numbers_ += piece.coefficients.size() + piece.mode.size();
        if (numbers_ <= k_most)
            run_.pieces.push_back(piece);
        else if (!std::exchange(full_, true))
            run_.warnings.push_back(
                fmt::format("the pieces after t = {:.6g} are not kept: more than {} numbers",
                            piece.start.rounded(), k_most));
    }

  private:
    static constexpr std::size_t k_most = 100'000'000;
    Run& run_;
    std::size_t numbers_ = 0;
    bool full_ = false;
};

// Time as a quantity of the user (in [observe]) is the absolute time; inside the field it may be reduced by periods.
Block values_at(const flow::Flow& flow, const std::vector<motion::Sample>& samples) {
    std::vector<expr::Expr> all;
    for (const flow::Output& o : flow.outputs) all.push_back(o.value);
    const flow::Probe probe(flow, all);
    Block result(column_labels(flow), flow.modes.size());
    result.reserve(samples.size());
    flow::Instant now;
    now.parameters = flow.parameter_values;
    for (const motion::Sample& s : samples) {
        now.state = s.state;
        now.mode = s.mode;
        now.field_time = s.field_time;
        std::vector<double> values = probe(now);
        if (flow.frequency) {
            now.field_time = s.time;
            const auto absolute = probe(now);
            for (std::size_t i = 0; i < flow.outputs.size(); ++i) {
                const OutputGroup group = flow.outputs[i].group;
                if (group == OutputGroup::observe || group == OutputGroup::integral ||
                    group == OutputGroup::sensitivity)
                    values[i] = absolute[i];
            }
        }
        if (variation_lost(flow, s.mode)) {
            for (std::size_t i = 0; i < flow.outputs.size(); ++i) {
                if (flow.outputs[i].group == OutputGroup::sensitivity)
                    values[i] = std::numeric_limits<double>::quiet_NaN();
            }
        }
        result.push_back(s.time, values, s.mode);
    }
    return result;
}

// The quadrature of this name over the run: they come last, so that a velocity of the same name is not meant.
std::optional<double> quadrature(const flow::Flow& flow, const motion::Trajectory& t,
                                 const motion::Standing* from, std::string_view name) {
    for (std::size_t i = flow.state_names.size(); i-- > flow.n_positions;) {
        if (flow.state_names[i] == name)
            return t.state[i] - (from != nullptr ? from->state[i] : flow.start_state[i]);
    }
    return std::nullopt;
}

std::vector<double> values_at_end(const flow::Flow& flow, const motion::Trajectory& trajectory) {
    std::vector<expr::Expr> all;
    for (const flow::Output& o : flow.outputs) all.push_back(o.value);
    flow::Instant now;
    now.parameters = flow.parameter_values;
    now.state = trajectory.state;
    now.mode = trajectory.mode;
    now.field_time = trajectory.field_time;
    return flow::Probe(flow, all)(now);
}

// E(end) − E(start) against the quadrature of power and the losses of the events.
std::optional<EnergyBalance> balance(const flow::Flow& flow, const motion::Trajectory& t,
                                     const motion::Standing* from) {
    const auto energy =
        std::find_if(flow.outputs.begin(), flow.outputs.end(),
                     [](const flow::Output& o) { return o.group == OutputGroup::energy; });
    const auto work = quadrature(flow, t, from, flow::k_work);
    if (energy == flow.outputs.end() || !work) return std::nullopt;
    const flow::Probe probe(flow, {energy->value});
    flow::Instant now;
    now.parameters = flow.parameter_values;
    EnergyBalance b;
    now.state = from != nullptr ? from->state : flow.start_state;
    now.field_time = from != nullptr ? from->time.rounded() : flow.start_time;
    now.mode = t.start_mode;
    b.start = probe(now)[0];
    now.state = t.state;
    now.field_time = t.field_time;
    now.mode = t.mode;
    b.end = probe(now)[0];
    b.work = *work;
    b.friction = quadrature(flow, t, from, flow::k_friction_work).value_or(0.0);
    b.impacts = t.event_energy;
    b.relays = quadrature(flow, t, from, flow::k_relay_work).value_or(0.0);
    b.unexplained = b.end - b.start - b.work - b.friction - b.relays - b.impacts;
    return b;
}

// Everything that came and went may have been as large as what is left is small.
double turnover(const EnergyBalance& b) {
    return std::max({std::abs(b.start), std::abs(b.end), std::abs(b.work), std::abs(b.friction),
                     std::abs(b.relays), std::abs(b.impacts)});
}

// What an error of the tolerance in every state could make of the energy, Σ |∂E/∂x_i| (1 + |x_i|), at the start or the end. The
// slopes are those beside the state: at rest they vanish, and the error counts squared.
double energy_of_errors(const flow::Flow& flow, const motion::Trajectory& t,
                        const motion::Standing* from, double tolerance) {
    const auto energy =
        std::find_if(flow.outputs.begin(), flow.outputs.end(),
                     [](const flow::Output& o) { return o.group == OutputGroup::energy; });
    const auto x = std::span(flow.states).first(flow.n_controlled);
    const flow::Probe slopes(flow, expr::gradient(energy->value, x));
    const flow::Probe values(flow, std::vector{energy->value});
    flow::Instant now;
    now.parameters = flow.parameter_values;
    const auto sum = [&](const std::vector<double>& state, double time,
                         const std::vector<double>& mode) {
        now.state = state;
        now.field_time = time;
        now.mode = mode;
        for (std::size_t i = 0; i < x.size(); ++i)
            now.state[i] += std::copysign(tolerance * (1.0 + std::abs(state[i])), state[i]);
        auto slope = slopes(now);
        double all = 0.0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            // A fractional power has no formula for its slope where it begins.
            if (!std::isfinite(slope[i])) {
                const double there = values(now)[0];
                const double moved = std::exchange(now.state[i], state[i]);
                slope[i] = (there - values(now)[0]) / (moved - state[i]);
                now.state[i] = moved;
            }
            all += std::abs(slope[i]) * (1.0 + std::abs(state[i]));
        }
        return all;
    };
    const double at_start =
        sum(from != nullptr ? from->state : flow.start_state,
            from != nullptr ? from->time.rounded() : flow.start_time, t.start_mode);
    return std::max(at_start, sum(t.state, t.field_time, t.mode));
}

// A remainder ten times as large as what errors in every step explain has another cause: why the balance does not close.
std::optional<std::string> doubt(const flow::Flow& flow, const motion::Trajectory& t,
                                 const motion::Standing* from, const EnergyBalance& b,
                                 double tolerance) {
    const double remainder = std::abs(b.unexplained);
    if (remainder <= tolerance * turnover(b)) return std::nullopt;
    const double a_step = energy_of_errors(flow, t, from, tolerance);
    const double steps = static_cast<double>(t.statistics.steps + t.statistics.events + 1);
    if (remainder <= 10.0 * tolerance * steps * a_step) return std::nullopt;
    return fmt::format("the energy balance does not close: {:.2g} of it is unexplained, steps of "
                       "this tolerance explain {:.1g} at most",
                       b.unexplained, tolerance * steps * a_step);
}

// Times asked for that the motion did not come to; a motion that stopped early has said so already.
// Times that the motion does not come by, or not any more, are told once, however it ended.
void warn_of_missing_samples(const flow::Flow& flow, const ExecuteOptions& options, Run& run) {
    std::set<double> there;
    for (const Block::Row s : run.samples) there.insert(s.time);
    std::set<double> missing;
    for (const double t : options.at)
        if (!there.contains(t)) missing.insert(t);
    if (missing.empty()) return;
    constexpr std::size_t k_shown = 5;
    std::string times;
    for (auto t = missing.begin(); t != missing.end(); ++t) {
        const auto told = static_cast<std::size_t>(std::distance(missing.begin(), t));
        if (told == k_shown) {
            times += fmt::format(" and {} more times", missing.size() - told);
            break;
        }
        times += fmt::format("{}{:.17g}", told == 0 ? "" : ", ", *t);
    }
    const double begin = options.from != nullptr ? options.from->time.rounded() : flow.start_time;
    run.warnings.push_back(
        fmt::format("there is no sample at t = {}: the motion goes from t = {:.17g} to t = {:.17g}",
                    times, begin, run.trajectory.time.rounded()));
}

// What follows an impact with gap rate w answers to errors before it like 1/|w| (theory of Routh's function, §6). The
// bounces of a contact that closes afterwards are slow by nature, and their end is computed.
void warn_of_grazing(double tolerance, Run& run) {
    const flow::Event* slowest = nullptr;
    double rate = std::numeric_limits<double>::infinity();
    std::vector<std::string> closing;
    const auto& events = run.trajectory.events;
    for (auto e = events.rbegin(); e != events.rend(); ++e) {
        const std::string name = e->where + " " + e->side;
        const bool closes_later = std::ranges::find(closing, name) != closing.end();
        if (e->closes && !closes_later) closing.push_back(name);
        if (e->kind != flow::EventKind::impact || e->closes || closes_later) continue;
        const double speed = std::abs(e->gap_rate.value_or(rate));
        if (!(speed < rate)) continue;
        slowest = &*e;
        rate = speed;
    }
    constexpr double k_small = 1e-6;
    if (slowest == nullptr || tolerance <= k_small * rate) return;
    run.warnings.push_back(fmt::format(
        "the impact on {} at t = {:.9g} is almost a graze: gap rate {:.3g}; an error of the "
        "tolerance {:g} before it grows to {:.1g} after it",
        slowest->where, slowest->time.rounded(), -rate, tolerance, tolerance / rate));
}

// What the impulses of an impact could have done: the same whatever a gap is measured in.
double impact_size(const flow::Event& e) {
    if (e.contacts.empty()) return std::abs(e.gap_rate.value_or(0.0) * e.impulse.value_or(0.0));
    double size = 0.0;
    for (const flow::ContactShare& c : e.contacts) size += std::abs(c.gap_rate * c.impulse);
    return size;
}

// Restitution laws that look at velocities alone can give energy where there is friction (Kane's paradox). What the steps
// could have made as well is not told.
void warn_of_gains(double tolerance, Run& run) {
    std::size_t count = 0;
    double gained = 0.0;
    const flow::Event* largest = nullptr;
    double most = 0.0;
    for (const flow::Event& e : run.trajectory.events) {
        if (e.kind != flow::EventKind::impact) continue;
        const double gain = e.energy_relative.value_or(0.0);
        if (!(gain > 1e-9 * impact_size(e))) continue;
        ++count;
        gained += gain;
        if (gain > most) {
            most = gain;
            largest = &e;
        }
    }
    if (largest == nullptr || (run.energy && gained <= tolerance * turnover(*run.energy))) return;
    run.warnings.push_back(fmt::format(
        "{} with friction created energy, {:.6g} in all; the largest, of {} at t = {:.9g}, {:.6g}: "
        "law = \"energetic\" never does, [run] energy = \"limit\" bounds the others",
        count == 1 ? "an impact" : fmt::format("{} impacts", count), gained, largest->where,
        largest->time.rounded(), most));
}

// Where not all solutions of a contact problem are known, the motion may be one of several: told once for each reason.
void warn_of_uncertified(Run& run) {
    std::vector<std::string> told;
    std::vector<double> times;
    for (const flow::Event& e : run.trajectory.events) {
        if (e.case_name != "not certified") continue;
        const double time = e.time.rounded();
        if (std::ranges::find(times, time) == times.end()) times.push_back(time);
        if (std::ranges::find(told, e.rule) != told.end()) continue;
        told.push_back(e.rule);
        run.warnings.push_back(fmt::format("t = {:.9g}, contact {} and those closed with it: {}",
                                           e.time.rounded(), e.where, e.rule));
    }
    // Decisions that changed no mode have no event: one word about all of them.
    if (!run.contacts) return;
    const auto found = run.contacts->resolved.of(flow::Certificate::found);
    if (found <= times.size()) return;
    run.warnings.push_back(
        fmt::format("{} of the contacts, the first at t = {:.9g}: one solution was found and "
                    "verified, others were not looked for; the motion may be one of several",
                    found == 1 ? "a problem" : fmt::format("{} problems", found),
                    run.contacts->resolved.first_found));
}

// An accumulation carries the instant at which it ends, a little after the last impact that was followed. Something else
// may happen before: then the bounces have ended by that instant, whose state is told, and the accuracy says by how much they
// were cut short.
void put_in_order(std::vector<flow::Event>& events) {
    for (std::size_t i = events.size(); i-- > 1;) {
        flow::Event& e = events[i - 1];
        const double late = e.time.rounded() - events[i].time.rounded();
        const bool of_an_end =
            e.kind == flow::EventKind::accumulation || e.kind == flow::EventKind::attach;
        if (!of_an_end || !(late > 0.0)) continue;
        e.time = events[i].time;
        e.accuracy += late;
        if (events[i].state_minus.size() != e.state_plus.size()) continue;
        e.state_plus = events[i].state_minus;
        if (e.kind == flow::EventKind::attach) e.state_minus = e.state_plus;
    }
}

bool interrupted(const ExecuteOptions& options) {
    return options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed);
}

Run run_flow(const flow::Flow& flow, const ExecuteOptions& options) {
    Run run;
    run.model = flow.model;
    run.realisation = flow.realisation;
    run.provenance.tolerance = options.tolerance;
    run.provenance.method = model::name(options.method.method);
    run.provenance.step = options.method.step;

    const auto before = Clock::now();
    motion::MethodOptions method = options.method;
    method.tolerance = options.tolerance;
    const auto stepper = motion::make_stepper(flow, method);
    Extremes extremes(flow);
    ConstraintWatch constraints(flow, motion::tableau_of(method.method), method.step);
    RankWatch rank(flow);
    std::optional<ContactWatch> contacts;
    if (options.contacts != nullptr) contacts.emplace(*options.contacts, flow, options.tolerance);
    const auto compiled = Clock::now();

    motion::SimulateOptions simulate;
    simulate.until = options.until;
    simulate.tolerance = options.tolerance;
    simulate.sample_at = sample_times(flow, options);
    std::atomic<bool> enough = false;
    simulate.interrupt = constraints.empty() ? options.interrupt : &enough;
    auto last_progress = compiled;
    simulate.from = options.from;
    Trace trace(flow.states.size());
    Keeper keeper(run);
    std::size_t pieces = 0;
    if (contacts)
        simulate.on_event = [&](const flow::Event& event, std::span<const double> mode) {
            contacts->see(event, mode);
        };
    if (!extremes.empty() || !constraints.empty() || options.progress || options.trace ||
        options.pieces || contacts) {
        simulate.on_piece = [&](const motion::Piece& piece) {
            if (contacts) contacts->see(piece);
            if (!extremes.empty()) extremes.see(piece, run);
            if (!constraints.empty()) {
                constraints.see(piece);
                enough = constraints.lost() || interrupted(options);
            }
            if (!rank.empty()) rank.see(piece);
            if (options.trace) trace.see(piece);
            if (options.pieces) keeper.see(piece);
            if (options.progress && ++pieces % 16 == 0 &&
                milliseconds(last_progress, Clock::now()) > 200.0) {
                last_progress = Clock::now();
                options.progress(piece.start.rounded());
            }
        };
    }
    {
        const flow::Listening listening(contacts ? &contacts->decisions() : nullptr);
        if (options.begins) options.begins();
        run.trajectory = motion::simulate(flow, *stepper, simulate);
    }
    put_in_order(run.trajectory.events);
    if (constraints.lost() && run.trajectory.status == motion::Status::interrupted &&
        !interrupted(options))
        run.trajectory.status = motion::Status::done; // so far; the constraints tell
    run.compile_ms = milliseconds(before, compiled);
    run.simulate_ms = milliseconds(compiled, Clock::now());
    constraints.finish(run);
    if (model::has_fixed_step(method.method)) {
        for (auto& [name, report] : run.constraints) report.step = method.step;
    }
    rank.finish(run);
    if (contacts) contacts->finish(run);
    run.samples = values_at(flow, run.trajectory.samples);
    run.trace = values_at(flow, trace.take());
    run.end = values_at_end(flow, run.trajectory);
    run.energy = balance(flow, run.trajectory, options.from);
    warn_of_missing_samples(flow, options, run);
    extremes.finish(options.tolerance, run);
    warn_of_grazing(options.tolerance, run);
    warn_of_uncertified(run);
    warn_of_gains(options.tolerance, run);
    run.warnings.insert(run.warnings.end(), run.trajectory.warnings.begin(),
                        run.trajectory.warnings.end());
    find_sensitivities(flow, run);
    // A fixed step promises no tolerance.
    if (run.energy && !model::has_fixed_step(options.method.method)) {
        auto why = doubt(flow, run.trajectory, options.from, *run.energy, options.tolerance);
        // A motion that ended early has given its reason already.
        if (why && run.trajectory.status == motion::Status::done) {
            run.trajectory.status = motion::Status::unbalanced;
            run.trajectory.reason = std::move(*why);
        } else if (why) {
            run.warnings.push_back(std::move(*why));
        }
    }
    return run;
}

} // namespace

motion::Standing standing_at_end(const Run& run) {
    const motion::Trajectory& t = run.trajectory;
    return {t.time, t.state, t.state_low, t.mode, t.armed};
}

Run execute(const flow::Flow& flow, const ExecuteOptions& options) {
    if (!flow.algebraic.empty()) {
        ExecuteOptions implicit = options;
        implicit.method.method = motion::Method::dae;
        return run_flow(flow, implicit);
    }
    if (!flow.rate_to_choose) return run_flow(flow, options);
    motion::MethodOptions method = options.method;
    method.tolerance = options.tolerance;
    const auto choice = motion::choose_rate(flow, method, options.until);
    Run run = run_flow(choice ? motion::with_rate(flow, choice->rate) : flow, options);
    if (!choice)
        run.warnings.emplace_back(
            "no decay rate of violations keeps this method stable: the step is too "
            "long, or the motion ends at once");
    return run;
}

} // namespace liaison::record
