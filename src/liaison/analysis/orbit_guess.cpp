// SPDX-License-Identifier: Apache-2.0
// Recurrence in a simulation: after whole forcing periods, after an event, or through a plane.
#include "liaison/analysis/orbit_guess.hpp"

#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/traverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// A plane that is only looked at; the motion begins on it.
class CrossedPlane final : public flow::Transition {
  public:
    explicit CrossedPlane(std::size_t guard) : guard_(guard) {}
    flow::Outcome start(flow::Instant&) const override { return crossed(); }
    flow::Outcome transit(std::span<const flow::Firing>, flow::Instant&) const override {
        return crossed();
    }

  private:
    [[nodiscard]] flow::Outcome crossed() const {
        flow::Outcome outcome;
        outcome.armed.push_back({guard_, 1, true});
        return outcome;
    }
    std::size_t guard_;
};

class Guess {
  public:
    Guess(const std::shared_ptr<const flow::SaltationRule>& rule, const OrbitOptions& options)
        : rule_(rule), flow_(rule->flow()), options_(options) {}

    OrbitGuess forced(double T) {
        result_.closure = Closure::forced;
        const double wait = std::ceil(options_.settle / T - 1e-9) * T;
        const double from = flow_.start_time + std::max(0.0, wait);
        const int most = options_.periods > 0 ? options_.periods : options_.most_periods;
        Observation look = observation(from + 2 * most * T, from);
        for (int j = 0; j < 2 * most * static_cast<int>(k_phases) + 1; ++j)
            look.sample_at.push_back(from + j * T / k_phases);
        ObservedMotion seen = observe(rule_, flow_, look);
        if (!usable(seen, from + most * T)) return std::move(result_);
        const auto& samples = seen.trajectory.samples;
        measure(samples);
        result_.periods = options_.periods > 0 ? options_.periods : recurrence(samples);
        result_.period = result_.periods * T;
        // An unstable orbit is guessed by the start itself; a settled one is best known at the end.
        const auto span = 2 * k_phases * static_cast<std::size_t>(result_.periods);
        const std::size_t first =
            options_.settle > 0.0 && samples.size() > span ? samples.size() - 1 - span : 0;
        double begin = samples[first].time;
        if (const auto quiet = middle_of_longest(seen, begin)) begin = *quiet;
        legs_from(seen, begin);
        return std::move(result_);
    }

    OrbitGuess autonomous() {
        const double from = flow_.start_time + options_.settle;
        Observation look = observation(from + options_.longest, from);
        constexpr int k_samples = 1000;
        for (int j = 0; j <= k_samples; ++j)
            look.sample_at.push_back(from + j * options_.longest / k_samples);
        ObservedMotion seen = observe(rule_, flow_, look);
        if (options_.interrupted()) {
            result_.problem = "interrupted";
            return std::move(result_);
        }
        const std::span<const motion::Sample> all = seen.trajectory.samples;
        measure(all.subspan(all.size() /
                            2)); // the beginning may be far from what the motion settles on
        note_rest(all);
        std::erase_if(seen.instants, [&](const PassedInstant& p) { return p.idle && !begins(p); });
        if (seen.trajectory.status != motion::Status::done && seen.instants.size() < 2) {
            result_.problem = seen.trajectory.reason;
            return std::move(result_);
        }
        if (seen.instants.size() >= 2) return by_event(seen);
        return by_plane(from);
    }

  private:
    static constexpr std::size_t k_phases =
        3; // per forcing period, at which the motion is compared

    // Whether the orbit is to begin with events like this one.
    [[nodiscard]] bool begins(const PassedInstant& p) const {
        return options_.begin && p.fired.front().guard == *options_.begin;
    }

    [[nodiscard]] Observation observation(double until, double keep_from) const {
        Observation look;
        look.until = until;
        look.tolerance = std::max(options_.tolerance, 1e-12);
        look.keep_from = keep_from;
        look.keep_most = 20000;
        look.interrupt = options_.interrupt;
        return look;
    }

    bool usable(const ObservedMotion& seen, double needed) {
        if (seen.trajectory.time.rounded() >= needed * (1 - 1e-12)) return true;
        result_.problem = fmt::format(
            "the motion used as a guess ends at t = {:.6g}{}{}", seen.trajectory.time.rounded(),
            seen.trajectory.reason.empty() ? "" : ": ", seen.trajectory.reason);
        return false;
    }

    [[nodiscard]] VectorXd w(const flow::Instant& now) const {
        const flow::Atoms& atoms = rule_->atoms();
        VectorXd values(static_cast<Index>(atoms.rows()));
        for (std::size_t i = 0; i < atoms.n_states; ++i)
            values(static_cast<Index>(i)) = now.state[i];
        for (std::size_t i = 0; i < atoms.slots.size(); ++i)
            values(static_cast<Index>(atoms.n_states + i)) = now.mode[atoms.slots[i]];
        return values;
    }

    // Between which values each state moves: states that are near each other are so by a small part of that.
    void measure(std::span<const motion::Sample> samples) {
        constexpr double k_constant = 1e-6; // of its value
        spread_.assign(flow_.n_controlled, 1.0);
        for (std::size_t i = 0; i < flow_.n_controlled; ++i) {
            double low = std::numeric_limits<double>::infinity();
            double high = -low;
            for (const motion::Sample& s : samples) {
                low = std::min(low, s.state[i]);
                high = std::max(high, s.state[i]);
            }
            const double size =
                std::max(high - low, k_constant * std::max(std::abs(low), std::abs(high)));
            if (size > 0.0 && std::isfinite(size)) spread_[i] = size;
        }
    }

    // At rest: in the second half no state moves, beside the largest value it has had.
    void note_rest(std::span<const motion::Sample> samples) {
        constexpr double k_still = 1e-9;
        rests_ = true;
        for (std::size_t i = 0; i < flow_.n_controlled; ++i) {
            double largest = 0.0;
            double low = std::numeric_limits<double>::infinity();
            double high = -low;
            for (std::size_t j = 0; j < samples.size(); ++j) {
                const double x = samples[j].state[i];
                largest = std::max(largest, std::abs(x));
                if (2 * j < samples.size()) continue;
                low = std::min(low, x);
                high = std::max(high, x);
            }
            if (high - low > k_still * largest) rests_ = false;
        }
    }

    [[nodiscard]] double distance(const std::vector<double>& a,
                                  const std::vector<double>& b) const {
        double d = 0.0;
        for (std::size_t i = 0; i < flow_.n_controlled; ++i) {
            if (std::find(options_.drift.begin(), options_.drift.end(), i) == options_.drift.end())
                d = std::max(d, std::abs(a[i] - b[i]) / spread_[i]);
        }
        return d;
    }

    // The smallest number of periods after which the motion returns about as well as after any other. Several phases
    // are compared and the best one counts: at a phase where an event happens the state is known on one side only.
    [[nodiscard]] int recurrence(const std::vector<motion::Sample>& samples) const {
        const std::size_t last = samples.size() - 1;
        const std::size_t most =
            std::min(static_cast<std::size_t>(options_.most_periods), (last + 1) / k_phases - 1);
        std::vector<double> d(most, std::numeric_limits<double>::infinity());
        for (std::size_t j = 1; j <= most; ++j) {
            for (std::size_t phase = 0; phase < k_phases && phase + j * k_phases <= last; ++phase) {
                const std::size_t now = last - phase;
                d[j - 1] = std::min(
                    d[j - 1], distance(samples[now].state, samples[now - j * k_phases].state));
            }
        }
        if (d.empty()) return 1;
        const double best = *std::min_element(d.begin(), d.end());
        for (std::size_t j = 0; j < most; ++j) {
            if (d[j] <= std::max(1e-4, 3.0 * best)) return static_cast<int>(j) + 1;
        }
        return 1;
    }

    // An orbit must not begin at an event: where one is near, it begins in the middle of its longest leg.
    [[nodiscard]] std::optional<double> middle_of_longest(const ObservedMotion& seen,
                                                          double begin) const {
        const double T = result_.period;
        const double near = 0.01 * T;
        std::vector<double> times{begin, begin + T};
        bool close = false;
        for (const PassedInstant& p : seen.instants) {
            const double t = p.before.time.rounded();
            if (p.idle || t < begin - near || t > begin + T + near) continue;
            close = close || std::abs(t - begin) < near || std::abs(t - begin - T) < near;
            times.push_back(t);
        }
        if (!close) return std::nullopt;
        std::sort(times.begin(), times.end());
        std::size_t longest = 1;
        for (std::size_t i = 1; i < times.size(); ++i) {
            if (times[i] - times[i - 1] > times[longest] - times[longest - 1]) longest = i;
        }
        return 0.5 * (times[longest - 1] + times[longest]);
    }

    // Cuts one period from `begin` on at its events.
    void legs_from(const ObservedMotion& seen, double begin) {
        Observation look = observation(begin, begin);
        look.until = begin;
        ObservedMotion start = observe(rule_, flow_, look);
        const double end = begin + result_.period;
        Leg leg{begin, 0.0, {}, start.trajectory.mode, {}};
        flow::Instant at;
        at.state = start.trajectory.state;
        at.mode = start.trajectory.mode;
        leg.w = w(at);
        for (const PassedInstant& p : seen.instants) {
            const double t = p.before.time.rounded();
            if (p.idle || !(t > begin) || !(t < end)) continue;
            for (const flow::Event& e : p.events)
                result_.accumulates =
                    result_.accumulates || e.kind == flow::EventKind::accumulation;
            leg.duration = t - leg.time;
            leg.fired = p.fired;
            leg.kind = telling_kind(p.events);
            result_.legs.push_back(leg);
            leg = {t, 0.0, w(p.after), p.after.mode, {}};
        }
        leg.duration = end - leg.time;
        result_.legs.push_back(std::move(leg));
    }

    static bool same_guards(const PassedInstant& a, const PassedInstant& b) {
        return std::equal(a.fired.begin(), a.fired.end(), b.fired.begin(), b.fired.end(),
                          [](const flow::Firing& x, const flow::Firing& y) {
                              return x.guard == y.guard && x.upwards == y.upwards;
                          });
    }

    OrbitGuess by_event(const ObservedMotion& seen) {
        result_.closure = Closure::by_event;
        const auto& all = seen.instants;
        std::size_t last = all.size() - 1;
        if (options_.begin) {
            while (last > 0 && !begins(all[last])) --last;
        }
        std::vector<std::pair<double, std::size_t>> candidates;
        for (std::size_t back = 1; back <= std::min<std::size_t>(last, 400); ++back) {
            const PassedInstant& p = all[last - back];
            if (!same_guards(p, all[last])) continue;
            candidates.emplace_back(distance(all[last].after.state, p.after.state), back);
        }
        if (candidates.empty()) {
            result_.problem =
                options_.begin
                    ? fmt::format("{} does not happen twice in the motion used as a guess",
                                  flow_.guards[*options_.begin].name)
                    : std::string("no event happens twice in the motion used as a guess");
            return std::move(result_);
        }
        const double best = std::min_element(candidates.begin(), candidates.end())->first;
        for (const auto& [d, back] : candidates) {
            if (d > std::max(1e-4, 3.0 * best)) continue;
            cut(all, last - back, last);
            break;
        }
        return std::move(result_);
    }

    void cut(const std::vector<PassedInstant>& all, std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const double t = all[i].before.time.rounded();
            const double duration = (all[i + 1].before.time - all[i].before.time).rounded();
            result_.legs.push_back(
                {t, duration, w(all[i].after), all[i].after.mode, all[i + 1].fired});
            result_.legs.back().kind = telling_kind(all[i + 1].events);
            result_.period += duration;
        }
    }

    // No events: the motion returns through the plane across its velocity at the end of the transient.
    OrbitGuess by_plane(double from) {
        result_.closure = Closure::by_phase;
        Observation look = observation(from, from);
        const ObservedMotion start = observe(rule_, flow_, look);
        flow::Instant at;
        at.state = start.trajectory.state;
        at.mode = start.trajectory.mode;
        at.field_time = start.trajectory.field_time;
        at.parameters = flow_.parameter_values;
        const VectorXd f = rule_->field(at);
        if (rests_ || !(f.norm() > 0.0)) {
            result_.problem = "the motion used as a guess is at rest";
            return std::move(result_);
        }
        auto section = std::make_shared<flow::Flow>(flow_);
        expr::Expr plane = flow_.pool->number(0);
        for (std::size_t i = 0; i < flow_.n_controlled; ++i) {
            const double c = f(static_cast<Index>(i));
            plane = plane + (flow_.states[i] - at.state[i]) * expr::Number(c);
        }
        section->guards.push_back(
            {"return", plane, flow::Direction::up, section->transitions.size(), {}, false, false});
        section->transitions.push_back(std::make_shared<CrossedPlane>(section->guards.size() - 1));
        section->start_time = from;
        section->start_state = at.state;
        const auto rule =
            std::make_shared<flow::SaltationRule>(section, std::vector<std::size_t>());
        constexpr double k_begun = 1e-9; // the motion begins on the plane
        look = observation(from + options_.longest, from + k_begun * options_.longest);
        look.keep_most = 64;
        const ObservedMotion seen = observe(rule, *section, look);
        if (options_.interrupted()) {
            result_.problem = "interrupted";
            return std::move(result_);
        }
        double best = std::numeric_limits<double>::infinity();
        for (const PassedInstant& p : seen.instants)
            best = std::min(best, distance(p.before.state, at.state));
        for (const PassedInstant& p : seen.instants) {
            if (distance(p.before.state, at.state) > std::max(1e-4, 3.0 * best)) continue;
            result_.period = p.before.time.rounded() - from;
            result_.legs = {{from, result_.period, w(at), at.mode, {}}};
            return std::move(result_);
        }
        result_.problem =
            fmt::format("the motion does not return within {:.6g} time units", options_.longest);
        return std::move(result_);
    }

    std::shared_ptr<const flow::SaltationRule> rule_;
    const flow::Flow& flow_;
    const OrbitOptions& options_;
    std::vector<double> spread_; // of the states over the motion
    bool rests_ = false;
    OrbitGuess result_;
};

} // namespace

bool depends_on_time(const flow::Flow& flow) {
    std::vector<expr::Expr> all(
        flow.rates.begin(), flow.rates.begin() + static_cast<std::ptrdiff_t>(flow.n_controlled));
    for (const flow::Guard& g : flow.guards) all.push_back(g.value);
    return std::any_of(all.begin(), all.end(),
                       [&](expr::Expr e) { return expr::depends_on(e, flow.time); });
}

double forcing_period(const flow::Flow& flow) {
    if (!flow.frequency) return 0.0;
    const double w =
        std::abs(expr::evaluate(flow.frequency, flow.parameters, flow.parameter_values));
    return w > 0.0 && std::isfinite(w) ? 2.0 * std::numbers::pi / w : 0.0;
}

OrbitGuess guess_orbit(const std::shared_ptr<const flow::SaltationRule>& rule,
                       const OrbitOptions& options) {
    const double T = options.forcing > 0.0 ? options.forcing : forcing_period(rule->flow());
    if (T > 0.0) return Guess(rule, options).forced(T);
    if (depends_on_time(rule->flow())) {
        OrbitGuess none;
        none.problem = "time enters the model, but not through sines and cosines of one frequency: "
                       "nothing says after which time the motion can repeat";
        return none;
    }
    return Guess(rule, options).autonomous();
}

} // namespace liaison::analysis
