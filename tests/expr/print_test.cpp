// SPDX-License-Identifier: Apache-2.0
// Text and LaTeX of expressions: readable, minimal, and never larger than the graph.
#include "liaison/expr/print.hpp"

#include "liaison/expr/latex.hpp"
#include "liaison/expr/structure.hpp"
#include "liaison/expr/table.hpp"

#include "support/cpu_time.hpp"

#include <doctest/doctest.h>

#include <memory>

using namespace liaison::expr;

TEST_CASE("sums and products read as on paper") {
    Pool pool;
    const Expr y = pool.symbol("y");  // created first: order must not follow creation
    const Expr x = pool.symbol("x");
    const Expr a = pool.symbol("a");
    CHECK(print(y + x) == "x + y");
    CHECK(print(y * x * 3) == "3*x*y");
    CHECK(print(y - x) == "y - x");
    CHECK(print(-x - y) == "-x - y");
    CHECK(print(1 - x) == "1 - x");
    CHECK(print(x - 1) == "x - 1");
    CHECK(print(pow(x, 2) + 2 * x + 1) == "x^2 + 2*x + 1");
    CHECK(print(x / 2) == "x/2");
    CHECK(print(a * x / y) == "a*x/y");
    CHECK(print(a / (x * y)) == "a/(x*y)");
    CHECK(print(3 * a / (4 * x)) == "3*a/(4*x)");
    CHECK(print(1 / x) == "1/x");
    CHECK(print(-1 / x) == "-1/x");
    CHECK(print((x + y) / (x - y)) == "(x + y)/(x - y)");
    CHECK(print(2 * (x + y)) == "2*(x + y)");
    CHECK(print(a - 2 * (x + y)) == "a - 2*(x + y)");
    CHECK(print((1 - x) * y) == "y*(1 - x)");
    CHECK(print((x - 1) * y) == "y*(x - 1)");
    CHECK(print((-x - y) * a) == "-a*(x + y)");
    CHECK(print(a / (1 - x)) == "a/(1 - x)");
    CHECK(print(2 * (1 - x)) == "2*(1 - x)");
    CHECK(print(a + 2 * (1 - x)) == "a + 2*(1 - x)");
    CHECK(print(sqrt(x)) == "sqrt(x)");
    CHECK(print(1 / sqrt(x)) == "1/sqrt(x)");
    CHECK(print(pow(x, Number::rational(3, 2))) == "x^(3/2)");
    CHECK(print(pow(x, -2)) == "1/x^2");
    CHECK(print(pow(x + y, 2)) == "(x + y)^2");
    CHECK(print(sqrt(x * x + y * y)) == "sqrt(x^2 + y^2)");
    CHECK(print(pow(x, y)) == "x^y");
    CHECK(print(pow(x + 1, -y)) == "(x + 1)^(-y)");
    CHECK(print(pow(pool.number(2), x)) == "2^x");
    CHECK(print(pow(pool.number(-2), x)) == "(-2)^x");
    CHECK(print(sqrt(sin(x)) * pow(cos(x), 2)) == "sqrt(sin(x))*cos(x)^2");
    CHECK(print(pool.symbol("x10") + pool.symbol("x2")) == "x2 + x10");
    CHECK(print(pool.symbol("x'") * x) == "x*x'");
    CHECK(print(1 / pool.number(0)) == "1/0");
    CHECK(print(pow(pool.number(-8), Number::rational(1, 3))) == "(-8)^(1/3)");
}

TEST_CASE("numbers print as they were written") {
    Pool pool;
    const Expr x = pool.symbol("x");
    const auto written = [&](const char* text) {
        return print(pool.number(*Number::from_decimal(text)));
    };
    for (const char* text : {"0.1", "9.81", "12", "1e-10", "1.5e-7", "0.0001", "3.141592653589793",
                             "6.02214076e+23", "1e+300", "0.3333333333333333", "123456.789"}) {
        CHECK(written(text) == text);
    }
    CHECK(print(Number::rational(1, 3)) == "1/3");
    CHECK(print(Number::rational(-1, 2)) == "-1/2");
    CHECK(print(x * *Number::from_decimal("0.1")) == "0.1*x");
    CHECK(print(x * Number::rational(-2, 3)) == "-2*x/3");
    // A double is not the decimal it resembles; its text keeps the difference.
    CHECK(*Number::from_decimal(print(Number(0.1))) == Number(0.1));
    CHECK(print(Number(0.1)) == "0.10000000000000001");
    for (const double v :
         {0.1, 1.0 / 3.0, 2.0 / 3.0, 1e22, 5e-324, 1.7976931348623157e308, 0.1411200080598672}) {
        CHECK(*Number::from_decimal(print(Number(v))) == Number(v));
    }
}

TEST_CASE("functions and conditions") {
    Pool pool;
    const Expr x = pool.symbol("x");
    const Expr y = pool.symbol("y");
    const Expr below = pool.call(Op::less, x, y);
    const Expr least = pool.call(Op::less_equal, y, x + 1);
    CHECK(print(atan2(y, x)) == "atan2(y, x)");
    CHECK(print(abs(x) - sign(x)) == "abs(x) - sign(x)");
    CHECK(print(pool.select(below, x, -y)) == "if(x < y, x, -y)");
    CHECK(print(pool.call(Op::logical_and, below, least)) == "x < y and y <= x + 1");
    const Expr either = pool.call(Op::logical_or, below, least);
    CHECK(print(pool.call(Op::logical_and, either, below)) == "(x < y or y <= x + 1) and x < y");
    CHECK(print(pool.call(Op::logical_not, below)) == "not (x < y)");
    CHECK(print(pool.table(interpolate("cam", {0, 1, 2}, {0, 1, 0}, 3), 2 * x)) == "cam(2*x)");
}

TEST_CASE("names keep text short") {
    Pool pool;
    const Expr q = pool.symbol("q");
    const Expr x1 = pool.named("x1", sin(q) + 1);
    const Expr x2 = pool.named("x2", x1 + cos(q));
    const Expr e = x2 * x1;
    CHECK(print(e) == "x1*x2");
    CHECK(lines(print_with_names({&e, 1})) == "x1 = sin(q) + 1\nx2 = x1 + cos(q)\nx1*x2\n");
    // the same label for another body, and a label that is a symbol elsewhere
    const Expr x1_again = pool.named("x1", cos(q));
    const Expr q_again = pool.named("q", exp(q));
    const Expr other = x1_again + q_again + x1;
    const Listing listing = print_with_names({&other, 1});
    CHECK(lines(listing) == "x1 = sin(q) + 1\nx1_2 = cos(q)\nq_2 = exp(q)\nq_2 + x1 + x1_2\n");
}

TEST_CASE("a tower of squares prints in linear size") {
    Pool pool;
    const Expr a = pool.symbol("a");
    Expr e = a + 1;
    for (int i = 0; i < 60; ++i) e = sin(e) * cos(e);  // 2^60 leaves as a tree
    CHECK(print(e).size() < 10'000);
    const Listing listing = print_with_names({&e, 1});
    CHECK(lines(listing).size() < 10'000);
    REQUIRE_FALSE(listing.definitions.empty());
    CHECK(listing.definitions.front().kind == Definition::Kind::shared);
    CHECK(latex(e).size() < 20'000);
}

TEST_CASE("deep chains print without recursion") {
    Pool pool;
    Expr e = pool.symbol("x");
    for (int i = 0; i < 100'000; ++i) e = sin(e + i);
    std::string text;
    std::string tex;
    const double spent = liaison::support::cpu_seconds([&] {
        text = print(e);
        tex = latex(e);
    });
    CHECK(text.starts_with("sin(sin("));
    CHECK(text.ends_with("+ 99998) + 99999)"));
    CHECK(text.size() < 2'000'000);
    CHECK(tex.size() < 4'000'000);
    CHECK(spent < 4.0);
}

TEST_CASE("linear systems list their equations") {
    Pool pool;
    const Expr x = pool.symbol("x");
    auto structure = std::make_shared<Structure>();
    structure->n = 2;
    structure->entries = {{0, 0}, {1, 0}, {1, 1}};
    const Expr entries[] = {pool.number(2), -x, pool.number(1)};
    const Expr rhs[] = {pool.number(1), sin(x)};
    const Expr e = pool.solve(structure, entries, rhs)[1] + 1;
    CHECK(lines(print_with_names({&e, 1})) ==
          "2*z1[1] - x*z1[2] = 1\n-x*z1[1] + z1[2] = sin(x)\nz1[2] + 1\n");
    CHECK(print(e) == "z1[2] + 1");
}

TEST_CASE("latex") {
    Pool pool;
    const Expr th = pool.symbol("theta1");
    const Expr w = pool.symbol("theta1'");
    const Expr m = pool.symbol("m_rod");
    CHECK(latex_name("th1'") == "\\dot{\\theta}_{1}");
    CHECK(latex_name("x") == "x");
    CHECK(latex_name("z[3]''") == "\\ddot{z}_{3}");
    CHECK(latex_name("len") == "\\mathrm{len}");
    CHECK(latex_name("x2_th") == "x_{2,\\theta}");
    CHECK(latex(m * pow(w, 2) / 2) == "\\frac{m_{\\mathrm{rod}} \\, \\dot{\\theta}_{1}^{2}}{2}");
    CHECK(latex((th + 1) / m) == "\\frac{\\theta_{1} + 1}{m_{\\mathrm{rod}}}");
    CHECK(latex(sqrt(th) * sin(th)) == "\\sqrt{\\theta_{1}} \\, \\sin\\left(\\theta_{1}\\right)");
    CHECK(latex(pool.number(Number(1e-30)) * th) == "1 \\cdot 10^{-30} \\, \\theta_{1}");
    CHECK(latex(pool.select(pool.call(Op::less, th, w), th, abs(w))) ==
          "\\begin{cases} \\theta_{1} & \\theta_{1} < \\dot{\\theta}_{1} \\\\ "
          "\\left|\\dot{\\theta}_{1}\\right| & \\text{otherwise} \\end{cases}");
}
