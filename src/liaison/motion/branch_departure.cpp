// SPDX-License-Identifier: Apache-2.0
// Collocation at Chebyshev points beyond a branch point.
#include "liaison/motion/branch_departure.hpp"

#include "liaison/compile/taylor_step.hpp"
#include "liaison/flow/root_guard.hpp"
#include "liaison/motion/flow_field.hpp"
#include "liaison/motion/flow_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace liaison::motion {
namespace {

constexpr double k_epsilon = std::numeric_limits<double>::epsilon();
constexpr std::size_t k_points = 16;
constexpr std::size_t k_degree = k_points; // of the states: one more than of their rates
constexpr std::size_t k_width = k_degree + 1;

// Interpolation at the points: T_k* are the Chebyshev polynomials of 2θ − 1.
struct Rule {
    std::array<double, k_points> theta{};
    std::array<std::array<double, k_points>, k_points>
        transform{}; // values to coefficients of T_k*
    std::array<std::array<double, k_points>, k_points> integral{}; // values to ∫₀^θi
    std::array<std::array<double, k_width>, k_width> powers{}; // T_k* in powers of θ, row k

    Rule() {
        constexpr auto s = static_cast<double>(k_points);
        std::array<std::array<double, k_width>, k_points> T{}; // T_k at point i
        for (std::size_t i = 0; i < k_points; ++i) {
            const double angle =
                (2.0 * static_cast<double>(i) + 1.0) * std::numbers::pi / (2.0 * s);
            theta[i] = std::pow(std::sin(angle / 2.0), 2);
            for (std::size_t k = 0; k <= k_points; ++k)
                T[i][k] = (k % 2 == 0 ? 1.0 : -1.0) * std::cos(static_cast<double>(k) * angle);
        }
        for (std::size_t k = 0; k < k_points; ++k)
            for (std::size_t i = 0; i < k_points; ++i)
                transform[k][i] = (k == 0 ? 1.0 : 2.0) / s * T[i][k];
        for (std::size_t i = 0; i < k_points; ++i) {
            for (std::size_t k = 0; k < k_points; ++k) {
                std::array<double, k_points> unit{};
                unit[k] = 1.0;
                const auto b = integrated(unit);
                double at = 0.0;
                for (std::size_t m = 0; m <= k_points; ++m) at += b[m] * T[i][m];
                for (std::size_t j = 0; j < k_points; ++j) integral[i][j] += at * transform[k][j];
            }
        }
        // T_k* = 2(2θ − 1)T_{k−1}* − T_{k−2}*: integers, exact in doubles
        powers[0][0] = 1.0;
        powers[1][0] = -1.0;
        powers[1][1] = 2.0;
        for (std::size_t k = 2; k < k_width; ++k) {
            for (std::size_t j = 0; j <= k; ++j) {
                const double up = j > 0 ? 4.0 * powers[k - 1][j - 1] : 0.0;
                powers[k][j] = up - 2.0 * powers[k - 1][j] - powers[k - 2][j];
            }
        }
    }

    // Coefficients of ∫₀^θ Σ a_k T_k*: ∫T_k dz = T_{k+1}/(2(k+1)) − T_{k−1}/(2(k−1)), z = 2θ − 1.
    static std::array<double, k_width> integrated(const std::array<double, k_points>& a) {
        std::array<double, k_width> b{};
        for (std::size_t k = 0; k < k_points; ++k) {
            const auto n = static_cast<double>(k);
            if (k == 0) {
                b[1] += a[0] / 2.0;
            } else if (k == 1) {
                b[2] += a[1] / 8.0;
            } else {
                b[k + 1] += a[k] / (4.0 * (n + 1.0));
                b[k - 1] -= a[k] / (4.0 * (n - 1.0));
            }
        }
        // Zero at θ = 0, where T_k = (−1)^k.
        for (std::size_t k = 1; k < k_width; ++k) b[0] += k % 2 == 0 ? -b[k] : b[k];
        return b;
    }
};

class Collocation final : public BranchDeparture {
  public:
    Collocation(const flow::Flow& flow, double tolerance)
        : field_(make_flow_field(flow)), tolerance_(tolerance), n_(flow.states.size()),
          n_guards_(flow.guards.size()), watched_(n_guards_, 0), X_(k_points * n_),
          F_(k_points * n_), at_(n_), rates_(n_), guards_(k_points * n_guards_),
          polynomials_((n_ + n_guards_) * k_width), remainder_(n_guards_) {
        for (const flow::Guard& g : flow.guards) root_.push_back(flow::is_root(g) ? 1 : 0);
    }

    void begin_with(double h) override { first_ = h; }

    Step advance(const flow::Instant& now, double h_max) override {
        constexpr double k_shrink = 0.5;
        bind(now);
        const double least = k_time_resolution * std::max(std::abs(now.time.rounded()), h_max);
        double h = first_ > 0.0 ? std::min(first_, h_max) : h_max;
        // A shorter step does not help where rounding in a guard hides it; its remainder tells.
        constexpr double k_rounding = 1e2;
        double coarse = 0.0; // a length at which a guard was fitted to so many tolerances only
        for (; h >= least || h == h_max; h *= k_shrink) {
            const bool solved = solve(now, h) && agrees(now, h);
            const double off = solved ? fit_guards(now, h) : k_rounding;
            if (solved && off <= 1.0) {
                const double turn = first_turn(h);
                if (turn >= h) return {StepStatus::ok, h, {}};
                h = turn / k_shrink;
                continue;
            }
            if (coarse > 0.0) break;
            if (off < k_rounding) coarse = h;
        }
        if (coarse > 0.0 && solve(now, coarse) && agrees(now, coarse)) {
            fit_guards(now, coarse);
            return {StepStatus::ok, coarse, {}};
        }
        return {StepStatus::not_finite, 0.0, "the field has no values just ahead"};
    }

    [[nodiscard]] double mismatch(const Stepper& other, const flow::Instant& now,
                                  double tau) override {
        bind(now);
        for (std::size_t m = 0; m < n_; ++m) at_[m] = compile::evaluate(other.state(m), tau);
        if (field_->rates(now.field_time + tau, at_, rates_) != FieldStatus::ok)
            return std::numeric_limits<double>::infinity();
        double off = 0.0;
        for (std::size_t m = 0; m < n_; ++m) {
            const double miss =
                std::abs(compile::evaluate_derivative(other.state(m), tau) - rates_[m]);
            off = std::max(off, tau * miss / (1.0 + std::abs(at_[m])));
        }
        const std::span<double> values(guards_.data(), n_guards_);
        field_->guards(now.field_time + tau, at_, values);
        for (std::size_t k = 0; k < n_guards_; ++k) {
            if (watched_[k] == 0 || root_[k] != 0) continue;
            const double miss = std::abs(compile::evaluate(other.guard(k), tau) - values[k]);
            if (!std::isfinite(miss)) return std::numeric_limits<double>::infinity();
            off = std::max(off, miss / (1.0 + std::abs(values[k])));
        }
        return off / tolerance_;
    }

    void forget() override { bound_ = false; }
    void watch(std::span<const char> watched) override {
        watched_.assign(watched.begin(), watched.end());
    }
    [[nodiscard]] std::span<const double> state(std::size_t i) const override {
        return std::span(polynomials_).subspan(i * k_width, k_width);
    }
    [[nodiscard]] std::span<const double> guard(std::size_t k) const override {
        return std::span(polynomials_).subspan((n_ + k) * k_width, k_width);
    }
    [[nodiscard]] double guard_remainder(std::size_t k, double) const override {
        return remainder_[k];
    }
    [[nodiscard]] int order() const override { return static_cast<int>(k_points); }
    [[nodiscard]] int degree() const override { return static_cast<int>(k_degree); }
    [[nodiscard]] int remainder_order() const override { return 0; }
    [[nodiscard]] std::size_t evaluations() const override { return evaluations_; }

  private:
    void bind(const flow::Instant& now) {
        if (bound_ && now.mode == mode_) return;
        mode_ = now.mode;
        field_->bind(now.parameters, mode_);
        bound_ = true;
    }

    // The states at the points by iteration.
    bool solve(const flow::Instant& now, double h) {
        constexpr int k_rounds = 60;
        // Positions move with their velocities; what has no rate here stands.
        field_->rates(now.field_time, now.state, rates_);
        for (std::size_t i = 0; i < k_points; ++i)
            for (std::size_t m = 0; m < n_; ++m)
                X_[i * n_ + m] = now.state[m] +
                                 (std::isfinite(rates_[m]) ? rule_.theta[i] * h * rates_[m] : 0.0);
        double last = std::numeric_limits<double>::infinity();
        for (int round = 0; round < k_rounds; ++round) {
            for (std::size_t i = 0; i < k_points; ++i) {
                ++evaluations_;
                const FieldStatus status = field_->rates(now.field_time + rule_.theta[i] * h,
                                                         std::span(X_).subspan(i * n_, n_),
                                                         std::span(F_).subspan(i * n_, n_));
                if (status != FieldStatus::ok) return false;
            }
            double change = 0.0;
            for (std::size_t i = 0; i < k_points; ++i) {
                for (std::size_t m = 0; m < n_; ++m) {
                    double sum = 0.0;
                    for (std::size_t j = 0; j < k_points; ++j)
                        sum += rule_.integral[i][j] * F_[j * n_ + m];
                    double& x = X_[i * n_ + m];
                    const double next = now.state[m] + h * sum;
                    change = std::max(change, std::abs(next - x) / (1.0 + std::abs(next)));
                    x = next;
                }
            }
            if (change <= 2.0 * k_epsilon) return true;
            // As near as rounding lets it come, or never.
            if (round > 2 && !(change < 0.9 * last)) return change <= k_share * tolerance_;
            last = change;
        }
        return last <= k_share * tolerance_;
    }

    // Writes the polynomials of the states; whether they meet the field, by their last coefficients and between the points.
    bool agrees(const flow::Instant& now, double h) {
        std::array<double, k_points> a{};
        for (std::size_t m = 0; m < n_; ++m) {
            coefficients(F_, n_, m, a);
            const double tail = std::abs(a[k_points - 1]) + std::abs(a[k_points - 2]);
            if (!(h * tail <= k_share * tolerance_ * (1.0 + std::abs(now.state[m])))) return false;
            auto b = Rule::integrated(a);
            for (double& c : b) c *= h;
            const auto p = polynomial(m);
            write(b, h, p);
            p[0] = now.state[m];
        }
        for (const double theta : {0.0123, 0.4321, 1.0}) {
            for (std::size_t m = 0; m < n_; ++m) at_[m] = compile::evaluate(state(m), theta * h);
            ++evaluations_;
            if (field_->rates(now.field_time + theta * h, at_, rates_) != FieldStatus::ok)
                return false;
            for (std::size_t m = 0; m < n_; ++m) {
                const double defect =
                    std::abs(compile::evaluate_derivative(state(m), theta * h) - rates_[m]);
                if (!(h * defect <= tolerance_ * (1.0 + std::abs(at_[m])))) return false;
            }
        }
        return true;
    }

    // The largest remainder of a watched guard in units of what the tolerance allows.
    double fit_guards(const flow::Instant& now, double h) {
        double off = 0.0;
        for (std::size_t i = 0; i < k_points; ++i)
            field_->guards(now.field_time + rule_.theta[i] * h, std::span(X_).subspan(i * n_, n_),
                           std::span(guards_).subspan(i * n_guards_, n_guards_));
        std::array<double, k_points> a{};
        for (std::size_t k = 0; k < n_guards_; ++k) {
            const auto p = polynomial(n_ + k);
            std::ranges::fill(p, 0.0);
            p[0] = 1.0;
            remainder_[k] = 0.0;
            if (watched_[k] == 0) continue;
            coefficients(guards_, n_guards_, k, a);
            double size = 0.0;
            for (const double c : a) size += std::abs(c);
            if (!std::isfinite(size)) {
                // A root that has no value belongs to a function that is not used here.
                if (root_[k] == 0) return std::numeric_limits<double>::infinity();
                continue;
            }
            std::array<double, k_width> b{};
            std::ranges::copy(a, b.begin());
            const double lost = write(b, h, p);
            const double tail = std::abs(a[k_points - 1]) + std::abs(a[k_points - 2]);
            remainder_[k] = 2.0 * tail + k_epsilon * lost;
            off = std::max(off, tail / (tolerance_ * (1.0 + size)));
        }
        return off;
    }

    // A root that turns before the first point shows nothing but a fit that is negative at the start; when it does, or h.
    [[nodiscard]] double first_turn(double h) const {
        double first = h;
        for (std::size_t k = 0; k < n_guards_; ++k) {
            if (watched_[k] == 0 || root_[k] == 0) continue;
            const auto c = guard(k);
            if (-c[0] > 8.0 * remainder_[k] + tolerance_ * c[1] && -c[0] < c[1] * first)
                first = -c[0] / c[1];
        }
        return first;
    }

    void coefficients(std::span<const double> values, std::size_t stride, std::size_t m,
                      std::array<double, k_points>& a) const {
        for (std::size_t k = 0; k < k_points; ++k) {
            a[k] = 0.0;
            for (std::size_t i = 0; i < k_points; ++i)
                a[k] += rule_.transform[k][i] * values[i * stride + m];
        }
    }

    // Σ b_k T_k*(τ/h) in powers of τ; the sum of the sizes of all terms.
    double write(const std::array<double, k_width>& b, double h, std::span<double> p) const {
        double lost = 0.0;
        std::array<double, k_width> c{};
        for (std::size_t k = k_width; k-- > 0;) {
            for (std::size_t j = 0; j <= k; ++j) {
                const double term = b[k] * rule_.powers[k][j];
                c[j] += term;
                lost += std::abs(term);
            }
        }
        double scale = 1.0;
        for (std::size_t j = 0; j < k_width; ++j, scale /= h)
            p[j] = c[j] == 0.0 ? 0.0 : c[j] * scale;
        return lost;
    }
    [[nodiscard]] std::span<double> polynomial(std::size_t i) {
        return std::span(polynomials_).subspan(i * k_width, k_width);
    }

    static constexpr double k_share = 1.0 / 15.0; // of the tolerance, as series leave it
    Rule rule_;
    std::unique_ptr<Field> field_;
    double tolerance_;
    std::size_t n_;
    std::size_t n_guards_;
    std::vector<char> watched_, root_;
    std::vector<double> mode_;
    std::vector<double> X_, F_; // states and rates by point
    std::vector<double> at_, rates_;
    std::vector<double> guards_; // by point
    std::vector<double> polynomials_; // states, then guards
    std::vector<double> remainder_;
    double first_ = 0.0;
    bool bound_ = false;
    std::size_t evaluations_ = 0;
};

} // namespace

std::unique_ptr<BranchDeparture> branch_departure(const flow::Flow& flow, double tolerance) {
    if (!flow::has_roots(flow)) return nullptr;
    return std::make_unique<Collocation>(flow, tolerance);
}

} // namespace liaison::motion
