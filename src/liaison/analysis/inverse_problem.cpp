// SPDX-License-Identifier: Apache-2.0
// S u = h over the field of fractions: all solutions, or those that are free of velocities.
#include "liaison/analysis/inverse_problem.hpp"

#include "liaison/analysis/inverse_rank.hpp"
#include "liaison/analysis/potential.hpp"
#include "liaison/analysis/prescribed_motion.hpp"
#include "liaison/equations/from_model.hpp"
#include "liaison/equations/system.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace liaison::analysis {
namespace {

using expr::Algebra;
using expr::LinearEquations;
using expr::LinearSolution;
using expr::Monomial;
using expr::Number;
using expr::Polynomial;
using expr::Rational;

struct NotLinear {};

// One equation Σ S_j u_j = h, and where it comes from.
struct Equation {
    std::vector<Fraction> S;
    Fraction h;
    std::string from;
};

class Inversion {
  public:
    Inversion(const model::Model& model, const ForcedMotion& motion)
        : model_(model), motion_(motion), pool_(*model.pool), algebra_(pool_) {}

    InverseAnswer run() {
        answer_.names = motion_.names;
        constexpr std::size_t k_products = 20'000'000; // some seconds
        const expr::PolynomialBudget budget(k_products);
        try {
            pose();
            if (answer_.verdict == InverseVerdict::found) solve();
            if (answer_.verdict == InverseVerdict::found) finish();
        } catch (const expr::PolynomialTooLarge&) {
            give_up(InverseVerdict::too_large,
                    "the formulas outgrow the bound on terms: fewer parameters as letters, numbers "
                    "instead, make them smaller");
        } catch (const NotLinear&) {
            give_up(InverseVerdict::not_linear, "the unknown forces must occur linearly");
        } catch (const std::domain_error& error) {
            give_up(InverseVerdict::impossible, error.what());
        }
        answer_.doubts = algebra_.doubts();
        return std::move(answer_);
    }

  private:
    void give_up(InverseVerdict verdict, std::string reason) {
        answer_.verdict = verdict;
        answer_.reason = std::move(reason);
    }

    [[nodiscard]] Expr rate_of(Expr e) const {
        std::vector<Expr> atoms = motion_.positions;
        std::vector<Expr> rates = motion_.position_rates;
        atoms.insert(atoms.end(), motion_.velocities.begin(), motion_.velocities.end());
        rates.insert(rates.end(), motion_.velocity_rates.begin(), motion_.velocity_rates.end());
        atoms.push_back(motion_.t);
        rates.push_back(pool_.number(Number(1)));
        return expr::differentiate_along({&e, 1}, atoms, rates, "")[0];
    }
    [[nodiscard]] bool moves(Expr e) const {
        return std::ranges::any_of(motion_.velocities,
                                   [&](Expr v) { return expr::depends_on(e, v); });
    }

    // Splits a rate into S u − h.
    Equation split(Expr rate, const std::string& from) {
        const Fraction f = algebra_.fraction(rate);
        const auto among = algebra_.depending_on(motion_.unknown);
        Equation result{std::vector<Fraction>(motion_.unknown.size()), {}, from};
        const Fraction below(Polynomial(Rational(1)), f.denominator(), algebra_.relations());
        for (const auto& [monomial, coefficient] : f.numerator().collect(among)) {
            const Fraction c = Fraction(coefficient, algebra_.relations()) * below;
            if (monomial.empty()) {
                result.h = -c;
                continue;
            }
            const Expr unknown = algebra_.generators()[monomial.size() - 1];
            const auto at = std::ranges::find(motion_.unknown, unknown);
            const bool first_power =
                std::accumulate(monomial.begin(), monomial.end(), std::size_t{0}) == 1;
            if (at == motion_.unknown.end() || !first_power) throw NotLinear{};
            result.S[static_cast<std::size_t>(at - motion_.unknown.begin())] = c;
        }
        if (f.denominator().collect(among).size() > 1) throw NotLinear{};
        return result;
    }

    void pose() {
        for (const model::Named& integral : model_.integrals) {
            if (!pose(integral, false)) return;
        }
        for (const model::Named& equation : model_.invert->follow) {
            if (!pose(equation, true)) return;
        }
        if (equations_.empty())
            give_up(InverseVerdict::nothing_to_find,
                    model_.invert->follow.empty()
                        ? "every integral holds whatever the forces are"
                        : "every integral and equation holds whatever the forces are");
    }

    // Differentiates until the forces appear: once for an integral, twice for one of positions; as often as needed for
    // an equation to be followed, whose earlier derivatives must vanish at the start. False: no force can do it.
    bool pose(const model::Named& wanted, bool follow) {
        constexpr int k_most = 6; // forces that appear later act through several others
        Expr function = wanted.formula.expr;
        for (int derivatives = 1;; ++derivatives) {
            const Expr before = function;
            function = rate_of(before);
            Equation e = split(function, wanted.name);
            const bool reached =
                std::ranges::any_of(e.S, [](const Fraction& s) { return !s.is_zero(); });
            if (!reached && e.h.is_zero()) {
                answer_.identities.push_back(wanted.name);
                if (follow) answer_.followed.push_back({wanted.name, derivatives});
                return true;
            }
            // Attracted to zero instead of kept: (d/dt + p)ᵏ f = 0.
            const Expr p = model_.invert->stabilise.expr;
            if (p) function = function + p * before;
            if (!reached && follow && derivatives < k_most) {
                function = algebra_.expression(p ? algebra_.fraction(function) : -e.h);
                continue;
            }
            if (!reached && !follow && derivatives == 1 && !moves(wanted.formula.expr)) {
                if (!p) answer_.conditions.push_back(wanted.name);
                continue;
            }
            if (!reached) {
                give_up(InverseVerdict::impossible,
                        fmt::format("no force changes the {} of {}, which is {}",
                                    derivatives == 1 ? "rate" : "derivatives", wanted.name,
                                    expr::print(algebra_.expression(-e.h))));
                return false;
            }
            if (p) e = split(function, wanted.name);
            IntegralRow row{wanted.name, derivatives, {}, algebra_.expression(e.h)};
            for (const Fraction& s : e.S) row.S.push_back(algebra_.expression(s));
            if (follow) answer_.followed.push_back({wanted.name, p ? 0 : derivatives});
            if (p) answer_.attracted.push_back(wanted.name);
            answer_.rows.push_back(std::move(row));
            equations_.push_back(std::move(e));
            return true;
        }
    }

    // The coefficients of all powers of the velocities, equations for u(q) each (theory 03, theorem 3).
    [[nodiscard]] std::vector<Equation> by_powers_of_velocity() const {
        const auto among = algebra_.depending_on(motion_.velocities);
        std::vector<Equation> result;
        for (const Equation& e : equations_) {
            Polynomial common = e.h.denominator();
            for (const Fraction& s : e.S)
                common = *divide_exactly(common * s.denominator(), gcd(common, s.denominator()));
            const auto cleared = [&](const Fraction& f) {
                return (f * Fraction(common, algebra_.relations())).numerator().collect(among);
            };
            std::map<Monomial, Equation> powers;
            const auto at = [&](const Monomial& m) -> Equation& {
                auto [it, inserted] = powers.try_emplace(m);
                if (inserted) {
                    it->second.S.resize(motion_.unknown.size());
                    it->second.from = e.from;
                }
                return it->second;
            };
            for (std::size_t j = 0; j < e.S.size(); ++j) {
                for (const auto& [m, c] : cleared(e.S[j]))
                    at(m).S[j] = Fraction(c, algebra_.relations());
            }
            for (const auto& [m, c] : cleared(e.h)) at(m).h = Fraction(c, algebra_.relations());
            for (auto& [m, equation] : powers) {
                equation.from = describe(e.from, m);
                result.push_back(std::move(equation));
            }
        }
        return result;
    }
    [[nodiscard]] std::string describe(const std::string& integral, const Monomial& power) const {
        std::string text;
        for (std::size_t i = 0; i < power.size(); ++i) {
            if (power[i] == 0) continue;
            text +=
                fmt::format("{}{}", text.empty() ? "" : "*", expr::print(algebra_.generators()[i]));
            if (power[i] > 1) text += fmt::format("^{}", power[i]);
        }
        return fmt::format("the terms of {} in the rate of {}",
                           text.empty() ? "degree zero in the velocities" : text, integral);
    }

    [[nodiscard]] LinearSolution solution_of(const std::vector<Equation>& equations) const {
        LinearEquations linear;
        linear.unknowns = motion_.unknown.size();
        for (const Equation& e : equations) {
            linear.rows.push_back(e.S);
            linear.right.push_back(e.h);
        }
        return expr::solve(std::move(linear), algebra_.relations());
    }

    void solve() {
        const LinearSolution general = solution_of(equations_);
        answer_.rank = general.rank;
        if (general.contradiction) {
            give_up(InverseVerdict::impossible,
                    fmt::format("the rate of {} contradicts the others: no force has all these "
                                "integrals",
                                equations_[*general.contradiction].from));
            return;
        }
        find_rank_loss();
        if (!model_.invert->positional) {
            family(general, true);
            return;
        }
        const auto powers = by_powers_of_velocity();
        const LinearSolution positional = solution_of(powers);
        if (positional.contradiction) {
            give_up(InverseVerdict::not_positional,
                    fmt::format("no force that is free of velocities has these integrals: {} "
                                "cannot vanish",
                                powers[*positional.contradiction].from));
            return;
        }
        answer_.rank = positional.rank;
        family(positional, false);
    }

    // Rows that follow from those before them, and where the others become dependent.
    void find_rank_loss() {
        std::vector<Equation> independent;
        for (const Equation& e : equations_) {
            independent.push_back(e);
            if (solution_of(independent).rank < independent.size()) {
                independent.pop_back();
                answer_.dependent.push_back(e.from);
            } else {
                independent_.push_back(e.S);
            }
        }
        answer_.singular = rank_loss(independent_, algebra_);
    }

    static Fraction dot(const std::vector<Fraction>& a, const std::vector<Fraction>& b) {
        Fraction sum;
        for (std::size_t i = 0; i < a.size(); ++i) sum = sum + a[i] * b[i];
        return sum;
    }

    // S⁺h = p − N (NᵀN)⁻¹ Nᵀ p for any solution p and the null vectors N.
    [[nodiscard]] std::vector<Fraction> shortest(const LinearSolution& s) const {
        if (s.null.empty()) return s.particular;
        LinearEquations normal;
        normal.unknowns = s.null.size();
        for (const auto& a : s.null) {
            auto& row = normal.rows.emplace_back();
            for (const auto& b : s.null) row.push_back(dot(a, b));
            normal.right.push_back(dot(a, s.particular));
        }
        const auto weights = expr::solve(std::move(normal), algebra_.relations()).particular;
        auto result = s.particular;
        for (std::size_t k = 0; k < s.null.size(); ++k) {
            for (std::size_t j = 0; j < result.size(); ++j)
                result[j] = result[j] - weights[k] * s.null[k][j];
        }
        return result;
    }

    // The generalised vector product of n − 1 rows: component i is det(e_i; rows) (theory 03 §2).
    [[nodiscard]] std::vector<Fraction>
    vector_product(const std::vector<std::vector<Fraction>>& rows) const {
        const std::size_t n = motion_.unknown.size();
        std::vector<Fraction> result;
        for (std::size_t i = 0; i < n; ++i) {
            std::vector<std::size_t> columns;
            for (std::size_t j = 0; j < n; ++j)
                if (j != i) columns.push_back(j);
            const Fraction minor = minor_of(rows, columns, algebra_);
            result.push_back(i % 2 == 0 ? minor : -minor);
        }
        return result;
    }

    void family(const LinearSolution& s, bool minimum_norm) {
        const auto particular = minimum_norm ? shortest(s) : s.particular;
        for (const Fraction& u : particular) answer_.particular.push_back(algebra_.expression(u));
        auto null = s.null;
        const bool one_direction =
            minimum_norm && null.size() == 1 && independent_.size() + 1 == motion_.unknown.size();
        if (one_direction) null = {vector_product(independent_)};
        if (minimum_norm && null.size() > 1) write_product(null.size() - 1);
        for (const auto& direction : null) {
            auto& d = answer_.directions.emplace_back();
            for (const Fraction& x : direction) d.push_back(algebra_.expression(x));
        }
    }

    // The free part as a[S C] with any rows C, letters here (theory 03 §11).
    void write_product(std::size_t missing) {
        constexpr std::size_t k_most = 5; // forces: a determinant of letters has n! terms
        const std::size_t n = motion_.unknown.size();
        if (n > k_most) return;
        auto rows = independent_;
        for (std::size_t r = 0; r < missing; ++r) {
            auto& row = rows.emplace_back();
            auto& names = answer_.C.emplace_back();
            for (std::size_t j = 0; j < n; ++j) {
                std::string name =
                    fmt::format("c{}{}", missing > 1 ? fmt::format("{}_", r + 1) : "", j + 1);
                while (taken(name)) name += '_';
                row.push_back(algebra_.fraction(pool_.symbol(name)));
                names.push_back(std::move(name));
            }
        }
        for (const Fraction& x : vector_product(rows))
            answer_.product.push_back(algebra_.expression(x));
    }

    [[nodiscard]] bool taken(const std::string& name) const {
        const auto symbols = [&](const auto& list) {
            return std::ranges::any_of(list, [&](const auto& x) { return x.name == name; });
        };
        return symbols(model_.coordinates) || symbols(model_.velocities) ||
               symbols(model_.parameters) || symbols(model_.lets) || symbols(model_.states) ||
               std::ranges::find(motion_.names, name) != motion_.names.end();
    }

    void finish() {
        answer_.forces = answer_.particular;
        bool open = false;
        for (std::size_t k = 0; k < answer_.directions.size(); ++k) {
            Expr a;
            if (k < model_.invert->free.size()) {
                a = model_.invert->free[k].expr;
                answer_.free.push_back(expr::print(a));
            } else {
                std::string name = fmt::format("a{}", k + 1);
                while (taken(name)) name += '_';
                a = pool_.symbol(name);
                answer_.free.push_back(name);
                open = true;
            }
            for (std::size_t j = 0; j < answer_.forces.size(); ++j)
                answer_.forces[j] = answer_.forces[j] + a * answer_.directions[k][j];
        }
        // With free functions S⁺h and what they multiply stay apart, so that the free part is seen.
        if (!open) {
            for (Expr& u : answer_.forces) u = algebra_.expression(algebra_.fraction(u));
            answer_.along = along_motion(model_, answer_.forces, algebra_);
        }
        if (open) {
            answer_.potential_reason = "free functions are left: give them in [invert] free";
            return;
        }
        if (!model_.invert->follow.empty()) {
            answer_.potential_reason = "the forces belong to one motion";
            return;
        }
        if (std::ranges::any_of(answer_.forces, [&](Expr u) { return moves(u); })) {
            answer_.potential_reason = "the forces depend on velocities";
            return;
        }
        const auto Q = expr::substitute(motion_.force, motion_.unknown, answer_.forces);
        PotentialAnswer p = potential(motion_, Q, algebra_);
        answer_.potential = p.exists;
        answer_.componentwise = p.componentwise;
        answer_.potential_reason = std::move(p.reason);
        answer_.V = p.V;
    }

    const model::Model& model_;
    const ForcedMotion& motion_;
    expr::Pool& pool_;
    Algebra algebra_;
    std::vector<Equation> equations_;
    std::vector<std::vector<Fraction>> independent_; // rows of S
    InverseAnswer answer_;
};

} // namespace

ForcedMotion forced_motion(const model::Model& model) {
    ForcedMotion motion;
    expr::Pool& pool = *model.pool;
    motion.t = model.t;
    motion.unknown = model.invert->unknown;
    motion.names = model.invert->names;
    const std::vector<Expr> none(motion.unknown.size(), pool.number(Number(0)));
    const auto without = [&](Expr e) { return expr::substitute({&e, 1}, motion.unknown, none)[0]; };
    if (model.kind == model::Kind::first_order) {
        const auto rates = equations::first_order_rates(model);
        for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
            const bool position =
                std::ranges::find(model.invert->positions, i) != model.invert->positions.end();
            (position ? motion.positions : motion.velocities).push_back(model.coordinates[i].q);
            (position ? motion.position_rates : motion.velocity_rates).push_back(rates[i]);
            if (!position) motion.force.push_back(rates[i] - without(rates[i]));
        }
        return motion;
    }
    const auto input = equations::lagrangian_input(model);
    const auto eq = equations::derive(input, equations::Form::plain);
    const auto result = equations::accelerations(eq, equations::bilateral_rows(eq));
    for (const auto& c : model.coordinates) {
        motion.positions.push_back(c.q);
        motion.position_rates.push_back(c.rate.expr);
    }
    for (const auto& v : model.velocities) motion.velocities.push_back(v.v);
    const auto v_dot = result.v_dot(eq);
    motion.velocity_rates.assign(v_dot.begin(), v_dot.end());
    for (std::size_t i = 0; i < motion.velocities.size(); ++i)
        motion.force.push_back(eq.Q[i] - without(eq.Q[i]));
    return motion;
}

InverseAnswer invert(const model::Model& model) {
    const ForcedMotion motion = forced_motion(model);
    return Inversion(model, motion).run();
}

} // namespace liaison::analysis
