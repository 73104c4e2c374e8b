// SPDX-License-Identifier: Apache-2.0
// Levels, packs and places.
#include "liaison/compile/taylor_schedule.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>

namespace liaison::compile {
namespace {

class Scheduler {
  public:
    Scheduler(const TaylorPlan& plan, unsigned max_order) : plan_(plan), max_order_(max_order) {}

    TaylorSchedule run() {
        out_.size = offset(plan_.n_slots);
        for (const JetRule& r : plan_.prologue) out_.prologue.push_back(step_of(r));
        for (const JetRule& r : plan_.rules) out_.start.push_back(step_of(r));
        schedule_rounds();
        std::erase_if(out_.start, [](const JetStep& s) { return s.late; });
        return std::move(out_);
    }

  private:
    [[nodiscard]] std::size_t offset(std::uint32_t slot) const {
        return TaylorSchedule::offset(plan_, max_order_, slot);
    }
    std::size_t take(std::size_t n) { return std::exchange(out_.size, out_.size + n); }

    [[nodiscard]] JetStep step_of(const JetRule& r) const {
        return placed(plan_, r, [this](std::uint32_t slot) { return offset(slot); });
    }

    void schedule_rounds() {
        std::vector<std::uint32_t> level(plan_.n_slots, 0);
        std::vector<std::pair<std::uint32_t, std::size_t>> order;
        for (std::size_t i = 0; i < out_.start.size(); ++i) {
            if (out_.start[i].degree == 0 && !out_.start[i].late) continue;
            const JetRule& r = plan_.rules[i];
            std::uint32_t above = 0;
            if (r.kind == Jet::solve) {
                for (std::uint32_t slot : plan_.solutions[r.a].rhs)
                    above = std::max(above, level[slot]);
            } else {
                above = std::max({level[r.a], level[r.b], level[r.c]});
            }
            const std::size_t width = r.kind == Jet::solve ? plan_.solutions[r.a].rhs.size() : 1;
            std::fill_n(level.begin() + r.dst, width, above + 1);
            order.emplace_back(above + 1, i);
        }
        std::sort(order.begin(), order.end(), [&](const auto& x, const auto& y) {
            const auto key = [&](const auto& o) {
                return std::tuple(o.first, out_.start[o.second].kind,
                                  !packable(out_.start[o.second]), out_.start[o.second].late,
                                  out_.start[o.second].for_outputs, o.second);
            };
            return key(x) < key(y);
        });
        for (std::size_t i = 0; i < order.size();) {
            std::size_t end = i;
            const JetStep& first = out_.start[order[i].second];
            while (packable(first) && end < order.size() && end - i < k_pack &&
                   order[end].first == order[i].first &&
                   alike(first, out_.start[order[end].second])) {
                ++end;
            }
            if (end - i == k_pack) {
                out_.rounds.push_back(pack_of(std::span(order).subspan(i, k_pack)));
                i = end;
            } else {
                out_.rounds.push_back(first);
                ++i;
            }
        }
        std::copy_if(out_.rounds.begin(), out_.rounds.end(), std::back_inserter(out_.last_round),
                     [](const JetStep& s) { return s.for_outputs; });
    }
    [[nodiscard]] bool packable(const JetStep& s) const {
        const bool product =
            s.kind == Jet::mul || (!s.late && (s.kind == Jet::mul_add || s.kind == Jet::residual));
        return packed_sums() != nullptr && product && s.degree_a >= max_order_ &&
               s.degree_b >= max_order_;
    }
    [[nodiscard]] bool alike(const JetStep& x, const JetStep& y) const {
        return packable(y) && x.kind == y.kind && x.late == y.late &&
               x.for_outputs == y.for_outputs;
    }
    JetStep pack_of(std::span<const std::pair<std::uint32_t, std::size_t>> members) {
        const JetStep& first = out_.start[members[0].second];
        JetPack pack{.kind = first.kind, .late = first.late};
        for (std::size_t l = 0; l < k_pack; ++l) {
            const JetStep& s = out_.start[members[l].second];
            pack.dst[l] = s.dst;
            pack.a[l] = s.a;
            pack.b[l] = s.b;
            pack.c[l] = s.c;
            pack.degree_c[l] = s.degree_c;
        }
        pack.packed_a = take(k_pack * (max_order_ + std::size_t{1}));
        pack.packed_b = take(k_pack * (max_order_ + std::size_t{1}));
        JetStep step{
            .kind = first.kind, .late = first.late, .for_outputs = first.for_outputs, .pack = true};
        step.a = out_.packs.size();
        out_.packs.push_back(pack);
        return step;
    }

    const TaylorPlan& plan_;
    unsigned max_order_;
    TaylorSchedule out_;
};

} // namespace

TaylorSchedule schedule(const TaylorPlan& plan, unsigned max_order) {
    return Scheduler(plan, max_order).run();
}

} // namespace liaison::compile
