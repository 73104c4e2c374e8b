// SPDX-License-Identifier: Apache-2.0
// Chords that come close are found on a grid in space; Gauss–Newton on the motion itself decides whether they meet.
#include "liaison/analysis/self_crossings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace liaison::analysis {
namespace {

// The parameters in [0, 1] of the closest points of two chords, and their distance.
struct Closest {
    double a = 0.0, b = 0.0, distance = 0.0;
};

Closest closest(const Vector3d& p, const Vector3d& u, const Vector3d& q, const Vector3d& v) {
    const Vector3d w = p - q;
    const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), uw = u.dot(w), vw = v.dot(w);
    const double det = uu * vv - uv * uv;
    double a = det > 1e-12 * uu * vv ? std::clamp((uv * vw - vv * uw) / det, 0.0, 1.0) : 0.5;
    const double b = vv > 0.0 ? std::clamp((a * uv + vw) / vv, 0.0, 1.0) : 0.0;
    a = uu > 0.0 ? std::clamp((b * uv - uw) / uu, 0.0, 1.0) : 0.0;
    return {a, b, (w + a * u - b * v).norm()};
}

class Search {
  public:
    Search(const BodyMotion& motion, double size, const HodographOptions& options, Hodograph& h)
        : motion_(motion), size_(size), options_(options), h_(h) {
        const double last = h.period ? h.time.front() + *h.period : h.time.back();
        count_ = static_cast<std::size_t>(std::ranges::upper_bound(h.time, last) - h.time.begin());
    }

    void run() {
        if (count_ < 3) return;
        double longest = 0.0;
        for (std::size_t i = 0; i + 1 < count_; ++i)
            longest = std::max(longest, (h_.omega[i + 1] - h_.omega[i]).norm());
        cell_ = std::max(longest, 1e-6 * size_);
        for (std::size_t i = 0; i + 1 < count_; ++i) {
            compare(i);
            if (!h_.complete) break;
            cells_[key(middle(i))].push_back(i);
        }
        std::ranges::sort(h_.crossings, {}, &Crossing::first);
    }

  private:
    using Key = std::uint64_t;
    [[nodiscard]] Vector3d middle(std::size_t i) const {
        return (h_.omega[i] + h_.omega[i + 1]) / 2.0;
    }
    [[nodiscard]] Key key(const Vector3d& p, int dx = 0, int dy = 0, int dz = 0) const {
        constexpr std::int64_t k_half = 1 << 20;
        const auto place = [&](double x, int d) {
            return static_cast<Key>(static_cast<std::int64_t>(std::floor(x / cell_)) + d + k_half) &
                   (2 * k_half - 1);
        };
        return (place(p.x(), dx) << 42U) | (place(p.y(), dy) << 21U) | place(p.z(), dz);
    }

    void compare(std::size_t i) {
        const Vector3d p = middle(i);
        for (int dx = -1; dx <= 1; ++dx)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dz = -1; dz <= 1; ++dz) {
                    const auto found = cells_.find(key(p, dx, dy, dz));
                    if (found == cells_.end()) continue;
                    for (const std::size_t j : found->second) {
                        if (j + 3 < i && !candidate(j, i)) return;
                    }
                }
    }

    // False: enough was looked at.
    bool candidate(std::size_t i, std::size_t j) {
        const Vector3d u = h_.omega[i + 1] - h_.omega[i];
        const Vector3d v = h_.omega[j + 1] - h_.omega[j];
        const Closest c = closest(h_.omega[i], u, h_.omega[j], v);
        if (c.distance > 0.25 * (u.norm() + v.norm())) return true;
        constexpr std::size_t k_polished = 200'000;
        if (++polished_ > k_polished || h_.crossings.size() >= options_.most_crossings) {
            h_.complete = false;
            return false;
        }
        polish(i, c.a, j, c.b);
        return true;
    }

    // min |ω(s) − ω(t)|² from the chords.
    void polish(std::size_t i, double a, std::size_t j, double b) {
        const double hs = h_.time[i + 1] - h_.time[i], ht = h_.time[j + 1] - h_.time[j];
        double s = h_.time[i] + a * hs, t = h_.time[j] + b * ht;
        BodyMotion::State x, y;
        double parallel = 0.0;
        for (int k = 0; k < 30; ++k) {
            x = motion_.at(s);
            y = motion_.at(t);
            const Vector3d d = x.omega - y.omega;
            const double uu = x.rate.squaredNorm(), vv = y.rate.squaredNorm();
            const double uv = x.rate.dot(y.rate);
            const double det = uu * vv - uv * uv;
            parallel = uu * vv > 0.0 ? std::sqrt(std::max(det, 0.0) / (uu * vv)) : 0.0;
            if (parallel < k_same_direction) break;
            const double ds = (uv * y.rate.dot(d) - vv * x.rate.dot(d)) / det;
            const double dt = (uu * y.rate.dot(d) - uv * x.rate.dot(d)) / det;
            s += ds;
            t += dt;
            if (std::abs(ds) <= 1e-15 * (1.0 + std::abs(s)) &&
                std::abs(dt) <= 1e-15 * (1.0 + std::abs(t)))
                break;
            // Away from the chords it belongs to another pair of them.
            if (std::abs(s - h_.time[i]) > 3.0 * hs || std::abs(t - h_.time[j]) > 3.0 * ht) return;
        }
        x = motion_.at(s);
        y = motion_.at(t);
        const double distance = (x.omega - y.omega).norm();
        if (parallel < k_same_direction) {
            h_.retraced = h_.retraced || distance <= options_.tolerance * size_;
            return;
        }
        if (distance > options_.tolerance * size_ || t - s <= hs + ht) return;
        if (s < h_.time.front() || t > motion_.end()) return;
        // The end of a period closes the curve where it began.
        if (h_.period && t - s >= *h_.period * (1.0 - 1e-9)) return;
        for (const Crossing& known : h_.crossings) {
            if (std::abs(known.first - s) <= 1e-7 * (1.0 + s) &&
                std::abs(known.second - t) <= 1e-7 * (1.0 + t))
                return;
        }
        h_.crossings.push_back({s, t, (x.omega + y.omega) / 2.0, distance, (x.nu - y.nu).norm()});
    }

    static constexpr double k_same_direction = 1e-5; // sin of the angle between two tangents
    const BodyMotion& motion_;
    double size_;
    const HodographOptions& options_;
    Hodograph& h_;
    std::size_t count_ = 0;
    double cell_ = 1.0;
    std::size_t polished_ = 0;
    std::unordered_map<Key, std::vector<std::size_t>> cells_;
};

} // namespace

void find_crossings(const BodyMotion& motion, double size, const HodographOptions& options,
                    Hodograph& h) {
    Search(motion, size, options, h).run();
}

} // namespace liaison::analysis
