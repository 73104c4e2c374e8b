// SPDX-License-Identifier: Apache-2.0
// Connected components of the pattern, with classes, partners and elimination order of the whole.
#include "liaison/expr/independent_systems.hpp"

#include "liaison/base/disjoint_sets.hpp"

namespace liaison::expr {

std::vector<IndependentSystem> independent_systems(const Structure& whole) {
    base::DisjointSets together(whole.n);
    for (const auto& e : whole.entries) together.join(e.row, e.col);
    for (std::uint32_t i = 0; i < whole.partner.size(); ++i)
        if (whole.partner[i] < whole.n) together.join(i, whole.partner[i]);

    std::vector<std::size_t> part_of(whole.n, whole.n); // by root
    std::vector<std::uint32_t> place(whole.n); // of an unknown within its part
    std::vector<IndependentSystem> parts;
    for (std::uint32_t i = 0; i < whole.n; ++i) {
        std::size_t& part = part_of[together.root(i)];
        if (part == whole.n) {
            part = parts.size();
            parts.emplace_back();
        }
        place[i] = static_cast<std::uint32_t>(parts[part].unknowns.size());
        parts[part].unknowns.push_back(i);
    }
    if (parts.size() < 2) return {};

    std::vector<Structure> structures(parts.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
        structures[p].n = static_cast<std::uint32_t>(parts[p].unknowns.size());
        structures[p].symmetric = whole.symmetric;
        for (const std::uint32_t i : parts[p].unknowns) {
            if (!whole.classes.empty()) structures[p].classes.push_back(whole.classes[i]);
            if (whole.partner.empty()) continue;
            const std::uint32_t other = whole.partner[i];
            structures[p].partner.push_back(other < whole.n ? place[other] : structures[p].n);
        }
    }
    for (std::size_t k = 0; k < whole.entries.size(); ++k) {
        const auto& e = whole.entries[k];
        const std::size_t p = part_of[together.root(e.row)];
        parts[p].entries.push_back(k);
        structures[p].entries.push_back({place[e.row], place[e.col]});
    }
    for (const std::uint32_t i : whole.order)
        structures[part_of[together.root(i)]].order.push_back(place[i]);
    for (std::size_t p = 0; p < parts.size(); ++p)
        parts[p].structure = std::make_shared<const Structure>(std::move(structures[p]));
    return parts;
}

} // namespace liaison::expr
