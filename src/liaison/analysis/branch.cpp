// SPDX-License-Identifier: Apache-2.0
// The walk along a branch in both directions: predictor, step control, ends; and the change to the branches that
// leave it.
#include "liaison/analysis/branch.hpp"

#include "liaison/analysis/orbit_curve.hpp"
#include "liaison/analysis/special_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::analysis {
namespace {

using Eigen::VectorXd;

class Walk {
  public:
    explicit Walk(OrbitCurve& curve) : curve_(curve) { begin_.z = curve.first(); }

    // Both directions from the first orbit; false: it is not on a branch.
    bool both(Branch& branch) {
        VectorXd along = VectorXd::Zero(begin_.z.size());
        along(along.size() - 1) = 1.0;
        if (!curve_.correct(begin_.z, along, begin_.z, 0.0) || !curve_.stand_at(begin_, along)) {
            branch.reason = fmt::format("the first orbit cannot be followed: {}", curve_.failure());
            return false;
        }
        branch.phase = curve_.phase();
        Branch ahead;
        Branch back;
        branch.closed = walk(1.0, ahead);
        if (!branch.closed) walk(-1.0, back);
        std::reverse(back.points.begin(), back.points.end());
        std::reverse(back.special.begin(), back.special.end());
        for (SpecialPoint& s : back.special) s.after = back.points.size() - s.after;
        for (SpecialPoint& s : ahead.special) s.after += back.points.size() + 1;
        branch.points = std::move(back.points);
        branch.points.push_back(begin_.point);
        std::move(ahead.points.begin(), ahead.points.end(), std::back_inserter(branch.points));
        branch.special = std::move(back.special);
        std::move(ahead.special.begin(), ahead.special.end(), std::back_inserter(branch.special));
        branch.notes = std::move(back.notes);
        std::move(ahead.notes.begin(), ahead.notes.end(), std::back_inserter(branch.notes));
        return true;
    }

    // From a crossing, where the first orbit lies on two branches, along the one on which the parameter begins by
    // standing still. Its two directions are one family: the same orbits half a period later.
    void other(Branch& branch) {
        const auto direction = curve_.crossing(begin_.z);
        if (!direction || !curve_.stand_at(begin_, *direction)) {
            branch.reason = "no direction leads away from the crossing";
            return;
        }
        begin_.tangent = *direction;
        branch.phase = curve_.phase();
        branch.closed = walk(1.0, branch, true);
    }

  private:
    // One direction; true: the branch closed. `switched`: it begins where branches cross, which is no point of its own.
    bool walk(double direction, Branch& out, bool switched = false) {
        const double largest = curve_.options().largest_step;
        constexpr double k_smallest = 1e-7;
        Stand here = begin_;
        Stand before = begin_;
        curve_.return_to(begin_);
        if (here.tangent(here.tangent.size() - 1) * direction < 0) here.tangent = -here.tangent;
        if (here.tangent(here.tangent.size() - 1) == 0.0) here.tangent *= direction;
        const VectorXd heading = here.tangent;
        const double way = heading(heading.size() - 1);
        const double from = begin_.point.parameter;
        // The first orbit may stand at an end of the range: nothing lies beyond.
        if ((way < 0.0 && from <= curve_.options().low) ||
            (way > 0.0 && from >= curve_.options().high)) {
            out.special.push_back({"end", "end of the range", begin_.point, out.points.size()});
            return false;
        }
        constexpr double k_straight = 0.966; // cos 15°
        double ds = 0.25 * largest;
        double travelled = 0.0;
        while (out.points.size() < curve_.options().most_points) {
            if (curve_.options().orbit.interrupted()) {
                out.notes.emplace_back("interrupted");
                break;
            }
            Stand next;
            next.z = here.z + ds * here.tangent;
            const bool good = curve_.correct(next.z, here.tangent, here.z, ds);
            const double mu = curve_.parameter(next.z);
            if (good && (mu <= curve_.options().low || mu >= curve_.options().high)) {
                end_at(here,
                       mu <= curve_.options().low ? curve_.options().low : curve_.options().high,
                       ds, out);
                return false;
            }
            if (!good || !curve_.stand_at(next, here.tangent) ||
                (next.tangent.dot(here.tangent) < k_straight && ds > 100 * k_smallest)) {
                ds *= 0.5;
                if (ds < k_smallest) {
                    lost(before, here, out);
                    return false;
                }
                continue;
            }
            const int taken = curve_.iterations();
            if (!(switched && out.points.empty())) locate(here, next, ds, out);
            travelled += ds;
            if (!next.point.orbit.admissible && !out.special.empty() &&
                out.special.back().kind == "corner") {
                lost(before, next, out);
                return false;
            }
            out.points.push_back(next.point);
            if (travelled > 4 * largest && (next.z - begin_.z).norm() < ds &&
                next.tangent.dot(heading) > k_straight)
                return true;
            before = std::move(here);
            here = std::move(next);
            curve_.recut(here);
            if (taken <= 3) ds *= 2.0;
            ds = std::min(ds, longest_step(here));
        }
        out.notes.push_back(fmt::format("{} points were made; the branch goes on at {} = {:.9g}",
                                        out.points.size(), curve_.name(), here.point.parameter));
        out.special.push_back({"end", out.notes.back(), here.point, out.points.size()});
        return false;
    }

    // The largest share of the range, or of the size of the orbits here, which may have grown since the first.
    [[nodiscard]] double longest_step(const Stand& here) const {
        const Eigen::Index last = here.z.size() - 1;
        const double largest = curve_.options().largest_step;
        const double grown = std::max(1.0, here.z.head(last).norm());
        return largest * std::min(grown, 1.0 / std::abs(here.tangent(last)));
    }

    // No step leads on. An impact that comes ever slower is the end of orbits with this impact; two events at once are the
    // end of orbits with this order.
    void lost(const Stand& before, const Stand& here, Branch& out) {
        const std::string failure = curve_.failure();
        const std::string known = out.special.empty() ? std::string() : out.special.back().kind;
        auto grazing = here.point.orbit.admissible ? grazing_ahead(curve_, before, here)
                                                   : std::optional<SpecialPoint>();
        if (!grazing && known != "grazing" && known != "corner" && here.point.orbit.admissible) {
            if (auto corner = corner_ahead(curve_, before, here)) {
                corner->after = out.points.size();
                out.special.push_back(std::move(*corner));
                return lost(before, here, out);
            }
        }
        const bool ends = known == "grazing" || known == "corner";
        const BranchPoint last = grazing ? grazing->point
                                 : ends  ? out.special.back().point
                                         : here.point;
        const double at = last.parameter;
        if (grazing || known == "grazing") {
            out.notes.push_back(fmt::format(
                "beyond the grazing at {} = {:.9g} there are no orbits with this impact",
                curve_.name(), at));
        } else if (known == "corner") {
            out.notes.push_back(
                fmt::format("beyond the corner at {} = {:.9g} the events come in another order",
                            curve_.name(), at));
        } else {
            out.notes.push_back(
                fmt::format("the branch is lost near {} = {:.9g}: {}", curve_.name(), at, failure));
        }
        if (grazing) {
            grazing->after = out.points.size();
            out.special.push_back(std::move(*grazing));
        }
        out.special.push_back({"end", out.notes.back(), last, out.points.size()});
    }

    void end_at(const Stand& here, double bound, double ds, Branch& out) {
        VectorXd across = VectorXd::Zero(here.z.size());
        across(across.size() - 1) = 1.0;
        const double target = curve_.scaled(bound);
        Stand last;
        const double slope = here.tangent(here.tangent.size() - 1);
        last.z = here.z + here.tangent * std::clamp((target - here.z(here.z.size() - 1)) / slope,
                                                    0.0, 2.0 * ds);
        VectorXd zero = VectorXd::Zero(here.z.size());
        if (!curve_.correct(last.z, across, zero, target) || !curve_.stand_at(last, here.tangent)) {
            out.notes.push_back(
                fmt::format("the end of the range could not be reached: {}", curve_.failure()));
            out.special.push_back({"end", out.notes.back(), here.point, out.points.size()});
            return;
        }
        last.point.parameter = bound;
        locate(here, last, here.tangent.dot(last.z - here.z), out);
        out.points.push_back(last.point);
        out.special.push_back({"end", "end of the range", last.point, out.points.size()});
    }

    void locate(const Stand& here, const Stand& next, double ds, Branch& out) {
        auto found = special_points(curve_, here, next, ds);
        for (SpecialPoint& s : found) s.after = out.points.size();
        std::move(found.begin(), found.end(), std::back_inserter(out.special));
    }

    OrbitCurve& curve_;
    Stand begin_;
};

// The orbit run through twice, as an orbit of twice the period.
Orbit twice(const Orbit& orbit) {
    Orbit result = orbit;
    result.period *= 2.0;
    result.periods *= 2;
    result.copies *= 2;
    std::vector<Leg> again = orbit.legs;
    for (Leg& leg : again) leg.time += orbit.period;
    std::vector<Leg>& legs = result.legs;
    if (orbit.legs.back().fired.empty()) {
        // The last leg ends with the period and not with an event: it goes on as the first.
        legs.back().duration += again.front().duration;
        legs.back().fired = again.front().fired;
        legs.back().kind = again.front().kind;
        again.erase(again.begin());
    }
    legs.insert(legs.end(), again.begin(), again.end());
    return result;
}

void follow_doublings(const std::shared_ptr<const flow::Flow>& flow, const BranchOptions& options,
                      int generations, Branch& branch) {
    if (generations <= 0) return;
    BranchOptions whole =
        options; // the orbits beyond are not symmetric, or not over half their period
    whole.orbit.symmetry = nullptr;
    whole.phase = branch.phase;
    for (std::size_t i = 0; i < branch.special.size() && !options.orbit.interrupted(); ++i) {
        const SpecialPoint& at = branch.special[i];
        const bool doubles = at.kind == "period_doubling";
        if ((!doubles && at.kind != "symmetry_breaking") || !at.point.orbit.admissible) continue;
        OrbitCurve curve(flow, whole, doubles ? twice(at.point.orbit) : at.point.orbit,
                         at.point.parameter);
        Branch doubled;
        Walk(curve).other(doubled);
        doubled.from = i;
        follow_doublings(flow, whole, generations - 1, doubled);
        branch.switched.push_back(std::move(doubled));
    }
}

// From the orbit that was found first, with the doublings of its branch.
Branch follow_from(const std::shared_ptr<const flow::Flow>& flow, const BranchOptions& options,
                   const Orbit& first) {
    Branch branch;
    if (!first.found) {
        branch.reason = first.reason;
        return branch;
    }
    if (first.legs.empty()) {
        branch.reason = "impacts accumulate on this orbit: infinitely many legs cannot be followed";
        return branch;
    }
    OrbitCurve curve(flow, options, first);
    if (Walk(curve).both(branch)) follow_doublings(flow, options, options.doublings, branch);
    return branch;
}

// Just beyond a change of events the motion, left to itself, settles on another orbit. Where it settles on none, as where
// chaos begins, the orbit is taken that the lost one becomes: of the same period, with the events that the motion from it
// meets now.
Orbit orbit_beyond(const std::shared_ptr<const flow::Flow>& flow, const OrbitOptions& options,
                   const Orbit& lost) {
    constexpr double k_periods = 100.0; // to settle
    OrbitOptions there = options;
    there.settle = k_periods * lost.period;
    there.periods = 0;
    Orbit settled = find_orbit(flow, there);
    if (settled.found && settled.stable && settled.admissible) return settled;
    there.settle = 0.0;
    there.periods = lost.periods;
    there.longest = 2.5 * lost.period; // autonomous: to come back to the event it begins with
    Orbit persisting = find_orbit(flow, there);
    const bool better = persisting.found && persisting.admissible;
    return better || !settled.found ? persisting : settled;
}

void follow_beyond(const std::shared_ptr<const flow::Flow>& flow, const BranchOptions& options,
                   Branch& branch) {
    constexpr double k_aside = 0.005; // of the range
    for (Branch& doubled : branch.switched) follow_beyond(flow, options, doubled);
    for (std::size_t i = 0; i < branch.special.size() && !options.orbit.interrupted(); ++i) {
        const SpecialPoint& at = branch.special[i];
        if (at.beyond == 0) continue;
        const double value =
            at.point.parameter + at.beyond * k_aside * (options.high - options.low);
        if (value <= options.low || value >= options.high) continue;
        auto moved = std::make_shared<flow::Flow>(*flow);
        moved->parameter_values[options.parameter] = value;
        moved->start_time = at.point.orbit.time;
        std::copy(at.point.orbit.state.begin(), at.point.orbit.state.end(),
                  moved->start_state.begin());
        BranchOptions there = options;
        there.phase = branch.phase;
        Orbit first = orbit_beyond(moved, there.orbit, at.point.orbit);
        if (!first.found && there.orbit.symmetry != nullptr) {
            there.orbit.symmetry =
                nullptr; // the motion may settle on orbits that are not symmetric
            first = orbit_beyond(moved, there.orbit, at.point.orbit);
        }
        Branch other = follow_from(moved, there, first);
        other.from = i;
        branch.switched.push_back(std::move(other));
    }
}

} // namespace

Branch follow_orbit(const std::shared_ptr<const flow::Flow>& flow, const BranchOptions& options) {
    Branch branch = follow_from(flow, options, find_orbit(flow, options.orbit));
    if (options.beyond) follow_beyond(flow, options, branch);
    return branch;
}

} // namespace liaison::analysis
