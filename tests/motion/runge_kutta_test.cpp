// SPDX-License-Identifier: Apache-2.0
// Tableaux: order conditions, continuous extensions, stability functions, and the stages a stepper shows.
#include "liaison/motion/runge_kutta.hpp"

#include "liaison/motion/dop853_tableau.hpp"
#include "liaison/motion/fixed_stepper.hpp"
#include "liaison/motion/flow_field.hpp"

#include "exact_motions.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>

#include <cmath>

using namespace liaison;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using motion::Tableau;

namespace {

const Tableau* const k_all[] = {&motion::euler, &motion::heun, &motion::rk3, &motion::rk4,
                                &motion::dopri5};

MatrixXd matrix(const Tableau& t) {
    MatrixXd A(t.stages, t.stages);
    for (std::size_t i = 0; i < t.stages; ++i) {
        for (std::size_t j = 0; j < t.stages; ++j)
            A(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = t.a[i * t.stages + j];
    }
    return A;
}
VectorXd vector(std::span<const double> values) {
    return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}
VectorXd dense(const Tableau& t, double theta) {
    VectorXd b = VectorXd::Zero(static_cast<Eigen::Index>(t.stages));
    for (std::size_t i = 0; i < t.stages; ++i) {
        for (std::size_t k = t.degree; k-- > 0;) {
            double& value = b(static_cast<Eigen::Index>(i));
            value = (value + t.dense[i * t.degree + k]) * theta;
        }
    }
    return b;
}
VectorXd power(const VectorXd& c, int k) { return c.array().pow(k).matrix(); }

} // namespace

TEST_CASE("tableaux are consistent and explicit, extensions end where the step ends") {
    for (const Tableau* t : k_all) {
        CAPTURE(std::string(t->name));
        const MatrixXd A = matrix(*t);
        const VectorXd b = vector(t->b);
        const VectorXd c = vector(t->c);
        CHECK((A * VectorXd::Ones(c.size()) - c).cwiseAbs().maxCoeff() < 1e-14);
        CHECK((MatrixXd(A.triangularView<Eigen::Upper>()).cwiseAbs().maxCoeff()) == 0.0);
        CHECK((dense(*t, 1.0) - b).cwiseAbs().maxCoeff() < 1e-13);
        // quadrature conditions of the order: Σ b c^{k−1} = 1/k
        for (int k = 1; k <= t->order; ++k)
            CHECK(std::abs(b.dot(power(c, k - 1)) - 1.0 / k) < 1e-14);
        // and of the extension, whose local error has the order of the method
        for (const double theta : {0.2, 0.5, 0.9}) {
            for (int k = 1; k < std::max(t->order, 2); ++k)
                CHECK(std::abs(dense(*t, theta).dot(power(c, k - 1)) - std::pow(theta, k) / k) <
                      1e-13);
        }
    }
}

TEST_CASE("stability functions and defect constants of the methods with program constraints") {
    // R(z) = 1 + z bᵀ(1 − zA)⁻¹1 at its least value on the real axis, and κ(z): known in closed form
    struct Known {
        const Tableau* tableau;
        double z;
        double R;
        double kappa;
    };
    const auto five = [](double z) { return std::pow(z, 4) * (3 * z - 5) / 18000; };
    const double z3 = -1.59607163798;
    const double z5 = -2.02805435215;
    const Known known[] = {{&motion::euler, -1.0, 0.0, 0.5},
                           {&motion::heun, -1.0, 0.5, -0.25},
                           {&motion::rk3, z3, 0.0, z3 * z3 / 24},
                           {&motion::rk4, z3, 0.270394765205, z3 * z3 * z3 / 96},
                           {&motion::dopri5, z5, 0.173145163875, five(z5)}};
    for (const Known& k : known) {
        CAPTURE(std::string(k.tableau->name));
        const MatrixXd A = matrix(*k.tableau);
        const VectorXd b = vector(k.tableau->b);
        const VectorXd c = vector(k.tableau->c);
        const VectorXd one = VectorXd::Ones(c.size());
        const MatrixXd inverse = (MatrixXd::Identity(A.rows(), A.cols()) - k.z * A).inverse();
        CHECK(std::abs(std::abs(1.0 + k.z * b.dot(inverse * one)) - k.R) < 1e-9);
        const VectorXd w = k.z * (b.transpose() * inverse).transpose();
        const double kappa = 0.5 - b.dot(c) + w.dot(power(c, 2) / 2.0 - A * c);
        CHECK(std::abs(kappa - k.kappa) < 1e-12);
    }
}

TEST_CASE("coefficients of the pair of order 8 fulfil its quadrature conditions") {
    using namespace motion::dop853;
    const double* b = k_a.data() + k_stages * (k_stages - 1) / 2;
    for (int k = 1; k <= 8; ++k) {
        double sum = 0.0;
        for (std::size_t i = 0; i < k_stages; ++i) sum += b[i] * std::pow(k_c[i], k - 1);
        CHECK(std::abs(sum - 1.0 / k) < 1e-14);
    }
    for (std::size_t i = 1; i < k_all_stages; ++i) {
        double row = 0.0;
        for (std::size_t j = 0; j < i; ++j) row += k_a[i * (i - 1) / 2 + j];
        CHECK(std::abs(row - k_c[i]) < 1e-13);
    }
    // error estimates vanish for constant fields
    double e5 = 0.0;
    double e3 = 0.0;
    for (const double e : k_e5) e5 += e;
    for (const double e : k_e3) e3 += e;
    CHECK(std::abs(e5) < 1e-14);
    CHECK(std::abs(e3) < 1e-14);
}

TEST_CASE("a fixed step shows its stages") {
    const flow::Flow flow = test::exponential_oscillator();
    motion::FixedStepper stepper(motion::make_flow_field(flow), motion::heun, 0.0, 0.125, 1e-9);
    flow::Instant now;
    now.state = flow.start_state;
    const auto step = stepper.advance(now, 1.0);
    CHECK(step.h == 0.125);
    CHECK(stepper.length() == 0.125);
    // X_1 = x, V_1 = (0, −1) at x = e, v = 0; X_2 = x + h V_1
    CHECK(stepper.stage_state(0)[0] == now.state[0]);
    CHECK(std::abs(stepper.stage_rate(0)[1] + 1.0) < 1e-15);
    CHECK(std::abs(stepper.stage_state(1)[1] + 0.125) < 1e-15);
    CHECK(std::abs(stepper.stage_rate(1)[0] + 0.125 * std::exp(1.0)) < 1e-15);
}
