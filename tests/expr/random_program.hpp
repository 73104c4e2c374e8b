// SPDX-License-Identifier: Apache-2.0
// Random smooth computations, run through the folding constructors or plainly in any number type.
#pragma once

#include "liaison/expr/expr.hpp"
#include "liaison/expr/structure.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <vector>

namespace liaison::expr::testing {

// One step: an operation on two earlier values and a small integer. Every operation is smooth on
// the whole line and of moderate growth, so that any program has a value and a derivative
// everywhere.
struct Step {
    unsigned op = 0;
    unsigned a = 0;
    unsigned b = 0;
    int k = 0;
};
using Program = std::vector<Step>;

inline constexpr unsigned k_operations = 20;
inline constexpr std::size_t k_inputs = 3;

inline Program random_program() {
    const auto length = *rc::gen::inRange<std::size_t>(1, 16);
    Program program(length);
    for (Step& s : program) {
        s.op = *rc::gen::inRange(0U, k_operations);
        s.a = *rc::gen::inRange(0U, 1000U);
        s.b = *rc::gen::inRange(0U, 1000U);
        s.k = *rc::gen::inRange(-4, 5);
    }
    return program;
}

inline std::array<double, k_inputs> random_point() {
    std::array<double, k_inputs> x{};
    for (double& v : x) v = static_cast<double>(*rc::gen::inRange(-1500, 1500)) / 1000.0;
    return x;
}

// The functions each number type must offer; expressions get theirs by argument-dependent lookup.
template <class T>
struct Arithmetic {
    static T ratio(const T& like, int num, int den) {
        return static_cast<T>(static_cast<long double>(num) / static_cast<long double>(den)) +
               like * T(0);
    }
    static T power(const T& x, int n) {
        T result(1);
        for (int i = 0; i < std::abs(n); ++i) result *= x;
        return n < 0 ? T(1) / result : result;
    }
    static T root(const T& x) { return std::sqrt(x); }
    // first component of [4 + s, c; c, 5] z = (a, b), by Cramer
    static T solved(const T& s, const T& c, const T& a, const T& b) {
        return (a * T(5) - c * b) / ((T(4) + s) * T(5) - c * c);
    }
    static T skew(const T& s, const T& c, const T& a, const T& b) { // [4, s; c, 5] z = (a, b)
        return (T(4) * b - c * a) / (T(20) - s * c);
    }
};

template <>
struct Arithmetic<Expr> {
    static Expr ratio(Expr like, int num, int den) {
        return like.pool().number(Number::rational(num, den));
    }
    static Expr power(Expr x, int n) { return pow(x, Number(n)); }
    static Expr root(Expr x) { return sqrt(x); }
    static Expr solved(Expr s, Expr c, Expr a, Expr b) {
        auto structure = std::make_shared<Structure>();
        structure->n = 2;
        structure->entries = {{0, 0}, {1, 0}, {1, 1}};
        const Expr entries[] = {s + 4, c, s.pool().number(5)};
        const Expr rhs[] = {a, b};
        return s.pool().solve(structure, entries, rhs)[0];
    }
    static Expr skew(Expr s, Expr c, Expr a, Expr b) {
        auto structure = std::make_shared<Structure>();
        structure->n = 2;
        structure->symmetric = false;
        structure->entries = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
        const Expr entries[] = {s.pool().number(4), s, c, s.pool().number(5)};
        const Expr rhs[] = {a, b};
        return s.pool().solve(structure, entries, rhs)[1];
    }
};

// All values of the program, the inputs first, the result last.
template <class T>
std::vector<T> run(const Program& program, const std::array<T, k_inputs>& inputs) {
    using std::atan, std::cos, std::cosh, std::exp, std::log, std::sin, std::sinh, std::tanh;
    using A = Arithmetic<T>;
    std::vector<T> values(inputs.begin(), inputs.end());
    for (const Step& s : program) {
        const T a = values[s.a % values.size()];
        const T b = values[s.b % values.size()];
        const auto number = [&](int num, int den = 1) { return A::ratio(inputs[0], num, den); };
        const T one_plus_square = number(1) + a * a;
        switch (s.op) {
        case 0:
        case 1: values.push_back(a + b); break;
        case 2:
        case 3: values.push_back(a - b); break;
        case 4:
        case 5: values.push_back(sin(a) * b); break;
        case 6: values.push_back(a * b); break;
        case 7: values.push_back(a / (number(1) + b * b)); break;
        case 8: values.push_back(number(s.k, 3) * a + number(s.k - 1, 4)); break;
        case 9: values.push_back(cos(a - b)); break;
        case 10: values.push_back(exp(sin(a))); break;
        case 11: values.push_back(log(one_plus_square)); break;
        case 12: values.push_back(A::root(one_plus_square)); break;
        case 13: values.push_back(tanh(a)); break;
        case 14: values.push_back(atan(a - b)); break;
        case 15: values.push_back(A::power(number(2) + sin(a), s.k)); break;
        case 16: values.push_back(sinh(sin(a)) + cosh(cos(b))); break;
        case 17: values.push_back(-a); break;
        case 18: values.push_back(A::solved(sin(a), cos(b), a, b)); break;
        default: values.push_back(A::skew(sin(a), cos(b), a, b)); break;
        }
    }
    return values;
}

// The largest size among the values: errors of a computation are measured against it.
template <class T>
double scale(const std::vector<T>& values) {
    double size = 1.0;
    for (const T& v : values) size = std::max(size, static_cast<double>(std::abs(v)));
    return size;
}

} // namespace liaison::expr::testing
