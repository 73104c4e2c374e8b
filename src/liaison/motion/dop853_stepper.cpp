// SPDX-License-Identifier: Apache-2.0
// The adaptive Runge–Kutta pair of order 8 with an interpolant of order 7, for fields known by their values.
#include "liaison/motion/dop853_tableau.hpp"
#include "liaison/motion/field_stepper.hpp"
#include "liaison/motion/steppers.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::motion {
namespace {

using namespace dop853;

constexpr std::size_t k_degree = 7;

// The interpolant x + F_0 θ + F_1 θ(1−θ) + F_2 θ²(1−θ) + F_3 θ²(1−θ)² + F_4 θ³(1−θ)² + F_5 θ³(1−θ)³ + F_6 θ⁴(1−θ)³
// in powers of θ: row of F_i, columns θ … θ⁷.
constexpr double k_powers[7][k_degree] = {
    {1, 0, 0, 0, 0, 0, 0},  {1, -1, 0, 0, 0, 0, 0},  {0, 1, -1, 0, 0, 0, 0}, {0, 1, -2, 1, 0, 0, 0},
    {0, 0, 1, -2, 1, 0, 0}, {0, 0, 1, -3, 3, -1, 0}, {0, 0, 0, 1, -3, 3, -1}};

class Dop853Stepper final : public FieldStepper {
  public:
    Dop853Stepper(std::unique_ptr<Field> field, double tolerance)
        : FieldStepper(std::move(field), k_degree, tolerance), K_(k_all_stages * n()), X_(n()),
          end_(n()), error_(n()) {}

    Step advance(const flow::Instant& now, double h_max) override {
        bind(now);
        const FieldStatus here = rates(now.field_time, now.state, stage(0));
        if (here != FieldStatus::ok) return refuse(here);
        double h = std::min(next_ > 0.0 ? next_ : first_step(now, h_max), h_max);
        const bool clipped = h < next_;
        bool rejected = false;
        FieldStatus last = FieldStatus::ok;
        while (true) {
            if (too_small(now, h, h_max)) return underflow(last, h);
            last = attempt(now, h);
            if (last != FieldStatus::ok) {
                h /= 4.0;
                rejected = true;
                continue;
            }
            const double error = error_norm(now, h);
            // The step that would just meet the tolerance, with the usual safety and bounds.
            const double factor =
                std::clamp(0.9 * std::pow(error, -1.0 / 8.0), 1.0 / 3.0, rejected ? 1.0 : 6.0);
            if (error <= 1.0) {
                last = interpolate(now, h);
                if (last == FieldStatus::ok) {
                    next_ = clipped && factor >= 1.0 ? std::max(next_, h * factor) : h * factor;
                    return finish(now, h, h_max, error_, true);
                }
                h /= 4.0;
            } else {
                h *= std::isfinite(error) ? factor : 0.1;
            }
            rejected = true;
        }
    }

    [[nodiscard]] int order() const override { return 8; }

  private:
    [[nodiscard]] std::span<double> stage(std::size_t i) { return {K_.data() + i * n(), n()}; }
    [[nodiscard]] double weight(const flow::Instant& now, std::size_t m) const {
        return tolerance() * (1.0 + std::max(std::abs(now.state[m]), std::abs(end_[m])));
    }

    // Stage i at x + h Σ_{j<i} a_ij V_j.
    FieldStatus evaluate(const flow::Instant& now, double h, std::size_t i) {
        const double* a = k_a.data() + i * (i - 1) / 2;
        for (std::size_t m = 0; m < n(); ++m) {
            double sum = 0.0;
            for (std::size_t j = 0; j < i; ++j) sum += a[j] * K_[j * n() + m];
            X_[m] = now.state[m] + h * sum;
        }
        return rates(now.field_time + k_c[i] * h, X_, stage(i));
    }

    // All stages of the step and the field at its end.
    FieldStatus attempt(const flow::Instant& now, double h) {
        for (std::size_t i = 1; i <= k_stages; ++i) {
            const FieldStatus status = evaluate(now, h, i);
            if (status != FieldStatus::ok) return status;
        }
        end_ = X_;
        return FieldStatus::ok;
    }

    // The estimate of order 5, damped by that of order 3: e_5²/√(e_5² + e_3²/100).
    double error_norm(const flow::Instant& now, double h) {
        double sum5 = 0.0;
        double sum3 = 0.0;
        for (std::size_t m = 0; m < n(); ++m) {
            double e5 = 0.0;
            double e3 = 0.0;
            for (std::size_t i = 0; i <= k_stages; ++i) {
                e5 += k_e5[i] * K_[i * n() + m];
                e3 += k_e3[i] * K_[i * n() + m];
            }
            error_[m] = h * e5;
            const double w = weight(now, m);
            sum5 += e5 * e5 / (w * w);
            sum3 += e3 * e3 / (w * w);
        }
        if (sum5 == 0.0 && sum3 == 0.0) return 1e-10;
        const double error = h * sum5 / std::sqrt((sum5 + 0.01 * sum3) * static_cast<double>(n()));
        return std::max(error, 1e-10);
    }

    FieldStatus interpolate(const flow::Instant& now, double h) {
        for (std::size_t i = k_stages + 1; i < k_all_stages; ++i) {
            const FieldStatus status = evaluate(now, h, i);
            if (status != FieldStatus::ok) return status;
        }
        double F[7];
        for (std::size_t m = 0; m < n(); ++m) {
            const double* b = k_a.data() + k_stages * (k_stages - 1) / 2;
            double slope = 0.0;
            for (std::size_t j = 0; j < k_stages; ++j) slope += b[j] * K_[j * n() + m];
            const double first = K_[m];
            const double last = K_[k_stages * n() + m];
            F[0] = h * slope; // x(t + h) − x(t) without the rounding of the difference
            F[1] = h * (first - slope);
            F[2] = h * (2.0 * slope - first - last);
            for (std::size_t r = 0; r < 4; ++r) {
                double sum = 0.0;
                for (std::size_t i = 0; i < k_all_stages; ++i)
                    sum += k_d[r * k_all_stages + i] * K_[i * n() + m];
                F[3 + r] = h * sum;
            }
            double* c = polynomial(m);
            c[0] = now.state[m];
            c[1] =
                first; // the sum below without its rounding: slow rebounds need their speed exactly
            double scale = 1.0 / h / h;
            for (std::size_t k = 1; k < k_degree; ++k, scale /= h) {
                double sum = 0.0;
                for (std::size_t r = 0; r < 7; ++r) sum += F[r] * k_powers[r][k];
                c[k + 1] = sum == 0.0 ? 0.0 : sum * scale;
            }
        }
        return FieldStatus::ok;
    }

    // Hairer's starting step: an Euler step of a hundredth of |x|/|x'|, then from the change of the field.
    double first_step(const flow::Instant& now, double h_max) {
        end_ = now.state;
        double d0 = 0.0;
        double d1 = 0.0;
        for (std::size_t m = 0; m < n(); ++m) {
            const double w = weight(now, m);
            d0 += now.state[m] * now.state[m] / (w * w);
            d1 += K_[m] * K_[m] / (w * w);
        }
        d0 = std::sqrt(d0);
        d1 = std::sqrt(d1);
        double h = d0 < 1e-10 || d1 < 1e-10 ? 1e-6 * h_max : 0.01 * d0 / d1;
        h = std::min(h, h_max);
        for (std::size_t m = 0; m < n(); ++m) X_[m] = now.state[m] + h * K_[m];
        if (rates(now.field_time + h, X_, stage(1)) != FieldStatus::ok) return 0.01 * h;
        double d2 = 0.0;
        for (std::size_t m = 0; m < n(); ++m) {
            const double change = (K_[n() + m] - K_[m]) / weight(now, m);
            d2 += change * change;
        }
        d2 = std::sqrt(d2) / h;
        const double steep = std::max(d1, d2);
        const double better =
            steep <= 1e-15 ? std::max(1e-6 * h_max, 1e-3 * h) : std::pow(0.01 / steep, 1.0 / 8.0);
        return std::min({100.0 * h, better, h_max});
    }

    static Step underflow(FieldStatus last, double h) {
        if (last == FieldStatus::ok) {
            return {StepStatus::too_small, h,
                    "the step that meets the tolerance is below the resolution of time"};
        }
        Step step = refuse(last);
        step.reason += " just ahead";
        return step;
    }

    std::vector<double> K_; // stages
    std::vector<double> X_;
    std::vector<double> end_;
    std::vector<double> error_;
    double next_ = 0.0; // proposal for the next step
};

} // namespace

std::unique_ptr<Stepper> make_rk_stepper(std::unique_ptr<Field> field, double tolerance) {
    return std::make_unique<Dop853Stepper>(std::move(field), tolerance);
}

} // namespace liaison::motion
