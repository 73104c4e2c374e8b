// SPDX-License-Identifier: Apache-2.0
// Reads an expression, a condition or an equation into its syntax tree.
#include "liaison/text/parser.hpp"

#include "liaison/base/number.hpp"
#include "liaison/expr/functions.hpp"
#include "liaison/text/lexer.hpp"
#include "liaison/text/tree_builder.hpp"
#include "liaison/text/truth_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace liaison::text {

namespace {

using base::Code;

// Binding strengths, weakest first.
enum Binding : int { k_or = 1, k_and, k_not, k_compare, k_sum, k_product, k_power };

struct Operator {
    NodeKind kind;
    int binding;
};

std::optional<Operator> binary_operator(TokenKind token) {
    switch (token) {
    case TokenKind::word_or: return Operator{NodeKind::either, k_or};
    case TokenKind::word_and: return Operator{NodeKind::both, k_and};
    case TokenKind::less: return Operator{NodeKind::less, k_compare};
    case TokenKind::less_equal: return Operator{NodeKind::less_equal, k_compare};
    case TokenKind::greater: return Operator{NodeKind::greater, k_compare};
    case TokenKind::greater_equal: return Operator{NodeKind::greater_equal, k_compare};
    case TokenKind::plus: return Operator{NodeKind::add, k_sum};
    case TokenKind::minus: return Operator{NodeKind::subtract, k_sum};
    case TokenKind::star: return Operator{NodeKind::multiply, k_product};
    case TokenKind::slash: return Operator{NodeKind::divide, k_product};
    case TokenKind::caret: return Operator{NodeKind::power, k_power};
    default: return std::nullopt;
    }
}

bool starts_operand(TokenKind token) {
    return token == TokenKind::number || token == TokenKind::name || token == TokenKind::open;
}

// Operator precedence parsing; the recursion is as deep as the text is nested, and bounded.
class Parser : private TreeBuilder {
  public:
    using TreeBuilder::TreeBuilder;

    Syntax run(Form form) {
        if (syntax_.text().size() > limits_.length) {
            too_large(0, 0,
                      fmt::format("the expression has {} bytes, more than the {} accepted",
                                  syntax_.text().size(), limits_.length));
            broken(0, syntax_.text().size());
            return std::move(syntax_);
        }
        const std::size_t before = diagnostics_.error_count();
        tokens_ = tokenize(syntax_.passage(), diagnostics_);
        if (diagnostics_.error_count() > before) syntax_.mark_broken();
        if (here().kind == TokenKind::end) {
            report(Code::empty_expression, "the expression is empty", 0, syntax_.text().size(),
                   "nothing is written here")
                .note("write 0 where nothing acts, or remove the key");
            broken(0, 0);
            return std::move(syntax_);
        }
        form == Form::equation ? equation() : whole(false);
        if (syntax_.ok()) check_truth_values(syntax_, form, diagnostics_);
        return std::move(syntax_);
    }

  private:
    // ---- tokens ----
    const Token& here() const { return tokens_[at_]; }
    const Token& previous() const { return tokens_[at_ - 1]; }
    bool adjacent() const { return at_ > 0 && previous().end == here().begin; }
    bool accept(TokenKind kind) {
        if (here().kind != kind) return false;
        ++at_;
        return true;
    }
    std::string spelt(const Token& token) const {
        return std::string(syntax_.text().substr(token.begin, token.end - token.begin));
    }
    // Gives up on the rest of the text.
    void abandon() {
        syntax_.mark_broken();
        at_ = tokens_.size() - 1;
    }

    // ---- messages ----
    NodeId missing_operand(std::string_view after) {
        const Token& token = here();
        const bool at_end = token.kind == TokenKind::end;
        auto& d = report(
            Code::expected_operand,
            at_end ? fmt::format("the expression ends {}", after)
                   : fmt::format("an operand is missing {}", after),
            token.begin, token.end,
            at_end ? "a number, a name or ( should follow"
                   : fmt::format("a number, a name or ( should stand before `{}`", spelt(token)));
        if (token.kind == TokenKind::star && at_ > 0 && previous().kind == TokenKind::star) {
            d.note("powers are written with ^");
        }
        return broken(token.begin, token.begin);
    }

    // ---- grammar ----
    // An expression that ends at an equals sign or the end of the text.
    NodeId whole(bool equals_ends) {
        NodeId result = chain(k_or);
        while (here().kind != TokenKind::end &&
               !(equals_ends && here().kind == TokenKind::equals)) {
            result = stray(result);
        }
        return result;
    }

    // Something after a complete expression: say why it cannot stand there and read on.
    NodeId stray(NodeId left) {
        const Token token = here();
        switch (token.kind) {
        case TokenKind::close:
        case TokenKind::close_bracket: {
            const std::string opener = token.kind == TokenKind::close ? "(" : "[";
            report(Code::unbalanced_parenthesis, fmt::format("`{}` has no partner", spelt(token)),
                   token.begin, token.end, fmt::format("no `{}` is open here", opener))
                .fix(syntax_.passage().span(token.begin, token.end), "",
                     fmt::format("remove it, or write the `{}` it should close", opener));
            break;
        }
        case TokenKind::comma: stray_comma(left, token); break;
        case TokenKind::equals:
            report(Code::equals_misplaced, "an equals sign cannot stand in this expression",
                   token.begin, token.end)
                .note("only `equation` in [constraint.NAME] is written left = right");
            break;
        case TokenKind::prime:
            report(Code::misplaced_prime, "a prime may follow only the name of a coordinate",
                   token.begin, token.end, "directly, without a space");
            break;
        default:
            report(Code::expected_operator, fmt::format("`{}` cannot stand here", spelt(token)),
                   token.begin, token.end);
        }
        ++at_;
        const NodeId rest = starts_operand(here().kind) || here().kind == TokenKind::minus
                                ? chain(k_or)
                                : broken(token.begin, token.end);
        return binary(NodeKind::broken, left, operators(rest, k_or));
    }

    void stray_comma(NodeId left, const Token& comma) {
        auto& d = report(Code::expected_operator, "a comma separates arguments of a function only",
                         comma.begin, comma.end);
        const Token& next = tokens_[at_ + 1];
        if (node(left).kind == NodeKind::number && next.kind == TokenKind::number &&
            next.begin == comma.end) {
            d.note("decimals are written with a point: 1.5");
        }
    }

    NodeId equation() {
        const NodeId left =
            here().kind == TokenKind::equals ? missing_operand("before the =") : whole(true);
        if (here().kind != TokenKind::equals) {
            if (syntax_.ok()) {
                report(Code::equation_needs_equals, "the equation has no equals sign", 0,
                       syntax_.text().size(), "write left = right")
                    .fix(syntax_.passage().span(), fmt::format("{} = 0", syntax_.text()),
                         fmt::format("did you mean `{} = 0`?", shortened(syntax_.text())));
            }
            return left;
        }
        ++at_;
        if (here().kind == TokenKind::end) {
            const NodeId nothing = missing_operand("after the =");
            return binary(NodeKind::equation, left, nothing);
        }
        const NodeId right = whole(true);
        if (here().kind == TokenKind::equals) {
            report(Code::equation_needs_equals, "the equation has two equals signs", here().begin,
                   here().end, "the second one")
                .note("write two constraints, [constraint.A] and [constraint.B]");
            abandon();
        }
        return binary(NodeKind::equation, left, right);
    }

    static std::string shortened(std::string_view text) {
        return text.size() <= 60 ? std::string(text) : "…";
    }

    NodeId chain(int weakest) { return operators(operand(), weakest); }

    NodeId operators(NodeId left, int weakest) {
        while (true) {
            if (complained_of_size()) abandon();
            const Token token = here();
            if (token.kind == TokenKind::bad) {
                skip_bad();
                if (starts_operand(here().kind)) left = binary(NodeKind::broken, left, operand());
                continue;
            }
            auto op = binary_operator(token.kind);
            if (!op && starts_operand(token.kind)) {
                // Side by side: a product without its sign.
                if (weakest > k_product) return left;
                const Token before = previous();
                const NodeId right = chain(k_product + 1);
                juxtaposed(before, token, right);
                left = binary(NodeKind::multiply, left, right);
                continue;
            }
            if (!op || op->binding < weakest) return left;
            ++at_;
            left = binary(op->kind, left, right_operand(token, *op));
        }
    }

    NodeId right_operand(const Token& token, const Operator& op) {
        if (!can_start()) return missing_operand(fmt::format("after `{}`", spelt(token)));
        // Powers group to the right, a^b^c = a^(b^c), so a chain of them is nested.
        if (op.kind == NodeKind::power) return deeper([&] { return chain(op.binding); });
        return chain(op.binding + 1);
    }

    bool can_start() const {
        const TokenKind k = here().kind;
        return starts_operand(k) || k == TokenKind::minus || k == TokenKind::plus ||
               k == TokenKind::word_not || k == TokenKind::bad;
    }

    void skip_bad() {
        syntax_.mark_broken();
        while (here().kind == TokenKind::bad) ++at_;
    }

    bool is_function(const Token& token) const {
        if (token.kind != TokenKind::name) return false;
        const auto* const end = std::end(expr::k_composed_functions);
        return std::find(std::begin(expr::k_composed_functions), end, spelt(token)) != end ||
               expr::find_function(spelt(token)) != nullptr;
    }

    // `before` ends the left operand, `token` begins the right one.
    void juxtaposed(const Token& before, const Token& token, NodeId right) {
        if (is_function(before)) {
            auto& d = report(Code::expected_operator,
                             fmt::format("the argument of {} stands in parentheses", spelt(before)),
                             token.begin, end(right));
            std::string argument(syntax_.text().substr(token.begin, end(right) - token.begin));
            if (token.kind != TokenKind::open) argument = fmt::format("({})", argument);
            d.fix(syntax_.passage().span(before.end, end(right)), argument,
                  fmt::format("write {}{}", spelt(before), shortened(argument)));
            return;
        }
        auto& d = report(Code::expected_operator, "an operator is missing", token.begin, token.end,
                         fmt::format("`{}` follows directly on an operand", spelt(token)));
        d.fix(syntax_.passage().span(before.end, token.begin), "*", "a product needs its * sign");
    }

    // Runs `read` one level deeper, or gives up where the text is nested too deeply.
    template <class Read>
    NodeId deeper(Read read) {
        if (depth_ == limits_.depth) {
            too_large(here().begin, here().end,
                      fmt::format("the expression is nested deeper than {} levels", limits_.depth));
            const std::uint32_t place = here().begin;
            abandon();
            return broken(place, place);
        }
        ++depth_;
        const NodeId result = read();
        --depth_;
        return result;
    }

    NodeId operand() {
        const Token token = here();
        switch (token.kind) {
        case TokenKind::number:
            ++at_;
            return primed(add(Node{.kind = NodeKind::number,
                                   .begin = token.begin,
                                   .end = token.end,
                                   .value = token.value}));
        case TokenKind::name: return named();
        case TokenKind::open: return primed(parenthesis());
        case TokenKind::minus:
        case TokenKind::plus: return sign();
        case TokenKind::word_not: {
            ++at_;
            const NodeId inner =
                deeper([&] { return can_start() ? chain(k_not) : missing_operand("after `not`"); });
            return add(NodeKind::opposite, token.begin, end(inner), {&inner, 1});
        }
        case TokenKind::bad: skip_bad(); return broken(token.begin, token.end);
        default: return missing_operand(at_ == 0 ? "at the beginning" : "here");
        }
    }

    NodeId sign() {
        const Token token = here();
        ++at_;
        const NodeId inner = deeper([&] {
            return can_start() ? chain(k_power)
                               : missing_operand(fmt::format("after `{}`", spelt(token)));
        });
        if (token.kind == TokenKind::plus) return inner;
        return add(NodeKind::negate, token.begin, end(inner), {&inner, 1});
    }

    // ( … ) leaves no node behind, only a wider extent.
    NodeId parenthesis() {
        const Token open = here();
        ++at_;
        if (here().kind == TokenKind::close) {
            report(Code::expected_operand, "the parentheses are empty", open.begin, here().end,
                   "an expression should stand inside");
            ++at_;
            return broken(open.begin, previous().end);
        }
        const NodeId content = deeper([&] { return chain(k_or); });
        const NodeId inner = close(content, open, TokenKind::close, ")");
        widen(inner, open.begin, previous().end);
        return inner;
    }

    // Expects a closing sign; stray equals signs inside are told apart from a missing partner.
    NodeId close(NodeId inner, const Token& open, TokenKind closing, std::string_view sign) {
        while (here().kind == TokenKind::equals || here().kind == TokenKind::prime ||
               (here().kind == TokenKind::comma && closing == TokenKind::close)) {
            inner = stray(inner);
        }
        if (!accept(closing) && !complained_of_size()) {
            const bool at_end = here().kind == TokenKind::end;
            auto& d = report(Code::unbalanced_parenthesis,
                             fmt::format("`{}` is never closed", spelt(open)), open.begin, open.end,
                             "opened here");
            if (!at_end) {
                const Span place = syntax_.passage().span(here().begin, here().end);
                d.see(place, fmt::format("`{}` expected before this", sign));
            } else {
                const std::size_t end = syntax_.text().size();
                d.fix(syntax_.passage().span(end, end), std::string(sign),
                      fmt::format("close it with `{}`", sign));
            }
            // A wrong partner, ( … ], is taken for the right one.
            if (here().kind == TokenKind::close || here().kind == TokenKind::close_bracket) ++at_;
        }
        return inner;
    }

    // name, name[index, …], name[index].name, each possibly with prime or arguments; a call may name a
    // component of its result, top.point(a, b, c).z.
    NodeId named() {
        const Token first = here();
        std::string name = spelt(first);
        std::vector<NodeId> children;
        ++at_;
        while (here().kind == TokenKind::open_bracket && adjacent()) {
            const Token open = here();
            ++at_;
            list(children, open, TokenKind::close_bracket, "]");
            if (!accept(TokenKind::dot)) break;
            name += "." + spelt(here());
            ++at_;
        }
        Node node{.kind = NodeKind::name, .begin = first.begin, .end = previous().end};
        node.indices = static_cast<std::uint32_t>(children.size());
        if (here().kind == TokenKind::open && adjacent()) {
            const Token open = here();
            ++at_;
            node.kind = NodeKind::call;
            if (!accept(TokenKind::close)) list(children, open, TokenKind::close, ")");
            if (here().kind == TokenKind::dot) {
                ++at_;
                name += "." + spelt(here());
                ++at_;
            }
            node.end = previous().end;
        }
        node.name = syntax_.intern(name);
        return primed(add(node, children));
    }

    // One expression after another up to the closing sign.
    void list(std::vector<NodeId>& items, const Token& open, TokenKind closing,
              std::string_view sign) {
        while (true) {
            const NodeId item =
                deeper([&] { return can_start() ? chain(k_or) : missing_operand("in the list"); });
            items.push_back(item);
            while (here().kind == TokenKind::equals) items.back() = stray(items.back());
            if (accept(TokenKind::comma)) continue;
            // Commas are taken, so only the closing sign may follow.
            close(items.back(), open, closing, sign);
            return;
        }
    }

    // x', and what a prime cannot follow.
    NodeId primed(NodeId inner) {
        if (here().kind != TokenKind::prime || !adjacent()) return inner;
        const Token first = here();
        while (here().kind == TokenKind::prime) ++at_;
        const Token last = previous();
        if (last.begin != first.begin) {
            report(Code::misplaced_prime, "a second derivative cannot stand in a model",
                   begin(inner), last.end, "an acceleration")
                .note("accelerations are what the equations of motion determine; a model gives "
                      "energies, forces and constraints of positions and velocities");
            return broken(begin(inner), last.end);
        }
        if (node(inner).kind != NodeKind::name) {
            const std::string whole(syntax_.text(inner));
            report(Code::misplaced_prime, "a prime may follow only the name of a coordinate",
                   first.begin, last.end)
                .fix(syntax_.passage().span(begin(inner), last.end), fmt::format("der({})", whole),
                     fmt::format("write der({}) for its rate", shortened(whole)));
            return broken(begin(inner), last.end);
        }
        return add(NodeKind::prime, begin(inner), last.end, {&inner, 1});
    }

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
};

} // namespace

Syntax parse(Passage passage, Form form, base::Diagnostics& diagnostics,
             const ExpressionLimits& limits) {
    return Parser(std::move(passage), diagnostics, limits).run(form);
}

Syntax number_syntax(double value, Span span) {
    Passage passage{base::shortest(value), TextMap::whole(span)};
    const auto size = static_cast<std::uint32_t>(passage.text.size());
    Syntax syntax(std::move(passage));
    syntax.add(Node{.kind = NodeKind::number, .begin = 0, .end = size, .value = value});
    return syntax;
}

} // namespace liaison::text
