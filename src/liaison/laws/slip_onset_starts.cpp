// SPDX-License-Identifier: Apache-2.0
// Averaging with the directions of the accelerations, then Newton's method on the angles.
#include "liaison/laws/slip_onset_starts.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double k_turn = 2.0 * std::numbers::pi;

// The middles of the enclosures, by numbers.
class OnsetNumbers {
  public:
    explicit OnsetNumbers(const SlipOnset& onset)
        : r_(static_cast<Index>(onset.starting.size())), gap_(r_), slip_{Rows(r_), Rows(r_)} {
        for (Index i = 0; i < r_; ++i) {
            const auto& contact = onset.starting[static_cast<std::size_t>(i)];
            gap_.set(i, contact.gap);
            slip_[0].set(i, contact.slip_x);
            slip_[1].set(i, contact.slip_y);
        }
    }

    [[nodiscard]] Index size() const { return r_; }
    [[nodiscard]] const VectorXd& free(std::size_t d) const { return slip_[d].load; }

    // v̇ by component; `friction` 0: without it. False: the gaps are singular.
    bool slips(const VectorXd& angle, double friction = 1.0) {
        c_ = friction * angle.array().cos();
        s_ = friction * angle.array().sin();
        lu_.compute(gap_.at(c_, s_));
        N_ = lu_.solve(-gap_.load);
        for (std::size_t d = 0; d < 2; ++d) {
            V_[d] = slip_[d].at(c_, s_);
            v_[d] = slip_[d].load + V_[d] * N_;
        }
        return N_.allFinite();
    }
    [[nodiscard]] double slip(std::size_t d, Index i) const { return v_[d](i); }
    [[nodiscard]] double along(Index i) const { return c_(i) * v_[0](i) + s_(i) * v_[1](i); }
    // F_i = s_i^⊥·v̇_i
    [[nodiscard]] VectorXd turning() const {
        return (c_.array() * v_[1].array() - s_.array() * v_[0].array()).matrix();
    }
    // ∂F_i/∂ψ_j = s_i^⊥·(V'_ij N_j + V_i ∂N/∂ψ_j) − δ_ij s_i·v̇_i, A ∂N/∂ψ_j = −A'_j N_j.
    [[nodiscard]] MatrixXd jacobian() const {
        const MatrixXd dN = lu_.solve(-gap_.slope(c_, s_) * N_.asDiagonal());
        MatrixXd dv[2];
        for (std::size_t d = 0; d < 2; ++d)
            dv[d] = slip_[d].slope(c_, s_) * N_.asDiagonal() + V_[d] * dN;
        MatrixXd J = c_.asDiagonal() * dv[1];
        J -= s_.asDiagonal() * dv[0];
        for (Index i = 0; i < r_; ++i) J(i, i) -= along(i);
        return J;
    }

  private:
    struct Rows {
        VectorXd load;
        MatrixXd p[3];
        explicit Rows(Index r) : load(r), p{MatrixXd(r, r), MatrixXd(r, r), MatrixXd(r, r)} {}
        void set(Index i, const OnsetRow& row) {
            load(i) = row.load.middle();
            for (Index j = 0; j < load.size(); ++j)
                for (std::size_t t = 0; t < 3; ++t)
                    p[t](i, j) = row.response[static_cast<std::size_t>(j)][t].middle();
        }
        [[nodiscard]] MatrixXd at(const VectorXd& c, const VectorXd& s) const {
            return p[0] + p[1] * c.asDiagonal() + p[2] * s.asDiagonal();
        }
        [[nodiscard]] MatrixXd slope(const VectorXd& c, const VectorXd& s) const {
            return p[2] * c.asDiagonal() - p[1] * s.asDiagonal();
        }
    };
    Index r_;
    Rows gap_;
    Rows slip_[2];
    VectorXd c_, s_, N_;
    MatrixXd V_[2];
    VectorXd v_[2];
    Eigen::PartialPivLU<MatrixXd> lu_;
};

// Half the way to the direction of v̇, a few times: towards roots with s·v̇ > 0.
bool average(OnsetNumbers& numbers, VectorXd& angle) {
    constexpr int k_rounds = 6;
    for (int round = 0; round < k_rounds; ++round) {
        if (!numbers.slips(angle)) return false;
        for (Index i = 0; i < angle.size(); ++i)
            angle(i) +=
                0.5 * std::remainder(std::atan2(numbers.slip(1, i), numbers.slip(0, i)) - angle(i),
                                     k_turn);
    }
    return true;
}

bool newton(OnsetNumbers& numbers, VectorXd& angle) {
    constexpr int k_most = 25;
    constexpr double k_longest = 0.5;
    constexpr double k_done = 1e-13;
    for (int i = 0; i < k_most; ++i) {
        if (!numbers.slips(angle)) return false;
        const VectorXd step = -numbers.jacobian().partialPivLu().solve(numbers.turning());
        if (!step.allFinite()) return false;
        const double size = step.cwiseAbs().maxCoeff();
        angle += std::min(1.0, k_longest / std::max(size, 1e-300)) * step;
        if (size < k_done) return numbers.slips(angle);
    }
    return false;
}

// Halton's sequence: the digits of n to the i-th prime base, mirrored at the point.
double halton(std::size_t n, std::size_t i) {
    constexpr std::array<std::size_t, 10> k_primes{2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
    const std::size_t base = k_primes[i % k_primes.size()];
    double value = 0.0;
    double digit = 1.0;
    for (; n > 0; n /= base) {
        digit /= static_cast<double>(base);
        value += digit * static_cast<double>(n % base);
    }
    return value;
}

} // namespace

std::vector<OnsetAngles> onset_starts(const SlipOnset& onset, std::size_t spread) {
    OnsetNumbers numbers(onset);
    const auto r = static_cast<std::size_t>(numbers.size());
    std::vector<OnsetAngles> starts(2);
    const bool frictionless = numbers.slips(VectorXd::Zero(numbers.size()), 0.0);
    for (std::size_t i = 0; i < r; ++i) {
        const auto k = static_cast<Index>(i);
        starts[0].push_back(std::atan2(numbers.free(1)(k), numbers.free(0)(k)));
        if (frictionless) starts[1].push_back(std::atan2(numbers.slip(1, k), numbers.slip(0, k)));
    }
    if (!frictionless) starts.pop_back();
    for (std::size_t n = 1; n <= spread; ++n) {
        OnsetAngles angles;
        for (std::size_t i = 0; i < r; ++i) angles.push_back(k_turn * halton(n, i));
        starts.push_back(std::move(angles));
    }
    return starts;
}

std::vector<OnsetAngles> follow_onset_starts(const SlipOnset& onset,
                                             const std::vector<OnsetAngles>& starts, double least) {
    constexpr double k_same = 1e-8;
    OnsetNumbers numbers(onset);
    std::vector<OnsetAngles> found;
    for (const OnsetAngles& start : starts) {
        VectorXd angle = Eigen::Map<const VectorXd>(start.data(), numbers.size());
        if (!average(numbers, angle) || !newton(numbers, angle)) continue;
        bool slips = true;
        for (Index i = 0; i < angle.size(); ++i) slips = slips && numbers.along(i) > least;
        const bool known = std::ranges::any_of(found, [&](const OnsetAngles& other) {
            for (Index i = 0; i < angle.size(); ++i) {
                const double difference = angle(i) - other[static_cast<std::size_t>(i)];
                if (std::abs(std::remainder(difference, k_turn)) > k_same) return false;
            }
            return true;
        });
        if (slips && !known) found.emplace_back(angle.data(), angle.data() + angle.size());
    }
    return found;
}

} // namespace liaison::laws
