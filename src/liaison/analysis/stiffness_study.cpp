// SPDX-License-Identifier: Apache-2.0
// The rigid limit by events, the elastic motions, and what lies between them.
#include "liaison/analysis/stiffness_study.hpp"

#include "liaison/analysis/contact_track.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace liaison::analysis {
namespace {

constexpr double k_tightest = 1e-13;

class Study {
  public:
    Study(const model::Model& model, const prepare::Start& start, const StiffnessStudy& study)
        : model_(model), start_(start), study_(study), evaluator_(model),
          tolerance_(std::min(start.tolerance, k_tightest)) {
        result_.over = "stiffness";
        result_.start = study.start == ElasticStart::paper ? "paper" : "static";
    }

    Convergence run() {
        if (!has_stiffness()) return std::move(result_);
        sides_ = contact_metrics(model_);
        for (const ContactMetric& side : sides_) {
            slowest_ = std::min(slowest_, evaluator_.at(start_.point, side.profile) /
                                              evaluator_.at(start_.point, side.mass));
        }
        times_ = even_times(start_.point.time, until_, study_.samples);
        for (const model::Contact& contact : model_.contacts)
            smallest_ratio_ =
                std::min(smallest_ratio_, damping_ratio(model_, contact, start_.point));
        limit_ = follow(rigid_limit(model_, start_.point), start_.point, until_, tolerance_, times_,
                        {}, {}, study_.interrupt);
        if (!limit_.failed.empty()) {
            result_.failed = "the rigid limit: " + limit_.failed;
            return std::move(result_);
        }
        classify();
        choose_values();
        declare_quantities();
        for (const double N : result_.parameter) {
            if (!measure(N)) return std::move(result_);
        }
        judge(result_, 100.0 * tolerance_);
        explain();
        return std::move(result_);
    }

  private:
    enum class Regime { free, along, lift_off, impact };

    // The study is one of the penalty N·½·B·gap²: a spring with a law of its own has no such N.
    bool has_stiffness() {
        const auto own = std::ranges::find_if(model_.contacts, [](const model::Contact& c) {
            return static_cast<bool>(c.elastic.potential);
        });
        if (own == model_.contacts.end()) return true;
        result_.misfit = true;
        result_.failed = fmt::format(
            "contact {} has a spring of its own law (potential, or profile by name), which has no "
            "stiffness N of the penalty N·B·gap²/2: leave it out to study the penalty, or "
            "make its softness a parameter s (potential = \"gap^2/(2*s)\") and take --over s=…, "
            "whose limit is zero",
            own->name);
        return false;
    }

    void classify() {
        using flow::EventKind;
        for (const flow::Event& e : limit_.events) {
            const bool jump = e.kind == EventKind::impact || e.kind == EventKind::accumulation;
            if (jump) regime_ = Regime::impact;
            if (jump) impacts_.push_back(e.time.rounded());
            if (e.kind == EventKind::release && regime_ != Regime::impact) {
                regime_ = Regime::lift_off;
                lift_off_ = e.time.rounded();
            }
        }
        const bool closed =
            std::ranges::any_of(limit_.closed_at_start, [](char c) { return c != 0; });
        if (regime_ == Regime::free && closed) regime_ = Regime::along;
        const auto resting = std::ranges::count(limit_.closed_at_start, char{1});
        coupled_ = resting > 1;
        result_.envelope = regime_ == Regime::lift_off && !calm();
        switch (regime_) {
        case Regime::free: result_.regime = "no contact on the way"; break;
        case Regime::along: result_.regime = "along the constraint"; break;
        case Regime::lift_off:
            result_.regime = fmt::format("after lift-off at t = {:.12g}", lift_off_);
            break;
        case Regime::impact: result_.regime = "after an impact"; break;
        }
    }

    // Contacts without a lasting oscillation: started compressed, or damped.
    [[nodiscard]] bool calm() const {
        return study_.start == ElasticStart::static_ || smallest_ratio_ > 0.0;
    }

    void choose_values() {
        result_.parameter = study_.stiffness;
        if (!result_.parameter.empty()) return;
        const double decades = std::log10(study_.to / study_.from);
        const int wanted = result_.envelope ? static_cast<int>(std::lround(6.0 * decades)) + 1 : 7;
        for (int i = 0; i < wanted; ++i) {
            result_.parameter.push_back(study_.from *
                                        std::pow(10.0, decades * i / std::max(wanted - 1, 1)));
        }
    }

    void declare_quantities() {
        const auto add = [&](std::string name, double paper, double calm_order) {
            Quantity q;
            q.name = std::move(name);
            if (!coupled_ && regime_ != Regime::free) q.theorem = calm() ? calm_order : paper;
            result_.quantities.push_back(std::move(q));
        };
        const bool along = regime_ == Regime::along;
        const double after = regime_ == Regime::impact ? 0.5 : 0.6;
        const double calm_after = regime_ == Regime::impact ? 0.5 : 1.0;
        for (const auto& c : model_.coordinates)
            add(c.name, along ? 1.0 : after, along ? 1.0 : calm_after);
        for (std::size_t i = 0; i < model_.velocities.size(); ++i) {
            const bool normal = std::ranges::any_of(
                sides_, [&](const ContactMetric& s) { return !s.row[i].is_zero(); });
            add(model_.velocities[i].name, along ? (normal ? 0.5 : 1.0) : after,
                along ? 1.0 : calm_after);
        }
        for (const ContactMetric& side : sides_) {
            add(side.name, along ? 1.0 : after, along ? 1.0 : calm_after);
            add(side.name + "'", along ? 0.5 : after, along ? 1.0 : calm_after);
            if (model_.quasi) continue;
            add(side.name + ".along", along ? 1.0 : after, along ? 1.0 : calm_after);
            add(side.name + ".along'", along ? 1.0 : after, along ? 1.0 : calm_after);
        }
    }

    // Errors of velocities are of order one while a contact lasts that has no duration in the limit; contacts that
    // are damped swing for a while after the start.
    [[nodiscard]] bool counts(double t, double N) const {
        const double omega = std::sqrt(N * slowest_);
        if (regime_ == Regime::lift_off) {
            const double end = until_;
            return t >= lift_off_ + 0.5 * (end - lift_off_);
        }
        // Before the first impact both motions are the same one.
        if (regime_ == Regime::impact && !impacts_.empty() && t < impacts_.front()) return false;
        for (const double impact : impacts_) {
            if (t > impact - 1e-9 && t < impact + 3.0 * std::numbers::pi / omega) return false;
        }
        const bool swings = smallest_ratio_ > 0.0 && study_.start == ElasticStart::paper;
        if (!swings || regime_ != Regime::along) return true;
        // e^(−ζωt) below N^(−1/2): the gap rate of the swing falls under the errors that stay.
        const double length = until_ - start_.point.time;
        const double dead = (0.5 * std::log(N) + 4.0) / (smallest_ratio_ * omega);
        return t - start_.point.time > std::min(dead, 0.7 * length);
    }

    prepare::Point begin(double N) const {
        if (study_.start == ElasticStart::paper || model_.quasi) return start_.point;
        return compressed(evaluator_, sides_, limit_.reactions[0], start_.point, N);
    }

    bool measure(double N) {
        const Track soft = follow(with_stiffness(model_, N), begin(N), until_, tolerance_, times_,
                                  {}, {}, study_.interrupt);
        if (!soft.failed.empty()) {
            result_.failed = fmt::format("stiffness {:g}: {}", N, soft.failed);
            return false;
        }
        std::vector<double> largest(result_.quantities.size(), 0.0);
        bool compared = false;
        for (std::size_t i = 0; i < times_.size(); ++i) {
            if (!counts(times_[i], N)) continue;
            compared = true;
            const auto errors = difference(soft.points[i], limit_.points[i]);
            for (std::size_t k = 0; k < errors.size(); ++k)
                largest[k] = std::max(largest[k], errors[k]);
        }
        if (!compared) {
            result_.notes.push_back(fmt::format(
                "stiffness {:g}: no sample lies outside the contacts, so that there is no error",
                N));
            std::ranges::fill(largest, std::numeric_limits<double>::quiet_NaN());
        }
        for (std::size_t k = 0; k < largest.size(); ++k)
            result_.quantities[k].error.push_back(largest[k]);
        return true;
    }

    // In the order of the quantities.
    std::vector<double> difference(const prepare::Point& soft, const prepare::Point& rigid) const {
        std::vector<double> errors;
        for (std::size_t i = 0; i < soft.q.size(); ++i)
            errors.push_back(std::abs(soft.q[i] - rigid.q[i]));
        for (std::size_t i = 0; i < soft.v.size(); ++i)
            errors.push_back(std::abs(soft.v[i] - rigid.v[i]));
        for (const ContactMetric& s : sides_) {
            errors.push_back(std::abs(evaluator_.at(soft, s.gap) - evaluator_.at(rigid, s.gap)));
            errors.push_back(std::abs(evaluator_.at(soft, s.rate) - evaluator_.at(rigid, s.rate)));
            if (model_.quasi) continue;
            const AlongDifference apart = along(evaluator_, s, rigid, soft);
            errors.push_back(apart.position);
            errors.push_back(apart.velocity);
        }
        return errors;
    }

    void explain() {
        if (regime_ == Regime::lift_off && !calm()) {
            result_.notes.push_back(
                "bound of the theorem 1/2; sharp for smooth reactions: 3/5, as an envelope over "
                "several values per decade");
            result_.notes.push_back(
                "single values scatter: the error depends on the phase of the last bounce, which "
                "changes quickly with the stiffness");
        }
        if (regime_ == Regime::impact)
            result_.notes.push_back("left out: samples while a contact lasts that takes no time in "
                                    "the limit");
        if (coupled_)
            result_.notes.push_back("several contacts are closed at once: theory gives no orders, "
                                    "measured ones stand alone");
        if (regime_ == Regime::free)
            result_.notes.push_back("the motion meets no contact: there is nothing to converge");
    }

    const model::Model& model_;
    const prepare::Start& start_;
    const StiffnessStudy& study_;
    prepare::Evaluator evaluator_;
    double tolerance_;
    double until_ = start_.until.value_or(start_.point.time);
    std::vector<double> times_;
    std::vector<ContactMetric> sides_;
    Track limit_;
    Regime regime_ = Regime::free;
    std::vector<double> impacts_;
    double lift_off_ = 0.0;
    double smallest_ratio_ = std::numeric_limits<double>::infinity();
    double slowest_ = 1.0; // B/μ where it is smallest
    bool coupled_ = false;
    Convergence result_;
};

} // namespace

Convergence study_stiffness(const model::Model& model, const prepare::Start& start,
                            const StiffnessStudy& study) {
    return Study(model, start, study).run();
}

Convergence study_parameter(const model::Model& model, const prepare::Start& start,
                            const prepare::Options& wanted, std::size_t parameter,
                            const std::vector<double>& values, std::size_t samples,
                            base::Interrupt interrupt) {
    Convergence result;
    result.over = model.parameters[parameter].name;
    result.parameter = values;
    result.to_zero = true;
    const double tolerance = std::min(start.tolerance, k_tightest);
    const double until = start.until.value_or(start.point.time);
    const auto times = even_times(start.point.time, until, samples);
    const auto with = [&](double value) {
        prepare::Options changed = wanted;
        std::erase_if(changed.settings,
                      [&](const prepare::Setting& s) { return s.parameter == parameter; });
        changed.settings.push_back({parameter, value});
        base::Diagnostics told;
        const auto there = prepare::prepare(model, changed, told);
        if (!there || there->point.time != start.point.time) {
            Track none;
            none.failed = there ? "the start time depends on it" : "no start";
            for (const base::Diagnostic& d : told.all())
                if (!there && d.severity == base::Severity::error) none.failed = d.message;
            return none;
        }
        return follow(model, there->point, until, tolerance, times, {}, {}, interrupt);
    };
    const Track limit = with(0.0);
    if (!limit.failed.empty()) {
        result.failed = fmt::format("the limit {} = 0: {}", result.over, limit.failed);
        return result;
    }
    for (const auto& c : model.coordinates) result.quantities.push_back({c.name, {}, {}, {}, {}});
    for (const auto& v : model.velocities) result.quantities.push_back({v.name, {}, {}, {}, {}});
    for (const double value : values) {
        const Track track = with(value);
        if (!track.failed.empty()) {
            result.failed = fmt::format("{} = {:g}: {}", result.over, value, track.failed);
            return result;
        }
        std::vector<double> largest(result.quantities.size(), 0.0);
        for (std::size_t i = 0; i < times.size(); ++i) {
            const auto& a = track.points[i];
            const auto& b = limit.points[i];
            for (std::size_t j = 0; j < a.q.size(); ++j)
                largest[j] = std::max(largest[j], std::abs(a.q[j] - b.q[j]));
            for (std::size_t j = 0; j < a.v.size(); ++j)
                largest[a.q.size() + j] =
                    std::max(largest[a.q.size() + j], std::abs(a.v[j] - b.v[j]));
        }
        for (std::size_t k = 0; k < largest.size(); ++k)
            result.quantities[k].error.push_back(largest[k]);
    }
    result.regime = "towards zero";
    const bool nothing = std::ranges::all_of(result.quantities, [](const Quantity& q) {
        return std::ranges::all_of(q.error, [](double e) { return e == 0.0; });
    });
    if (nothing)
        result.notes.push_back(fmt::format(
            "the motion does not depend on {}: there is nothing to converge", result.over));
    judge(result, 100.0 * tolerance);
    return result;
}

} // namespace liaison::analysis
