// SPDX-License-Identifier: Apache-2.0
// Enumeration of contact modes: one linear system and its inequalities per assignment.
#include "liaison/laws/coulomb_problem.hpp"

#include "liaison/solve/factor.hpp"
#include "liaison/solve/polyhedron.hpp"
#include "liaison/solve/scalar_root.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

// What a contact may do.
struct Choice {
    ContactMode mode = ContactMode::open;
    Vector2d direction = Vector2d::Zero();
    int side = 1;
};

std::vector<Choice> choices(const CoulombContact& c) {
    std::vector<Choice> list;
    const std::vector<int> sides = c.bilateral ? std::vector<int>{1, -1} : std::vector<int>{1};
    for (const int side : sides) {
        if (c.slips == 0) {
            list.push_back({ContactMode::closed, Vector2d::Zero(), side});
            continue;
        }
        if (c.moving) {
            const bool minus = c.slips == 1 && c.direction(0) < 0.0;
            list.push_back(
                {minus ? ContactMode::slip_minus : ContactMode::slip_plus, c.direction, side});
            continue;
        }
        list.push_back({ContactMode::stick, Vector2d::Zero(), side});
        if (c.slips == 1) {
            list.push_back({ContactMode::slip_plus, {1.0, 0.0}, side});
            list.push_back({ContactMode::slip_minus, {-1.0, 0.0}, side});
        } else {
            // Slip in space starts in a direction that is found later.
            list.push_back({ContactMode::slip_plus, Vector2d::Zero(), side});
        }
    }
    if (!c.bilateral) list.push_back({ContactMode::open, Vector2d::Zero(), 1});
    return list;
}

bool is_slip(ContactMode mode) {
    return mode == ContactMode::slip_plus || mode == ContactMode::slip_minus;
}

// All contacts open: no forces, no columns, and a row of nothing.
Eigen::RowVectorXd row_of(const MatrixXd& matrix, Index i) {
    if (matrix.cols() == 0) return Eigen::RowVectorXd(0);
    return matrix.row(i);
}

class Enumeration {
  public:
    Enumeration(const MatrixXd& D, const VectorXd& b, const std::vector<CoulombContact>& contacts,
                const CoulombOptions& options)
        : D_(D), b_(b), contacts_(contacts), options_(options) {
        for (const CoulombContact& c : contacts) choices_.push_back(choices(c));
        largest_ = 0.0;
        const auto measure = [&](Index row) {
            largest_ = std::max(largest_, std::abs(D(row, row)));
            acceleration_ = std::max(acceleration_, std::abs(b(row)));
        };
        for (const CoulombContact& c : contacts) {
            measure(c.normal);
            for (int j = 0; j < c.slips; ++j) measure(c.slip + j);
        }
        if (!(largest_ > 0.0)) largest_ = 1.0;
        force_ = acceleration_ / largest_;
    }

    CoulombAnswer run() {
        double modes = 1.0;
        for (const auto& list : choices_) modes *= static_cast<double>(list.size());
        if (modes > static_cast<double>(options_.max_modes)) {
            answer_.complete = false;
            answer_.note = fmt::format("{:.0f} assignments of modes are more than {}", modes,
                                       options_.max_modes);
            return std::move(answer_);
        }
        chosen_.resize(contacts_.size());
        visit(0);
        for (CoulombSolution& s : answer_.solutions) {
            std::stable_sort(
                s.labels.begin(), s.labels.end(),
                [](const CoulombLabel& x, const CoulombLabel& y) { return rank(x) > rank(y); });
        }
        return std::move(answer_);
    }

  private:
    static std::pair<std::ptrdiff_t, std::ptrdiff_t> rank(const CoulombLabel& label) {
        const auto count = [&](ContactMode m) {
            return std::count(label.mode.begin(), label.mode.end(), m);
        };
        return {count(ContactMode::stick), -count(ContactMode::open)};
    }

    void visit(std::size_t k) {
        if (k == contacts_.size()) {
            std::vector<std::size_t> starting;
            for (std::size_t i = 0; i < contacts_.size(); ++i) {
                if (is_slip(chosen_[i].mode) && contacts_[i].slips == 2 && !contacts_[i].moving)
                    starting.push_back(i);
            }
            if (starting.empty())
                examine();
            else if (starting.size() == 1)
                scan_direction(starting.front());
            else
                find_directions(starting);
            return;
        }
        for (const Choice& choice : choices_[k]) {
            chosen_[k] = choice;
            visit(k + 1);
        }
    }

    // Unknowns of the assignment: a normal force per closed contact, friction forces per sticking one. Column j of
    // `spread` is the force on all rows that unit unknown j means.
    void columns() {
        rows_.clear();
        std::vector<VectorXd> spread;
        const auto unknown = [&](Index row) {
            spread.push_back(VectorXd::Unit(b_.size(), row));
            rows_.push_back(row);
        };
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            const CoulombContact& c = contacts_[k];
            if (chosen_[k].mode == ContactMode::open) continue;
            unknown(c.normal);
            if (is_slip(chosen_[k].mode)) {
                const Vector2d& s = chosen_[k].direction;
                const double mu = c.sliding(c.slips == 1 ? s(0) : 1.0);
                for (int j = 0; j < c.slips; ++j)
                    spread.back()(c.slip + j) = -mu * s(j) * chosen_[k].side;
            }
            if (chosen_[k].mode == ContactMode::stick)
                for (int j = 0; j < c.slips; ++j) unknown(c.slip + j);
        }
        spread_.resize(b_.size(), static_cast<Index>(spread.size()));
        for (std::size_t j = 0; j < spread.size(); ++j)
            spread_.col(static_cast<Index>(j)) = spread[j];
    }

    // Accelerations with the directions of slip chosen now; nothing where the forces are not determined.
    std::optional<VectorXd> accelerations() {
        columns();
        const MatrixXd A = (D_ * spread_)(rows_, Eigen::all);
        factor_.factor(A, {.threshold = 1e-11, .consistency = 1e-9});
        const auto solution = factor_.solve(-b_(rows_));
        if (!solution.consistent) return std::nullopt;
        return b_ + D_ * (spread_ * solution.x);
    }

    // One contact that starts to slip in space: s·v̇ > 0 and s^⊥·v̇ = 0, on a grid of directions refined to roots
    // (theory 02 §5.3). A pole of the accelerations is no root.
    void scan_direction(std::size_t k) {
        constexpr int k_grid = 360;
        const Index t = contacts_[k].slip;
        const auto across = [&](double psi) {
            chosen_[k].direction = {std::cos(psi), std::sin(psi)};
            const auto a = accelerations();
            if (!a) return std::numeric_limits<double>::quiet_NaN();
            return -std::sin(psi) * (*a)(t) + std::cos(psi) * (*a)(t + 1);
        };
        const double step = 2.0 * std::numbers::pi / k_grid;
        for (int i = 0; i < k_grid; ++i) {
            const double a = (i + 0.37) * step;
            const double at_a = across(a);
            const double at_b = across(a + step);
            if (!(at_a * at_b <= 0.0)) continue;
            const auto root = solve::find_scalar_root(across, a, a + step);
            const double rest = across(root.root);
            const auto v = accelerations();
            if (!v) continue;
            const double along = chosen_[k].direction.dot(v->segment<2>(t));
            // At the very onset the slip acceleration itself is zero.
            if (!(along > -options_.tolerance * acceleration_) ||
                std::abs(rest) > 1e-7 * std::max(along, 1e-3 * acceleration_))
                continue;
            examine();
        }
        chosen_[k].direction.setZero();
    }

    // Several contacts that start to slip: directions by the fixed point s = v̇/|v̇|. What is found is not certified
    // to be all.
    void find_directions(const std::vector<std::size_t>& starting) {
        constexpr int k_most = 2000;
        for (const std::size_t k : starting) {
            const Vector2d v = b_.segment<2>(contacts_[k].slip);
            chosen_[k].direction = v.norm() > 0.0 ? Vector2d(v.normalized()) : Vector2d(1.0, 0.0);
        }
        for (int i = 0; i < k_most; ++i) {
            const auto a = accelerations();
            if (!a) break;
            double change = 0.0;
            for (const std::size_t k : starting) {
                const Vector2d v = a->segment<2>(contacts_[k].slip);
                if (!(v.norm() > 0.0)) continue;
                const Vector2d next = (chosen_[k].direction + v.normalized()).normalized();
                change = std::max(change, (next - chosen_[k].direction).norm());
                chosen_[k].direction = next;
            }
            if (change > 1e-14) continue;
            bool forwards = true;
            for (const std::size_t k : starting)
                forwards =
                    forwards && chosen_[k].direction.dot(a->segment<2>(contacts_[k].slip)) > 0.0;
            if (forwards) examine();
            break;
        }
        answer_.complete = false;
        answer_.note = "directions of several slips that start together are not certified";
        for (const std::size_t k : starting) chosen_[k].direction.setZero();
    }

    void examine() {
        columns();
        const auto n = static_cast<Index>(rows_.size());
        VectorXd z = VectorXd::Zero(n);
        MatrixXd null_space(n, 0);
        if (n > 0) {
            const MatrixXd A = (D_ * spread_)(rows_, Eigen::all);
            factor_.factor(A, {.threshold = 1e-11, .consistency = 1e-9});
            const auto solution = factor_.solve(-b_(rows_));
            if (!solution.consistent) return;
            z = solution.x;
            if (!solution.unique) null_space = factor_.null_space();
        }
        inequalities(z, null_space);
        if (null_space.cols() == 0) {
            const double unit = force_ + (n > 0 ? 1e-3 * z.cwiseAbs().maxCoeff() : 0.0);
            if (offset_.size() > 0 && offset_.minCoeff() < -options_.tolerance * unit) return;
            if (!in_cones(z)) return;
            keep(z, 0);
            return;
        }
        const double unit = force_ + z.cwiseAbs().maxCoeff();
        const auto part =
            solve::examine_polyhedron(slope_, offset_, 10 * options_.tolerance * unit, 1e-6 * unit);
        if (!part.decided) {
            answer_.complete = false;
            answer_.note = "a set of reactions could not be decided";
        }
        if (!part.feasible) return;
        keep(z + null_space * part.least_norm, part.dimension);
    }

    // slope y + offset ≥ 0 for z + N y, all in units of force.
    void inequalities(const VectorXd& z, const MatrixXd& N) {
        std::vector<Eigen::RowVectorXd> slopes;
        std::vector<double> offsets;
        const auto require = [&](const Eigen::RowVectorXd& row, double constant) {
            slopes.emplace_back(row * N);
            offsets.push_back(constant + row.dot(z));
        };
        const MatrixXd response = D_ * spread_ / largest_;
        Index j = 0;
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            const CoulombContact& c = contacts_[k];
            const Choice& choice = chosen_[k];
            if (choice.mode == ContactMode::open) {
                require(row_of(response, c.normal), b_(c.normal) / largest_);
                continue;
            }
            Eigen::RowVectorXd normal = Eigen::RowVectorXd::Zero(z.size());
            normal(j) = choice.side;
            if (!c.bilateral || c.slips > 0) require(normal, 0.0);
            if (choice.mode == ContactMode::stick && c.slips == 1) {
                for (const double sign : {1.0, -1.0}) {
                    Eigen::RowVectorXd cone = c.sticking * normal;
                    cone(j + 1) = sign;
                    require(cone, 0.0);
                }
            }
            if (is_slip(choice.mode) && !c.moving && c.slips == 1) {
                const double s = choice.direction(0);
                require(s * row_of(response, c.slip), s * b_(c.slip) / largest_);
            }
            j += choice.mode == ContactMode::stick ? 1 + c.slips : 1;
        }
        slope_.resize(static_cast<Index>(slopes.size()), N.cols());
        offset_.resize(static_cast<Index>(offsets.size()));
        for (std::size_t i = 0; i < slopes.size(); ++i) {
            if (N.cols() > 0) slope_.row(static_cast<Index>(i)) = slopes[i];
            offset_(static_cast<Index>(i)) = offsets[i];
        }
    }

    // The round cones of sticking spatial contacts.
    [[nodiscard]] bool in_cones(const VectorXd& z) const {
        const VectorXd force = spread_ * z;
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            const CoulombContact& c = contacts_[k];
            if (chosen_[k].mode != ContactMode::stick || c.slips != 2) continue;
            const double limit = c.sticking * std::abs(force(c.normal));
            if (force.segment(c.slip, 2).norm() > limit + options_.tolerance * force_) return false;
        }
        return true;
    }

    void keep(const VectorXd& z, int dimension) {
        CoulombLabel label;
        for (const Choice& choice : chosen_) {
            label.mode.push_back(choice.mode);
            label.side.push_back(choice.side);
            label.direction.push_back(choice.direction);
        }
        label.force = spread_ * z;
        label.dimension = dimension;
        VectorXd acceleration = b_ + D_ * label.force;
        const double same = 1e-8 * acceleration_ + 1e-11 * largest_ * label.force.cwiseAbs().sum();
        for (CoulombSolution& s : answer_.solutions) {
            if ((s.acceleration - acceleration).cwiseAbs().maxCoeff() > same) continue;
            s.labels.push_back(std::move(label));
            return;
        }
        answer_.solutions.push_back({std::move(acceleration), {std::move(label)}});
    }

    const MatrixXd& D_;
    const VectorXd& b_;
    const std::vector<CoulombContact>& contacts_;
    CoulombOptions options_;
    std::vector<std::vector<Choice>> choices_;
    std::vector<Choice> chosen_;
    std::vector<Index> rows_;
    MatrixXd spread_;
    MatrixXd slope_;
    VectorXd offset_;
    solve::RankFactor factor_;
    double largest_ = 1.0;
    double acceleration_ = 0.0;
    double force_ = 0.0;
    CoulombAnswer answer_;
};

} // namespace

bool CoulombSolution::forces_unique() const {
    const double scale = labels.front().force.cwiseAbs().maxCoeff();
    return std::all_of(labels.begin(), labels.end(), [&](const CoulombLabel& l) {
        return l.dimension == 0 &&
               (l.force - labels.front().force).cwiseAbs().maxCoeff() <= 1e-8 * scale;
    });
}

CoulombAnswer solve_coulomb(const MatrixXd& D, const VectorXd& b,
                            const std::vector<CoulombContact>& contacts,
                            const CoulombOptions& options) {
    return Enumeration(D, b, contacts, options).run();
}

std::string letters(const CoulombLabel& label) {
    std::string text;
    for (const ContactMode m : label.mode) {
        switch (m) {
        case ContactMode::open: text += "o"; break;
        case ContactMode::closed: text += "c"; break;
        case ContactMode::stick: text += "s"; break;
        case ContactMode::slip_plus: text += "+"; break;
        case ContactMode::slip_minus: text += "-"; break;
        }
    }
    return text;
}

} // namespace liaison::laws
