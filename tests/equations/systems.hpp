// SPDX-License-Identifier: Apache-2.0
// Small mechanical systems written by hand for the tests of the equations.
#pragma once

#include "liaison/equations/equations.hpp"
#include "liaison/equations/system.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate.hpp"

#include <Eigen/Dense>

#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace systems {

using liaison::equations::Accelerations;
using liaison::equations::Equations;
using liaison::equations::LagrangianInput;
using liaison::expr::Expr;
using liaison::expr::Number;
using liaison::expr::Pool;

// Coordinates, parameters with values, lets and total derivatives as a model file has them.
struct Builder {
    Pool pool;
    LagrangianInput in;
    std::vector<Expr> parameters;
    std::vector<double> parameter_values;

    explicit Builder(const std::vector<std::string>& coordinates) {
        in.pool = &pool;
        in.t = pool.symbol("t");
        for (const std::string& name : coordinates) {
            in.q.push_back(pool.symbol(name));
            in.v.push_back(pool.symbol(name + "'"));
        }
    }
    Expr parameter(const std::string& name, double value) {
        parameters.push_back(pool.symbol(name));
        parameter_values.push_back(value);
        return parameters.back();
    }
    Expr number(const Number& value) { return pool.number(value); }
    Expr let(const std::string& name, Expr body) {
        in.lets.push_back(pool.named(name, body));
        return in.lets.back();
    }
    Expr der(Expr e) {
        std::vector<Expr> atoms = in.q;
        std::vector<Expr> rates = in.rates.empty() ? in.v : in.rates;
        atoms.push_back(in.t);
        rates.push_back(pool.number(1));
        return liaison::expr::differentiate_along({&e, 1}, atoms, rates)[0];
    }
    Expr q(std::size_t i) const { return in.q[i]; }
    Expr v(std::size_t i) const { return in.v[i]; }
};

// Values of expressions at a state.
struct Point {
    std::vector<Expr> symbols;
    std::vector<double> values;

    Point(const Builder& b, const std::vector<double>& q, const std::vector<double>& v,
          double t = 0.0) {
        symbols = b.in.q;
        symbols.insert(symbols.end(), b.in.v.begin(), b.in.v.end());
        symbols.push_back(b.in.t);
        symbols.insert(symbols.end(), b.parameters.begin(), b.parameters.end());
        values = q;
        values.insert(values.end(), v.begin(), v.end());
        values.push_back(t);
        values.insert(values.end(), b.parameter_values.begin(), b.parameter_values.end());
    }
    Point& with(Expr symbol, double value) {
        symbols.push_back(symbol);
        values.push_back(value);
        return *this;
    }
    [[nodiscard]] double operator()(Expr e) const {
        return liaison::expr::evaluate(e, symbols, values);
    }
    [[nodiscard]] std::vector<double> operator()(std::span<const Expr> e) const {
        return liaison::expr::evaluate(e, symbols, values);
    }
};

// The n-link planar pendulum with positions as lets; equal masses and lengths unless `varied`.
inline std::unique_ptr<Builder> chain(std::size_t n, bool varied = false) {
    std::vector<std::string> names;
    for (std::size_t i = 1; i <= n; ++i) names.push_back("th" + std::to_string(i));
    auto b = std::make_unique<Builder>(names);
    const Expr g = b->parameter("g", 9.81);
    Expr m = b->parameter("m", 1.0);
    Expr l = b->parameter("l", 1.0);
    Expr x = b->number(0);
    Expr y = b->number(0);
    std::vector<Expr> T;
    std::vector<Expr> V;
    for (std::size_t i = 0; i < n; ++i) {
        const std::string k = std::to_string(i + 1);
        if (varied) {
            m = b->parameter("m" + k, 1.0 + 0.1 * static_cast<double>(i % 7));
            l = b->parameter("l" + k, 0.5 + 0.05 * static_cast<double>(i % 5));
        }
        x = b->let("x" + k, x + l * sin(b->q(i)));
        y = b->let("y" + k, y - l * cos(b->q(i)));
        T.push_back(m / 2 * (pow(b->der(x), 2) + pow(b->der(y), 2)));
        V.push_back(m * g * y);
    }
    b->in.T = b->pool.sum(T);
    b->in.V = b->pool.sum(V);
    return b;
}

// Accelerations of that pendulum by the textbook formula
//   Σ_j μ_max(i,j) l_i l_j (cos(θ_i−θ_j) θ̈_j + sin(θ_i−θ_j) θ̇_j²) + μ_i g l_i sin θ_i = 0, μ_k = Σ_{j≥k} m_j.
inline Eigen::VectorXd chain_accelerations(const std::vector<double>& m,
                                           const std::vector<double>& l, double g,
                                           const std::vector<double>& th,
                                           const std::vector<double>& w) {
    const auto n = static_cast<Eigen::Index>(m.size());
    std::vector<double> mu(m.size());
    double sum = 0;
    for (std::size_t k = m.size(); k-- > 0;) mu[k] = sum += m[k];
    Eigen::MatrixXd M(n, n);
    Eigen::VectorXd b(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const auto a = static_cast<std::size_t>(i);
        b(i) = -mu[a] * g * l[a] * std::sin(th[a]);
        for (Eigen::Index j = 0; j < n; ++j) {
            const auto c = static_cast<std::size_t>(j);
            const double k = mu[std::max(a, c)] * l[a] * l[c];
            M(i, j) = k * std::cos(th[a] - th[c]);
            b(i) -= k * std::sin(th[a] - th[c]) * w[c] * w[c];
        }
    }
    return M.ldlt().solve(b);
}

inline std::vector<double> random_values(std::size_t n, std::mt19937& random, double scale = 1.5) {
    std::uniform_real_distribution<double> value(-scale, scale);
    std::vector<double> result(n);
    for (double& x : result) x = value(random);
    return result;
}

inline double entry(const Equations& eq, const Point& at, std::uint32_t row, std::uint32_t col) {
    for (const auto& e : eq.inertia.M) {
        if ((e.row == row && e.col == col) || (e.row == col && e.col == row)) return at(e.value);
    }
    return 0.0;
}

} // namespace systems
