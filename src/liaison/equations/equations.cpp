// SPDX-License-Identifier: Apache-2.0
// Derivation: extended first, then the cheaper of extended and plain.
#include "liaison/equations/equations.hpp"

#include "liaison/equations/energy.hpp"
#include "liaison/equations/reduce.hpp"
#include "liaison/equations/system.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/elimination.hpp"
#include "liaison/expr/ordering.hpp"

#include <memory>
#include <optional>

namespace liaison::equations {
namespace {

// Extended equations have more unknowns to carry through series and reports: they must save this much.
constexpr double k_worthwhile = 0.85;

double weight(const expr::Elimination& e) {
    expr::OperationCount count = e.factor_count();
    count += e.solve_count();
    return count.weight();
}

// Whether the auxiliaries should stay, judged by the operations of both elimination orders.
bool extended_is_cheaper(const Equations& equations) {
    LinearSystem system = assemble(equations, bilateral_rows(equations));
    std::vector<std::optional<double>> known;
    for (const Expr e : system.entries) {
        known.push_back(e.is_number() ? std::optional(e.number().value()) : std::nullopt);
    }
    // Nobody asks for the accelerations of auxiliaries and their multipliers.
    const std::size_t n = system.structure->n;
    const std::unique_ptr<bool[]> wanted(new bool[n]);
    for (std::size_t i = 0; i < n; ++i) {
        wanted[i] = system.structure->classes[i] == expr::UnknownClass::inertial ||
                    system.structure->classes[i] == expr::UnknownClass::multiplier;
    }
    expr::EliminationOptions options{.known_entries = known, .wanted = {wanted.get(), n}};
    const auto sparse = expr::eliminate(*system.structure, options);
    if (!sparse) return true;
    // More than three times as many operations is as good as infinitely many.
    options.limit = 3 * (sparse->factor.size() + sparse->solve.size()) + 1000;
    system.structure->order = expr::auxiliaries_first(*system.structure, options.limit);
    if (system.structure->order.empty()) return true;
    const auto dense = expr::eliminate(*system.structure, options);
    return !dense || weight(*sparse) < k_worthwhile * weight(*dense);
}

void add_forces_and_rows(Equations& eq, const LagrangianInput& input) {
    Pool& pool = eq.frame.pool();
    eq.forces = force_terms(eq.frame, input.forces);
    RowBuilder Q(pool, eq.frame.size());
    for (const ForceTerms& force : eq.forces) {
        for (const auto& [a, value] : force.Q) Q.add(a, value);
    }
    eq.Q = Q.dense();
    eq.constraints = constraint_rows(eq.frame, input.constraints);
    eq.contacts = contact_rows(eq.frame, input.contacts);
}

} // namespace

Equations derive(const LagrangianInput& input, Form form) {
    const std::vector<Expr> roots = roots_of(input);
    const Expr L = lagrangian(input);
    Equations eq{Frame(input, roots, find_auxiliaries(input)), {}, {}, {}, {}, {}, {}, {}, {}};
    eq.inertia = lagrange(eq.frame, L, input);
    eq.definitions = definitions(eq.frame);
    add_forces_and_rows(eq, input);
    const bool keep = eq.extended() && (form == Form::extended ||
                                        (form == Form::automatic && extended_is_cheaper(eq)));
    if (eq.extended() && !keep) {
        eq.inertia = reduce(eq.frame, eq.inertia, eq.definitions);
        eq.frame = Frame(input, roots, {});
        eq.definitions.clear();
        add_forces_and_rows(eq, input);
    }
    eq.momenta = expr::gradient(L, input.v);
    eq.energy = energy_terms(eq.frame, input, eq.momenta, eq.forces);
    return eq;
}

} // namespace liaison::equations
