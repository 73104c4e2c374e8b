// SPDX-License-Identifier: Apache-2.0
// Differences of sampled quantities, pair by pair.
#include "liaison/analysis/comparison.hpp"

#include "liaison/flow/output_label.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

using flow::OutputGroup;

bool compared(OutputGroup group) {
    return group == OutputGroup::q || group == OutputGroup::v || group == OutputGroup::a;
}

std::size_t find(const flow::Flow& flow, const flow::Output& wanted) {
    const auto found =
        std::find_if(flow.outputs.begin(), flow.outputs.end(), [&](const flow::Output& o) {
            return o.group == wanted.group && o.name == wanted.name && o.part == wanted.part;
        });
    return static_cast<std::size_t>(found - flow.outputs.begin());
}

Difference between(const std::vector<Variant>& variants, std::size_t i, std::size_t j,
                   double tolerance) {
    const Variant& a = variants[i];
    const Variant& b = variants[j];
    Difference d;
    d.first = i;
    d.second = j;
    const std::size_t samples = std::min(a.run.samples.size(), b.run.samples.size());
    const auto steps = static_cast<double>(
        std::max(a.run.trajectory.statistics.steps, b.run.trajectory.statistics.steps));
    const double explained = 10.0 * tolerance * (10.0 + steps);
    for (std::size_t k = 0; k < a.flow.outputs.size(); ++k) {
        const std::size_t other = find(b.flow, a.flow.outputs[k]);
        if (!compared(a.flow.outputs[k].group) || other == b.flow.outputs.size()) continue;
        double& largest = d.largest[flow::label_of(a.flow, a.flow.outputs[k])];
        for (std::size_t s = 0; s < samples; ++s) {
            const double x = a.run.samples[s].values[k];
            const double difference = std::abs(x - b.run.samples[s].values[other]);
            largest = std::max(largest, difference);
            if (a.flow.outputs[k].group == OutputGroup::a) continue;
            const double relative = difference / (1.0 + std::abs(x));
            const double time = a.run.samples[s].time;
            if (relative > d.worst) {
                d.worst = relative;
                d.time = time;
            }
            if (relative > explained && (!d.apart || time < d.first_apart)) {
                d.apart = true;
                d.first_apart = time;
            }
        }
    }
    const double end = a.run.trajectory.time.rounded();
    const double other_end = b.run.trajectory.time.rounded();
    const double earlier = std::min(end, other_end);
    if (!d.apart && std::abs(end - other_end) > explained * (1.0 + std::abs(earlier))) {
        d.apart = d.ends_early = true;
        d.first_apart = earlier;
    }
    return d;
}

} // namespace

std::vector<Difference> compare(const std::vector<Variant>& variants, double tolerance) {
    std::vector<Difference> all;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        for (std::size_t j = i + 1; j < variants.size(); ++j)
            all.push_back(between(variants, i, j, tolerance));
    }
    return all;
}

} // namespace liaison::analysis
