// SPDX-License-Identifier: Apache-2.0
// The balance of contacts that rest under stated forces, and what stands against it.
#include "liaison/laws/stated_forces.hpp"

#include "liaison/laws/coulomb_assignment.hpp"
#include "liaison/solve/dense.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using Problem = StatedForces::Problem;

constexpr double k_rounding = 1e-6; // of values that a user computed elsewhere

// All contacts at rest stay so; those that slip go on.
ModeChoices at_rest(const std::vector<CoulombContact>& contacts) {
    ModeChoices modes;
    for (const CoulombContact& c : contacts) {
        if (c.slips == 0)
            modes.push_back({ContactMode::closed, Vector2d::Zero(), 1});
        else if (!c.moving)
            modes.push_back({ContactMode::stick, Vector2d::Zero(), 1});
        else
            modes.push_back({c.slips == 1 && c.direction(0) < 0.0 ? ContactMode::slip_minus
                                                                  : ContactMode::slip_plus,
                             c.direction, 1});
    }
    return modes;
}

// The set of forces λ° + N y that keep all contacts at rest, without regard to signs and cones.
struct Balance {
    std::vector<Index> rows;
    VectorXd least; // λ°
    MatrixXd stress; // N, orthonormal
    bool possible = true;

    Balance(const MatrixXd& D, const VectorXd& b, const std::vector<CoulombContact>& contacts) {
        for (const CoulombContact& c : contacts) {
            rows.push_back(c.normal);
            for (int j = 0; j < c.slips && !c.moving; ++j) rows.push_back(c.slip + j);
        }
        MatrixXd directions = MatrixXd::Zero(D.rows(), static_cast<Index>(rows.size()));
        for (std::size_t i = 0; i < rows.size(); ++i)
            directions(rows[i], static_cast<Index>(i)) = 1.0;
        for (const CoulombContact& c : contacts) {
            if (!c.moving || c.slips == 0) continue;
            const double mu = c.sliding(c.slips == 1 ? c.direction(0) : 1.0);
            for (int j = 0; j < c.slips; ++j)
                directions(c.slip + j, place(c.normal)) = -mu * c.direction(j);
        }
        solve::RankFactor factor;
        factor.factor((D * directions)(rows, Eigen::all),
                      {.threshold = 1e-11, .consistency = 1e-9});
        const auto solution = factor.solve(-b(rows));
        possible = solution.consistent;
        least = solution.x;
        stress = factor.full_column_rank() ? MatrixXd(least.size(), 0) : factor.null_space();
    }
    [[nodiscard]] Index place(Index row) const {
        return std::ranges::find(rows, row) - rows.begin();
    }
    [[nodiscard]] bool determines(Index row) const {
        return stress.cols() == 0 || stress.row(place(row)).norm() < 1e-9;
    }
    [[nodiscard]] double size() const { return least.size() > 0 ? least.cwiseAbs().maxCoeff() : 0; }
};

// The balanced forces nearest to the stated ones.
VectorXd nearest(const Balance& balance, const std::vector<CoulombContact>& contacts,
                 const std::vector<std::optional<double>>& stated) {
    std::vector<Index> at;
    std::vector<double> wanted;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const auto& force = stated[k];
        if (!force) continue;
        at.push_back(balance.place(contacts[k].normal));
        wanted.push_back(*force);
    }
    if (balance.stress.cols() == 0) return balance.least;
    const VectorXd P = Eigen::Map<const VectorXd>(wanted.data(), static_cast<Index>(wanted.size()));
    return balance.least + balance.stress * solve::least_norm(balance.stress(at, Eigen::all),
                                                              P - balance.least(at), 1e-11);
}

CoulombAnswer solve_stated(const MatrixXd& D, const VectorXd& b,
                           const std::vector<CoulombContact>& contacts,
                           const std::vector<std::optional<double>>& stated) {
    CoulombOptions options;
    options.stated = stated;
    CoulombAssignment assignment(D, b, contacts, options);
    bool undecided = false;
    CoulombAnswer answer;
    if (auto found = assignment.examine(at_rest(contacts), undecided)) {
        answer.solutions.push_back({std::move(found->acceleration), {std::move(found->label)}});
        return answer;
    }
    return solve_coulomb(D, b, contacts, options);
}

// Of the forces of contacts that all stay at rest those that need the least part of the friction there is.
void take_least_friction(const MatrixXd& D, const VectorXd& b,
                         const std::vector<CoulombContact>& contacts,
                         const std::vector<std::optional<double>>& stated, CoulombLabel& label) {
    const ModeChoices modes = at_rest(contacts);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (label.mode[k] != modes[k].mode) return;
    }
    CoulombOptions options;
    options.stated = stated;
    double enough = 1.0;
    double less = 0.0;
    for (int i = 0; i < 45; ++i) {
        const double part = 0.5 * (less + enough);
        std::vector<CoulombContact> smoother = contacts;
        for (CoulombContact& c : smoother) c.sticking *= part;
        CoulombAssignment assignment(D, b, smoother, options);
        bool undecided = false;
        auto found = assignment.examine(modes, undecided);
        if (found) label.force = std::move(found->label.force);
        (found ? enough : less) = part;
    }
}

// The smallest multiple of the stated forces that holds; nothing: no multiple up to a large one does.
std::optional<double> holding_factor(const MatrixXd& D, const VectorXd& b,
                                     const std::vector<CoulombContact>& contacts,
                                     const std::vector<std::optional<double>>& stated) {
    const auto holds = [&](double factor) {
        auto more = stated;
        for (auto& force : more) {
            if (force) *force *= factor;
        }
        return !solve_stated(D, b, contacts, more).solutions.empty();
    };
    double enough = 1.0;
    constexpr double k_largest = 1e6;
    while (enough < k_largest && !holds(enough)) enough *= 2.0;
    if (!(enough < k_largest)) return std::nullopt;
    double less = enough / 2.0;
    for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (less + enough);
        (holds(middle) ? enough : less) = middle;
    }
    return enough;
}

} // namespace

StatedForces state_forces(const MatrixXd& D, const VectorXd& b,
                          const std::vector<CoulombContact>& contacts,
                          std::vector<std::optional<double>> stated) {
    StatedForces result;
    result.determined.resize(contacts.size());
    const auto problem = [&](Problem what, std::size_t contact, double value) {
        result.problem = what;
        result.contact = contact;
        result.value = value;
        return result;
    };
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (stated[k] && contacts[k].moving) return problem(Problem::moves, k, 0.0);
    }
    const Balance balance(D, b, contacts);
    const VectorXd near = nearest(balance, contacts, stated);
    double largest = balance.size();
    for (const auto& force : stated) largest = std::max(largest, force.value_or(0.0));
    std::optional<std::size_t> missed;
    double by = k_rounding * largest;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const auto& force = stated[k];
        if (!force || !balance.possible) continue;
        result.determined[k] = balance.determines(contacts[k].normal) ? 1 : 0;
        const double miss = std::abs(near(balance.place(contacts[k].normal)) - *force);
        if (miss > by) missed = k;
        by = std::max(by, miss);
    }
    if (balance.possible && !missed) {
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            if (stated[k]) stated[k] = near(balance.place(contacts[k].normal));
        }
    }
    result.answer = solve_stated(D, b, contacts, stated);
    for (CoulombSolution& s : result.answer.solutions) {
        CoulombLabel& label = s.labels.front();
        if (label.dimension > 0) take_least_friction(D, b, contacts, stated, label);
    }
    if (!result.answer.solutions.empty()) return result;

    const auto first = static_cast<std::size_t>(
        std::ranges::find_if(stated, [](const auto& s) { return s.has_value(); }) - stated.begin());
    if (!balance.possible) return problem(Problem::cannot_rest, first, 0.0);
    if (missed) {
        const double value = near(balance.place(contacts[*missed].normal));
        return problem(result.determined[*missed] != 0 ? Problem::determined : Problem::unbalanced,
                       *missed, value);
    }
    // The contact that leaves its cone farthest.
    double worst = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const CoulombContact& c = contacts[k];
        if (c.moving) continue;
        const Index at = balance.place(c.normal);
        const double friction = near.segment(at + 1, c.slips).norm();
        const double limit = c.slips > 0 ? c.sticking * near(at) : near(at);
        if (!(friction - limit > worst + 1e-9 * largest)) continue;
        worst = friction - limit;
        result.limit = limit;
        problem(Problem::friction, k, friction);
    }
    result.factor = holding_factor(D, b, contacts, stated);
    return result;
}

} // namespace liaison::laws
