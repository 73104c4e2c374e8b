// SPDX-License-Identifier: Apache-2.0
// Interpolation of data points by piecewise polynomials.
#include "liaison/expr/table.hpp"

#include <algorithm>

namespace liaison::expr {
namespace {

// Second derivatives of the natural cubic spline: the tridiagonal system
//   h_{k-1} s_{k-1} + 2 (h_{k-1} + h_k) s_k + h_k s_{k+1} = 6 (d_k − d_{k-1}),  s_0 = s_n = 0.
std::vector<double> spline_curvatures(const std::vector<double>& x, const std::vector<double>& y) {
    const std::size_t n = x.size();
    std::vector<double> s(n, 0.0);
    if (n < 3) return s;
    std::vector<double> upper(n, 0.0);
    for (std::size_t k = 1; k + 1 < n; ++k) {
        const double h0 = x[k] - x[k - 1];
        const double h1 = x[k + 1] - x[k];
        const double rhs = 6.0 * ((y[k + 1] - y[k]) / h1 - (y[k] - y[k - 1]) / h0);
        const double pivot = 2.0 * (h0 + h1) - h0 * upper[k - 1];
        upper[k] = h1 / pivot;
        s[k] = (rhs - h0 * s[k - 1]) / pivot;
    }
    for (std::size_t k = n - 2; k >= 1; --k) s[k] -= upper[k] * s[k + 1];
    return s;
}

} // namespace

std::size_t Table::piece(double x) const {
    const auto upper = std::upper_bound(knots.begin() + 1, knots.end() - 1, x);
    return static_cast<std::size_t>(upper - knots.begin()) - 1;
}

double Table::operator()(double x) const {
    const std::size_t k = piece(x);
    const double dx = x - knots[k];
    double value = 0.0;
    for (auto c = coefficients[k].rbegin(); c != coefficients[k].rend(); ++c)
        value = value * dx + *c;
    return value;
}

std::shared_ptr<const Table> interpolate(std::string name, const std::vector<double>& x,
                                         const std::vector<double>& y, int order) {
    auto table = std::make_shared<Table>();
    table->name = std::move(name);
    table->knots = x;
    const auto s = spline_curvatures(x, y);
    for (std::size_t k = 0; k + 1 < x.size(); ++k) {
        const double h = x[k + 1] - x[k];
        const double slope = (y[k + 1] - y[k]) / h;
        if (order == 0) {
            table->coefficients.push_back({y[k]});
        } else if (order == 1) {
            table->coefficients.push_back({y[k], slope});
        } else {
            table->coefficients.push_back({y[k], slope - h * (2.0 * s[k] + s[k + 1]) / 6.0,
                                           s[k] / 2.0, (s[k + 1] - s[k]) / (6.0 * h)});
        }
    }
    return table;
}

std::shared_ptr<const Table> derivative(const Table& table) {
    auto result = std::make_shared<Table>(table);
    ++result->derivative_order;
    for (auto& c : result->coefficients) {
        for (std::size_t j = 1; j < c.size(); ++j) c[j - 1] = static_cast<double>(j) * c[j];
        if (c.size() > 1)
            c.pop_back();
        else
            c[0] = 0.0;
    }
    return result;
}

} // namespace liaison::expr
