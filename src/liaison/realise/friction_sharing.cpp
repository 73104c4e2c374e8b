// SPDX-License-Identifier: Apache-2.0
// Friction of redundant contacts in space: slips that depend on others hold a given part of it.
//
// Sticking contacts that depend on each other share their friction in many ways, F° + γ n with D n = 0. As rows of one
// system those that are independent carry all of it, which may be more than their cones allow while others hold nothing.
// Then the dependent slips hold λ_T = c λ_N with c from the admissible member that lasts longest as the load changes
// now: the member in the middle would have to change ever more often before slip starts.
#include "liaison/laws/coulomb_assignment.hpp"
#include "liaison/realise/friction_transition.hpp"
#include "liaison/solve/factor.hpp"

#include <fmt/format.h>

#include <limits>

namespace liaison::realise {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using flow::Instant;
using laws::ContactMode;
using laws::CoulombContact;

namespace {

// The forces are in the cones of all contacts that stick, with a little room.
bool within(const VectorXd& force, const std::vector<CoulombContact>& contacts,
            const laws::CoulombLabel& label) {
    constexpr double k_room = 1e-10;
    for (std::size_t j = 0; j < contacts.size(); ++j) {
        const CoulombContact& c = contacts[j];
        if (label.mode[j] == ContactMode::open) continue;
        if (force(c.normal) < 0.0) return false;
        if (label.mode[j] == ContactMode::stick &&
            force.segment(c.slip, c.slips).norm() > (1.0 - k_room) * c.sticking * force(c.normal))
            return false;
    }
    return true;
}

// Forces that move nothing, one by column.
MatrixXd internal_forces(const MatrixXd& D, const std::vector<CoulombContact>& contacts,
                         const laws::CoulombLabel& label) {
    std::vector<VectorXd> spread;
    for (std::size_t j = 0; j < contacts.size(); ++j) {
        const CoulombContact& c = contacts[j];
        if (label.mode[j] == ContactMode::open) continue;
        spread.emplace_back(VectorXd::Unit(D.rows(), c.normal));
        for (int i = 0; i < c.slips; ++i) {
            if (label.mode[j] == ContactMode::stick)
                spread.emplace_back(VectorXd::Unit(D.rows(), c.slip + i));
            else
                spread.back()(c.slip + i) = -c.sliding(1.0) * label.direction[j](i);
        }
    }
    MatrixXd columns(D.rows(), static_cast<Index>(spread.size()));
    for (std::size_t j = 0; j < spread.size(); ++j) columns.col(static_cast<Index>(j)) = spread[j];
    solve::RankFactor factor;
    factor.factor(D * columns, {.threshold = 1e-10});
    if (factor.full_column_rank()) return MatrixXd(D.rows(), 0);
    return columns * factor.null_space();
}

// The admissible member that is farthest along n.
VectorXd farthest(const VectorXd& force, const VectorXd& n,
                  const std::vector<CoulombContact>& contacts, const laws::CoulombLabel& label) {
    const double size = force.norm() / n.norm();
    double inside = 0.0;
    // Forces on the bound of a cone: the others are to one side of them.
    double step = size;
    while (!within(force + inside * n, contacts, label) && step > 1e-9 * size) {
        inside = within(force - step * n, contacts, label) ? -step : step;
        step *= 0.5;
    }
    if (!within(force + inside * n, contacts, label)) return force;
    step = size;
    while (within(force + (inside + step) * n, contacts, label) && inside < 1e6 * step)
        inside += step;
    for (int i = 0; i < 50; ++i) {
        step *= 0.5;
        if (within(force + (inside + step) * n, contacts, label)) inside += step;
    }
    return force + inside * n;
}

// The admissible forces of all contacts but one, if they do the same; written into the label.
bool without(const ContactNumbers& numbers, const std::vector<CoulombContact>& contacts,
             std::size_t left_out, laws::CoulombLabel& label) {
    std::vector<CoulombContact> others;
    laws::ModeChoices modes;
    for (std::size_t j = 0; j < contacts.size(); ++j) {
        if (j == left_out) continue;
        others.push_back(contacts[j]);
        modes.push_back({label.mode[j], label.direction[j], label.side[j]});
    }
    bool undecided = false;
    const auto found =
        laws::CoulombAssignment(numbers.D, numbers.b, others, {}).examine(modes, undecided);
    if (!found) return false;
    const VectorXd wanted = numbers.D * label.force;
    const VectorXd change = numbers.D * found->label.force - wanted;
    if (change.cwiseAbs().maxCoeff() > 1e-9 * wanted.cwiseAbs().maxCoeff()) return false;
    label.force = found->label.force;
    return true;
}

} // namespace

void FrictionTransition::hold_along(Instant& now, Index k, const Vector2d& direction) const {
    const FrictionModes::Slots& s = modes_.at(k);
    now.mode[s.sign] = 1.0;
    modes_.lead(now, k, {std::atan2(direction(1), direction(0)), 0.0, direction.norm(), 0.0});
}

bool FrictionTransition::share_in_space(Instant& now, const Moment& m,
                                        const std::vector<Index>& resting,
                                        const std::vector<CoulombContact>& contacts,
                                        const laws::CoulombLabel& label) const {
    if (share_among(now, m, resting, contacts, label)) return true;
    // Normal forces that are not unique either: one contact carries nothing.
    for (std::size_t left_out = 0; left_out < contacts.size(); ++left_out) {
        if (label.mode[left_out] == ContactMode::open) continue;
        laws::CoulombLabel fewer = label;
        fewer.mode[left_out] = ContactMode::open;
        if (!without(m.numbers, contacts, left_out, fewer)) continue;
        modes_.set(now, resting[left_out], Touch::stick, false, false);
        if (share_among(now, m, resting, contacts, fewer)) return true;
    }
    return false;
}

// Nothing is changed where no member of the segment will do.
bool FrictionTransition::share_among(Instant& now, const Moment& m,
                                     const std::vector<Index>& resting,
                                     const std::vector<CoulombContact>& contacts,
                                     const laws::CoulombLabel& label) const {
    const auto carried = independent_rows(m, contacts, label);
    const MatrixXd internal = internal_forces(m.numbers.D, contacts, label);
    std::vector<VectorXd> members{label.force};
    for (Index i = 0; i < internal.cols(); ++i) {
        const VectorXd from = farthest(label.force, -internal.col(i), contacts, label);
        const VectorXd to = farthest(label.force, internal.col(i), contacts, label);
        constexpr int k_parts = 16;
        for (int j = 0; j <= k_parts; ++j)
            members.emplace_back(from + (to - from) * (static_cast<double>(j) / k_parts));
    }
    const Instant before = now;
    Instant best = now;
    double longest = 0.0;
    for (const VectorXd& force : members) {
        now = before;
        for (std::size_t j = 0; j < resting.size(); ++j) {
            if (label.mode[j] != ContactMode::stick) continue;
            modes_.set(now, resting[j], Touch::stick, carried[j].normal, carried[j].slip);
            hold_the_rest(now, resting[j], contacts[j], carried[j], force);
        }
        const double time = lasting(now, m, resting) ? room(now) : 0.0;
        if (!(time > longest)) continue;
        longest = time;
        best = now;
    }
    now = longest > 0.0 ? best : before;
    return longest > 0.0;
}

double FrictionTransition::room(const Instant& now) const {
    const auto values = values_(now);
    const auto rates = rates_(now);
    double time = std::numeric_limits<double>::infinity();
    for (std::size_t g = 0; g < guards_.roles.size(); ++g) {
        if (watched(now, guards_.roles[g]) && rates[g] < 0.0)
            time = std::min(time, -values[g] / rates[g]);
    }
    return time;
}

void FrictionTransition::hold_the_rest(Instant& now, Index k, const CoulombContact& c,
                                       const Carried& carried, const VectorXd& force) const {
    if (c.slips != 2 || !carried.normal) return;
    Vector2d held = -force.segment<2>(c.slip) / (c.sticking * force(c.normal));
    for (Index i = 0; i < 2; ++i) {
        if (carried.slip[static_cast<std::size_t>(i)]) held(i) = 0.0;
    }
    if (held.allFinite() && held.norm() > 0.0) hold_along(now, k, held);
}

std::string FrictionTransition::sharing_facts(const std::vector<Index>& resting,
                                              const laws::CoulombLabel& label) const {
    std::string names;
    for (std::size_t j = 0; j < resting.size(); ++j)
        names += fmt::format("{}{} {:.9g}", j == 0 ? "" : ", ", side(resting[j]).name,
                             label.force(resting[j]));
    return fmt::format(
        "the contacts hold, but their forces are not unique, and those of the contacts that determine the motion would "
        "leave their friction (admissible normal forces: {}). One contact less decides",
        names);
}

} // namespace liaison::realise
