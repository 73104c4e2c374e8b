// SPDX-License-Identifier: Apache-2.0
// Names in expressions: symbols, definitions, velocities, members of families.
#include "liaison/model/resolver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace liaison::model {

using base::Code;
using expr::Expr;
using text::NodeId;
using text::NodeKind;

Expr Resolver::name(NodeId id) {
    const std::string& written = syntax_.name(id);
    if (syntax_.indices(id).empty()) {
        const auto local = std::ranges::find(locals_, written, &Locals::value_type::first);
        if (local != locals_.end()) {
            use(id, local->second);
            return local->second;
        }
        if (const long* bound = bound_index(written)) {
            return declarations_.pool().number(static_cast<double>(*bound));
        }
        if (written == "t") {
            use(id, declarations_.model.t);
            return declarations_.model.t;
        }
        if (written == "pi") return declarations_.pool().number(std::numbers::pi);
        if (written == "deg") return declarations_.pool().number(std::numbers::pi / 180);
    }
    const Entry* entry = lookup(id);
    if (entry == nullptr) return {};
    const Expr found = meaning(id, *entry);
    if (found) use(id, found);
    return found;
}

Expr Resolver::meaning(NodeId id, const Entry& entry) {
    Model& model = declarations_.model;
    switch (entry.meaning) {
    case Meaning::coordinate: return model.coordinates[entry.index].q;
    case Meaning::velocity: return model.velocities[entry.index].v;
    case Meaning::parameter:
        model.parameters[entry.index].used = true;
        return model.parameters[entry.index].symbol;
    case Meaning::state: return model.states[entry.index].symbol;
    case Meaning::let: return definition(entry.index);
    case Meaning::relay: return declarations_.relays[entry.index];
    case Meaning::unknown: return declarations_.unknowns[entry.index];
    case Meaning::table:
    case Meaning::body:
    case Meaning::index: break;
    }
    not_a_value(id, entry);
    return {};
}

Expr Resolver::definition(std::size_t index) {
    const Definition& definition = declarations_.definitions[index];
    switch (definition.state) {
    case Definition::State::done: return definition.value;
    case Definition::State::absent: absent_ = !indices_.empty(); return {};
    case Definition::State::broken: return {};
    case Definition::State::fresh:
    case Definition::State::open: break;
    }
    if (std::ranges::find(missing_, index) == missing_.end()) missing_.push_back(index);
    return {};
}

Expr Resolver::rate(std::size_t coordinate) {
    const std::size_t defined = declarations_.rates[coordinate];
    if (defined != k_none) return definition(defined);
    return declarations_.model.coordinates[coordinate].rate.expr;
}

Expr Resolver::prime(NodeId id) {
    const NodeId operand = syntax_.child(id, 0);
    if (syntax_.node(operand).kind != NodeKind::name) {
        wrong_prime(id, operand);
        return {};
    }
    const Entry* entry = lookup(operand);
    if (entry == nullptr) return {};
    if (entry->meaning != Meaning::coordinate) {
        wrong_prime(id, operand);
        return {};
    }
    const Expr found = rate(entry->index);
    if (found) use(id, found);
    return found;
}

// The entry of a name with its indices evaluated; reports what does not exist.
const Entry* Resolver::lookup(NodeId id) {
    const std::string& head = syntax_.name(id);
    const auto index = index_values(id);
    if (!index) return nullptr;
    if (const Entry* entry = declarations_.scope.find(member_name(head, *index))) return entry;
    if (index->empty() || !declarations_.scope.is_family(head)) {
        unknown_name(id);
        return nullptr;
    }
    // The family exists, this member does not: inside a family that is how its ends look.
    const bool moves = std::ranges::any_of(subtree(id), [&](NodeId below) {
        return below != id && syntax_.node(below).kind == NodeKind::name;
    });
    if (moves) {
        absent_ = true;
    } else {
        diagnostics_
            .report(Code::index_out_of_range,
                    fmt::format("`{}` does not exist", member_name(head, *index)))
            .at(syntax_.span(id), "its index leaves the range of the family")
            .note("a member outside the range can be given apart, under its own name");
    }
    return nullptr;
}

const long* Resolver::bound_index(const std::string& index) const {
    const auto bound = std::ranges::find(indices_, index, &Indices::value_type::first);
    return bound == indices_.end() ? nullptr : &bound->second;
}

std::optional<std::vector<long>> Resolver::index_values(NodeId id) {
    std::vector<long> values;
    for (const NodeId index : syntax_.indices(id)) {
        const auto value = index_value(index);
        if (!value) return std::nullopt;
        values.push_back(*value);
    }
    return values;
}

// Whole-number arithmetic of indices: i, i+1, 2*i, N is not known here.
std::optional<long> Resolver::index_value(NodeId root) {
    constexpr double bound = 1e9;
    std::vector<double> values(syntax_.nodes().size(), std::nan(""));
    for (const NodeId id : subtree(root)) {
        const text::Node& node = syntax_.node(id);
        const auto child = [&](std::size_t k) { return values[syntax_.child(id, k)]; };
        switch (node.kind) {
        case NodeKind::number: values[id] = node.value; break;
        case NodeKind::name:
            if (const long* bound_value = bound_index(syntax_.name(id))) {
                values[id] = static_cast<double>(*bound_value);
            } else {
                diagnostics_
                    .report(Code::unknown_index,
                            fmt::format("`{}` is not an index here", syntax_.name(id)))
                    .at(syntax_.span(id), "no member of this family is meant")
                    .note(
                        "an index is bound by the name of the table, as in [contact.\"touch[i]\"], "
                        "or by sum(i, …)");
                return std::nullopt;
            }
            break;
        case NodeKind::negate: values[id] = -child(0); break;
        case NodeKind::add: values[id] = child(0) + child(1); break;
        case NodeKind::subtract: values[id] = child(0) - child(1); break;
        case NodeKind::multiply: values[id] = child(0) * child(1); break;
        default: break;
        }
    }
    const double value = values[root];
    if (!(std::abs(value) < bound) || value != std::floor(value)) {
        diagnostics_.report(Code::unknown_index, "an index must be a whole number")
            .at(syntax_.span(root), "not a whole number made of indices, numbers, + - *");
        return std::nullopt;
    }
    return static_cast<long>(value);
}

void Resolver::unknown_name(NodeId id) {
    if (declarations_.incomplete) return;
    const std::string& head = syntax_.name(id);
    const base::Span span = syntax_.span(id);
    if (const Entry* plain = declarations_.scope.find(head); plain != nullptr) {
        diagnostics_.report(Code::unknown_index, fmt::format("`{}` is not a family", head))
            .at(span, "it has no members")
            .see(plain->span, fmt::format("a single {}", word(plain->meaning)))
            .note(fmt::format("write {0}, or declare a family: {0}[i] with [family.i]", head));
        return;
    }
    if (head == "u" || head.starts_with("u.")) {
        auto& report = diagnostics_.report(
            Code::relay_value_misplaced,
            head == "u" ? "`u` has no meaning here"
                        : fmt::format("there is no relay `{}`", head.substr(2)));
        report.at(span, "the value of a relay");
        report.note(
            declarations_.relays.empty()
                ? "the model has no [relay.NAME]"
                : "u stands for the relay's own value inside its force; elsewhere write u.NAME");
        return;
    }
    if (is_function(head)) {
        diagnostics_
            .report(Code::function_without_arguments, fmt::format("`{}` is a function", head))
            .at(span, "arguments are missing")
            .note(fmt::format("write {}(…)", head));
        return;
    }
    if (declarations_.scope.is_family(head)) {
        diagnostics_.report(Code::unknown_index, fmt::format("`{}` is a family", head))
            .at(span, "an index is missing")
            .note(fmt::format("write {}[i] for a member, or sum(i, {}[i]) for all", head, head));
        return;
    }
    if (declarations_.family(head) != nullptr) {
        diagnostics_.report(Code::unknown_index, fmt::format("index `{}` has no value here", head))
            .at(span, "used outside its family")
            .note(fmt::format("use it inside sum({0}, …), or in a table named after it, as in "
                              "[contact.\"touch[{0}]\"]",
                              head));
        return;
    }
    auto& report = diagnostics_.report(Code::unknown_name, fmt::format("unknown name `{}`", head));
    report.at(span, "not a coordinate, parameter or [let] name");
    if (diagnostics_.saturated()) return;
    if (const auto near = declarations_.scope.suggestion(head)) report.note(*near);
}

void Resolver::not_a_value(NodeId id, const Entry& entry) {
    const std::string& head = syntax_.name(id);
    auto& report = diagnostics_.report(
        Code::not_a_value, fmt::format("`{}` is a {}, not a number", head, word(entry.meaning)));
    report.at(syntax_.span(id)).see(entry.span, "defined here");
    if (entry.meaning == Meaning::table)
        report.note(fmt::format("tables are functions: write {}(x)", head));
    if (entry.meaning == Meaning::body) {
        report.note(fmt::format(
            "use its coordinates {0}.x, … or a point of it, {0}.point(a, b, c).z", head));
    }
}

void Resolver::wrong_prime(NodeId id, NodeId operand) {
    auto& report = diagnostics_.report(
        Code::misplaced_prime, fmt::format("`{}` is not a coordinate", syntax_.text(operand)));
    report.at(syntax_.span(id), "only coordinates have a prime");
    report.note(
        fmt::format("the time derivative of an expression is der({})", syntax_.text(operand)));
}

} // namespace liaison::model
