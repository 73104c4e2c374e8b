// SPDX-License-Identifier: Apache-2.0
// Makes a model from a draft: the order of the work, and the tools its parts share.
#include "liaison/model/assembler.hpp"

#include "liaison/base/nearest.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/model/switches.hpp"
#include "liaison/model/unit_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace liaison::model {

using base::Code;
using expr::Expr;

Assembler::Assembler(const Draft& draft, std::shared_ptr<expr::Pool> pool,
                     std::shared_ptr<const base::SourceFile> source, const Limits& limits,
                     base::Diagnostics& diagnostics)
    : draft_(draft), diagnostics_(diagnostics),
      declarations_((model_.pool = std::move(pool), model_.source = std::move(source), model_),
                    limits),
      formulas_(declarations_, diagnostics), members_(declarations_, diagnostics) {
    model_.name = draft.name;
    model_.about = draft.about;
    model_.t = model_.pool->symbol("t");
    formulas_.dependence.symbol(model_.t, k_time);
    declarations_.derivative.rate(model_.t, model_.pool->number(1));
}

std::optional<Model> Assembler::run() {
    const std::size_t errors_before = diagnostics_.error_count();
    const std::size_t kept_before = diagnostics_.all().size();

    if (!draft_.relays.empty()) declarations_.scope.reserve_relay_value();
    declare_families();
    declare_kind();
    declare_parameters();
    declare_states();
    declare_coordinates();
    declare_bodies();
    declare_velocities();
    declare_tables();
    declare_relays();
    declare_unknowns();
    declare_definitions();
    resolve_definitions();
    finish_rates();
    describe_bodies();

    energies();
    forces();
    kinematics();
    constraints();
    contacts();
    rough_guides();
    relays();
    observes();
    integrals();
    events();
    invert();
    periodic();
    draws();
    start();
    run_options();

    find_switches(model_, formulas_.dependence);
    if (diagnostics_.error_count() != errors_before) return std::nullopt;
    if (!diagnostics_.has_errors()) unused_parameters();
    check_units(model_, draft_, diagnostics_);
    for (std::size_t k = kept_before; k < diagnostics_.all().size(); ++k) {
        const base::Diagnostic& one = diagnostics_.all()[k];
        base::Diagnostic& copy = model_.warnings.report(one.code, one.message);
        copy = one;
    }
    model_.warnings.keep_files();
    if (diagnostics_.error_count() != errors_before) return std::nullopt;
    return std::move(model_);
}

void Assembler::each(const Name& name, const std::unordered_set<std::string>& given,
                     const std::function<void(const Member&)>& make) {
    const auto members = members_.of(name, given);
    if (members.empty()) return;
    const std::size_t errors = diagnostics_.error_count();
    bool some = false;
    for (const Member& member : members) {
        formulas_.begin_member();
        make(member);
        some = some || !formulas_.absent();
        // What is wrong with one member is wrong with all.
        if (diagnostics_.error_count() != errors) return;
    }
    if (!some) {
        diagnostics_.report(Code::empty_family, fmt::format("`{}` has no members", name.text))
            .at(name.span, "in each of them some index leaves its range");
    }
}

std::size_t Assembler::dimension() const {
    return model_.kind == Kind::first_order ? model_.coordinates.size() : model_.velocities.size();
}

std::size_t Assembler::coordinate_named(const std::string& name, base::Span span,
                                        std::string_view where) {
    const Entry* entry = declarations_.scope.find(name);
    if (entry != nullptr && entry->meaning == Meaning::coordinate) return entry->index;
    auto& report = diagnostics_.report(Code::unknown_coordinate,
                                       fmt::format("`{}` is not a coordinate", name));
    report.at(span, fmt::format("named in {}", where));
    if (entry != nullptr)
        report.see(entry->span, fmt::format("`{}` is a {}", name, word(entry->meaning)));
    const auto near =
        declarations_.scope.suggestion(name, [](Meaning m) { return m == Meaning::coordinate; });
    if (near)
        report.note(*near);
    else
        report.note(fmt::format("list it in coordinates, or remove it from {}", where));
    return k_none;
}

std::vector<Assembler::Acting> Assembler::acting_on(const std::string& name, base::Span span,
                                                    std::string_view where) {
    const Expr one = model_.pool->number(1);
    const Entry* entry = declarations_.scope.find(name);
    if (entry != nullptr && entry->meaning == Meaning::velocity) return {{entry->index, one}};
    const std::size_t coordinate = coordinate_named(name, span, where);
    if (coordinate == k_none) return {};
    if (model_.kind == Kind::first_order) return {{coordinate, one}};
    const Expr rate = model_.coordinates[coordinate].rate.expr;
    if (!rate) return {};
    // A force on a coordinate does the work Q q' = Q K v: it acts on v with the weights of K.
    std::vector<Acting> acting;
    for (std::size_t j = 0; j < model_.velocities.size(); ++j) {
        const Expr v = model_.velocities[j].v;
        if (rate == v) return {{j, one}};
        if (!expr::depends_on(rate, v)) continue;
        acting.push_back({j, expr::differentiate(rate, v)});
    }
    return acting;
}

void Assembler::components(const std::vector<Component>& written, const Context& context,
                           std::string_view where, std::vector<Formula>& by_velocity) {
    by_velocity.resize(dimension());
    std::vector<Name> siblings;
    for (const Component& component : written) siblings.push_back(component.name);
    const auto given = Members::apart(siblings);
    for (const Component& component : written) {
        const std::size_t errors = diagnostics_.error_count();
        // The owner's own index is bound already; a key may use it or an index of its own.
        for (Member& member : members_.of(component.name, given)) {
            Indices indices = context.indices;
            bool same = true;
            for (const auto& [index, value] : member.indices) {
                const auto bound = std::ranges::find(indices, index, &Indices::value_type::first);
                if (bound == indices.end())
                    indices.emplace_back(index, value);
                else
                    same = same && bound->second == value;
            }
            if (!same) continue;
            Context inner = context;
            inner.indices = std::move(indices);
            const Formula value = formulas_.formula(component.value, inner);
            for (const auto& [velocity, weight] :
                 acting_on(member.name, component.name.span, where)) {
                if (!value) continue;
                Formula& total = by_velocity[velocity];
                const Expr part = value.expr * weight;
                total = {total ? total.expr + part : part, base::cover(total.span, value.span)};
            }
            if (diagnostics_.error_count() != errors) break;
        }
    }
}

std::size_t Assembler::reference(const std::vector<std::string>& names, const Name& name,
                                 std::string_view kind) {
    const auto found = std::ranges::find(names, name.text);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    auto& report = diagnostics_.report(Code::unknown_reference,
                                       fmt::format("there is no {} `{}`", kind, name.text));
    report.at(name.span);
    if (const auto near = base::nearest(name.text, names)) {
        report.note(fmt::format("did you mean `{}`?", *near));
    } else if (names.empty()) {
        report.note(fmt::format("the model has no {}", kind));
    } else if (names.size() <= 8) {
        report.note(fmt::format("the model has {}", fmt::join(names, ", ")));
    }
    return k_none;
}

void Assembler::unused_parameters() {
    for (const Parameter& parameter : model_.parameters) {
        if (parameter.used || parameter.name.find('[') != std::string::npos) continue;
        auto& report = diagnostics_.report(
            Code::unused_parameter, fmt::format("parameter `{}` is never used", parameter.name));
        report.at(parameter.span, "no expression contains it")
            .note("remove it, or use it where it belongs");
    }
}

} // namespace liaison::model
