// SPDX-License-Identifier: Apache-2.0
// Rows by reverse sweeps, drift terms by directional derivatives.
#include "liaison/equations/rows.hpp"

#include "liaison/equations/tidy.hpp"

namespace liaison::equations {
namespace {

// s(q, v, t): the row is ∂s/∂u.
RateRow velocity_row(const Frame& frame, Expr s) {
    return {s, frame.velocity_gradient(s), tidy(frame.drift(s))};
}

// f(q, t): s = ḟ. The row is taken from f directly, which keeps it free of velocities.
RateRow position_row(const Frame& frame, Expr f) {
    const Expr rate = tidy(frame.drift(f));
    return {rate, frame.position_gradient(f), tidy(frame.drift(rate))};
}

std::vector<RateRow> velocity_rows(const Frame& frame, const std::vector<Expr>& rates) {
    std::vector<RateRow> rows;
    for (const Expr s : rates) rows.push_back(velocity_row(frame, s));
    return rows;
}

Row row_of(const std::vector<Expr>& values) {
    Row row;
    for (std::uint32_t a = 0; a < values.size(); ++a) {
        if (values[a] && !values[a].is_zero()) row.push_back({a, values[a]});
    }
    return row;
}

} // namespace

std::vector<ConstraintRows> constraint_rows(const Frame& frame,
                                            const std::vector<ConstraintInput>& constraints) {
    std::vector<ConstraintRows> result;
    for (const ConstraintInput& c : constraints) {
        ConstraintRows rows;
        rows.name = c.name;
        rows.holonomic = c.holonomic;
        rows.f = c.f;
        rows.row = c.holonomic ? position_row(frame, c.f) : velocity_row(frame, c.f);
        rows.ideal = c.actuator.empty();
        rows.reaction = rows.ideal ? rows.row.W : row_of(c.actuator);
        rows.slips = velocity_rows(frame, c.slip);
        result.push_back(std::move(rows));
    }
    return result;
}

std::vector<ContactRows> contact_rows(const Frame& frame,
                                      const std::vector<ContactInput>& contacts) {
    std::vector<ContactRows> result;
    for (const ContactInput& c : contacts) {
        result.push_back({c.name, c.gap, position_row(frame, c.gap), velocity_rows(frame, c.slip)});
    }
    return result;
}

} // namespace liaison::equations
