// SPDX-License-Identifier: Apache-2.0
// Trial motions choose, interval series prove, and a step that proves too much shortens itself.
#include "liaison/analysis/program_choice.hpp"

#include "liaison/motion/choose_rate.hpp"
#include "liaison/motion/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

constexpr double k_most_steps = 1e7;
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

class Choice {
  public:
    Choice(const flow::Flow& flow, const motion::MethodOptions& method, double until)
        : flow_(flow), method_(method), until_(until), tableau_(*motion::tableau_of(method.method)),
          smallest_((until - flow.start_time) / k_most_steps) {}

    ProgramChoice run() {
        result_.wanted = smallest_tolerance(flow_);
        if (!(method_.step > 0.0))
            method_.step = accurate_step(flow_, tableau_, until_, method_.tolerance);
        result_.step = method_.step;
        if (!sampled()) return result_;
        if (!result_.wanted) return result_;
        epsilon_ = *result_.wanted;
        prove();
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
        const auto choice = motion::choose_rate(flow_, method_, until_, result_.wanted, smallest_);
        if (choice) {
            result_.rate = choice->rate;
            result_.step = method_.step = choice->step;
            result_.estimate = choice->estimate;
            return true;
        }
        motion::MethodOptions shortest = method_;
        shortest.step = std::min(method_.step, smallest_);
        const auto best = motion::choose_rate(flow_, shortest, until_);
        if (!result_.wanted || !best) {
            result_.impossible =
                fmt::format("no decay rate of violations keeps {} stable with steps of {:.3g}",
                            tableau_.name, method_.step);
            return false;
        }
        // The trial with the shortest steps sees the first moments only; over longer ones ε falls like τ^ϱ, or τ².
        const auto given = motion::choose_rate(flow_, method_, until_);
        const double falls = std::pow(shortest.step / method_.step,
                                      static_cast<double>(std::max(2, tableau_.order)));
        const double left = std::max(best->estimate.value_or(0.0),
                                     given ? falls * given->estimate.value_or(0.0) : 0.0);
        result_.attainable = left;
        result_.impossible = fmt::format(
            "{} would take more than {:.0f} million steps; with steps of {:.2g}, the shortest that are "
            "made over this time, |f| may still reach {:.2g}",
            tableau_.name, k_most_steps / 1e6, smallest_, left);
        return false;
    }

    void prove() {
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
                return;
            }
        }
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
        const flow::Flow flow = with_choice(flow_, result_);
        std::vector<std::pair<double, double>> hull;
        for (std::size_t i = 0; i < flow.n_controlled; ++i)
            hull.emplace_back(flow.start_state[i], flow.start_state[i]);
        motion::MethodOptions method = method_;
        method.step = result_.step;
        const auto stepper = motion::make_stepper(flow, method);
        motion::SimulateOptions options;
        options.until = until_;
        options.tolerance = method.tolerance;
        std::vector<double> state(flow.states.size());
        options.on_piece = [&](const motion::Piece& piece) {
            piece.evaluate(piece.length, state);
            for (std::size_t i = 0; i < hull.size(); ++i) {
                hull[i].first = std::min(hull[i].first, state[i]);
                hull[i].second = std::max(hull[i].second, state[i]);
            }
        };
        (void)motion::simulate(flow, *stepper, options);
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
        const auto choice = motion::choose_rate(flow_, shorter, until_, result_.wanted, smallest_);
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
    double epsilon_ = 0.0; // the tolerance to be proven
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
