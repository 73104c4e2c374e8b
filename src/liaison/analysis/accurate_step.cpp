// SPDX-License-Identifier: Apache-2.0
// A fixed step from the accuracy of the states: one step against two of half the length, along the motion.
#include "liaison/analysis/program_choice.hpp"
#include "liaison/flow/probe.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

class Doubling {
  public:
    Doubling(const flow::Flow& flow, const motion::Tableau& method)
        : method_(method), rates_(flow, flow.rates), n_(flow.n_controlled) {
        now_.parameters = flow.parameter_values;
    }

    // Whether the error of a step from this sample is within the tolerance.
    bool accurate(const motion::Sample& sample, double h, double tolerance) {
        now_.mode = sample.mode;
        const auto whole = step(sample.state, sample.field_time, h);
        const auto half = step(sample.state, sample.field_time, 0.5 * h);
        const auto twice = step(half, sample.field_time + 0.5 * h, 0.5 * h);
        for (std::size_t i = 0; i < n_; ++i) {
            const double size = 1.0 + std::abs(sample.state[i]);
            if (!(std::abs(whole[i] - twice[i]) <= tolerance * size)) return false;
        }
        return true;
    }

  private:
    std::vector<double> step(const std::vector<double>& x, double t, double h) {
        const std::size_t s = method_.stages;
        std::vector<std::vector<double>> V;
        const auto moved = [&](const double* weights, std::size_t count) {
            std::vector<double> X = x;
            for (std::size_t j = 0; j < count; ++j) {
                for (std::size_t i = 0; i < X.size(); ++i) X[i] += h * weights[j] * V[j][i];
            }
            return X;
        };
        for (std::size_t i = 0; i < s; ++i) {
            now_.state = moved(method_.a.data() + i * s, i);
            now_.field_time = t + method_.c[i] * h;
            V.push_back(rates_(now_));
        }
        return moved(method_.b.data(), s);
    }

    const motion::Tableau& method_;
    flow::Probe rates_;
    std::size_t n_;
    flow::Instant now_;
};

} // namespace

double accurate_step(const flow::Flow& flow, const motion::Tableau& method, double until,
                     const std::vector<motion::Sample>& places, double tolerance) {
    constexpr double k_fewest_steps = 64.0;
    constexpr double k_most_steps = 1e5; // a method of low order cannot have every accuracy
    const double span = until - flow.start_time;
    Doubling doubling(flow, method);
    double h = span / k_fewest_steps;
    for (const motion::Sample& sample : places) {
        while (h > span / k_most_steps && !doubling.accurate(sample, h, tolerance)) h *= 0.5;
    }
    return h;
}

} // namespace liaison::analysis
