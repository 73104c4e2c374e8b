// SPDX-License-Identifier: Apache-2.0
// Workers take line after line of the grid.
#include "liaison/analysis/sweep.hpp"

#include "liaison/analysis/parallel.hpp"
#include "liaison/motion/lanes.hpp"
#include "liaison/motion/singular_passage.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>

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

namespace {

// What the workers of a sweep share.
class Work {
  public:
    Work(const SweepPlan& plan, SweepStore& store, const SweepControl& control)
        : plan_(plan), store_(store), control_(control), line_(plan.line()),
          lines_(plan.points() / line_) {}

    [[nodiscard]] std::size_t lines() const { return lines_; }
    [[nodiscard]] bool interrupted() const {
        return stop_ || (control_.interrupt != nullptr && control_.interrupt->load());
    }
    [[nodiscard]] const std::atomic<bool>* interrupt() const { return control_.interrupt; }
    [[nodiscard]] bool complete() const { return !interrupted() && done_ == plan_.points(); }

    // A line that is not in the store yet; none: nothing is left, or nothing more is wanted.
    [[nodiscard]] std::optional<std::size_t> next_line() {
        while (!interrupted()) {
            const std::size_t l = next_++;
            if (l >= lines_) return std::nullopt;
            const std::lock_guard lock(mutex_);
            bool known = true;
            for (std::size_t i = 0; i < line_ && known; ++i) known = store_.has(l * line_ + i);
            if (!known) return l;
            done_ += line_;
        }
        return std::nullopt;
    }
    // The i-th point of a line, in the order in which it is computed.
    [[nodiscard]] std::size_t point(std::size_t line, std::size_t i) const {
        return line * line_ + (plan_.carry == Carry::down ? line_ - 1 - i : i);
    }
    [[nodiscard]] std::size_t line_length() const { return line_; }
    [[nodiscard]] SweepStart start(std::size_t point) {
        const std::lock_guard lock(mutex_);
        return plan_.start(point, plan_.values(point));
    }
    void put(std::size_t point, const SectionResult& result) {
        const std::lock_guard lock(mutex_);
        if (!store_.put(point, result)) stop_ = true;
        ++done_;
        if (control_.progress) control_.progress(done_);
    }

  private:
    const SweepPlan& plan_;
    SweepStore& store_;
    const SweepControl& control_;
    std::size_t line_;
    std::size_t lines_;
    std::mutex mutex_; // of the store, the starts and the progress
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> stop_ = false;
    std::size_t done_ = 0;
};

// Goes along the lines of the sweep, one motion at a time: a worker of its own, or a lane of one.
class Walker {
  public:
    Walker(const flow::Flow& flow, const SectionOptions& section, Work& work)
        : work_(work), watch_(flow, section), i_(work.line_length()) {}

    [[nodiscard]] SectionWatch& watch() { return watch_; }

    // Makes the watch ready for the next motion; false: there is none. Points without a motion are put on the way.
    [[nodiscard]] bool next() {
        while (!work_.interrupted()) {
            if (again_) {
                // A state that the new value does not admit: begin anew.
                again_ = false;
                carried_.clear();
            } else if (!advance()) {
                return false;
            }
            if (!start_.problem.empty()) {
                SectionResult result;
                result.reason = start_.problem;
                put(result);
                continue;
            }
            if (watch_.prepare(start_.parameters, carried_.empty() ? start_.state : carried_,
                               start_.time, start_.period, work_.interrupt()))
                return true;
            finish(watch_.conclude({}));
        }
        return false;
    }

    void finish(const SectionResult& result) {
        if (work_.interrupted()) return;
        const bool refused =
            result.label == MotionLabel::inadmissible || result.label == MotionLabel::failed;
        if (refused && !carried_.empty())
            again_ = true;
        else
            put(result);
    }

  private:
    bool advance() {
        if (++i_ >= work_.line_length()) {
            const auto line = work_.next_line();
            if (!line) return false;
            line_ = *line;
            i_ = 0;
            carried_.clear();
        }
        start_ = work_.start(work_.point(line_, i_));
        return true;
    }

    void put(const SectionResult& result) {
        const bool settled = result.label != MotionLabel::failed &&
                             result.label != MotionLabel::inadmissible &&
                             result.label != MotionLabel::divergence;
        carried_.clear();
        if (work_.line_length() > 1 && settled) carried_ = watch_.last_state();
        work_.put(work_.point(line_, i_), result);
    }

    Work& work_;
    SectionWatch watch_;
    std::size_t line_ = 0;
    std::size_t i_; // of the line; at its end to begin with
    SweepStart start_;
    std::vector<double> carried_; // the state in which the last motion of the line ended
    bool again_ = false;
};

// One thread: motions in lanes where there is vector code for them, else one by one.
class Worker {
  public:
    Worker(const flow::Flow& flow, const SectionOptions& section, Work& work, std::size_t lanes) {
        walkers_.push_back(std::make_unique<Walker>(flow, section, work));
        if (lanes == 1 || work.lines() < 2 || !flow.algebraic.empty()) return;
        // Lanes make plain steps, and a singular position is not passed by one.
        if (motion::may_meet_singular_positions(flow)) return;
        const std::size_t width = lanes == 0 ? compile::usual_lanes() : lanes;
        SectionWatch& watch = walkers_.front()->watch();
        const double motions = section.expected_points / static_cast<double>(width);
        // Sections at events are seen in the records of the events.
        lanes_ = std::make_unique<motion::Lanes>(
            watch.flow(), section.tolerance, watch.steps_per_motion() * motions,
            section.rule.kind != SectionRule::Kind::event, width);
        if (!lanes_->quick()) {
            lanes_.reset();
            return;
        }
        while (walkers_.size() < lanes_->width())
            walkers_.push_back(std::make_unique<Walker>(flow, section, work));
    }

    void run() {
        if (!lanes_) {
            Walker& walker = *walkers_.front();
            while (walker.next()) walker.finish(walker.watch().simulate());
            return;
        }
        lanes_->run(
            [this](std::size_t l) -> std::optional<motion::Lanes::Motion> {
                Walker& walker = *walkers_[l];
                if (!walker.next()) return std::nullopt;
                SectionWatch& watch = walker.watch();
                return motion::Lanes::Motion{
                    &watch.flow(), &watch.simulation(),
                    [&watch](flow::EventKind kind, const flow::Instant& now) {
                        watch.see_usual(kind, now);
                    }};
            },
            [this](std::size_t l, motion::Trajectory&& trajectory) {
                Walker& walker = *walkers_[l];
                walker.finish(walker.watch().conclude(std::move(trajectory)));
            });
    }

  private:
    std::vector<std::unique_ptr<Walker>> walkers_; // by lane
    std::unique_ptr<motion::Lanes> lanes_;
};

} // namespace

bool sweep(const flow::Flow& flow, const SweepPlan& plan, SweepStore& store,
           const SweepControl& control) {
    SectionOptions section = plan.section;
    section.expected_points = static_cast<double>(plan.points());
    Work work(plan, store, control);
    // Compiling changes the expressions: workers are made before the first of them runs.
    std::vector<std::unique_ptr<Worker>> workers;
    const std::size_t threads = std::clamp<std::size_t>(control.threads, 1, work.lines());
    for (std::size_t i = 0; i < threads; ++i)
        workers.push_back(std::make_unique<Worker>(flow, section, work, control.lanes));
    run_parallel(threads, [&](std::size_t i) { workers[i]->run(); });
    return work.complete();
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
