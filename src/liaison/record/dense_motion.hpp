// SPDX-License-Identifier: Apache-2.0
// The motion itself, at any time: pieces between instants, with both sides of every jump.
#pragma once

#include "liaison/motion/piece.hpp"

#include <span>
#include <vector>

namespace liaison::record {

// Where pieces meet, the state may jump: before or after the events of that instant.
enum class Side { before, after };

class DenseMotion {
  public:
    // In the order of time, as a run with `pieces` keeps them; they must outlive it.
    explicit DenseMotion(std::span<const motion::Piece> pieces) : pieces_(pieces) {}

    [[nodiscard]] bool empty() const { return pieces_.empty(); }
    [[nodiscard]] std::size_t states() const { return pieces_.empty() ? 0 : pieces_[0].n; }
    [[nodiscard]] double start() const;
    [[nodiscard]] double end() const;

    // All states at each of the times, row by row; rows outside the motion are not a number. `out` has times.size()
    // rows of states() entries.
    void evaluate(std::span<const double> times, std::span<double> out,
                  Side side = Side::after) const;
    [[nodiscard]] std::vector<double> at(double time, Side side = Side::after) const;

  private:
    // The piece that holds the time, or null outside the motion.
    [[nodiscard]] const motion::Piece* piece_at(double time, Side side) const;

    std::span<const motion::Piece> pieces_;
};

} // namespace liaison::record
