// SPDX-License-Identifier: Apache-2.0
// Sliding relays eliminated from the contact problem.
#include "liaison/realise/relays_beside.hpp"

#include "liaison/expr/derivative.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace liaison::realise {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using flow::Instant;

namespace {

std::vector<Expr> velocity_gradients(const flow::Flow& flow, const RelayField& field) {
    std::vector<Expr> all;
    const std::span<const Expr> velocities(flow.states.data() + flow.n_positions,
                                           flow.n_controlled - flow.n_positions);
    for (const RelaySurface& s : field.surfaces()) {
        const auto gradient = expr::gradient(s.surface, velocities);
        all.insert(all.end(), gradient.begin(), gradient.end());
    }
    return all;
}

// What is left of a difference of numbers of this size is rounding.
double without_rounding(double value, double size) {
    constexpr double k_rounding = 1e-12;
    return std::abs(value) <= k_rounding * size ? 0.0 : value;
}

} // namespace

RelaysBeside::RelaysBeside(const flow::Flow& flow, const RelayField& field)
    : rule_(flow, field), n_positions_(flow.n_positions),
      n_velocities_(flow.n_controlled - flow.n_positions),
      gradients_(flow, velocity_gradients(flow, field)) {
    for (const RelaySurface& s : field.surfaces()) {
        names_.push_back(s.name);
        degree_.push_back(s.blind ? 0 : s.lower.size());
    }
}

std::vector<std::size_t> RelaysBeside::zero(const Instant& now,
                                            std::span<const std::size_t> also) const {
    const RelayNumbers here = rule_.numbers(now);
    std::vector<std::size_t> list;
    for (std::size_t b = 0; b < rule_.size(); ++b) {
        if (degree_[b] != 1) continue;
        const bool on = std::abs(here.lower[b][0]) <= RelayRule::zero(now);
        if (on || std::ranges::find(also, b) != also.end()) list.push_back(b);
    }
    return list;
}

void RelaysBeside::take_sides(Instant& now, std::span<const std::size_t> zero) const {
    const RelayNumbers here = rule_.numbers(now);
    for (std::size_t b = 0; b < rule_.size(); ++b) {
        if (std::ranges::find(zero, b) != zero.end()) continue;
        const double S = here.lower[b][0];
        if (std::abs(S) <= RelayRule::zero(now)) continue;
        const int side = S < 0.0 ? -1 : 1;
        if (rule_.side(now, b) != side) rule_.set(now, b, side, 0.0);
    }
}

VectorXd RelaysBeside::gradient(const Instant& now, std::size_t relay) const {
    const auto all = gradients_(now);
    const Eigen::Map<const MatrixXd> columns(all.data(), static_cast<Index>(n_velocities_),
                                             static_cast<Index>(rule_.size()));
    return columns.col(static_cast<Index>(relay));
}

RelaysBeside::Coupling RelaysBeside::couple(const ContactProblem& problem, Instant free,
                                            std::span<const std::size_t> relays) const {
    for (const std::size_t b : relays) rule_.set(free, b, 0, 0.0, false);
    Coupling c;
    c.contacts = problem.at(free);
    const ContactNumbers& n = c.contacts;
    const auto count = static_cast<Index>(relays.size());
    const std::vector<Index> rows(relays.begin(), relays.end());
    const RelayNumbers numbers = rule_.numbers(free);
    c.alpha = (numbers.alpha + numbers.D * rule_.values(free))(rows);
    c.delta = numbers.D(rows, rows);
    c.beta.resize(n.b.size(), count);
    c.acceleration.resize(n.v_dot.size(), count);
    c.rho.resize(count, n.D.cols());
    for (Index j = 0; j < count; ++j) {
        const std::size_t b = relays[static_cast<std::size_t>(j)];
        Instant one = free;
        rule_.set(one, b, 0, 1.0, false);
        const ContactNumbers with = problem.at(one);
        c.beta.col(j) = with.b - n.b;
        c.acceleration.col(j) = with.v_dot - n.v_dot;
        c.rho.row(j) = gradient(free, b).transpose() * n.response;
    }
    return c;
}

ContactNumbers RelaysBeside::eliminate(const ContactProblem& problem, Instant free,
                                       std::span<const std::size_t> following) const {
    if (following.empty()) return problem.at(free);
    const Coupling c = couple(problem, std::move(free), following);
    ContactNumbers n = c.contacts;
    // Relays on the same surface share what they do.
    const Eigen::CompleteOrthogonalDecomposition<MatrixXd> inverse(c.delta);
    const MatrixXd by_force = inverse.solve(c.rho);
    const VectorXd by_drift = inverse.solve(c.alpha);
    const MatrixXd D = n.D - c.beta * by_force;
    const VectorXd b = n.b - c.beta * by_drift;
    const VectorXd size = n.b.cwiseAbs() + c.beta.cwiseAbs() * by_drift.cwiseAbs();
    const VectorXd diagonal = n.D.diagonal().cwiseAbs();
    for (Index i = 0; i < D.rows(); ++i) {
        for (Index k = 0; k < D.cols(); ++k)
            n.D(i, k) = without_rounding(D(i, k), std::sqrt(diagonal(i) * diagonal(k)));
        n.b(i) = without_rounding(b(i), size(i));
    }
    n.response -= c.acceleration * by_force;
    n.v_dot -= c.acceleration * by_drift;
    return n;
}

// Components of the graph whose nodes are contacts, then relays.
std::vector<RelaysBeside::Island> RelaysBeside::islands(const ContactProblem& problem, Instant free,
                                                        std::span<const Index> contacts,
                                                        std::span<const std::size_t> relays) const {
    constexpr double k_rounding = 1e-14;
    const Coupling c = couple(problem, free, relays);
    const ContactNumbers& n = c.contacts;
    std::vector<std::vector<Index>> rows;
    for (const Index k : contacts) {
        rows.push_back({k});
        const auto slips =
            static_cast<Index>(problem.sides()[static_cast<std::size_t>(k)].friction.slips.size());
        for (Index j = 0; j < slips; ++j) rows.back().push_back(problem.slip_row(k) + j);
    }
    MatrixXd gradients(static_cast<Index>(n_velocities_), static_cast<Index>(relays.size()));
    for (std::size_t j = 0; j < relays.size(); ++j)
        gradients.col(static_cast<Index>(j)) = gradient(free, relays[j]);
    const auto of_contacts = [&](std::size_t a, std::size_t b) {
        return std::ranges::any_of(rows[a], [&](Index i) {
            return std::ranges::any_of(rows[b], [&](Index k) {
                const double scale = std::sqrt(std::abs(n.D(i, i) * n.D(k, k)));
                return std::max(std::abs(n.D(i, k)), std::abs(n.D(k, i))) > k_rounding * scale;
            });
        });
    };
    const auto of_both = [&](std::size_t a, std::size_t b) {
        const auto j = static_cast<Index>(b);
        return std::ranges::any_of(rows[a], [&](Index i) {
            const double pushed = n.W.row(i).norm() * c.acceleration.col(j).norm();
            const double turned = gradients.col(j).norm() * n.response.col(i).norm();
            return std::abs(c.beta(i, j)) > k_rounding * pushed ||
                   std::abs(c.rho(j, i)) > k_rounding * turned;
        });
    };
    const auto of_relays = [&](std::size_t a, std::size_t b) {
        const auto i = static_cast<Index>(a);
        const auto j = static_cast<Index>(b);
        const auto acts = [&](Index on, Index by) {
            const double scale = gradients.col(on).norm() * c.acceleration.col(by).norm();
            return std::abs(c.delta(on, by)) > k_rounding * scale;
        };
        return acts(i, j) || acts(j, i);
    };
    const std::size_t first_relay = contacts.size();
    const auto coupled = [&](std::size_t a, std::size_t b) {
        if (a > b) std::swap(a, b);
        if (b < first_relay) return of_contacts(a, b);
        return a < first_relay ? of_both(a, b - first_relay)
                               : of_relays(a - first_relay, b - first_relay);
    };
    std::vector<char> seen(first_relay + relays.size(), 0);
    std::vector<Island> result;
    for (std::size_t first = 0; first < seen.size(); ++first) {
        if (seen[first] != 0) continue;
        seen[first] = 1;
        std::vector<std::size_t> nodes{first};
        for (std::size_t next = 0; next < nodes.size(); ++next) {
            for (std::size_t k = 0; k < seen.size(); ++k) {
                if (seen[k] != 0 || !coupled(nodes[next], k)) continue;
                seen[k] = 1;
                nodes.push_back(k);
            }
        }
        std::ranges::sort(nodes);
        Island island;
        for (const std::size_t k : nodes) {
            if (k < first_relay)
                island.contacts.push_back(contacts[k]);
            else
                island.relays.push_back(relays[k - first_relay]);
        }
        result.push_back(std::move(island));
    }
    return result;
}

} // namespace liaison::realise
