// SPDX-License-Identifier: Apache-2.0
// Points along a motion, thinned by powers of two.
#include "liaison/record/trace.hpp"

#include <algorithm>

namespace liaison::record {

namespace {
constexpr std::size_t k_numbers = 4'000'000; // doubles kept at most
constexpr std::size_t k_points = 60'000;
constexpr int k_per_piece = 24;
} // namespace

Trace::Trace(std::size_t states)
    : capacity_(
          std::clamp<std::size_t>(k_numbers / std::max<std::size_t>(states, 1), 100, k_points)) {}

void Trace::see(const motion::Piece& piece) {
    // Both ends belong to the trace: where the next piece starts elsewhere, there was a jump.
    for (int j = 0; j <= k_per_piece; ++j) {
        if (seen_++ % stride_ != 0) continue;
        const double tau = piece.length * j / k_per_piece;
        motion::Sample point{(piece.start + tau).rounded(), piece.field_time + tau,
                             std::vector<double>(piece.n), piece.mode};
        piece.evaluate(tau, point.state);
        points_.push_back(std::move(point));
    }
    if (points_.size() <= capacity_) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points_.size(); i += 2) {
        // The first point stays: moved onto itself it would be emptied.
        if (kept != i) points_[kept] = std::move(points_[i]);
        ++kept;
    }
    points_.resize(kept);
    stride_ *= 2;
}

} // namespace liaison::record
