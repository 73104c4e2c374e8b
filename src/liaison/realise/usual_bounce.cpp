// SPDX-License-Identifier: Apache-2.0
// Numbers of a bounce as expressions, and the conditions under which nothing else happens at it.
#include "liaison/realise/usual_bounce.hpp"

#include "liaison/equations/row.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/laws/normal_impact.hpp"
#include "liaison/realise/restitution_range.hpp"

namespace liaison::realise {
namespace {

using Eigen::Index;
using flow::Instant;

constexpr std::size_t k_most_sides = 8;

// Of one side: gap rate, restitution, D_kk, free gap acceleration, then the response of the velocities.
enum BounceNumber : std::size_t { rate, coefficient, delassus, acceleration, response };

std::vector<expr::Expr> numbers_of(const flow::Flow& flow, const ContactProblem& problem) {
    expr::Pool& pool = *flow.pool;
    const auto& structure = problem.structure();
    const std::span all(problem.expressions());
    const std::size_t n = structure->n;
    const expr::Expr factor = pool.factor(structure, all.first(structure->entries.size()));
    const auto free = pool.solve(factor, all.subspan(structure->entries.size(), n));
    std::vector<expr::Expr> numbers;
    for (const ContactSide& side : problem.sides()) {
        std::vector<expr::Expr> load(n, pool.number(0));
        for (const equations::RowEntry& e : side.normal.W) load[e.index] = e.value;
        const auto answer = pool.solve(factor, load);
        numbers.push_back(side.normal.rate);
        numbers.push_back(side.restitution);
        numbers.push_back(equations::dot(pool, side.normal.W, answer));
        numbers.push_back(equations::dot(pool, side.normal.W, free) + side.normal.drift);
        numbers.insert(numbers.end(), answer.begin(),
                       answer.begin() + static_cast<std::ptrdiff_t>(problem.velocities()));
    }
    return numbers;
}

class UsualBounce final : public flow::UsualReset {
  public:
    UsualBounce(const flow::Flow& flow, const ContactSlots& slots, std::size_t first_guard,
                Eigen::VectorXd start_D)
        : UsualReset(numbers_of(flow, slots.problem())), slots_(slots), guard_(first_guard),
          start_D_(std::move(start_D)) {}

    [[nodiscard]] Result apply(const flow::Firing& fired, const double* numbers, std::size_t stride,
                               Instant& now) const override {
        if ((fired.guard - guard_) % 2 != 0) return {}; // a reaction
        const auto k = static_cast<Index>((fired.guard - guard_) / 2);
        const std::size_t width = response + slots_.problem().velocities();
        const double* const first = numbers + static_cast<std::size_t>(k) * width * stride;
        const auto number = [&](std::size_t j) { return first[j * stride]; };
        if (slots_.any_closed(now) || !in_range(number(coefficient))) return {};
        if (!(number(delassus) > k_vanished_gradient * start_D_(k))) return {};
        const double still = slots_.rate_tolerance(now);
        const auto impact = laws::lone_impact(number(delassus), number(rate), number(coefficient));
        if (!(number(rate) < -still) || !(impact.rate_after > still)) return {};
        if (number(coefficient) != 1.0 &&
            !slots_.bounces_high(now, impact.rate_after, number(acceleration), number(coefficient)))
            return {};
        const CommonChatter chatter(slots_.chatter(now, k), now.time.rounded());
        if (chatter.may_end(now.tolerance)) return {};

        chatter.remember(slots_.chatter(now, k));
        slots_.last_time(now, k) = now.time.rounded();
        for (std::size_t i = 0; i < slots_.problem().velocities(); ++i)
            now.state[slots_.positions() + i] += impact.impulse * number(response + i);
        return {true, flow::EventKind::impact, {fired.guard, 1, false}};
    }

  private:
    ContactSlots slots_;
    std::size_t guard_;
    Eigen::VectorXd start_D_;
};

} // namespace

std::shared_ptr<const flow::UsualReset> usual_bounce(const flow::Flow& flow,
                                                     const ContactSlots& slots,
                                                     std::size_t first_guard,
                                                     const Eigen::VectorXd& start_D) {
    if (slots.problem().sides().size() > k_most_sides) return nullptr;
    return std::make_shared<UsualBounce>(flow, slots, first_guard, start_D);
}

} // namespace liaison::realise
