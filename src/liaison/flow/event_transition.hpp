// SPDX-License-Identifier: Apache-2.0
// Events a user declares: what happens at a located crossing, whoever evaluates guards and assignments.
//
// An event fires when its guard passes zero in its direction, along the motion or in a jump: also where another event or
// an impact throws the state across its surface. Events that are due at one instant are applied together, with the values
// before them; what they set may make others due, until nothing is due any more. A state that is left on a guard has fired
// it: the event fires again only after the guard has been on the side it comes from.
#pragma once

#include "liaison/flow/flow.hpp"

#include <span>
#include <string>
#include <vector>

namespace liaison::flow {

struct EventRule {
    std::string name;
    Direction direction = Direction::both;
    bool stop = false;
};

// What is known at an instant: guards, their first and second rates along the motion, values to set, energy.
struct EventNumbers {
    std::vector<double> values;
    std::size_t n_guards = 0;
    std::size_t n_sets = 0;

    [[nodiscard]] std::span<const double> guards() const { return part(0, n_guards); }
    [[nodiscard]] std::span<const double> rates() const { return part(n_guards, n_guards); }
    [[nodiscard]] std::span<const double> second() const { return part(2 * n_guards, n_guards); }
    [[nodiscard]] std::span<const double> sets() const { return part(3 * n_guards, n_sets); }
    // The last value, where there is an energy.
    [[nodiscard]] bool has_energy() const { return values.size() > 3 * n_guards + n_sets; }
    [[nodiscard]] double energy() const { return values.back(); }

  private:
    [[nodiscard]] std::span<const double> part(std::size_t from, std::size_t n) const {
        return std::span(values).subspan(from, n);
    }
};

class EventTransition : public Transition {
  public:
    // Guard i of the events is guard first_guard + i of the flow.
    EventTransition(std::vector<EventRule> rules, std::size_t first_guard)
        : rules_(std::move(rules)), first_guard_(first_guard) {}

    Outcome start(Instant& now) const override;
    Outcome transit(std::span<const Firing> fired, Instant& now) const override;
    Outcome jump(const Instant& before, Instant& now) const override;
    void confirm(const Instant& now, std::span<const Armed> earlier,
                 std::vector<Armed>& armed) const override;

  protected:
    virtual void measure(const Instant& now, EventNumbers& numbers) const = 0;
    // What these events set, from the numbers before.
    virtual void apply(const std::vector<std::size_t>& due, const EventNumbers& before,
                       Instant& now) const = 0;
    // Two events that are due together and set one quantity to different values: neither comes before the other. Empty: none.
    [[nodiscard]] virtual std::string conflict(const std::vector<std::size_t>&,
                                               const EventNumbers&) const {
        return {};
    }
    // What the system does at once about a state that was set: impulses of constraints, which change it further. A text: why
    // the motion cannot go on from there.
    virtual std::string answer(const Instant& before, Instant& now,
                               std::vector<ContactShare>& impulses) const {
        (void)before, (void)now, (void)impulses;
        return {};
    }

  private:
    // `due` is used up.
    Outcome work_off(std::vector<std::size_t>& due, double accuracy, Instant& now) const;
    void record(std::size_t i, const Instant& now, const std::vector<double>& before,
                double accuracy, Event& event) const;
    // A jump from the numbers before, at the instant `there`, to those after takes the guard through zero.
    [[nodiscard]] bool passes(std::size_t i, const EventNumbers& before, const Instant& there,
                              const EventNumbers& after) const;
    void arm(const std::vector<std::size_t>& happened, const std::vector<double>& arriving,
             const EventNumbers& numbers, double accuracy, const Instant& now,
             Outcome& outcome) const;
    void tell_through(std::size_t i, Outcome& outcome) const;

    std::vector<EventRule> rules_;
    std::size_t first_guard_;
};

} // namespace liaison::flow
