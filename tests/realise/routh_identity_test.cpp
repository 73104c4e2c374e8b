// SPDX-License-Identifier: Apache-2.0
// Three ways to the acceleration of a straightened gap agree: Lagrange's equations, the unfolded field, and Routh's
// function differentiated by hand (equation (10), written out here from the blocks of the kinetic matrix).
#include "liaison/equations/from_model.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/evaluate.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/flow/probe.hpp"
#include "liaison/model/read.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/realise/routh.hpp"
#include "liaison/solve/vector_product.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>
#include <fmt/format.h>

#include <cmath>
#include <random>

using namespace liaison;
using expr::Expr;

namespace {

// A Lagrangian of n coordinates with a kinetic matrix that depends on t and q, terms linear in the velocities, forces
// that depend on velocities, and the gap q0 + φ(t, q1, …).
struct Drawn {
    std::string text;
    std::string phi;
    int n;
};

Drawn draw(int n, unsigned seed) {
    std::mt19937 engine(seed);
    const auto u = [&](double a, double b) {
        return fmt::format("{:.6f}", std::uniform_real_distribution<double>(a, b)(engine));
    };
    const auto q = [](int i) { return fmt::format("q{}", i); };
    std::string T;
    std::string V;
    std::string forces;
    std::string names;
    std::string phi;
    std::string start;
    std::string rates;
    for (int i = 0; i < n; ++i) {
        const std::string next = q((i + 1) % n);
        names += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", q(i));
        T += fmt::format("{}({} + 0.3*cos({} + {}*t))*{}'^2/2", i == 0 ? "" : " + ", u(1.0, 2.0),
                         next, u(0.5, 1.5), q(i));
        if (i > 0) T += fmt::format(" + {}*sin({} + t)*{}'*{}'", u(0.1, 0.3), q(i), q(i), q(i - 1));
        T += fmt::format(" + {}*cos({} - {}*t)*{}'", u(-0.5, 0.5), next, u(0.2, 1.0), q(i));
        V += fmt::format("{}{}*{}^2 + {}*sin({})*{}", i == 0 ? "" : " + ", u(0.2, 1.0), q(i),
                         u(-0.5, 0.5), next, q(i));
        forces += fmt::format("{} = \"{}*{}'*{}' - {}*{}'*cos(t) + sin({})\"\n", q(i), u(-0.3, 0.3),
                              q(i), next, u(0.1, 0.5), next, q(i));
        if (i > 0)
            phi += fmt::format("{}{}*sin({} + {}*t)", i == 1 ? "" : " + ", u(0.1, 0.4), q(i),
                               u(0.3, 1.0));
        start += fmt::format("{} = {}\n", q(i), i == 0 ? u(2.0, 3.0) : u(-1.0, 1.0));
        rates += fmt::format("{} = {}\n", q(i), u(-1.0, 1.0));
    }
    return {fmt::format("format = 1\nname = \"drawn\"\ncoordinates = [{}]\n[energy]\nT = \"{}\"\n"
                        "V = \"{}\"\n[force.drawn]\n{}[contact.floor]\ngap = \"q0 + {}\"\n"
                        "restitution = 1\n[start]\n{}[start.velocity]\n{}[run]\nuntil = 1\n",
                        names, T, V, forces, phi, start, rates),
            phi, n};
}

// Determinants of symbolic matrices of order 1 to 3, and A = (A⁻¹)⁻¹ by cofactors.
using Matrix = std::vector<std::vector<Expr>>;
Expr cofactor(const Matrix& m, std::size_t row, std::size_t column, Expr one) {
    Matrix minor;
    for (std::size_t i = 0; i < m.size(); ++i) {
        if (i == row) continue;
        minor.emplace_back();
        for (std::size_t j = 0; j < m.size(); ++j)
            if (j != column) minor.back().push_back(m[i][j]);
    }
    const Expr value = minor.empty() ? one : solve::determinant(minor, one);
    return (row + column) % 2 == 0 ? value : -value;
}
Matrix inverse(const Matrix& m, Expr one) {
    const Expr det = solve::determinant(m, one);
    Matrix result(m.size(), std::vector<Expr>(m.size()));
    for (std::size_t i = 0; i < m.size(); ++i)
        for (std::size_t j = 0; j < m.size(); ++j) result[i][j] = cofactor(m, j, i, one) / det;
    return result;
}

} // namespace

TEST_CASE("form (10), the unfolded field and Lagrange's equations give the same acceleration") {
    unsigned seed = 1;
    for (const int n : {2, 3, 3, 4}) {
        CAPTURE(n);
        const Drawn drawn = draw(n, seed++);
        const model::Model model = model::read_model("drawn", drawn.text);
        base::Diagnostics diagnostics;
        const auto start = prepare::prepare(model, {}, diagnostics);
        REQUIRE(start);
        expr::Pool& pool = *model.pool;
        const auto input = equations::lagrangian_input(model);
        const std::size_t size = static_cast<std::size_t>(n);

        // Straightened: q0 = s − φ, q̇0 = ṡ − φ_t − Σ φ_i ẏ_i.
        const Expr s = pool.symbol("gap s");
        const Expr sd = pool.symbol("gap rate");
        const std::vector<Expr> q = input.q;
        const std::vector<Expr> v = input.v;
        const Expr t = input.t;
        const Expr f = input.contacts.front().gap;
        const Expr phi = f - q[0];
        const std::vector<Expr> y(q.begin() + 1, q.end());
        const std::vector<Expr> yd(v.begin() + 1, v.end());
        Expr rate0 = sd - expr::differentiate(phi, t);
        for (std::size_t i = 0; i < y.size(); ++i)
            rate0 = rate0 - expr::differentiate(phi, y[i]) * yd[i];
        const auto straight = [&](Expr e) {
            const Expr atoms[] = {q[0], v[0]};
            const Expr by[] = {s - phi, rate0};
            return expr::substitute(std::span<const Expr>(&e, 1), atoms, by).front();
        };
        const Expr L = straight(input.T - input.V);
        std::vector<Expr> Q;
        for (const Expr force : input.forces.front().Q) Q.push_back(straight(force));
        const Expr S = Q[0];
        std::vector<Expr> Y;
        for (std::size_t i = 0; i < y.size(); ++i)
            Y.push_back(Q[i + 1] - Q[0] * expr::differentiate(phi, y[i]));

        // Blocks of the kinetic matrix, terms linear in the velocities, and the rest.
        const Expr one = pool.number(1);
        const Expr zero = pool.number(0);
        const auto still = [&](Expr e) {
            std::vector<Expr> atoms = yd;
            atoms.push_back(sd);
            const std::vector<Expr> zeros(atoms.size(), zero);
            return expr::substitute(std::span<const Expr>(&e, 1), atoms, zeros).front();
        };
        const Expr a = expr::differentiate(expr::differentiate(L, sd), sd);
        const Expr gs = still(expr::differentiate(L, sd));
        const Expr L0 = still(L);
        std::vector<Expr> b;
        std::vector<Expr> gy;
        Matrix block;
        for (std::size_t i = 0; i < y.size(); ++i) {
            const Expr momentum = expr::differentiate(L, yd[i]);
            b.push_back(expr::differentiate(momentum, sd));
            gy.push_back(still(momentum));
            block.emplace_back();
            for (const Expr other : yd)
                block.back().push_back(expr::differentiate(momentum, other));
        }
        const Matrix A = inverse(block, one);
        std::vector<Expr> p;
        for (std::size_t i = 0; i < y.size(); ++i)
            p.push_back(pool.symbol(fmt::format("momentum {}", i)));
        Expr mu = a;
        Expr K = gs;
        Expr W = zero;
        for (std::size_t i = 0; i < y.size(); ++i)
            for (std::size_t j = 0; j < y.size(); ++j) {
                mu = mu - b[i] * A[i][j] * b[j];
                K = K + (p[i] - gy[i]) * A[i][j] * b[j];
                W = W + (p[i] - gy[i]) * A[i][j] * (p[j] - gy[j]);
            }
        const Expr half = pool.number(expr::Number(0.5));
        const Expr R = half * mu * sd * sd - half * W + L0 + sd * K;

        // A point of the motion: the model's own start.
        std::vector<Expr> symbols = q;
        std::vector<double> values = start->point.q;
        symbols.insert(symbols.end(), v.begin(), v.end());
        values.insert(values.end(), start->point.v.begin(), start->point.v.end());
        symbols.push_back(t);
        values.push_back(start->point.time);
        const auto at = [&](Expr e) { return expr::evaluate(e, symbols, values); };
        const Expr gap_rate = [&] {
            Expr rate = expr::differentiate(f, t);
            for (std::size_t i = 0; i < size; ++i)
                rate = rate + expr::differentiate(f, q[i]) * v[i];
            return rate;
        }();
        const double s_now = at(f);
        const double sd_now = at(gap_rate);
        symbols.push_back(s);
        values.push_back(s_now);
        symbols.push_back(sd);
        values.push_back(sd_now);
        std::vector<double> p_now;
        for (std::size_t i = 0; i < y.size(); ++i)
            p_now.push_back(at(expr::differentiate(L, yd[i])));
        for (std::size_t i = 0; i < y.size(); ++i) {
            symbols.push_back(p[i]);
            values.push_back(p_now[i]);
        }

        // (10): ẏ from the momenta, ṗ = ∂R/∂y + Y, then μ s̈.
        std::vector<double> y_rate;
        std::vector<double> p_rate;
        for (std::size_t i = 0; i < y.size(); ++i) {
            Expr value = zero;
            for (std::size_t j = 0; j < y.size(); ++j)
                value = value + A[i][j] * (p[j] - gy[j] - sd * b[j]);
            y_rate.push_back(at(value));
            // momenta and velocities of the other coordinates belong together
            CHECK(y_rate.back() == doctest::Approx(at(yd[i])).epsilon(1e-11));
            p_rate.push_back(at(expr::differentiate(R, y[i])) + at(Y[i]));
        }
        double mu_rate = at(expr::differentiate(mu, t)) + at(expr::differentiate(mu, s)) * sd_now;
        double K_rate = at(expr::differentiate(K, t));
        for (std::size_t i = 0; i < y.size(); ++i) {
            mu_rate += at(expr::differentiate(mu, y[i])) * y_rate[i];
            K_rate += at(expr::differentiate(K, y[i])) * y_rate[i] +
                      at(expr::differentiate(K, p[i])) * p_rate[i];
        }
        const double by_hand =
            (at(S) + at(expr::differentiate(L0, s)) - 0.5 * at(expr::differentiate(W, s)) +
             0.5 * at(expr::differentiate(mu, s)) * sd_now * sd_now - mu_rate * sd_now - K_rate) /
            at(mu);

        // Lagrange: the accelerations of the free model, along the gap.
        const auto realised = realise::realise(model, start->point);
        const flow::Flow& flow = realised.flow;
        flow::Instant now;
        now.field_time = flow.start_time;
        now.state = flow.start_state;
        for (const flow::ModeSlot& slot : flow.modes) now.mode.push_back(slot.initial);
        now.parameters = flow.parameter_values;
        const std::vector<Expr> rate{gap_rate};
        const double by_lagrange = flow::Probe(flow, flow::rates_along(flow, rate))(now).front();
        CHECK(by_hand == doctest::Approx(by_lagrange).epsilon(1e-9));

        // The unfolded field, on both sheets.
        const realise::Unfolded unfolded = realise::unfold(model, start->point);
        REQUIRE(unfolded.refused.empty());
        const realise::UnfoldedContact& c = unfolded.contacts.front();
        for (const double sheet : {1.0, -1.0}) {
            std::vector<Expr> names = unfolded.q;
            std::vector<double> numbers = start->point.q;
            const auto add = [&](Expr symbol, double value) {
                names.push_back(symbol);
                numbers.push_back(value);
            };
            for (std::size_t i = 0; i < size; ++i) add(unfolded.p[i], unfolded.start_p[i]);
            for (std::size_t i = 0; i < size; ++i)
                add(c.chart[i], i == unfolded.start_chart.front() ? 1.0 : 0.0);
            add(t, start->point.time);
            add(c.x, sheet * s_now);
            add(c.w, sheet * sd_now);
            add(c.sheet, sheet);
            add(c.centre, 0.0);
            add(c.factor, 1.0);
            add(c.loss, 0.0);
            add(c.heading, 1.0);
            add(c.closed, 0.0);
            add(c.wall, 1.0);
            add(c.lossy, 0.0);
            const double by_field = expr::evaluate(c.acceleration, names, numbers);
            CHECK(by_field == doctest::Approx(by_lagrange).epsilon(1e-9));
            CHECK(expr::evaluate(c.mass, names, numbers) == doctest::Approx(at(mu)).epsilon(1e-11));
            // The velocities come back from the momenta.
            for (std::size_t i = 0; i < size; ++i)
                CHECK(expr::evaluate(unfolded.velocities[i], names, numbers) ==
                      doctest::Approx(start->point.v[i]).epsilon(1e-11));
        }

        // An impact: the sheet changes, p and w stay; the velocities jump by −2 v_n M⁻¹n/(nᵀM⁻¹n), and T in the
        // velocities relative to the constraint stays.
        std::vector<double> after;
        {
            std::vector<Expr> names = unfolded.q;
            std::vector<double> numbers = start->point.q;
            for (std::size_t i = 0; i < size; ++i) {
                names.push_back(unfolded.p[i]);
                numbers.push_back(unfolded.start_p[i]);
                names.push_back(c.chart[i]);
                numbers.push_back(i == unfolded.start_chart.front() ? 1.0 : 0.0);
            }
            const std::pair<Expr, double> rest[] = {
                {t, start->point.time}, {c.x, s_now},    {c.w, sd_now}, {c.sheet, -1.0},
                {c.centre, 0.0},        {c.factor, 1.0}, {c.loss, 0.0}, {c.heading, 1.0},
                {c.closed, 0.0},        {c.wall, 1.0},   {c.lossy, 0.0}};
            for (const auto& [symbol, value] : rest) {
                names.push_back(symbol);
                numbers.push_back(value);
            }
            for (const Expr e : unfolded.velocities)
                after.push_back(expr::evaluate(e, names, numbers));
        }
        Eigen::MatrixXd M(n, n);
        Eigen::VectorXd normal(n);
        for (int i = 0; i < n; ++i) {
            const auto row = static_cast<std::size_t>(i);
            normal(i) = at(expr::differentiate(f, q[row]));
            for (int j = 0; j < n; ++j)
                M(i, j) = at(expr::differentiate(expr::differentiate(input.T, v[row]),
                                                 v[static_cast<std::size_t>(j)]));
        }
        const Eigen::VectorXd response = M.llt().solve(normal);
        for (int i = 0; i < n; ++i) {
            const double law = start->point.v[static_cast<std::size_t>(i)] -
                               2.0 * sd_now * response(i) / normal.dot(response);
            CHECK(after[static_cast<std::size_t>(i)] == doctest::Approx(law).epsilon(1e-11));
        }
    }
}
