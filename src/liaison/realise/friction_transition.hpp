// SPDX-License-Identifier: Apache-2.0
// The transition of contacts with friction: impacts, then the contact problem of all that rest, then the modes.
//
// At one instant, always the same lines (theory of many contacts §5.2): collect the contacts with g = 0; impacts while
// one of them approaches; then the contact problem with Coulomb friction for all that are at rest in the normal
// direction, with every solution; a paradox is resolved by the rule of the user, if need be by a tangential impact,
// after which the lines begin again. The parts: friction_impacts.cpp, friction_accumulation.cpp,
// friction_mode_choice.cpp, friction_relays.cpp, friction_preload.cpp, friction_sharing.cpp, friction_ahead.cpp, friction_onset.cpp,
// friction_paradox.cpp,
// friction_report.cpp.
#pragma once

#include "liaison/realise/accumulation_limit.hpp"
#include "liaison/realise/contact_sizes.hpp"
#include "liaison/realise/friction_choice.hpp"
#include "liaison/realise/friction_events.hpp"
#include "liaison/realise/friction_guards.hpp"
#include "liaison/realise/relays_beside.hpp"

#include <array>
#include <cmath>
#include <functional>

namespace liaison::realise {

class FrictionTransition final : public flow::Transition, public ContactsBeside {
  public:
    FrictionTransition(FrictionEvents events, FrictionModes modes, FrictionGuards guards,
                       const ContactSizes& sizes, const flow::Flow& flow);

    flow::Outcome start(flow::Instant& now) const override;
    flow::Outcome transit(std::span<const flow::Firing> fired, flow::Instant& now) const override;
    // Another owner changed the state: closed contacts stay so only if they are still at rest, sticking ones only
    // if they do not slip.
    flow::Outcome refresh(flow::Instant& now) const override;
    [[nodiscard]] std::shared_ptr<const flow::ResetDerivative>
    derivative(const flow::Flow& flow, std::span<const expr::Expr> atoms) const override;
    // friction_relays.cpp
    bool open(flow::Instant& now) const override { return modes_.open_all(now); }
    [[nodiscard]] bool agrees(const flow::Instant& now) const override;
    flow::Outcome decide_again(flow::Instant& now,
                               std::span<const std::size_t> zero) const override;

  private:
    using Index = Eigen::Index;
    using VectorXd = Eigen::VectorXd;
    using Instant = flow::Instant;
    using Outcome = flow::Outcome;

    // What is known about the instant that is being resolved.
    struct Moment {
        explicit Moment(Index n)
            : hit(index(n), 0), stopped(index(n), 0), struck(index(n), 0), led(index(n), 0),
              waited(index(n), 0), before(index(n), Touch::open) {}
        std::vector<char> hit; // the gap vanishes here
        std::vector<char> stopped; // the slip vanishes here
        std::vector<char> struck; // took part in an impact
        std::vector<char> led; // the direction of its slip was given until now
        std::vector<char> waited; // carried nothing because it would have pulled
        std::vector<Touch> before;
        std::vector<GuardRole> fired;
        std::optional<Index> singular; // slid up to B₁' = 0
        double accuracy = 0.0;
        // Gap rates below it are zero: measured before impacts, which may take all speed.
        double still = 0.0;
        bool at_start = false;
        ContactNumbers numbers;
        std::vector<double> measured; // what they are made of (measure); empty: other numbers
        VectorXd w; // gap rates and slips
        std::vector<Index> at_zero;
        std::string case_name, rule; // of the choice, where it was not unique
        std::vector<std::size_t> relays; // on their surfaces by an event of theirs
        std::vector<std::size_t>
            following; // relays that keep their surfaces whatever the contacts do
        std::optional<Instant> relays_before;
        // The own guards as they were asked for last, and at which state in which modes.
        struct Guards {
            std::vector<double> state, mode;
            double time = 0.0;
            std::vector<double> values, rates, bends;
        };
        mutable Guards guards;
        int strikes = 0; // tangential impacts while relays were on their surfaces
        bool apart = false; // no motion was found that contacts and relays accept
    };

    static std::size_t index(Index k) { return static_cast<std::size_t>(k); }
    [[nodiscard]] Index count() const {
        return static_cast<Index>(events_.problem->sides().size());
    }
    [[nodiscard]] const ContactSide& side(Index k) const {
        return events_.problem->sides()[index(k)];
    }
    [[nodiscard]] double speed(const Instant& now) const {
        double s = sizes_.speed;
        for (std::size_t i = n_positions_; i < n_controlled_; ++i)
            s = std::max(s, std::abs(now.state[i]));
        return s;
    }
    [[nodiscard]] double slip_ends() const { return k_slip_ends * sizes_.speed; }
    [[nodiscard]] double rate_tolerance(const Instant& now) const { return 1e-13 * speed(now); }
    [[nodiscard]] double rest_tolerance(const Instant& now) const { return 1e-11 * speed(now); }
    [[nodiscard]] double length(const Instant& now) const {
        double s = sizes_.length;
        for (std::size_t i = 0; i < n_positions_; ++i) s = std::max(s, std::abs(now.state[i]));
        return s;
    }
    [[nodiscard]] double gap_tolerance(const Instant& now) const {
        return std::max(1e-12, now.tolerance) * length(now);
    }
    // Gaps below it cannot be told from zero.
    [[nodiscard]] double gap_rounding(const Instant& now) const { return 1e-15 * length(now); }
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

    // friction_transition.cpp
    // The contact problem at this instant into m.numbers; they stay where nothing that they are made of has changed since:
    // an instant is looked at several times, and most of what is decided there are modes that the free motion does not know.
    void measure(const Instant& now, Moment& m) const;
    // Values and rates of the own guards: once for all who look at the same modes, to check them and to arm the guards.
    const std::vector<double>& guard_values(const Instant& now, const Moment& m) const;
    const std::vector<double>& guard_rates(const Instant& now, const Moment& m) const;
    const std::vector<double>& guard_bends(const Instant& now, const Moment& m) const;
    flow::Event event(flow::EventKind kind, Index k, const Instant& now, double accuracy) const;
    // The motion ends here; events that happened at this instant stay told. Always false.
    static bool fail(Outcome& outcome, const std::string& what, const Instant& now);
    // Slip in space came close to rest, where its direction would be lost: the last of it at the present rates.
    void end_slip(Instant& now, std::size_t guard) const;
    // Slip came close to B₁' = 0, where the normal force is unbounded and its impulse finite. With τ left until
    // B₁' = 0 and A₁ ~ τ^p the forces go like τ^(p−1), so that the velocities still change by v̇ τ/p.
    void approach_boundary(Instant& now, Index k) const;
    [[nodiscard]] bool vanishes(const Instant& now, Index k) const;
    // Contacts that touch here as well: bodies that hit each other in turn end together, at an instant at which only one of their
    // gaps fires. One that parts may be thrown back by what the others do.
    void join_touching(const Instant& now, Moment& m) const;
    // Which contact of each group that depends on each other shows its determinant.
    void watch_groups(Instant& now, const Eigen::MatrixXd& D) const;
    // Others that stick keep the gap of k whatever it does: a block in a corner. Its own response decides nothing then.
    [[nodiscard]] bool held_by_sticking(const Instant& now, const Eigen::MatrixXd& D,
                                        Index k) const;
    // Of all rows in the present modes; empty where coordinates are not those of the contact problem.
    [[nodiscard]] VectorXd accelerations(const Instant& now, const ContactNumbers& numbers) const;
    Outcome resolve(Instant& now, Moment& m) const;
    // Where something happens while all slips in space of a body are next to nothing, the body comes to rest: its slips end
    // at one instant, and rounding must not decide which is first.
    void stop_together(const Instant& now, Moment& m) const;
    // Gap rates and slips that are zero until now are so only to the accuracy of a step, which events cut short: what is left
    // of them would be the direction, or the end, of the slip that starts now.
    void rest_exactly(Instant& now, Moment& m) const;
    [[nodiscard]] laws::CoulombContact coulomb(const Instant& now, const Moment& m, Index k) const;

    // friction_impacts.cpp
    [[nodiscard]] std::vector<laws::ImpactContact> impact_contacts(const Instant& now,
                                                                   const Moment& m) const;
    // All impacts at this instant; m.w are the velocities after them. False: no solution.
    bool impacts(Instant& now, Moment& m, Outcome& outcome) const;
    // Which contacts an impact is of.
    [[nodiscard]] std::string among(const Moment& m) const;
    // Applies a collision to the state and tells it.
    flow::Event collision_event(flow::EventKind kind, const laws::FrictionCollision& c,
                                Instant& now, Moment& m) const;
    static flow::ImpactCourse course(const laws::FrictionImpact& impact, Index slips);
    [[nodiscard]] std::vector<flow::ContactShare> shares(const laws::FrictionCollision& c,
                                                         const Moment& m) const;
    // In space, on B₁' = 0, where the impact turns the slip to B₁' > 0: slip goes on, B₁' ~ √t (theory 02 §8). False:
    // it does not turn there.
    bool turn_out(Instant& now, Moment& m, Index k, Outcome& outcome) const;
    // Nothing: there is no such impact.
    std::optional<bool> tangential_impact(Instant& now, Moment& m, Index k,
                                          const std::vector<Index>& island,
                                          const FrictionChoice& choice, Outcome& outcome) const;
    // Of several contacts at once (laws/tangential_limit.hpp). Nothing: there is no such impact.
    std::optional<bool> tangential_impacts(Instant& now, Moment& m,
                                           const std::vector<Index>& island,
                                           const FrictionChoice& choice, Outcome& outcome) const;
    [[nodiscard]] std::optional<laws::FrictionCollision>
    limit_of(const Instant& now, const Moment& m, const std::vector<Index>& island) const;

    // friction_accumulation.cpp
    // Directions of the reactions of contacts that hit again and again, or stay closed: slipping contacts push along
    // W_N − μ s W_T; the slips of sticking ones are rows of their own.
    struct Directions {
        std::vector<Index> kept; // rows that stay zero
        std::vector<std::pair<Index, VectorXd>> slipping; // side and direction
    };
    [[nodiscard]] Directions directions(const Instant& now, const Moment& m,
                                        const std::vector<Index>& sides) const;
    [[nodiscard]] ContactNumbers along(const Directions& d, ContactNumbers numbers) const;
    // Several contacts that chatter together, struck at k now (theory of many contacts §5.3): completed once two successive
    // estimates agree, the bounces left out are invisible, and every one of the contacts would carry load at rest.
    void complete_together(Instant& now, Moment& m, Index k, Outcome& outcome) const;
    // Contacts that are closed, touch or are struck in turn with k, and that feel each other and k.
    [[nodiscard]] std::vector<Index> chatters_with(Instant& now, const Moment& m,
                                                   const ContactNumbers& numbers,
                                                   const CommonChatter& chatter, Index k) const;
    // The common end of contacts that chatter together, not before `remaining` is over.
    struct CommonEnd {
        std::vector<Index>
            kept; // rows that are zero from now on: their gaps, slips that do not move
        double remaining = 0.0;
        Instant after; // now, without their rates
        Instant end;
        double work = 0.0; // of friction until then
    };
    [[nodiscard]] CommonEnd common_end(const Instant& now, const Moment& m,
                                       const ContactNumbers& numbers, const std::vector<Index>& set,
                                       double remaining) const;
    // Contacts that are pressed and leave so slowly that they are back before time can tell: they stay.
    void settle_faint(Instant& now, Moment& m) const;
    // The time that is left to contacts that would all carry load at rest, at most; nothing: they would not, or one is seen to
    // bounce until then (`at_once`: to fly).
    [[nodiscard]] std::optional<double> presses_all(const Instant& now, const Moment& m,
                                                    const std::vector<Index>& set,
                                                    bool at_once) const;
    void complete_accumulations(Instant& now, Moment& m, Outcome& outcome) const;
    std::optional<AccumulationLimit> bounces_end(const Instant& now, const Moment& m,
                                                 Index bouncing, double ratio, double since) const;
    // The work of these slips for a time, with the forces of the kept rows and the velocities before and after it; and taking
    // it out of the books of sliding friction, for an event that has it.
    [[nodiscard]] double sliding_work(const Directions& d, const ContactNumbers& n,
                                      const std::vector<Index>& kept, const VectorXd& force,
                                      const VectorXd& before, const VectorXd& after,
                                      double time) const;
    double book(double work, Instant& now) const;

    // friction_mode_choice.cpp
    bool choose_modes(Instant& now, Moment& m, Outcome& outcome) const;
    bool choose_modes(Instant& now, Moment& m, const std::vector<Index>& island,
                      Outcome& outcome) const;
    [[nodiscard]] laws::CoulombAnswer
    solutions(const Instant& now, const Moment& m,
              const std::vector<laws::CoulombContact>& contacts,
              const std::vector<std::optional<laws::ContactMode>>& present, bool shared,
              const Ended& ended) const;
    // The chosen motion. False: the run ends here. Nothing: it would end at once, and is not to be chosen again.
    std::optional<bool> write_down(Instant& now, Moment& m, const std::vector<Index>& resting,
                                   const std::vector<laws::CoulombContact>& contacts,
                                   const laws::CoulombAnswer& answer, const FrictionChoice& choice,
                                   Ended& ended, std::vector<Exclusion>& excluded,
                                   Outcome& outcome) const;
    void tell_at_start(const Instant& now, const Moment& m, const std::vector<Index>& resting,
                       Outcome& outcome) const;
    // The present modes of all contacts, where the guards that fired end none; nothing: they have no solution.
    [[nodiscard]] laws::CoulombAnswer
    go_on(const Moment& m, const std::vector<laws::CoulombContact>& contacts,
          const std::vector<std::optional<laws::ContactMode>>& present) const;
    // A guard that fired says which mode is over.
    [[nodiscard]] std::vector<Exclusion> exclusions(const Moment& m) const;
    // Which rows of a contact carry: its normal, its slips.
    struct Carried {
        bool normal = false;
        std::array<bool, 2> slip{false, false};
    };
    // As many as determine the forces.
    [[nodiscard]] static std::vector<Carried>
    independent_rows(const Moment& m, const std::vector<laws::CoulombContact>& contacts,
                     const laws::CoulombLabel& label);
    // Writes the modes of a solution. Rows that depend on rows already carried by other contacts carry nothing.
    void apply(Instant& now, Moment& m, const std::vector<Index>& resting,
               const std::vector<laws::CoulombContact>& contacts,
               const laws::CoulombSolution& solution, const laws::CoulombLabel& label) const;
    // A mode is over (`ended`), and what else there is was not enumerated, or no sharing of forces is left: the problem a
    // little later shows it.
    [[nodiscard]] laws::CoulombAnswer
    solve_here_or_ahead(const Instant& now, const Moment& m,
                        const std::vector<laws::CoulombContact>& contacts, bool ended,
                        bool none_left) const;
    // The forces of the contacts that carry are those of a solution: not negative, within the bounds of friction.
    [[nodiscard]] bool admissible(const Instant& now, const Moment& m,
                                  const std::vector<Index>& resting) const;
    // Redundant planar contacts: others carry, so that the forces are admissible, with friction at its bound where
    // need be, now or a little later. Nothing is changed where that is not possible.
    void apply_support(Instant& now, const Moment& m, const std::vector<Index>& resting,
                       const std::vector<laws::CoulombContact>& contacts,
                       const laws::CoulombLabel& label, bool later) const;

    // friction_relays.cpp
    // What a relay may do on its surface.
    struct RelayOption {
        int side = 0;
        double value = 0.0;
        bool follows = false;
        bool anew = false; // forces that came to their limit may become smaller
        bool operator==(const RelayOption&) const = default;
    };
    // The contacts beside relays that do this; whether that lasts is asked as well. True: it is a motion, and taken.
    using Attempt = std::function<bool(const std::vector<RelayOption>&, bool)>;
    // The present one first; a value that contacts may hold before one that follows, unless it followed until now.
    [[nodiscard]] std::vector<RelayOption> relay_options(const Instant& now, const Moment& m,
                                                         std::size_t relay) const;
    [[nodiscard]] bool agrees_here(const Instant& now, const std::vector<Index>& contacts) const;
    [[nodiscard]] VectorXd free_accelerations(const Instant& now) const;
    [[nodiscard]] double time_of_change(const Instant& now, const std::vector<double>& field) const;
    [[nodiscard]] bool goes_on(const Instant& now, const std::vector<Index>& contacts) const;
    void give_relays_back(Instant& now, const Moment& m) const;
    bool choose_beside_relays(Instant& now, Moment& m, Outcome& outcome) const;
    // The contacts `m.at_zero` together with the relays `zero`, on which they act and which act on them.
    bool choose_with(Instant& now, Moment& m, const std::vector<std::size_t>& zero,
                     Outcome& outcome) const;
    bool choose_apart(Instant& now, Moment& m, const std::vector<std::size_t>& zero,
                      Outcome& outcome) const;
    // `there`: what the contacts decided in the last attempt; nothing: they found no motion.
    bool decide_in_turn(const std::vector<std::size_t>& zero,
                        const std::vector<std::vector<RelayOption>>& options,
                        const Attempt& attempt, const std::optional<Instant>& there) const;
    [[nodiscard]] std::optional<RelayChoice> accepted(const Instant& there,
                                                      const std::vector<std::size_t>& zero,
                                                      const std::vector<Index>& contacts,
                                                      bool lasts) const;
    [[nodiscard]] bool flies(const Instant& now) const;
    [[nodiscard]] bool rests(const Instant& now, const ContactNumbers& n, Index k) const;
    void settle_idle(Instant& now, const Moment& m) const;
    void take(Instant& now, const RelayChoice& choice, const std::vector<std::size_t>& zero) const;
    [[nodiscard]] Touch idle_touch(const Moment& m, Index k) const;
    // The contact problem, with the relays eliminated that follow; into m.numbers, or at another instant.
    void measure_beside(const Instant& now, Moment& m) const;
    [[nodiscard]] ContactNumbers numbers_at(const Instant& now, const Moment& m) const;

    // friction_preload.cpp
    struct Jam {
        std::vector<Index> contacts; // sides with a preload
        std::optional<bool> holds; // decided: it holds; false: the motion ends here
        bool ends = false; // it held until now
    };
    void state_preloads(Instant& now, const Moment& m) const;
    void drop_preloads(Instant& now, const Moment& m) const;
    Jam hold_preloaded(Instant& now, Moment& m, const std::vector<Index>& island,
                       Outcome& outcome) const;
    void press(Instant& now, const Moment& m, const std::vector<Index>& resting,
               const std::vector<laws::CoulombContact>& contacts,
               const std::vector<std::optional<double>>& stated,
               const laws::CoulombLabel& label) const;
    void tell_jam(const Instant& now, Moment& m, const std::vector<Index>& resting,
                  const std::vector<laws::CoulombContact>& contacts, Outcome& outcome) const;
    // False: the only motion is to stay.
    bool leave_jam(const Jam& jam, const Moment& m, laws::CoulombAnswer& answer) const;

    // friction_sharing.cpp
    // There are several contacts, and all may be given forces that change.
    [[nodiscard]] bool may_share(const std::vector<Index>& resting) const;
    // Redundant contacts in space: rows that depend on others hold given forces, so that the forces of all are
    // admissible as long as possible. False, and nothing changed: there are none. Nothing: the forces are unique.
    std::optional<bool> share_in_space(Instant& now, const Moment& m,
                                       const std::vector<Index>& resting,
                                       const std::vector<laws::CoulombContact>& contacts,
                                       const laws::CoulombLabel& label) const;
    std::optional<bool> share_among(Instant& now, const Moment& m,
                                    const std::vector<Index>& resting,
                                    const std::vector<laws::CoulombContact>& contacts,
                                    const laws::CoulombLabel& label) const;
    // Without the contacts that slip and that those that stick could do without.
    [[nodiscard]] static laws::CoulombLabel
    spared(const Moment& m, const std::vector<laws::CoulombContact>& contacts,
           laws::CoulombLabel label);
    // The same in the present modes.
    std::optional<bool>
    share_on(Instant& now, const Moment& m, const std::vector<Index>& resting,
             const std::vector<laws::CoulombContact>& contacts,
             const std::vector<std::optional<laws::ContactMode>>& present) const;
    void give(Instant& now, const Moment& m, const std::vector<Index>& resting,
              const std::vector<laws::CoulombContact>& contacts, const laws::CoulombLabel& label,
              const VectorXd& force, const VectorXd& rate, bool lasts) const;
    // By contact: its normal depends on others of which one slips, and the rule of laws/self_stress.hpp is about them.
    [[nodiscard]] static std::vector<char>
    ruled_normals(const Moment& m, const std::vector<laws::CoulombContact>& contacts,
                  const laws::CoulombLabel& label);
    // Where contacts slip the normal forces that depend on others follow them (laws/self_stress.hpp); not those of contacts that
    // stick and are `given` theirs.
    void follow_others(Instant& now, const Moment& m, const std::vector<Index>& resting,
                       const std::vector<laws::CoulombContact>& contacts,
                       const laws::CoulombLabel& label, bool given) const;
    // Contacts that the others hold and that carry nothing: they take part again where they would press.
    void watch_idle(Instant& now, const Moment& m, const std::vector<Index>& resting,
                    const laws::CoulombLabel& label) const;
    [[nodiscard]] std::string sharing_facts(const std::vector<Index>& resting,
                                            const laws::CoulombLabel& label) const;

    // friction_ahead.cpp
    // Long enough to see a change, short enough for it to be even.
    [[nodiscard]] double moment() const { return 1e-6 * sizes_.time; }
    // After some time at the present rates; under the forces of the contacts, by row, where they are known.
    [[nodiscard]] Instant ahead(const Instant& now, const Moment& m, double time,
                                const VectorXd& force) const;
    // The same with the rates of another instant, whose numbers are given.
    [[nodiscard]] Instant ahead(const Instant& now, const Instant& rates_at,
                                const ContactNumbers& numbers, double time,
                                const VectorXd& force) const;
    // The contacts as they slip then.
    [[nodiscard]] std::vector<laws::CoulombContact>
    contacts_then(std::vector<laws::CoulombContact> contacts, const ContactNumbers& then) const;
    // Extrapolated until something has changed by a small part: decides where the present one is on a boundary.
    struct Ahead {
        Eigen::MatrixXd D;
        VectorXd b;
        std::vector<laws::CoulombContact> contacts;
    };
    [[nodiscard]] Ahead problem_ahead(const Instant& now, const Moment& m,
                                      const std::vector<laws::CoulombContact>& contacts) const;
    [[nodiscard]] laws::CoulombAnswer
    solve_ahead(const Instant& now, const Moment& m,
                const std::vector<laws::CoulombContact>& contacts) const;

    // friction_onset.cpp
    // Slips in space that start, or are too slow to have a direction: friction acts along the one they relax to.
    void lead_slow_slips(Instant& now, const Moment& m, const std::vector<Index>& resting,
                         const std::vector<laws::CoulombContact>& contacts,
                         const laws::CoulombLabel& label) const;

    // Guards of the new modes that are zero and fall: those modes do not last, one derivative decides.
    [[nodiscard]] std::vector<Exclusion> turning_back(const Instant& now, const Moment& m,
                                                      const std::vector<Index>& resting) const;

    // A contact that opens would be back at once.
    [[nodiscard]] bool closes_again(const Instant& now, const Moment& m,
                                    const std::vector<Index>& resting) const;

    // friction_paradox.cpp
    // What a user needs to decide how a motion without a unique continuation goes on.
    [[nodiscard]] std::string
    paradox_facts(const FrictionChoice& choice, const laws::CoulombAnswer& answer,
                  const Instant& now, const Moment& m, const std::vector<Index>& resting,
                  const std::vector<laws::CoulombContact>& contacts) const;
    [[nodiscard]] std::string no_way_on(const Instant& now, const Moment& m, Index k) const;
    [[nodiscard]] std::string impact_facts(const FrictionChoice& choice, const Instant& now,
                                           const Moment& m,
                                           const std::vector<Index>& resting) const;

    // friction_report.cpp
    void name_choice_of_forces(const Instant& now, Moment& m, Outcome& outcome) const;
    void report(Instant& now, const Moment& m, Outcome& outcome) const;
    // A contact that others hold stops to carry because it would pull, or carries again.
    void report_waiting(const Instant& now, const Moment& m, Index k, Outcome& outcome) const;
    [[nodiscard]] bool waits(const Instant& now, Index k) const {
        return modes_.may_follow(k) && now.mode[modes_.at(k).waits] == 1.0;
    }
    // Guards that are zero by construction: after a bounce g ~ t, after an opening g ~ t² or t³, a slip that starts
    // from rest ~ t or t², a reaction or a bound that starts from zero and grows.
    void arm(Instant& now, const Moment& m, Outcome& outcome) const;
    // The bound of a spatial contact is a difference of squares.
    [[nodiscard]] double zero_below(const GuardRole& f, double small) const;
    [[nodiscard]] double small_force(const std::vector<double>& values, const Moment& m) const;
    [[nodiscard]] bool watched(const Instant& now, const GuardRole& f) const;

    FrictionEvents events_;
    FrictionModes modes_;
    FrictionGuards guards_;
    std::size_t n_positions_;
    std::size_t n_controlled_;
    ContactSizes sizes_;
    flow::Probe values_; // of the own guards
    flow::Probe rates_;
    flow::Probe boundary_; // A₁, B₁' and D_nn by side
    flow::Probe boundary_rates_;
    flow::Probe field_;
    flow::Probe preloads_; // by side, 0 where none is stated
    std::vector<std::string> names_; // of the states
    std::vector<std::size_t> free_modes_; // slots that the contact problem depends on
};

} // namespace liaison::realise
