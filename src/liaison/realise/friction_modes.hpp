// SPDX-License-Identifier: Apache-2.0
// The modes of frictional contacts as numbers in the mode slots of a flow.
#pragma once

#include "liaison/laws/coulomb_problem.hpp"
#include "liaison/realise/common_chatter.hpp"
#include "liaison/realise/contact_problem.hpp"

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace liaison::realise {

// What the user sees of a side. `held`: friction is at its bound while another contact keeps the slip zero; with
// dependent rows one of them carries the free part and the others stand at a bound, like the basis of a linear
// program.
enum class Touch {
    open = 0,
    stick = 1,
    slip_plus = 2,
    slip_minus = 3,
    held_plus = 4,
    held_minus = 5
};

// The state of a side that sticks, or is closed without friction, because others hold it: part of its force could as
// well be theirs. The same is true of `held` states; the forces are then one choice among many.
constexpr double k_held_by_others = 6.0;
[[nodiscard]] inline bool shares_load(double state) { return state >= 4.0; }

[[nodiscard]] inline bool slips(Touch t) { return t == Touch::slip_plus || t == Touch::slip_minus; }
[[nodiscard]] inline bool sticks(Touch t) {
    return t == Touch::stick || t == Touch::held_plus || t == Touch::held_minus;
}
// Hidden slots with this name are 1 while the load of a side that slips is shared by a rule: another rule would do as well.
constexpr std::string_view k_follows = "follows#";
// Those with this name have this value while the side slips and others that stick could carry its load as well.
constexpr std::string_view k_answers = "answers#";
constexpr double k_dispensable = -1.0;
// The mode of the contact problem that a touch continues.
[[nodiscard]] laws::ContactMode mode_of(Touch touch, bool friction);

class FrictionModes {
  public:
    FrictionModes() = default;
    // Declares the slots of all sides in the flow.
    static void declare(const std::vector<ContactSide>& sides, expr::Pool& pool, flow::Flow& flow);
    FrictionModes(const std::vector<ContactSide>& sides, const flow::Flow& flow);
    // Whether the flow has them: smooth contacts alone have masks only.
    [[nodiscard]] static bool declared(const std::vector<ContactSide>& sides,
                                       const flow::Flow& flow);

    [[nodiscard]] Touch touch(const flow::Instant& now, Eigen::Index k) const;
    [[nodiscard]] bool closed(const flow::Instant& now, Eigen::Index k) const {
        return touch(now, k) != Touch::open;
    }
    // `carries`: the rows of this side act (normal, then friction while it sticks); the others are dependent on rows
    // of other contacts.
    void set(flow::Instant& now, Eigen::Index k, Touch touch, bool normal_carries,
             bool friction_carries) const;
    // In space each slip is a row of its own.
    void set(flow::Instant& now, Eigen::Index k, Touch touch, bool normal_carries,
             std::array<bool, 2> friction_carries) const;
    // Any of its rows acts.
    [[nodiscard]] bool carries(const flow::Instant& now, Eigen::Index k) const;
    // False: none was closed.
    bool open_all(flow::Instant& now) const;
    // The normal of a side that slips acts, or is left to others; nothing else changes.
    void carry(flow::Instant& now, Eigen::Index k, bool normal_carries) const;
    // In space friction acts against a given direction, for some time.
    struct Lead {
        double angle = 0.0;
        double turning = 0.0;
        double bend = 0.0; // φ''
        double time = 0.0;
    };
    void lead(flow::Instant& now, Eigen::Index k, const Lead& lead) const;
    // Forces of the rows that are left out because they depend on others: normal, slips. A contact that slips has no clock
    // to spare, and its forces do not change.
    void give(flow::Instant& now, Eigen::Index k, const Eigen::Vector3d& force,
              const Eigen::Vector3d& rate) const;
    // The normal force of a contact that depends on others follows theirs, λ_N = Σ share λ_N; a contact outside the list
    // has no part in it.
    void follow(flow::Instant& now, Eigen::Index k, std::span<const Eigen::Index> others,
                const Eigen::VectorXd& shares) const;
    // Or it would pull, following them, and carries nothing until it would press.
    void wait(flow::Instant& now, Eigen::Index k, std::span<const Eigen::Index> others,
              const Eigen::VectorXd& shares) const;
    [[nodiscard]] bool may_follow(Eigen::Index k) const { return !at(k).shares.empty(); }
    // Rests under forces that are given and may change.
    [[nodiscard]] bool given(const flow::Instant& now, Eigen::Index k) const {
        return at(k).clocked && sticks(touch(now, k)) && now.mode[at(k).lead] == 1.0;
    }
    [[nodiscard]] bool leads(const flow::Instant& now, Eigen::Index k) const {
        return at(k).spatial && now.mode[at(k).lead] == 1.0;
    }

    // Hidden memory of bounces: the last impact and the accumulation time estimated then.
    [[nodiscard]] double& last_time(flow::Instant& now, Eigen::Index k) const {
        return now.mode[at(k).last];
    }
    [[nodiscard]] double& last_limit(flow::Instant& now, Eigen::Index k) const {
        return now.mode[at(k).limit];
    }
    // For contacts that chatter together.
    [[nodiscard]] ChatterMemory chatter(flow::Instant& now, Eigen::Index k) const {
        return {now.mode[at(k).met], now.mode[at(k).interval], now.mode[at(k).common_limit]};
    }

    struct Slots {
        std::size_t state = 0;
        std::size_t closed = 0;
        std::size_t stick = 0;
        std::size_t sign = 0;
        std::size_t answers = 0;
        std::size_t last = 0;
        std::size_t limit = 0;
        std::size_t met = 0;
        std::size_t interval = 0;
        std::size_t common_limit = 0;
        bool friction = false;
        // In space.
        bool spatial = false;
        std::size_t stick_second = 0;
        std::size_t in_cone =
            0; // also in the plane, where forces may be given; else the slot of `stick`
        std::size_t lead = 0;
        std::size_t angle = 0;
        std::size_t turning = 0;
        std::size_t bend = 0;
        std::size_t lead_end = 0;
        std::size_t clock = 0; // state
        bool clocked = false; // there is one; in the plane where given forces change
        std::vector<std::size_t> given; // normal, slips; none where forces are never given
        std::vector<std::size_t> given_rate; // in space
        std::optional<std::size_t> preload; // the stated normal force while it lasts, else 0
        std::size_t presses = 0; // the slot of `closed` unless forces may be given
        std::size_t follows = 0;
        std::size_t waits = 0;
        std::vector<std::size_t> shares; // by side
    };
    [[nodiscard]] const Slots& at(Eigen::Index k) const {
        return slots_[static_cast<std::size_t>(k)];
    }

  private:
    static void share(flow::Instant& now, const Slots& slots, std::span<const Eigen::Index> others,
                      const Eigen::VectorXd& shares);

    std::vector<Slots> slots_;
};

} // namespace liaison::realise
