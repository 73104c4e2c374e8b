// SPDX-License-Identifier: Apache-2.0
// The n-link pendulum as an expert writes it by hand: the limits that compiled code is measured against.
//
// Unit masses on massless rods of unit length, q_i the angle of rod i from the downward vertical, v = q̇.
//   dense:  Σ_j (n − max(i,j)) [cos(q_i − q_j) v̇_j + sin(q_i − q_j) v_j²] = −(n − i) g sin q_i,
//           cos(q_i − q_j) from 2n sines and cosines, Cholesky; O(n³)
//   chain:  the rod forces solve a tridiagonal system, the accelerations follow; O(n)
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace peers {

inline constexpr double k_gravity = 9.81; // m/s²

// Workspace and right-hand side by dense Cholesky.
class DensePendulum {
  public:
    explicit DensePendulum(std::size_t n) : n_(n), s_(n), c_(n), b_(n), M_(n * n) {}

    void accelerations(const double* q, const double* v, double* v_dot) {
        for (std::size_t i = 0; i < n_; ++i) {
            s_[i] = std::sin(q[i]);
            c_[i] = std::cos(q[i]);
        }
        assemble(v);
        factor();
        solve(v_dot);
    }

  private:
    void assemble(const double* v) {
        for (std::size_t i = 0; i < n_; ++i) {
            const double below = static_cast<double>(n_ - i); // masses carried by rod i
            double force = -below * k_gravity * s_[i];
            for (std::size_t j = 0; j < n_; ++j) {
                const double mass = static_cast<double>(n_ - (i > j ? i : j));
                force -= mass * (s_[i] * c_[j] - c_[i] * s_[j]) * v[j] * v[j];
                if (j <= i) M_[i * n_ + j] = mass * (c_[i] * c_[j] + s_[i] * s_[j]);
            }
            b_[i] = force;
        }
    }

    void factor() {
        for (std::size_t j = 0; j < n_; ++j) {
            for (std::size_t i = j; i < n_; ++i) {
                double sum = M_[i * n_ + j];
                for (std::size_t k = 0; k < j; ++k) sum -= M_[i * n_ + k] * M_[j * n_ + k];
                M_[i * n_ + j] = i == j ? std::sqrt(sum) : sum / M_[j * n_ + j];
            }
        }
    }

    void solve(double* x) const {
        for (std::size_t i = 0; i < n_; ++i) {
            double sum = b_[i];
            for (std::size_t k = 0; k < i; ++k) sum -= M_[i * n_ + k] * x[k];
            x[i] = sum / M_[i * n_ + i];
        }
        for (std::size_t i = n_; i-- > 0;) {
            double sum = x[i];
            for (std::size_t k = i + 1; k < n_; ++k) sum -= M_[k * n_ + i] * x[k];
            x[i] = sum / M_[i * n_ + i];
        }
    }

    std::size_t n_;
    std::vector<double> s_, c_, b_, M_;
};

// The same accelerations from the forces in the rods. With e_i the direction and t_i the tangent of rod i, N_i its
// tension, a_i the acceleration of mass i:
//   a_i = g + N_{i+1} e_{i+1} − N_i e_i,   (a_i − a_{i−1})·e_i = −v_i²,   (a_i − a_{i−1})·t_i = v̇_i.
class ChainPendulum {
  public:
    explicit ChainPendulum(std::size_t n) : n_(n), s_(n), c_(n), diagonal_(n), tension_(n) {}

    void accelerations(const double* q, const double* v, double* v_dot) {
        for (std::size_t i = 0; i < n_; ++i) {
            s_[i] = std::sin(q[i]);
            c_[i] = std::cos(q[i]);
        }
        // forward elimination of  −m_i N_i + cos(q_{i−1} − q_i) N_{i−1} + cos(q_{i+1} − q_i) N_{i+1} = −v_i² − g·e_i
        // with m_1 = 1 and m_i = 2 below; the support takes the first rod, so that only it feels gravity
        diagonal_[0] = 1.0;
        tension_[0] = v[0] * v[0] + k_gravity * c_[0];
        for (std::size_t i = 1; i < n_; ++i) {
            const double coupling = c_[i] * c_[i - 1] + s_[i] * s_[i - 1];
            const double factor = coupling / diagonal_[i - 1];
            diagonal_[i] = 2.0 - coupling * factor;
            tension_[i] = v[i] * v[i] + factor * tension_[i - 1];
        }
        tension_[n_ - 1] /= diagonal_[n_ - 1];
        for (std::size_t i = n_ - 1; i-- > 0;) {
            const double coupling = c_[i + 1] * c_[i] + s_[i + 1] * s_[i];
            tension_[i] = (tension_[i] + coupling * tension_[i + 1]) / diagonal_[i];
        }
        // tangential components: sin(q_j − q_i) is e_j along t_i
        for (std::size_t i = 0; i < n_; ++i) {
            double sum = i == 0 ? -k_gravity * s_[0] : 0.0;
            if (i > 0) sum += tension_[i - 1] * (s_[i - 1] * c_[i] - c_[i - 1] * s_[i]);
            if (i + 1 < n_) sum += tension_[i + 1] * (s_[i + 1] * c_[i] - c_[i + 1] * s_[i]);
            v_dot[i] = sum;
        }
    }

  private:
    std::size_t n_;
    std::vector<double> s_, c_, diagonal_, tension_;
};

} // namespace peers
