// SPDX-License-Identifier: Apache-2.0
// Stationary motions of the averaged system: seeds on a grid of amplitudes, curves by arclength, folds.
#include "liaison/analysis/resonance.hpp"

#include "liaison/analysis/stationary.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace liaison::analysis {
namespace {

using Eigen::Vector3d;

double wrapped(double angle) { return std::remainder(angle, 2.0 * std::numbers::pi); }

class Search {
  public:
    Search(AveragedSystem& averaged, const flow::Flow& flow, const ResonanceOptions& options)
        : flow_(flow), options_(options), system_(averaged, flow, options) {}

    void run(Resonance& result) {
        for (double x = std::log(options_.smallest_speed); x <= std::log(options_.largest_speed);
             x += k_grid)
            look_at(x, result);
        const double own = (flow_.parameter_values[options_.parameter] - options_.low) /
                           (options_.high - options_.low);
        for (const double mu : {own, 0.02, 0.5, 0.98}) {
            if (mu > 0.0 && mu < 1.0) look_across(mu, result);
        }
        if (result.curves.empty())
            result.nothing = tried_ == 0 ? "no generating motion has a frequency in this range"
                             : felt_ == 0
                                 ? "the force has no effect of first order at this resonance"
                                 : "the averaged system has no stationary motion in this range";
    }

  private:
    static constexpr double k_grid = std::numbers::ln10 / 6.0;
    static constexpr int k_angles = 32;

    // θ' = 0 solved for the parameter; nothing where it is not in the range.
    std::optional<double> tuned(double x, double theta) {
        const auto f = [&](double mu) { return system_.rates({x, theta, mu}); };
        std::array<double, 3> mu{0.0, 0.5, 1.0};
        std::array<double, 3> value{};
        for (std::size_t i = 0; i < 3; ++i) {
            const AveragedRates r = f(mu[i]);
            if (!r.exist) return {};
            value[i] = r.phase;
        }
        for (std::size_t i = 0; i < 2; ++i) {
            if ((value[i] < 0) == (value[i + 1] < 0)) continue;
            double a = mu[i];
            double b = mu[i + 1];
            double fa = value[i];
            double fb = value[i + 1];
            for (int step = 0; step < 60 && b - a > 1e-14; ++step) {
                double m = b - fb * (b - a) / (fb - fa);
                if (!(m > a && m < b)) m = 0.5 * (a + b);
                const double fm = f(m).phase;
                if (std::abs(fm) < 1e-14) return m;
                const bool right = (fm < 0) == (fb < 0);
                (right ? b : a) = m;
                (right ? fb : fa) = fm;
                (right ? fa : fb) *= 0.5;
            }
            return 0.5 * (a + b);
        }
        return {};
    }

    void look_at(double x, Resonance& result) {
        constexpr double k_outside = -1.0;
        std::array<double, k_angles + 1> mu{};
        std::array<double, k_angles + 1> value{};
        double size = 0.0;
        double largest = -1e300;
        double smallest = 1e300;
        for (int i = 0; i <= k_angles; ++i) {
            const auto at = static_cast<std::size_t>(i);
            // the grid avoids the symmetric angles
            const double theta = angle(i);
            mu[at] = i == k_angles ? mu[0] : tuned(x, theta).value_or(k_outside);
            if (mu[at] == k_outside) continue;
            const AveragedRates r = system_.rates({x, theta, mu[at]});
            value[at] = r.speed;
            size = std::max(size, r.size);
            largest = std::max(largest, r.speed);
            smallest = std::min(smallest, r.speed);
        }
        if (largest < smallest) return;
        ++tried_;
        if (largest - smallest <= 1e-12 * size) return; // no phase is preferred
        ++felt_;
        for (std::size_t i = 0; i < k_angles; ++i) {
            if (mu[i] == k_outside || mu[i + 1] == k_outside ||
                (value[i] < 0) == (value[i + 1] < 0))
                continue;
            const double share = value[i] / (value[i] - value[i + 1]);
            Vector3d z{x, angle(static_cast<int>(i)) + share * (angle(1) - angle(0)),
                       mu[i] + share * (mu[i + 1] - mu[i])};
            if (!system_.correct(z, {1.0, 0.0, 0.0}, x) || z[2] < 0.0 || z[2] > 1.0) continue;
            if (!too_strong(z) && !known(z)) trace(z, result);
        }
    }
    // Where the small terms outweigh the motion many times a mean says nothing.
    bool too_strong(const Vector3d& z) {
        constexpr double k_strongest = 10.0;
        return system_.rates(z).strength > k_strongest;
    }
    // At one value of the parameter: cells of the grid of amplitudes and phases in which both rates change sign. Finds
    // curves that are too short in amplitude to be met by look_at.
    void look_across(double mu, Resonance& result) {
        const auto row = [&](double x) {
            std::array<AveragedRates, k_angles + 1> rates;
            for (int i = 0; i <= k_angles; ++i)
                rates[static_cast<std::size_t>(i)] =
                    i == k_angles ? rates[0] : system_.rates({x, angle(i), mu});
            return rates;
        };
        double x = std::log(options_.smallest_speed);
        auto below = row(x);
        while (x <= std::log(options_.largest_speed) && !base::raised(options_.interrupt)) {
            const auto above = row(x + k_grid);
            for (std::size_t i = 0; i < k_angles; ++i) {
                const std::array corners{below[i], below[i + 1], above[i], above[i + 1]};
                if (!std::ranges::all_of(corners, &AveragedRates::exist)) continue;
                const auto changes = [&](double AveragedRates::* rate) {
                    return std::ranges::any_of(corners, [&](const AveragedRates& r) {
                        return (r.*rate < 0) != (corners[0].*rate < 0);
                    });
                };
                if (!changes(&AveragedRates::speed) || !changes(&AveragedRates::phase)) continue;
                const double size = std::ranges::max(corners, {}, &AveragedRates::size).size;
                const auto [low, high] = std::ranges::minmax(corners, {}, &AveragedRates::speed);
                if (high.speed - low.speed <= 1e-12 * size) continue;
                Vector3d z{x + 0.5 * k_grid,
                           angle(static_cast<int>(i)) + 0.5 * (angle(1) - angle(0)), mu};
                if (system_.correct(z, {0.0, 0.0, 1.0}, mu) && !too_strong(z) && !known(z))
                    trace(z, result);
            }
            below = above;
            x += k_grid;
        }
    }

    static double angle(int i) { return 2.0 * std::numbers::pi * (i + 0.37) / k_angles; }

    // Whether a curve already passes here, or went on from its end to here: towards large amplitudes curves come close to
    // the frequency of the generating motion and are followed no further.
    bool known(const Vector3d& z) const {
        for (const auto& curve : traced_) {
            for (std::size_t i = 0; i + 1 < curve.size(); ++i) {
                Vector3d d = curve[i + 1] - curve[i];
                Vector3d r = z - curve[i];
                d[1] = wrapped(d[1]);
                r[1] = wrapped(r[1]);
                const double length = d.squaredNorm();
                const double share = length > 0.0 ? std::clamp(r.dot(d) / length, 0.0, 1.0) : 0.0;
                if ((r - share * d).norm() < 0.3 * std::sqrt(length) + 1e-9) return true;
            }
        }
        return std::ranges::any_of(tails_, [&](const Tail& tail) { return tail.leads_to(z); });
    }

    // A curve that grows without end: what is left of its phase and parameter falls like the inverse of the amplitude, so
    // that it stays within the slopes it has at its end.
    struct Tail {
        Vector3d end;
        Vector3d slope; // by the logarithm of the amplitude

        [[nodiscard]] bool leads_to(const Vector3d& z) const {
            constexpr double k_margin = 4.0;
            const Vector3d r = z - end;
            return r[0] > 0.0 && std::abs(wrapped(r[1])) <= k_margin * std::abs(slope[1]) + 1e-6 &&
                   std::abs(r[2]) <= k_margin * std::abs(slope[2]) + 1e-6;
        }
    };

    void trace(const Vector3d& seed, Resonance& result) {
        ResonanceCurve curve;
        std::vector<Vector3d> ahead = walk(seed, 1.0, curve, result);
        std::vector<Vector3d> all;
        if (!curve.closed) {
            all = walk(seed, -1.0, curve, result);
            std::reverse(all.begin(), all.end());
        }
        all.push_back(seed);
        all.insert(all.end(), ahead.begin(), ahead.end());
        for (const Vector3d& z : all) curve.points.push_back(system_.motion(z));
        if (curve.closed) all.push_back(all.front()); // the last stretch belongs to it too
        stand_here(all, result);
        traced_.push_back(std::move(all));
        result.curves.push_back(std::move(curve));
    }

    // One direction from the seed, which is not repeated.
    std::vector<Vector3d> walk(const Vector3d& seed, double direction, ResonanceCurve& curve,
                               Resonance& result) {
        constexpr double k_largest = 0.06;
        constexpr double k_smallest = 1e-6;
        constexpr std::size_t k_most = 1500;
        std::vector<Vector3d> out;
        auto along = system_.tangent(seed, {0.0, 0.0, 1.0});
        if (!along) return out;
        Vector3d t = *along * direction;
        const Vector3d first = t;
        Vector3d here = seed;
        double ds = 0.01;
        while (out.size() < k_most && !base::raised(options_.interrupt)) {
            Vector3d next = here + ds * t;
            const bool good = system_.correct(next, t, t.dot(here) + ds);
            const auto turn = good ? system_.tangent(next, t) : std::nullopt;
            if (!turn || turn->dot(t) < 0.97) {
                ds *= 0.5;
                if (ds < k_smallest) {
                    curve.cut = true;
                    return out;
                }
                continue;
            }
            if (next[2] < 0.0 || next[2] > 1.0) {
                const double bound = next[2] < 0.0 ? 0.0 : 1.0;
                Vector3d end = here + (next - here) * ((bound - here[2]) / (next[2] - here[2]));
                if (system_.correct(end, {0.0, 0.0, 1.0}, bound)) out.push_back(end);
                return out;
            }
            if ((t[2] < 0) != ((*turn)[2] < 0)) fold(here, t, ds, result);
            out.push_back(next);
            // Growing without end towards the frequency of the generating motion.
            if (std::abs((*turn)[2]) < 2e-4 && std::abs((*turn)[0]) > 0.99 &&
                std::abs(next[0] - seed[0]) > 2.0) {
                curve.cut = true;
                if ((*turn)[0] > 0.0) tails_.push_back({next, *turn / (*turn)[0]});
                return out;
            }
            if (next[0] < std::log(options_.smallest_speed) ||
                next[0] > std::log(options_.largest_speed) || too_strong(next)) {
                curve.cut = true;
                return out;
            }
            Vector3d back = next - seed;
            back[1] = wrapped(back[1]);
            if (out.size() > 4 && back.norm() < ds && turn->dot(first) > 0.9) {
                curve.closed = true;
                return out;
            }
            if (turn->dot(t) > 0.99) ds = std::min(k_largest, 1.6 * ds);
            here = next;
            t = *turn;
        }
        curve.cut = true;
        return out;
    }

    // Between here and a step ahead the parameter turns: the zero of its share in the tangent.
    void fold(const Vector3d& here, const Vector3d& t, double ds, Resonance& result) {
        double a = 0.0;
        double b = ds;
        double fa = t[2];
        double fb = 0.0;
        Vector3d best = here;
        const auto slope = [&](double s) -> std::optional<double> {
            Vector3d z = here + s * t;
            if (!system_.correct(z, t, t.dot(here) + s)) return {};
            const auto turned = system_.tangent(z, t);
            if (!turned) return {};
            best = z;
            return (*turned)[2];
        };
        if (const auto end = slope(b))
            fb = *end;
        else
            return;
        for (int i = 0; i < 60 && b - a > 1e-12; ++i) {
            double s = b - fb * (b - a) / (fb - fa);
            if (!(s > a && s < b)) s = 0.5 * (a + b);
            const auto f = slope(s);
            if (!f || std::abs(*f) < 1e-12) break;
            const bool right = (*f < 0) == (fb < 0);
            (right ? b : a) = s;
            (right ? fb : fa) = *f;
            (right ? fa : fb) *= 0.5;
        }
        result.limits.push_back(system_.motion(best));
    }

    // The points of a curve at the parameter's own value.
    void stand_here(const std::vector<Vector3d>& curve, Resonance& result) {
        const double mu = (flow_.parameter_values[options_.parameter] - options_.low) /
                          (options_.high - options_.low);
        for (std::size_t i = 0; i + 1 < curve.size(); ++i) {
            if ((curve[i][2] < mu) == (curve[i + 1][2] < mu)) continue;
            const double share = (mu - curve[i][2]) / (curve[i + 1][2] - curve[i][2]);
            Vector3d z = curve[i] + share * (curve[i + 1] - curve[i]);
            if (system_.correct(z, {0.0, 0.0, 1.0}, mu)) result.here.push_back(system_.motion(z));
        }
    }

    const flow::Flow& flow_;
    const ResonanceOptions& options_;
    Stationary system_;
    std::vector<std::vector<Vector3d>> traced_;
    std::vector<Tail> tails_;
    int tried_ = 0;
    int felt_ = 0;
};

// How much the means change with twice as many points.
double quadrature_error(AveragedSystem& coarse, AveragedSystem& fine, const Resonance& resonance,
                        std::vector<double> values, std::size_t parameter) {
    double worst = 0.0;
    for (const ResonanceCurve& curve : resonance.curves) {
        const std::size_t stride = std::max<std::size_t>(1, curve.points.size() / 4);
        for (std::size_t i = 0; i < curve.points.size(); i += stride) {
            const StationaryMotion& m = curve.points[i];
            values[parameter] = m.parameter;
            const AveragedRates a = coarse.rates(m.speed, m.phase, values);
            const AveragedRates b = fine.rates(m.speed, m.phase, values);
            worst = std::max(worst, std::abs(a.speed - b.speed) / std::max(b.size, 1e-300));
        }
    }
    return worst;
}

} // namespace

int nearest_resonance(const ImpactOscillator& oscillator, const flow::Flow& flow) {
    AveragedSystem averaged(oscillator, flow.pool, flow.parameters, 1, 1);
    const double period = averaged.swing(1.0, flow.parameter_values).period;
    const double other = averaged.swing(2.0, flow.parameter_values).period;
    if (!(period > 0.0) || std::abs(period - other) > 1e-10 * period) return 1;
    const double ratio =
        std::abs(averaged.frequency(flow.parameter_values)) * period / (2.0 * std::numbers::pi);
    constexpr double k_most = 1000.0;
    return static_cast<int>(std::clamp(std::round(ratio), 1.0, k_most));
}

Resonance find_resonance(const ImpactOscillator& oscillator,
                         const std::shared_ptr<const flow::Flow>& flow,
                         const ResonanceOptions& options) {
    Resonance result;
    result.n = options.n;
    result.k = options.k;
    AveragedSystem averaged(oscillator, flow->pool, flow->parameters, options.n, options.k);
    Search(averaged, *flow, options).run(result);
    if (result.curves.empty()) return result;
    std::ranges::sort(result.here, std::greater{}, &StationaryMotion::amplitude);

    const auto& values = flow->parameter_values;
    double least = result.curves[0].points[0].speed;
    double most = least;
    for (const ResonanceCurve& curve : result.curves) {
        for (const StationaryMotion& m : curve.points) {
            least = std::min(least, m.speed);
            most = std::max(most, m.speed);
        }
    }
    const double slow = averaged.swing(least, values).period;
    const double fast = averaged.swing(std::max(most, 2.0 * least), values).period;
    result.natural = 2.0 * std::numbers::pi / slow;
    result.isochronous = std::abs(slow - fast) < 1e-10 * slow;
    AveragedSystem fine(oscillator, flow->pool, flow->parameters, options.n, options.k, 2);
    result.quadrature = quadrature_error(averaged, fine, result, values, options.parameter);

    if (options.exact > 0) {
        const auto compare = [&](StationaryMotion& m) {
            if (!base::raised(options.interrupt))
                m.exact = exact_motion(averaged, m, *flow, options.parameter, options.tolerance,
                                       options.interrupt);
        };
        for (ResonanceCurve& curve : result.curves) {
            const std::size_t stride =
                std::max<std::size_t>(1, curve.points.size() / options.exact);
            for (std::size_t i = stride / 2; i < curve.points.size(); i += stride)
                compare(curve.points[i]);
        }
        for (StationaryMotion& m : result.here) compare(m);
    }
    return result;
}

} // namespace liaison::analysis
