// SPDX-License-Identifier: Apache-2.0
// Sups over common times and over contact phases.
#include "liaison/analysis/elastic_errors.hpp"

#include "liaison/laws/damped_contact.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

void raise(std::optional<double>& largest, double value) {
    largest = std::max(largest.value_or(0.0), value);
}

} // namespace

ElasticErrors::ElasticErrors(const model::Model& model, const std::vector<ContactMetric>& sides,
                             const std::vector<RigidFacts>& facts, const Track& limit,
                             const std::vector<double>& times)
    : model_(model), sides_(sides), facts_(facts), limit_(limit), times_(times), evaluator_(model),
      leans_until_(times.back()) {
    leans_ = std::ranges::any_of(facts, [](const RigidFacts& f) { return f.first_reaction > 0.0; });
    for (const flow::Event& e : limit.events) {
        if (e.kind != flow::EventKind::release && e.kind != flow::EventKind::impact) continue;
        leans_until_ = e.time.rounded();
        break;
    }
    leans_ = leans_ && leans_until_ > times.front();
}

double ElasticErrors::penetration(const Track& soft) { return std::max(0.0, -soft.smallest_gap); }

std::optional<double> ElasticErrors::speed(const Track& soft) const {
    std::optional<double> largest;
    if (!leans_) return largest;
    for (std::size_t i = 0; i < times_.size() && times_[i] <= leans_until_; ++i) {
        for (std::size_t k = 0; k < sides_.size(); ++k) {
            if (facts_[k].first_reaction > 0.0)
                raise(largest, std::abs(evaluator_.at(soft.points[i], sides_[k].rate)));
        }
    }
    return largest;
}

std::optional<AlongDifference> ElasticErrors::along(const Track& one, const Track& other) const {
    if (!leans_ || model_.quasi) return std::nullopt;
    AlongDifference largest;
    for (std::size_t i = 0; i < times_.size() && times_[i] <= leans_until_; ++i) {
        for (std::size_t k = 0; k < sides_.size(); ++k) {
            if (!(facts_[k].first_reaction > 0.0)) continue;
            const auto apart =
                analysis::along(evaluator_, sides_[k], one.points[i], other.points[i]);
            largest.position = std::max(largest.position, apart.position);
            largest.velocity = std::max(largest.velocity, apart.velocity);
        }
    }
    return largest;
}

double ElasticErrors::last_release(const Track& track, const ContactMetric& side,
                                   double before) const {
    double last = times_.front();
    for (const flow::Event& e : track.events) {
        const double time = e.time.rounded();
        if (e.kind == flow::EventKind::release && time < before && belongs(e, model_, side))
            last = time;
    }
    return last;
}

std::optional<double> ElasticErrors::release_speed(const Track& one, const Track& other) const {
    std::optional<double> largest;
    for (std::size_t k = 0; k < sides_.size(); ++k) {
        const auto& lift_off = facts_[k].lift_off;
        if (!lift_off) continue;
        const double left = lift_off->time;
        double next = times_.back();
        for (const flow::Event& e : limit_.events) {
            const bool touches =
                e.kind == flow::EventKind::impact || e.kind == flow::EventKind::attach;
            if (touches && e.time.rounded() > left) next = std::min(next, e.time.rounded());
        }
        // The elastic motion may come back a moment before or after the rigid one does.
        const double end = next < times_.back() ? left + 0.9 * (next - left) : next;
        const double begin = std::max(
            {left, last_release(one, sides_[k], end), last_release(other, sides_[k], end)});
        for (std::size_t i = 0; i < times_.size() && times_[i] <= end; ++i) {
            if (times_[i] < begin) continue;
            raise(largest, std::abs(evaluator_.at(one.points[i], sides_[k].rate) -
                                    evaluator_.at(other.points[i], sides_[k].rate)));
        }
    }
    return largest;
}

std::vector<ElasticErrors::Phase> ElasticErrors::phases(const Track& soft,
                                                        const ContactMetric& side) const {
    std::vector<Phase> all;
    std::optional<Phase> open;
    for (const flow::Event& e : soft.events) {
        if (!belongs(e, model_, side)) continue;
        if (e.kind == flow::EventKind::attach)
            open = Phase{e.time.rounded(), 0.0, std::abs(e.gap_rate.value_or(0.0)), 0.0};
        if (e.kind != flow::EventKind::release || !open) continue;
        open->out = e.time.rounded();
        open->speed_out = std::abs(e.gap_rate.value_or(0.0));
        all.push_back(*open);
        open.reset();
    }
    // A contact that did not open again returned nothing; one that is still on at the end may yet.
    double longest = 0.0;
    for (const Phase& p : all) longest = std::max(longest, p.out - p.in);
    if (open && times_.back() - open->in > 3.0 * longest) {
        open->out = times_.back();
        all.push_back(*open);
    }
    return all;
}

std::optional<double> ElasticErrors::delay(const Track& soft) const {
    std::optional<double> largest;
    for (std::size_t k = 0; k < sides_.size(); ++k) {
        const auto made = phases(soft, sides_[k]);
        const std::size_t count = std::min(made.size(), facts_[k].impacts.size());
        for (std::size_t i = 0; i < count; ++i)
            raise(largest, facts_[k].impacts[i].speed * (made[i].out - made[i].in));
    }
    return largest;
}

std::optional<double> ElasticErrors::restitution(const Track& soft) const {
    std::optional<double> largest;
    for (std::size_t k = 0; k < sides_.size(); ++k) {
        const RigidFacts& f = facts_[k];
        const auto made = phases(soft, sides_[k]);
        const std::size_t told =
            f.accumulates ? std::min<std::size_t>(1, f.impacts.size()) : f.impacts.size();
        const double e = laws::restitution_of(f.ratio, f.exit);
        for (std::size_t i = 0; i < told && i < made.size(); ++i) {
            if (made[i].speed_in > 0.0)
                raise(largest, std::abs(made[i].speed_out / made[i].speed_in - e));
        }
    }
    return largest;
}

} // namespace liaison::analysis
