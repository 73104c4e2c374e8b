// SPDX-License-Identifier: Apache-2.0
// The equations of a periodic orbit with a given signature, and their Jacobian.
#pragma once

#include "liaison/analysis/involution.hpp"
#include "liaison/analysis/orbit.hpp"
#include "liaison/analysis/piece_map.hpp"
#include "liaison/flow/saltation_rule.hpp"
#include "liaison/solve/newton.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace liaison::analysis {

// What closes the orbit.
enum class Closure {
    forced,      // the last leg ends with the period
    by_event,    // autonomous, every leg ends at an event
    by_phase,    // autonomous without events: one leg, (Y − Y⁰)·f(Y⁰) = 0
};

struct LegEnd {
    PieceEnd piece;
    flow::Instant after;
    flow::SaltationRule::Event event; // of a leg that ends at an event
    Eigen::VectorXd w;                // after it
};

class OrbitEquations {
  public:
    OrbitEquations(std::shared_ptr<const flow::SaltationRule> rule, PieceMap& pieces,
                   std::vector<Leg> legs, Closure closure, double period,
                   std::vector<std::size_t> drift = {},
                   std::shared_ptr<const Involution> symmetry = {});

    // Another value of the parameter that rule and pieces differentiate by, and the length of a forced orbit there
    // with its derivative.
    void set_parameters(const std::vector<double>& values, double length, double length_rate);

    // The same orbit cut open elsewhere; as many legs as before.
    void set_legs(std::vector<Leg> legs);

    [[nodiscard]] Eigen::VectorXd unknowns() const;
    // r(X), and ∂r/∂X unless J is null. Not finite where a leg cannot be followed; `obstacle` says why.
    void operator()(const Eigen::VectorXd& X, Eigen::VectorXd& r, Eigen::MatrixXd* J);

    // ∂r/∂p after a call with J.
    [[nodiscard]] const Eigen::VectorXd& by_parameter() const { return by_parameter_; }

    // The legs and what happens at their ends, at the last X.
    [[nodiscard]] const std::vector<Leg>& legs() const { return legs_; }
    [[nodiscard]] const std::vector<LegEnd>& ends() const { return ends_; }
    [[nodiscard]] double period() const; // with a symmetry: half of it
    [[nodiscard]] const std::string& obstacle() const { return obstacle_; }

  private:
    [[nodiscard]] bool timed(std::size_t leg) const {
        return closure_ == Closure::forced && leg + 1 == legs_.size();
    }
    [[nodiscard]] Eigen::Index offset(std::size_t leg) const {
        return static_cast<Eigen::Index>(leg) * (rows_ + 1);
    }
    [[nodiscard]] Eigen::Index size() const;
    void unpack(const Eigen::VectorXd& X);
    [[nodiscard]] bool follow(std::size_t leg);
    [[nodiscard]] bool compute(std::size_t leg);
    void put_jacobian(std::size_t leg, Eigen::MatrixXd& J) const;
    void put_parameter(std::size_t leg);
    // Whether the image of the end of this leg is the start of the orbit, rather than the end itself.
    [[nodiscard]] bool turned(std::size_t leg) const {
        return symmetry_ != nullptr && leg + 1 == legs_.size();
    }

    std::shared_ptr<const flow::SaltationRule> rule_;
    PieceMap& pieces_;
    std::vector<Leg> legs_;
    std::vector<LegEnd> ends_;
    // The last two ends of a leg and what they belong to: differences move one leg at a time and leave the others alone.
    struct Known {
        std::uint64_t parameters = 0; // 0: nothing known
        double time = 0.0;
        double duration = 0.0;
        Eigen::VectorXd w;
        LegEnd end;
    };
    std::vector<std::array<Known, 2>> known_;
    std::vector<double> parameters_;
    std::uint64_t parameters_set_ = 1; // how often they changed
    Closure closure_;
    double length_;
    double length_rate_ = 0.0; // by the parameter
    std::vector<std::size_t> drift_; // rows that need not close; their start is held instead
    std::shared_ptr<const Involution> symmetry_; // the legs are half an orbit: J(Y_{n+1}) = Y_1
    Eigen::Index rows_;
    Eigen::VectorXd anchor_, direction_; // of the phase condition
    Eigen::VectorXd by_parameter_; // empty without a parameter
    std::string obstacle_;
};

} // namespace liaison::analysis
