// SPDX-License-Identifier: Apache-2.0
// Workers take line after line of the grid.
#include "liaison/analysis/sweep.hpp"

#include "liaison/analysis/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

namespace liaison::analysis {
namespace {

// Numbers in [0, 1) by place, not by order: splitmix64 (Steele, Lea, Flood 2014) of seed, point and axis.
double uniform(std::uint64_t seed, std::uint64_t point, std::uint64_t axis) {
    const auto mix = [](std::uint64_t z) {
        z += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31U);
    };
    constexpr double k_unit = 0x1p-53;
    return static_cast<double>(mix(mix(mix(seed) ^ point) ^ axis) >> 11U) * k_unit;
}

} // namespace

std::size_t SweepPlan::points() const {
    if (random > 0) return random;
    std::size_t n = 1;
    for (const SweepAxis& axis : axes) n *= axis.points;
    return n;
}

std::vector<double> SweepPlan::values(std::size_t point) const {
    std::vector<double> result;
    std::size_t rest = point;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const SweepAxis& axis = axes[k];
        if (random > 0) {
            result.push_back(axis.from + (axis.to - axis.from) * uniform(seed, point, k));
            continue;
        }
        result.push_back(axis.at(rest % axis.points));
        rest /= axis.points;
    }
    return result;
}

std::size_t SweepPlan::line() const {
    return carry == Carry::none || axes.empty() || random > 0 ? 1 : axes.front().points;
}

bool sweep(const flow::Flow& flow, const SweepPlan& plan, SweepStore& store,
           const SweepControl& control) {
    const std::size_t n = plan.points();
    const std::size_t line = plan.line();
    const std::size_t lines = n / line;
    SectionOptions section = plan.section;
    section.expected_points = static_cast<double>(n);

    // Compiling changes the expressions: workers are made before the first of them runs.
    const std::size_t threads = std::clamp<std::size_t>(control.threads, 1, lines);
    std::vector<std::unique_ptr<SectionWatch>> watches;
    for (std::size_t i = 0; i < threads; ++i)
        watches.push_back(std::make_unique<SectionWatch>(flow, section));

    std::mutex mutex; // of the store, the starts and the progress
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> stop = false;
    std::size_t done = 0;
    const auto interrupted = [&] {
        return stop || (control.interrupt != nullptr && control.interrupt->load());
    };
    const auto work = [&](std::size_t worker) {
        SectionWatch& watch = *watches[worker];
        while (!interrupted()) {
            const std::size_t l = next++;
            if (l >= lines) return;
            {
                const std::lock_guard lock(mutex);
                bool known = true;
                for (std::size_t i = 0; i < line && known; ++i) known = store.has(l * line + i);
                if (known) {
                    done += line;
                    continue;
                }
            }
            std::vector<double> carried;
            for (std::size_t i = 0; i < line; ++i) {
                const std::size_t point = l * line + (plan.carry == Carry::down ? line - 1 - i : i);
                SweepStart start;
                {
                    const std::lock_guard lock(mutex);
                    start = plan.start(point, plan.values(point));
                }
                SectionResult result;
                if (!start.problem.empty()) {
                    result.reason = start.problem;
                } else {
                    const bool goes_on = !carried.empty();
                    result = watch.run(start.parameters, goes_on ? carried : start.state,
                                       start.time, start.period, control.interrupt);
                    // A state that the new value does not admit: begin anew.
                    if (goes_on && (result.label == MotionLabel::inadmissible ||
                                    result.label == MotionLabel::failed))
                        result = watch.run(start.parameters, start.state, start.time, start.period,
                                           control.interrupt);
                }
                if (interrupted()) return;
                const bool settled = result.label != MotionLabel::failed &&
                                     result.label != MotionLabel::inadmissible &&
                                     result.label != MotionLabel::divergence;
                carried.clear();
                if (line > 1 && settled) carried = watch.last_state();
                const std::lock_guard lock(mutex);
                if (!store.put(point, result)) stop = true;
                ++done;
                if (control.progress) control.progress(done);
            }
        }
    };
    run_parallel(threads, work);
    return !interrupted() && done == n;
}

std::vector<std::size_t> attractors(const std::vector<SectionResult>& results,
                                    const SectionOptions& options) {
    struct Known {
        MotionLabel label;
        std::uint32_t period;
        std::vector<std::vector<double>> sections;
    };
    const std::size_t width = options.observed.size();
    std::vector<Known> known;
    std::vector<std::size_t> numbers;
    for (const SectionResult& r : results) {
        const bool settled = r.label == MotionLabel::rest || r.label == MotionLabel::periodic ||
                             (r.label == MotionLabel::chattering && r.period > 0);
        if (!settled || width == 0 || r.values.size() < width) {
            numbers.push_back(0);
            continue;
        }
        // The last period, in ascending order: where the motion is looked at first does not matter.
        Known one{r.label, r.label == MotionLabel::rest ? 1 : r.period, {}};
        const std::size_t n = r.values.size() / width;
        double size = 1e-12;
        for (std::size_t k = n - std::min<std::size_t>(n, one.period); k < n; ++k) {
            std::vector<double> section;
            for (std::size_t j = 0; j < width; ++j) {
                if (options.observed[j].what != Observed::What::output) continue;
                section.push_back(r.values[k * width + j]);
                size = std::max(size, std::abs(section.back()));
            }
            one.sections.push_back(std::move(section));
        }
        const double near = 100.0 * options.recurrence * std::max(1.0, size);
        std::sort(one.sections.begin(), one.sections.end(), [&](const auto& a, const auto& b) {
            for (std::size_t j = 0; j < a.size(); ++j)
                if (std::abs(a[j] - b[j]) > near) return a[j] < b[j];
            return false;
        });
        const auto same = std::find_if(known.begin(), known.end(), [&](const Known& other) {
            if (other.label != one.label || other.period != one.period) return false;
            for (std::size_t k = 0; k < one.sections.size(); ++k)
                for (std::size_t j = 0; j < one.sections[k].size(); ++j)
                    if (std::abs(one.sections[k][j] - other.sections[k][j]) > near) return false;
            return true;
        });
        numbers.push_back(static_cast<std::size_t>(same - known.begin()) + 1);
        if (same == known.end()) known.push_back(std::move(one));
    }
    return numbers;
}

} // namespace liaison::analysis
