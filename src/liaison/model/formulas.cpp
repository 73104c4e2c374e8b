// SPDX-License-Identifier: Apache-2.0
// Turns what was written into formulas: parses, resolves, and checks which quantities may stand where.
#include "liaison/model/formulas.hpp"

#include "liaison/expr/traverse.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::model {

using base::Code;
using base::Span;
using expr::Expr;

namespace {

struct Refusal {
    Quantity quantity;
    std::string_view word;
    std::string_view remedy;
};

constexpr Refusal k_refusals[] = {
    {k_acceleration, "accelerations", "accelerations may be used in [observe] only"},
    {k_relay, "a relay value", "relay values belong to forces, right-hand sides and outputs"},
    {k_velocity, "velocities", "write it in positions, time and parameters"},
    {k_position, "coordinates", "write it in parameters and numbers"},
    {k_time, "time", "write it without t"},
    {k_state, "a discrete state", "write it without discrete states"},
    {k_unknown, "an unknown of [invert]", "unknowns stand in forces and right-hand sides"},
    {k_foreign, "a symbol that the model does not have",
     "declare it as a coordinate or a parameter"},
};

bool inside(Span inner, Span outer) {
    return inner.file == outer.file && outer.begin <= inner.begin && inner.end <= outer.end;
}

} // namespace

const text::Syntax& Formulas::syntax_of(const Written& written, const Context& context,
                                        base::Diagnostics& diagnostics) {
    if (const text::Syntax* tree = written.as_syntax()) return *tree;
    if (const double* number = written.as_number()) {
        return parsed_.emplace_back(text::number_syntax(*number, written.span));
    }
    const std::string* given = written.as_text();
    const std::string key = context.what + "\n" + *given;
    if (const auto known = parsed_texts_.find(key); known != parsed_texts_.end())
        return *known->second;
    const auto& file =
        declarations_.model.passages.emplace_back(base::SourceFile::make(context.what, *given));
    diagnostics.keep(file);
    const text::Syntax& tree =
        parsed_.emplace_back(text::parse(text::Passage::of(*file), context.form, diagnostics));
    parsed_texts_.emplace(key, &tree);
    return tree;
}

Resolution Formulas::resolve(const Written& written, const Context& context,
                             base::Diagnostics& diagnostics) {
    if (const Expr* ready = written.as_expression()) {
        for (const Expr symbol : expr::free_symbols(*ready)) {
            const std::size_t parameter = declarations_.model.parameter(symbol.name());
            if (parameter != k_none) declarations_.model.parameters[parameter].used = true;
        }
        return {.expr = *ready, .left = {}, .right = {}, .missing = {}};
    }
    const text::Syntax& syntax = syntax_of(written, context, diagnostics);
    return Resolver(declarations_, syntax, context.indices, context.locals, diagnostics).run();
}

Formula Formulas::formula(const Written& written, const Context& context) {
    if (!written) return {};
    const Resolution resolved = resolve(written, context, diagnostics_);
    absent_ = absent_ || resolved.absent;
    if (!resolved.expr) return {};
    Span span = written.span;
    if (!span && written.as_text() != nullptr) {
        span = syntax_of(written, context, diagnostics_).passage().span();
    }
    const Formula result{resolved.expr, span};
    return check(result, context) ? result : Formula{};
}

std::vector<Formula> Formulas::formulas(const std::vector<Written>& written,
                                        const Context& context) {
    std::vector<Formula> results;
    for (const Written& one : written) results.push_back(formula(one, context));
    return results;
}

Formulas::Equation Formulas::equation(const Written& written, Context context) {
    if (!written) return {};
    // Texts from C++ without = are expressions that vanish.
    const std::string* given = written.as_text();
    if (given != nullptr && given->find('=') != std::string::npos) {
        context.form = text::Form::equation;
    }
    const Resolution resolved = resolve(written, context, diagnostics_);
    absent_ = absent_ || resolved.absent;
    if (!resolved.expr) return {};
    Equation result;
    result.f = {resolved.expr, written.span};
    if (given != nullptr) {
        result.f.span = syntax_of(written, context, diagnostics_).passage().span();
    }
    result.left = {resolved.left ? resolved.left : resolved.expr, result.f.span};
    result.right = {resolved.right ? resolved.right : declarations_.pool().number(0),
                    result.f.span};
    return check(result.f, context) ? result : Equation{};
}

bool Formulas::check(const Formula& formula, const Context& context) {
    const unsigned contains = dependence.of(formula.expr);
    unsigned excess = contains & ~(context.allowed | k_local | k_parameter);
    bool fine = true;
    for (const Refusal& refusal : k_refusals) {
        if ((excess & refusal.quantity) == 0) continue;
        fine = false;
        Code code = Code::quantity_not_allowed;
        if (refusal.quantity == k_acceleration) code = Code::acceleration_needed;
        if (refusal.quantity == k_relay) code = Code::relay_value_misplaced;
        if (refusal.quantity == k_velocity && context.what == "the potential energy V") {
            code = Code::velocity_in_potential;
        }
        diagnostics_.report(code, fmt::format("{} cannot contain {}", context.what, refusal.word))
            .at(blame(formula, refusal.quantity),
                std::string("this brings in ") + std::string(refusal.word))
            .note(std::string(refusal.remedy));
    }
    return fine;
}

std::vector<const Use*> Formulas::uses_in(Span span) const {
    std::vector<const Use*> found;
    if (!span) return found;
    for (const Use& use : declarations_.uses) {
        if (inside(use.span, span)) found.push_back(&use);
    }
    std::ranges::sort(found, {}, [](const Use* use) { return use->span.begin; });
    return found;
}

Span Formulas::blame(const Formula& formula, unsigned quantities) {
    for (const Use* use : uses_in(formula.span)) {
        if ((dependence.of(use->expr) & quantities) != 0) return use->span;
    }
    return formula.span;
}

Span Formulas::blame(const Formula& formula, Expr symbol) const {
    for (const Use* use : uses_in(formula.span)) {
        if (expr::depends_on(use->expr, symbol)) return use->span;
    }
    return formula.span;
}

} // namespace liaison::model
