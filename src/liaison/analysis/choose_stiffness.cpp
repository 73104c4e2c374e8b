// SPDX-License-Identifier: Apache-2.0
// Estimates from the rigid motion, errors from the elastic one.
#include "liaison/analysis/choose_stiffness.hpp"

#include "liaison/analysis/elastic_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <memory>

namespace liaison::analysis {
namespace {

constexpr std::size_t k_samples = 4001;
constexpr double k_tolerance = 1e-12;
constexpr double k_most_steps = 5e6; // of a run that measures
constexpr double k_little = 1.01; // what a measured error may exceed the wanted one by

double square(double x) { return x * x; }

class Choice {
  public:
    Choice(const model::Model& model, const prepare::Start& start, const StiffnessWish& wish,
           base::Interrupt interrupt)
        : model_(model), start_(start), wish_(wish), interrupt_(interrupt), evaluator_(model),
          sides_(contact_metrics(model)), until_(start.until.value_or(start.point.time)),
          times_(even_times(start.point.time, until_, k_samples)) {}

    StiffnessAnswer run() {
        limit_ = follow(rigid_limit(model_, start_.point), start_.point, until_, k_tolerance,
                        times_, {}, {}, interrupt_);
        if (!limit_.failed.empty()) {
            answer_.failed = "the rigid motion: " + limit_.failed;
            return std::move(answer_);
        }
        facts_ = rigid_facts(model_, start_.point, sides_, limit_, times_);
        errors_ = std::make_unique<ElasticErrors>(model_, sides_, facts_, limit_, times_);
        estimate();
        for (const StiffnessChoice& c : answer_.choices)
            answer_.stiffness = std::max(answer_.stiffness, c.stiffness);
        if (answer_.failed.empty() && answer_.asked()) check();
        return std::move(answer_);
    }

  private:
    enum class Quantity { penetration, speed, along, along_speed, release, delay, restitution };

    struct Open {
        Quantity quantity;
        double order; // of the error in 1/N
    };

    // A wish with the stiffness it asks for, over all sides; zero where none does.
    void add(Quantity quantity, std::string name, double order, double wanted, double stiffness,
             std::string note) {
        // Differences of two motions are known to the errors of both.
        constexpr double k_told_apart = 100.0 * k_tolerance;
        const bool difference = quantity == Quantity::along || quantity == Quantity::along_speed ||
                                quantity == Quantity::release;
        if (!std::isfinite(stiffness)) {
            note = "no number is so stiff";
            stiffness = 0.0;
        } else if (difference && stiffness > 0.0 && wanted < k_told_apart) {
            note = fmt::format("motions cannot be told apart by less than {:g}", k_told_apart);
            stiffness = 0.0;
        }
        answer_.choices.push_back({std::move(name), wanted, stiffness, {}, std::move(note)});
        open_.push_back({quantity, order});
    }

    // The largest over the sides of what each asks for.
    template <class Ask>
    double over_sides(const Ask& ask) const {
        double largest = 0.0;
        for (const RigidFacts& f : facts_) largest = std::max(largest, ask(f));
        return largest;
    }
    template <class Ask>
    double over_impacts(const Ask& ask) const {
        return over_sides([&](const RigidFacts& f) {
            double largest = 0.0;
            for (const RigidFacts::Impact& i : f.impacts) {
                largest = std::max(largest, ask(f, i));
                if (f.accumulates) break; // the first is the fastest
            }
            return largest;
        });
    }

    void estimate() {
        if (wish_.penetration) penetration(*wish_.penetration);
        if (wish_.speed) speed(*wish_.speed);
        if (wish_.along)
            by_two_runs(Quantity::along, "along", *wish_.along,
                        "the motion does not lean on a contact from its start");
        if (wish_.along_speed)
            by_two_runs(Quantity::along_speed, "along speed", *wish_.along_speed,
                        "the motion does not lean on a contact from its start");
        if (wish_.release_speed) release_speed(*wish_.release_speed);
        if (wish_.delay) delay(*wish_.delay);
        if (wish_.restitution) restitution(*wish_.restitution);
    }

    void penetration(double wanted) {
        const double resting = over_sides([&](const RigidFacts& f) {
            if (!(f.largest_reaction > 0.0)) return 0.0;
            const double over =
                wish_.static_start ? 0.0 : laws::restitution_of(f.ratio, laws::ContactExit::gap);
            return (1.0 + over) * f.largest_reaction / (f.smallest_profile * wanted);
        });
        const double struck = over_impacts([&](const RigidFacts& f, const RigidFacts::Impact& i) {
            return i.mass / i.profile *
                   square(i.speed * laws::deepest_penetration(f.ratio) / wanted);
        });
        add(Quantity::penetration, "penetration", struck > resting ? 0.5 : 1.0, wanted,
            std::max(resting, struck), resting + struck > 0.0 ? "" : "the motion meets no contact");
    }

    void speed(double wanted) {
        if (wish_.static_start) {
            by_two_runs(Quantity::speed, "speed", wanted,
                        "the motion does not lean on a contact from its start");
            return;
        }
        const double stiffness = over_sides([&](const RigidFacts& f) {
            if (!(f.largest_reaction > 0.0)) return 0.0;
            return square(f.largest_reaction / wanted) / (f.smallest_mass * f.smallest_profile);
        });
        std::string note = stiffness > 0.0 ? "" : "the motion never leans on a contact";
        if (stiffness > 0.0 && !errors_->leans())
            note = "not measured: the motion comes to lean on a contact by impacts";
        add(Quantity::speed, "speed", 0.5, wanted, stiffness, std::move(note));
    }

    void release_speed(double wanted) {
        const std::string none = "no contact is released that was closed from the start on";
        const bool calm = wish_.static_start || std::ranges::any_of(facts_, [](const auto& f) {
                              return f.lift_off && f.ratio > 0.0;
                          });
        if (calm) {
            by_two_runs(Quantity::release, "release speed", wanted, none);
            return;
        }
        const double stiffness = over_sides([&](const RigidFacts& f) {
            if (!f.lift_off || !(f.lift_off->rate > 0.0)) return 0.0;
            // J = J₀ N^(−3/2), the action of the oscillation.
            const double action = square(f.first_reaction) *
                                  std::sqrt(f.first_mass / f.first_profile) /
                                  (2.0 * f.first_profile);
            return std::pow(2.0 * std::pow(f.lift_off->rate, 0.2) *
                                std::pow(action / f.lift_off->mass, 0.4) / wanted,
                            5.0 / 3.0);
        });
        add(Quantity::release, "release speed", 0.6, wanted, stiffness,
            stiffness > 0.0 ? "single values scatter below the bound: the phase of the last bounce "
                              "decides"
                            : none);
    }

    void delay(double wanted) {
        bool sticks = false;
        const double stiffness =
            over_impacts([&](const RigidFacts& f, const RigidFacts::Impact& i) {
                const auto phase = laws::contact_phase(f.ratio, f.exit);
                sticks = sticks || !phase;
                return i.mass / i.profile * square(i.speed * phase.value_or(0.0) / wanted);
            });
        std::string note = stiffness > 0.0 ? "" : "the motion has no impact";
        if (sticks) note = "a contact with this damping does not open again";
        add(Quantity::delay, "delay", 0.5, wanted, stiffness, std::move(note));
    }

    void restitution(double wanted) {
        bool damped = false;
        const double stiffness =
            over_impacts([&](const RigidFacts& f, const RigidFacts::Impact& i) {
                const double e = laws::restitution_of(f.ratio, f.exit);
                damped = damped || f.ratio > 0.0;
                const double share = f.exit == laws::ContactExit::gap ? 1.0 + e : e;
                return i.mass / i.profile *
                       square(2.0 * f.ratio * share * std::abs(i.pressing) / (i.speed * wanted));
            });
        std::string note;
        if (std::ranges::all_of(facts_, [](const auto& f) { return f.impacts.empty(); }))
            note = "the motion has no impact";
        else if (!damped)
            note = "without damping a contact returns everything, whatever its stiffness";
        else if (!(stiffness > 0.0))
            note = "nothing presses while a contact lasts: it returns its restitution at every "
                   "stiffness";
        else if (std::ranges::any_of(facts_, &RigidFacts::accumulates))
            note = "of the first impact; slower ones are further off, and in the end the spring "
                   "does not open again";
        add(Quantity::restitution, "restitution", 0.5, wanted, stiffness, std::move(note));
    }

    // An error that is C/N: two motions say C, C = (4/3) N₁ |x(N₁) − x(4N₁)|.
    void by_two_runs(Quantity quantity, std::string name, double wanted, const std::string& none) {
        const double N = first_stiffness();
        const Track* soft = of_stiffness(N);
        const Track* stiff = soft != nullptr ? of_stiffness(4.0 * N) : nullptr;
        if (stiff == nullptr) return;
        const auto apart = between(quantity, *soft, *stiff);
        std::string note = apart ? "" : none;
        if (!apart && model_.quasi && quantity != Quantity::release)
            note = "quasi-velocities have no part along the constraint";
        add(quantity, std::move(name), 1.0, wanted, apart ? 4.0 / 3.0 * N * *apart / wanted : 0.0,
            std::move(note));
    }

    // Two hundred radians of the contact's oscillation on the way.
    [[nodiscard]] double first_stiffness() const {
        constexpr double k_radians = 200.0;
        double slowest = std::numeric_limits<double>::infinity();
        for (const RigidFacts& f : facts_)
            slowest = std::min(slowest, f.first_profile / f.first_mass);
        return square(k_radians / (errors_->leans_until() - times_.front())) / slowest;
    }

    [[nodiscard]] std::optional<double> between(Quantity quantity, const Track& one,
                                                const Track& other) const {
        switch (quantity) {
        case Quantity::along:
        case Quantity::along_speed: {
            const auto apart = errors_->along(one, other);
            if (!apart) return std::nullopt;
            return quantity == Quantity::along ? apart->position : apart->velocity;
        }
        case Quantity::speed: {
            // The rigid gap rate is zero: one motion says C.
            const auto largest = errors_->speed(one);
            return largest ? std::optional(0.75 * *largest) : std::nullopt;
        }
        case Quantity::release: return errors_->release_speed(one, other);
        default: return std::nullopt;
        }
    }

    [[nodiscard]] std::optional<double> measured(Quantity quantity, const Track& soft) const {
        switch (quantity) {
        case Quantity::penetration: return ElasticErrors::penetration(soft);
        case Quantity::speed: return errors_->speed(soft);
        case Quantity::along:
        case Quantity::along_speed:
        case Quantity::release: return between(quantity, limit_, soft);
        case Quantity::delay: return errors_->delay(soft);
        case Quantity::restitution: return errors_->restitution(soft);
        }
        return std::nullopt;
    }

    // The elastic motion; null and a reason where it does not reach its end.
    [[nodiscard]] const Track* of_stiffness(double N) {
        const auto known = std::ranges::find(made_, N, &std::pair<double, Track>::first);
        if (known != made_.end()) return &known->second;
        Track soft = follow(with_stiffness(model_, N), begin(N), until_, k_tolerance, times_, {},
                            {}, interrupt_);
        if (!soft.failed.empty()) {
            answer_.failed = fmt::format("stiffness {:g}: {}", N, soft.failed);
            return nullptr;
        }
        return &made_.emplace_back(N, std::move(soft)).second;
    }

    // Every quantity is measured with the stiffness that it asked for, which grows by the order of the error where the
    // estimate was too small (a force that presses on in an impact, corrections of higher order).
    void check() {
        for (std::size_t k = 0; k < answer_.choices.size(); ++k) {
            StiffnessChoice& c = answer_.choices[k];
            if (!(c.stiffness > 0.0)) continue;
            constexpr int k_trials = 4;
            for (int trial = 0; trial < k_trials; ++trial) {
                if (const double steps = steps_for(c.stiffness); steps > k_most_steps) {
                    c.note =
                        fmt::format("not measured: a run with it takes about {:.0e} steps", steps);
                    break;
                }
                const Track* soft = of_stiffness(c.stiffness);
                if (soft == nullptr) return;
                c.measured = measured(open_[k].quantity, *soft);
                if (c.stiffness >= answer_.stiffness) {
                    answer_.stiffness = c.stiffness;
                    answer_.steps = soft->steps;
                }
                const double missing = c.measured.value_or(c.wanted) / c.wanted;
                if (missing <= k_little || trial + 1 == k_trials) break;
                c.stiffness *= k_little * std::pow(missing, 1.0 / open_[k].order);
            }
        }
        double fastest = 0.0;
        for (const RigidFacts& f : facts_)
            fastest = std::max(fastest, f.first_profile / f.first_mass);
        answer_.frequency = std::sqrt(answer_.stiffness * fastest);
        answer_.contact_step = 0.4 / answer_.frequency;
    }

    // While a contact carries, a step covers about two radians of its oscillation.
    [[nodiscard]] double steps_for(double stiffness) const {
        const double dt = (until_ - start_.point.time) / static_cast<double>(times_.size() - 1);
        double radians = 0.0;
        for (std::size_t k = 0; k < facts_.size(); ++k) {
            const auto carrying = std::ranges::count_if(
                limit_.reactions, [k](const std::vector<double>& R) { return R[k] > 0.0; });
            radians += static_cast<double>(carrying) * dt *
                       std::sqrt(stiffness * facts_[k].first_profile / facts_[k].first_mass);
        }
        return radians / 2.0;
    }

    [[nodiscard]] prepare::Point begin(double stiffness) const {
        if (!wish_.static_start || model_.quasi) return start_.point;
        return compressed(evaluator_, sides_, limit_.reactions[0], start_.point, stiffness);
    }

    const model::Model& model_;
    const prepare::Start& start_;
    const StiffnessWish& wish_;
    base::Interrupt interrupt_;
    prepare::Evaluator evaluator_;
    std::vector<ContactMetric> sides_;
    double until_;
    std::vector<double> times_;
    Track limit_;
    std::vector<RigidFacts> facts_;
    std::unique_ptr<const ElasticErrors> errors_; // once the rigid motion is known
    std::deque<std::pair<double, Track>> made_; // elastic motions by stiffness
    std::vector<Open> open_; // by choice
    StiffnessAnswer answer_;
};

} // namespace

StiffnessAnswer choose_stiffness(const model::Model& model, const prepare::Start& start,
                                 const StiffnessWish& wish, base::Interrupt interrupt) {
    return Choice(model, start, wish, interrupt).run();
}

bool StiffnessAnswer::reached() const {
    return std::ranges::all_of(choices, [](const StiffnessChoice& c) {
        return !c.measured || *c.measured <= k_little * c.wanted;
    });
}

} // namespace liaison::analysis
