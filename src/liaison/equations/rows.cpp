// SPDX-License-Identifier: Apache-2.0
// Rows by reverse sweeps, drift terms by directional derivatives.
#include "liaison/equations/rows.hpp"

#include "liaison/equations/tidy.hpp"

namespace liaison::equations {
namespace {

// Many rows at once: one walk over the graph serves all drift terms.

// s(q, v, t): the row is ∂s/∂u.
std::vector<RateRow> velocity_rows(const Frame& frame, const std::vector<Expr>& rates) {
    const std::vector<Expr> drifts = frame.drift(rates);
    std::vector<RateRow> rows;
    for (std::size_t k = 0; k < rates.size(); ++k) {
        rows.push_back({rates[k], frame.velocity_gradient(rates[k]), tidy(drifts[k])});
    }
    return rows;
}

// f(q, t): s = ḟ. The row is taken from f directly, which keeps it free of velocities.
std::vector<RateRow> position_rows(const Frame& frame, const std::vector<Expr>& functions) {
    std::vector<Expr> rates = frame.drift(functions);
    for (Expr& rate : rates) rate = tidy(rate);
    const std::vector<Expr> drifts = frame.drift(rates);
    std::vector<RateRow> rows;
    for (std::size_t k = 0; k < functions.size(); ++k) {
        rows.push_back({rates[k], frame.position_gradient(functions[k]), tidy(drifts[k])});
    }
    return rows;
}

// The slips of all owners in one list, dealt out again to their owners.
template <class Inputs>
std::vector<std::vector<RateRow>> slip_rows(const Frame& frame, const Inputs& owners) {
    std::vector<Expr> all;
    for (const auto& owner : owners) all.insert(all.end(), owner.slip.begin(), owner.slip.end());
    const std::vector<RateRow> rows = velocity_rows(frame, all);
    std::vector<std::vector<RateRow>> dealt;
    auto next = rows.begin();
    for (const auto& owner : owners) {
        const auto end = next + static_cast<std::ptrdiff_t>(owner.slip.size());
        dealt.emplace_back(next, end);
        next = end;
    }
    return dealt;
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
    std::vector<Expr> positions;
    std::vector<Expr> velocities;
    for (const ConstraintInput& c : constraints)
        (c.holonomic ? positions : velocities).push_back(c.f);
    const std::vector<RateRow> holonomic = position_rows(frame, positions);
    const std::vector<RateRow> nonholonomic = velocity_rows(frame, velocities);
    const auto slips = slip_rows(frame, constraints);
    std::vector<ConstraintRows> result;
    auto next_holonomic = holonomic.begin();
    auto next_nonholonomic = nonholonomic.begin();
    for (std::size_t k = 0; k < constraints.size(); ++k) {
        const ConstraintInput& c = constraints[k];
        ConstraintRows rows;
        rows.name = c.name;
        rows.holonomic = c.holonomic;
        rows.f = c.f;
        rows.row = c.holonomic ? *next_holonomic++ : *next_nonholonomic++;
        rows.ideal = c.actuator.empty();
        rows.reaction = rows.ideal ? rows.row.W : row_of(c.actuator);
        rows.slips = slips[k];
        result.push_back(std::move(rows));
    }
    return result;
}

std::vector<ContactRows> contact_rows(const Frame& frame,
                                      const std::vector<ContactInput>& contacts) {
    std::vector<Expr> gaps;
    for (const ContactInput& c : contacts) gaps.push_back(c.gap);
    const std::vector<RateRow> normals = position_rows(frame, gaps);
    const auto slips = slip_rows(frame, contacts);
    std::vector<ContactRows> result;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        result.push_back({contacts[k].name, contacts[k].gap, normals[k], slips[k]});
    }
    return result;
}

} // namespace liaison::equations
