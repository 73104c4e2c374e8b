// SPDX-License-Identifier: Apache-2.0
// Runs with layers against the run with switching relays, sample by sample.
#include "liaison/analysis/layer_study.hpp"

#include "liaison/analysis/contact_track.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace liaison::analysis {
namespace {

constexpr double k_tightest = 1e-11;
constexpr double k_on_surface = 1e-12;

// What the limit motion does at its surfaces decides the order.
struct Course {
    bool slides = false;
    bool leaves = false; // sliding ends
    bool crosses = false;
    bool accumulates = false;
    // It starts on a surface and leaves it like t^k: the layer lasts δ^(1/k).
    int departure = 1;

    [[nodiscard]] std::optional<double> theorem() const {
        if (accumulates || (!slides && !crosses)) return std::nullopt;
        return 1.0 / departure;
    }
};

// k of S ~ t^k after a start on the surface, from S at two early times; 0: it stays there.
int order_of_departure(double early, double twice) {
    constexpr double k_none = 1e-300;
    if (std::abs(early) < k_none || std::abs(twice) < k_none) return 0;
    return static_cast<int>(std::lround(std::clamp(std::log2(std::abs(twice / early)), 0.0, 6.0)));
}

Course course(const model::Model& model, const prepare::Start& start, double until,
              const Track& limit) {
    using flow::EventKind;
    constexpr double k_early = 1e-4;
    Course result;
    result.slides = limit.slides_at_start;
    const prepare::Evaluator evaluator(model);
    const double soon = k_early * (until - start.point.time);
    const std::vector<double> times{start.point.time + soon, start.point.time + 2.0 * soon};
    const Track begin = follow(model, start.point, times.back(), start.tolerance, times);
    for (const model::Relay& r : model.relays) {
        const double S = evaluator.at(start.point, r.surface.expr);
        if (std::abs(S) > k_on_surface || begin.points.size() < 2) continue;
        const auto at = [&](std::size_t i) {
            return evaluator.at(begin.points[i], r.surface.expr);
        };
        result.departure = std::max(result.departure, order_of_departure(at(0), at(1)));
    }
    for (const flow::Event& e : limit.events) {
        result.slides = result.slides || e.kind == EventKind::enter_sliding;
        result.leaves = result.leaves || e.kind == EventKind::exit_sliding;
        result.crosses = result.crosses || e.kind == EventKind::crossing;
        result.accumulates = result.accumulates || e.kind == EventKind::accumulation;
    }
    return result;
}

void describe(const Course& course, Convergence& result) {
    if (course.leaves) {
        result.regime = "sliding that ends, against switching relays (Utkin)";
        result.logarithm = true;
        result.notes.emplace_back(
            "sliding ends on the way, where S = layer·artanh(w) has no bound: errors between layer and "
            "layer·log(1/layer) agree with the theorem");
    } else if (course.slides) {
        result.regime = "sliding, against switching relays (Utkin)";
    } else if (course.crosses) {
        result.regime = "crossings, against switching relays";
    } else {
        result.regime = "no surface on the way";
        result.notes.emplace_back("the motion meets no surface: there is nothing to converge");
    }
    if (course.accumulates)
        result.notes.emplace_back("crossings accumulate: theory gives no order, measured ones "
                                  "stand alone");
    if (course.departure > 1)
        result.notes.push_back(fmt::format(
            "the motion starts on a surface and leaves it like t^{0}: the layer lasts layer^(1/{0})",
            course.departure));
}

std::vector<double> difference(const prepare::Point& a, const prepare::Point& b) {
    std::vector<double> errors;
    for (std::size_t i = 0; i < a.q.size(); ++i) errors.push_back(std::abs(a.q[i] - b.q[i]));
    for (std::size_t i = 0; i < a.v.size(); ++i) errors.push_back(std::abs(a.v[i] - b.v[i]));
    return errors;
}

} // namespace

Convergence study_layer(const model::Model& model, const prepare::Start& start,
                        const std::vector<double>& widths, std::size_t samples,
                        base::Interrupt interrupt) {
    Convergence result;
    result.over = "layer";
    result.parameter = widths;
    result.to_zero = true;
    const double tolerance = std::min(start.tolerance, k_tightest);
    const double until = start.until.value_or(start.point.time);
    const auto times = even_times(start.point.time, until, samples);
    for (const model::Relay& r : model.relays) {
        if (!r.holding) continue;
        result.misfit = true;
        result.failed = fmt::format(
            "relay {} has a static level: a layer has one law at rest and in motion, its limit is "
            "the relay without `static`",
            r.name);
        return result;
    }
    model::Model switching = model;
    switching.run.relay = model::RelayRealisation::utkin;
    const Track limit = follow(switching, start.point, until, tolerance, times, {}, {}, interrupt);
    if (!limit.failed.empty()) {
        result.failed = "the limit: " + limit.failed;
        return result;
    }
    if (!limit.has_relays) {
        result.misfit = true;
        result.failed = "the model has no relay that could be smoothed over a layer";
        return result;
    }
    const Course meets = course(switching, start, until, limit);
    describe(meets, result);
    const auto add = [&](const std::string& name) {
        Quantity q;
        q.name = name;
        q.theorem = meets.theorem();
        result.quantities.push_back(std::move(q));
    };
    for (const auto& c : model.coordinates) add(c.name);
    for (const auto& v : model.velocities) add(v.name);
    for (const double width : widths) {
        const Track track =
            follow(switching, start.point, until, tolerance, times, width, {}, interrupt);
        if (!track.failed.empty()) {
            result.failed = fmt::format("layer = {:g}: {}", width, track.failed);
            return result;
        }
        std::vector<double> largest(result.quantities.size(), 0.0);
        for (std::size_t i = 0; i < times.size(); ++i) {
            const auto errors = difference(track.points[i], limit.points[i]);
            for (std::size_t k = 0; k < largest.size(); ++k)
                largest[k] = std::max(largest[k], errors[k]);
        }
        for (std::size_t k = 0; k < largest.size(); ++k)
            result.quantities[k].error.push_back(largest[k]);
    }
    judge(result, 100.0 * tolerance);
    return result;
}

} // namespace liaison::analysis
