// SPDX-License-Identifier: Apache-2.0
// The order that suits a motion of many pieces, learnt from its first steps.
#pragma once

#include "liaison/compile/taylor_plan.hpp"
#include "liaison/solve/double_length.hpp"

#include <optional>
#include <vector>

namespace liaison::motion {

// The order of least work per unit of time (compile::order_for) supposes that steps are as long as they may be. Between
// events that are a few steps apart they are not: a piece takes ⌈L⌉ steps, L its length in steps, and a
// little more reach may save a whole one, or a little less cost nothing. So the first steps are watched, the order
// of least work for pieces like theirs is tried, and kept if it needs less work on what it meets. Counts decide, never the
// clock: the same motion takes the same orders.
class OrderStudy {
  public:
    OrderStudy(unsigned order, double tolerance, double proof)
        : order_(order), first_(order), tolerance_(tolerance), proof_(proof) {}

    [[nodiscard]] bool settled() const { return phase_ == Phase::settled; }
    void settle() { phase_ = Phase::settled; }

    // A second order whose reach is to be told with every step: it shows how the reach grows with the order.
    [[nodiscard]] unsigned other() const;

    // A step begins; with the order at hand and with the other one it could be so long.
    void begin(solve::DoubleLength time, double reach, double reach_of_other);
    // The next one begins; `rounding` of the last step in units of what the tolerance allows. An order to change to, if any.
    std::optional<unsigned> end(solve::DoubleLength time, double rounding,
                                const compile::TaylorPlan& plan);

    // How long the last step was; nothing before the first and after a jump backwards.
    [[nodiscard]] std::optional<double> elapsed(solve::DoubleLength time) const;

  private:
    enum class Phase { watching, trying, settled };

    // Lengths of a piece in steps of the order at hand and of the other one, and the steps it took.
    struct Piece {
        double length = 0.0;
        double other = 0.0;
        int steps = 0;
    };

    void restart();
    [[nodiscard]] double gain(unsigned order) const;
    [[nodiscard]] unsigned best(const compile::TaylorPlan& plan) const;
    [[nodiscard]] bool worth_it(const compile::TaylorPlan& plan) const;

    Phase phase_ = Phase::watching;
    unsigned order_;
    unsigned first_;
    double tolerance_;
    double proof_;

    std::optional<solve::DoubleLength> begun_;
    double reach_ = 0.0;
    double reach_of_other_ = 0.0;

    int calls_ = 0;
    int steps_ = 0;
    Piece piece_;
    std::vector<Piece> pieces_;
    double growth_ =
        0.0; // Σ w ln(reach/reach of the other), w the share of its reach that a step went
    double compared_ = 0.0; // Σ w
    double rounding_ = 0.0;
};

} // namespace liaison::motion
