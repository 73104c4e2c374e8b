// SPDX-License-Identifier: Apache-2.0
// Normal forces of dependent contacts that balance each other, and the rule that there are none of them.
//
// Gaps that depend on each other, Σ c_i ∇g_i = 0, leave the normal forces N + c y undetermined. Feet of equal stiffness are
// pressed in proportion to their displacements, which obey the same dependency, so that c·N = 0 however stiff they are.
// Without friction, and wherever friction does not load the normals, that is the N of least norm. While contacts of such a
// set slip their motion depends on N, and this rule decides it (theory of many contacts §3.4); where all of them stick it does
// not, whatever else slips, and they hold as long as any N does.
#pragma once

#include "liaison/solve/factor.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace liaison::laws {

// Columns: an orthonormal basis of the c with Σ c_i ∇g_i = 0, for the normal rows of D that are named.
[[nodiscard]] inline Eigen::MatrixXd self_stress(const Eigen::MatrixXd& D,
                                                 const std::vector<Eigen::Index>& normals) {
    const auto n = static_cast<Eigen::Index>(normals.size());
    if (n < 2) return Eigen::MatrixXd(n, 0);
    solve::RankFactor factor;
    factor.factor(D(normals, normals), {.threshold = 1e-10});
    if (factor.full_column_rank()) return Eigen::MatrixXd(n, 0);
    return factor.null_space();
}

// Groups of normals that depend on each other, by normal: −1 where one depends on none. c cᵀ of all such c leads from one of a
// group to all others of it, and to no other.
[[nodiscard]] inline std::vector<int> stress_groups(const Eigen::MatrixXd& stress) {
    constexpr double k_none = 1e-9;
    const Eigen::MatrixXd leads = stress * stress.transpose();
    const auto n = static_cast<std::size_t>(leads.rows());
    std::vector<int> group(n, -1);
    for (std::size_t first = 0; first < n; ++first) {
        const auto depends = [&](std::size_t i, std::size_t j) {
            return std::abs(leads(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j))) >
                   k_none;
        };
        if (group[first] >= 0 || !depends(first, first)) continue;
        std::vector<std::size_t> found{first};
        group[first] = static_cast<int>(first);
        for (std::size_t next = 0; next < found.size(); ++next) {
            for (std::size_t j = 0; j < n; ++j) {
                if (group[j] >= 0 || !depends(found[next], j)) continue;
                group[j] = group[first];
                found.push_back(j);
            }
        }
    }
    return group;
}

// Which of these normals are of a group of which one slips.
[[nodiscard]] inline std::vector<char> slipping_groups(const Eigen::MatrixXd& stress,
                                                       const std::vector<char>& slips) {
    const std::vector<int> group = stress_groups(stress);
    std::vector<char> concerned(group.size(), 0);
    for (std::size_t i = 0; i < group.size(); ++i) {
        for (std::size_t j = 0; j < group.size(); ++j) {
            if (group[i] >= 0 && group[i] == group[j] && slips[j] != 0) concerned[i] = 1;
        }
    }
    return concerned;
}

// Of those groups only: where all of a group stick its stress moves nothing, and any of it may be there.
[[nodiscard]] inline Eigen::MatrixXd self_stress(const Eigen::MatrixXd& D,
                                                 const std::vector<Eigen::Index>& normals,
                                                 const std::vector<char>& slips) {
    Eigen::MatrixXd none(static_cast<Eigen::Index>(normals.size()), 0);
    if (std::ranges::find(slips, 1) == slips.end()) return none;
    Eigen::MatrixXd all = self_stress(D, normals);
    if (all.cols() == 0) return none;
    const std::vector<char> concerned = slipping_groups(all, slips);
    std::vector<Eigen::Index> part;
    std::vector<Eigen::Index> places;
    for (std::size_t i = 0; i < normals.size(); ++i) {
        if (concerned[i] == 0) continue;
        part.push_back(normals[i]);
        places.push_back(static_cast<Eigen::Index>(i));
    }
    if (part.size() == normals.size()) return all;
    const Eigen::MatrixXd own = self_stress(D, part);
    Eigen::MatrixXd stress = Eigen::MatrixXd::Zero(none.rows(), own.cols());
    for (std::size_t i = 0; i < places.size() && own.cols() > 0; ++i)
        stress.row(places[i]) = own.row(static_cast<Eigen::Index>(i));
    return stress;
}

} // namespace liaison::laws
