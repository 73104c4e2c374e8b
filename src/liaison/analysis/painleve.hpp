// SPDX-License-Identifier: Apache-2.0
// Where sliding is paradoxical: cases of a contact over parameters and positions, and its critical friction.
//
// A contact that slips with the sign s has the normal response B₁' = D_nn − μ s D_nt; where it is not positive, the
// rigid model has no motion (A₁ < 0) or several (A₁ > 0), A₁ being the acceleration of the free gap. The friction at
// which B₁' vanishes is D_nn/(s D_nt): its smallest value over a range is the critical friction.
#pragma once

#include "liaison/model/model.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/contact_problem.hpp"
#include "liaison/realise/realise.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

enum class SlipCase { regular, separation, inconsistent, indeterminate };
std::string_view name(SlipCase c);

// A parameter or a coordinate of the start that is varied.
struct Variable {
    std::string name;
    std::size_t parameter = model::k_none;
    std::size_t coordinate = model::k_none;
    double from = 0.0;
    double to = 0.0;
    std::size_t points = 0; // of the scan, 0: as many as needed
};

struct SlipNumbers {
    double free = 0.0; // A₁
    double response = 0.0; // B₁'
    double normal = 0.0; // D_nn
    double coupling = 0.0; // s D_nt
    double friction = 0.0; // μ
    [[nodiscard]] SlipCase slip_case() const;
    // The friction at which the response vanishes; infinite if it cannot.
    [[nodiscard]] double critical() const;
};

// Evaluates one contact of a model at its start, with parameters and coordinates replaced.
class SlipScan {
  public:
    SlipScan(const model::Model& model, const prepare::Options& options, std::size_t side);

    // Nothing where the start cannot be prepared there.
    [[nodiscard]] std::optional<SlipNumbers> at(const std::vector<Variable>& variables,
                                                const std::vector<double>& values,
                                                double sign) const;
    // The state of the start there; nothing where it cannot be prepared.
    struct Place {
        std::vector<double> parameters;
        flow::Instant now; // its parameters are those above
    };
    [[nodiscard]] std::optional<Place> place(const std::vector<Variable>& variables,
                                             const std::vector<double>& values) const;
    // B₁' and the like at a state.
    [[nodiscard]] std::optional<SlipNumbers> at(const flow::Instant& now, double sign) const;
    [[nodiscard]] std::size_t side() const { return side_; }
    // All numbers of the contacts there.
    [[nodiscard]] std::optional<realise::ContactNumbers>
    numbers(const std::vector<Variable>& variables, const std::vector<double>& values) const;
    [[nodiscard]] const realise::Realisation& realisation() const { return realisation_; }

  private:
    void touch(flow::Instant& now, const std::vector<std::size_t>& moved) const;

    const model::Model& model_;
    prepare::Options options_;
    std::size_t side_;
    realise::Realisation realisation_;
};

struct SlipInterval {
    double from = 0.0;
    double to = 0.0;
    SlipCase slip_case = SlipCase::regular;
};

// Stretches of one case, their ends located as roots.
std::vector<SlipInterval> slip_intervals(const SlipScan& scan, const Variable& variable,
                                         double sign);

struct CriticalFriction {
    double friction = 0.0;
    double at = 0.0;
};
// The smallest friction with a paradox in the range; nothing where there is none.
std::optional<CriticalFriction> critical_friction(const SlipScan& scan, const Variable& variable,
                                                  double sign);

} // namespace liaison::analysis
