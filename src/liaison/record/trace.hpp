// SPDX-License-Identifier: Apache-2.0
// Points along a motion, dense enough for a picture however long it is.
#pragma once

#include "liaison/motion/piece.hpp"
#include "liaison/motion/simulate.hpp"

#include <cstddef>
#include <vector>

namespace liaison::record {

// Evenly spaced samples alias: a fast motion over a long time shows beats that are not there. The trace takes the
// points from the pieces instead, whose length follows the motion, and both sides of every jump. Beyond its
// capacity it keeps every second point, then every fourth, ….
class Trace {
  public:
    explicit Trace(std::size_t states);
    void see(const motion::Piece& piece);
    [[nodiscard]] std::vector<motion::Sample> take() { return std::move(points_); }

  private:
    std::size_t capacity_;
    std::size_t stride_ = 1;
    std::size_t seen_ = 0;
    std::vector<motion::Sample> points_;
};

} // namespace liaison::record
