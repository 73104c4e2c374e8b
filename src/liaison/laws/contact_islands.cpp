// SPDX-License-Identifier: Apache-2.0
// Components by flooding.
#include "liaison/laws/contact_islands.hpp"

#include <algorithm>
#include <cmath>

namespace liaison::laws {
namespace {

std::vector<Eigen::Index> rows_of(const CoulombContact& c) {
    std::vector<Eigen::Index> rows{c.normal};
    for (int j = 0; j < c.slips; ++j) rows.push_back(c.slip + j);
    return rows;
}

// Entries of the size of rounding do not couple.
bool coupled(const Eigen::MatrixXd& D, const CoulombContact& a, const CoulombContact& b) {
    constexpr double k_rounding = 1e-14;
    for (const Eigen::Index i : rows_of(a)) {
        for (const Eigen::Index j : rows_of(b)) {
            const double scale = std::sqrt(std::abs(D(i, i) * D(j, j)));
            if (std::max(std::abs(D(i, j)), std::abs(D(j, i))) > k_rounding * scale) return true;
        }
    }
    return false;
}

} // namespace

std::vector<std::vector<std::size_t>> contact_islands(const Eigen::MatrixXd& D,
                                                      const std::vector<CoulombContact>& contacts) {
    std::vector<char> seen(contacts.size(), 0);
    std::vector<std::vector<std::size_t>> islands;
    for (std::size_t first = 0; first < contacts.size(); ++first) {
        if (seen[first] != 0) continue;
        seen[first] = 1;
        std::vector<std::size_t> island{first};
        for (std::size_t next = 0; next < island.size(); ++next) {
            for (std::size_t k = 0; k < contacts.size(); ++k) {
                if (seen[k] != 0 || !coupled(D, contacts[island[next]], contacts[k])) continue;
                seen[k] = 1;
                island.push_back(k);
            }
        }
        std::ranges::sort(island);
        islands.push_back(std::move(island));
    }
    return islands;
}

} // namespace liaison::laws
