// SPDX-License-Identifier: Apache-2.0
// Which rules become code, which sums run side by side, where everything lies.
#include "liaison/compile/taylor_rounds.hpp"

#include "liaison/compile/taylor_series.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <tuple>

namespace liaison::compile {
namespace {

class RoundPlanner {
  public:
    RoundPlanner(const TaylorPlan& plan, unsigned order, std::uint32_t lanes, std::uint32_t width)
        : plan_(plan) {
        out_.order = order;
        out_.lanes = lanes;
        out_.width = lanes == 1 ? width : 1;
        out_.n_series = plan.n_slots - plan.n_constants;
    }

    RoundPlan run() {
        sort_rules();
        find_sums();
        lay_out();
        cut();
        return std::move(out_);
    }

  private:
    static constexpr std::uint32_t k_none = RoundPlan::k_none;

    // Rules for outputs need only each other: they come first, and the last round ends behind them.
    void sort_rules() {
        out_.by_hand.assign(plan_.rules.size(), k_none);
        for (const bool for_outputs : {true, false}) {
            for (std::uint32_t i = 0; i < plan_.rules.size(); ++i) {
                const JetRule& r = plan_.rules[i];
                if (r.for_outputs != for_outputs || !moves(r)) continue;
                out_.sequence.push_back(i);
                if (unusual(r)) out_.by_hand[i] = out_.n_by_hand++;
            }
            if (for_outputs) n_for_outputs_ = static_cast<std::uint32_t>(out_.sequence.size());
        }
    }
    [[nodiscard]] bool moves(const JetRule& r) const {
        if (r.kind == Jet::value || r.kind == Jet::factor) return false;
        return r.late || plan_.degree[r.dst] > 0;
    }
    [[nodiscard]] bool whole(std::uint32_t slot) const { return plan_.degree[slot] >= out_.order; }
    [[nodiscard]] bool short_series(std::uint32_t slot) const {
        return plan_.degree[slot] > 0 && !whole(slot);
    }
    // Kernels, and series that end before the last order: rare, and as many cases as orders.
    [[nodiscard]] bool unusual(const JetRule& r) const {
        if (r.kind == Jet::solve || short_series(r.dst)) return true;
        switch (r.kind) {
        case Jet::mul: return short_series(r.a) || short_series(r.b);
        case Jet::mul_add:
        case Jet::residual: return r.late || short_series(r.a) || short_series(r.b);
        case Jet::div: return short_series(r.b);
        case Jet::square:
        case Jet::square_add: return r.late || short_series(r.a);
        case Jet::growth:
        case Jet::growth_minus:
        case Jet::integral:
        case Jet::integral_minus:
        case Jet::sqrt:
        case Jet::select: return r.late;
        default: return false;
        }
    }

    [[nodiscard]] std::optional<InnerSum> sum_of(const JetRule& r) const {
        using Shape = InnerSum::Shape;
        const auto sum = [&](Shape shape, std::uint32_t a, std::uint32_t b) {
            return whole(a) && whole(b)
                       ? std::optional(InnerSum{.shape = shape, .late = r.late, .a = a, .b = b})
                       : std::nullopt;
        };
        switch (r.kind) {
        case Jet::mul:
        case Jet::mul_add: return sum(Shape::full, r.a, r.b);
        case Jet::residual: return sum(Shape::tail, r.a, r.b);
        case Jet::div: return sum(Shape::tail, r.b, r.dst);
        case Jet::square:
        case Jet::square_add: return sum(Shape::square, r.a, r.a);
        case Jet::sqrt: return sum(Shape::square, r.dst, r.dst);
        default: return std::nullopt;
        }
    }

    void find_sums() {
        out_.sum_of.assign(plan_.rules.size(), k_none);
        const auto group = [&](std::uint32_t begin, std::uint32_t end) {
            std::vector<std::pair<InnerSum, std::uint32_t>> found;
            for (std::uint32_t i = begin; i < end; ++i) {
                const std::uint32_t rule = out_.sequence[i];
                if (out_.by_hand[rule] != k_none) continue;
                if (const auto sum = sum_of(plan_.rules[rule])) found.emplace_back(*sum, rule);
            }
            const auto kind = [](const auto& x) { return std::tuple(x.first.shape, x.first.late); };
            std::stable_sort(found.begin(), found.end(),
                             [&](const auto& x, const auto& y) { return kind(x) < kind(y); });
            for (std::size_t i = 0; i < found.size(); ++i) {
                out_.sum_of[found[i].second] = static_cast<std::uint32_t>(out_.sums.size());
                out_.sums.push_back(found[i].first);
                if (i + 1 == found.size() || kind(found[i + 1]) != kind(found[i])) fill_up();
            }
        };
        group(0, n_for_outputs_);
        sums_for_outputs_ = static_cast<std::uint32_t>(out_.sums.size());
        group(n_for_outputs_, static_cast<std::uint32_t>(out_.sequence.size()));
    }
    void fill_up() {
        InnerSum nothing = out_.sums.back();
        nothing.a = nothing.b = k_none;
        while (out_.sums.size() % out_.width != 0) out_.sums.push_back(nothing);
    }

    void lay_out() {
        out_.chains = plan_.n_constants + std::size_t{out_.n_series} * (out_.order + 1U);
        out_.packs = out_.chains + 2 * out_.sums.size();
        out_.clock = out_.packs;
        out_.packed.resize(plan_.n_slots);
        if (out_.width > 1) {
            for (std::uint32_t i = 0; i < out_.sums.size(); ++i) {
                const std::uint32_t lane = i % out_.width;
                const InnerSum& s = out_.sums[i];
                if (s.a == k_none) continue;
                out_.packed[s.a].push_back(out_.pack(i - lane, 0) + lane);
                if (s.shape != InnerSum::Shape::square)
                    out_.packed[s.b].push_back(out_.pack(i - lane, 1) + lane);
            }
            out_.clock = out_.pack(static_cast<std::uint32_t>(out_.sums.size()), 0);
        }
        out_.size = out_.clock + 1;
    }

    // Functions of a length that LLVM takes in linear time.
    void cut() {
        using Kind = RoundPlan::Part::Kind;
        constexpr std::uint32_t k_rules = 64;
        constexpr std::uint32_t k_sums = 128; // registers of sums
        const auto parts = [&](RoundPlan::Round& round, Kind kind, std::uint32_t begin,
                               std::uint32_t end, std::uint32_t longest) {
            for (; begin < end; begin += longest)
                round.parts.push_back({kind, begin, std::min(end, begin + longest)});
        };
        for (RoundPlan::Round* round : {&out_.first, &out_.later}) {
            const bool chains = round == &out_.later;
            const auto n_sums = static_cast<std::uint32_t>(out_.sums.size());
            const auto n_rules = static_cast<std::uint32_t>(out_.sequence.size());
            round->parts.push_back({Kind::states, 0, 0});
            if (chains) parts(*round, Kind::sums, 0, sums_for_outputs_, k_sums * out_.width);
            parts(*round, Kind::rules, 0, n_for_outputs_, k_rules);
            round->for_outputs = round->parts.size();
            if (chains) parts(*round, Kind::sums, sums_for_outputs_, n_sums, k_sums * out_.width);
            parts(*round, Kind::rules, n_for_outputs_, n_rules, k_rules);
        }
    }

    const TaylorPlan& plan_;
    RoundPlan out_;
    std::uint32_t n_for_outputs_ = 0;
    std::uint32_t sums_for_outputs_ = 0;
};

} // namespace

RoundPlan plan_rounds(const TaylorPlan& plan, unsigned order, std::uint32_t lanes,
                      std::uint32_t width) {
    return RoundPlanner(plan, order, lanes, width).run();
}

std::vector<double> round_numbers(unsigned k, std::uint32_t lanes) {
    std::vector<double> numbers;
    const auto number = [&](double x) { numbers.insert(numbers.end(), lanes, x); };
    const auto half = [](unsigned n) { return n % 2 == 0 && n > 0 ? 0.5 : 0.0; };
    const Reciprocal inverse = reciprocal(k);
    number(inverse.high);
    number(inverse.low);
    number(k);
    number(half(k));
    number(half(k - 1));
    for (const std::int64_t n : {std::int64_t{k}, std::int64_t{k} - 1}) {
        // Coefficients j = middle, middle − 1 … 1 of the low chain, middle + 1 … n − 1 of the high one.
        const auto whole = [&](std::int64_t x) {
            numbers.push_back(std::bit_cast<double>(std::max<std::int64_t>(x, 0)));
        };
        const std::int64_t middle = n / 2;
        const std::int64_t tail_middle = (n + 1) / 2;
        whole(n);
        whole(middle);
        whole(n - 1 - middle);
        whole(std::min(tail_middle, n - 1));
        whole(n - 1 - tail_middle);
        whole((n - 1) / 2);
    }
    return numbers;
}

} // namespace liaison::compile
