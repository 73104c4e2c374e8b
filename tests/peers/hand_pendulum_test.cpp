// SPDX-License-Identifier: Apache-2.0
// The hand-written yardsticks are right: both forms agree and conserve energy.
#include "../../bench/peers/hand_pendulum.hpp"

#include <doctest/doctest.h>

TEST_CASE("one link is a pendulum") {
    double q = 0.7, v = 1.1, dense = 0.0, chain = 0.0;
    peers::DensePendulum(1).accelerations(&q, &v, &dense);
    peers::ChainPendulum(1).accelerations(&q, &v, &chain);
    CHECK(dense == doctest::Approx(-peers::k_gravity * std::sin(q)).epsilon(1e-14));
    CHECK(chain == doctest::Approx(-peers::k_gravity * std::sin(q)).epsilon(1e-14));
}

TEST_CASE("dense and chain forms agree, and the energy is constant") {
    for (const std::size_t n : {2U, 5U, 10U, 20U, 40U}) {
        std::vector<double> q(n), v(n), dense(n), chain(n);
        for (std::size_t i = 0; i < n; ++i) {
            q[i] = std::sin(1.0 + 2.0 * static_cast<double>(i));
            v[i] = std::cos(3.0 * static_cast<double>(i));
        }
        peers::DensePendulum(n).accelerations(q.data(), v.data(), dense.data());
        peers::ChainPendulum(n).accelerations(q.data(), v.data(), chain.data());
        for (std::size_t i = 0; i < n; ++i) {
            CHECK(chain[i] == doctest::Approx(dense[i]).epsilon(1e-9));
        }

        // dE/dt = Σ_k (a_k + g e_y)·u_k over the masses, u_k and a_k summed along the chain
        double ux = 0.0, uy = 0.0, ax = 0.0, ay = 0.0, power = 0.0, scale = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            const double s = std::sin(q[i]), c = std::cos(q[i]);
            ux += c * v[i];
            uy += s * v[i];
            ax += c * chain[i] - s * v[i] * v[i];
            ay += s * chain[i] + c * v[i] * v[i];
            power += ax * ux + (ay + peers::k_gravity) * uy;
            scale += std::abs(ax * ux) + std::abs((ay + peers::k_gravity) * uy);
        }
        CHECK(std::abs(power) < 1e-11 * scale);
    }
}
