// SPDX-License-Identifier: Apache-2.0
// What holds for every Lagrangian: the Euler–Lagrange residual vanishes and energy changes by power.
#include "equations/systems.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace systems;
using namespace liaison;
using equations::Form;

namespace {

Expr random_position(Builder& b, std::mt19937& random, int depth) {
    std::uniform_int_distribution<int> kind(0, depth > 0 ? 6 : 2);
    std::uniform_int_distribution<std::size_t> pick(0, b.in.q.size() - 1);
    std::uniform_real_distribution<double> number(-1.5, 1.5);
    switch (kind(random)) {
    case 0: return b.number(number(random));
    case 1: return b.q(pick(random));
    case 2: return b.q(pick(random)) + number(random) * b.in.t;
    case 3: return sin(random_position(b, random, depth - 1));
    case 4: return cos(random_position(b, random, depth - 1));
    case 5: return random_position(b, random, depth - 1) * random_position(b, random, depth - 1);
    default: return random_position(b, random, depth - 1) + random_position(b, random, depth - 1);
    }
}

// T = Σ m/2 (der of a random let)² + linear and free terms, V and forces random; lets build on each other.
std::unique_ptr<Builder> random_system(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> count(1, 4);
    std::vector<std::string> names;
    const int n = count(random);
    for (int i = 0; i < n; ++i) names.push_back("q" + std::to_string(i));
    auto b = std::make_unique<Builder>(names);
    Expr T = b->number(0);
    for (int i = 0; i < n; ++i)
        T = T + (1 + pow(sin(b->q(static_cast<std::size_t>(i))), 2)) *
                    pow(b->v(static_cast<std::size_t>(i)), 2) / 2;
    Expr last = b->number(0);
    for (int k = count(random); k > 0; --k) {
        const std::string name = "p" + std::to_string(k);
        last = b->let(name, last + random_position(*b, random, 3));
        T = T + pow(b->der(last), 2) * Number::rational(k, 3);
    }
    // A gyroscopic term, and one free of velocities.
    T = T + random_position(*b, random, 2) * b->v(0) + pow(random_position(*b, random, 2), 2);
    b->in.T = T;
    b->in.V = random_position(*b, random, 3);
    std::vector<Expr> Q;
    for (int i = 0; i < n; ++i)
        Q.push_back(random_position(*b, random, 2) - b->v(static_cast<std::size_t>(i)) / 5);
    b->in.forces.push_back({"random", Q, {}, {}});
    if (!b->in.lets.empty())
        b->in.forces.push_back({"at", {}, {b->in.lets[0]}, {random_position(*b, random, 2)}});
    return b;
}

// L at a state, as plain numbers.
struct Numbers {
    const Builder& b;
    Expr L;
    double operator()(const std::vector<double>& q, const std::vector<double>& v, double t) const {
        return Point(b, q, v, t)(L);
    }
};

double by_central_differences(const std::function<double(double)>& f, double h) {
    // Fourth order.
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

} // namespace

TEST_CASE("Euler–Lagrange residual with numerically differentiated momenta") {
    CHECK(rc::check("d/dt ∂L/∂v − ∂L/∂q = Q", [] {
        const auto seed = *rc::gen::arbitrary<unsigned>();
        const auto b = random_system(seed);
        const std::size_t n = b->in.q.size();
        std::mt19937 random(seed + 1);
        const auto q = random_values(n, random);
        const auto v = random_values(n, random);
        const double t = 0.3;
        const Numbers L{*b, b->in.T - b->in.V};
        for (const Form form : {Form::plain, Form::extended}) {
            const Equations eq = derive(b->in, form);
            const Point at(*b, q, v, t);
            const auto a = at(accelerations(eq, {}).v_dot(eq));
            const Equations plain = derive(b->in, Form::plain);
            for (std::size_t i = 0; i < n; ++i) {
                // The motion q + v s + a s²/2 has the right velocity and acceleration at s = 0.
                const auto momentum = [&](double s) {
                    std::vector<double> qs = q, vs = v;
                    for (std::size_t j = 0; j < n; ++j) {
                        qs[j] += v[j] * s + a[j] * s * s / 2;
                        vs[j] += a[j] * s;
                    }
                    return by_central_differences(
                        [&](double e) {
                            auto moved = vs;
                            moved[i] += e;
                            return L(qs, moved, t + s);
                        },
                        1e-2);
                };
                const double rate = by_central_differences(momentum, 1e-3);
                const double slope = by_central_differences(
                    [&](double e) {
                        auto moved = q;
                        moved[i] += e;
                        return L(moved, v, t);
                    },
                    1e-3);
                double scale = 1 + std::abs(slope) + std::abs(rate);
                for (const double x : a) scale += std::abs(x);
                RC_ASSERT(std::abs(rate - slope - at(plain.Q[i])) < 1e-6 * scale * scale);
            }
        }
    }));
}

TEST_CASE("energy balance: the Jacobi integral changes by the power of forces and explicit time") {
    CHECK(rc::check("dH/dt = power − ∂L/∂t", [] {
        const auto seed = *rc::gen::arbitrary<unsigned>();
        const auto b = random_system(seed);
        const std::size_t n = b->in.q.size();
        std::mt19937 random(seed + 2);
        const Point at(*b, random_values(n, random), random_values(n, random), 0.7);
        for (const Form form : {Form::plain, Form::extended}) {
            const Equations eq = derive(b->in, form);
            const auto a = accelerations(eq, {});
            std::vector<Expr> atoms = b->in.q;
            std::vector<Expr> rates = b->in.v;
            atoms.insert(atoms.end(), b->in.v.begin(), b->in.v.end());
            rates.insert(rates.end(), a.u_dot.begin(),
                         a.u_dot.begin() + static_cast<std::ptrdiff_t>(n));
            atoms.push_back(b->in.t);
            rates.push_back(b->number(1));
            const Expr rate = expr::differentiate_along({&eq.energy.jacobi, 1}, atoms, rates)[0];
            const double expected = at(eq.energy.power) + at(eq.energy.minus_L_t);
            double scale = 1 + std::abs(expected);
            for (const double x : at(a.v_dot(eq))) scale += x * x;
            RC_ASSERT(std::abs(at(rate) - expected) < 1e-10 * scale);
        }
    }));
}
