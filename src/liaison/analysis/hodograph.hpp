// SPDX-License-Identifier: Apache-2.0
// The hodograph of the angular velocity of a body with a fixed point, and how it lies in the admissible set.
#pragma once

#include "liaison/analysis/admissible_rates.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/model/model.hpp"
#include "liaison/motion/piece.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace liaison::analysis {

// ω and ν = −γ of one body along a motion, from its dense output.
class BodyMotion {
  public:
    // The pieces must outlive it. Throws std::invalid_argument for a body without a fixed point.
    BodyMotion(const model::Model& model, std::size_t body, const flow::Flow& flow,
               std::span<const motion::Piece> pieces);

    struct State {
        Vector3d omega, nu;
        Vector3d rate; // of omega
    };
    [[nodiscard]] State at(double time) const;
    [[nodiscard]] double start() const { return start_; }
    [[nodiscard]] double end() const { return end_; }
    [[nodiscard]] std::span<const motion::Piece> pieces() const { return pieces_; }

  private:
    std::span<const motion::Piece> pieces_;
    std::array<std::size_t, 3> omega_{}, gamma_{}; // states
    double start_ = 0.0, end_ = 0.0;
};

// The body's data and the levels at the start of the motion.
[[nodiscard]] GyrostatLevels levels_of(const model::Model& model, std::size_t body,
                                       std::span<const double> parameters,
                                       const BodyMotion::State& start);

// An instant at which the hodograph touches the surface.
struct Touch {
    double time = 0.0;
    Vector3d omega, nu;
    double tangency =
        0.0; // |cos| of the angle between ω̇ and the normal of the surface: 0 in exact numbers
};

// Two instants with the same angular velocity. The state is the same where ν is, and the motion repeats itself from there;
// where ν is another, its mirror image in the plane of r and m, two motions of the same levels only look as if they met.
struct Crossing {
    double first = 0.0, second = 0.0;
    Vector3d omega;
    double distance = 0.0; // |ω(first) − ω(second)| after polishing
    double apart = 0.0; // |ν(first) − ν(second)|
    [[nodiscard]] bool apparent() const { return apart > 1e-6; }
};

struct HodographOptions {
    double tolerance = 1e-9; // distances below it, relative to the size of the hodograph, are zero
    std::size_t points = 20'000; // at most, on which crossings are sought
    std::size_t most_crossings = 500;
};

struct Hodograph {
    std::vector<double> time; // the points below
    std::vector<Vector3d> omega, nu;
    double least_reach = 0.0; // smallest F over its scale along the motion; rounding when touching
    bool in_surface = false; // touches all the time
    std::vector<Touch> touches;
    std::optional<double> period; // the state of the start comes back for the first time
    std::vector<Crossing> crossings;
    bool retraced = false; // it runs over itself, so that its crossings are not single points
    bool complete = true; // all crossings on these points were looked at
};

// `levels`: of the surface; nothing where the body has no such integrals, and then nothing about it is told.
[[nodiscard]] Hodograph hodograph(const BodyMotion& motion,
                                  const std::optional<GyrostatLevels>& levels,
                                  const HodographOptions& options = {});

} // namespace liaison::analysis
