// SPDX-License-Identifier: Apache-2.0
// Laws of violations that drive them away: f = 0 would repel.
//
//   ḟ = −p f                  p ≥ 0
//   f̈ = −ω² f − 2ζω ḟ        ζω ≥ 0
//   f̈ = a f + b ḟ            a ≤ 0, b ≤ 0
// With equality nothing decays and nothing grows, as with multipliers alone; that may be wanted for comparison.
#include "liaison/prepare/work.hpp"

#include <fmt/format.h>

namespace liaison::prepare {
namespace {

using model::Stabilise;

class Laws {
  public:
    explicit Laws(Work& work) : work_(work) {}

    void look_at(const model::Constraint& c) {
        const Stabilise& law = c.stabilise;
        switch (law.kind) {
        case Stabilise::Kind::automatic:
        case Stabilise::Kind::none: return;
        case Stabilise::Kind::rate:
            if (at(law.p) < 0.0) tell(c, law.p, fmt::format("p = {:.6g}", at(law.p)));
            return;
        case Stabilise::Kind::oscillator:
            if (at(law.damping) * at(law.frequency) < 0.0)
                tell(c, law.damping, fmt::format("damping = {:.6g}", at(law.damping)));
            return;
        case Stabilise::Kind::matrix: break;
        }
        // A longer row couples the constraint with others.
        const auto& row = law.rows.front();
        if (row.size() > 2) return;
        for (const model::Formula& entry : row) {
            if (at(entry) > 0.0) {
                tell(c, entry, fmt::format("{:.6g} is positive", at(entry)));
                return;
            }
        }
    }

  private:
    [[nodiscard]] double at(const model::Formula& formula) const {
        return formula ? work_.at(formula.expr) : 0.0;
    }

    void tell(const model::Constraint& c, const model::Formula& where, std::string what) {
        work_.diagnostics
            .report(base::Code::value_out_of_range,
                    fmt::format("the law of constraint {} drives violations away", c.name))
            .at(where.span ? where.span : c.stabilise.span, std::move(what))
            .note("stabilise = { p = 50 } makes them die out; entries of a row are negative: "
                  "[[-40, -13]] means f'' = -40 f - 13 f'");
    }

    Work& work_;
};

} // namespace

void check_laws(Work& work) {
    Laws laws(work);
    for (const model::Constraint& c : work.model.constraints) laws.look_at(c);
}

} // namespace liaison::prepare
