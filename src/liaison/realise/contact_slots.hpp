// SPDX-License-Identifier: Apache-2.0
// What ideal contacts remember in the mode of the flow, and the measures by which they judge rest and touch.
#pragma once

#include "liaison/realise/common_chatter.hpp"
#include "liaison/realise/contact_problem.hpp"
#include "liaison/realise/contact_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace liaison::realise {

// |∇g|² beside that of the start: the gradient may have any size, but not vanish at the contact.
inline constexpr double k_vanished_gradient = 1e-14;

// Slots of n sides from `first_slot` on, in rows: closed (shown to the user), then hidden ones.
class ContactSlots {
  public:
    ContactSlots(std::shared_ptr<const ContactProblem> problem, std::size_t first_slot,
                 std::size_t n_positions, ContactSizes sizes)
        : problem_(std::move(problem)), n_(problem_->sides().size()), first_(first_slot),
          n_positions_(n_positions), sizes_(sizes) {}

    [[nodiscard]] const ContactProblem& problem() const { return *problem_; }
    [[nodiscard]] Eigen::Index count() const { return static_cast<Eigen::Index>(n_); }
    [[nodiscard]] std::size_t positions() const { return n_positions_; }
    [[nodiscard]] const ContactSide& side(Eigen::Index k) const {
        return problem_->sides()[static_cast<std::size_t>(k)];
    }

    [[nodiscard]] double& closed(flow::Instant& now, Eigen::Index k) const {
        return slot(now, 0, k);
    }
    // The last impact of a contact and the accumulation time estimated then.
    [[nodiscard]] double& last_time(flow::Instant& now, Eigen::Index k) const {
        return slot(now, 1, k);
    }
    [[nodiscard]] double& last_limit(flow::Instant& now, Eigen::Index k) const {
        return slot(now, 2, k);
    }
    // For contacts that chatter together.
    [[nodiscard]] ChatterMemory chatter(flow::Instant& now, Eigen::Index k) const {
        return {slot(now, 3, k), slot(now, 4, k), slot(now, 5, k)};
    }
    [[nodiscard]] std::vector<Eigen::Index> closed_set(flow::Instant& now) const {
        std::vector<Eigen::Index> set;
        for (Eigen::Index k = 0; k < count(); ++k) {
            if (closed(now, k) != 0.0) set.push_back(k);
        }
        return set;
    }

    [[nodiscard]] bool any_closed(const flow::Instant& now) const {
        for (std::size_t k = 0; k < n_; ++k)
            if (now.mode[first_ + k] != 0.0) return true;
        return false;
    }

    [[nodiscard]] const ContactSizes& sizes() const { return sizes_; }
    [[nodiscard]] double speed(const flow::Instant& now) const {
        double s = sizes_.speed;
        // Not the carried states behind them: work grows with the time of the run.
        const std::size_t end = n_positions_ + problem_->velocities();
        for (std::size_t i = n_positions_; i < end; ++i) s = std::max(s, std::abs(now.state[i]));
        return s;
    }
    [[nodiscard]] double rate_tolerance(const flow::Instant& now) const {
        return 1e-13 * speed(now);
    }
    [[nodiscard]] double gap_tolerance(const flow::Instant& now) const {
        double s = sizes_.length;
        for (std::size_t i = 0; i < n_positions_; ++i) s = std::max(s, std::abs(now.state[i]));
        return std::max(1e-12, now.tolerance) * s;
    }

    // What the coordinates cannot tell from a gap of zero.
    [[nodiscard]] double gap_rounding(const flow::Instant& now) const {
        constexpr double k_rounding = 4.0 * std::numeric_limits<double>::epsilon();
        double s = sizes_.length;
        for (std::size_t i = 0; i < n_positions_; ++i) s = std::max(s, std::abs(now.state[i]));
        return k_rounding * s;
    }

    // A bounce at this gap rate, pulled back by b, that is too high to be left out of a chatter, and the next one too:
    // bounces fall by e² each, and a chatter is completed when two estimates of its end agree.
    [[nodiscard]] bool bounces_high(const flow::Instant& now, double rate, double b,
                                    double restitution) const {
        constexpr double k_far = 2.0; // b is not quite the pressing acceleration on the contact
        constexpr double k_least = 1e-4; // of e²
        const double falls = std::max(restitution * restitution, k_least);
        return falls * rate * rate / (2.0 * std::abs(b)) > k_far * gap_tolerance(now);
    }

    // Marks by contact; empty for an empty set.
    [[nodiscard]] std::vector<char> marks(const std::vector<Eigen::Index>& set) const {
        if (set.empty()) return {};
        std::vector<char> result(n_, 0);
        for (const Eigen::Index k : set) result[static_cast<std::size_t>(k)] = 1;
        return result;
    }
    static bool in(const std::vector<char>& set, Eigen::Index k) {
        return !set.empty() && set[static_cast<std::size_t>(k)] != 0;
    }

    [[nodiscard]] flow::Event event(flow::EventKind kind, Eigen::Index k, const flow::Instant& now,
                                    double accuracy) const {
        flow::Event e;
        e.time = now.time;
        e.kind = kind;
        e.where = side(k).name;
        e.side = side(k).side;
        e.accuracy = accuracy;
        return e;
    }

  private:
    [[nodiscard]] double& slot(flow::Instant& now, std::size_t row, Eigen::Index k) const {
        return now.mode[first_ + row * n_ + static_cast<std::size_t>(k)];
    }

    std::shared_ptr<const ContactProblem> problem_;
    std::size_t n_;
    std::size_t first_;
    std::size_t n_positions_;
    ContactSizes sizes_;
};

} // namespace liaison::realise
