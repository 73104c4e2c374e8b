// SPDX-License-Identifier: Apache-2.0
// Tangent vectors of a whole motion, its events included, against differences of neighbouring motions.
#pragma once

#include "liaison/flow/variational.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/prepare/start_derivative.hpp"
#include "liaison/solve/extrapolated_difference.hpp"

#include "support/flow_of.hpp"

#include <doctest/doctest.h>
#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace liaison::test {

inline constexpr double k_tangents = 1e-14; // tolerance

inline motion::Trajectory motion_until(const flow::Flow& f, double until) {
    const auto stepper = motion::make_taylor_stepper(f, k_tangents);
    return motion::simulate(f, *stepper,
                            {.until = until, .tolerance = k_tangents, .sample_at = {}});
}

// The controlled state at the end, or nothing where the events are others.
inline std::optional<Eigen::VectorXd> end_of(const flow::Flow& f, double until,
                                             const std::vector<flow::EventKind>& kinds) {
    const auto t = motion_until(f, until);
    if (t.status != motion::Status::done || t.events.size() != kinds.size()) return std::nullopt;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (t.events[i].kind != kinds[i]) return std::nullopt;
    }
    Eigen::VectorXd end(static_cast<Eigen::Index>(f.n_controlled));
    for (std::size_t i = 0; i < f.n_controlled; ++i) end(static_cast<Eigen::Index>(i)) = t.state[i];
    return end;
}

struct TangentExpectation {
    std::string text;
    double until = 1.0;
    std::vector<flow::EventKind> must_occur;
    std::vector<std::string> parameters;
    bool by_state = true; // derivatives by the initial state too (not on constraints)
    double accuracy = 1e-8;
    bool bouncing = false; // the number of events is not fixed: a chatter
};

inline void compare_tangents(const TangentExpectation& e) {
    const auto loaded = load(e.text);
    const flow::Flow& f = *loaded.flow;
    std::vector<flow::Tangent> tangents;
    if (e.by_state) {
        for (std::size_t i = 0; i < f.n_controlled; ++i) {
            flow::Tangent t{f.state_names[i], std::nullopt, false, std::vector<double>(i + 1, 0.0)};
            t.start[i] = 1.0;
            tangents.push_back(std::move(t));
        }
    }
    const std::size_t n_states = tangents.size();
    for (const std::string& name : e.parameters) {
        const std::size_t p = test::parameter(f, name);
        const auto start =
            prepare::start_derivative(*loaded.model, loaded.options, loaded.start, p);
        REQUIRE(start);
        CHECK(start->error < 1e-9);
        flow::Tangent t{name, p, false, start->q};
        t.start.insert(t.start.end(), start->v.begin(), start->v.end());
        tangents.push_back(std::move(t));
    }
    const auto extended = flow::extend(loaded.flow, tangents);
    const auto t = motion_until(extended.flow, e.until);
    REQUIRE(t.status == motion::Status::done);
    REQUIRE(t.mode[extended.lost] == 0.0);
    std::vector<flow::EventKind> kinds;
    for (const auto& event : t.events) kinds.push_back(event.kind);
    for (const flow::EventKind kind : e.must_occur) {
        INFO("event " << flow::name(kind));
        CHECK(std::find(kinds.begin(), kinds.end(), kind) != kinds.end());
    }

    // The motion itself is that of the flow without tangents.
    const auto plain = motion_until(f, e.until);
    REQUIRE(plain.events.size() == kinds.size());
    for (std::size_t i = 0; i < f.n_controlled; ++i)
        CHECK(plain.state[i] == doctest::Approx(t.state[i]).epsilon(1e-11));

    for (std::size_t j = 0; j < tangents.size(); ++j) {
        const auto moved = [&](double h) -> std::optional<Eigen::VectorXd> {
            const auto expected = [&](const flow::Flow& g) {
                if (!e.bouncing) return end_of(g, e.until, kinds);
                const auto result = motion_until(g, e.until);
                std::vector<flow::EventKind> any;
                for (const auto& event : result.events) any.push_back(event.kind);
                return end_of(g, e.until, any);
            };
            if (j < n_states) {
                flow::Flow g = f;
                g.start_state[j] += h;
                return expected(g);
            }
            const std::size_t p = *tangents[j].parameter;
            const auto other = load(e.text, {{f.parameter_names[p], f.parameter_values[p] + h}});
            return expected(*other.flow);
        };
        const auto difference = solve::extrapolated_difference(moved, 1e-3);
        REQUIRE(difference);
        for (std::size_t i = 0; i < f.n_controlled; ++i) {
            const double exact = t.state[extended.index(j, i)];
            const double seen = difference->value(static_cast<Eigen::Index>(i));
            INFO("d(" << f.state_names[i] << ")/d(" << tangents[j].name << ") = " << exact
                      << ", differences " << seen << " ± " << difference->error);
            CHECK(std::abs(exact - seen) <=
                  e.accuracy * (1.0 + std::abs(exact)) + 10.0 * difference->error);
            CHECK(difference->error <= 1e-5 * (1.0 + std::abs(exact)));
        }
    }
}

} // namespace liaison::test
