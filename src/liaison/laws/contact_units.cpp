// SPDX-License-Identifier: Apache-2.0
// Units from the diagonal of the response.
#include "liaison/laws/contact_units.hpp"

#include <cmath>

namespace liaison::laws {
namespace {

// Of a row that no impulse moves: any.
double unit(double response) { return response > 0.0 ? 1.0 / std::sqrt(response) : 1.0; }

} // namespace

ContactUnits::ContactUnits(const Eigen::MatrixXd& D, const std::vector<CoulombContact>& contacts)
    : factor_(Eigen::VectorXd::Ones(D.rows())) {
    for (const CoulombContact& c : contacts) {
        factor_(c.normal) = unit(D(c.normal, c.normal));
        if (c.slips == 0) continue;
        double trace = 0.0;
        for (int j = 0; j < c.slips; ++j) trace += D(c.slip + j, c.slip + j);
        factor_.segment(c.slip, c.slips).setConstant(unit(trace / c.slips));
    }
}

CoulombContact ContactUnits::contact(CoulombContact c) const {
    if (c.slips == 0) return c;
    const double friction = factor_(c.normal) / factor_(c.slip);
    c.sliding_plus *= friction;
    c.sliding_minus *= friction;
    c.sticking *= friction;
    return c;
}

} // namespace liaison::laws
