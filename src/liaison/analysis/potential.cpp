// SPDX-License-Identifier: Apache-2.0
// Brackets of the velocity fields, the conditions of integrability, and the potential by undetermined coefficients.
#include "liaison/analysis/potential.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/traverse.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::analysis {
namespace {

using expr::Algebra;
using expr::LinearEquations;
using expr::Monomial;
using expr::Polynomial;
using expr::Rational;

class Integrability {
  public:
    Integrability(const ForcedMotion& motion, const std::vector<Expr>& Q, Algebra& algebra)
        : motion_(motion), Q_(Q), algebra_(algebra), n_(Q.size()), m_(motion.positions.size()) {
        for (const Expr rate : motion.position_rates)
            K_.push_back(expr::gradient(rate, motion.velocities));
    }

    PotentialAnswer run() {
        PotentialAnswer answer;
        if (m_ == n_) answer.componentwise = symmetric();
        for (const auto& row : K_) {
            for (const Expr k : row) {
                if (std::ranges::none_of(motion_.velocities,
                                         [&](Expr v) { return expr::depends_on(k, v); }))
                    continue;
                answer.reason = "the rates of the positions are not linear in the velocities";
                return answer;
            }
        }
        answer.reason = obstacle();
        answer.exists = answer.reason.empty();
        if (*answer.exists) find(answer);
        return answer;
    }

  private:
    // X_i f
    [[nodiscard]] Fraction along(std::size_t i, Expr f) const {
        const auto slopes = expr::gradient(f, motion_.positions);
        Fraction sum;
        for (std::size_t s = 0; s < m_; ++s)
            sum = sum + algebra_.fraction(K_[s][i]) * algebra_.fraction(slopes[s]);
        return sum;
    }
    [[nodiscard]] bool symmetric() const {
        for (std::size_t i = 0; i < n_; ++i) {
            const auto slopes = expr::gradient(Q_[i], motion_.positions);
            for (std::size_t k = 0; k < i; ++k) {
                const auto others = expr::gradient(Q_[k], motion_.positions);
                if (!(algebra_.fraction(slopes[k]) - algebra_.fraction(others[i])).is_zero())
                    return false;
            }
        }
        return true;
    }
    // K x = right over the field.
    [[nodiscard]] expr::LinearSolution through_K(std::vector<Fraction> right) const {
        LinearEquations e;
        e.unknowns = n_;
        for (std::size_t s = 0; s < m_; ++s) {
            auto& row = e.rows.emplace_back();
            for (std::size_t i = 0; i < n_; ++i) row.push_back(algebra_.fraction(K_[s][i]));
        }
        e.right = std::move(right);
        return expr::solve(std::move(e), algebra_.relations());
    }

    // Why there is no potential; empty where there is one.
    [[nodiscard]] std::string obstacle() const {
        const auto kernel = through_K(std::vector<Fraction>(m_));
        for (const auto& vector : kernel.null) {
            Fraction sum;
            for (std::size_t i = 0; i < n_; ++i) sum = sum + vector[i] * algebra_.fraction(Q_[i]);
            if (!sum.is_zero()) return "the force works in a direction in which nothing moves";
        }
        for (std::size_t i = 0; i < n_; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                std::vector<Fraction> bracket;
                for (std::size_t s = 0; s < m_; ++s)
                    bracket.push_back(along(i, K_[s][j]) - along(j, K_[s][i]));
                const auto c = through_K(bracket);
                if (c.contradiction)
                    return "the velocities are nonholonomic: their fields do not close";
                Fraction rest = along(i, Q_[j]) - along(j, Q_[i]);
                for (std::size_t k = 0; k < n_; ++k)
                    rest = rest - c.particular[k] * algebra_.fraction(Q_[k]);
                if (!rest.is_zero())
                    return fmt::format(
                        "the work along a small closed path of {} and {} is not zero",
                        motion_.velocities[j].name(), motion_.velocities[i].name());
            }
        }
        return {};
    }

    // V = Σ c_m m over the monomials of the generators that depend on positions: X_i V + Q_i = 0 for every one.
    void find(PotentialAnswer& answer) {
        std::vector<Fraction> Q;
        for (const Expr q : Q_) Q.push_back(algebra_.fraction(q));
        for (const Expr q : motion_.positions) algebra_.fraction(q);
        for (const Expr q : Q_) { // sin without its cos, and the other way round
            for (const Expr slope : expr::gradient(q, motion_.positions)) algebra_.fraction(slope);
        }
        const auto among = algebra_.depending_on(motion_.positions);
        std::size_t degree = 0;
        for (const Fraction& q : Q) {
            if (q.denominator().collect(among).size() > 1) {
                answer.reason = "the potential is not a polynomial; it exists, but was not found";
                return;
            }
            for (const auto& [monomial, coefficient] : q.numerator().collect(among))
                degree = std::max(degree, degree_of(monomial));
        }
        const auto monomials = monomials_up_to(among, degree + 1);
        if (monomials.empty()) {
            answer.reason =
                "the potential has too many possible terms; it exists, but was not found";
            return;
        }
        std::vector<std::map<Monomial, std::map<std::size_t, Fraction>>> left(n_);
        std::vector<Expr> terms;
        for (std::size_t k = 0; k < monomials.size(); ++k) {
            Polynomial p;
            p.add(monomials[k], Rational(1));
            terms.push_back(algebra_.expression(p));
            for (std::size_t i = 0; i < n_; ++i) {
                const Fraction slope = along(i, terms[k]);
                if (!slope.is_polynomial()) continue;
                for (const auto& [monomial, c] : slope.numerator().collect(among))
                    left[i][monomial][k] = Fraction(c, algebra_.relations());
            }
        }
        LinearEquations e;
        e.unknowns = monomials.size();
        for (std::size_t i = 0; i < n_; ++i) {
            auto right = Q[i].numerator().collect(among);
            for (const auto& [monomial, entries] : left[i]) right.try_emplace(monomial);
            const Fraction below(Polynomial(Rational(1)), Q[i].denominator(), algebra_.relations());
            for (const auto& [monomial, c] : right) {
                auto& row = e.rows.emplace_back(e.unknowns);
                for (const auto& [k, value] : left[i][monomial]) row[k] = value;
                e.right.push_back(-(Fraction(c, algebra_.relations()) * below));
            }
        }
        const auto c = expr::solve(std::move(e), algebra_.relations());
        if (c.contradiction) {
            answer.reason = "the potential is not a polynomial; it exists, but was not found";
            return;
        }
        Fraction V;
        for (std::size_t k = 0; k < terms.size(); ++k)
            V = V + c.particular[k] * algebra_.fraction(terms[k]);
        answer.V = algebra_.expression(V);
    }

    static std::size_t degree_of(const Monomial& m) {
        std::size_t sum = 0;
        for (const auto e : m) sum += e;
        return sum;
    }
    // All products of up to `degree` generators, without the constant; none where there are too many.
    [[nodiscard]] static std::vector<Monomial> monomials_up_to(const std::vector<char>& among,
                                                               std::size_t degree) {
        constexpr std::size_t k_most = 400;
        std::vector<Monomial> result{Monomial{}};
        for (std::size_t g = 0; g < among.size(); ++g) {
            if (among[g] == 0) continue;
            const std::size_t so_far = result.size();
            for (std::size_t k = 0; k < so_far; ++k) {
                const std::size_t has = degree_of(result[k]);
                for (std::size_t e = 1; has + e <= degree; ++e) {
                    Monomial m = result[k];
                    m.resize(g + 1, 0);
                    m[g] = static_cast<std::uint16_t>(e);
                    result.push_back(std::move(m));
                    if (result.size() > k_most) return {};
                }
            }
        }
        result.erase(result.begin());
        return result;
    }

    const ForcedMotion& motion_;
    const std::vector<Expr>& Q_;
    Algebra& algebra_;
    std::size_t n_;
    std::size_t m_;
    std::vector<std::vector<Expr>> K_;
};

} // namespace

PotentialAnswer potential(const ForcedMotion& motion, const std::vector<Expr>& Q,
                          Algebra& algebra) {
    return Integrability(motion, Q, algebra).run();
}

} // namespace liaison::analysis
