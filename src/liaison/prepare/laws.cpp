// SPDX-License-Identifier: Apache-2.0
// Laws of violations that drive them away: f = 0 would repel.
//
// The deviations g = (f, ḟ of the constraints on positions, f' of those on velocities; f alone in [system] and
// [kinematics]) obey ġ = A g (theory of program constraints, (37)). No eigenvalue of A may have a positive real part. With
// zero nothing decays and nothing grows faster than time, as with multipliers alone; that may be wanted for comparison.
//
// A is looked at block by block, a block being deviations that act on each other: its eigenvalues are those of its blocks,
// and a constraint that stands alone is judged by the signs of its coefficients,
//   ḟ = a f             a ≤ 0
//   f̈ = a f + b ḟ       a ≤ 0, b ≤ 0
// without rounding.
#include "liaison/prepare/work.hpp"
#include "liaison/solve/dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <vector>

namespace liaison::prepare {
namespace {

using Eigen::Index;
using model::Stabilise;

class Laws {
  public:
    explicit Laws(Work& work) : work_(work), mechanical_(work.model.kind == model::Kind::energies) {
        const auto& constraints = work.model.constraints;
        position_.assign(constraints.size(), -1);
        rate_.assign(constraints.size(), -1);
        const auto list = [&](std::vector<Index>& place, auto belongs) {
            for (std::size_t k = 0; k < constraints.size(); ++k) {
                if (belongs(constraints[k])) place[k] = n_++;
            }
        };
        const auto on_positions = [](const model::Constraint& c) { return c.holonomic; };
        list(position_, on_positions);
        if (mechanical_) list(rate_, on_positions);
        list(position_, [](const model::Constraint& c) { return !c.holonomic; });
        A_ = Eigen::MatrixXd::Zero(n_, n_);
        for (std::size_t k = 0; k < constraints.size(); ++k) write(k);
    }

    void judge() {
        if (!A_.allFinite()) return; // told where the values are looked at
        const Eigen::MatrixXd reach = reachable();
        std::vector<char> done(static_cast<std::size_t>(n_), 0);
        for (Index i = 0; i < n_; ++i) {
            if (done[static_cast<std::size_t>(i)] != 0) continue;
            std::vector<Index> block;
            for (Index j = i; j < n_; ++j) {
                if (i != j && (reach(i, j) == 0.0 || reach(j, i) == 0.0)) continue;
                block.push_back(j);
                done[static_cast<std::size_t>(j)] = 1;
            }
            judge(block);
        }
    }

  private:
    [[nodiscard]] double at(const model::Formula& formula) const {
        return formula ? work_.at(formula.expr) : 0.0;
    }

    // The row of A that constraint k determines; ḟ of a constraint on positions is the rate of f.
    void write(std::size_t k) {
        const Stabilise& law = work_.model.constraints[k].stabilise;
        const bool second = rate_[k] >= 0;
        const Index row = second ? rate_[k] : position_[k];
        if (second) A_(position_[k], rate_[k]) = 1.0;
        const auto own = [&](double a, double b) {
            A_(row, position_[k]) = a;
            if (second) A_(row, rate_[k]) = b;
        };
        const auto decay = [&](double p) {
            // A negative rate shall grow although its square is positive.
            own(second ? -0.96 * p * std::abs(p) : -p, -2.0 * p);
        };
        switch (law.kind) {
        case Stabilise::Kind::none: break;
        case Stabilise::Kind::automatic: decay(1.0); break; // some positive rate
        case Stabilise::Kind::rate: decay(at(law.p)); break;
        case Stabilise::Kind::oscillator: {
            const double omega = at(law.frequency);
            own(-omega * omega, -2.0 * at(law.damping) * omega);
            break;
        }
        case Stabilise::Kind::matrix: {
            const auto& entries = law.rows.front();
            if (entries.size() == (second ? 2 : 1)) {
                own(at(entries.front()), at(entries.back()));
                break;
            }
            for (std::size_t j = 0; j < entries.size() && static_cast<Index>(j) < n_; ++j)
                A_(row, static_cast<Index>(j)) = at(entries[j]);
            break;
        }
        }
    }

    // 1 where a deviation acts on another, directly or through others.
    [[nodiscard]] Eigen::MatrixXd reachable() const {
        Eigen::MatrixXd reach = (A_.array() != 0.0).cast<double>();
        for (Index k = 0; k < n_; ++k) {
            for (Index i = 0; i < n_; ++i) {
                if (reach(i, k) != 0.0) reach.row(i) = reach.row(i).cwiseMax(reach.row(k));
            }
        }
        return reach;
    }

    void judge(const std::vector<Index>& block) {
        std::vector<std::size_t> members;
        for (std::size_t k = 0; k < position_.size(); ++k) {
            const auto inside = [&](Index i) { return i >= 0 && std::ranges::count(block, i) > 0; };
            if (inside(position_[k]) || inside(rate_[k])) members.push_back(k);
        }
        if (members.size() == 1) {
            alone(members.front(), block);
            return;
        }
        const auto m = static_cast<Index>(block.size());
        Eigen::MatrixXd part(m, m);
        for (Index i = 0; i < m; ++i) {
            for (Index j = 0; j < m; ++j)
                part(i, j) =
                    A_(block[static_cast<std::size_t>(i)], block[static_cast<std::size_t>(j)]);
        }
        const auto values = solve::eigenvalues(part);
        const auto fastest = std::ranges::max(
            values, {}, [](const std::complex<double>& value) { return value.real(); });
        const double rounding = static_cast<double>(m) * 16.0 *
                                std::numeric_limits<double>::epsilon() *
                                part.cwiseAbs().rowwise().sum().maxCoeff();
        if (!(fastest.real() > rounding)) return;
        std::string names;
        for (const std::size_t k : members)
            names += (names.empty()         ? ""
                      : k == members.back() ? " and "
                                            : ", ") +
                     work_.model.constraints[k].name;
        tell(members.front(), {},
             fmt::format("the laws of constraints {} together drive violations away", names),
             fmt::format("the matrix of their deviations has the eigenvalue {}", text(fastest)),
             "violations die out where every eigenvalue of the matrix of all rows has a negative "
             "real part; [[-40, -13]] for each constraint alone, or stabilise = { p = 50 }, has "
             "such ones");
    }

    static std::string text(const std::complex<double>& value) {
        if (value.imag() == 0.0) return fmt::format("{:.6g}", value.real());
        return fmt::format("{:.6g} ± {:.6g}i", value.real(), std::abs(value.imag()));
    }

    void alone(std::size_t k, const std::vector<Index>& block) {
        const Index row = rate_[k] >= 0 ? rate_[k] : position_[k];
        for (const Index j : block) {
            if (block.size() == 1 && j != row) return; // f alone: its rate does not depend on it
            if (A_(row, j) > 0.0) {
                const Stabilise& law = work_.model.constraints[k].stabilise;
                const std::string what = law.kind == Stabilise::Kind::rate
                                             ? fmt::format("p = {:.6g}", at(law.p))
                                         : law.kind == Stabilise::Kind::oscillator
                                             ? fmt::format("damping = {:.6g}", at(law.damping))
                                             : fmt::format("{:.6g} is positive", A_(row, j));
                tell(k, entry(k, j),
                     fmt::format("the law of constraint {} drives violations away",
                                 work_.model.constraints[k].name),
                     what,
                     "stabilise = { p = 50 } makes them die out; entries of a row are negative: "
                     "[[-40, -13]] means f'' = -40 f - 13 f'");
                return;
            }
        }
    }

    // Where the coefficient of deviation j stands in the law of constraint k.
    [[nodiscard]] base::Span entry(std::size_t k, Index j) const {
        const Stabilise& law = work_.model.constraints[k].stabilise;
        if (law.kind == Stabilise::Kind::rate) return law.p.span;
        if (law.kind == Stabilise::Kind::oscillator) return law.damping.span;
        if (law.kind != Stabilise::Kind::matrix) return law.span;
        const auto& entries = law.rows.front();
        const bool own = entries.size() == (rate_[k] >= 0 ? 2 : 1);
        const auto place = own ? (j == position_[k] ? 0 : 1) : static_cast<std::size_t>(j);
        return entries[place].span;
    }

    void tell(std::size_t k, base::Span where, std::string message, std::string what,
              std::string remedy) {
        work_.diagnostics.report(base::Code::value_out_of_range, std::move(message))
            .at(where ? where : work_.model.constraints[k].stabilise.span, std::move(what))
            .note(std::move(remedy));
    }

    Work& work_;
    bool mechanical_;
    Index n_ = 0; // deviations
    std::vector<Index> position_,
        rate_; // by constraint: the places of f (or f') and of ḟ; −1: none
    Eigen::MatrixXd A_;
};

} // namespace

void check_laws(Work& work) {
    if (!work.model.constraints.empty()) Laws(work).judge();
}

} // namespace liaison::prepare
