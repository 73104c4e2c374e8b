// SPDX-License-Identifier: Apache-2.0
// What expressions print, the parser reads back to the same node.
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/functions.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/text/parser.hpp"

#include "expr/random_program.hpp"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>

using namespace liaison;
using namespace liaison::expr;
using text::NodeKind;

namespace {

// Reads one expression; names are symbols unless defined before.
class Reader {
  public:
    explicit Reader(Pool& pool) : pool_(pool) {}

    void define(const std::string& name, Expr meaning) { defined_[name] = meaning; }

    Expr read(const std::string& written) {
        const auto file = base::SourceFile::make("text", written);
        base::Diagnostics diagnostics;
        const text::Syntax syntax =
            text::parse(text::Passage::of(*file), text::Form::condition, diagnostics,
                        {.length = 1U << 24, .depth = 5000, .nodes = 5'000'000});
        if (!syntax.ok()) return {};
        std::vector<Expr> values;
        for (text::NodeId id = 0; id < syntax.nodes().size(); ++id)
            values.push_back(value(syntax, id, values));
        return values.back();
    }

  private:
    Expr value(const text::Syntax& syntax, text::NodeId id, const std::vector<Expr>& values) {
        const auto child = [&](std::size_t k) { return values[syntax.child(id, k)]; };
        switch (syntax.node(id).kind) {
        case NodeKind::number: return pool_.number(*Number::from_decimal(syntax.text(id)));
        case NodeKind::name:
        case NodeKind::prime: {
            const std::string name(syntax.text(id));
            const auto found = defined_.find(name);
            return found == defined_.end() ? pool_.symbol(name) : found->second;
        }
        case NodeKind::call: {
            std::vector<Expr> args;
            for (const text::NodeId a : syntax.arguments(id)) args.push_back(values[a]);
            if (syntax.name(id) == "sqrt") return sqrt(args[0]);
            return pool_.call(find_function(syntax.name(id))->op, args);
        }
        case NodeKind::negate: return -child(0);
        case NodeKind::add: return child(0) + child(1);
        case NodeKind::subtract: return child(0) - child(1);
        case NodeKind::multiply: return child(0) * child(1);
        case NodeKind::divide: return child(0) / child(1);
        case NodeKind::power: return pool_.power(child(0), child(1));
        case NodeKind::less: return pool_.call(Op::less, child(0), child(1));
        case NodeKind::less_equal: return pool_.call(Op::less_equal, child(0), child(1));
        case NodeKind::both: return pool_.call(Op::logical_and, child(0), child(1));
        case NodeKind::either: return pool_.call(Op::logical_or, child(0), child(1));
        case NodeKind::opposite: return pool_.call(Op::logical_not, child(0));
        default: return {};
        }
    }

    Pool& pool_;
    std::map<std::string, Expr> defined_;
};

// The expression read back from its listing, definition by definition.
Expr read_listing(Pool& pool, const Listing& listing) {
    Reader reader(pool);
    for (const Definition& d : listing.definitions) {
        const Expr body = reader.read(d.body);
        if (!body) return {};
        reader.define(d.name, d.kind == Definition::Kind::label ? pool.named(d.name, body) : body);
    }
    return reader.read(listing.expressions[0]);
}

} // namespace

TEST_CASE("chosen expressions read back to the same node") {
    Pool pool;
    Reader reader(pool);
    const Expr x = pool.symbol("x");
    const Expr v = pool.symbol("x'");
    const Expr y = pool.symbol("y");
    const Expr zero = pool.number(0);
    const Expr below = pool.call(Op::less, x, y);
    const Expr least = pool.call(Op::less_equal, v, x - 1);
    const Number third = Number::rational(1, 3);
    const Expr all[] = {
        -pow(x, 2),
        pow(-x - y, 3),
        x / (y * v),
        -1 / x,
        3 * x / (4 * y),
        1 / sqrt(x),
        pow(x, Number::rational(-7, 3)),
        x - (y - v) * 2,
        -(2 * (x + y)),
        pow(pool.number(2), x),
        pow(pool.number(-2), x),
        pow(x, pow(y, v)),
        pow(pow(x, y), v),
        pow(x, -y),
        pool.number(third) * x,
        x * Number(0.1),
        x + Number(0.1),
        x * Number(1e-300),
        x * Number(1e300) * Number(1e300),
        1 / zero,
        pow(pool.number(-8), third),
        exp(-x),
        sin(x) / cos(y) * tan(v),
        abs(x) * sign(y) - floor(v),
        min(x, max(y, -v)),
        atan2(-x, y),
        mod(x, y),
        hypot(x, y),
        pool.select(below, x, -y),
        pool.select(pool.call(Op::logical_and, below, least), x / 2, sqrt(x * y)),
        pool.call(Op::logical_or, pool.call(Op::logical_and, below, least), below),
        pool.call(Op::logical_and, below, pool.call(Op::logical_or, least, below)),
        pool.call(Op::logical_and, below,
                  pool.call(Op::logical_and, least, pool.call(Op::less, y, v))),
        pool.call(Op::logical_not, pool.call(Op::logical_or, below, least)),
        pow(x / y, Number::rational(1, 2)),
        sqrt(2 * x) * sqrt(y),
        pow(x * x, Number::rational(1, 2)),
        pow(x + 1, -1) * pow(x - 1, -2),
        pool.number(Number::rational(-22, 7)),
        pool.number(6.02214076e23),
    };
    for (const Expr e : all) {
        const std::string written = print(e);
        CAPTURE(written);
        CHECK(reader.read(written) == e);
    }
}

TEST_CASE("random expressions and their derivatives read back to the same node") {
    namespace t = expr::testing;
    CHECK(rc::check("parse(print(e)) = e", [] {
        Pool pool;
        const std::array<Expr, t::k_inputs> x{pool.symbol("x"), pool.symbol("y'"),
                                              pool.symbol("z")};
        t::Program program = t::random_program();
        for (t::Step& s : program) s.op %= 18;  // linear systems have no text
        Expr e = t::run(program, x).back();
        if (*rc::gen::inRange(0, 2) == 1) e = differentiate(e, x[0]);
        const std::string written = print(e);
        RC_LOG() << written << '\n';
        if (written.find(';') == std::string::npos) RC_ASSERT(Reader(pool).read(written) == e);
        RC_ASSERT(read_listing(pool, print_with_names({&e, 1})) == e);
    }));
}

TEST_CASE("named parts read back through their definitions") {
    Pool pool;
    const Expr q = pool.symbol("q");
    Expr x = pool.named("x0", sin(q));
    for (int i = 1; i < 40; ++i) x = pool.named("x" + std::to_string(i), x * cos(x) + q);
    const Expr e = x * x + exp(x);
    CHECK(print(e) == "x39^2 + exp(x39)");
    CHECK(read_listing(pool, print_with_names({&e, 1})) == e);
}
