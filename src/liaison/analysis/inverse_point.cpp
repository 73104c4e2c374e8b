// SPDX-License-Identifier: Apache-2.0
// Rows by differentiation along the motion, evaluated; singular values decide about rank.
#include "liaison/analysis/inverse_point.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/substitute.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double k_rounding = 1e-10; // relative, for ranks and residuals

// Velocities to try, the same in every run.
class Sequence {
  public:
    double next() {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(state_ >> 11U) / 9007199254740992.0 * 2.0 - 1.0;
    }

  private:
    std::uint64_t state_ = 20261115ULL;
};

const model::Invert& question_of(const model::Model& model) {
    if (!model.invert) throw std::invalid_argument("the model asks no inverse question");
    return *model.invert;
}

struct Row {
    std::string name;
    std::vector<Expr> S;
    Expr h;
};

class Rows {
  public:
    Rows(const model::Model& model, const prepare::Point& point)
        : model_(model), motion_(forced_motion(model)), point_(point), evaluator_(model),
          none_(motion_.unknown.size(), model.pool->number(expr::Number(0))) {
        for (const auto& integral : model.integrals) add(integral, false);
        for (const auto& equation : question_of(model).follow) add(equation, true);
    }

    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

    void at(const prepare::Point& point, MatrixXd& S, VectorXd& h) const {
        const auto n = static_cast<Index>(motion_.unknown.size());
        S.resize(static_cast<Index>(rows_.size()), n);
        h.resize(static_cast<Index>(rows_.size()));
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const auto values = evaluator_.at(point, rows_[i].S);
            for (Index j = 0; j < n; ++j)
                S(static_cast<Index>(i), j) = values[static_cast<std::size_t>(j)];
            h(static_cast<Index>(i)) = evaluator_.at(point, rows_[i].h);
        }
    }

    // The same place with other velocities.
    [[nodiscard]] prepare::Point elsewhere(Sequence& numbers) const {
        prepare::Point other = point_;
        double size = 1.0;
        for (const double v : point_.v) size = std::max(size, std::abs(v));
        for (double& v : other.v) v = size * numbers.next();
        // In a first-order system the velocities are the states that are no positions.
        for (std::size_t i = 0; model_.velocities.empty() && i < other.q.size(); ++i) {
            const auto& positions = question_of(model_).positions;
            if (std::ranges::find(positions, i) == positions.end())
                other.q[i] = size * numbers.next();
        }
        return other;
    }

  private:
    [[nodiscard]] Expr rate_of(Expr e) const {
        std::vector<Expr> atoms = motion_.positions;
        std::vector<Expr> rates = motion_.position_rates;
        atoms.insert(atoms.end(), motion_.velocities.begin(), motion_.velocities.end());
        rates.insert(rates.end(), motion_.velocity_rates.begin(), motion_.velocity_rates.end());
        atoms.push_back(motion_.t);
        rates.push_back(model_.pool->number(expr::Number(1)));
        return expr::differentiate_along({&e, 1}, atoms, rates, "")[0];
    }
    // Whether an expression vanishes here and with other velocities.
    [[nodiscard]] bool vanishes(const std::vector<Expr>& all) const {
        Sequence numbers;
        constexpr int k_tries = 4;
        for (int k = 0; k < k_tries; ++k) {
            const auto values = evaluator_.at(k == 0 ? point_ : elsewhere(numbers), all);
            if (std::ranges::any_of(values, [](double x) { return !(std::abs(x) <= 1e-13); }))
                return false;
        }
        return true;
    }
    [[nodiscard]] Expr without_forces(Expr e) const {
        return expr::substitute({&e, 1}, motion_.unknown, none_)[0];
    }

    void add(const model::Named& wanted, bool follow) {
        Expr function = wanted.formula.expr;
        const int most = follow ? 6 : 2;
        for (int k = 1; k <= most; ++k) {
            const Expr rate = rate_of(function);
            std::vector<Expr> S;
            for (const Expr u : motion_.unknown)
                S.push_back(without_forces(expr::differentiate(rate, u)));
            const Expr h = -without_forces(rate);
            if (!vanishes(S) || k == most) {
                if (!vanishes(S) || !vanishes({h})) rows_.push_back({wanted.name, std::move(S), h});
                return;
            }
            if (vanishes({h})) return; // holds whatever the forces are
            function = -h;
        }
    }

    const model::Model& model_;
    ForcedMotion motion_;
    const prepare::Point& point_;
    prepare::Evaluator evaluator_;
    std::vector<Expr> none_;
    std::vector<Row> rows_;
};

using Decomposition = Eigen::JacobiSVD<MatrixXd>;

Decomposition decompose(const MatrixXd& S) {
    Decomposition svd(S, Eigen::ComputeFullU | Eigen::ComputeFullV);
    svd.setThreshold(k_rounding);
    return svd;
}

InversePoint::Positional positional(const Rows& rows, Index n) {
    InversePoint::Positional result;
    Sequence numbers;
    const Index velocities = n + 4;
    const auto m = static_cast<Index>(rows.rows().size());
    MatrixXd S, stack(m * velocities, n);
    VectorXd h, right(m * velocities);
    for (Index k = 0; k < velocities; ++k) {
        rows.at(rows.elsewhere(numbers), S, h);
        stack.middleRows(k * m, m) = S;
        right.segment(k * m, m) = h;
    }
    if (!stack.allFinite() || !right.allFinite()) return result;
    const Decomposition svd = decompose(stack);
    result.u = svd.solve(right);
    result.rank = static_cast<int>(svd.rank());
    for (Index k = 0; k < 4; ++k) {
        rows.at(rows.elsewhere(numbers), S, h);
        const double size = S.norm() * result.u.norm() + h.norm() + 1e-300;
        result.residual = std::max(result.residual, (S * result.u - h).norm() / size);
    }
    result.exists = result.residual <= k_rounding;
    return result;
}

} // namespace

InversePoint invert_at(const model::Model& model, const prepare::Point& point) {
    const Rows rows(model, point);
    InversePoint result;
    for (const Row& row : rows.rows()) result.rows.push_back(row.name);
    rows.at(point, result.S, result.h);
    const auto n = static_cast<Index>(question_of(model).unknown.size());
    if (rows.rows().empty() || !result.S.allFinite() || !result.h.allFinite()) {
        result.consistent = rows.rows().empty();
        result.shortest = VectorXd::Zero(n);
        result.free = MatrixXd::Identity(n, n);
        return result;
    }
    const Decomposition svd = decompose(result.S);
    result.singular_values = svd.singularValues();
    result.rank = static_cast<int>(svd.rank());
    result.shortest = svd.solve(result.h);
    const double size = result.S.norm() * result.shortest.norm() + result.h.norm() + 1e-300;
    result.consistent = (result.S * result.shortest - result.h).norm() <= k_rounding * size;
    result.free = svd.matrixV().rightCols(n - result.rank);
    result.positional = positional(rows, n);
    return result;
}

} // namespace liaison::analysis
