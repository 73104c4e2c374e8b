// SPDX-License-Identifier: Apache-2.0
// The curve of periodic motions over a parameter: F(X, µ) = 0 in scaled unknowns, its points and tangents.
#pragma once

#include "liaison/analysis/branch.hpp"
#include "liaison/analysis/branch_tests.hpp"
#include "liaison/analysis/orbit_equations.hpp"
#include "liaison/analysis/orbit_scales.hpp"

#include <Eigen/Core>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

// Length of the force's period and its derivative by the parameter.
class ForcingPeriod {
  public:
    ForcingPeriod(const flow::Flow& flow, const BranchOptions& options);
    struct At {
        double length = 0.0;
        double rate = 0.0;
    };
    [[nodiscard]] At operator()(const std::vector<double>& parameters) const;

  private:
    const flow::Flow& flow_;
    bool inverse_ = false; // value_ is the angular frequency
    expr::Expr value_, rate_;
};

// A solution in scaled unknowns ζ = (X/scale, µ/range), each by its typical size (orbit_scales.hpp), the unit tangent
// there, and what it is.
struct Stand {
    Eigen::VectorXd z;
    Eigen::VectorXd tangent;
    BranchPoint point;
    MultiplierTests tests;
};

class OrbitCurve {
  public:
    // Through `first`, an orbit at the parameter values of the flow or, given `at`, at another value of the parameter.
    OrbitCurve(const std::shared_ptr<const flow::Flow>& flow, const BranchOptions& options,
               const Orbit& first, std::optional<double> at = {});

    [[nodiscard]] const BranchOptions& options() const { return options_; }
    [[nodiscard]] double parameter(const Eigen::VectorXd& z) const {
        return z(z.size() - 1) * scale_(scale_.size() - 1);
    }
    // The parameter as an unknown.
    [[nodiscard]] double scaled(double parameter) const {
        return parameter / scale_(scale_.size() - 1);
    }
    [[nodiscard]] const std::string& name() const {
        return flow_.parameter_names[options_.parameter];
    }
    [[nodiscard]] double phase() const { return phase_; }
    // The first orbit, not yet corrected.
    [[nodiscard]] const Eigen::VectorXd& first() const { return first_; }

    // Newton for F = 0, across·(ζ − from) = s, from a predicted ζ.
    bool correct(Eigen::VectorXd& z, const Eigen::VectorXd& across, const Eigen::VectorXd& from,
                 double s);
    // Tangent and judgement at a corrected ζ; the equations are left at it.
    bool stand_at(Stand& stand, const Eigen::VectorXd& heading);
    // The stand at arclength s from `from`, which lies between two others near it; empty where the corrector fails.
    std::optional<Stand> between(const Stand& from, double s, const Stand& low, const Stand& high);
    // The special point of this kind nearest to a stand: Newton for F = 0, φ = 0 with its test function φ (theory of
    // Govaerts 2000, special_test.hpp). Empty where the kind has no test, where Newton does not converge, or only farther
    // away than `reach` along the branch.
    std::optional<Stand> locate(const Stand& near, const std::string& kind, double reach);
    // Where branches cross: the direction of the other one, along which the parameter stands still.
    std::optional<Eigen::VectorXd> crossing(const Eigen::VectorXd& z);
    // Whether the orbit is its own image: y(t + T/2) = −y(t).
    bool symmetric(const Stand& stand);
    // A forced orbit must not begin at an event: where an event comes near its start it is cut open elsewhere, in the
    // middle of its longest leg, and goes on in the same direction.
    void recut(Stand& stand);
    // Goes back to the legs of an earlier stand.
    void return_to(const Stand& stand);
    // Half of each orbit is solved for, the other half is its image.
    [[nodiscard]] bool halves() const { return halves_; }

    [[nodiscard]] std::string failure() const; // of the last correction
    [[nodiscard]] int iterations() const { return iterations_; }

  private:
    void set_parameter(double value);
    bool evaluate(const Eigen::VectorXd& z);
    [[nodiscard]] Eigen::VectorXd solve_bordered(const Eigen::VectorXd& across,
                                                 const Eigen::VectorXd& right) const;
    std::vector<double> state_at(const Orbit& orbit, double phase);
    void put_sections(BranchPoint& point);

    const flow::Flow& flow_;
    const BranchOptions& options_;
    std::vector<double> parameters_;
    std::shared_ptr<const flow::SaltationRule> rule_;
    PieceMap pieces_;
    ForcingPeriod forcing_;
    bool forced_;
    int periods_;
    int copies_;
    bool halves_;
    Closure closure_;
    std::vector<Leg> pattern_; // of symmetric orbits: modes and events of the whole
    OrbitEquations equations_;
    OrbitScales sizes_;
    Eigen::VectorXd scale_;
    Eigen::VectorXd first_;
    double phase_ = 0.0; // of the section, in periods of the force
    Eigen::VectorXd evaluated_; // where the equations, and what follows, were evaluated last
    Eigen::VectorXd residual_; // scaled as sizes_
    Eigen::MatrixXd derivative_; // of it by ζ
    int iterations_ = 0; // of the last correction
};

} // namespace liaison::analysis
