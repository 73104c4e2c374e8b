// SPDX-License-Identifier: Apache-2.0
// The forced impact oscillator by hand: Taylor series and DOP853 as an expert writes them for this one system.
//
// Both keep time local to the period, so that 1e5 periods cost no digits, and restart at the phase zero. The order of the
// Taylor series is a compile-time constant, so that its loops are unrolled: the usual order for the tolerance (Jorba
// & Zou), and a higher one, which pays here because the recurrences are linear. The search for the impact is a sign
// test at the end and at an interior maximum: right for this motion, proved for none.
#include "dop853_tableau.hpp"
#include "oscillator.hpp"

#include <array>

namespace {

using peers::Oscillator;
using peers::State;

struct Run {
    std::vector<State> states;
    long steps = 0;
    long impacts = 0;
    double seconds = 0.0;
};

template <int p>
struct Series {
    std::array<double, p + 1> c;

    [[nodiscard]] double s(double x) const {
        double a = c[p];
        for (int i = p - 1; i >= 0; --i) a = a * x + c[i];
        return a;
    }
    [[nodiscard]] double v(double x) const {
        double a = p * c[p];
        for (int i = p - 1; i >= 1; --i) a = a * x + i * c[i];
        return a;
    }
    void expand(const Oscillator& o, double t, double s0, double v0) {
        static constexpr auto inverse = [] {
            std::array<double, p + 2> r{};
            for (int i = 1; i < p + 2; ++i) r[i] = 1.0 / i;
            return r;
        }();
        double sn = std::sin(o.w * t);
        double cs = std::cos(o.w * t);
        c[0] = s0;
        c[1] = v0;
#pragma GCC unroll 64
        for (int n = 0; n + 2 <= p; ++n) {
            c[n + 2] = (sn - c[n] - o.h * (n + 1) * c[n + 1]) * (inverse[n + 1] * inverse[n + 2]);
            const double factor = o.w * inverse[n + 1];
            const double next = factor * cs;
            cs = -factor * sn;
            sn = next;
        }
    }
    // Jorba & Zou: the last two terms at a fraction of the tolerance.
    [[nodiscard]] double step(double tolerance) const {
        const double m = tolerance * std::max(1.0, std::max(std::fabs(c[0]), std::fabs(c[1])));
        const double last = std::max(1e-300, std::fabs(c[p]) * p);
        const double before = std::max(1e-300, std::fabs(c[p - 1]) * (p - 1));
        constexpr double share = 0.067;
        return std::min(std::pow(share * m / last, 1.0 / p),
                        std::pow(share * m / before, 1.0 / (p - 1)));
    }
};

template <int p>
Run taylor(const Oscillator& o, double tolerance, long periods) {
    Run r;
    const double T = o.period();
    double s = o.s0, v = o.v0;
    Series<p> series;
    const double begin = peers::cpu_seconds();
    for (long k = 0; k < periods; ++k) {
        for (double t = 0.0; t < T;) {
            series.expand(o, t, s, v);
            ++r.steps;
            const double left = T - t;
            const double h = std::min(series.step(tolerance), left);
            const double end = series.s(h);
            const double speed = series.v(h);
            bool beyond = end > o.delta;
            double upper = h;
            if (!beyond && v > 0 && speed < 0) { // a maximum inside
                double a = 0, b = h;
                for (int i = 0; i < 50; ++i) {
                    const double q = 0.5 * (a + b);
                    (series.v(q) > 0 ? a : b) = q;
                }
                beyond = series.s(a) > o.delta;
                if (beyond) upper = a;
            }
            if (!beyond) {
                t = h == left ? T : t + h;
                s = end;
                v = speed;
                continue;
            }
            double a = 0, b = upper;
            for (int i = 0; i < 4; ++i) {
                const double q = 0.5 * (a + b);
                (series.s(q) > o.delta ? b : a) = q;
            }
            double x = 0.5 * (a + b);
            for (int i = 0; i < 10; ++i) {
                const double d = (series.s(x) - o.delta) / series.v(x);
                x -= d;
                if (std::fabs(d) < 1e-9) break; // the next correction would be below 1e-16
            }
            t += x;
            s = o.delta;
            v = -o.e * series.v(x);
            ++r.impacts;
        }
        r.states.push_back({s, v});
    }
    r.seconds = peers::cpu_seconds() - begin;
    return r;
}

// One step of DOP853 with its error estimate; k1 is the slope at the start, kn at the end.
double dop_step(const Oscillator& o, double t, const double* x, const double* k1, double h,
                double* y, double* kn, double tolerance) {
    using namespace peers::dop853;
    const auto f = [&](double time, const double* z, double* d) {
        d[0] = z[1];
        d[1] = std::sin(o.w * time) - o.h * z[1] - z[0];
    };
    double k[k_stages + 1][2];
    k[0][0] = k1[0];
    k[0][1] = k1[1];
#pragma GCC unroll 16
    for (int i = 1; i < k_stages; ++i) {
        double z[2] = {0, 0};
#pragma GCC unroll 16
        for (int j = 0; j < i; ++j)
            if (k_a[i][j] != 0)
                for (int l = 0; l < 2; ++l) z[l] += k_a[i][j] * k[j][l];
        for (int l = 0; l < 2; ++l) z[l] = x[l] + h * z[l];
        f(t + k_c[i] * h, z, k[i]);
    }
    double b[2] = {0, 0};
    for (int j = 0; j < k_stages; ++j)
        for (int l = 0; l < 2; ++l) b[l] += k_b[j] * k[j][l];
    for (int l = 0; l < 2; ++l) y[l] = x[l] + h * b[l];
    f(t + h, y, k[k_stages]);
    double s5 = 0, s3 = 0;
    for (int l = 0; l < 2; ++l) {
        kn[l] = k[k_stages][l];
        double e5 = 0, e3 = 0;
        for (int j = 0; j <= k_stages; ++j) {
            e5 += k_e5[j] * k[j][l];
            e3 += k_e3[j] * k[j][l];
        }
        const double scale = tolerance * (1 + std::max(std::fabs(x[l]), std::fabs(y[l])));
        s5 += e5 * e5 / (scale * scale);
        s3 += e3 * e3 / (scale * scale);
    }
    return s5 == 0 ? 0 : std::fabs(h) * s5 / std::sqrt((s5 + 0.01 * s3) * 2);
}

Run dop853(const Oscillator& o, double tolerance, long periods) {
    Run r;
    const double T = o.period();
    double x[2] = {o.s0, o.v0}, k1[2], y[2], kn[2];
    double h = 0.05;
    const double begin = peers::cpu_seconds();
    for (long k = 0; k < periods; ++k) {
        const auto slope = [&](double t) {
            k1[0] = x[1];
            k1[1] = std::sin(o.w * t) - o.h * x[1] - x[0];
        };
        slope(0.0);
        for (double t = 0.0; t < T;) {
            const double left = T - t;
            const double step = std::min(h, left);
            const double error = dop_step(o, t, x, k1, step, y, kn, tolerance);
            ++r.steps;
            double factor = error > 0 ? 0.9 * std::pow(error, -1.0 / 8) : 5.0;
            factor = std::min(5.0, std::max(0.2, factor));
            if (error > 1) {
                h = step * factor;
                continue;
            }
            if (step < left || factor < 1) h = step * factor;
            // position between the ends by cubic Hermite interpolation, for the search only
            const auto between = [&](double q) {
                const double d = y[0] - x[0];
                return x[0] + q * d +
                       q * (q - 1) * ((1 - 2 * q) * d + (q - 1) * step * k1[0] + q * step * kn[0]) -
                       o.delta;
            };
            bool beyond = y[0] > o.delta;
            double upper = 1.0;
            if (!beyond && x[1] > 0 && kn[0] < 0)
                for (int i = 1; i < 8 && !beyond; ++i)
                    if (between(i / 8.0) > 0) {
                        beyond = true;
                        upper = i / 8.0;
                    }
            if (!beyond) {
                t = step == left ? T : t + step;
                for (int l = 0; l < 2; ++l) {
                    x[l] = y[l];
                    k1[l] = kn[l];
                }
                continue;
            }
            double a = 0, b = upper;
            for (int i = 0; i < 12; ++i) {
                const double q = 0.5 * (a + b);
                (between(q) > 0 ? b : a) = q;
            }
            double to = 0.5 * (a + b) * step, z[2], kz[2];
            for (int i = 0; i < 8; ++i) { // Newton on the length of the step itself
                dop_step(o, t, x, k1, to, z, kz, tolerance);
                const double d = (z[0] - o.delta) / z[1];
                to -= d;
                if (std::fabs(d) < 1e-9) {
                    z[1] -= d * kz[1];
                    break;
                }
            }
            t += to;
            x[0] = o.delta;
            x[1] = -o.e * z[1];
            slope(t);
            ++r.impacts;
        }
        r.states.push_back({x[0], x[1]});
    }
    r.seconds = peers::cpu_seconds() - begin;
    return r;
}

} // namespace

int main(int argc, char** argv) {
    const long periods = peers::periods_of(argc, argv, 100'000);
    const Oscillator o;
    const auto truth = peers::reference(o, periods);
    const auto report = [&](const char* name, double tolerance, const Run& r) {
        peers::print_result(name, tolerance, periods, r.seconds, r.steps, r.impacts,
                            peers::final_error(r.states, truth));
    };
    report("hand Taylor", 1e-9, taylor<12>(o, 1e-9, periods));
    report("hand Taylor", 1e-12, taylor<15>(o, 1e-12, periods));
    report("hand Taylor, tuned order", 1e-9, taylor<20>(o, 1e-9, periods));
    report("hand Taylor, tuned order", 1e-12, taylor<24>(o, 1e-12, periods));
    report("hand DOP853", 1e-9, dop853(o, 1e-9, periods));
    report("hand DOP853", 1e-12, dop853(o, 1e-12, periods));
}
