// SPDX-License-Identifier: Apache-2.0
// Estimates from the rigid motion, maxima from the elastic one.
#include "liaison/analysis/choose_stiffness.hpp"

#include "liaison/analysis/contact_track.hpp"
#include "liaison/laws/damped_contact.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace liaison::analysis {
namespace {

constexpr std::size_t k_samples = 4001;
constexpr double k_tolerance = 1e-12;

// What the rigid motion says about one contact side.
struct Facts {
    double largest_reaction = 0.0;
    double first_reaction = 0.0;
    double first_mass = 1.0;
    double smallest_profile = std::numeric_limits<double>::infinity();
    double smallest_mass = std::numeric_limits<double>::infinity();
    double release_mass = 0.0;
    double release_rate = 0.0; // −Ṙ/μ at lift-off
    double impact_speed = 0.0;
    double impact_mass = 1.0; // where it is fastest
    double impact_profile = 1.0;
};

class Choice {
  public:
    Choice(const model::Model& model, const prepare::Start& start, const StiffnessWish& wish)
        : model_(model), start_(start), wish_(wish), evaluator_(model),
          metrics_(contact_metrics(model)), until_(start.until.value_or(start.point.time)),
          times_(even_times(start.point.time, until_, k_samples)) {}

    StiffnessAnswer run() {
        limit_ =
            follow(rigid_limit(model_, start_.point), start_.point, until_, k_tolerance, times_);
        if (!limit_.failed.empty()) {
            answer_.failed = "the rigid motion: " + limit_.failed;
            return std::move(answer_);
        }
        for (std::size_t k = 0; k < metrics_.size(); ++k) facts_.push_back(facts(k));
        for (const model::Contact& contact : model_.contacts)
            ratio_ = std::max(ratio_, damping_ratio(model_, contact, start_.point));
        estimate();
        if (answer_.choices.empty()) {
            answer_.failed = "the motion has no reaction, release or impact that would ask for a "
                             "stiffness";
            return std::move(answer_);
        }
        check();
        return std::move(answer_);
    }

  private:
    Facts facts(std::size_t k) const {
        const ContactMetric& m = metrics_[k];
        Facts f;
        f.first_mass = evaluator_.at(start_.point, m.mass);
        f.first_reaction = limit_.reactions[0][k];
        for (std::size_t i = 0; i < times_.size(); ++i) {
            const double R = limit_.reactions[i][k];
            if (!(R > 0.0)) continue;
            const double mass = evaluator_.at(limit_.points[i], m.mass);
            f.largest_reaction = std::max(f.largest_reaction, R);
            f.smallest_mass = std::min(f.smallest_mass, mass);
            f.smallest_profile =
                std::min(f.smallest_profile, evaluator_.at(limit_.points[i], m.profile));
            // The last two pressed samples give the rate at which the reaction vanishes.
            if (i > 0 && limit_.reactions[i - 1][k] > 0.0) {
                f.release_mass = mass;
                f.release_rate =
                    (limit_.reactions[i - 1][k] - R) / (times_[i] - times_[i - 1]) / mass;
            }
        }
        for (const flow::Event& e : limit_.events) {
            if (e.kind != flow::EventKind::impact || e.where != model_.contacts[m.contact].name)
                continue;
            const double speed = std::abs(e.gap_rate.value_or(0.0));
            if (!(speed > f.impact_speed)) continue;
            f.impact_speed = speed;
            const auto after = std::ranges::lower_bound(times_, e.time.rounded());
            const auto i = static_cast<std::size_t>(
                std::min<std::ptrdiff_t>(after - times_.begin(), std::ssize(times_) - 1));
            f.impact_mass = evaluator_.at(limit_.points[i], m.mass);
            f.impact_profile = evaluator_.at(limit_.points[i], m.profile);
        }
        return f;
    }

    [[nodiscard]] bool releases() const {
        return std::ranges::any_of(
            limit_.events, [](const flow::Event& e) { return e.kind == flow::EventKind::release; });
    }

    void add(std::string quantity, double wanted, double stiffness) {
        if (!(stiffness > 0.0) || !std::isfinite(stiffness)) return;
        const auto same = std::ranges::find(answer_.choices, quantity, &StiffnessChoice::quantity);
        if (same != answer_.choices.end())
            same->stiffness = std::max(same->stiffness, stiffness);
        else
            answer_.choices.push_back({std::move(quantity), wanted, stiffness, {}});
    }

    void estimate() {
        const bool calm = wish_.static_start || ratio_ > 0.0;
        for (const Facts& f : facts_) {
            const double R = f.largest_reaction;
            if (wish_.penetration && R > 0.0)
                add("penetration", *wish_.penetration,
                    (calm ? 1.0 : 2.0) * R / (f.smallest_profile * *wish_.penetration));
            if (wish_.penetration && f.impact_speed > 0.0) {
                const double deep =
                    f.impact_speed * laws::deepest_penetration(ratio_) / *wish_.penetration;
                add("penetration", *wish_.penetration,
                    deep * deep * f.impact_mass / f.impact_profile);
            }
            if (wish_.speed && R > 0.0)
                add("speed", *wish_.speed,
                    R * R / (f.smallest_mass * f.smallest_profile * *wish_.speed * *wish_.speed));
            if (wish_.release_speed && releases() && f.release_rate > 0.0) {
                const double j =
                    f.first_reaction * f.first_reaction / (2.0 * f.first_mass * f.release_mass);
                add("release speed", *wish_.release_speed,
                    std::pow(2.0 * std::pow(f.release_rate, 0.2) * std::pow(j, 0.4) /
                                 *wish_.release_speed,
                             5.0 / 3.0));
            }
            if (wish_.delay && f.impact_speed > 0.0) {
                const double late = std::numbers::pi * f.impact_speed / *wish_.delay;
                add("delay", *wish_.delay, late * late / std::max(1e-6, 1.0 - ratio_ * ratio_));
            }
        }
        for (const StiffnessChoice& c : answer_.choices)
            answer_.stiffness = std::max(answer_.stiffness, c.stiffness);
    }

    // Every quantity is measured with the stiffness that it asked for. Impacts go deeper than their estimate where a
    // force presses on: there the stiffness grows with the square of what is missing.
    void check() {
        for (StiffnessChoice& c : answer_.choices) {
            const bool of_impact = c.quantity == "penetration" && fastest_impact() > 0.0;
            constexpr int k_trials = 4;
            for (int trial = 0; trial < (of_impact ? k_trials : 1); ++trial) {
                if (trial > 0) {
                    const double missing = c.measured.value_or(c.wanted) / c.wanted;
                    if (missing <= 1.0) break;
                    c.stiffness *= 1.01 * missing * missing;
                }
                const Track soft = follow(with_stiffness(model_, c.stiffness), begin(c.stiffness),
                                          until_, k_tolerance, times_);
                if (!soft.failed.empty()) {
                    answer_.failed = fmt::format("stiffness {:g}: {}", c.stiffness, soft.failed);
                    return;
                }
                c.measured = measured(c.quantity, soft);
                if (c.stiffness < answer_.stiffness) continue;
                answer_.stiffness = c.stiffness;
                answer_.steps = soft.steps;
            }
        }
        double fastest = 0.0;
        for (const ContactMetric& m : metrics_) {
            fastest = std::max(fastest, evaluator_.at(start_.point, m.profile) /
                                            evaluator_.at(start_.point, m.mass));
        }
        answer_.frequency = std::sqrt(answer_.stiffness * fastest);
        answer_.contact_step = 0.4 / answer_.frequency;
    }

    [[nodiscard]] prepare::Point begin(double stiffness) const {
        if (!wish_.static_start || model_.quasi) return start_.point;
        return compressed(evaluator_, metrics_, limit_.reactions[0], start_.point, stiffness);
    }

    [[nodiscard]] double fastest_impact() const {
        double speed = 0.0;
        for (const Facts& f : facts_) speed = std::max(speed, f.impact_speed);
        return speed;
    }

    // Nothing where the motion has no such quantity, or more than one cause of it.
    [[nodiscard]] std::optional<double> measured(const std::string& quantity,
                                                 const Track& soft) const {
        if (quantity == "penetration") return std::max(0.0, -soft.smallest_gap);
        if (quantity == "speed") return largest_rate(soft);
        if (quantity == "delay") return first_delay(soft);
        return std::nullopt;
    }

    // Along the constraint: up to the first lift-off or impact.
    [[nodiscard]] std::optional<double> largest_rate(const Track& soft) const {
        double end = until_;
        for (const flow::Event& e : limit_.events) {
            if (e.kind != flow::EventKind::release && e.kind != flow::EventKind::impact) continue;
            end = e.time.rounded();
            break;
        }
        std::optional<double> largest;
        for (std::size_t i = 0; i < times_.size() && times_[i] <= end; ++i) {
            const auto& R = limit_.reactions[i];
            if (std::ranges::none_of(R, [](double r) { return r > 0.0; })) continue;
            for (const ContactMetric& m : metrics_)
                largest = std::max(largest.value_or(0.0),
                                   std::abs(evaluator_.at(soft.points[i], m.rate)));
        }
        return largest;
    }

    // The path that the first impact is late by: its speed times the duration of the elastic contact.
    [[nodiscard]] std::optional<double> first_delay(const Track& soft) const {
        const auto is = [](flow::EventKind kind) {
            return [kind](const flow::Event& e) { return e.kind == kind; };
        };
        const auto struck = std::ranges::find_if(limit_.events, is(flow::EventKind::impact));
        const auto begun = std::ranges::find_if(soft.events, is(flow::EventKind::attach));
        const auto ended = std::find_if(begun, soft.events.end(), [&](const flow::Event& e) {
            return e.kind == flow::EventKind::release && e.where == begun->where &&
                   e.side == begun->side;
        });
        if (struck == limit_.events.end() || ended == soft.events.end()) return std::nullopt;
        return std::abs(struck->gap_rate.value_or(0.0)) *
               (ended->time.rounded() - begun->time.rounded());
    }

    const model::Model& model_;
    const prepare::Start& start_;
    const StiffnessWish& wish_;
    prepare::Evaluator evaluator_;
    std::vector<ContactMetric> metrics_;
    double until_;
    std::vector<double> times_;
    Track limit_;
    std::vector<Facts> facts_;
    double ratio_ = 0.0;
    StiffnessAnswer answer_;
};

} // namespace

StiffnessAnswer choose_stiffness(const model::Model& model, const prepare::Start& start,
                                 const StiffnessWish& wish) {
    return Choice(model, start, wish).run();
}

bool StiffnessAnswer::reached() const {
    constexpr double k_little = 1.01;
    return std::ranges::all_of(choices, [](const StiffnessChoice& c) {
        return !c.measured || *c.measured <= k_little * c.wanted;
    });
}

nlohmann::ordered_json to_json(const StiffnessAnswer& answer) {
    using Json = nlohmann::ordered_json;
    Json result = {{"stiffness", answer.stiffness},
                   {"frequency", answer.frequency},
                   {"contact_step", answer.contact_step},
                   {"steps", answer.steps},
                   {"reached", answer.failed.empty() ? Json(answer.reached()) : Json(nullptr)},
                   {"choices", Json::array()},
                   {"reason", answer.failed.empty() ? Json(nullptr) : Json(answer.failed)}};
    for (const StiffnessChoice& c : answer.choices) {
        result["choices"].push_back({{"quantity", c.quantity},
                                     {"wanted", c.wanted},
                                     {"stiffness", c.stiffness},
                                     {"measured", c.measured ? Json(*c.measured) : Json(nullptr)}});
    }
    return result;
}

std::string to_text(const StiffnessAnswer& answer) {
    std::string text =
        fmt::format("  {:<16}{:>12}{:>14}{:>14}\n", "quantity", "wanted", "stiffness", "measured");
    for (const StiffnessChoice& c : answer.choices) {
        text += fmt::format("  {:<16}{:>12.4g}{:>14.6g}{:>14}\n", c.quantity, c.wanted, c.stiffness,
                            c.measured ? fmt::format("{:.6g}", *c.measured) : "–");
    }
    const bool reached = answer.reached();
    text += fmt::format("stiffness {:.6g} {}: contact frequency {:.4g}, a fixed step would "
                        "be {:.3g}; the run took {} steps\n",
                        answer.stiffness, reached ? "serves all" : "does not serve all",
                        answer.frequency, answer.contact_step, answer.steps);
    return text;
}

} // namespace liaison::analysis
