// SPDX-License-Identifier: Apache-2.0
// The contact problem as it will be a moment later: the load has changed, and contacts slip along other directions.
#pragma once

#include "liaison/laws/coulomb_problem.hpp"

namespace liaison::laws {

struct LaterProblem {
    double moment = 0.0;
    const Eigen::MatrixXd& D;
    const Eigen::VectorXd& b;
    const std::vector<CoulombContact>& contacts;
};

} // namespace liaison::laws
