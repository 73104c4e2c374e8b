// SPDX-License-Identifier: Apache-2.0
// Minimum degree under the rules that keep every pivot regular.
#include "liaison/expr/ordering.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace liaison::expr {
namespace {

using Row = std::uint32_t;
using Rows = std::vector<Row>;  // sorted

void unite(Rows& into, const Rows& other, Row without) {
    Rows merged;
    merged.reserve(into.size() + other.size());
    std::set_union(into.begin(), into.end(), other.begin(), other.end(),
                   std::back_inserter(merged));
    const auto at = std::lower_bound(merged.begin(), merged.end(), without);
    if (at != merged.end() && *at == without) merged.erase(at);
    into = std::move(merged);
}

void remove(Rows& from, Row row) {
    const auto at = std::lower_bound(from.begin(), from.end(), row);
    if (at != from.end() && *at == row) from.erase(at);
}

class Ordering {
  public:
    Ordering(const Structure& s, bool auxiliaries_come_first, std::size_t limit)
        : s_(s), auxiliaries_come_first_(auxiliaries_come_first), limit_(limit), adjacent_(s.n),
          own_(s.n, 0), waits_(s.n, 0), gone_(s.n, 0) {
        for (const auto& [row, col] : s.entries) {
            if (row == col) {
                own_[row] = 1;
                continue;
            }
            adjacent_[row].push_back(col);
            adjacent_[col].push_back(row);
        }
        for (Rows& rows : adjacent_) {
            std::sort(rows.begin(), rows.end());
            rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        }
        count_waits();
    }

    Rows run() {
        for (Row row = 0; row < s_.n; ++row) offer(row);
        while (order_.size() < s_.n) {
            if (ready_.empty()) release();
            const Row row = ready_.begin()->second;
            ready_.erase(ready_.begin());
            if (gone_[row] == 0) eliminate(row);
            if (work_ > limit_) return {};
        }
        return order_;
    }

  private:
    [[nodiscard]] UnknownClass class_of(Row row) const {
        return s_.classes.empty() ? UnknownClass::general : s_.classes[row];
    }
    [[nodiscard]] Row partner(Row row) const { return s_.partner.empty() ? s_.n : s_.partner[row]; }
    [[nodiscard]] bool acts(Row row) const {
        const UnknownClass c = class_of(row);
        return c == UnknownClass::inertial || c == UnknownClass::auxiliary;
    }

    // How many auxiliary definitions (or, for multipliers, unknowns acted on) must go before `row`.
    void count_waits() {
        for (Row row = 0; row < s_.n; ++row) {
            if (class_of(row) != UnknownClass::auxiliary_multiplier) continue;
            for (const Row other : adjacent_[row]) {
                if (other != partner(row)) ++waits_[other];
            }
        }
        if (!auxiliaries_come_first_) return;
        for (Row row = 0; row < s_.n; ++row)
            auxiliaries_left_ += class_of(row) == UnknownClass::auxiliary ? 1 : 0;
    }

    [[nodiscard]] bool eligible(Row row) const {
        switch (class_of(row)) {
        case UnknownClass::auxiliary: return waits_[row] == 0;
        case UnknownClass::inertial: return waits_[row] == 0 && auxiliaries_left_ == 0;
        case UnknownClass::multiplier:
            return std::none_of(adjacent_[row].begin(), adjacent_[row].end(),
                                [&](Row other) { return acts(other); });
        case UnknownClass::auxiliary_multiplier: return false; // goes with its partner
        case UnknownClass::general: return released_;
        }
        return false;
    }

    [[nodiscard]] std::size_t degree(Row row) const {
        if (class_of(row) != UnknownClass::auxiliary) return adjacent_[row].size();
        Rows both;
        const Rows& y = adjacent_[partner(row)];
        std::set_union(adjacent_[row].begin(), adjacent_[row].end(), y.begin(), y.end(),
                       std::back_inserter(both));
        return both.size() - 2;
    }

    void offer(Row row) {
        if (gone_[row] == 0 && eligible(row)) {
            const std::pair<std::size_t, Row> key{degree(row), row};
            ready_.insert(key);
            offered_[row] = key.first;
        }
    }
    void withdraw(Row row) {
        if (const auto it = offered_.find(row); it != offered_.end()) {
            ready_.erase({it->second, row});
            offered_.erase(it);
        }
    }

    // Only unknowns without a safe pivot are left: take them in their natural order.
    void release() {
        released_ = true;
        for (Row row = 0; row < s_.n; ++row) {
            if (gone_[row] == 0 && class_of(row) == UnknownClass::general) ready_.insert({0, row});
        }
        if (!ready_.empty()) return;
        for (Row row = 0; row < s_.n; ++row) {
            if (gone_[row] == 0) ready_.insert({adjacent_[row].size(), row});
        }
    }

    void eliminate(Row row) {
        offered_.erase(row);
        if (class_of(row) == UnknownClass::auxiliary && partner(row) < s_.n) {
            eliminate_pair(row, partner(row));
        } else if (class_of(row) == UnknownClass::auxiliary_multiplier && partner(row) < s_.n) {
            eliminate_pair(partner(row), row);
        } else {
            eliminate_single(row);
        }
    }

    void eliminate_single(Row row) {
        const Rows neighbours = std::move(adjacent_[row]);
        work_ += neighbours.size() * neighbours.size();
        take(row);
        for (const Row i : neighbours) {
            remove(adjacent_[i], row);
            unite(adjacent_[i], neighbours, i);
            own_[i] = 1;
        }
        refresh(neighbours);
    }

    // S_ij = K_ij + K_iw K_yj + K_iy K_wj + H K_iy K_yj
    void eliminate_pair(Row w, Row y) {
        Rows at_w = std::move(adjacent_[w]);
        Rows at_y = std::move(adjacent_[y]);
        remove(at_w, y);
        remove(at_y, w);
        work_ += (at_w.size() + at_y.size()) * (at_w.size() + at_y.size());
        const bool has_inertia = own_[w] != 0;
        take(w);
        take(y);
        if (auxiliaries_left_ > 0) --auxiliaries_left_;
        for (const Row i : at_y) --waits_[i];
        Rows touched = at_w;
        unite(touched, at_y, s_.n);
        for (const Row i : touched) {
            remove(adjacent_[i], w);
            remove(adjacent_[i], y);
        }
        for (const Row i : at_w) unite(adjacent_[i], at_y, i);
        for (const Row i : at_y) {
            unite(adjacent_[i], at_w, i);
            if (has_inertia) {
                unite(adjacent_[i], at_y, i);
                own_[i] = 1;
            } else if (std::binary_search(at_w.begin(), at_w.end(), i)) {
                own_[i] = 1;
            }
        }
        refresh(touched);
        if (auxiliaries_come_first_ && auxiliaries_left_ == 0) {
            for (Row row = 0; row < s_.n; ++row) withdraw(row), offer(row);
        }
    }

    void take(Row row) {
        gone_[row] = 1;
        order_.push_back(row);
    }

    // Degrees and eligibility change only for neighbours and for auxiliaries tied to a neighbour by
    // their multiplier row.
    void refresh(const Rows& rows) {
        if (released_) return;
        for (const Row row : rows) {
            const Row owner =
                class_of(row) == UnknownClass::auxiliary_multiplier ? partner(row) : row;
            if (owner < s_.n) {
                withdraw(owner);
                offer(owner);
            }
        }
    }

    const Structure& s_;
    bool auxiliaries_come_first_;
    std::size_t limit_;
    std::size_t work_ = 0;
    bool released_ = false;
    std::size_t auxiliaries_left_ = 0;
    std::vector<Rows> adjacent_;
    std::vector<char> own_; // structurally nonzero diagonal
    std::vector<std::uint32_t> waits_;
    std::vector<char> gone_;
    std::set<std::pair<std::size_t, Row>> ready_;
    std::map<Row, std::size_t> offered_;
    Rows order_;
};

} // namespace

std::vector<std::uint32_t> elimination_order(const Structure& structure) {
    return Ordering(structure, false, ~std::size_t{0}).run();
}

std::vector<std::uint32_t> auxiliaries_first(const Structure& structure, std::size_t limit) {
    return Ordering(structure, true, limit).run();
}

} // namespace liaison::expr
