// SPDX-License-Identifier: Apache-2.0
// The piece is found by bisection over its start.
#include "liaison/record/dense_motion.hpp"

#include <algorithm>
#include <limits>

namespace liaison::record {

double DenseMotion::start() const { return pieces_.front().start.rounded(); }

double DenseMotion::end() const { return (pieces_.back().start + pieces_.back().length).rounded(); }

// At an instant of events several pieces meet, some of them of no length. The last one that begins there is the motion
// after it, the last one that begins before is the motion before it.
const motion::Piece* DenseMotion::piece_at(double time, Side side) const {
    if (pieces_.empty() || !(time >= start() && time <= end())) return nullptr;
    const auto begins = [](const motion::Piece& p) { return p.start.rounded(); };
    auto next = side == Side::after ? std::ranges::upper_bound(pieces_, time, {}, begins)
                                    : std::ranges::lower_bound(pieces_, time, {}, begins);
    if (next == pieces_.begin())
        ++next; // before the start there is nothing: the motion begins here
    return &*std::prev(next);
}

void DenseMotion::evaluate(std::span<const double> times, std::span<double> out, Side side) const {
    const std::size_t n = states();
    for (std::size_t i = 0; i < times.size(); ++i) {
        const auto row = out.subspan(i * n, n);
        const motion::Piece* piece = piece_at(times[i], side);
        if (piece == nullptr) {
            std::ranges::fill(row, std::numeric_limits<double>::quiet_NaN());
            continue;
        }
        const double tau = (-piece->start + times[i]).rounded();
        piece->evaluate(std::clamp(tau, 0.0, piece->length), row);
    }
}

std::vector<double> DenseMotion::at(double time, Side side) const {
    std::vector<double> state(states());
    evaluate(std::span(&time, 1), state, side);
    return state;
}

} // namespace liaison::record
