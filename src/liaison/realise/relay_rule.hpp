// SPDX-License-Identifier: Apache-2.0
// Which mode next? One rule for crossing, entering and leaving, for any number of surfaces at one instant.
//
// On the surfaces Z that are zero the values w solve the box variational inequality w_i ∈ Sgn(S_i^(r)),
// S^(r) = α + D w. Ties (S^(r) = 0 with |w| at its limit) are decided by the next derivative: sliding goes on only if
// w moves inwards, leaving is possible only if S grows to that side.
#pragma once

#include "liaison/flow/probe.hpp"
#include "liaison/realise/lone_surface.hpp"
#include "liaison/realise/relay_field.hpp"
#include "liaison/solve/box_vi.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace liaison::realise {

// The relays at one instant; index = relay.
struct RelayNumbers {
    std::vector<std::vector<double>> lower; // S, Ṡ, … S^(r−1)
    solve::Vector alpha; // S^(r) at w = 0
    solve::Matrix D; // at the present w where it depends on it
    solve::Vector limit;
};

// One possible continuation: the sides of all relays (0: sliding) and the values of those that slide.
struct RelayChoice {
    std::vector<int> side;
    solve::Vector w;
    solve::Vector rate; // S^(r)
    bool held = false; // some relay slides only because of its static level
    int dimension = 0; // > 0: the values are not unique
};

struct RelayDecision {
    std::vector<RelayChoice> choices;
    bool complete = true; // all possibilities were looked at
};

class RelayRule {
  public:
    RelayRule(const flow::Flow& flow, const RelayField& field);

    [[nodiscard]] std::size_t size() const { return n_; }
    // Contacts that hold a surface leave rounding of D and α: what is small beside those of the system with all contacts open.
    // `open` opens them, and says whether any was closed.
    void measure_by(std::function<bool(flow::Instant&)> open) { open_ = std::move(open); }
    [[nodiscard]] RelayNumbers numbers(const flow::Instant& now) const;
    // Relays in `zero` have S = 0; all others keep their side.
    [[nodiscard]] RelayDecision decide(const flow::Instant& now,
                                       const std::vector<std::size_t>& zero) const;

    // The numbers of one surface that is met alone: affine, every other relay off its surface; else nothing.
    // Allocates nothing.
    struct Alone {
        LoneSurface surface; // of a surface of first degree
        double rate = 0.0; // Ṡ of a surface of higher degree, which is crossed with it
        bool higher = false;
    };
    [[nodiscard]] std::optional<Alone> alone(const flow::Instant& now, std::size_t relay) const;

    [[nodiscard]] int side(const flow::Instant& now, std::size_t relay) const;
    void apply(flow::Instant& now, const RelayChoice& choice) const;
    void set(flow::Instant& now, std::size_t relay, int side, double w, bool follows = true) const;
    // All that says what a relay does: its side, and how its value is found.
    void copy_mode(const flow::Instant& from, flow::Instant& to, std::size_t relay) const;
    // Its value follows from the linear system (a relay that slides and is not held).
    [[nodiscard]] bool follows(const flow::Instant& now, std::size_t relay) const;

    // The order of the zero of S at the start of a piece in the present mode: the first derivative that does not
    // vanish, and its sign.
    struct Departure {
        int order = 1;
        int direction = 0;
    };
    [[nodiscard]] Departure departure(const flow::Instant& now, std::size_t relay) const;
    // w, and its rate along the motion in the present mode.
    [[nodiscard]] solve::Vector values(const flow::Instant& now) const;
    // x' of the flow and S^(r) of every relay in the present mode.
    [[nodiscard]] solve::Vector field(const flow::Instant& now) const;
    [[nodiscard]] solve::Vector surface_rates(const flow::Instant& now) const;
    // ẅ of a relay that slides, along the motion in the present mode.
    [[nodiscard]] double curvature(const flow::Instant& now, std::size_t relay) const;
    // Sliding values that are states: back to their root.
    void polish(flow::Instant& now) const;

    // |S^(k)| below this counts as zero: k_zero times the size of the state.
    static constexpr double k_zero = 1e-13;
    [[nodiscard]] static double zero(const flow::Instant& now);

  private:
    struct Next {
        solve::Vector w_rate;
        solve::Vector rate_rate; // d S^(r)/dt
    };
    [[nodiscard]] Next next(const flow::Instant& now) const;
    // The same k_short later along the motion in this mode: what decides where the first derivative vanishes.
    [[nodiscard]] Next later(const flow::Instant& now) const;
    [[nodiscard]] bool lasts(const flow::Instant& now, const RelayChoice& choice,
                             const std::vector<std::size_t>& ties) const;
    [[nodiscard]] RelayNumbers probe(const flow::Instant& now) const;
    void resolve(const flow::Instant& now, const std::vector<std::size_t>& contested,
                 const RelayNumbers& numbers, const std::vector<int>& side,
                 const solve::BoxSolution& solution, RelayDecision& decision) const;
    [[nodiscard]] bool given(const flow::Instant& now, const RelayNumbers& numbers,
                             std::size_t relay) const;
    // d S^(r)/dt in the present mode, a short time later where it vanishes here; 0: that is rounding too.
    [[nodiscard]] double leaving(const flow::Instant& now, std::size_t relay) const;
    // The value of a relay that is not contested.
    [[nodiscard]] double value_off(const flow::Instant& now, std::size_t relay, int side) const;
    void keep_values(const flow::Instant& now, const std::vector<std::size_t>& contested,
                     const RelayNumbers& numbers, RelayChoice& choice) const;
    // Whether the values of a choice matter to the motion only through what the surfaces determine.
    [[nodiscard]] bool same_motion(const flow::Instant& now, const RelayChoice& choice) const;
    void drop_equal_motions(const flow::Instant& now, RelayDecision& decision) const;
    void evaluate_roots(const flow::Instant& now, const std::vector<std::size_t>& contested,
                        const solve::Vector& u, solve::Vector& y, solve::Matrix* J) const;

    std::size_t n_;
    std::size_t side_slot_;
    std::size_t slides_slot_;
    std::size_t held_slot_;
    std::size_t first_state_;
    std::size_t first_velocity_;
    std::size_t end_velocity_;
    bool affine_;
    std::vector<std::size_t> degree_;
    std::vector<char> blind_;
    std::function<bool(flow::Instant&)> open_; // none: no contacts
    flow::Probe numbers_;
    flow::Probe present_; // w and S^(r) in the present mode
    flow::Probe next_;
    flow::Probe rates_;
};

} // namespace liaison::realise
