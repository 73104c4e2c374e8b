// SPDX-License-Identifier: Apache-2.0
// Test functions of special points, as scalar functions of the equations of an orbit at any values of their unknowns.
#pragma once

#include "liaison/analysis/orbit_equations.hpp"

#include <Eigen/Core>

#include <optional>
#include <string>

namespace liaison::analysis {

class SpecialTest {
  public:
    // `equations`: evaluated at the special point. `obstacle` says why there is no test of this kind. `sizes`: of the
    // states on the orbit (orbit_scales.hpp), by which values of guards are called small.
    SpecialTest(const std::string& kind, const flow::SaltationRule& rule, PieceMap& pieces,
                const OrbitOptions& options, Eigen::VectorXd sizes, bool forced, bool halves);

    void begin(OrbitEquations& equations);
    [[nodiscard]] const std::string& obstacle() const { return obstacle_; }
    // Whether the point is a zero of multipliers, so that the orbit is a motion on both sides of it.
    [[nodiscard]] bool of_multipliers() const {
        return what_ == What::fold || what_ == What::doubling || what_ == What::torus;
    }
    // Whether what happens at an event of the orbit changes with the sign of φ.
    [[nodiscard]] bool kinked() const {
        return what_ == What::entry || what_ == What::outcome || what_ == What::speed ||
               what_ == What::speed_after;
    }
    // φ at the last evaluation; J: ∂F/∂X there. Not a number where it has no value.
    [[nodiscard]] double operator()(const OrbitEquations& equations, const Eigen::MatrixXd& J);
    // Where on its leg a touching is, to come back to after it was followed elsewhere.
    [[nodiscard]] double since() const { return since_; }
    void return_to(double since) { since_ = since; }
    // Follows the point: the vectors of a fold, the instant of a touching.
    void settle(const Eigen::MatrixXd& J);

  private:
    enum class What {
        none,
        fold,
        doubling,
        torus,
        touching,
        speed, // by which an impact comes
        speed_after,
        entry, // how far the start of a sliding leg is from the end of the sliding set
        outcome, // how far an impact with friction is from the change between stopping slip and not
        duration, // of a leg between two events
    };

    [[nodiscard]] double fold(const Eigen::MatrixXd& J) const;
    [[nodiscard]] double of_spectrum(const OrbitEquations& equations) const;
    [[nodiscard]] double touching(const OrbitEquations& equations);
    // Value and rate of a guard along a leg, at a time after its start.
    struct Look {
        double value = 0.0;
        double rate = 0.0;
        double size = 0.0; // of the guard
        bool reached = false;
    };
    [[nodiscard]] Look look(const Leg& leg, std::size_t guard, double since);
    [[nodiscard]] double rate(std::size_t guard, const flow::Instant& now) const;
    [[nodiscard]] double rate_after(const OrbitEquations& equations, std::size_t leg) const;
    // What a guard becomes by changes of the states by their sizes, and in a period.
    [[nodiscard]] double size_of(std::size_t guard, const flow::Instant& now) const;
    [[nodiscard]] double size_on(const Leg& leg, std::size_t guard);
    [[nodiscard]] bool watched(const flow::Guard& guard, const Leg& leg) const;
    // The extremum near `since`; empty where there is none.
    [[nodiscard]] std::optional<double> extremum(const Leg& leg, std::size_t guard, double since,
                                                 double step);
    struct Touching {
        double value = 0.0; // distance from zero, as a share of the size of the guard
        double since = 0.0;
    };
    [[nodiscard]] std::optional<Touching> lowest_extremum(const Leg& leg, std::size_t guard);
    void find_touching(const OrbitEquations& equations);
    void find_slow_event(const OrbitEquations& equations);
    void find_turning_event(const OrbitEquations& equations);
    void find_entry(const OrbitEquations& equations);
    void find_outcome(const OrbitEquations& equations);
    void find_short_leg(const OrbitEquations& equations);
    [[nodiscard]] double entry(const OrbitEquations& equations, std::size_t leg,
                               std::size_t guard) const;
    [[nodiscard]] static double outcome(const OrbitEquations& equations, std::size_t leg);

    What what_ = What::none;
    const flow::SaltationRule& rule_;
    PieceMap& pieces_;
    const OrbitOptions& options_;
    Eigen::VectorXd sizes_;
    double period_ = 0.0;
    bool forced_;
    bool halves_;
    std::string obstacle_;
    Eigen::VectorXd left_, right_; // of a fold
    std::size_t leg_ = 0;
    std::size_t guard_ = 0;
    double onwards_ = 1.0; // the direction in which a surface is crossed
    double since_ = 0.0; // of a touching, after the start of its leg
};

} // namespace liaison::analysis
