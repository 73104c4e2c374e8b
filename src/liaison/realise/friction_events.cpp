// SPDX-License-Identifier: Apache-2.0
// The transition of contacts with friction: impacts, then the contact problem of all that rest, then the modes.
//
// At one instant, always the same lines (theory of many contacts §5.2): collect the contacts with g = 0; impacts while
// one of them approaches; then the contact problem with Coulomb friction for all that are at rest in the normal
// direction, with every solution; a paradox is resolved by the rule of the user, if need be by a tangential impact,
// after which the lines begin again.
#include "liaison/realise/friction_events.hpp"

#include "liaison/realise/accumulation_limit.hpp"
#include "liaison/realise/friction_choice.hpp"

#include <fmt/format.h>

#include <cmath>

namespace liaison::realise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using flow::Instant;
using flow::Outcome;
using laws::ContactMode;

// Speed below which slip in space counts as rest.
constexpr double k_slip_ends = 1e-10;

enum class Role { gap, normal, slip_plus, slip_minus, bound_plus, bound_minus, response };
struct GuardRole {
    Index side = 0;
    Role role = Role::gap;
};

ContactMode mode_of(Touch touch, bool friction) {
    switch (touch) {
    case Touch::open: return ContactMode::open;
    case Touch::slip_plus:
    case Touch::held_plus: return ContactMode::slip_plus;
    case Touch::slip_minus:
    case Touch::held_minus: return ContactMode::slip_minus;
    case Touch::stick: break;
    }
    return friction ? ContactMode::stick : ContactMode::closed;
}

bool slips(Touch t) { return t == Touch::slip_plus || t == Touch::slip_minus; }
bool sticks(Touch t) {
    return t == Touch::stick || t == Touch::held_plus || t == Touch::held_minus;
}

class FrictionTransition final : public flow::Transition {
  public:
    FrictionTransition(FrictionEvents events, FrictionModes modes, std::vector<GuardRole> roles,
                       std::size_t first_guard, const flow::Flow& flow,
                       const std::vector<expr::Expr>& values)
        : events_(std::move(events)), modes_(std::move(modes)), roles_(std::move(roles)),
          guard_(first_guard), n_positions_(flow.n_positions), n_controlled_(flow.n_controlled),
          values_(flow, values), rates_(flow, flow::rates_along(flow, values)),
          field_(flow, flow.rates), names_(flow.state_names) {
        std::vector<expr::Expr> terms;
        for (const auto& r : events_.response) {
            const expr::Expr zero = flow.pool->number(0);
            terms.push_back(r ? r->free : zero);
            terms.push_back(r ? r->response : zero);
        }
        boundary_ = flow::Probe(flow, terms);
        boundary_rates_ = flow::Probe(flow, flow::rates_along(flow, terms));
    }

    Outcome start(Instant& now) const override {
        Moment m(count());
        m.at_start = true;
        const ContactNumbers numbers = events_.problem->at(now);
        for (Index k = 0; k < count(); ++k) {
            modes_.set(now, k, Touch::open, false, false);
            modes_.last_time(now, k) = -std::numeric_limits<double>::infinity();
            m.hit[index(k)] = std::abs(numbers.gap(k)) <= gap_tolerance(now);
        }
        return resolve(now, m);
    }

    Outcome transit(std::span<const flow::Firing> fired, Instant& now) const override {
        Moment m(count());
        for (const flow::Firing& f : fired) {
            const GuardRole& role = roles_[f.guard - guard_];
            m.accuracy = std::max(m.accuracy, f.accuracy);
            if (role.role == Role::gap) m.hit[index(role.side)] = 1;
            if (role.role == Role::slip_plus || role.role == Role::slip_minus)
                m.stopped[index(role.side)] = 1;
            if (role.role == Role::response) m.singular = role.side;
            if (m.stopped[index(role.side)] != 0 && slip_count(role.side) == 2)
                end_slip(now, f.guard - guard_);
            m.fired.push_back(role);
        }
        if (m.singular) approach_boundary(now, *m.singular);
        return resolve(now, m);
    }

    // Another owner changed the state: closed contacts stay so only if they are still at rest, sticking ones only
    // if they do not slip.
    Outcome refresh(Instant& now) const override {
        const ContactNumbers numbers = events_.problem->at(now);
        bool disturbed = false;
        for (Index k = 0; k < count(); ++k) {
            if (!modes_.closed(now, k)) continue;
            disturbed = disturbed || std::abs(numbers.rate(k)) > rate_tolerance(now);
            const double v = slip_speed(velocities(numbers), k);
            const Touch t = modes_.touch(now, k);
            if (sticks(t)) disturbed = disturbed || v > rest_tolerance(now);
            if (slips(t)) {
                const Index row = events_.problem->slip_row(k);
                const bool planar = side(k).friction.slips.size() == 1;
                const double sign = t == Touch::slip_plus ? 1.0 : -1.0;
                disturbed =
                    disturbed || (planar && sign * velocities(numbers)(row) < -rest_tolerance(now));
            }
        }
        if (!disturbed) return {};
        Moment m(count());
        for (Index k = 0; k < count(); ++k) {
            m.hit[index(k)] = modes_.closed(now, k);
            modes_.set(now, k, Touch::open, false, false);
        }
        return resolve(now, m);
    }

  private:
    // What is known about the instant that is being resolved.
    struct Moment {
        explicit Moment(Index n)
            : hit(index(n), 0), stopped(index(n), 0), struck(index(n), 0),
              before(index(n), Touch::open) {}
        std::vector<char> hit; // the gap vanishes here
        std::vector<char> stopped; // the slip vanishes here
        std::vector<char> struck; // took part in an impact
        std::vector<Touch> before;
        std::vector<GuardRole> fired;
        std::optional<Index> singular; // slid up to B₁' = 0
        double accuracy = 0.0;
        bool at_start = false;
        ContactNumbers numbers;
        VectorXd w; // gap rates and slips
        std::vector<Index> at_zero;
        std::string case_name, rule; // of the choice, where it was not unique
    };

    static std::size_t index(Index k) { return static_cast<std::size_t>(k); }
    [[nodiscard]] Index count() const {
        return static_cast<Index>(events_.problem->sides().size());
    }
    [[nodiscard]] const ContactSide& side(Index k) const {
        return events_.problem->sides()[index(k)];
    }
    [[nodiscard]] double speed(const Instant& now) const {
        double s = 1.0;
        for (std::size_t i = n_positions_; i < n_controlled_; ++i)
            s = std::max(s, std::abs(now.state[i]));
        return s;
    }
    [[nodiscard]] double rate_tolerance(const Instant& now) const { return 1e-13 * speed(now); }
    [[nodiscard]] double rest_tolerance(const Instant& now) const { return 1e-11 * speed(now); }
    [[nodiscard]] double gap_tolerance(const Instant& now) const {
        double s = 1.0;
        for (std::size_t i = 0; i < n_positions_; ++i) s = std::max(s, std::abs(now.state[i]));
        return std::max(1e-12, now.tolerance) * s;
    }
    static VectorXd velocities(const ContactNumbers& n) {
        VectorXd w(n.rate.size() + n.slip.size());
        w << n.rate, n.slip;
        return w;
    }
    [[nodiscard]] Index slip_count(Index k) const {
        return static_cast<Index>(side(k).friction.slips.size());
    }
    [[nodiscard]] double slip_speed(const VectorXd& w, Index k) const {
        const Index n = slip_count(k);
        return n == 0 ? 0.0 : w.segment(events_.problem->slip_row(k), n).norm();
    }

    flow::Event event(flow::EventKind kind, Index k, const Instant& now, double accuracy) const {
        flow::Event e;
        e.time = now.time;
        e.kind = kind;
        e.where = side(k).name;
        e.side = side(k).side;
        e.accuracy = accuracy;
        e.state_minus = e.state_plus = now.state;
        return e;
    }
    static Outcome failure(const std::string& what, const Instant& now) {
        Outcome outcome;
        outcome.fail = true;
        outcome.reason = fmt::format("{} at t = {:.15g}", what, now.time.rounded());
        return outcome;
    }

    // Slip in space came close to rest, where its direction would be lost: the last of it at the present rates.
    void end_slip(Instant& now, std::size_t guard) const {
        const double left = -(values_(now)[guard] + k_slip_ends) / rates_(now)[guard];
        if (!(left > 0.0)) return;
        const auto field = field_(now);
        for (std::size_t i = n_positions_; i < now.state.size(); ++i)
            now.state[i] += field[i] * left;
    }

    // Slip in space that starts from rest needs a direction: a speed far below the tolerance gives it one.
    void start_slip(Instant& now, Moment& m, const laws::CoulombContact& c,
                    const Eigen::Vector2d& direction, std::vector<Index> rows) const {
        VectorXd wanted = VectorXd::Zero(static_cast<Index>(rows.size()) + 2);
        wanted.tail(2) = 4.0 * k_slip_ends * direction;
        rows.push_back(c.slip);
        rows.push_back(c.slip + 1);
        const VectorXd impulse =
            MatrixXd(m.numbers.D(rows, rows)).completeOrthogonalDecomposition().solve(wanted);
        const VectorXd jump = m.numbers.response(Eigen::all, rows) * impulse;
        for (Index i = 0; i < jump.size(); ++i) now.state[n_positions_ + index(i)] += jump(i);
        m.w.segment<2>(c.slip) = wanted.tail(2);
    }

    // Slip came close to B₁' = 0, where the normal force is unbounded and its impulse finite. With τ left until
    // B₁' = 0 and A₁ ~ τ^p the forces go like τ^(p−1), so that the velocities still change by v̇ τ/p.
    void approach_boundary(Instant& now, Index k) const {
        const auto values = boundary_(now);
        const auto rates = boundary_rates_(now);
        const auto at = 2 * index(k);
        const double left = -values[at + 1] / rates[at + 1];
        if (!(left > 0.0)) return;
        double p = -left * rates[at] / values[at];
        p = p > 0.0 && p < 1.0 ? std::max(p, 0.05) : 1.0;
        const auto field = field_(now);
        for (std::size_t i = n_positions_; i < now.state.size(); ++i)
            now.state[i] += field[i] * left / p;
    }

    Outcome resolve(Instant& now, Moment& m) const {
        Outcome outcome;
        m.numbers = events_.problem->at(now);
        if (!m.numbers.regular)
            return failure("the accelerations are not determined at a contact", now);
        m.w = velocities(m.numbers);
        for (Index k = 0; k < count(); ++k) {
            const Touch t = modes_.touch(now, k);
            m.before[index(k)] = t;
            if (t != Touch::open) m.w(k) = 0.0;
            if (sticks(t) || m.stopped[index(k)] != 0)
                m.w.segment(events_.problem->slip_row(k), slip_count(k)).setZero();
            if (t == Touch::open && m.hit[index(k)] == 0) continue;
            m.at_zero.push_back(k);
            if (!(m.numbers.D(k, k) > 0.0)) {
                return failure(
                    fmt::format(
                        "contact {}: the gradient of the gap vanishes in the kinetic metric",
                        side(k).name),
                    now);
            }
        }
        if (!impacts(now, m, outcome)) return outcome;
        complete_accumulations(now, m, outcome);
        if (!choose_modes(now, m, outcome)) return outcome;
        report(now, m, outcome);
        arm(now, m, outcome);
        return outcome;
    }

    // ---------------------------------------------------------------- impacts

    [[nodiscard]] laws::CoulombContact coulomb(const Instant& now, const Moment& m, Index k) const {
        laws::CoulombContact c;
        c.normal = k;
        c.slip = events_.problem->slip_row(k);
        c.slips = static_cast<int>(slip_count(k));
        c.sliding_plus = m.numbers.sliding_plus(k);
        c.sliding_minus = m.numbers.sliding_minus(k);
        c.sticking = m.numbers.sticking(k);
        const double v = slip_speed(m.w, k);
        c.moving = v > rest_tolerance(now);
        if (c.moving) {
            for (int j = 0; j < c.slips; ++j) c.direction(j) = m.w(c.slip + j) / v;
        }
        return c;
    }
    [[nodiscard]] std::vector<laws::ImpactContact> impact_contacts(const Instant& now,
                                                                   const Moment& m) const {
        std::vector<laws::ImpactContact> contacts;
        for (const Index k : m.at_zero)
            contacts.push_back(
                {coulomb(now, m, k), m.numbers.restitution(k), events_.restitution[index(k)]});
        return contacts;
    }

    // All impacts at this instant; m.w are the velocities after them. False: no solution.
    bool impacts(Instant& now, Moment& m, Outcome& outcome) const {
        laws::NormalImpactOptions options = events_.impacts;
        options.rate_tolerance = rate_tolerance(now);
        bool approaching = false;
        for (const Index k : m.at_zero)
            approaching = approaching || m.w(k) < -options.rate_tolerance;
        if (!approaching) return true;
        const auto contacts = impact_contacts(now, m);
        const auto result = laws::friction_impact(m.numbers.D, m.w, contacts, options);
        if (!result.solved) {
            outcome = failure(result.reason, now);
            return false;
        }
        int stage = 0;
        for (const laws::FrictionCollision& c : result.collisions) {
            flow::Event e = collision_event(flow::EventKind::impact, c, now, m);
            e.stage = result.collisions.size() > 1 ? ++stage : 0;
            if (result.collapsed && &c == &result.collisions.back()) {
                e.case_name = "collapse completed";
                e.rule = "plastic projection";
            }
            outcome.events.push_back(std::move(e));
        }
        return true;
    }

    // Applies a collision to the state and tells it.
    flow::Event collision_event(flow::EventKind kind, const laws::FrictionCollision& c,
                                Instant& now, Moment& m) const {
        const Index k = m.at_zero[c.contact];
        flow::Event e = event(kind, k, now, m.accuracy);
        const double before = events_.problem->energy(now);
        const VectorXd jump = m.numbers.response * c.impulse;
        for (Index i = 0; i < jump.size(); ++i) now.state[n_positions_ + index(i)] += jump(i);
        m.w = c.after;
        e.state_plus = now.state;
        e.impulse = c.impulse(k);
        const Index slip = events_.problem->slip_row(k);
        for (Index j = 0; j < slip_count(k); ++j) e.tangential.push_back(c.impulse(slip + j));
        e.energy = events_.problem->energy(now) - before;
        e.energy_relative = c.energy();
        e.gap_rate = c.before(k);
        if (c.course) e.course = course(*c.course, slip_count(k));
        for (std::size_t j = 0; j < m.at_zero.size(); ++j) {
            if (c.impulse(m.at_zero[j]) != 0.0) m.struck[index(m.at_zero[j])] = 1;
        }
        if (!c.mode.empty() && c.mode.size() > 1) e.contacts = shares(c, m);
        if (c.solutions > 1) {
            e.case_name = fmt::format("{} solutions of the impact", c.solutions);
            e.rule = "most sticking";
        }
        return e;
    }
    static flow::ImpactCourse course(const laws::FrictionImpact& impact, Index slips) {
        flow::ImpactCourse result{impact.compression, impact.work_normal, impact.work_friction, {}};
        for (const laws::ImpactPhase& p : impact.phases) {
            result.phases.push_back({p.sticking, p.impulse, p.normal_rate, {}});
            for (Index j = 0; j < slips; ++j) result.phases.back().slip.push_back(p.slip(j));
        }
        return result;
    }
    [[nodiscard]] std::vector<flow::ContactShare> shares(const laws::FrictionCollision& c,
                                                         const Moment& m) const {
        std::vector<flow::ContactShare> list;
        for (std::size_t j = 0; j < m.at_zero.size(); ++j) {
            const Index k = m.at_zero[j];
            flow::ContactShare share{
                side(k).name, side(k).side, c.impulse(k), {}, c.before(k), c.after(k), {}};
            for (Index i = 0; i < slip_count(k); ++i)
                share.tangential.push_back(c.impulse(events_.problem->slip_row(k) + i));
            switch (c.mode[j]) {
            case ContactMode::open: share.mode = "open"; break;
            case ContactMode::closed: share.mode = "closed"; break;
            case ContactMode::stick: share.mode = "stick"; break;
            case ContactMode::slip_plus:
            case ContactMode::slip_minus: share.mode = "slip"; break;
            }
            list.push_back(std::move(share));
        }
        return list;
    }

    // ---------------------------------------------------------------- accumulation of bounces

    // Directions of the reactions while contact `bouncing` hits again and again: slipping contacts push along
    // W_N − μ s W_T; the slips of sticking ones are rows of their own.
    void complete_accumulations(Instant& now, Moment& m, Outcome& outcome) const {
        for (const Index k : m.at_zero) {
            if (m.before[index(k)] != Touch::open || !(m.w(k) > rate_tolerance(now))) continue;
            const double since = now.time.rounded() - modes_.last_time(now, k);
            modes_.last_time(now, k) = now.time.rounded();
            double ratio =
                0.0; // of the last impact: friction may make it differ from the coefficient
            for (const flow::Event& e : outcome.events) {
                if (e.where == side(k).name && e.side == side(k).side && e.gap_rate)
                    ratio = -m.w(k) / *e.gap_rate;
            }
            if (!(ratio > 0.0) || !(ratio < 1.0)) continue;
            const auto limit = bounces_end(now, m, k, ratio, since);
            if (!limit) {
                modes_.last_limit(now, k) = 0.0;
                continue;
            }
            const double t_limit = now.time.rounded() + limit->remaining;
            const double change = std::abs(t_limit - modes_.last_limit(now, k));
            modes_.last_limit(now, k) = t_limit;
            const bool settled = change <= now.tolerance * std::max(1.0, std::abs(t_limit));
            if (!settled || limit->height > gap_tolerance(now)) continue;

            flow::Event a = event(flow::EventKind::accumulation, k, now, change);
            a.time = now.time + limit->remaining;
            a.closes = true;
            const double before = events_.problem->energy(now);
            for (std::size_t i = 0; i < limit->velocity.size(); ++i)
                now.state[n_positions_ + i] = limit->velocity[i];
            a.state_plus = now.state;
            a.energy = events_.problem->energy(now) - before;
            flow::Event attach = event(flow::EventKind::attach, k, now, change);
            attach.time = a.time;
            attach.closes = true;
            outcome.events.push_back(std::move(a));
            outcome.events.push_back(std::move(attach));
            const VectorXd after = velocities(events_.problem->at(now));
            m.w.tail(after.size() - count()) = after.tail(after.size() - count());
            m.w(k) = 0.0;
        }
    }

    std::optional<AccumulationLimit> bounces_end(const Instant& now, const Moment& m,
                                                 Index bouncing, double ratio, double since) const {
        std::vector<Index> kept;
        std::vector<std::pair<Index, VectorXd>> slipping; // side and direction
        for (Index k = 0; k < count(); ++k) {
            if (k != bouncing && !modes_.closed(now, k)) continue;
            if (k != bouncing) kept.push_back(k);
            const Index t = events_.problem->slip_row(k);
            const Index n = slip_count(k);
            const double v = slip_speed(m.w, k);
            if (v > rest_tolerance(now))
                slipping.emplace_back(k, m.w.segment(t, n) / v);
            else
                for (Index j = 0; j < n; ++j) kept.push_back(t + j);
        }
        const auto numbers = [&](const Instant& at) {
            ContactNumbers n = events_.problem->at(at);
            for (const auto& [k, s] : slipping) {
                const bool backwards = s.size() == 1 && s(0) < 0.0;
                const double mu = backwards ? n.sliding_minus(k) : n.sliding_plus(k);
                const Index t = events_.problem->slip_row(k);
                for (Index j = 0; j < s.size(); ++j) {
                    n.D.col(k) -= mu * s(j) * n.D.col(t + j);
                    n.response.col(k) -= mu * s(j) * n.response.col(t + j);
                }
            }
            return n;
        };
        return accumulation_limit(*events_.problem, numbers, now, n_positions_, bouncing,
                                  m.w(bouncing), ratio, since, kept);
    }

    // ---------------------------------------------------------------- modes

    bool choose_modes(Instant& now, Moment& m, Outcome& outcome) const {
        constexpr int k_most_rounds = 20;
        std::vector<Exclusion> excluded = exclusions(m);
        for (int round = 0; round < k_most_rounds; ++round) {
            m.numbers = events_.problem->at(now);
            std::vector<Index> resting;
            for (const Index k : m.at_zero) {
                if (std::abs(m.w(k)) <= rate_tolerance(now))
                    resting.push_back(k);
                else
                    modes_.set(now, k, Touch::open, false, false);
            }
            if (resting.empty()) return true;
            std::vector<laws::CoulombContact> contacts;
            std::vector<std::optional<ContactMode>> present;
            std::vector<Exclusion> mine;
            for (std::size_t j = 0; j < resting.size(); ++j) {
                const Index k = resting[j];
                contacts.push_back(coulomb(now, m, k));
                const bool goes_on = !m.at_start && m.struck[index(k)] == 0 &&
                                     m.before[index(k)] != Touch::open && m.stopped[index(k)] == 0;
                present.emplace_back();
                if (goes_on) present.back() = mode_of(m.before[index(k)], slip_count(k) > 0);
                for (const Exclusion& e : excluded) {
                    if (e.contact == index(k)) mine.push_back({j, e.mode});
                }
            }
            const auto answer = laws::solve_coulomb(m.numbers.D, m.numbers.b, contacts);
            if (!answer.complete && answer.solutions.empty()) {
                outcome = failure("the contact problem could not be decided: " + answer.note, now);
                return false;
            }
            std::optional<std::size_t> at_boundary;
            for (std::size_t j = 0; j < resting.size(); ++j) {
                if (m.singular && resting[j] == *m.singular && contacts[j].moving) at_boundary = j;
            }
            const FrictionChoice choice = choose_motion(answer, m.numbers.D, contacts, present,
                                                        mine, at_boundary, events_.paradox);
            m.singular.reset();
            if (!choice.case_name.empty()) {
                m.case_name = choice.case_name;
                m.rule = choice.rule;
            }
            if (choice.solution != nullptr) {
                apply(now, m, resting, contacts, *choice.solution,
                      choose_label(*choice.solution, mine));
                const auto more = turning_back(now, m, resting);
                if (more.empty() || round + 1 == k_most_rounds) return true;
                excluded.insert(excluded.end(), more.begin(), more.end());
                continue;
            }
            if (!choice.tangential) {
                outcome = failure(paradox_facts(choice, answer, now, m, resting, contacts), now);
                return false;
            }
            if (!tangential_impact(now, m, resting[*choice.tangential], choice, outcome))
                return false;
            excluded.clear();
        }
        outcome = failure("the modes of the contacts do not settle", now);
        return false;
    }

    // A guard that fired says which mode is over.
    [[nodiscard]] std::vector<Exclusion> exclusions(const Moment& m) const {
        std::vector<Exclusion> list;
        for (const GuardRole& f : m.fired) add_exclusions(f, list);
        return list;
    }
    void add_exclusions(const GuardRole& f, std::vector<Exclusion>& list) const {
        const std::size_t k = index(f.side);
        switch (f.role) {
        case Role::normal:
            for (const ContactMode mode : {ContactMode::closed, ContactMode::stick,
                                           ContactMode::slip_plus, ContactMode::slip_minus})
                list.push_back({k, mode});
            break;
        // μ λ_N − λ_T = 0: friction pushes forwards at its bound, the contact slips backwards.
        case Role::bound_plus:
            list.push_back({k, ContactMode::stick});
            if (slip_count(f.side) == 1) list.push_back({k, ContactMode::slip_plus});
            break;
        case Role::bound_minus:
            list.push_back({k, ContactMode::stick});
            list.push_back({k, ContactMode::slip_minus});
            break;
        case Role::gap:
        case Role::slip_plus:
        case Role::slip_minus:
        case Role::response: break;
        }
    }

    bool tangential_impact(Instant& now, Moment& m, Index k, const FrictionChoice& choice,
                           Outcome& outcome) const {
        const auto contacts = impact_contacts(now, m);
        const auto at = static_cast<std::size_t>(std::find(m.at_zero.begin(), m.at_zero.end(), k) -
                                                 m.at_zero.begin());
        const auto collision = laws::single_impact(m.numbers.D, m.w, contacts, at);
        if (!(collision.impulse(k) > 0.0)) {
            outcome = failure(
                fmt::format("contact {}: no motion and no tangential impact continues the slip",
                            side(k).name),
                now);
            return false;
        }
        flow::Event e = collision_event(flow::EventKind::tangential_impact, collision, now, m);
        e.case_name = choice.case_name;
        e.rule = choice.rule;
        outcome.events.push_back(std::move(e));
        m.case_name.clear();
        m.rule.clear();
        // The others may approach now.
        return impacts(now, m, outcome);
    }

    // Writes the modes of a solution. Rows that depend on rows already carried by other contacts carry nothing.
    void apply(Instant& now, Moment& m, const std::vector<Index>& resting,
               const std::vector<laws::CoulombContact>& contacts,
               const laws::CoulombSolution& solution, const laws::CoulombLabel& label) const {
        std::vector<Index> carried;
        const auto independent = [&](Index row) {
            const MatrixXd& D = m.numbers.D;
            double rest = D(row, row);
            if (!carried.empty()) {
                const VectorXd coupling = D(carried, row);
                rest -= coupling.dot(MatrixXd(D(carried, carried)).ldlt().solve(coupling));
            }
            return rest > 1e-10 * D(row, row);
        };
        std::vector<char> normal(resting.size(), 0);
        std::vector<char> friction(resting.size(), 0);
        for (std::size_t j = 0; j < resting.size(); ++j) {
            if (label.mode[j] == ContactMode::open || !independent(contacts[j].normal)) continue;
            normal[j] = 1;
            carried.push_back(contacts[j].normal);
        }
        for (std::size_t j = 0; j < resting.size(); ++j) {
            if (label.mode[j] != ContactMode::stick) continue;
            bool all = true;
            for (int i = 0; i < contacts[j].slips; ++i)
                all = all && independent(contacts[j].slip + i);
            if (!all) continue;
            friction[j] = 1;
            for (int i = 0; i < contacts[j].slips; ++i) carried.push_back(contacts[j].slip + i);
        }
        const double still = 1e-9 * solution.acceleration.cwiseAbs().maxCoeff();
        for (std::size_t j = 0; j < resting.size(); ++j) {
            const laws::CoulombContact& c = contacts[j];
            Touch touch = Touch::open;
            switch (label.mode[j]) {
            case ContactMode::open: break;
            case ContactMode::closed:
            case ContactMode::stick: touch = Touch::stick; break;
            case ContactMode::slip_plus: touch = Touch::slip_plus; break;
            case ContactMode::slip_minus: touch = Touch::slip_minus; break;
            }
            // Kept closed, or at rest, by the other contacts.
            if (touch == Touch::open && !independent(c.normal) &&
                std::abs(solution.acceleration(c.normal)) <= still)
                touch = Touch::stick;
            if (slips(touch) && !c.moving && c.slips == 1 && !independent(c.slip))
                touch = touch == Touch::slip_plus ? Touch::held_plus : Touch::held_minus;
            if (slips(touch) && !c.moving && c.slips == 2)
                start_slip(now, m, c, label.direction[j], carried);
            modes_.set(now, resting[j], touch, normal[j] != 0, friction[j] != 0);
        }
    }

    // Guards of the new modes that are zero and fall: those modes do not last, one derivative decides.
    [[nodiscard]] std::vector<Exclusion> turning_back(const Instant& now, const Moment& m,
                                                      const std::vector<Index>& resting) const {
        std::vector<Exclusion> list;
        const auto values = values_(now);
        const auto rates = rates_(now);
        const double small = small_force(values, m);
        for (std::size_t g = 0; g < roles_.size(); ++g) {
            const GuardRole& f = roles_[g];
            if (f.role != Role::normal && f.role != Role::bound_plus && f.role != Role::bound_minus)
                continue;
            if (std::find(resting.begin(), resting.end(), f.side) == resting.end()) continue;
            if (!watched(now, f) || std::abs(values[g]) > zero_below(f, small)) continue;
            if (rates[g] < -1e-9 * std::max(1.0, std::abs(values[g]))) add_exclusions(f, list);
        }
        return list;
    }
    // The bound of a spatial contact is a difference of squares.
    [[nodiscard]] double zero_below(const GuardRole& f, double small) const {
        const bool squares = f.role == Role::bound_plus && slip_count(f.side) == 2;
        return squares ? 1e11 * small * small : small;
    }
    [[nodiscard]] double small_force(const std::vector<double>& values, const Moment& m) const {
        double scale = 0.0;
        for (std::size_t g = 0; g < roles_.size(); ++g) {
            if (roles_[g].role == Role::normal) scale = std::max(scale, std::abs(values[g]));
        }
        for (const Index k : m.at_zero)
            scale = std::max(scale, std::abs(m.numbers.b(k)) / m.numbers.D(k, k));
        return 1e-11 * scale;
    }
    [[nodiscard]] bool watched(const Instant& now, const GuardRole& f) const {
        const FrictionModes::Slots& s = modes_.at(f.side);
        switch (f.role) {
        case Role::gap: return now.mode[s.state] == 0.0;
        case Role::normal: return now.mode[s.closed] == 1.0;
        case Role::bound_plus:
        case Role::bound_minus: return now.mode[s.stick] == 1.0;
        case Role::slip_plus: return modes_.touch(now, f.side) == Touch::slip_plus;
        case Role::slip_minus: return modes_.touch(now, f.side) == Touch::slip_minus;
        case Role::response: return slips(modes_.touch(now, f.side));
        }
        return false;
    }

    // What a user needs to decide how a motion without a unique continuation goes on.
    [[nodiscard]] std::string
    paradox_facts(const FrictionChoice& choice, const laws::CoulombAnswer& answer,
                  const Instant& now, const Moment& m, const std::vector<Index>& resting,
                  const std::vector<laws::CoulombContact>& contacts) const {
        std::string text = choice.case_name == "inconsistent"
                               ? "the rigid model has no motion from here (inconsistent)"
                           : choice.case_name == "boundary"
                               ? "slip reached the boundary of its paradox"
                               : fmt::format("the rigid model has {} motions from here "
                                             "(indeterminate)",
                                             answer.solutions.size());
        for (std::size_t j = 0; j < resting.size(); ++j) {
            const Index k = resting[j];
            text +=
                fmt::format("; contact {}: slip {:.9g}, A1 = {:.9g}, B1' = {:.9g}", side(k).name,
                            slip_count(k) > 0 ? m.w(contacts[j].slip) : 0.0, m.numbers.b(k),
                            m.numbers.D(k, k) * relative_response(m.numbers.D, contacts[j]));
        }
        for (const laws::CoulombSolution& s : answer.solutions) {
            text += "; possible: ";
            for (std::size_t j = 0; j < resting.size(); ++j) {
                text += fmt::format("{}{} {} with normal force {:.9g}", j == 0 ? "" : ", ",
                                    side(resting[j]).name, word(s.best().mode[j]),
                                    s.best().force(resting[j]));
            }
        }
        text += "; state";
        for (std::size_t i = 0; i < n_controlled_; ++i)
            text += fmt::format("{} {} = {:.9g}", i == 0 ? "" : ",", names_[i], now.state[i]);
        if (!choice.stop) return text + "; no rule continues it, stopped";
        text += "; [run] paradox = \"impact\" continues with ";
        bool struck = false;
        for (std::size_t j = 0; j < resting.size() && !struck; ++j) {
            struck = contacts[j].moving && relative_response(m.numbers.D, contacts[j]) <= 1e-9;
            if (!struck) continue;
            const auto all = impact_contacts(now, m);
            const auto at = std::find(m.at_zero.begin(), m.at_zero.end(), resting[j]);
            const auto c = laws::single_impact(m.numbers.D, m.w, all,
                                               static_cast<std::size_t>(at - m.at_zero.begin()));
            text += fmt::format("a tangential impact of {} (normal impulse {:.9g}, slip {:.9g} → "
                                "{:.9g})",
                                side(resting[j]).name, c.impulse(resting[j]),
                                c.before(contacts[j].slip), c.after(contacts[j].slip));
        }
        if (!struck) text += "separation";
        text += ", \"separate\" with ";
        text += answer.solutions.empty() ? "the same: contact cannot be given up" : "separation";
        return text + "; stopped";
    }
    static std::string_view word(ContactMode mode) {
        switch (mode) {
        case ContactMode::open: return "opens";
        case ContactMode::closed: return "stays closed";
        case ContactMode::stick: return "sticks";
        case ContactMode::slip_plus: return "slips forwards";
        case ContactMode::slip_minus: return "slips backwards";
        }
        return "";
    }

    // ---------------------------------------------------------------- events and armed guards

    void report(Instant& now, const Moment& m, Outcome& outcome) const {
        for (const Index k : m.at_zero) {
            const Touch before = m.before[index(k)];
            const Touch after = modes_.touch(now, k);
            for (flow::Event& e : outcome.events) {
                if (e.where != side(k).name || e.side != side(k).side) continue;
                if (e.kind == flow::EventKind::impact ||
                    e.kind == flow::EventKind::tangential_impact)
                    e.closes = after != Touch::open;
            }
            const auto tell = [&](flow::EventKind kind) {
                flow::Event e = event(kind, k, now, m.accuracy);
                e.closes = kind == flow::EventKind::attach;
                e.case_name = m.case_name;
                e.rule = m.rule;
                outcome.events.push_back(std::move(e));
            };
            const bool struck = m.struck[index(k)] != 0;
            const bool leaves_at_start =
                m.at_start && !struck && std::abs(m.w(k)) <= rate_tolerance(now);
            if (after == Touch::open) {
                if ((before != Touch::open && !struck) ||
                    (before == Touch::open && leaves_at_start))
                    tell(flow::EventKind::release);
                continue;
            }
            if (struck || m.at_start) continue;
            if (before == Touch::open)
                tell(flow::EventKind::attach);
            else if (slips(before) && sticks(after))
                tell(flow::EventKind::stick);
            else if (sticks(before) && slips(after))
                tell(flow::EventKind::slip);
            else if (slips(before) && slips(after) && before != after)
                tell(flow::EventKind::reverse);
        }
    }

    // Guards that are zero by construction: after a bounce g ~ t, after an opening g ~ t² or t³, a slip that starts
    // from rest ~ t or t², a reaction or a bound that starts from zero and grows.
    void arm(Instant& now, const Moment& m, Outcome& outcome) const {
        const auto values = values_(now);
        const auto rates = rates_(now);
        const double small = small_force(values, m);
        for (std::size_t g = 0; g < roles_.size(); ++g) {
            const GuardRole& f = roles_[g];
            if (!watched(now, f)) continue;
            const std::size_t guard = guard_ + g;
            const bool here =
                std::find(m.at_zero.begin(), m.at_zero.end(), f.side) != m.at_zero.end();
            switch (f.role) {
            case Role::gap: {
                if (!here) break;
                if (m.w(f.side) > rate_tolerance(now)) {
                    outcome.armed.push_back({guard, 1, false});
                } else {
                    const bool lifts =
                        std::any_of(m.fired.begin(), m.fired.end(), [&](const GuardRole& r) {
                            return r.side == f.side && r.role == Role::normal;
                        });
                    outcome.armed.push_back({guard, lifts ? 3 : 2, false});
                }
                break;
            }
            case Role::slip_plus:
            case Role::slip_minus:
                if (slip_count(f.side) == 1 && std::abs(values[g]) <= rest_tolerance(now)) {
                    const bool starts = rates[g] > 1e-9 * m.numbers.b.cwiseAbs().maxCoeff();
                    outcome.armed.push_back({guard, starts ? 1 : 2, false});
                }
                break;
            case Role::normal:
            case Role::bound_plus:
            case Role::bound_minus:
                if (std::abs(values[g]) <= zero_below(f, small))
                    outcome.armed.push_back({guard, 1, false});
                break;
            case Role::response: break;
            }
        }
    }

    FrictionEvents events_;
    FrictionModes modes_;
    std::vector<GuardRole> roles_;
    std::size_t guard_;
    std::size_t n_positions_;
    std::size_t n_controlled_;
    flow::Probe values_; // of the own guards
    flow::Probe rates_;
    flow::Probe boundary_; // A₁ and B₁' by side
    flow::Probe boundary_rates_;
    flow::Probe field_;
    std::vector<std::string> names_; // of the states
};

} // namespace

void install(FrictionEvents events, flow::Flow& flow) {
    const auto& sides = events.problem->sides();
    FrictionModes modes(sides, flow);
    const std::size_t owner = flow.transitions.size();
    const std::size_t first_guard = flow.guards.size();
    std::vector<GuardRole> roles;
    std::vector<expr::Expr> values;
    const auto add = [&](Index k, Role role, std::string name, expr::Expr value,
                         std::vector<flow::Guard::Condition> when) {
        flow.guards.push_back(
            {std::move(name), value, flow::Direction::down, owner, std::move(when), false, true});
        roles.push_back({k, role});
        values.push_back(value);
    };
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const auto k = static_cast<Index>(i);
        const ContactSide& side = sides[i];
        const FrictionModes::Slots& slots = modes.at(k);
        const std::string name = side.side.empty() ? side.name : side.name + " " + side.side;
        add(k, Role::gap, name, side.gap, {{slots.state, 0.0}});
        add(k, Role::normal, name + " reaction", events.normal[i], {{slots.closed, 1.0}});
        if (!side.friction) continue;
        const expr::Expr limit = side.friction.sticking * events.normal[i];
        const double plus = static_cast<double>(static_cast<int>(Touch::slip_plus));
        const double minus = static_cast<double>(static_cast<int>(Touch::slip_minus));
        if (side.friction.slips.size() == 1) {
            const expr::Expr force = events.tangential[i][0];
            add(k, Role::bound_plus, name + " friction limit", limit - force, {{slots.stick, 1.0}});
            add(k, Role::bound_minus, name + " friction limit", limit + force,
                {{slots.stick, 1.0}});
            const expr::Expr slip = side.friction.slips[0].rate;
            add(k, Role::slip_plus, name + " slip", slip, {{slots.state, plus}});
            add(k, Role::slip_minus, name + " slip", -slip, {{slots.state, minus}});
        } else {
            const auto square = [](expr::Expr e) { return pow(e, expr::Number(2)); };
            const auto& force = events.tangential[i];
            const auto& slip = side.friction.slips;
            add(k, Role::bound_plus, name + " friction limit",
                square(limit) - square(force[0]) - square(force[1]), {{slots.stick, 1.0}});
            add(k, Role::slip_plus, name + " slip",
                expr::hypot(slip[0].rate, slip[1].rate) - expr::Number(k_slip_ends),
                {{slots.state, plus}});
        }
        // Where B₁' is this small the normal force grows without bound; what is left is extrapolated.
        const expr::Expr room =
            events.response[i]->response - events.response[i]->normal * expr::Number(1e-10);
        add(k, Role::response, name + " normal response", room, {{slots.state, plus}});
        add(k, Role::response, name + " normal response", room, {{slots.state, minus}});
    }
    flow.transitions.push_back(std::make_shared<FrictionTransition>(
        std::move(events), std::move(modes), std::move(roles), first_guard, flow, values));
}

} // namespace liaison::realise
