// SPDX-License-Identifier: Apache-2.0
// From a syntax tree to an expression: names become symbols, functions become nodes.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/declarations.hpp"
#include "liaison/text/syntax.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace liaison::model {

// Names that mean something in one expression only: u in the force of a relay, slip in its friction.
using Locals = std::vector<std::pair<std::string, expr::Expr>>;

struct Resolution {
    expr::Expr expr; // empty if something was wrong
    expr::Expr left, right; // of an equation
    bool absent = false; // an index left its range: this member does not exist
    std::vector<std::size_t> missing; // definitions that must be resolved before
};

class Resolver {
  public:
    Resolver(Declarations& declarations, const text::Syntax& syntax, const Indices& indices,
             const Locals& locals, base::Diagnostics& diagnostics);

    [[nodiscard]] Resolution run();

  private:
    using NodeId = text::NodeId;
    using Expr = expr::Expr;

    static constexpr char k_apart = 1; // evaluated by the node above it
    static constexpr char k_chain = 2; // inner node of a sum of many terms

    void prepare_chains();
    void set_apart(NodeId id);
    void evaluate(const std::vector<NodeId>& order);
    [[nodiscard]] Expr value(NodeId id);
    [[nodiscard]] Expr binary(NodeId id);
    [[nodiscard]] Expr sum_of_chain(NodeId id);
    [[nodiscard]] Expr name(NodeId id);
    [[nodiscard]] Expr prime(NodeId id);
    [[nodiscard]] Expr call(NodeId id);
    [[nodiscard]] Expr composed(NodeId id, const std::string& function,
                                const std::vector<Expr>& args);
    [[nodiscard]] Expr total_derivative(NodeId id, Expr argument);
    [[nodiscard]] Expr sum_over_family(NodeId id);
    [[nodiscard]] Expr point_of_body(NodeId id, const std::string& function,
                                     const std::vector<Expr>& args);

    [[nodiscard]] Expr meaning(NodeId id, const Entry& entry);
    [[nodiscard]] Expr definition(std::size_t index);
    [[nodiscard]] Expr rate(std::size_t coordinate);
    [[nodiscard]] const Entry* lookup(NodeId id);
    [[nodiscard]] std::optional<std::vector<long>> index_values(NodeId id);
    [[nodiscard]] std::optional<long> index_value(NodeId id);
    [[nodiscard]] const long* bound_index(const std::string& index) const;
    [[nodiscard]] bool arguments_ok(NodeId id, std::size_t least, std::size_t most);
    [[nodiscard]] std::vector<NodeId> subtree(NodeId id) const;
    void unknown_name(NodeId id);
    void not_a_value(NodeId id, const Entry& entry);
    void wrong_prime(NodeId id, NodeId operand);
    void use(NodeId id, Expr expr);

    Declarations& declarations_;
    const text::Syntax& syntax_;
    Indices indices_;
    const Locals& locals_;
    base::Diagnostics& diagnostics_;

    std::vector<Expr> values_;
    std::vector<char> inside_; // k_apart, k_chain
    bool absent_ = false;
    bool too_large_ = false;
    std::vector<std::size_t> missing_;
};

} // namespace liaison::model
