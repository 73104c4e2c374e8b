// SPDX-License-Identifier: Apache-2.0
// The complementarity problem of resting contacts, dense for few and sparse for many.
#include "liaison/realise/resting_contacts.hpp"

#include "liaison/solve/dense.hpp"
#include "liaison/solve/lcp.hpp"
#include "liaison/solve/sparse_lcp.hpp"

namespace liaison::realise {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Up to here a dense tableau is as fast, and it decides every case by itself.
constexpr std::size_t k_few = 40;

} // namespace

RestingReactions resting_reactions(const SparseRows& D, std::span<const Index> set,
                                   const VectorXd& b, int max_pivots) {
    if (set.size() > k_few) {
        auto many = solve::sparse_lcp(D.sparse_block(set), b);
        if (many.solved) return {true, false, std::move(many.z), std::move(many.w)};
    }
    solve::LemkeOptions options;
    options.max_pivots = max_pivots;
    const auto answer = solve::lemke(D.block(set), b, options);
    return {answer.status == solve::LemkeStatus::solved, answer.infeasible, answer.point.z,
            answer.point.w};
}

bool definite(const SparseRows& D, std::span<const Index> set) {
    if (set.size() == 1) return D(set.front(), set.front()) > 0.0;
    if (set.size() > k_few)
        return solve::definite_solution(D.sparse_block(set),
                                        VectorXd::Ones(static_cast<Index>(set.size())))
                   .size() > 0;
    // Measured by the own response of each contact: masses may differ by any factor.
    Eigen::MatrixXd block = D.block(set);
    const VectorXd size = block.diagonal().cwiseSqrt().cwiseInverse();
    if (!size.allFinite()) return false;
    block = size.asDiagonal() * block * size.asDiagonal();
    constexpr double k_dependent = 1e-10;
    return solve::rank_of(block, k_dependent) == block.rows();
}

VectorXd held_by(const SparseRows& D, std::span<const Index> set, const VectorXd& right) {
    if (set.size() > k_few) {
        VectorXd x = solve::definite_solution(D.sparse_block(set), right);
        if (x.size() == right.size()) return x;
    }
    return solve::least_norm(D.block(set), right);
}

bool depends_on(const SparseRows& D, Index k, std::span<const Index> set) {
    if (set.empty()) return false;
    VectorXd coupling(static_cast<Index>(set.size()));
    for (std::size_t j = 0; j < set.size(); ++j) coupling(static_cast<Index>(j)) = D(set[j], k);
    const double own = D(k, k) - coupling.dot(held_by(D, set, coupling));
    constexpr double k_dependent = 1e-10;
    return !(own > k_dependent * D(k, k));
}

} // namespace liaison::realise
