// SPDX-License-Identifier: Apache-2.0
// The result of a convergence study: errors by quantity, fitted orders, the theorem's orders, verdicts.
#pragma once

#include "liaison/analysis/order_fit.hpp"
#include "liaison/record/svg.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace liaison::analysis {

struct Quantity {
    std::string name; // "x", "x'", "stop", "stop'", "stop.along", "stop.along'"
    std::vector<double> error;
    OrderFit fit;
    std::optional<double> theorem; // nothing: theory makes no statement
    OrderVerdict verdict = OrderVerdict::unknown;
    bool only_rounding = false; // no error that the integrator would not make by itself
};

struct Convergence {
    std::string over; // "stiffness", "layer", "approach", "step", or a parameter of the model
    std::string regime; // in words: "along the constraint", "after lift-off", "after an impact"
    std::string start; // "paper" or "static"
    std::vector<double> parameter;
    std::vector<Quantity> quantities;
    bool envelope = false; // orders are those of per-decade maxima
    bool to_zero = false; // the limit is 0, not infinity
    std::optional<double> agreement; // how far from the theorem still agrees; nothing: as usual
    bool logarithm = false; // the theorem allows a factor log(1/parameter)
    std::vector<std::string> notes;
    std::string failed; // why there is no result; empty: there is one
    bool misfit = false; // because the question does not fit the model

    // Every quantity with a theorem agrees with it or is better.
    [[nodiscard]] bool agrees() const;
};

// Fits and judges all quantities; `floor`: errors below it belong to the integrator.
void judge(Convergence& study, double floor);

nlohmann::ordered_json to_json(const Convergence& study);
std::string to_text(const Convergence& study);
// Errors over the parameter in logarithms, with the theorem's slopes dashed.
record::Figure figure(const Convergence& study);

} // namespace liaison::analysis
