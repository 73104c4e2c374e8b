// SPDX-License-Identifier: Apache-2.0
// Mass matrix, equations of motion, constraints and contacts as statements.
#include "liaison/equations/explain_motion.hpp"

#include "liaison/equations/system.hpp"
#include "liaison/equations/tidy.hpp"
#include "liaison/expr/elimination.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::equations {
namespace {

class Motion {
  public:
    Motion(const model::Model& model, const Equations& equations, const ExplainOptions& options)
        : model_(model), eq_(equations), options_(options), pool_(equations.frame.pool()) {
        for (const Expr u : eq_.frame.u()) accelerations_.push_back(pool_.symbol(u.name() + "'"));
    }

    std::vector<Section> sections() const {
        std::vector<Section> all;
        if (!eq_.forces.empty()) all.push_back(forces());
        all.push_back(mass_matrix());
        all.push_back(motion());
        if (!eq_.constraints.empty()) all.push_back(constraints());
        if (!eq_.contacts.empty()) all.push_back(contacts());
        if (auto together = struck_together(); !together.about.empty())
            all.push_back(std::move(together));
        if (options_.level > 1) {
            all.push_back(momenta());
            all.push_back(balance());
            all.push_back(structure());
        }
        return all;
    }

  private:
    // The coordinate (or quasi-velocity) a velocity belongs to, for subscripts.
    [[nodiscard]] std::string subscript(std::size_t i) const {
        std::string name = eq_.frame.u()[i].name();
        if (!name.empty() && name.back() == '\'') name.pop_back();
        return name;
    }
    [[nodiscard]] Expr reaction(const std::string& name) const {
        return pool_.symbol("lambda_" + name);
    }
    [[nodiscard]] Expr transmitted(std::size_t k) const {
        return pool_.symbol("R_" + eq_.frame.auxiliaries()[k].p.name());
    }
    [[nodiscard]] Expr along(const Row& row) const { return dot(pool_, row, accelerations_); }

    [[nodiscard]] Section forces() const {
        Section section{"Forces", {}, {}};
        for (const ForceTerms& force : eq_.forces) {
            for (const auto& [i, value] : force.Q) {
                section.statements.push_back({"Q_" + subscript(i), {}, value, "=", force.name});
            }
        }
        return section;
    }

    [[nodiscard]] std::string entry_name(const MatrixEntry& entry) const {
        return fmt::format("M[{},{}]", subscript(entry.row), subscript(entry.col));
    }
    // An entry of the mass matrix inside an equation: written out where it is short, else by its name.
    [[nodiscard]] Expr coefficient(const MatrixEntry& entry) const {
        const auto is_sum = [](Expr e) { return e.op() == expr::Op::add; };
        bool sum = is_sum(entry.value);
        for (std::size_t i = 0; i < entry.value.size(); ++i)
            sum = sum || is_sum(entry.value.arg(i));
        return sum && eq_.frame.n_velocities() > 2 ? pool_.symbol(entry_name(entry)) : entry.value;
    }

    [[nodiscard]] Section mass_matrix() const {
        Section section{"Mass matrix", {}, {}};
        if (eq_.extended()) {
            section.about = fmt::format("positions kept as auxiliary coordinates ({} of them), so "
                                        "that the matrix stays sparse",
                                        eq_.definitions.size());
        }
        for (const MatrixEntry& entry : eq_.inertia.M) {
            section.statements.push_back({entry_name(entry), {}, entry.value, "=", {}});
        }
        return section;
    }

    // M u̇ + h = Q + Σ λ F (+ Σ R A − R for auxiliaries)
    [[nodiscard]] Section motion() const {
        const std::size_t n = eq_.frame.size();
        RowBuilder left(pool_, n);
        RowBuilder right(pool_, n);
        for (const MatrixEntry& entry : eq_.inertia.M) {
            const Expr value = coefficient(entry);
            left.add(entry.row, value * accelerations_[entry.col]);
            if (entry.row != entry.col) left.add(entry.col, value * accelerations_[entry.row]);
        }
        for (std::size_t i = 0; i < n; ++i) {
            left.add(i, eq_.inertia.h[i]);
            right.add(i, eq_.Q[i]);
        }
        for (const ConstraintRows& c : eq_.constraints) {
            for (const auto& [i, value] : c.reaction) right.add(i, value * reaction(c.name));
        }
        for (const ContactRows& c : eq_.contacts) {
            for (const auto& [i, value] : c.normal.W) right.add(i, value * reaction(c.name));
            for (std::size_t s = 0; s < c.slips.size(); ++s) {
                for (const auto& [i, value] : c.slips[s].W) right.add(i, value * tangential(c, s));
            }
        }
        const std::size_t n_v = eq_.frame.n_velocities();
        for (std::size_t k = 0; k < eq_.definitions.size(); ++k) {
            for (const auto& [i, value] : eq_.definitions[k].A)
                right.add(i, value * transmitted(k));
            right.add(n_v + k, -transmitted(k));
        }
        Section section{"Equations of motion", {}, {}};
        if (eq_.extended()) section.about = "R: force handed on by an auxiliary coordinate";
        for (std::size_t i = 0; i < n; ++i)
            section.statements.push_back({subscript(i), left.at(i), right.at(i), "=", {}});
        for (std::size_t k = 0; k < eq_.definitions.size(); ++k) {
            const Definition& d = eq_.definitions[k];
            section.statements.push_back(
                {"", accelerations_[n_v + k], along(d.A) + d.gamma, "=", {}});
        }
        return section;
    }

    [[nodiscard]] Expr tangential(const ContactRows& c, std::size_t s) const {
        return pool_.symbol(c.slips.size() == 1 ? "lambda_T_" + c.name
                                                : fmt::format("lambda_T{}_{}", s + 1, c.name));
    }

    [[nodiscard]] std::string kind_of(const std::string& name) const {
        const auto found = std::find_if(model_.constraints.begin(), model_.constraints.end(),
                                        [&](const model::Constraint& c) { return c.name == name; });
        if (found == model_.constraints.end()) return {};
        std::string kind = found->holonomic ? "holonomic" : "nonholonomic";
        if (!found->holonomic)
            kind += found->linear_in_velocity ? ", linear in the velocities"
                                              : ", nonlinear in the velocities";
        if (found->rheonomic) kind += ", rheonomic";
        if (!found->actuator.empty()) kind += ", realised by an actuator";
        return kind;
    }

    [[nodiscard]] Section constraints() const {
        Section section{"Constraints", {}, {}};
        for (const ConstraintRows& c : eq_.constraints) {
            section.statements.push_back({c.name, c.f, pool_.number(0), "=", kind_of(c.name)});
            if (options_.level > 1 && c.holonomic) {
                section.statements.push_back({"rate", c.row.rate, pool_.number(0), "=", {}});
            }
            section.statements.push_back({"accelerations", along(c.row.W), -c.row.drift, "=", {}});
        }
        return section;
    }

    // V M⁻¹ Wᵀ in closed form where M is diagonal.
    [[nodiscard]] Expr delassus_if_diagonal(const Row& V, const Row& W) const {
        std::vector<Expr> diagonal(eq_.frame.size());
        for (const auto& [row, col, value] : eq_.inertia.M) {
            if (row != col || eq_.extended()) return {};
            diagonal[row] = value;
        }
        std::vector<Expr> terms;
        for (const auto& [i, w] : W) {
            if (!diagonal[i]) return {};
            for (const auto& [j, v] : V) {
                if (i == j) terms.push_back(v * w / diagonal[i]);
            }
        }
        return terms.empty() ? pool_.number(0) : tidy(pool_.sum(terms));
    }

    [[nodiscard]] Section contacts() const {
        Section section{"Contacts", "gap >= 0, reaction >= 0, one of them zero", {}};
        for (const ContactRows& c : eq_.contacts) {
            section.statements.push_back({c.name, c.gap, pool_.number(0), ">=", "gap"});
            section.statements.push_back({"gap'", {}, c.normal.rate, "=", {}});
            section.statements.push_back(
                {"gap''", {}, along(c.normal.W) + c.normal.drift, "=", {}});
            if (const Expr D = delassus_if_diagonal(c.normal.W, c.normal.W)) {
                section.statements.push_back(
                    {"D_" + c.name,
                     {},
                     D,
                     "=",
                     "W inv(M) W^T, acceleration of the gap per unit reaction"});
            }
            for (const RateRow& slip : c.slips) {
                section.statements.push_back({"slip", {}, slip.rate, "=", "tangential velocity"});
                if (options_.level > 1) {
                    section.statements.push_back(
                        {"slip'", {}, along(slip.W) + slip.drift, "=", {}});
                }
            }
        }
        return section;
    }

    // Contacts that feel each other, W_i inv(M) W_j^T not identically zero: rigid bodies do not say what they do at once.
    [[nodiscard]] Section struck_together() const {
        Section section{"Several contacts in one impact", {}, {}};
        constexpr std::size_t k_most = 16; // pairs grow with the square
        const std::size_t n = eq_.contacts.size();
        if (n < 2 || n > k_most) return section;
        const LinearSystem system = assemble(eq_, bilateral_rows(eq_));
        std::vector<Row> rows;
        for (const ContactRows& c : eq_.contacts) rows.push_back(c.normal.W);
        const auto D = delassus(eq_, pool_.factor(system.structure, system.entries), rows, rows);
        std::string pairs;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = i + 1; j < n; ++j) {
                const bool sides = eq_.contacts[i].name == eq_.contacts[j].name;
                Expr coupling =
                    eq_.constraints.empty() ? delassus_if_diagonal(rows[i], rows[j]) : Expr();
                if (!coupling) coupling = D[i][j];
                if (sides || coupling.is_zero()) continue;
                pairs += fmt::format("{}{} and {}", pairs.empty() ? "" : ", ", eq_.contacts[i].name,
                                     eq_.contacts[j].name);
            }
        }
        if (pairs.empty()) return section;
        section.about = fmt::format(
            "an impulse on one changes the rate of the other: {}. Struck at one instant they obey "
            "the rule of [run], impacts = \"sequential\" in its order or \"simultaneous\"; both are "
            "mechanics, and stiffnesses and distances that rigid bodies do not have would decide. A "
            "run tells where the order matters.",
            pairs);
        return section;
    }

    [[nodiscard]] Section momenta() const {
        Section section{"Momenta", {}, {}};
        for (std::size_t i = 0; i < eq_.momenta.size(); ++i) {
            section.statements.push_back({"p_" + subscript(i), {}, eq_.momenta[i], "=", {}});
        }
        return section;
    }

    [[nodiscard]] Section balance() const {
        Section section{"Energy balance", {}, {}};
        section.statements.push_back({"energy", {}, eq_.energy.total, "=", {}});
        for (const ForceTerms& force : eq_.forces) {
            section.statements.push_back({"power of " + force.name, {}, force.power, "=", {}});
        }
        if (!eq_.energy.minus_L_t.is_zero()) {
            section.statements.push_back(
                {"-dL/dt at rest", {}, eq_.energy.minus_L_t, "=", "explicit time"});
        }
        return section;
    }

    [[nodiscard]] Section structure() const {
        const LinearSystem system = assemble(eq_, bilateral_rows(eq_));
        Section section{"Linear system of the accelerations", {}, {}};
        section.about =
            fmt::format("{} unknowns, {} entries", system.structure->n, system.entries.size());
        if (const auto e = expr::eliminate(*system.structure)) {
            expr::OperationCount count = e->factor_count();
            count += e->solve_count();
            section.about +=
                fmt::format(", {} multiplications, {} additions and {} divisions to solve it",
                            count.multiplications, count.additions, count.divisions);
        }
        return section;
    }

    const model::Model& model_;
    const Equations& eq_;
    const ExplainOptions& options_;
    Pool& pool_;
    std::vector<Expr> accelerations_;
};

} // namespace

std::vector<Section> explain_motion(const model::Model& model, const Equations& equations,
                                    const ExplainOptions& options) {
    return Motion(model, equations, options).sections();
}

} // namespace liaison::equations
