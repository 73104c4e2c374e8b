// SPDX-License-Identifier: Apache-2.0
// The integration method a model asks for, and what is wrong with it.
#include "liaison/record/model_method.hpp"

#include "liaison/model/method.hpp"
#include "liaison/model/realisation_words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::record {

bool finds_its_step(const model::Model& model) {
    return model.run.bilateral == model::BilateralRealisation::program &&
           std::ranges::any_of(model.constraints,
                               [](const auto& c) { return c.tolerance.has_value(); });
}

motion::MethodOptions method_of(const model::Model& model, const prepare::Start& start,
                                base::Diagnostics& diagnostics,
                                std::optional<model::Method> asked) {
    motion::MethodOptions options;
    options.method = asked.value_or(model.run.method);
    // A system of index 2 is solved as it stands, whatever the others are solved by.
    if (!model.constraints.empty() && model.run.bilateral == model::BilateralRealisation::index2)
        options.method = model::Method::dae;
    options.tolerance = start.tolerance;
    constexpr double k_implicit = 1e-14;
    const bool implicit =
        options.method == model::Method::stiff || options.method == model::Method::dae;
    if (implicit && start.tolerance < k_implicit) {
        diagnostics
            .report(base::Code::value_out_of_range,
                    fmt::format("the method {} cannot keep a tolerance of {:g}",
                                model::name(options.method), start.tolerance))
            .note(fmt::format("its formulas have order 5 at most; take at least {:g}, or the "
                              "method taylor",
                              k_implicit));
    }
    if (!model::has_fixed_step(options.method)) {
        if (model.run.location == model::Location::none)
            diagnostics
                .report(
                    base::Code::realisation_impossible,
                    fmt::format("location = \"none\" is for methods with a fixed step; {} chooses "
                                "its steps by an error that does not see the crossings",
                                model::name(options.method)))
                .at(model::where_run_says(model, "location", "none"))
                .note("--method rk4 --step 0.001, or leave location out");
        return options;
    }

    if (!start.step && finds_its_step(model)) return options;
    if (!start.step) {
        diagnostics
            .report(base::Code::step_missing,
                    fmt::format("the method {} has a fixed step and needs to know it",
                                model::name(options.method)))
            .note("give --step 0.001, or step = 0.001 in [run]")
            .note("the methods taylor and rk find their steps themselves");
        return options;
    }
    options.step = *start.step;
    constexpr double k_most_steps = 1e9;
    const double steps = (start.until.value_or(start.point.time) - start.point.time) / options.step;
    if (steps > k_most_steps) {
        diagnostics
            .report(base::Code::value_out_of_range,
                    fmt::format("a step of {} would mean {:.0e} steps", options.step, steps))
            .note(fmt::format("at most {:.0e} steps are made; take a longer step or a method of "
                              "higher order",
                              k_most_steps));
    }
    return options;
}

} // namespace liaison::record
