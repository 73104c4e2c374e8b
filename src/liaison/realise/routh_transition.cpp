// SPDX-License-Identifier: Apache-2.0
// What happens in unfolded coordinates: a sheet is changed, a wall is reached and left; velocities follow.
#include "liaison/flow/probe.hpp"
#include "liaison/flow/start_instant.hpp"
#include "liaison/realise/contact_sizes.hpp"
#include "liaison/realise/restitution_range.hpp"
#include "liaison/realise/routh_charts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace liaison::realise {
namespace {

using flow::Instant;
using flow::Outcome;

// One contact in numbers.
struct Numbers {
    double rate = 0.0; // ṡ
    double acceleration = 0.0; // s̈
    double by_rate = 0.0; // ∂s̈/∂ṡ
    double mass = 0.0;
    double momentum = 0.0; // κ
    double scale = 1.0;
    double restitution = 0.0;
    double stretch = 1.0; // R
};
constexpr std::size_t k_numbers = 8;

class RouthTransition final : public flow::Transition {
  public:
    RouthTransition(const Unfolded& unfolded, RouthOptions options, std::vector<RouthPlaces> places,
                    const flow::Flow& flow)
        : contacts_(unfolded.contacts), options_(options), places_(std::move(places)),
          charts_(unfolded, places_, flow), n_(flow.n_positions) {
        std::vector<Expr> numbers;
        std::vector<Expr> accelerations;
        for (const UnfoldedContact& c : contacts_) {
            numbers.insert(numbers.end(), {c.rate, c.acceleration, c.acceleration_by_rate, c.mass,
                                           c.momentum, c.scale, c.restitution, c.stretch});
            accelerations.push_back(c.acceleration);
        }
        numbers_ = flow::Probe(flow, std::move(numbers));
        acceleration_rates_ = flow::Probe(flow, flow::rates_along(flow, accelerations));
        velocities_ = flow::Probe(flow, unfolded.velocities);
        energy_ = flow::Probe(flow, {unfolded.energy});
        coupling_ = flow::Probe(flow, unfolded.coupling);
        const Instant at_start = flow::start_instant(flow);
        const auto count = static_cast<Eigen::Index>(contacts_.size());
        Eigen::VectorXd distance(count), rate(count), acceleration(count), response(count);
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            const Numbers here = this->numbers(at_start, k);
            const auto i = static_cast<Eigen::Index>(k);
            start_mass_.push_back(here.mass);
            distance(i) = wall_distance(at_start, places_[k], nearest_wall(at_start, places_[k]));
            rate(i) = here.rate;
            acceleration(i) = here.acceleration;
            response(i) = 1.0 / here.mass;
        }
        sizes_ = contact_sizes(flow, distance, rate, acceleration, response);
    }

    Outcome start(Instant& now) const override {
        Outcome outcome;
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            const RouthPlaces& at = places_[k];
            now.mode[at.last] = -std::numeric_limits<double>::infinity();
            const double wall = nearest_wall(now, places_[k]);
            if (std::abs(wall_distance(now, places_[k], wall)) > gap_tolerance(now)) continue;
            put_on_wall(now, places_[k], wall);
            const Numbers n = numbers(now, k);
            const double approach = wall * n.rate;
            if (approach < -rate_tolerance(now)) {
                cross(now, k, wall, 0.0, outcome);
            } else if (approach <= rate_tolerance(now)) {
                rest_or_leave(now, k, wall, true, outcome);
            } else {
                arm_departure(now, k, 1, outcome);
            }
            if (outcome.fail) return outcome;
        }
        charts_.keep_straight(now);
        return outcome;
    }

    Outcome transit(std::span<const flow::Firing> fired, Instant& now) const override {
        Outcome outcome;
        for (const flow::Firing& f : fired) {
            for (std::size_t k = 0; k < contacts_.size() && !outcome.fail; ++k) {
                const RouthPlaces& at = places_[k];
                if (f.guard == at.room)
                    meet(now, k, outcome);
                else if (f.guard == at.turn)
                    turn(now, k, f.upwards, outcome);
                else if (f.guard == at.reaction)
                    leave(now, k, f.accuracy, outcome);
                else if (f.guard == at.cross ||
                         (contacts_[k].two_sided && f.guard == at.cross_above))
                    hit(now, k, f, outcome);
            }
        }
        charts_.keep_straight(now);
        return outcome;
    }

    void settle(Instant& now) const override {
        if (!options_.locate) go_through_walls(now);
        charts_.keep_straight(now);
    }

  private:
    [[nodiscard]] double& slot(Instant& now, std::size_t index) const { return now.mode[index]; }

    [[nodiscard]] Numbers numbers(const Instant& now, std::size_t k) const {
        const auto v = numbers_(now);
        const double* at = v.data() + k_numbers * k;
        return {at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7]};
    }

    [[nodiscard]] double gap_tolerance(const Instant& now) const {
        double s = sizes_.length;
        for (std::size_t i = 0; i < n_; ++i) s = std::max(s, std::abs(now.state[i]));
        return std::max(1e-12, now.tolerance) * s;
    }
    [[nodiscard]] double rate_tolerance(const Instant& now) const {
        double s = sizes_.speed;
        for (const double v : velocities_(now)) s = std::max(s, std::abs(v));
        return 1e-13 * s;
    }

    flow::Event event(flow::EventKind kind, std::size_t k, double wall, const Instant& now,
                      double accuracy) const {
        flow::Event e;
        e.time = now.time;
        e.kind = kind;
        e.where = contacts_[k].name;
        if (contacts_[k].two_sided) e.side = wall > 0.0 ? "lower" : "upper";
        e.accuracy = accuracy;
        e.state_minus = positions_and_velocities(now);
        e.state_plus = e.state_minus;
        return e;
    }
    [[nodiscard]] std::vector<double> positions_and_velocities(const Instant& now) const {
        std::vector<double> state(now.state.begin(),
                                  now.state.begin() + static_cast<std::ptrdiff_t>(n_));
        const auto v = velocities_(now);
        state.insert(state.end(), v.begin(), v.end());
        return state;
    }

    void hit(Instant& now, std::size_t k, const flow::Firing& f, Outcome& outcome) const {
        const RouthPlaces& at = places_[k];
        double wall = 1.0;
        if (contacts_[k].two_sided) {
            const bool above = f.guard == at.cross_above;
            // The wall at centre + π/2 is the one above on sheets with σ = 1, the one below on the others.
            wall = above == (now.mode[at.sheet] > 0.0) ? -1.0 : 1.0;
        }
        put_on_wall(now, places_[k], wall);
        if (!directed(now, k, outcome) || !uncoupled(now, k, outcome)) return;
        if (wall * numbers(now, k).rate < -rate_tolerance(now))
            cross(now, k, wall, f.accuracy, outcome);
        else
            rest_or_leave(now, k, wall, false, outcome);
    }

    // The bounds of a two-sided contact meet: s = π (f − middle)/(upper − lower) ends with them.
    void meet(const Instant& now, std::size_t k, Outcome& outcome) const {
        outcome.fail = true;
        outcome.reason = fmt::format(
            "the bounds of contact {} meet at t = {:.9g}: nothing has a place between them from "
            "there on, and the motion has no continuation",
            contacts_[k].name, now.time.rounded());
    }

    // μ = 1/|∇f|² beside that of the start: without a gradient at the contact there is no straight gap.
    bool directed(const Instant& now, std::size_t k, Outcome& outcome) const {
        constexpr double k_vanished = 1e-14;
        const double mass = numbers(now, k).mass;
        if (std::isfinite(mass) && mass * k_vanished < start_mass_[k]) return true;
        outcome.fail = true;
        outcome.reason = fmt::format(
            "contact {}: the gradient of the gap vanishes where the gap does, so that the reaction "
            "has no direction; write the gap so that it grows linearly with the distance at t = "
            "{:.15g}",
            contacts_[k].name, now.time.rounded());
        return false;
    }

    // Gaps that are orthogonal at the start may not stay so; an impact is where it matters.
    bool uncoupled(const Instant& now, std::size_t k, Outcome& outcome) const {
        if (coupling_.size() == 0) return true;
        const auto D = coupling_(now);
        for (std::size_t i = 0, pair = 0; i < contacts_.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j, ++pair) {
                if (i != k && j != k) continue;
                constexpr double k_orthogonal = 1e-8;
                const double scale = numbers(now, i).mass * numbers(now, j).mass;
                if (std::abs(D[pair]) * std::sqrt(std::abs(scale)) <= k_orthogonal) continue;
                outcome.fail = true;
                outcome.reason = fmt::format(
                    "at t = {:.15g} the gaps of {} and {} are no longer orthogonal in the kinetic "
                    "metric; unfolded coordinates end here, contact = \"events\" goes on",
                    now.time.rounded(), contacts_[j].name, contacts_[i].name);
                return false;
            }
        }
        return true;
    }

    // On the other side of a wall: another sheet, and a factor R that is smaller by e.
    static void change_sheet(Instant& now, const RouthPlaces& at, double restitution) {
        if (at.two_sided) {
            const double from = now.mode[at.centre];
            now.mode[at.centre] = from + (now.state[at.x] > from ? 2.0 : -2.0) * k_half_pi;
            now.mode[at.loss] = 1.0 - restitution * (1.0 + now.mode[at.loss]);
        } else {
            now.mode[at.factor] *= restitution;
        }
        now.mode[at.sheet] = -now.mode[at.sheet];
    }

    // Walls that the last step went through unseen.
    void go_through_walls(Instant& now) const {
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            const RouthPlaces& at = places_[k];
            if (now.mode[at.closed] != 0.0) continue;
            const double wall = nearest_wall(now, at);
            if (!(wall_distance(now, at, wall) < 0.0)) continue;
            const double restitution = numbers(now, k).restitution;
            if (restitution > 0.0) {
                change_sheet(now, at, restitution);
            } else {
                put_on_wall(now, at, wall);
                now.state[at.w] = 0.0;
            }
        }
    }

    // An impact: the sheet changes, w and p go through. Restitution lies in R, which drops by e.
    void cross(Instant& now, std::size_t k, double wall, double accuracy, Outcome& outcome) const {
        const RouthPlaces& at = places_[k];
        const Numbers before = numbers(now, k);
        const double energy = energy_(now)[0];
        flow::Event e = event(flow::EventKind::impact, k, wall, now, accuracy);
        e.gap_rate = wall * before.rate / before.scale;
        const double restitution = before.restitution;
        if (!in_range(restitution)) {
            outcome.fail = true;
            outcome.reason =
                fmt::format("{} at t = {:.15g}", out_of_range(contacts_[k].name, restitution),
                            now.time.rounded());
            return;
        }
        if (restitution > 0.0) {
            change_sheet(now, at, restitution);
            now.state[at.x] =
                at.two_sided ? now.mode[at.centre] +
                                   (now.state[at.x] > now.mode[at.centre] ? 1.0 : -1.0) * k_half_pi
                             : 0.0;
        } else {
            now.state[at.w] = 0.0;
        }
        const Numbers after = numbers(now, k);
        e.impulse = std::abs(after.momentum - before.momentum) * before.scale;
        e.energy = energy_(now)[0] - energy;
        e.energy_relative =
            0.5 * before.mass * (after.rate * after.rate - before.rate * before.rate);
        e.state_plus = positions_and_velocities(now);
        outcome.events.push_back(std::move(e));
        const std::size_t told = outcome.events.size() - 1;

        if (!(restitution > 0.0)) {
            rest_or_leave(now, k, wall, true, outcome);
            outcome.events[told].closes = now.mode[at.closed] != 0.0;
            return;
        }
        if (restitution < 1.0 && complete_accumulation(now, k, wall, after, outcome)) {
            outcome.events[told].closes = true;
            return;
        }
        arm_departure(now, k, 1, outcome);
    }

    // Infinitely many bounces in finite time. Near the wall s̈ = −γ + α(t − t*) + βṡ, all three exact here: p and y
    // are the state, so that contact motion is the same state with ṡ = 0.
    bool complete_accumulation(Instant& now, std::size_t k, double wall, const Numbers& after,
                               Outcome& outcome) const {
        const RouthPlaces& at = places_[k];
        const double since = now.time.rounded() - now.mode[at.last];
        now.mode[at.last] = now.time.rounded();
        Instant on = now;
        on.mode[at.closed] = 1.0;
        const Numbers touching = numbers(on, k);
        const double gamma = -wall * touching.acceleration;
        const double v = std::abs(after.rate);
        const double e = touching.restitution;
        const auto not_yet = [&] {
            now.mode[at.limit] = 0.0;
            return false;
        };
        if (!(gamma > 0.0) || !(2.0 * v / gamma < since)) return not_yet();
        const double alpha = wall * acceleration_rates_(on)[k];
        const double beta = touching.by_rate;
        const double u = v / (1.0 - e);
        const double remaining = 2.0 * u / gamma + (4.0 * alpha / (3.0 * gamma * gamma * gamma) +
                                                    2.0 * beta / (3.0 * gamma * gamma)) *
                                                       u * u;
        if (!(remaining > 0.0) || !(gamma - alpha * remaining > 0.0)) return not_yet();
        const double limit = now.time.rounded() + remaining;
        const double change = std::abs(limit - now.mode[at.limit]);
        now.mode[at.limit] = limit;
        const double height = v * v / (2.0 * gamma) / after.scale;
        if (change > now.tolerance * std::max(1.0, std::abs(limit)) || height > gap_tolerance(now))
            return false;

        flow::Event a = event(flow::EventKind::accumulation, k, wall, now, change);
        a.time = now.time + remaining;
        a.closes = true;
        const double energy = energy_(now)[0];
        close(now, k, wall, outcome);
        a.energy = energy_(now)[0] - energy;
        a.state_plus = positions_and_velocities(now);
        flow::Event attach = event(flow::EventKind::attach, k, wall, now, change);
        attach.time = a.time;
        attach.closes = true;
        outcome.events.push_back(std::move(a));
        outcome.events.push_back(std::move(attach));
        return true;
    }

    void close(Instant& now, std::size_t k, double wall, Outcome& outcome) const {
        const RouthPlaces& at = places_[k];
        now.state[at.w] = 0.0;
        put_on_wall(now, places_[k], wall);
        now.mode[at.closed] = 1.0;
        now.mode[at.wall] = wall;
        // A reaction that starts from zero and grows must not fire.
        const Numbers n = numbers(now, k);
        const double rate = -wall * acceleration_rates_(now)[k];
        if (-wall * n.acceleration <= 1e-11 * std::max(1.0, std::abs(rate)))
            outcome.armed.push_back({at.reaction, 1, false});
    }

    // At rest on the wall: pressed contacts stay, the others leave; where the force is zero its rate decides.
    void rest_or_leave(Instant& now, std::size_t k, double wall, bool at_start,
                       Outcome& outcome) const {
        const RouthPlaces& at = places_[k];
        now.state[at.w] = 0.0;
        now.mode[at.closed] = 1.0;
        now.mode[at.wall] = wall;
        const double pressing = -wall * numbers(now, k).acceleration;
        const double grows = -wall * acceleration_rates_(now)[k];
        constexpr double k_zero_force = 1e-11;
        const bool stays = pressing > k_zero_force || (pressing >= -k_zero_force && grows >= 0.0);
        if (stays || !options_.lift_off) {
            close(now, k, wall, outcome);
            const bool struck =
                !outcome.events.empty() && outcome.events.back().where == contacts_[k].name;
            if (!at_start && !struck)
                outcome.events.push_back(event(flow::EventKind::attach, k, wall, now, 0.0));
            return;
        }
        const bool was_struck =
            !outcome.events.empty() && outcome.events.back().where == contacts_[k].name;
        if (at_start && !was_struck)
            outcome.events.push_back(event(flow::EventKind::release, k, wall, now, 0.0));
        depart(now, k, wall, pressing < -k_zero_force ? 2 : 3, outcome);
    }

    void leave(Instant& now, std::size_t k, double accuracy, Outcome& outcome) const {
        const double wall = now.mode[places_[k].wall];
        if (!options_.lift_off) {
            outcome.armed.push_back({places_[k].reaction, 1, true});
            flow::Event kept = event(flow::EventKind::release, k, wall, now, accuracy);
            kept.closes = true;
            kept.case_name = "spurious branch: the reaction is negative from here on";
            kept.rule = "lift-off is switched off, x = 0 goes on";
            outcome.events.push_back(std::move(kept));
            return;
        }
        flow::Event e = event(flow::EventKind::release, k, wall, now, accuracy);
        e.rule = "the branch x = 0 is left";
        outcome.events.push_back(std::move(e));
        depart(now, k, wall, 3, outcome);
    }

    void depart(Instant& now, std::size_t k, double wall, int multiplicity,
                Outcome& outcome) const {
        const RouthPlaces& at = places_[k];
        put_on_wall(now, places_[k], wall);
        now.mode[at.closed] = 0.0;
        const double loss = loss_of(numbers(now, k).restitution);
        now.mode[at.loss] = loss;
        now.mode[at.factor] = 1.0 - loss;
        now.mode[at.heading] = wall * now.mode[at.sheet];
        arm_departure(now, k, multiplicity, outcome);
    }

    // s ~ t^m and w ~ t^(m−1) on the way out.
    void arm_departure(Instant& now, std::size_t k, int multiplicity, Outcome& outcome) const {
        const RouthPlaces& at = places_[k];
        // On sheet σ the wall below lies at x = centre − σπ/2.
        const double wall = nearest_wall(now, places_[k]);
        const bool above = contacts_[k].two_sided && (wall < 0.0) == (now.mode[at.sheet] > 0.0);
        outcome.armed.push_back({above ? at.cross_above : at.cross, multiplicity, false});
        if (multiplicity > 1) outcome.armed.push_back({at.turn, multiplicity - 1, true});
    }

    // The gap turns round: R changes where Rw is zero, so that ṡ stays continuous.
    void turn(Instant& now, std::size_t k, bool upwards, Outcome& outcome) const {
        const RouthPlaces& at = places_[k];
        now.state[at.w] = 0.0;
        const double loss = loss_of(numbers(now, k).restitution);
        now.mode[at.loss] = loss;
        now.mode[at.heading] = upwards ? 1.0 : -1.0;
        // One-sided: w against x means approach.
        const bool approaching = now.mode[at.heading] * now.mode[at.sheet] < 0.0;
        now.mode[at.factor] = approaching ? 1.0 + loss : 1.0 - loss;
        outcome.armed.push_back({at.turn, 1, true});
    }

    std::vector<UnfoldedContact> contacts_;
    RouthOptions options_;
    std::vector<double> start_mass_; // μ at the start
    ContactSizes sizes_;
    std::vector<RouthPlaces> places_;
    RouthCharts charts_;
    std::size_t n_;
    flow::Probe numbers_, acceleration_rates_, velocities_, energy_, coupling_;
};

} // namespace

void install(const Unfolded& unfolded, const RouthOptions& options, flow::Flow& flow) {
    const std::size_t owner = flow.transitions.size();
    expr::Pool& pool = *flow.pool;
    std::vector<RouthPlaces> places;
    const auto state_of = [&](Expr symbol) {
        return static_cast<std::size_t>(std::ranges::find(flow.states, symbol) -
                                        flow.states.begin());
    };
    for (std::size_t k = 0; k < unfolded.contacts.size(); ++k) {
        const UnfoldedContact& c = unfolded.contacts[k];
        RouthPlaces at;
        at.x = state_of(c.x);
        at.w = state_of(c.w);
        at.sheet = flow::slot_of(flow, c.sheet);
        at.centre = flow::slot_of(flow, c.centre);
        at.factor = flow::slot_of(flow, c.factor);
        at.loss = flow::slot_of(flow, c.loss);
        at.heading = flow::slot_of(flow, c.heading);
        at.closed = flow::slot_of(flow, c.closed);
        at.wall = flow::slot_of(flow, c.wall);
        at.lossy = flow::slot_of(flow, c.lossy);
        at.last = flow::slot_of(flow, pool.symbol(fmt::format("last#{}", k)));
        at.limit = flow::slot_of(flow, pool.symbol(fmt::format("limit#{}", k)));
        at.chart = flow::slot_of(flow, c.chart.front());
        const auto add = [&](std::string name, Expr value, flow::Direction direction,
                             std::vector<flow::Guard::Condition> when, bool kept) {
            flow.guards.push_back(
                {std::move(name), value, direction, owner, std::move(when), false, kept});
            return flow.guards.size() - 1;
        };
        // A condition that never holds: nobody looks for the crossing.
        const std::vector<flow::Guard::Condition> open{{at.closed, options.locate ? 0.0 : -1.0}};
        if (c.two_sided) {
            const Expr half = pool.number(expr::Number(k_half_pi));
            at.cross = add(c.name, c.x - c.centre + half, flow::Direction::down, open, true);
            at.cross_above =
                add(c.name, half - (c.x - c.centre), flow::Direction::down, open, true);
        } else {
            at.cross = add(c.name, c.sheet * c.x, flow::Direction::down, open, true);
        }
        at.turn = add(c.name + " turn", c.w, flow::Direction::both,
                      {{at.closed, 0.0}, {at.lossy, 1.0}}, false);
        at.two_sided = c.two_sided;
        if (c.room && !flow::rates_along(flow, {&c.room, 1}).front().is_zero()) {
            // Just before they meet: at the meeting itself unfolded coordinates are not numbers any more.
            constexpr double k_together = 1e-12;
            const double wide = flow::Probe(flow, {c.room})(flow::start_instant(flow)).front();
            at.room = add(c.name + " bounds", c.room - expr::Number(k_together * wide),
                          flow::Direction::down, {}, false);
        }
        at.reaction = add(c.name + " reaction", c.reaction, flow::Direction::down,
                          {{at.closed, 1.0}}, options.lift_off);
        places.push_back(at);
    }
    flow.transitions.push_back(
        std::make_shared<RouthTransition>(unfolded, options, std::move(places), flow));
}

} // namespace liaison::realise
