// SPDX-License-Identifier: Apache-2.0
// Least squares in logarithms.
#include "liaison/analysis/order_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace liaison::analysis {
namespace {

struct Point {
    double x = 0.0; // log10 parameter
    double y = 0.0; // log10 error
};

double slope(const std::vector<Point>& points) {
    double mx = 0.0;
    double my = 0.0;
    for (const Point& p : points) {
        mx += p.x;
        my += p.y;
    }
    mx /= static_cast<double>(points.size());
    my /= static_cast<double>(points.size());
    double xx = 0.0;
    double xy = 0.0;
    for (const Point& p : points) {
        xx += (p.x - mx) * (p.x - mx);
        xy += (p.x - mx) * (p.y - my);
    }
    return xy / xx;
}

} // namespace

OrderFit fit_order(const ErrorRow& row, double floor, bool envelope) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < row.parameter.size(); ++i) {
        if (row.error[i] > floor && std::isfinite(row.error[i]) && row.parameter[i] > 0.0)
            points.push_back({std::log10(row.parameter[i]), std::log10(row.error[i])});
    }
    if (envelope) {
        std::map<long, Point> largest;
        for (const Point& p : points) {
            const auto [at, fresh] = largest.try_emplace(std::lround(std::floor(p.x + 1e-9)), p);
            if (!fresh && p.y > at->second.y) at->second = p;
        }
        points.clear();
        for (const auto& [decade, p] : largest) points.push_back(p);
    }
    OrderFit fit;
    fit.used = points.size();
    for (std::size_t i = 1; i < points.size(); ++i) {
        fit.local.push_back((points[i - 1].y - points[i].y) / (points[i].x - points[i - 1].x));
    }
    if (points.size() >= 3) fit.order = -slope(points);
    return fit;
}

std::string_view word(OrderVerdict verdict) {
    switch (verdict) {
    case OrderVerdict::agrees: return "agrees";
    case OrderVerdict::better: return "better";
    case OrderVerdict::worse: return "worse";
    case OrderVerdict::pre_asymptotic: return "pre-asymptotic";
    case OrderVerdict::unknown: return "unknown";
    }
    return "unknown";
}

OrderVerdict judge(const OrderFit& fit, double theorem, double tolerance) {
    if (!fit.order) return OrderVerdict::unknown;
    const double miss = *fit.order - theorem;
    if (std::abs(miss) <= tolerance) return OrderVerdict::agrees;
    // The last stretch still nearer to the theorem than the whole: the asymptotic range is not reached.
    const double last = fit.local.back();
    if (std::abs(last - theorem) < 0.5 * std::abs(miss)) return OrderVerdict::pre_asymptotic;
    return miss > 0.0 ? OrderVerdict::better : OrderVerdict::worse;
}

} // namespace liaison::analysis
