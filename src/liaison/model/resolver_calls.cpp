// SPDX-License-Identifier: Apache-2.0
// Functions in expressions: those of the table, der, sums over families, tables, points of bodies.
#include "liaison/base/nearest.hpp"
#include "liaison/expr/functions.hpp"
#include "liaison/model/bodies.hpp"
#include "liaison/model/resolver.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::model {

using base::Code;
using expr::Expr;
using expr::Op;
using text::NodeId;

namespace {

std::string counted(std::size_t least, std::size_t most) {
    if (least == most) return fmt::format("{} argument{}", least, least == 1 ? "" : "s");
    return fmt::format("at least {} arguments", least);
}

constexpr std::size_t k_any = 1000;

} // namespace

bool Resolver::arguments_ok(NodeId id, std::size_t least, std::size_t most) {
    const std::size_t given = syntax_.arguments(id).size();
    if (least <= given && given <= most) return true;
    diagnostics_
        .report(Code::wrong_argument_count,
                fmt::format("{} takes {}, not {}", syntax_.name(id), counted(least, most), given))
        .at(syntax_.span(id));
    return false;
}

Expr Resolver::call(NodeId id) {
    const std::string& function = syntax_.name(id);
    if (function == "sum") return sum_over_family(id);

    std::vector<Expr> args;
    for (const NodeId argument : syntax_.arguments(id)) {
        if (!values_[argument]) return {};
        args.push_back(values_[argument]);
    }
    if (is_function(function)) return composed(id, function, args);

    if (const Entry* table = declarations_.scope.find(function);
        table != nullptr && table->meaning == Meaning::table) {
        if (!arguments_ok(id, 1, 1)) return {};
        const auto& data = declarations_.model.tables[table->index].data;
        return data ? declarations_.pool().table(data, args[0]) : Expr{};
    }
    if (function.find(".point") != std::string::npos) return point_of_body(id, function, args);

    auto& report =
        diagnostics_.report(Code::unknown_function, fmt::format("unknown function `{}`", function));
    if (const Entry* other = declarations_.scope.find(function)) {
        report.at(syntax_.span(id), fmt::format("`{}` is a {}", function, word(other->meaning)));
        report.note(fmt::format("a product is written with *: {}*(…)", function));
        return {};
    }
    report.at(syntax_.span(id), "neither a function nor a [table.NAME]");
    if (const auto near = base::nearest(function, function_names())) {
        report.note(fmt::format("did you mean `{}`?", *near));
    }
    return {};
}

Expr Resolver::composed(NodeId id, const std::string& function, const std::vector<Expr>& args) {
    expr::Pool& pool = declarations_.pool();
    if (function == "der") {
        return arguments_ok(id, 1, 1) ? total_derivative(id, args[0]) : Expr{};
    }
    if (function == "sqrt") return arguments_ok(id, 1, 1) ? expr::sqrt(args[0]) : Expr{};
    if (function == "pow") return arguments_ok(id, 2, 2) ? pool.power(args[0], args[1]) : Expr{};
    if (function == "hypot") {
        if (!arguments_ok(id, 2, k_any)) return {};
        std::vector<Expr> squares;
        for (const Expr x : args) squares.push_back(expr::pow(x, 2));
        return expr::sqrt(pool.sum(squares));
    }
    if (function == "mod") {
        // mod(a, b) = a − b floor(a/b), in [0, b) for b > 0.
        if (!arguments_ok(id, 2, 2)) return {};
        if (args[1].is_zero()) {
            diagnostics_.report(Code::division_by_zero, "mod by zero").at(syntax_.span(id));
            return {};
        }
        return args[0] - args[1] * pool.call(Op::floor, args[0] / args[1]);
    }
    const expr::Function& row = *expr::find_function(function);
    if (row.op == Op::min || row.op == Op::max) {
        if (!arguments_ok(id, 2, k_any)) return {};
        Expr result = args[0];
        for (std::size_t k = 1; k < args.size(); ++k) result = pool.call(row.op, result, args[k]);
        return result;
    }
    const auto arity = static_cast<std::size_t>(row.arity);
    return arguments_ok(id, arity, arity) ? pool.call(row.op, args) : Expr{};
}

// der(e) = Σ ∂e/∂q q' + Σ ∂e/∂v v' + ∂e/∂t; accelerations v' are symbols that only outputs may use.
Expr Resolver::total_derivative(NodeId id, Expr argument) {
    // Rates that are expressions themselves may still have to be resolved.
    const bool defined =
        std::ranges::any_of(declarations_.rates, [](std::size_t r) { return r != k_none; });
    const auto symbols = defined ? expr::free_symbols(argument) : std::vector<Expr>{};
    for (const Expr symbol : symbols) {
        if (declarations_.derivative.has_rate(symbol)) continue;
        const Entry* entry = declarations_.scope.find(symbol.name());
        if (entry == nullptr || entry->meaning != Meaning::coordinate) continue;
        const Expr known = rate(entry->index);
        if (known)
            declarations_.derivative.rate(symbol, known);
        else if (missing_.empty())
            return {};
    }
    if (!missing_.empty()) return {};
    const Expr result = declarations_.derivative.of(argument);
    use(id, result);
    return result;
}

Expr Resolver::sum_over_family(NodeId id) {
    if (!arguments_ok(id, 2, 2)) return {};
    const NodeId variable = syntax_.arguments(id)[0];
    const NodeId body = syntax_.arguments(id)[1];
    const Family* family = syntax_.node(variable).kind == text::NodeKind::name
                               ? declarations_.family(syntax_.name(variable))
                               : nullptr;
    if (family == nullptr && declarations_.incomplete) return {};
    if (family == nullptr) {
        auto& report = diagnostics_.report(
            Code::unknown_index,
            fmt::format("`{}` is not the index of a family", syntax_.text(variable)));
        report.at(syntax_.span(variable)).note("declare it: [family.i] range = [0, 9]");
        return {};
    }
    if (bound_index(family->index) != nullptr) {
        diagnostics_
            .report(Code::unknown_index, fmt::format("index `{}` is bound already", family->index))
            .at(syntax_.span(variable), "it has one value here")
            .note("declare a second index of the same range: [family.j]");
        return {};
    }
    // The part of the body that this sum evaluates itself: not the bodies of sums further inside.
    std::vector<NodeId> order;
    std::vector<NodeId> stack{body};
    while (!stack.empty()) {
        const NodeId top = stack.back();
        stack.pop_back();
        if ((inside_[top] & k_chain) == 0) order.push_back(top);
        const bool inner =
            syntax_.node(top).kind == text::NodeKind::call && syntax_.name(top) == "sum";
        if (inner || syntax_.node(top).kind == text::NodeKind::prime) continue;
        for (const NodeId child : syntax_.arguments(top)) stack.push_back(child);
    }
    std::ranges::sort(order);

    std::vector<Expr> terms;
    bool broken = false;
    indices_.emplace_back(family->index, family->first);
    for (long k = family->first; k <= family->last && !broken && missing_.size() < k_any; ++k) {
        indices_.back().second = k;
        absent_ = false;
        evaluate(order);
        if (absent_) continue;
        if (values_[body])
            terms.push_back(values_[body]);
        else
            broken = missing_.empty();
    }
    indices_.pop_back();
    absent_ = false;
    if (broken || !missing_.empty()) return {};
    if (terms.empty()) {
        diagnostics_.report(Code::empty_family, "this sum has no terms")
            .at(syntax_.span(id), "every index leaves the range of its family");
        return {};
    }
    return declarations_.pool().sum(terms);
}

// NAME.point(a, b, c).x: a component of the place of a body-fixed point.
Expr Resolver::point_of_body(NodeId id, const std::string& function,
                             const std::vector<Expr>& args) {
    const std::size_t at = function.find(".point");
    const std::string rest = function.substr(at + 6);
    const auto index = index_values(id);
    if (!index) return {};
    const Entry* entry = declarations_.scope.find(member_name(function.substr(0, at), *index));
    if (entry == nullptr || entry->meaning != Meaning::body) {
        diagnostics_
            .report(Code::unknown_function,
                    fmt::format("there is no body `{}`", function.substr(0, at)))
            .at(syntax_.span(id));
        return {};
    }
    const std::size_t component = rest == ".x" ? 0 : rest == ".y" ? 1 : rest == ".z" ? 2 : 3;
    if (component == 3) {
        diagnostics_.report(Code::not_a_value, "a point has three components")
            .at(syntax_.span(id), "a vector, not a number")
            .note(fmt::format("write {0}.x, {0}.y or {0}.z", syntax_.text(id)));
        return {};
    }
    if (!arguments_ok(id, 3, 3)) return {};
    const Body& body = declarations_.model.bodies[entry->index];
    if (body.kind != Body::Kind::free) {
        diagnostics_
            .report(Code::not_a_value, "only free bodies have a place and a full orientation")
            .at(syntax_.span(id))
            .note("the direction gamma of a body with a fixed point does not say where its points "
                  "are");
        return {};
    }
    return body_point(declarations_.model, body, {args[0], args[1], args[2]})[component];
}

} // namespace liaison::model
