// SPDX-License-Identifier: Apache-2.0
// Immutable hash-consed expressions: nodes, the handle Expr, and the Pool that owns them.
#pragma once

#include "liaison/expr/number.hpp"
#include "liaison/expr/op.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::expr {

class Pool;
class Expr;
struct Table;      // table.hpp: piecewise polynomial data
struct Structure;  // structure.hpp: pattern of a linear system

// One node of the graph. Nodes are unique: equal structure means equal address, and `id` grows from
// arguments to users, so that ascending ids are a topological order.
struct Node {
    Op op{};
    std::uint32_t id = 0;
    std::uint32_t attr = 0; // symbol, label, table or structure index; row of a component
    std::uint32_t n_args = 0;
    std::uint32_t n_numbers = 0;
    const Node* const* args = nullptr;
    const Number* numbers = nullptr;
    std::uint64_t symbols =
        0; // Bloom mask of the symbols and named nodes below: 0 bits are certain
    std::uint64_t hash = 0;
    Pool* pool = nullptr;
};

// A handle: one pointer, compared by identity. A default Expr is empty and may only be assigned to.
class Expr {
  public:
    Expr() = default;
    explicit Expr(const Node* node) : node_(node) {}

    [[nodiscard]] const Node* node() const { return node_; }
    explicit operator bool() const { return node_ != nullptr; }
    [[nodiscard]] Pool& pool() const { return *node_->pool; }
    [[nodiscard]] Op op() const { return node_->op; }
    [[nodiscard]] std::uint32_t id() const { return node_->id; }
    [[nodiscard]] std::size_t size() const { return node_->n_args; }
    [[nodiscard]] Expr arg(std::size_t i) const { return Expr(node_->args[i]); }
    [[nodiscard]] std::span<const Node* const> args() const { return {node_->args, node_->n_args}; }
    [[nodiscard]] std::span<const Number> numbers() const {
        return {node_->numbers, node_->n_numbers};
    }

    [[nodiscard]] bool is_number() const { return node_->op == Op::number; }
    [[nodiscard]] bool is_zero() const { return is_number() && node_->numbers[0].is_zero(); }
    [[nodiscard]] bool is_one() const { return is_number() && node_->numbers[0].is_one(); }
    [[nodiscard]] bool is_symbol() const { return node_->op == Op::symbol; }
    // The constant of a number node.
    [[nodiscard]] const Number& number() const { return node_->numbers[0]; }
    // The name of a symbol or the label of a named node.
    [[nodiscard]] const std::string& name() const;

    friend bool operator==(Expr a, Expr b) { return a.node_ == b.node_; }

  private:
    const Node* node_ = nullptr;
};

// Owner of all nodes of one model. Not shared between threads while it grows; immutable parts may be
// read from anywhere. Constructors fold constants, zeros and ones, order sums and products, and
// combine like terms and powers. Sums (products) of more than k_flatten_limit terms are kept whole when
// they enter another sum (product), so that building x1 = a+b, x2 = x1+c, … stays linear.
class Pool {
  public:
    static constexpr std::size_t k_flatten_limit = 24;

    Pool();
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    Expr number(Number value);
    // The symbol of this name; the same name is the same symbol.
    Expr symbol(std::string_view name);
    // `body` under a label. Opaque to folding; differentiation and substitution see through it.
    Expr named(std::string_view label, Expr body);

    Expr sum(std::span<const Expr> terms);
    Expr product(std::span<const Expr> factors);
    // constant + Σ coefficients[i]·terms[i]
    Expr linear(const Number& constant, std::span<const Number> coefficients,
                std::span<const Expr> terms);
    // coefficient · Π bases[i]^exponents[i]
    Expr monomial(const Number& coefficient, std::span<const Expr> bases,
                  std::span<const Number> exponents);
    // x^0 = 1 for every x, 0^0 included. Integer powers are defined everywhere (negative ones not at 0);
    // a fractional power is real for x ≥ 0 only, also with an odd root: (−8)^(1/3) has no value. Folding
    // never loses values but may gain some: sqrt(x)·sqrt(x) = x and x/x = 1 hold where the left is defined.
    Expr power(Expr base, Expr exponent);
    Expr power(Expr base, const Number& exponent);

    // Elementary, nonsmooth and logical functions by operation, with folding.
    Expr call(Op op, std::span<const Expr> args);
    Expr call(Op op, Expr x) { return call(op, std::span<const Expr>(&x, 1)); }
    Expr call(Op op, Expr x, Expr y) {
        const Expr both[] = {x, y};
        return call(op, both);
    }
    Expr select(Expr condition, Expr yes, Expr no) {
        const Expr all[] = {condition, yes, no};
        return call(Op::select, all);
    }

    // Piecewise polynomial data as a function of one argument.
    Expr table(std::shared_ptr<const Table> data, Expr argument);
    [[nodiscard]] const Table& table_data(const Node& node) const;
    [[nodiscard]] std::shared_ptr<const Table> shared_table(const Node& node) const {
        return tables_[node.attr];
    }

    // The matrix of a linear system, to be solved with any number of right-hand sides.
    Expr factor(std::shared_ptr<const Structure> structure, std::span<const Expr> entries);
    // x = A⁻¹b with the given pattern: returns the n components. `entries` follow structure->entries.
    // Equal matrices share one factor node, so a derivative reuses the factorisation.
    std::vector<Expr> solve(std::shared_ptr<const Structure> structure,
                            std::span<const Expr> entries, std::span<const Expr> rhs);
    // Components of a system with the factor node of an earlier one.
    std::vector<Expr> solve(Expr factor, std::span<const Expr> rhs);
    [[nodiscard]] const Structure& structure(const Node& factor) const;
    [[nodiscard]] std::shared_ptr<const Structure> shared_structure(const Node& factor) const {
        return structures_[factor.attr];
    }

    [[nodiscard]] const std::string& name(const Node& node) const;
    [[nodiscard]] std::size_t size() const { return count_; }

    // The unique node with this content; arguments must already be canonical. For visitors that
    // rebuild nodes; model code uses the constructors above.
    Expr intern(Op op, std::uint32_t attr, std::span<const Node* const> args,
                std::span<const Number> numbers);
    // The same operation on other arguments, through the folding constructors.
    Expr rebuild(Expr node, std::span<const Expr> args);

  private:
    struct Arena;
    std::uint32_t intern_name(std::string_view name);
    void grow();

    std::unique_ptr<Arena> arena_;
    std::vector<const Node*> slots_;
    std::size_t count_ = 0;
    std::vector<std::string> names_;
    std::vector<std::uint32_t> name_slots_;
    std::vector<std::shared_ptr<const Table>> tables_;
    std::vector<std::shared_ptr<const Structure>> structures_;
};

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);
Expr operator+(Expr a, const Number& b);
Expr operator+(const Number& a, Expr b);
Expr operator-(Expr a, const Number& b);
Expr operator-(const Number& a, Expr b);
Expr operator*(Expr a, const Number& b);
Expr operator*(const Number& a, Expr b);
Expr operator/(Expr a, const Number& b);
Expr operator/(const Number& a, Expr b);

Expr pow(Expr base, const Number& exponent);
Expr pow(Expr base, Expr exponent);
Expr sqrt(Expr x);
Expr hypot(Expr x, Expr y); // sqrt(x² + y²)
Expr mod(Expr x, Expr y); // x − y·floor(x/y): has the sign of y
Expr sin(Expr x);
Expr cos(Expr x);
Expr tan(Expr x);
Expr asin(Expr x);
Expr acos(Expr x);
Expr atan(Expr x);
Expr atan2(Expr y, Expr x);
Expr sinh(Expr x);
Expr cosh(Expr x);
Expr tanh(Expr x);
Expr exp(Expr x);
Expr log(Expr x);
Expr abs(Expr x);
Expr sign(Expr x);
Expr floor(Expr x);
Expr min(Expr x, Expr y);
Expr max(Expr x, Expr y);

} // namespace liaison::expr

template <>
struct std::hash<liaison::expr::Expr> {
    std::size_t operator()(liaison::expr::Expr e) const noexcept {
        return e.node() == nullptr ? 0 : static_cast<std::size_t>(e.node()->hash);
    }
};
