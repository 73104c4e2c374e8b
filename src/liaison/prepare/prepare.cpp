// SPDX-License-Identifier: Apache-2.0
// Numbers at the start: a consistent initial state, and everything that can be wrong with it.
#include "liaison/prepare/prepare.hpp"

#include "liaison/prepare/work.hpp"

namespace liaison::prepare {

std::optional<Start> prepare(const model::Model& model, const Options& options,
                             base::Diagnostics& diagnostics) {
    const std::size_t errors = diagnostics.error_count();
    const auto sound = [&] { return diagnostics.error_count() == errors; };
    Work work(model, diagnostics);
    if (!give_values(work, options)) return std::nullopt;
    solve_start(work);
    check_values(work);
    check_contacts(work);
    if (sound()) rank_constraints(work);
    if (sound()) check_rates(work);
    if (sound()) check_inertia(work);
    if (sound()) check_servo(work);
    if (sound()) check_laws(work);
    if (sound()) check_held(work);
    if (sound()) check_gap_metric(work);
    if (sound()) press_contacts(work);
    diagnostics.keep_files();
    if (!sound()) return std::nullopt;
    return std::move(work.start);
}

} // namespace liaison::prepare
