// SPDX-License-Identifier: Apache-2.0
// Carathéodory's reduction on the edges of friction cones.
#include "liaison/laws/minimal_support.hpp"

#include "liaison/laws/coulomb_assignment.hpp"
#include "liaison/solve/factor.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Edge {
    std::size_t contact = 0;
    bool forwards = true;
    VectorXd force; // on all rows, with unit normal force
    double weight = 0.0;
    bool slips = false;
};

// A direction in which the weights can change without changing what they keep zero; empty where there is none. Slips may change:
// forces that speed up a slip are other forces of the same modes.
VectorXd dependency(const MatrixXd& D, const std::vector<Index>& kept,
                    const std::vector<Edge>& edges) {
    MatrixXd columns(static_cast<Index>(kept.size()), static_cast<Index>(edges.size()));
    for (std::size_t i = 0; i < edges.size(); ++i)
        columns.col(static_cast<Index>(i)) = (D * edges[i].force)(kept);
    solve::RankFactor factor;
    factor.factor(columns, {.threshold = 1e-10});
    return factor.full_column_rank() ? VectorXd() : VectorXd(factor.null_space().col(0));
}

// Lowers the weights along z until the first of them vanishes and leaves. False: none does.
bool lower(std::vector<Edge>& edges, const VectorXd& z) {
    double step = std::numeric_limits<double>::infinity();
    std::size_t leaves = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const double rate = z(static_cast<Index>(i));
        if (rate <= 1e-12 || edges[i].weight / rate >= step) continue;
        step = edges[i].weight / rate;
        leaves = i;
    }
    if (!std::isfinite(step)) return false;
    for (std::size_t i = 0; i < edges.size(); ++i)
        edges[i].weight = std::max(0.0, edges[i].weight - step * z(static_cast<Index>(i)));
    edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(leaves));
    return true;
}

// Contacts with both edges: their friction is free between its bounds.
Index free_friction(const std::vector<Edge>& edges) {
    Index count = 0;
    for (const Edge& e : edges) {
        count += e.forwards && std::ranges::any_of(edges, [&](const Edge& other) {
                     return other.contact == e.contact && !other.forwards;
                 });
    }
    return count;
}

Index rank_of(const MatrixXd& D, const std::vector<Index>& rows) {
    if (rows.empty()) return 0;
    solve::RankFactor factor;
    factor.factor(D(rows, rows), {.threshold = 1e-10});
    return factor.rank();
}

// The gaps of the contacts that carry, and the slips of those with both edges, determine the forces: where other slips of the same
// contacts are held by bilateral constraints it matters whose friction is free.
bool regular(const MatrixXd& D, const std::vector<CoulombContact>& contacts,
             const std::vector<Edge>& edges) {
    std::vector<Index> rows;
    for (const Edge& e : edges) {
        const Index normal = contacts[e.contact].normal;
        const bool second = std::ranges::find(rows, normal) != rows.end();
        rows.push_back(second ? contacts[e.contact].slip : normal);
    }
    return rank_of(D, rows) == static_cast<Index>(rows.size());
}

// Every slip that is kept zero needs a friction force that is free: the other edge of a contact enters like a column of
// the simplex method.
bool free_enough(const MatrixXd& D, const std::vector<CoulombContact>& contacts,
                 const std::vector<Index>& kept, std::vector<Edge>& edges, Index needed) {
    while (free_friction(edges) < needed) {
        const Index before = free_friction(edges);
        bool better = false;
        for (std::size_t i = 0; i < edges.size() && !better; ++i) {
            const CoulombContact& c = contacts[edges[i].contact];
            // Friction of a contact that slips, or starts to, is not free.
            if (c.slips == 0 || edges[i].slips || edges[i].force(c.slip) == 0.0) continue;
            std::vector<Edge> trial = edges;
            Edge other = edges[i];
            other.forwards = !other.forwards;
            other.force(c.slip) = -other.force(c.slip);
            other.weight = 0.0;
            trial.push_back(std::move(other));
            VectorXd z = dependency(D, kept, trial);
            if (z.size() > 0) {
                if (z(z.size() - 1) > 0.0) z = -z; // the new weight grows
                if (!lower(trial, z)) continue;
            } else {
                // Several weights have vanished at once: it takes part, with a weight that is none.
                trial.back().weight = std::numeric_limits<double>::min();
            }
            if (free_friction(trial) <= before) continue;
            edges = std::move(trial);
            better = true;
        }
        if (!better) return false;
    }
    return true;
}

// Until what is left is independent.
void reduce(const MatrixXd& D, const std::vector<CoulombContact>& contacts,
            const std::vector<Index>& kept, std::vector<Edge>& edges) {
    while (!edges.empty()) {
        const auto weakest = std::ranges::min_element(edges, {}, &Edge::weight);
        const double largest = std::ranges::max_element(edges, {}, &Edge::weight)->weight;
        if (weakest->weight <= 1e-10 * largest) {
            edges.erase(weakest);
            continue;
        }
        const VectorXd z = dependency(D, kept, edges);
        if (z.size() == 0) break;
        // To the end at which contacts that slip carry less, for their friction does work; else to the one that leaves the others
        // more: a vertex where several weights vanish at once is about to be left.
        double sliding = 0.0;
        for (std::size_t i = 0; i < edges.size(); ++i)
            if (edges[i].slips) sliding += z(static_cast<Index>(i));
        constexpr double k_matters = 1e-9;
        std::vector<Edge> there = edges;
        std::vector<Edge> back = edges;
        const bool one = lower(there, z);
        const bool other = lower(back, -z);
        if (!one && !other) break;
        const auto least = [](const std::vector<Edge>& e) {
            return e.empty() ? 0.0 : std::ranges::min_element(e, {}, &Edge::weight)->weight;
        };
        bool less = std::abs(sliding) > k_matters ? sliding < 0.0 : least(back) > least(there);
        if (one && other && regular(D, contacts, there) != regular(D, contacts, back))
            less = regular(D, contacts, back);
        edges = other && (!one || less) ? std::move(back) : std::move(there);
    }
}

// Gaps that the support would leave free are held by contacts that carry nothing yet.
void hold_all_gaps(const MatrixXd& D, const std::vector<CoulombContact>& contacts,
                   const std::vector<Index>& normals, std::vector<ConeEdges>& support) {
    std::vector<Index> rows;
    std::vector<Index> all = normals;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (support[k].carries()) rows.push_back(contacts[k].normal);
        // A slip that is kept zero may hold the gap of another contact: in a corner the floor holds a body at the wall.
        if (!(support[k].forwards > 0.0 && support[k].backwards > 0.0)) continue;
        rows.push_back(contacts[k].slip);
        all.push_back(contacts[k].slip);
    }
    const Index wanted = rank_of(D, all);
    Index have = rank_of(D, rows);
    // From both ends: a support in the middle is left on either side.
    std::vector<Index> order = normals;
    std::ranges::sort(order, std::greater<>{}, [&](Index row) { return D(row, row); });
    for (const Index row : order) {
        if (have == wanted) return;
        rows.push_back(row);
        const Index more = rank_of(D, rows);
        if (more == have) {
            rows.pop_back();
            continue;
        }
        have = more;
        for (std::size_t k = 0; k < contacts.size(); ++k)
            if (contacts[k].normal == row) support[k].idle = support[k].smooth = true;
    }
}

// Normal forces by themselves, and friction where they are largest.
std::vector<ConeEdges> plain_support(const MatrixXd& D, const std::vector<CoulombContact>& contacts,
                                     const std::vector<Index>& kept, const CoulombLabel& label) {
    std::vector<Edge> edges;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const CoulombContact& c = contacts[k];
        if (label.mode[k] == ContactMode::open) continue;
        VectorXd along = VectorXd::Unit(D.rows(), c.normal);
        if (label.mode[k] != ContactMode::stick && c.slips == 1)
            along(c.slip) = -c.sliding(label.direction[k](0)) * label.direction[k](0);
        edges.push_back({k, true, along, label.force(c.normal), is_slip(label.mode[k])});
    }
    reduce(D, contacts, kept, edges);
    std::ranges::sort(edges, std::greater<>{}, &Edge::weight);
    std::vector<ConeEdges> support(contacts.size());
    std::vector<Index> rows;
    for (const Edge& e : edges) rows.push_back(contacts[e.contact].normal);
    for (const Edge& e : edges) {
        ConeEdges& mine = support[e.contact];
        mine.forwards = e.weight;
        if (label.mode[e.contact] != ContactMode::stick) continue;
        const Index before = rank_of(D, rows);
        rows.push_back(contacts[e.contact].slip);
        mine.smooth = rank_of(D, rows) == before;
        if (mine.smooth)
            rows.pop_back();
        else
            mine.forwards = mine.backwards = 0.5 * e.weight;
    }
    return support;
}

} // namespace

std::vector<ConeEdges> minimal_support(const MatrixXd& D,
                                       const std::vector<CoulombContact>& contacts,
                                       const CoulombLabel& label) {
    std::vector<Edge> edges;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const CoulombContact& c = contacts[k];
        if (c.slips == 2 || c.bilateral) return {};
        // A coefficient that depends on the slip is the same at rest, but for a slip that rounding left.
        constexpr double k_rounding = 1e-12;
        const auto as_at_rest = [&](double mu) {
            return std::abs(mu - c.sticking) <= k_rounding * c.sticking;
        };
        const bool one = as_at_rest(c.sliding_plus) && as_at_rest(c.sliding_minus);
        if (c.slips == 1 && !one && label.mode[k] == ContactMode::stick) return {};
        if (label.mode[k] == ContactMode::open) continue;
        const double N = label.force(c.normal);
        VectorXd along = VectorXd::Unit(D.rows(), c.normal);
        if (label.mode[k] != ContactMode::stick) {
            if (c.slips == 1) {
                const double s = label.direction[k](0);
                along(c.slip) = -c.sliding(s) * s;
            }
            edges.push_back({k, true, along, N, is_slip(label.mode[k])});
            continue;
        }
        // N = p + m, T = μ (p − m)
        const double share = c.sticking > 0.0 ? label.force(c.slip) / c.sticking : 0.0;
        for (const double sign : {1.0, -1.0}) {
            along(c.slip) = sign * c.sticking;
            edges.push_back({k, sign > 0.0, along, std::max(0.0, 0.5 * (N + sign * share)), false});
        }
    }
    std::vector<Index> normals;
    std::vector<Index> all;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (label.mode[k] == ContactMode::open) continue;
        normals.push_back(contacts[k].normal);
        all.push_back(contacts[k].normal);
        if (label.mode[k] == ContactMode::stick) all.push_back(contacts[k].slip);
    }
    const Index needed = rank_of(D, all) - rank_of(D, normals);
    // Where all slip their forces decide the motion, which they keep.
    if (all.size() == normals.size()) {
        for (std::size_t k = 0; k < contacts.size(); ++k)
            if (is_slip(label.mode[k])) all.push_back(contacts[k].slip);
    }
    reduce(D, contacts, all, edges);
    std::vector<ConeEdges> result(contacts.size());
    if (!free_enough(D, contacts, all, edges, needed) ||
        (needed > 0 && !regular(D, contacts, edges)))
        result = plain_support(D, contacts, all, label);
    else
        for (const Edge& e : edges)
            (e.forwards ? result[e.contact].forwards : result[e.contact].backwards) = e.weight;
    hold_all_gaps(D, contacts, normals, result);
    return result;
}

} // namespace liaison::laws
