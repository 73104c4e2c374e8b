// SPDX-License-Identifier: Apache-2.0
// Derived equations through the whole compiler: chains, masked reactions and derivatives.
#include "liaison/base/features.hpp"
#include "liaison/compile/cache.hpp"
#include "liaison/compile/evaluator.hpp"
#include "liaison/compile/layout.hpp"
#include "liaison/expr/functions.hpp"
#include "liaison/expr/traverse.hpp"

#include "equations/systems.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <unordered_map>

using namespace liaison;
using compile::Backend;
using compile::Stage;
using expr::Expr;
using expr::Op;

namespace {

std::vector<Backend> backends() {
#if LIAISON_WITH_LLVM
    return {Backend::tape, Backend::llvm};
#else
    return {Backend::tape};
#endif
}

compile::CodeCache& memory_only() {
    static compile::CodeCache cache{std::nullopt};
    return cache;
}

compile::Request chain_request(const systems::Builder& b, const std::vector<Expr>& outputs) {
    compile::Request request;
    const auto add = [&](const std::vector<Expr>& symbols, Stage stage) {
        for (const Expr s : symbols) {
            request.inputs.push_back(s);
            request.stages.push_back(stage);
        }
    };
    add(b.parameters, Stage::parameter);
    add(b.in.q, Stage::position);
    add(b.in.v, Stage::velocity);
    request.outputs = outputs;
    return request;
}

std::vector<Expr> accelerations_of(const systems::Builder& b) {
    const auto eq = equations::derive(b.in);
    const auto a = equations::accelerations(eq, {});
    const auto v_dot = a.v_dot(eq);
    return {v_dot.begin(), v_dot.end()};
}

std::vector<double> evaluate(const compile::Evaluator& f, const std::vector<double>& in) {
    auto workspace = f.make_workspace();
    std::vector<double> out(f.n_outputs() * f.lanes());
    CHECK(f.run(in.data(), out.data(), workspace));
    return out;
}

// A graph of smooth functions evaluated with 64-bit mantissas.
long double precise(Expr root, const std::vector<Expr>& symbols,
                    const std::vector<long double>& values) {
    std::unordered_map<const expr::Node*, long double> at;
    for (std::size_t i = 0; i < symbols.size(); ++i) at[symbols[i].node()] = values[i];
    for (const expr::Node* n : expr::reachable({&root, 1}, symbols)) {
        if (at.contains(n)) continue;
        long double y = 0.0L;
        const auto x = [&](std::uint32_t i) { return at.at(n->args[i]); };
        switch (n->op) {
        case Op::number: y = n->numbers[0].value(); break;
        case Op::add:
            y = n->numbers[0].value();
            for (std::uint32_t i = 0; i < n->n_args; ++i)
                y += static_cast<long double>(n->numbers[i + 1].value()) * x(i);
            break;
        case Op::mul:
            y = n->numbers[0].value();
            for (std::uint32_t i = 0; i < n->n_args; ++i)
                y *= powl(x(i), n->numbers[i + 1].value());
            break;
        case Op::sin: y = sinl(x(0)); break;
        case Op::cos: y = cosl(x(0)); break;
        case Op::exp: y = expl(x(0)); break;
        case Op::log: y = logl(x(0)); break;
        case Op::atan: y = atanl(x(0)); break;
        case Op::tanh: y = tanhl(x(0)); break;
        default: FAIL("an operation the test does not make");
        }
        at[n] = y;
    }
    return at.at(root.node());
}

} // namespace

TEST_CASE("compiled chains have the accelerations of the textbook, scalar and in lanes") {
    std::mt19937 random(3);
    for (const std::size_t n : {1U, 2U, 5U, 12U, 40U}) {
        const auto b = systems::chain(n, true);
        const auto request = chain_request(*b, accelerations_of(*b));
        for (const Backend backend : backends()) {
            for (const std::uint32_t lanes : {1U, 4U}) {
                const auto f = compile::make_evaluator(
                    request, {.backend = backend, .lanes = lanes, .cache = &memory_only()});
                std::vector<double> in(f.n_inputs() * lanes);
                std::vector<Eigen::VectorXd> expected;
                for (std::uint32_t lane = 0; lane < lanes; ++lane) {
                    const auto th = systems::random_values(n, random);
                    const auto w = systems::random_values(n, random);
                    std::vector<double> one = b->parameter_values;
                    one.insert(one.end(), th.begin(), th.end());
                    one.insert(one.end(), w.begin(), w.end());
                    for (std::size_t i = 0; i < one.size(); ++i) in[i * lanes + lane] = one[i];
                    std::vector<double> m;
                    std::vector<double> l;
                    for (std::size_t i = 0; i < n; ++i) {
                        m.push_back(1.0 + 0.1 * static_cast<double>(i % 7));
                        l.push_back(0.5 + 0.05 * static_cast<double>(i % 5));
                    }
                    expected.push_back(systems::chain_accelerations(m, l, 9.81, th, w));
                }
                const auto out = evaluate(f, in);
                for (std::uint32_t lane = 0; lane < lanes; ++lane) {
                    const double size = expected[lane].cwiseAbs().maxCoeff();
                    for (std::size_t i = 0; i < n; ++i) {
                        CHECK(std::abs(out[i * lanes + lane] -
                                       expected[lane](static_cast<Eigen::Index>(i))) <=
                              1e-11 * size);
                    }
                }
            }
        }
    }
}

TEST_CASE("the work of a chain grows linearly") {
    const auto work = [](std::size_t n) {
        const auto b = systems::chain(n);
        const auto program =
            compile::write_out(compile::lower(chain_request(*b, accelerations_of(*b))));
        return static_cast<double>(compile::weight(program.plan));
    };
    const double w20 = work(20);
    const double w40 = work(40);
    const double w80 = work(80);
    CHECK((w80 - w40) / (w40 - w20) == doctest::Approx(2.0).epsilon(0.05));
}

TEST_CASE("a masked reaction acts or not by its input alone") {
    // a mass on a line pushed by the force 3 against the stop x = 0: closed it rests, open it accelerates
    systems::Builder b({"x"});
    b.in.T = b.number(2) * pow(b.v(0), 2) / 2;
    b.in.V = b.number(0);
    b.in.forces.push_back({"push", {b.number(3)}, {}, {}});
    b.in.contacts.push_back({"stop", b.q(0), {}});
    const auto eq = equations::derive(b.in);
    const Expr closed = b.pool.symbol("closed");
    const equations::ReactionRow rows[] = {
        equations::reaction_row(eq.contacts[0].normal, {}, closed)};
    const auto a = equations::accelerations(eq, rows);
    const compile::Request request{.inputs = {closed, b.q(0), b.v(0)},
                                   .stages = {Stage::mode, Stage::position, Stage::velocity},
                                   .outputs = {a.u_dot[0], a.reactions[0]}};
    for (const Backend backend : backends()) {
        const auto f = compile::make_evaluator(
            request, {.backend = backend, .lanes = 2, .cache = &memory_only()});
        const auto out = evaluate(f, {0.0, 1.0, 0.0, 0.0, 0.0, 0.0});
        CHECK(out[0] == doctest::Approx(1.5));
        CHECK(out[1] == doctest::Approx(0.0));
        CHECK(out[2] == doctest::Approx(0.0));
        CHECK(out[3] == doctest::Approx(-3.0));
    }
}

TEST_CASE("compiled derivatives agree with differences taken in higher precision") {
    expr::Pool pool;
    const std::vector<Expr> x = {pool.symbol("a"), pool.symbol("b"), pool.symbol("c")};
    std::mt19937 random(17);
    const auto pick = [&](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    std::vector<Expr> made = x;
    std::vector<Expr> functions;
    for (int i = 0; i < 300; ++i) {
        const Expr p = made[pick(made.size())];
        const Expr q = made[pick(made.size())];
        const Expr safe = expr::Number(2) + sin(q);
        const Expr next[] = {p + q,
                             p * sin(q),
                             cos(p) / safe,
                             exp(sin(p)) - q,
                             log(safe) * p,
                             pool.call(Op::atan, p * q),
                             pool.call(Op::tanh, p) * safe,
                             pow(safe, expr::Number::rational(3, 2))};
        made.push_back(next[pick(std::size(next))]);
        functions.push_back(made.back());
        if (made.size() > 20) made.resize(3);
    }
    compile::Request request{
        .inputs = x, .stages = {Stage::parameter, Stage::position, Stage::velocity}, .outputs = {}};
    for (const Expr f : functions) request.outputs.push_back(expr::differentiate(f, x[1]));
    const std::vector<double> point = {0.7, -0.4, 1.1};
    for (const Backend backend : backends()) {
        const auto f =
            compile::make_evaluator(request, {.backend = backend, .cache = &memory_only()});
        const auto out = evaluate(f, point);
        for (std::size_t i = 0; i < functions.size(); ++i) {
            const long double h = 0x1p-12L;
            const auto at = [&](long double shift) {
                return precise(functions[i], x, {0.7, -0.4 + shift, 1.1});
            };
            // central difference of order 6
            const long double slope =
                (45 * (at(h) - at(-h)) - 9 * (at(2 * h) - at(-2 * h)) + (at(3 * h) - at(-3 * h))) /
                (60 * h);
            const double scale =
                1.0 + std::abs(static_cast<double>(slope)) + std::abs(static_cast<double>(at(0)));
            CHECK(std::abs(out[i] - static_cast<double>(slope)) <= 1e-12 * scale);
        }
    }
}
