// SPDX-License-Identifier: Apache-2.0
// Runs with steps that shrink against Taylor's method, sample by sample.
#include "liaison/analysis/step_study.hpp"

#include "liaison/analysis/contact_track.hpp"
#include "liaison/model/method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

constexpr double k_tightest = 1e-13;
// Theory 01 asks for an order of at least p − 0.3 over three halvings.
constexpr double k_agreement = 0.3;

bool jumps(const flow::Event& e) {
    using flow::EventKind;
    return e.kind == EventKind::impact || e.kind == EventKind::tangential_impact ||
           e.kind == EventKind::accumulation || e.kind == EventKind::user;
}

// Samples at which velocities may be compared.
std::vector<char> away_from_jumps(const Track& limit, const std::vector<double>& times,
                                  double longest) {
    std::vector<char> away(times.size(), 1);
    for (const flow::Event& e : limit.events) {
        if (!jumps(e)) continue;
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (std::abs(times[i] - e.time.rounded()) <= longest) away[i] = 0;
        }
    }
    return away;
}

// By coordinate, then by velocity.
std::vector<double> largest_errors(const Track& track, const Track& limit,
                                   const std::vector<char>& away) {
    const std::size_t n = limit.points.front().q.size();
    std::vector<double> largest(n + limit.points.front().v.size(), 0.0);
    for (std::size_t i = 0; i < limit.points.size(); ++i) {
        const auto& a = track.points[i];
        const auto& b = limit.points[i];
        for (std::size_t k = 0; k < a.q.size(); ++k)
            largest[k] = std::max(largest[k], std::abs(a.q[k] - b.q[k]));
        if (away[i] == 0) continue;
        for (std::size_t k = 0; k < a.v.size(); ++k)
            largest[n + k] = std::max(largest[n + k], std::abs(a.v[k] - b.v[k]));
    }
    return largest;
}

// What came out of one row of steps; the reason where a run did not reach its end.
std::string add_runs(const model::Model& model, const prepare::Start& start,
                     const motion::MethodOptions& method, const std::vector<double>& times,
                     const std::vector<char>& away, const Track& limit, Convergence& result,
                     std::size_t first, base::Interrupt interrupt) {
    for (const double step : result.parameter) {
        motion::MethodOptions options = method;
        options.step = step;
        const Track track = follow(model, start.point, times.back(), options.tolerance, times, {},
                                   options, interrupt);
        if (!track.failed.empty()) return fmt::format("step = {:g}: {}", step, track.failed);
        const auto errors = largest_errors(track, limit, away);
        for (std::size_t k = 0; k < errors.size(); ++k)
            result.quantities[first + k].error.push_back(errors[k]);
    }
    return {};
}

void add_quantities(const model::Model& model, const std::string& suffix,
                    std::optional<double> theorem, Convergence& result) {
    for (const auto& c : model.coordinates)
        result.quantities.push_back({c.name + suffix, {}, {}, theorem, {}});
    for (const auto& v : model.velocities)
        result.quantities.push_back({v.name + suffix, {}, {}, theorem, {}});
}

} // namespace

Convergence study_step(const model::Model& model, const prepare::Start& start,
                       motion::Method method, const std::vector<double>& steps, std::size_t samples,
                       base::Interrupt interrupt) {
    Convergence result;
    result.over = "step";
    result.parameter = steps;
    result.to_zero = true;
    result.agreement = k_agreement;
    const motion::Tableau* tableau = motion::tableau_of(method);
    if (tableau == nullptr) {
        result.misfit = true;
        result.failed = fmt::format("the method {} finds its steps itself: --method euler, heun, "
                                    "rk3, rk4 or dopri5 has a step that can shrink",
                                    model::name(method));
        return result;
    }
    const double tolerance = std::min(start.tolerance, k_tightest);
    const double until = start.until.value_or(start.point.time);
    const auto times = even_times(start.point.time, until, std::max<std::size_t>(samples, 2));
    model::Model located = model;
    located.run.location = model::Location::exact;
    const Track limit = follow(located, start.point, until, tolerance, times, {}, {}, interrupt);
    if (!limit.failed.empty()) {
        result.failed = "the limit: " + limit.failed;
        return result;
    }
    const auto away = away_from_jumps(limit, times, steps.front());
    const motion::MethodOptions options{method, tolerance, 0.0};
    result.regime =
        fmt::format("{}, a method of order {}, {} event{} on the way", tableau->name,
                    tableau->order, limit.events.size(), limit.events.size() == 1 ? "" : "s");
    const auto order = static_cast<double>(tableau->order);
    // What the model says is studied: without location no theorem stands beside the errors.
    const bool blind_only = model.run.location == model::Location::none;
    add_quantities(model, "", blind_only ? std::nullopt : std::optional(order), result);
    result.failed = add_runs(model, start, options, times, away, limit, result, 0, interrupt);
    const bool unfolded =
        !model.contacts.empty() && model.run.contact == model::ContactRealisation::routh;
    if (blind_only) {
        result.notes.emplace_back(
            "location = \"none\": steps go through impacts and see it at their ends, so that no "
            "theorem gives an order; --realise location=exact studies the located method beside "
            "it");
    } else if (unfolded && result.failed.empty()) {
        model::Model blind = model;
        blind.run.location = model::Location::none;
        const std::size_t first = result.quantities.size();
        add_quantities(model, ", not located", std::nullopt, result);
        result.failed =
            add_runs(blind, start, options, times, away, limit, result, first, interrupt);
        result.notes.emplace_back(
            "not located: location = \"none\", steps go through impacts and see it at their ends; the "
            "order is one, whatever the method, and errors scatter with the place of the impact in "
            "its step");
    } else if (!model.contacts.empty() && result.failed.empty()) {
        result.notes.emplace_back("--realise contact=routh shows the same without location");
    }
    if (!result.failed.empty()) return result;
    judge(result, 100.0 * tolerance);
    return result;
}

} // namespace liaison::analysis
