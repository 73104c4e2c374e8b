// SPDX-License-Identifier: Apache-2.0
// How far elastic contacts are from the rigid limit, quantity by quantity, and with what power of the stiffness.
#pragma once

#include "liaison/analysis/convergence.hpp"
#include "liaison/base/interrupt.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/prepare.hpp"

#include <vector>

namespace liaison::analysis {

enum class ElasticStart {
    paper, // gap and gap rate as given: closed contacts oscillate
    static_, // closed contacts start compressed by what their reaction asks for
};

struct StiffnessStudy {
    std::vector<double>
        stiffness; // ascending; empty: from `from` to `to`, as many as the regime asks for
    double from = 1e2;
    double to = 1e8;
    ElasticStart start = ElasticStart::paper;
    std::size_t samples = 401; // evenly spaced; errors are sups over them
    base::Interrupt interrupt = nullptr;
};

// Runs the rigid limit by events and the elastic motion for every stiffness. The theorem depends on what the limit
// motion does: along the constraint (Deryabin 1994, Theorem 1), after lift-off (Theorem 2, sharpened), after an
// impact. The stiffness of every contact is replaced; damping and profile are those of the model.
Convergence study_stiffness(const model::Model& model, const prepare::Start& start,
                            const StiffnessStudy& study);

// The same for any parameter of the model that goes to zero, with the model at zero as the limit.
// `wanted`: what the start was prepared with; it is prepared anew for every value, on which it may depend.
Convergence study_parameter(const model::Model& model, const prepare::Start& start,
                            const prepare::Options& wanted, std::size_t parameter,
                            const std::vector<double>& values, std::size_t samples,
                            base::Interrupt interrupt = nullptr);

} // namespace liaison::analysis
