// SPDX-License-Identifier: Apache-2.0
// From expressions to the plan: stages, hoisting, fused multiply-add, division last.
#include "liaison/compile/emitter.hpp"
#include "liaison/expr/traverse.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

namespace liaison::compile {
namespace {

using expr::Node;
using expr::Number;
using expr::Op;

Code function_code(Op op) {
    switch (op) {
    case Op::sin: return Code::sin;
    case Op::cos: return Code::cos;
    case Op::tan: return Code::tan;
    case Op::asin: return Code::asin;
    case Op::acos: return Code::acos;
    case Op::atan: return Code::atan;
    case Op::atan2: return Code::atan2;
    case Op::sinh: return Code::sinh;
    case Op::cosh: return Code::cosh;
    case Op::tanh: return Code::tanh;
    case Op::exp: return Code::exp;
    case Op::log: return Code::log;
    case Op::abs: return Code::abs;
    case Op::sign: return Code::sign;
    case Op::min: return Code::min;
    case Op::max: return Code::max;
    case Op::floor: return Code::floor;
    case Op::select: return Code::select;
    case Op::less: return Code::less;
    case Op::less_equal: return Code::less_equal;
    case Op::logical_and: return Code::logical_and;
    case Op::logical_or: return Code::logical_or;
    case Op::logical_not: return Code::logical_not;
    case Op::power: return Code::pow;
    default: throw std::logic_error("not a function of scalars");
    }
}

class Lowering {
  public:
    explicit Lowering(const Request& request) : request_(request) {
        for (std::uint32_t i = 0; i < request.inputs.size(); ++i) {
            values_[request.inputs[i].node()] = out_.input(i, request.stages[i]);
        }
    }

    Plan run() {
        count_uses();
        std::string unbound;
        for (const Node* n : expr::reachable(request_.outputs, request_.inputs)) {
            if (n->op == Op::symbol && !values_.contains(n)) {
                unbound += (unbound.empty() ? "" : ", ") + n->pool->name(*n);
            }
        }
        if (!unbound.empty()) throw std::invalid_argument("symbols without a value: " + unbound);
        std::vector<Value> outputs;
        for (Expr e : request_.outputs) outputs.push_back(value(e.node()));
        return out_.finish(std::move(outputs), request_.inputs.size());
    }

  private:
    struct Term {
        Value value;
        double weight;
        const Node* product;  // the term is c·Π and may be fused into the sum
    };

    // Depth-first from the outputs, so that values are made shortly before they are used.
    Value value(const Node* root) {
        std::vector<const Node*> stack{root};
        while (!stack.empty()) {
            const Node* n = stack.back();
            if (values_.contains(n)) {
                stack.pop_back();
                continue;
            }
            bool ready = true;
            for (std::uint32_t i = n->n_args; i-- > 0;) {
                if (!values_.contains(n->args[i]) && !fused(n, n->args[i])) {
                    stack.push_back(n->args[i]);
                    ready = false;
                } else if (fused(n, n->args[i])) {
                    for (std::uint32_t j = n->args[i]->n_args; j-- > 0;) {
                        if (!values_.contains(n->args[i]->args[j])) {
                            stack.push_back(n->args[i]->args[j]);
                            ready = false;
                        }
                    }
                }
            }
            if (!ready) continue;
            stack.pop_back();
            values_[n] = make(n);
        }
        return values_.at(root);
    }

    void count_uses() {
        for (const Node* n : expr::reachable(request_.outputs, request_.inputs)) {
            if (values_.contains(n)) continue;
            for (std::uint32_t i = 0; i < n->n_args; ++i) ++uses_[n->args[i]];
        }
        for (Expr e : request_.outputs) ++uses_[e.node()];
    }

    // A product used once, inside a sum, is not a value of its own but an fma operand.
    bool fused(const Node* user, const Node* n) {
        return user->op == Op::add && n->op == Op::mul && uses_[n] == 1 && !values_.contains(n);
    }

    Value make(const Node* n) {
        switch (n->op) {
        case Op::number: return out_.constant(n->numbers[0].value());
        case Op::named: return values_.at(n->args[0]);
        case Op::add: return make_sum(n);
        case Op::mul: return make_product(n, 1.0);
        case Op::table: return out_.table(n->pool->shared_table(*n), values_.at(n->args[0]));
        case Op::factor:
            return out_.factor({n->pool->shared_structure(*n), arguments(n, 0), nullptr});
        case Op::solve: return out_.solve({values_.at(n->args[0]), arguments(n, 1)});
        case Op::component: return out_.emit(Code::component, values_.at(n->args[0]), n->attr);
        default: {
            const auto args = arguments(n, 0);
            return out_.emit(function_code(n->op), args[0], args.size() > 1 ? args[1] : 0,
                             args.size() > 2 ? args[2] : 0);
        }
        }
    }

    std::vector<Value> arguments(const Node* n, std::uint32_t first) {
        std::vector<Value> result;
        for (std::uint32_t i = first; i < n->n_args; ++i) result.push_back(values_.at(n->args[i]));
        return result;
    }

    // Factors by stage, slow ones first: their partial product is then hoisted out of the fast stage.
    struct Factors {
        std::vector<Value> above;
        std::vector<Value> below;
    };
    Factors factors_of(const Node* n) {
        Factors f;
        for (std::uint32_t i = 0; i < n->n_args; ++i) {
            const Number& e = n->numbers[i + 1];
            const Value v = integer_or_root(values_.at(n->args[i]), e.negative() ? -e : e);
            (e.negative() ? f.below : f.above).push_back(v);
        }
        return f;
    }

    // x^e for e > 0: repeated squaring, square roots for halves, pow otherwise.
    Value integer_or_root(Value x, const Number& e) {
        if (e.is_one()) return x;
        constexpr std::int64_t k_largest = 64;
        if (e.exact() && e.den() == 1 && e.num() <= k_largest) return integer_power(x, e.num());
        if (e.exact() && e.den() == 2 && e.num() <= k_largest) {
            const Value root = out_.emit(Code::sqrt, x);
            if (e.num() == 1) return root;
            return out_.emit(Code::mul, integer_power(x, e.num() / 2), root);
        }
        return out_.emit(Code::pow, x, out_.constant(e.value()));
    }
    Value integer_power(Value x, std::int64_t k) {
        if (k == 1) return x;
        const Value half = integer_power(x, k / 2);
        const Value square = out_.emit(Code::mul, half, half);
        return (k & 1) != 0 ? out_.emit(Code::mul, square, x) : square;
    }

    Value multiply_in_stages(std::vector<Value> values) {
        std::stable_sort(values.begin(), values.end(),
                         [&](Value a, Value b) { return out_.stage(a) < out_.stage(b); });
        Value product = values[0];
        for (std::size_t i = 1; i < values.size(); ++i)
            product = out_.emit(Code::mul, product, values[i]);
        return product;
    }

    // weight·c·Π b^e with the coefficient applied in the earliest stage and one division at most.
    Value make_product(const Node* n, double weight) {
        Factors f = factors_of(n);
        const double c = n->numbers[0].value() * weight;
        if (!f.below.empty()) {
            // A slow denominator becomes a reciprocal made in its own stage.
            std::vector<Value> fast;
            std::vector<Value> slow;
            Stage latest = Stage::constant;
            for (Value v : f.above) latest = std::max(latest, out_.stage(v));
            for (Value v : f.below) (out_.stage(v) < latest ? slow : fast).push_back(v);
            if (!slow.empty()) {
                f.above.push_back(
                    out_.emit(Code::div, out_.constant(1.0), multiply_in_stages(slow)));
            }
            f.below = fast;
        }
        if (f.below.empty()) return scaled(f.above, c);
        const Value below = multiply_in_stages(f.below);
        const Value above = f.above.empty() ? out_.constant(c) : scaled(f.above, c);
        return out_.emit(Code::div, above, below);
    }
    Value scaled(std::vector<Value> factors, double c) {
        if (c == -1.0) return out_.emit(Code::neg, multiply_in_stages(std::move(factors)));
        if (c != 1.0) factors.insert(factors.begin(), out_.constant(c));
        return multiply_in_stages(std::move(factors));
    }

    // Terms grouped by stage; each group is added to the sum of the slower groups, so that the slow part
    // is hoisted. Long groups are split in two halves to shorten the dependency chain.
    Value make_sum(const Node* n) {
        std::vector<Term> terms;
        for (std::uint32_t i = 0; i < n->n_args; ++i) {
            const Node* t = n->args[i];
            const double weight = n->numbers[i + 1].value();
            if (fused(n, t))
                terms.push_back(fused_term(t, weight));
            else
                terms.push_back({values_.at(t), weight, nullptr});
        }
        const auto stage_of = [&](const Term& t) {
            return t.product != nullptr ? fused_stage(t.product) : out_.stage(t.value);
        };
        std::stable_sort(terms.begin(), terms.end(),
                         [&](const Term& a, const Term& b) { return stage_of(a) < stage_of(b); });
        const double constant = n->numbers[0].value();
        Value total = constant != 0.0 ? out_.constant(constant) : k_none;
        for (std::size_t begin = 0; begin < terms.size();) {
            std::size_t end = begin + 1;
            while (end < terms.size() && stage_of(terms[end]) == stage_of(terms[begin])) ++end;
            total = add_terms(total, std::span(terms).subspan(begin, end - begin));
            begin = end;
        }
        return total;
    }
    Term fused_term(const Node* product, double weight) { return {0, weight, product}; }
    Stage fused_stage(const Node* product) {
        Stage latest = Stage::constant;
        for (std::uint32_t i = 0; i < product->n_args; ++i) {
            latest = std::max(latest, out_.stage(values_.at(product->args[i])));
        }
        return latest;
    }

    Value add_terms(Value start, std::span<const Term> terms) {
        constexpr std::size_t k_chain = 6;
        if (terms.size() > k_chain) {
            const Value left = add_terms(start, terms.first(terms.size() / 2));
            const Value right = add_terms(k_none, terms.subspan(terms.size() / 2));
            return out_.emit(Code::add, left, right);
        }
        Value total = start;
        // Positive unit terms first: a chain that begins with a plain value saves a negation.
        std::vector<const Term*> order;
        for (const Term& t : terms) order.push_back(&t);
        std::stable_partition(order.begin(), order.end(),
                              [](const Term* t) { return t->weight == 1.0; });
        for (const Term* t : order) total = add_term(total, *t);
        return total;
    }

    Value add_term(Value total, const Term& t) {
        if (t.product == nullptr) {
            if (total == k_none) {
                if (t.weight == 1.0) return t.value;
                if (t.weight == -1.0) return out_.emit(Code::neg, t.value);
                return out_.emit(Code::mul, out_.constant(t.weight), t.value);
            }
            if (t.weight == 1.0) return out_.emit(Code::add, total, t.value);
            if (t.weight == -1.0) return out_.emit(Code::sub, total, t.value);
            return out_.emit(Code::fma, out_.constant(t.weight), t.value, total);
        }
        if (total == k_none) return make_product(t.product, t.weight);
        // Split weight·c·Π into two factors for the fused operation, signs into the slower one.
        Factors f = factors_of(t.product);
        const double c = t.product->numbers[0].value() * t.weight;
        if (!f.below.empty() || (f.above.size() == 1 && std::abs(c) == 1.0)) {
            const Value v = make_product(t.product, std::copysign(1.0, c) * t.weight);
            return out_.emit(c < 0 ? Code::sub : Code::add, total, v);
        }
        std::stable_sort(f.above.begin(), f.above.end(),
                         [&](Value a, Value b) { return out_.stage(a) < out_.stage(b); });
        const Value last = f.above.back();
        f.above.pop_back();
        Value rest = f.above.empty() ? out_.constant(c) : scaled(f.above, c);
        return out_.emit(Code::fma, rest, last, total);
    }

    static constexpr Value k_none = ~Value{0};
    const Request& request_;
    Emitter out_;
    std::unordered_map<const Node*, Value> values_;
    std::unordered_map<const Node*, std::uint32_t> uses_;
};

} // namespace

int operand_count(Code code) {
    switch (code) {
    case Code::constant:
    case Code::input:
    case Code::factor:
    case Code::solve: return 0;
    case Code::add:
    case Code::sub:
    case Code::mul:
    case Code::div:
    case Code::atan2:
    case Code::pow:
    case Code::min:
    case Code::max:
    case Code::less:
    case Code::less_equal:
    case Code::logical_and:
    case Code::logical_or: return 2;
    case Code::fma:
    case Code::select: return 3;
    default: return 1;
    }
}

Plan lower(const Request& request) { return Lowering(request).run(); }

} // namespace liaison::compile
