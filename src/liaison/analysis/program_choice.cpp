// SPDX-License-Identifier: Apache-2.0
// Trial motions choose, interval series prove, and a step that proves too much shortens itself.
#include "liaison/analysis/program_choice.hpp"

#include "liaison/flow/probe.hpp"
#include "liaison/flow/start_instant.hpp"
#include "liaison/motion/choose_rate.hpp"
#include "liaison/motion/stations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace liaison::analysis {
namespace {

constexpr double k_most_steps = 1e7;
constexpr std::size_t k_places = 16;
constexpr int k_choices = 12;
constexpr int k_attempts = 6;
constexpr int k_attempts_of_mechanisms = 3;
// Each box of a mechanism needs its accelerations in intervals, by stage: few of them, more for Euler's method.
constexpr std::size_t k_boxes_of_mechanisms = 2048;
constexpr std::size_t k_boxes_of_one_stage = 16384;

std::optional<double> smallest_tolerance(const flow::Flow& flow) {
    std::optional<double> least;
    for (const auto& held : flow.constraints) {
        if (held.tolerance) least = std::min(least.value_or(*held.tolerance), *held.tolerance);
    }
    return least;
}

// A whole motion with fixed steps: where it goes, and how well the constraints with a tolerance are kept.
struct Course {
    std::vector<std::pair<double, double>> hull; // of the states that move
    double exceeds = 0.0; // the largest |f|/ε, between steps too
    motion::Sample worst; // the start of the piece with it
    bool starts_outside = false;
};

Course course(const flow::Flow& flow, const motion::MethodOptions& method, double until) {
    constexpr double k_hopeless = 100.0; // times the tolerance: the rest of the motion says nothing
    Course result;
    std::vector<expr::Expr> constraints;
    std::vector<double> tolerances;
    for (const auto& held : flow.constraints) {
        if (!held.tolerance) continue;
        constraints.push_back(held.f);
        tolerances.push_back(*held.tolerance);
    }
    const flow::Probe probe(flow, constraints);
    std::vector<double> values(constraints.size());
    const auto exceeds = [&](const flow::Instant& now) {
        probe.evaluate(now, values);
        double most = 0.0;
        for (std::size_t k = 0; k < values.size(); ++k) {
            const double share = std::abs(values[k]) / tolerances[k];
            if (!(share <= most)) most = share;
        }
        return most;
    };
    for (std::size_t i = 0; i < flow.n_controlled; ++i)
        result.hull.emplace_back(flow.start_state[i], flow.start_state[i]);
    flow::Instant now = flow::start_instant(flow);
    result.starts_outside = !(exceeds(now) <= 1.0);
    std::atomic<bool> enough = false;
    motion::SimulateOptions options;
    options.until = until;
    options.tolerance = method.tolerance;
    options.keep_events = 0;
    options.interrupt = &enough;
    options.on_piece = [&](const motion::Piece& piece) {
        now.mode = piece.mode;
        for (const double share : {0.25, 0.5, 0.75, 1.0}) {
            piece.evaluate(share * piece.length, now.state);
            now.field_time = piece.field_time + share * piece.length;
            const double here = exceeds(now);
            if (here <= result.exceeds) continue;
            result.exceeds = here;
            result.worst = {piece.start.rounded(), piece.field_time, now.state, piece.mode};
            piece.evaluate(0.0, result.worst.state);
            enough = !(here <= k_hopeless) && !result.starts_outside;
        }
        for (std::size_t i = 0; i < result.hull.size(); ++i) {
            result.hull[i].first = std::min(result.hull[i].first, now.state[i]);
            result.hull[i].second = std::max(result.hull[i].second, now.state[i]);
        }
    };
    const auto stepper = motion::make_stepper(flow, method);
    (void)motion::simulate(flow, *stepper, options);
    return result;
}

class Choice {
  public:
    Choice(const flow::Flow& flow, const motion::MethodOptions& method, double until)
        : flow_(flow), method_(method), until_(until), tableau_(*motion::tableau_of(method.method)),
          smallest_((until - flow.start_time) / k_most_steps),
          places_(motion::stations(flow, until, k_places)), step_is_ours_(!(method.step > 0.0)) {}

    ProgramChoice run() {
        result_.wanted = smallest_tolerance(flow_);
        if (step_is_ours_)
            method_.step = accurate_step(flow_, tableau_, until_, places_, method_.tolerance);
        result_.step = method_.step;
        if (!sampled()) return result_;
        if (!result_.wanted) return result_;
        epsilon_ = *result_.wanted;
        if (!hold() || !prove()) return result_;
        if (!result_.tube.certified && mechanical()) {
            result_.tube.reason += "; the steps are monitored instead";
        }
        return result_;
    }

  private:
    // Positions and velocities: a proof over the tube costs more and may be out of reach.
    [[nodiscard]] bool mechanical() const { return flow_.n_controlled > flow_.n_positions; }

    // The rate by trial motions, and a step with which the tolerance can be expected to hold.
    bool sampled() {
        if (!flow_.rate_to_choose) return true;
        const auto choice =
            motion::choose_rate(flow_, method_, until_, places_, result_.wanted, smallest_);
        if (choice) {
            result_.rate = choice->rate;
            result_.step = method_.step = choice->step;
            result_.estimate = choice->estimate;
            return true;
        }
        motion::MethodOptions shortest = method_;
        shortest.step = std::min(method_.step, smallest_);
        const auto best = motion::choose_rate(flow_, shortest, until_, places_);
        if (!result_.wanted || !best) {
            result_.impossible =
                fmt::format("no decay rate of violations keeps {} stable with steps of {:.3g}",
                            tableau_.name, method_.step);
            return false;
        }
        // The trials with the shortest steps see moments only; over longer ones ε falls like τ^ϱ, or τ².
        const auto given = motion::choose_rate(flow_, method_, until_, places_);
        const double falls = std::pow(shortest.step / method_.step,
                                      static_cast<double>(std::max(2, tableau_.order)));
        const double left = std::max(best->estimate.value_or(0.0),
                                     given ? falls * given->estimate.value_or(0.0) : 0.0);
        refuse(left);
        return false;
    }

    void refuse(double left) {
        result_.attainable = left;
        result_.impossible = fmt::format(
            "{} would take more than {:.0f} million steps; with steps of {:.2g}, the shortest that are "
            "made over this time, |f| may still reach {:.2g}",
            tableau_.name, k_most_steps / 1e6, smallest_, left);
    }

    // Follows the motion to its end with what was chosen. Where a constraint leaves its tolerance on the way, the choice is
    // made anew with that place among the trials, and with a shorter step at least. False: no step will do.
    bool hold() {
        for (int choice = 0; choice < k_choices; ++choice) {
            motion::MethodOptions method = method_;
            method.step = result_.step;
            course_ = course(with_choice(flow_, result_), method, until_);
            const bool ours = flow_.rate_to_choose || step_is_ours_;
            if (course_.exceeds <= 1.0 || course_.starts_outside || !ours) return true;
            places_.push_back(course_.worst);
            result_.anew_at = course_.worst.time;
            const double order = std::max(2, tableau_.order);
            method_.step =
                result_.step * std::max(0.1, 0.9 * std::pow(course_.exceeds, -1.0 / order));
            result_.step = method_.step;
            if (!(method_.step >= smallest_)) {
                refuse(course_.exceeds * epsilon_);
                return false;
            }
            if (!sampled()) return false;
        }
        return true; // the run tells what became of it
    }

    // False: no step will do.
    bool prove() {
        const int attempts = mechanical() ? k_attempts_of_mechanisms : k_attempts;
        for (int attempt = 0; attempt < attempts; ++attempt) {
            const TubeOptions options = tube();
            TubeCertificate tube = certify_tube(flow_, tableau_, options);
            result_.tube = tube;
            result_.region.clear();
            for (const std::size_t i : tube.ranged)
                result_.region.emplace(flow_.state_names[i], options.region[i]);
            if (tube.certified || attempt + 1 == attempts || !shorten(tube)) {
                ranges(options);
                return true;
            }
            if (!hold()) return false;
        }
        return true;
    }

    [[nodiscard]] TubeOptions tube() const {
        TubeOptions options;
        options.step = result_.step;
        options.tolerance = epsilon_;
        if (result_.rate) options.rate = {*result_.rate, *result_.rate};
        options.region = hull();
        options.time = {flow_.start_time, until_};
        // A box costs about as much as stages times order; a shorter step is cheaper than very many of them.
        options.most_boxes = std::max<std::size_t>(
            512, options.most_boxes / (tableau_.stages * static_cast<std::size_t>(tableau_.order)));
        if (mechanical())
            options.most_boxes = tableau_.stages == 1 && flow_.n_positions <= 2
                                     ? k_boxes_of_one_stage
                                     : k_boxes_of_mechanisms;
        return options;
    }

    // Where the motion goes, with a little room: it is computed once more with the same numbers.
    [[nodiscard]] std::vector<std::pair<double, double>> hull() const {
        auto hull = course_.hull;
        for (auto& [least, most] : hull) {
            const double room = 0.05 * (most - least) + epsilon_;
            least -= room;
            most += room;
        }
        return hull;
    }

    // A step that the bound found over the tube allows; false where there is none.
    bool shorten(const TubeCertificate& tube) {
        if (!result_.rate || !(tube.attainable > epsilon_) || !std::isfinite(tube.attainable))
            return false;
        motion::MethodOptions shorter = method_;
        shorter.step = result_.step * 0.9 *
                       std::pow(epsilon_ / tube.attainable, 1.0 / std::max(2, tableau_.order));
        if (shorter.step < smallest_) return false;
        const auto choice =
            motion::choose_rate(flow_, shorter, until_, places_, result_.wanted, smallest_);
        if (!choice) return false;
        result_.rate = choice->rate;
        result_.step = choice->step;
        result_.estimate = choice->estimate;
        return true;
    }

    // Only Euler's defect does not depend on p in first order, so that one bound serves all rates; for other methods the
    // range is searched, for four times as long as the proof itself took at most.
    void ranges(const TubeOptions& options) {
        if (mechanical()) return;
        if (tableau_.order > 1) {
            if (flow_.rate_to_choose && result_.tube.certified)
                result_.p_range =
                    proven_rates(flow_, tableau_, options, 4 * result_.tube.boxes + 256);
            return;
        }
        if (flow_.rate_to_choose) result_.p_range = euler_rates(flow_, options);
        if (const auto second = crude_second_derivative(flow_, options))
            result_.p_range_crude = euler_rates(options.step, options.tolerance, *second);
    }

    const flow::Flow& flow_;
    motion::MethodOptions method_;
    double until_;
    const motion::Tableau& tableau_;
    double smallest_;
    std::vector<motion::Sample> places_; // of trials
    bool step_is_ours_;
    double epsilon_ = 0.0; // the tolerance to be proven
    Course course_; // with what is chosen
    ProgramChoice result_;
};

} // namespace

ProgramChoice choose_program(const flow::Flow& flow, const motion::MethodOptions& method,
                             double until) {
    return Choice(flow, method, until).run();
}

flow::Flow with_choice(flow::Flow flow, const ProgramChoice& choice) {
    if (!choice.rate) return flow;
    flow = motion::with_rate(std::move(flow), *choice.rate);
    flow.rate_to_choose = false;
    return flow;
}

void tell(const ProgramChoice& choice, record::Run& run) {
    if (choice.anew_at)
        run.warnings.push_back(
            fmt::format("P and step are chosen for the motion near t = {:.4g}: those that serve "
                        "before it leave the tolerance of a constraint there",
                        *choice.anew_at));
    for (auto& [name, report] : run.constraints) {
        if (!report.bound) continue;
        const TubeCertificate& tube = choice.tube;
        record::TubeProof proof{tube.certified, tube.alpha, {}, {}, tube.reason, choice.region};
        if (tube.defect > 0.0 && std::isfinite(tube.defect)) {
            proof.defect = tube.defect;
            proof.attainable = tube.attainable;
        }
        report.tube = proof;
        report.p_range = choice.p_range;
        report.p_range_crude = choice.p_range_crude;
        // The theorem speaks of exact arithmetic; that the computed steps obey it was seen by intervals at each of them.
        if (proof.certified && report.certificate == "monitored") report.certificate = "certified";
        if (report.certificate != "certified")
            run.warnings.push_back(fmt::format("constraint {}: {}", name, tube.reason));
    }
}

} // namespace liaison::analysis
