// SPDX-License-Identifier: Apache-2.0
// Storage of the expression graph: arena, interning of nodes and names.
#include "liaison/expr/expr.hpp"
#include "liaison/expr/independent_systems.hpp"
#include "liaison/expr/structure.hpp"
#include "liaison/expr/table.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <deque>
#include <functional>
#include <new>

namespace liaison::expr {

// Bump allocator for nodes and their argument lists; everything lives as long as the pool.
struct Pool::Arena {
    static constexpr std::size_t k_block = std::size_t{1} << 16;
    std::deque<std::unique_ptr<std::byte[]>> blocks;
    std::byte* cursor = nullptr;
    std::size_t left = 0;

    void* take(std::size_t bytes) {
        bytes = (bytes + 15) & ~std::size_t{15};
        if (bytes > left) {
            const std::size_t block = std::max(bytes, k_block);
            blocks.push_back(std::make_unique<std::byte[]>(block));
            cursor = blocks.back().get();
            left = block;
        }
        void* result = cursor;
        cursor += bytes;
        left -= bytes;
        return result;
    }
    template <class T>
    T* copy(std::span<const T> values) {
        if (values.empty()) return nullptr;
        auto* memory = static_cast<T*>(take(sizeof(T) * values.size()));
        std::uninitialized_copy(values.begin(), values.end(), memory);
        return memory;
    }
};

namespace {

constexpr std::size_t k_initial_slots = 1024;

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
    h ^= v + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
    h *= 0xff51afd7ed558ccdULL;
    return h ^ (h >> 32);
}

std::uint64_t content_hash(Op op, std::uint32_t attr, std::span<const Node* const> args,
                           std::span<const Number> numbers) {
    std::uint64_t h = mix(static_cast<std::uint64_t>(op), attr);
    for (const Node* a : args) h = mix(h, a->hash);
    for (const Number& n : numbers) h = mix(h, n.hash());
    return h;
}

} // namespace

const std::string& Expr::name() const { return node_->pool->name(*node_); }

Pool::Pool()
    : arena_(std::make_unique<Arena>()), slots_(k_initial_slots, nullptr), name_slots_(256, 0) {}
Pool::~Pool() = default;

void Pool::grow() {
    std::vector<const Node*> bigger(slots_.size() * 2, nullptr);
    for (const Node* node : slots_) {
        if (node == nullptr) continue;
        std::size_t i = node->hash & (bigger.size() - 1);
        while (bigger[i] != nullptr) i = (i + 1) & (bigger.size() - 1);
        bigger[i] = node;
    }
    slots_ = std::move(bigger);
}

Expr Pool::intern(Op op, std::uint32_t attr, std::span<const Node* const> args,
                  std::span<const Number> numbers) {
    const std::uint64_t hash = content_hash(op, attr, args, numbers);
    std::size_t i = hash & (slots_.size() - 1);
    for (; slots_[i] != nullptr; i = (i + 1) & (slots_.size() - 1)) {
        const Node* n = slots_[i];
        if (n->hash == hash && n->op == op && n->attr == attr && n->n_args == args.size() &&
            n->n_numbers == numbers.size() && std::equal(args.begin(), args.end(), n->args) &&
            std::equal(numbers.begin(), numbers.end(), n->numbers)) {
            return Expr(n);
        }
    }
    auto* node = new (arena_->take(sizeof(Node))) Node;
    node->op = op;
    node->id = static_cast<std::uint32_t>(count_);
    node->attr = attr;
    node->n_args = static_cast<std::uint32_t>(args.size());
    node->n_numbers = static_cast<std::uint32_t>(numbers.size());
    node->args = arena_->copy(args);
    node->numbers = arena_->copy(numbers);
    node->hash = hash;
    node->pool = this;
    for (const Node* a : args) node->symbols |= a->symbols;
    if (op == Op::symbol || op == Op::named) node->symbols |= std::uint64_t{1} << (hash >> 58);
    slots_[i] = node;
    ++count_;
    if (count_ * 2 > slots_.size()) grow();
    return Expr(node);
}

std::uint32_t Pool::intern_name(std::string_view name) {
    if (names_.size() * 2 >= name_slots_.size()) {
        name_slots_.assign(name_slots_.size() * 2, 0);
        for (std::uint32_t k = 0; k < names_.size(); ++k) {
            std::size_t i = std::hash<std::string_view>{}(names_[k]) & (name_slots_.size() - 1);
            while (name_slots_[i] != 0) i = (i + 1) & (name_slots_.size() - 1);
            name_slots_[i] = k + 1;
        }
    }
    std::size_t i = std::hash<std::string_view>{}(name) & (name_slots_.size() - 1);
    for (; name_slots_[i] != 0; i = (i + 1) & (name_slots_.size() - 1)) {
        if (names_[name_slots_[i] - 1] == name) return name_slots_[i] - 1;
    }
    names_.emplace_back(name);
    name_slots_[i] = static_cast<std::uint32_t>(names_.size());
    return name_slots_[i] - 1;
}

Expr Pool::number(Number value) { return intern(Op::number, 0, {}, {&value, 1}); }

Expr Pool::symbol(std::string_view name) { return intern(Op::symbol, intern_name(name), {}, {}); }

Expr Pool::named(std::string_view label, Expr body) {
    // A name for a number, a symbol or another name would only hide it from folding.
    if (body.is_number() || body.is_symbol() || body.op() == Op::named) return body;
    const Node* arg = body.node();
    return intern(Op::named, intern_name(label), {&arg, 1}, {});
}

const std::string& Pool::name(const Node& node) const {
    assert(node.op == Op::symbol || node.op == Op::named);
    return names_[node.attr];
}

Expr Pool::table(std::shared_ptr<const Table> data, Expr argument) {
    const auto same = [&](const std::shared_ptr<const Table>& t) {
        return t == data ||
               (t->name == data->name && t->derivative_order == data->derivative_order &&
                t->knots == data->knots && t->coefficients == data->coefficients);
    };
    const auto found = std::find_if(tables_.begin(), tables_.end(), same);
    const auto index = static_cast<std::uint32_t>(found - tables_.begin());
    if (found == tables_.end()) tables_.push_back(std::move(data));
    if (argument.is_number()) return number((*tables_[index])(argument.number().value()));
    const Node* arg = argument.node();
    return intern(Op::table, index, {&arg, 1}, {});
}

const Table& Pool::table_data(const Node& node) const { return *tables_[node.attr]; }

Expr Pool::factor(std::shared_ptr<const Structure> structure, std::span<const Expr> entries) {
    assert(entries.size() == structure->entries.size());
    const auto same = [&](const std::shared_ptr<const Structure>& s) {
        return s == structure || *s == *structure;
    };
    const auto found = std::find_if(structures_.begin(), structures_.end(), same);
    const auto index = static_cast<std::uint32_t>(found - structures_.begin());
    if (found == structures_.end()) structures_.push_back(std::move(structure));
    std::vector<const Node*> args(entries.size());
    std::transform(entries.begin(), entries.end(), args.begin(), [](Expr e) { return e.node(); });
    return intern(Op::factor, index, args, {});
}

std::vector<Expr> Pool::solve(std::shared_ptr<const Structure> structure,
                              std::span<const Expr> entries, std::span<const Expr> rhs) {
    return solve(factor(std::move(structure), entries), rhs);
}

std::vector<Expr> Pool::solve(Expr factor, std::span<const Expr> rhs) {
    assert(factor.op() == Op::factor && rhs.size() == structure(*factor.node()).n);
    if (std::all_of(rhs.begin(), rhs.end(), [](Expr e) { return e.is_zero(); })) {
        return {rhs.begin(), rhs.end()};
    }
    // Bodies that nothing joins are systems of their own: each is factored alone, and asked only where it is needed.
    if (const auto parts = independent_systems(structure(*factor.node())); !parts.empty()) {
        std::vector<Expr> x(rhs.size());
        for (const IndependentSystem& part : parts) {
            std::vector<Expr> entries;
            std::vector<Expr> own;
            for (const std::size_t k : part.entries) entries.emplace_back(factor.node()->args[k]);
            for (const std::uint32_t i : part.unknowns) own.push_back(rhs[i]);
            const auto solved = solve(part.structure, entries, own);
            for (std::size_t k = 0; k < solved.size(); ++k) x[part.unknowns[k]] = solved[k];
        }
        return x;
    }
    std::vector<const Node*> args{factor.node()};
    for (Expr e : rhs) args.push_back(e.node());
    const Node* system = intern(Op::solve, 0, args, {}).node();
    std::vector<Expr> components;
    for (std::uint32_t i = 0; i < rhs.size(); ++i) {
        components.push_back(intern(Op::component, i, {&system, 1}, {}));
    }
    return components;
}

const Structure& Pool::structure(const Node& factor) const { return *structures_[factor.attr]; }

} // namespace liaison::expr
