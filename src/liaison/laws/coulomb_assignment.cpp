// SPDX-License-Identifier: Apache-2.0
// Linear system and inequalities of one assignment; sets of forces by polyhedra, round cones by tangent cuts.
#include "liaison/laws/coulomb_assignment.hpp"

#include "liaison/laws/self_stress.hpp"
#include "liaison/laws/shared_forces.hpp"
#include "liaison/solve/polyhedron.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

// How many inequalities a mode stands for (CoulombAssignment::inequalities).
Index count_of(const CoulombContact& c, ContactMode mode) {
    if (mode == ContactMode::open) return 1;
    Index n = !c.bilateral || c.slips > 0 ? 1 : 0;
    if (c.slips == 1 && mode == ContactMode::stick) n += 2;
    if (c.slips == 1 && is_slip(mode) && !c.moving) n += 1;
    return n;
}

} // namespace

bool is_slip(ContactMode mode) {
    return mode == ContactMode::slip_plus || mode == ContactMode::slip_minus;
}

ModeChoices choices(const CoulombContact& c) {
    ModeChoices list;
    list.reserve(c.bilateral ? 6 : 4);
    for (const int side : {1, -1}) {
        if (side < 0 && !c.bilateral) break;
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

CoulombAssignment::CoulombAssignment(const MatrixXd& D, const VectorXd& b,
                                     const std::vector<CoulombContact>& contacts,
                                     const CoulombOptions& options)
    : D_(D), b_(b), contacts_(contacts), options_(options) {
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
    for (const auto& stated : options_.stated) force_ = std::max(force_, stated.value_or(0.0));
}

// Unknowns of the assignment: a normal force per closed contact, friction forces per sticking one. Column j of
// `spread` is the force on all rows that unit unknown j means.
void CoulombAssignment::columns(const ModeChoices& modes) {
    rows_.clear();
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        const CoulombContact& c = contacts_[k];
        if (modes[k].mode == ContactMode::open) continue;
        rows_.push_back(c.normal);
        if (modes[k].mode == ContactMode::stick)
            for (int j = 0; j < c.slips; ++j) rows_.push_back(c.slip + j);
    }
    const auto n = static_cast<Index>(rows_.size());
    spread_.setZero(b_.size(), n);
    for (Index j = 0; j < n; ++j) spread_(rows_[static_cast<std::size_t>(j)], j) = 1.0;
    Index unknown = 0;
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        const CoulombContact& c = contacts_[k];
        if (modes[k].mode == ContactMode::open) continue;
        if (is_slip(modes[k].mode)) {
            const Vector2d& s = modes[k].direction;
            const double mu = c.sliding(c.slips == 1 ? s(0) : 1.0);
            for (int j = 0; j < c.slips; ++j)
                spread_(c.slip + j, unknown) = -mu * s(j) * modes[k].side;
        }
        unknown += modes[k].mode == ContactMode::stick ? 1 + c.slips : 1;
    }
    response_.resize(b_.size(), n);
    if (n > 0) response_.noalias() = D_ * spread_;
}

// Of the contacts that are closed, where one of those that depend on each other slips; no columns otherwise.
const MatrixXd& CoulombAssignment::stress_of(const ModeChoices& modes) {
    std::vector<Index> pressing;
    std::vector<char> slips;
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        if (modes[k].mode == ContactMode::open || contacts_[k].bilateral) continue;
        pressing.push_back(contacts_[k].normal);
        slips.push_back(is_slip(modes[k].mode) ? 1 : 0);
    }
    if (pressing != pressing_ || slips != slips_) {
        pressing_ = std::move(pressing);
        slips_ = std::move(slips);
        stress_ = self_stress(D_, pressing_, slips_);
    }
    return stress_;
}

bool CoulombAssignment::solve(const ModeChoices& modes, VectorXd& z) {
    MatrixXd& A = A_;
    VectorXd& known = known_;
    const auto n = static_cast<Index>(rows_.size());
    A.resize(n, n);
    known.resize(n);
    for (Index i = 0; i < n; ++i) {
        const Index row = rows_[static_cast<std::size_t>(i)];
        known(i) = -b_(row);
        A.row(i) = response_.row(row);
    }
    add_stated(A, known);
    // One equation for one unknown, what a contact alone asks for, is its own factorisation.
    determined_ = A.size() == 1 && std::abs(A(0, 0)) > 0.0;
    if (determined_) {
        z(0) = known(0) / A(0, 0);
        return std::isfinite(z(0));
    }
    factor_.factor(A, {.threshold = 1e-11, .consistency = 1e-9});
    auto solution = factor_.solve(known);
    if (!solution.consistent) return false;
    z.swap(solution.x);
    determined_ = solution.unique;
    if (determined_) return true;
    const MatrixXd& stress = stress_of(modes);
    if (stress.cols() == 0) return true;
    MatrixXd ruled(A.rows() + stress.cols(), A.cols());
    ruled << A, MatrixXd::Zero(stress.cols(), A.cols());
    for (std::size_t j = 0; j < rows_.size(); ++j) {
        const auto at = std::ranges::find(pressing_, rows_[j]);
        if (at != pressing_.end())
            ruled.col(static_cast<Index>(j)).tail(stress.cols()) =
                largest_ * stress.row(at - pressing_.begin()).transpose();
    }
    VectorXd rhs = VectorXd::Zero(ruled.rows());
    rhs.head(A.rows()) = known;
    ruled_.factor(ruled, {.threshold = 1e-11, .consistency = 1e-9});
    const auto even = ruled_.solve(rhs);
    if (even.consistent) z = even.x;
    return true;
}

void CoulombAssignment::add_stated(MatrixXd& A, VectorXd& rhs) const {
    for (std::size_t k = 0; k < options_.stated.size(); ++k) {
        const auto& force = options_.stated[k];
        if (!force) continue;
        const auto at = std::ranges::find(rows_, contacts_[k].normal) - rows_.begin();
        A.conservativeResize(A.rows() + 1, Eigen::NoChange);
        rhs.conservativeResize(rhs.size() + 1);
        A.bottomRows(1).setZero();
        if (at < A.cols()) A(A.rows() - 1, at) = largest_;
        rhs(rhs.size() - 1) = largest_ * *force;
    }
}

std::optional<VectorXd> CoulombAssignment::forces(const ModeChoices& modes) {
    columns(modes);
    VectorXd z = VectorXd::Zero(static_cast<Index>(rows_.size()));
    if (!rows_.empty() && !solve(modes, z)) return std::nullopt;
    return spread_ * z;
}

std::optional<VectorXd> CoulombAssignment::accelerations(const ModeChoices& modes) {
    const auto force = forces(modes);
    if (!force) return std::nullopt;
    return b_ + D_ * *force;
}

std::optional<CoulombAssignment::Found> CoulombAssignment::examine(const ModeChoices& modes,
                                                                   bool& undecided) {
    columns(modes);
    const auto n = static_cast<Index>(rows_.size());
    VectorXd z = VectorXd::Zero(n);
    MatrixXd null_space(n, 0);
    if (n > 0) {
        if (!solve(modes, z)) return std::nullopt;
        if (!determined_) null_space = factor_.null_space();
    }
    inequalities(modes, z, null_space);
    if (null_space.cols() == 0) {
        if (!admissible(modes, z)) return std::nullopt;
        auto result = found(modes, z, 0);
        if (!along(modes, result.acceleration)) return std::nullopt;
        return result;
    }
    if (stress_of(modes).cols() > 0 && admissible(modes, z)) {
        auto result = found(modes, z, static_cast<int>(null_space.cols()));
        if (along(modes, result.acceleration)) return result;
    }
    // The least forces of all are well inside: no smaller ones have to be looked for.
    const double inside = 1e-6 * (force_ + z.cwiseAbs().maxCoeff());
    if (stress_of(modes).cols() == 0 && offset_.size() > 0 && offset_.minCoeff() > inside &&
        in_cones(modes, z, inside)) {
        auto result = found(modes, z, static_cast<int>(null_space.cols()));
        if (along(modes, result.acceleration)) return result;
    }
    if (stress_of(modes).cols() == 0 && outside_round_cones(modes)) return std::nullopt;
    // Round cones are cut by tangents where the least forces leave them, until they do not.
    constexpr int k_most_cuts = 200;
    const double unit = force_ + z.cwiseAbs().maxCoeff();
    for (int i = 0; i < k_most_cuts; ++i) {
        const double slack = 10 * options_.tolerance * unit;
        const auto least = solve::least_norm_point(slope_, offset_, slack);
        if (!least.decided) break;
        if (!least.feasible) return std::nullopt;
        if (add_cuts(modes, z, null_space, least.least_norm)) continue;
        const auto part = solve::examine_polyhedron(slope_, offset_, slack, 1e-6 * unit);
        if (!part.decided) break;
        auto result = found(modes, z + null_space * part.least_norm, part.dimension);
        result.label.even = result.label.even && stress_of(modes).cols() == 0;
        if (!along(modes, result.acceleration)) return std::nullopt;
        return result;
    }
    undecided = true;
    return std::nullopt;
}

// Signs, and cones of contacts that stick.
bool CoulombAssignment::admissible(const ModeChoices& modes, const VectorXd& z) const {
    const double unit = force_ + (z.size() > 0 ? 1e-3 * z.cwiseAbs().maxCoeff() : 0.0);
    if (offset_.size() > 0 && offset_.minCoeff() < -options_.tolerance * unit) return false;
    return in_cones(modes, z);
}

// Clearly: the largest margin to the cones that any forces have is negative. Cuts would find it out one by one.
bool CoulombAssignment::outside_round_cones(const ModeChoices& modes) const {
    if (!options_.stated.empty()) return false; // they are fewer
    CoulombLabel label;
    bool round = false;
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        const bool sticks = modes[k].mode == ContactMode::stick;
        if (contacts_[k].bilateral || (sticks && !(contacts_[k].sticking > 0.0))) return false;
        round = round || (sticks && contacts_[k].slips == 2);
        label.mode.push_back(modes[k].mode);
        label.direction.push_back(modes[k].direction);
    }
    if (!round) return false;
    constexpr double k_clearly = 1e-8;
    const auto shared = share_forces(D_, b_, contacts_, label);
    return shared && shared->margin < -k_clearly;
}

// slope y + offset ≥ 0 for z + N y, all in units of force.
void CoulombAssignment::inequalities(const ModeChoices& modes, const VectorXd& z,
                                     const MatrixXd& N) {
    Index count = 0;
    for (std::size_t k = 0; k < contacts_.size(); ++k)
        count += count_of(contacts_[k], modes[k].mode);
    slope_.resize(count, N.cols());
    offset_.resize(count);
    Index next = 0;
    // row_ z + constant ≥ 0
    const auto require = [&](double constant) {
        if (N.cols() > 0) {
            row_slope_.noalias() = row_ * N;
            slope_.row(next) = row_slope_;
        }
        offset_(next++) = constant + row_.dot(z);
    };
    const auto accelerates = [&](double s, Index row) {
        // All contacts open: no forces, no columns, and a row of nothing.
        if (z.size() == 0)
            row_.resize(0);
        else
            row_ = s * (response_.row(row) / largest_);
        require(s * b_(row) / largest_);
    };
    Index j = 0;
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        const CoulombContact& c = contacts_[k];
        const ModeChoice& choice = modes[k];
        if (choice.mode == ContactMode::open) {
            accelerates(1.0, c.normal);
            continue;
        }
        row_.setZero(z.size());
        row_(j) = choice.side;
        if (!c.bilateral || c.slips > 0) require(0.0);
        if (choice.mode == ContactMode::stick && c.slips == 1) {
            for (const double sign : {1.0, -1.0}) {
                row_(j) = c.sticking * choice.side;
                row_(j + 1) = sign;
                require(0.0);
            }
        }
        if (is_slip(choice.mode) && !c.moving && c.slips == 1)
            accelerates(choice.direction(0), c.slip);
        j += choice.mode == ContactMode::stick ? 1 + c.slips : 1;
    }
}

// Tangents μ N − F·F₀/|F₀| ≥ 0 of the round cones that z + N y leaves; false: it leaves none.
bool CoulombAssignment::add_cuts(const ModeChoices& modes, const VectorXd& z, const MatrixXd& N,
                                 const VectorXd& y) {
    const VectorXd here = z + N * y;
    // Above the slack of the polyhedron, so that a cut that is kept is not found again.
    const double slack = 20 * options_.tolerance * (force_ + z.cwiseAbs().maxCoeff());
    Index j = 0;
    const Index before = offset_.size();
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        const CoulombContact& c = contacts_[k];
        if (modes[k].mode == ContactMode::open) continue;
        const bool sticks = modes[k].mode == ContactMode::stick;
        if (sticks && c.slips == 2) {
            const Vector2d F = here.segment<2>(j + 1);
            if (F.norm() > c.sticking * std::abs(here(j)) + slack) {
                RowVectorXd cut = RowVectorXd::Zero(z.size());
                cut(j) = c.sticking * modes[k].side;
                cut.segment<2>(j + 1) = -F.normalized();
                const Index last = offset_.size();
                slope_.conservativeResize(last + 1, Eigen::NoChange);
                offset_.conservativeResize(last + 1);
                slope_.row(last) = cut * N;
                offset_(last) = cut.dot(z);
            }
        }
        j += sticks ? 1 + c.slips : 1;
    }
    return offset_.size() > before;
}

// The round cones of sticking spatial contacts.
bool CoulombAssignment::in_cones(const ModeChoices& modes, const VectorXd& z, double margin) const {
    const auto round = [&](std::size_t k) {
        return modes[k].mode == ContactMode::stick && contacts_[k].slips == 2;
    };
    std::size_t first = 0;
    while (first < contacts_.size() && !round(first)) ++first;
    if (first == contacts_.size()) return true;
    const VectorXd force = spread_ * z;
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        const CoulombContact& c = contacts_[k];
        if (!round(k)) continue;
        const double limit = c.sticking * std::abs(force(c.normal));
        const double slack = margin > 0.0 ? -margin : options_.tolerance * force_;
        if (force.segment(c.slip, 2).norm() > limit + slack) return false;
    }
    return true;
}

// Slips in space that start go where their friction says: other forces of the set may turn them.
bool CoulombAssignment::along(const ModeChoices& modes, const VectorXd& acceleration) const {
    constexpr double k_turned = 1e-7;
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        const CoulombContact& c = contacts_[k];
        if (!is_slip(modes[k].mode) || c.moving || c.slips != 2) continue;
        const Vector2d v = acceleration.segment<2>(c.slip);
        const Vector2d& s = modes[k].direction;
        const double across = std::abs(s(0) * v(1) - s(1) * v(0));
        // What goes nowhere must be rest to the accuracy by which solutions are told apart: a slip that turned is another one.
        const double nowhere = options_.tolerance * acceleration_;
        if (across > k_turned * s.dot(v) + 10.0 * nowhere || s.dot(v) < -nowhere) return false;
    }
    return true;
}

CoulombAssignment::Found CoulombAssignment::found(const ModeChoices& modes, const VectorXd& z,
                                                  int dimension) const {
    Found result;
    result.label.mode.reserve(modes.size());
    result.label.side.reserve(modes.size());
    result.label.direction.reserve(modes.size());
    for (const ModeChoice& choice : modes) {
        result.label.mode.push_back(choice.mode);
        result.label.side.push_back(choice.side);
        result.label.direction.push_back(choice.direction);
    }
    result.label.force = spread_ * z;
    result.label.dimension = dimension;
    result.acceleration = b_ + D_ * result.label.force;
    result.label.even = !left_out(modes, result);
    return result;
}

bool CoulombAssignment::left_out(const ModeChoices& modes, const Found& found) const {
    std::vector<Index> closed;
    std::vector<std::size_t> open;
    std::vector<char> slipping; // by closed contact
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        if (modes[k].mode == ContactMode::open) {
            open.push_back(k);
            continue;
        }
        closed.push_back(contacts_[k].normal);
        slipping.push_back(is_slip(modes[k].mode) ? 1 : 0);
    }
    if (open.empty() || closed.empty()) return false;
    // It would slip if it carried, and then it matters how much.
    const auto slides = [&](const CoulombContact& c) {
        return c.slips > 0 && (c.moving || found.acceleration.segment(c.slip, c.slips).norm() >
                                               1e-8 * acceleration_);
    };
    const bool some_slip = std::ranges::find(slipping, 1) != slipping.end();
    if (!some_slip &&
        std::ranges::none_of(open, [&](std::size_t k) { return slides(contacts_[k]); }))
        return false;
    solve::RankFactor factor;
    factor.factor(D_(closed, closed), {.threshold = 1e-10, .consistency = 1e-8});
    return std::ranges::any_of(open, [&](std::size_t at) {
        const Index k = contacts_[at].normal;
        // Displacements follow those of the closed contacts, and these are as their forces.
        const auto share = factor.solve(D_(closed, k));
        const double own = D_(k, k) - D_(k, closed).dot(share.x);
        if (!share.consistent || own > 1e-9 * D_(k, k)) return false;
        bool concerned = slides(contacts_[at]);
        for (std::size_t j = 0; j < closed.size(); ++j)
            concerned =
                concerned || (slipping[j] != 0 && std::abs(share.x(static_cast<Index>(j))) > 1e-9);
        return concerned &&
               share.x.dot(found.label.force(closed)) > 1e2 * options_.tolerance * force_;
    });
}

} // namespace liaison::laws
