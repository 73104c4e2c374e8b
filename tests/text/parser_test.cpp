// SPDX-License-Identifier: Apache-2.0
// Reading expressions: structure, places, recovery, bounds.
#include "liaison/text/parser.hpp"

#include "liaison/base/render.hpp"

#include "support/cpu_time.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace liaison;
using base::Code;
using text::Form;

namespace {

struct Read {
    std::shared_ptr<const base::SourceFile> file;
    base::Diagnostics diagnostics;
    text::Syntax syntax;
    explicit Read(const std::string& text, Form form = Form::expression,
                  const text::ExpressionLimits& limits = {})
        : file(base::SourceFile::make("expression", text)),
          syntax(text::parse(text::Passage::of(*file), form, diagnostics, limits)) {}
    std::vector<Code> codes() const {
        std::vector<Code> list;
        for (const auto* d : diagnostics.sorted()) list.push_back(d->code);
        return list;
    }
};

std::string tree(const std::string& text, Form form = Form::expression) {
    const Read read(text, form);
    INFO(base::render(read.diagnostics));
    CHECK(read.syntax.ok());
    CHECK(read.diagnostics.empty());
    return outline(read.syntax);
}

std::vector<Code> codes(const std::string& text, Form form = Form::expression) {
    const Read read(text, form);
    CHECK_FALSE(read.syntax.ok());
    return read.codes();
}

} // namespace

TEST_CASE("precedence and association are those of mathematics") {
    CHECK(tree("a + b*c") == "(add a (multiply b c))");
    CHECK(tree("a - b - c") == "(subtract (subtract a b) c)");
    CHECK(tree("a/b/c") == "(divide (divide a b) c)");
    CHECK(tree("a/b*c") == "(multiply (divide a b) c)");
    CHECK(tree("a^b^c") == "(power a (power b c))");
    CHECK(tree("-a^2") == "(negate (power a 2))");
    CHECK(tree("(-a)^2") == "(power (negate a) 2)");
    CHECK(tree("a^-b^c") == "(power a (negate (power b c)))");
    CHECK(tree("2*-a") == "(multiply 2 (negate a))");
    CHECK(tree("-a*b") == "(multiply (negate a) b)");
    CHECK(tree("a - -b") == "(subtract a (negate b))");
    CHECK(tree("+a") == "a");
    CHECK(tree("(((a)))") == "a");
}

TEST_CASE("numbers") {
    CHECK(tree("1") == "1");
    CHECK(tree(".5") == "0.5");
    CHECK(tree("2.") == "2");
    CHECK(tree("1e-3") == "0.001");
    CHECK(tree("6.02E+23") == "6.02e+23");
    CHECK(tree("1e-400") == "0");
}

TEST_CASE("names: velocities, dots, indices, calls") {
    CHECK(tree("m/2*x'^2") == "(multiply (divide m 2) (power x' 2))");
    CHECK(tree("u.belt") == "u.belt");
    CHECK(tree("top.gamma1'") == "top.gamma1'");
    CHECK(tree("z[i+1] - z[i]") == "(subtract z[(add i 1)] z[i])");
    CHECK(tree("z[i]'") == "z[i]'");
    CHECK(tree("w[i, j]") == "w[i,j]");
    CHECK(tree("ball[i].x'") == "ball.x[i]'");
    CHECK(tree("sin(x)") == "(sin x)");
    CHECK(tree("atan2(y, x)") == "(atan2 y x)");
    CHECK(tree("top.point(a, b, c)") == "(top.point a b c)");
    CHECK(tree("ball[i].point(a, b)") == "(ball.point[i] a b)");
    CHECK(tree("der(x - l*cos(th))") == "(der (subtract x (multiply l (cos th))))");
}

TEST_CASE("conditions and equations") {
    CHECK(tree("if(x > 0 and not y <= 1 or z < 2, a, b)") ==
          "(if (or (and (greater x 0) (not (less_equal y 1))) (less z 2)) a b)");
    CHECK(tree("x >= 0", Form::condition) == "(greater_equal x 0)");
    CHECK(tree("x - 1", Form::condition) == "(subtract x 1)");
    CHECK(tree("x^2 + y^2 = L^2", Form::equation) ==
          "(equation (add (power x 2) (power y 2)) (power L 2))");
}

TEST_CASE("places hold parentheses of their parts") {
    const Read read("(a + b)*c");
    CHECK(read.syntax.text(read.syntax.root()) == "(a + b)*c");
    CHECK(read.syntax.text(read.syntax.child(read.syntax.root(), 0)) == "a + b");
    CHECK(read.syntax.span(read.syntax.root()).text() == "(a + b)*c");
}

TEST_CASE("each mistake has its code") {
    CHECK(codes("") == std::vector{Code::empty_expression});
    CHECK(codes("  ") == std::vector{Code::empty_expression});
    CHECK(codes("a +") == std::vector{Code::expected_operand});
    CHECK(codes("* a") == std::vector{Code::expected_operand});
    CHECK(codes("a b") == std::vector{Code::expected_operator});
    CHECK(codes("2(x)") == std::vector{Code::expected_operator});
    CHECK(codes("2x") == std::vector{Code::bad_number});
    CHECK(codes("1.2.3") == std::vector{Code::bad_number});
    CHECK(codes("1e999") == std::vector{Code::bad_number});
    CHECK(codes("(a") == std::vector{Code::unbalanced_parenthesis});
    CHECK(codes("a)") == std::vector{Code::unbalanced_parenthesis});
    CHECK(codes("sin(x") == std::vector{Code::unbalanced_parenthesis});
    CHECK(codes("(a]") == std::vector{Code::unbalanced_parenthesis});
    CHECK(codes("z[i") == std::vector{Code::unbalanced_parenthesis});
    CHECK(codes("()") == std::vector{Code::expected_operand});
    CHECK(codes("f(a,)") == std::vector{Code::expected_operand});
    CHECK(codes("x''") == std::vector{Code::misplaced_prime});
    CHECK(codes("(x + y)'") == std::vector{Code::misplaced_prime});
    CHECK(codes("sin(x)'") == std::vector{Code::misplaced_prime});
    CHECK(codes("x '") == std::vector{Code::misplaced_prime});
    CHECK(codes("x ** 2") == std::vector{Code::foreign_operator});
    CHECK(codes("x > 0 && y > 0", Form::condition) == std::vector{Code::foreign_operator});
    CHECK(codes("x == 0", Form::condition) == std::vector{Code::foreign_operator});
    CHECK(codes("x > 0") == std::vector{Code::comparison_misplaced});
    CHECK(codes("0 < x < 1", Form::condition) == std::vector{Code::comparison_misplaced});
    CHECK(codes("if(x, a, b)") == std::vector{Code::comparison_misplaced});
    CHECK(codes("1 + (x > 0)") == std::vector{Code::comparison_misplaced});
    CHECK(codes("x = 0") == std::vector{Code::equals_misplaced});
    CHECK(codes("sin(x = 0)") == std::vector{Code::equals_misplaced});
    CHECK(codes("x - y", Form::equation) == std::vector{Code::equation_needs_equals});
    CHECK(codes("x = y = z", Form::equation) == std::vector{Code::equation_needs_equals});
    CHECK(codes("= x", Form::equation) == std::vector{Code::expected_operand});
    CHECK(codes("x =", Form::equation) == std::vector{Code::expected_operand});
    CHECK(codes("1,5*x") == std::vector{Code::expected_operator});
    CHECK(codes("m·g") == std::vector{Code::unexpected_character});
    CHECK(codes("γ*x") == std::vector{Code::unexpected_character});
    CHECK(codes("a $ b") == std::vector{Code::unexpected_character});
    CHECK(codes("x²") == std::vector{Code::unexpected_character});
}

TEST_CASE("independent mistakes are all told") {
    CHECK(codes("sin(2x) + a b + (c*)") ==
          std::vector{Code::bad_number, Code::expected_operator, Code::expected_operand});
}

TEST_CASE("deep and large texts are refused quickly and without recursion") {
    const std::size_t n = 100'000;
    CHECK(codes(std::string(n, '(') + "x" + std::string(n, ')')) ==
          std::vector{Code::expression_too_large});
    CHECK(codes(std::string(n, '-') + "x") == std::vector{Code::expression_too_large});
    std::string tower = "x";
    for (std::size_t i = 0; i < n; ++i) tower += "^x";
    CHECK(codes(tower) == std::vector{Code::expression_too_large});
    CHECK(codes(std::string((1U << 20U) + 1, 'x')) == std::vector{Code::expression_too_large});
    std::string sum = "x";
    for (std::size_t i = 0; i < 300'000; ++i) sum += "+x";
    CHECK(codes(sum) == std::vector{Code::expression_too_large});
    std::string calls;
    for (std::size_t i = 0; i < n; ++i) calls += "f(";
    CHECK(codes(calls) == std::vector{Code::expression_too_large});
    CHECK(tree(std::string(490, '(') + "x" + std::string(490, ')')) == "x");
}

TEST_CASE("a long sum is read in linear time") {
    std::string sum = "x";
    while (sum.size() < 100'000) sum += " + a*sin(x)^2";
    CHECK(support::cpu_seconds([&] { CHECK(Read(sum).syntax.ok()); }) < 0.5);
}

TEST_CASE("children stand before their parents and the root is last") {
    const Read read("a*(b + sin(c)^2)/z[i+1] - -d'");
    const auto& syntax = read.syntax;
    for (text::NodeId id = 0; id < syntax.nodes().size(); ++id) {
        for (const text::NodeId child : syntax.children(id)) CHECK(child < id);
    }
}

TEST_CASE("any bytes are read without crash, and trouble is always reported") {
    CHECK(rc::check([](const std::string& bytes) {
        for (const Form form : {Form::expression, Form::condition, Form::equation}) {
            const Read read(bytes, form);
            RC_ASSERT(read.syntax.ok() == !read.diagnostics.has_errors());
            RC_ASSERT(!base::render(read.diagnostics).empty() == read.diagnostics.has_errors());
        }
    }));
}

TEST_CASE("any sequence of tokens is read without crash") {
    const std::vector<std::string> pieces{
        "x",   "y1", "2",     ".5",   "1e3",   "+",  "-", "*",  "/",  "^",  "(",   ")",
        "[",   "]",  ",",     "'",    " ",     "=",  "<", ">=", "if", "(",  "a.b", ".",
        "sin", "(",  " and ", " or ", " not ", "**", "γ", "$",  "u.", "z[", "].x"};
    CHECK(rc::check([&] {
        const auto chosen =
            *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces));
        std::string joined;
        for (const auto& piece : chosen) joined += piece;
        for (const Form form : {Form::expression, Form::condition, Form::equation}) {
            const Read read(joined, form);
            RC_ASSERT(read.syntax.ok() == !read.diagnostics.has_errors());
            for (text::NodeId id = 0; id < read.syntax.nodes().size(); ++id) {
                RC_ASSERT(read.syntax.node(id).begin <= read.syntax.node(id).end);
                for (const auto child : read.syntax.children(id)) RC_ASSERT(child < id);
            }
        }
    }));
}

TEST_CASE("declared names") {
    const auto declared = [](const std::string& spelt) {
        const auto file = base::SourceFile::make("name", spelt);
        base::Diagnostics diagnostics;
        const auto name = text::parse_declaration(text::Passage::of(*file), diagnostics);
        CHECK(name.has_value() != diagnostics.has_errors());
        if (!name) return std::string("none");
        std::string out = name->name;
        for (const auto& index : name->indices) out += "|" + index;
        return out;
    };
    CHECK(declared("x") == "x");
    CHECK(declared("theta_2") == "theta_2");
    CHECK(declared("z[i]") == "z|i");
    CHECK(declared("w[i, j]") == "w|i|j");
    CHECK(declared("x'") == "none");
    CHECK(declared("2x") == "none");
    CHECK(declared("x, y") == "none");
    CHECK(declared("z[]") == "none");
    CHECK(declared("z[i") == "none");
    CHECK(declared("") == "none");
}
