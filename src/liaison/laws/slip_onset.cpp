// SPDX-License-Identifier: Apache-2.0
// Elimination of the contacts whose modes do not depend on the angles, with enclosures of all numbers.
#include "liaison/laws/slip_onset.hpp"

#include "liaison/expr/interval_solve.hpp"
#include "liaison/solve/factor.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using expr::Interval;

// A unit of force of one unknown: on its row, and on two more where it slips along a known direction.
struct Column {
    std::array<Index, 3> row{};
    std::array<double, 3> part{};
    int size = 0;
    void add(Index at, double value) {
        row[static_cast<std::size_t>(size)] = at;
        part[static_cast<std::size_t>(size++)] = value;
    }
    // (D column)_row
    [[nodiscard]] Interval response(const MatrixXd& D, Index at) const {
        Interval sum = Interval(D(at, row[0])) * part[0];
        for (std::size_t j = 1; j < static_cast<std::size_t>(size); ++j)
            sum = sum + Interval(D(at, row[j])) * part[j];
        return sum;
    }
};

class Elimination {
  public:
    Elimination(const MatrixXd& D, const VectorXd& b, const std::vector<CoulombContact>& contacts,
                const ModeChoices& modes, const std::vector<std::size_t>& starting)
        : D_(D), b_(b), contacts_(contacts), modes_(modes), starting_(starting) {
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            if (modes[k].mode == ContactMode::open || starts(k)) continue;
            add_unknowns(k);
        }
        for (const std::size_t k : starting) {
            Column normal;
            normal.add(contacts[k].normal, modes[k].side);
            given_.push_back(normal);
            for (Index j = 0; j < 2; ++j) {
                Column friction;
                friction.add(contacts[k].slip + j, 1.0);
                given_.push_back(friction);
            }
        }
    }

    // Clearly: contacts that depend on each other have many forces, and rounding must not choose one of them.
    [[nodiscard]] bool regular() const {
        std::vector<Index> rows = rows_;
        std::vector<Column> columns = unknowns_;
        if (!full_rank(rows, columns)) return false;
        for (const std::size_t k : starting_) rows.push_back(contacts_[k].normal);
        constexpr int k_trials = 4;
        for (int trial = 0; trial < k_trials; ++trial) {
            columns.resize(unknowns_.size());
            for (std::size_t i = 0; i < starting_.size(); ++i) {
                const CoulombContact& c = contacts_[starting_[i]];
                const double angle = 0.4 + 1.6 * trial * static_cast<double>(i + 1);
                Column column;
                column.add(c.normal, modes_[starting_[i]].side);
                column.add(c.slip, -c.sliding(1.0) * std::cos(angle));
                column.add(c.slip + 1, -c.sliding(1.0) * std::sin(angle));
                columns.push_back(column);
            }
            if (full_rank(rows, columns)) return true;
        }
        return false;
    }

    // z_F = −x (1, f), f by given column.
    bool solve() {
        const std::size_t n = rows_.size();
        x_.assign(given_.size() + 1, {});
        if (n == 0) return true;
        std::vector<Interval> A;
        A.reserve(n * n);
        for (const Index row : rows_)
            for (const Column& c : unknowns_) A.push_back(c.response(D_, row));
        std::vector<Interval> rhs(n);
        for (std::size_t j = 0; j < x_.size(); ++j) {
            for (std::size_t i = 0; i < n; ++i)
                rhs[i] = j == 0 ? Interval(b_(rows_[i])) : given_[j - 1].response(D_, rows_[i]);
            auto solution = expr::enclose_solution(A, rhs);
            if (!solution) return false;
            x_[j] = *std::move(solution);
        }
        return true;
    }

    [[nodiscard]] SlipOnset result() const {
        SlipOnset onset;
        for (const std::size_t k : starting_) {
            const CoulombContact& c = contacts_[k];
            onset.starting.push_back(
                {acceleration(c.normal), acceleration(c.slip), acceleration(c.slip + 1)});
        }
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            if (modes_[k].mode == ContactMode::open)
                onset.gaps.push_back(acceleration(contacts_[k].normal));
        }
        for (const auto& [unknown, side] : normals_) onset.forces.push_back(force(unknown, side));
        return onset;
    }

  private:
    [[nodiscard]] bool starts(std::size_t k) const {
        return std::ranges::find(starting_, k) != starting_.end();
    }

    [[nodiscard]] bool full_rank(const std::vector<Index>& rows,
                                 const std::vector<Column>& columns) const {
        if (rows.empty()) return true;
        constexpr double k_clearly = 1e-9;
        MatrixXd A(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
        for (Index i = 0; i < A.rows(); ++i)
            for (Index j = 0; j < A.cols(); ++j)
                A(i, j) = columns[static_cast<std::size_t>(j)]
                              .response(D_, rows[static_cast<std::size_t>(i)])
                              .middle();
        solve::RankFactor factor;
        factor.factor(A, {.threshold = k_clearly});
        return factor.full_column_rank();
    }

    void add_unknowns(std::size_t k) {
        const CoulombContact& c = contacts_[k];
        const ModeChoice& choice = modes_[k];
        if (!c.bilateral || c.slips > 0) normals_.emplace_back(unknowns_.size(), choice.side);
        Column normal;
        normal.add(c.normal, 1.0);
        if (is_slip(choice.mode)) {
            const double mu = c.sliding(c.slips == 1 ? choice.direction(0) : 1.0);
            for (int j = 0; j < c.slips; ++j)
                normal.add(c.slip + j, -mu * choice.direction(j) * choice.side);
        }
        unknowns_.push_back(normal);
        rows_.push_back(c.normal);
        if (choice.mode != ContactMode::stick) return;
        for (int j = 0; j < c.slips; ++j) {
            Column friction;
            friction.add(c.slip + j, 1.0);
            unknowns_.push_back(friction);
            rows_.push_back(c.slip + j);
        }
    }

    // By given column to by starting contact, friction as parts of its normal force.
    [[nodiscard]] OnsetRow row(const std::vector<Interval>& w) const {
        OnsetRow result;
        result.load = w[0];
        for (std::size_t i = 0; i < starting_.size(); ++i) {
            const Interval mu = contacts_[starting_[i]].sliding(1.0);
            result.response.push_back({w[1 + 3 * i], -mu * w[2 + 3 * i], -mu * w[3 + 3 * i]});
        }
        return result;
    }
    [[nodiscard]] OnsetRow acceleration(Index at) const {
        std::vector<Interval> w;
        std::vector<Interval> of_unknowns;
        for (const Column& c : unknowns_) of_unknowns.push_back(c.response(D_, at));
        for (std::size_t j = 0; j < x_.size(); ++j) {
            Interval sum = j == 0 ? Interval(b_(at)) : given_[j - 1].response(D_, at);
            for (std::size_t u = 0; u < unknowns_.size(); ++u)
                sum = sum - of_unknowns[u] * x_[j][u];
            w.push_back(sum);
        }
        return row(w);
    }
    [[nodiscard]] OnsetRow force(std::size_t unknown, int side) const {
        std::vector<Interval> w;
        for (const auto& x : x_) w.push_back(side > 0 ? -x[unknown] : x[unknown]);
        return row(w);
    }

    const MatrixXd& D_;
    const VectorXd& b_;
    const std::vector<CoulombContact>& contacts_;
    const ModeChoices& modes_;
    const std::vector<std::size_t>& starting_;
    std::vector<Column> unknowns_;
    std::vector<Index> rows_; // accelerations that vanish, by unknown
    std::vector<std::pair<std::size_t, int>> normals_; // unknowns that press, with their side
    std::vector<Column> given_; // normal and friction forces of the starting contacts
    std::vector<std::vector<Interval>> x_; // A_FF⁻¹ (b_F, D_FE), by column
};

} // namespace

std::optional<SlipOnset> slip_onset(const MatrixXd& D, const VectorXd& b,
                                    const std::vector<CoulombContact>& contacts,
                                    const ModeChoices& modes,
                                    const std::vector<std::size_t>& starting) {
    Elimination elimination(D, b, contacts, modes, starting);
    if (!elimination.regular() || !elimination.solve()) return std::nullopt;
    return elimination.result();
}

} // namespace liaison::laws
