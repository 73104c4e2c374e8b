// SPDX-License-Identifier: Apache-2.0
// Integrals that [run] hold names and a body is to give: with these values it has them.
#include "liaison/model/known_integrals.hpp"
#include "liaison/prepare/work.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace liaison::prepare {

void check_held(Work& work) {
    const auto& wanted = work.model.run.hold_known;
    if (wanted.empty()) return;
    const auto known = model::known_integrals(work.model, work.start.point.parameters);
    std::vector<std::string> names;
    for (const auto& one : known) names.push_back(one.name);
    for (const auto& one : wanted) {
        if (std::ranges::find(names, one.name) != names.end()) continue;
        auto& report = work.diagnostics.report(
            base::Code::no_such_integral,
            fmt::format("`{}` is no first integral of this body", one.name));
        report.at(one.span, "to be held");
        if (names.size() <= 1)
            report.note(
                "something else acts on the body: only the norm of its orientation is known "
                "to stay; give an integral of your own in [integral]");
        else
            report.note(fmt::format("its data give {}", fmt::join(names, ", ")));
    }
}

} // namespace liaison::prepare
