// SPDX-License-Identifier: Apache-2.0
// What an owner does in the usual case, from numbers that many motions compute side by side.
#pragma once

#include "liaison/expr/expr.hpp"
#include "liaison/flow/transition.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace liaison::flow {

// The usual case is one guard that fires alone and a state that goes on at once: a bounce far above all tolerances, an
// event that sets a velocity. Whatever else happens is left to Transition::transit.
class UsualReset {
  public:
    virtual ~UsualReset() = default;

    // Functions of (t, x, p, mode) just before the reset.
    [[nodiscard]] const std::vector<expr::Expr>& numbers() const { return numbers_; }

    struct Result {
        bool usual = false; // else nothing was changed
        EventKind kind = EventKind::user;
        Armed armed; // the guard, zero by construction now
    };
    // Changes state and mode as transit() would. Number j is at [j·stride].
    [[nodiscard]] virtual Result apply(const Firing& fired, const double* numbers,
                                       std::size_t stride, Instant& now) const = 0;

  protected:
    explicit UsualReset(std::vector<expr::Expr> numbers) : numbers_(std::move(numbers)) {}

  private:
    std::vector<expr::Expr> numbers_;
};

// A transition that lets motions be computed side by side: they ask before they leave a call to it out.
class LaneOwner {
  public:
    virtual ~LaneOwner() = default;

    // Whether settle() may change anything in this mode.
    [[nodiscard]] virtual bool settles(const Instant& now) const = 0;
    // Whether a jump of another owner concerns this one.
    [[nodiscard]] virtual bool listens(const Instant& now) const = 0;
    // What transit() does in the usual case; null: transit() is always asked.
    [[nodiscard]] virtual std::shared_ptr<const UsualReset> usual_reset(const Flow& flow) const {
        (void)flow;
        return nullptr;
    }
};

} // namespace liaison::flow
