// SPDX-License-Identifier: Apache-2.0
// What a Taylor plan need not compute: coefficients that vanish, products with constants, unused rules.
#include "liaison/compile/taylor_reduce.hpp"

#include <algorithm>

namespace liaison::compile {
namespace {

using Slot = std::uint32_t;

class Reduction {
  public:
    explicit Reduction(TaylorPlan& plan) : plan_(plan) {}

    void run() {
        bound_degrees();
        find_growth();
        keep_needed();
    }

  private:
    // Degrees in time, from unbounded downwards until nothing changes: each pass is a valid bound.
    void bound_degrees() {
        constexpr int k_passes = 8;
        auto& degree = plan_.degree;
        degree.assign(plan_.n_slots, TaylorPlan::k_unbounded);
        std::fill_n(degree.begin(), plan_.n_constants, 0);
        if (plan_.time != TaylorPlan::k_none) degree[plan_.time] = 1;
        bool changed = true;
        for (int pass = 0; changed && pass < k_passes; ++pass) {
            const auto before = degree;
            for (std::size_t i = 0; i < plan_.states.size(); ++i) {
                degree[plan_.states[i]] = raised(degree[plan_.rates[i]]);
            }
            for (const JetRule& r : plan_.rules) bound_degree(r);
            changed = degree != before;
        }
    }
    static std::uint32_t plus(std::uint32_t a, std::uint32_t b) {
        constexpr std::uint32_t k_largest = 1000; // beyond every order
        return a > k_largest || b > k_largest ? TaylorPlan::k_unbounded : a + b;
    }
    static std::uint32_t raised(std::uint32_t a) { return plus(a, 1); }

    void bound_degree(const JetRule& r) {
        auto& degree = plan_.degree;
        const auto of = [&](Slot s) { return degree[s]; };
        switch (r.kind) {
        case Jet::value: degree[r.dst] = 0; break;
        case Jet::add:
        case Jet::sub: degree[r.dst] = std::max(of(r.a), of(r.b)); break;
        case Jet::neg: degree[r.dst] = of(r.a); break;
        case Jet::mul: degree[r.dst] = plus(of(r.a), of(r.b)); break;
        case Jet::mul_add: degree[r.dst] = std::max(plus(of(r.a), of(r.b)), of(r.c)); break;
        case Jet::residual: degree[r.dst] = of(r.a) == 0 ? of(r.c) : TaylorPlan::k_unbounded; break;
        case Jet::square: degree[r.dst] = plus(of(r.a), of(r.a)); break;
        case Jet::square_add: degree[r.dst] = std::max(plus(of(r.a), of(r.a)), of(r.c)); break;
        case Jet::div: degree[r.dst] = of(r.b) == 0 ? of(r.a) : TaylorPlan::k_unbounded; break;
        case Jet::sqrt: degree[r.dst] = of(r.a) == 0 ? 0 : TaylorPlan::k_unbounded; break;
        case Jet::select: degree[r.dst] = std::max(of(r.b), of(r.c)); break;
        case Jet::derivative:
            degree[r.dst] = of(r.a) == TaylorPlan::k_unbounded ? TaylorPlan::k_unbounded
                                                               : std::max(of(r.a), 1U) - 1;
            break;
        case Jet::integral:
        case Jet::integral_minus: degree[r.dst] = raised(of(r.c)); break;
        case Jet::growth:
        case Jet::growth_minus: // made after the degrees are known
            break;
        case Jet::factor: degree[r.dst] = 0; break;
        case Jet::solve: {
            const auto& rhs = plan_.solutions[r.a].rhs;
            std::uint32_t bound = 0;
            for (Slot s : rhs) bound = std::max(bound, of(s));
            for (Slot s = 0; s < rhs.size(); ++s) degree[r.dst + s] = bound;
            break;
        }
        }
    }

    // The integral of a product with a constant needs no product: (b/k) is known before the step begins.
    void find_growth() {
        std::vector<const JetRule*> producer(plan_.n_slots, nullptr);
        for (const JetRule& r : plan_.rules) {
            if (r.kind == Jet::mul && r.late) producer[r.dst] = &r;
        }
        for (JetRule& r : plan_.rules) {
            const bool minus = r.kind == Jet::integral_minus;
            if ((r.kind != Jet::integral && !minus) || r.code == Code::pow || r.code == Code::atan2)
                continue;
            const JetRule* source = producer[r.c];
            if (source == nullptr || (plan_.degree[source->a] != 0 && plan_.degree[source->b] != 0))
                continue;
            r.kind = minus ? Jet::growth_minus : Jet::growth;
            const bool first = plan_.degree[source->a] == 0;
            r.b = first ? source->a : source->b;
            r.c = first ? source->b : source->a;
        }
    }

    // Drops rules that neither a rate nor an output needs and marks those an output needs.
    void keep_needed() {
        std::vector<std::size_t> producer(plan_.n_slots, plan_.rules.size());
        std::vector<std::size_t> factors(plan_.systems.size(), plan_.rules.size());
        for (std::size_t i = 0; i < plan_.rules.size(); ++i) {
            const JetRule& r = plan_.rules[i];
            if (r.kind == Jet::factor) factors[r.a] = i;
            for (std::uint32_t s = 0; s < width(r); ++s) producer[r.dst + s] = i;
        }
        const auto mark = [&](const std::vector<Slot>& roots) {
            std::vector<char> needed(plan_.rules.size(), 0);
            std::vector<Slot> stack = roots;
            const auto need = [&](std::size_t i) {
                if (i == plan_.rules.size() || needed[i] != 0) return;
                needed[i] = 1;
                const JetRule& r = plan_.rules[i];
                if (r.kind == Jet::solve) {
                    const Solution& solution = plan_.solutions[r.a];
                    stack.insert(stack.end(), solution.rhs.begin(), solution.rhs.end());
                    if (factors[solution.factor] != plan_.rules.size()) {
                        stack.push_back(plan_.rules[factors[solution.factor]].dst);
                    }
                } else if (r.kind == Jet::factor) {
                    const auto& entries = plan_.systems[r.a].entries;
                    stack.insert(stack.end(), entries.begin(), entries.end());
                } else if (r.code == Code::table) {
                    stack.push_back(r.a);
                } else {
                    stack.insert(stack.end(), {r.a, r.b, r.c});
                }
            };
            while (!stack.empty()) {
                const Slot s = stack.back();
                stack.pop_back();
                need(producer[s]);
            }
            return needed;
        };
        std::vector<Slot> roots = plan_.rates;
        roots.insert(roots.end(), plan_.singular.begin(), plan_.singular.end());
        roots.insert(roots.end(), plan_.redundant.begin(), plan_.redundant.end());
        const auto for_rates = mark(roots);
        const auto for_outputs = mark(plan_.outputs);
        std::vector<JetRule> kept;
        for (std::size_t i = 0; i < plan_.rules.size(); ++i) {
            if (for_rates[i] == 0 && for_outputs[i] == 0) continue;
            kept.push_back(plan_.rules[i]);
            kept.back().for_outputs = for_outputs[i] != 0;
        }
        plan_.rules = std::move(kept);
    }
    [[nodiscard]] std::uint32_t width(const JetRule& r) const {
        return r.kind == Jet::solve ? static_cast<std::uint32_t>(plan_.solutions[r.a].rhs.size())
                                    : 1;
    }

    TaylorPlan& plan_;
};

} // namespace

void reduce(TaylorPlan& plan) { Reduction(plan).run(); }

std::size_t TaylorPlan::cost(unsigned order) const {
    const std::size_t n = order + 1;
    const auto rounds = [&](std::uint32_t dst) {
        return std::min<std::size_t>(degree[dst], order) + 1;
    };
    const auto product = [&](std::uint32_t a, std::uint32_t b) {
        const std::size_t narrow = std::min({degree[a], degree[b], order}) + std::size_t{1};
        const std::size_t wide = std::min(std::max(degree[a], degree[b]), order) + std::size_t{1};
        return narrow * wide - (wide < n ? 0 : narrow * (narrow - 1) / 2);
    };
    std::size_t total = 0;
    for (const JetRule& r : rules) {
        switch (r.kind) {
        case Jet::value: total += 1; break;
        case Jet::mul:
        case Jet::mul_add:
        case Jet::residual: total += product(r.a, r.b); break;
        case Jet::square:
        case Jet::square_add: total += product(r.a, r.a) / 2 + 1; break;
        case Jet::div: total += product(r.b, r.dst) + n; break;
        case Jet::sqrt: total += product(r.dst, r.dst) / 2 + n; break;
        case Jet::factor: {
            const std::size_t m = systems[r.a].structure->n;
            total += m * m * m / 3;
            break;
        }
        case Jet::solve: {
            const std::size_t m = solutions[r.a].rhs.size();
            total += n * m * m;
            break;
        }
        default: total += rounds(r.dst);
        }
    }
    return total;
}

} // namespace liaison::compile
