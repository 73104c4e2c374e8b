// SPDX-License-Identifier: Apache-2.0
// Smooth problems by DOP853 written by hand for any number of states.
#include "dop853_tableau.hpp"
#include "smooth.hpp"

namespace {

using namespace peers::dop853;

void integrate(const peers::Problem& p, double tolerance, std::vector<double>& x) {
    const std::size_t n = x.size();
    std::vector<std::vector<double>> k(k_stages + 1, std::vector<double>(n));
    std::vector<double> z(n), y(n);
    double t = 0.0, h = 1e-3;
    p.field(t, x.data(), k[0].data());
    while (t < p.until) {
        const double step = std::min(h, p.until - t);
        for (int s = 1; s < k_stages; ++s) {
            std::fill(z.begin(), z.end(), 0.0);
            for (int j = 0; j < s; ++j)
                if (k_a[s][j] != 0)
                    for (std::size_t i = 0; i < n; ++i) z[i] += k_a[s][j] * k[j][i];
            for (std::size_t i = 0; i < n; ++i) z[i] = x[i] + step * z[i];
            p.field(t + k_c[s] * step, z.data(), k[s].data());
        }
        std::fill(y.begin(), y.end(), 0.0);
        for (int j = 0; j < k_stages; ++j)
            if (k_b[j] != 0)
                for (std::size_t i = 0; i < n; ++i) y[i] += k_b[j] * k[j][i];
        for (std::size_t i = 0; i < n; ++i) y[i] = x[i] + step * y[i];
        p.field(t + step, y.data(), k[k_stages].data());
        double s5 = 0, s3 = 0;
        for (std::size_t i = 0; i < n; ++i) {
            double e5 = 0, e3 = 0;
            for (int j = 0; j <= k_stages; ++j) {
                e5 += k_e5[j] * k[j][i];
                e3 += k_e3[j] * k[j][i];
            }
            const double scale = tolerance * (1 + std::max(std::fabs(x[i]), std::fabs(y[i])));
            s5 += e5 * e5 / (scale * scale);
            s3 += e3 * e3 / (scale * scale);
        }
        const double error =
            s5 == 0 ? 0 : step * s5 / std::sqrt((s5 + 0.01 * s3) * static_cast<double>(n));
        const double factor =
            error > 0 ? std::min(5.0, std::max(0.2, 0.9 * std::pow(error, -1.0 / 8))) : 5.0;
        h = step * factor;
        if (error > 1) continue;
        t += step;
        x.swap(y);
        k[0].swap(k[k_stages]);
    }
}

} // namespace

int main() {
    for (const peers::Problem& p : peers::smooth_problems()) {
        const auto truth = peers::exact_end(p);
        for (const double tolerance : peers::k_tolerances) {
            std::vector<double> x;
            const double seconds = peers::time_of([&] {
                x = p.start;
                integrate(p, tolerance, x);
            });
            peers::print_smooth(p, "hand DOP853", tolerance, seconds, peers::distance(x, truth));
        }
    }
}
