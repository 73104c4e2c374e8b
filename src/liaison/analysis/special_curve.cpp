// SPDX-License-Identifier: Apache-2.0
// Augmented equations, their derivative, and the walk along a curve of special points.
#include "liaison/analysis/special_curve.hpp"

#include "liaison/analysis/orbit_curve.hpp"
#include "liaison/analysis/orbit_judgement.hpp"
#include "liaison/analysis/orbit_scales.hpp"
#include "liaison/analysis/special_test.hpp"
#include "liaison/solve/dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Closure closure_of(const Orbit& orbit) {
    if (orbit.forced) return Closure::forced;
    return orbit.legs.front().fired.empty() ? Closure::by_phase : Closure::by_event;
}

class Walker {
  public:
    Walker(const std::shared_ptr<const flow::Flow>& flow, const BranchOptions& options,
           const SpecialPoint& at, const SecondParameter& second)
        : flow_(*flow), options_(options), second_(second), from_(at.point.orbit),
          halves_(options.orbit.symmetry != nullptr && !from_.half.empty()),
          parameters_(flow->parameter_values),
          rule_(std::make_shared<flow::SaltationRule>(flow, std::vector<std::size_t>())),
          pieces_(flow, std::nullopt, options.orbit.tolerance), forcing_(*flow, options),
          equations_(rule_, pieces_, halves_ ? from_.half : from_.legs, closure_of(from_),
                     halves_ ? 0.5 * from_.period : from_.period, options.orbit.drift,
                     halves_ ? options.orbit.symmetry : nullptr),
          sizes_(sizes_at(at.point.parameter)),
          test_(at.kind, *rule_, pieces_, options.orbit, sizes_.state, from_.forced, halves_) {
        const VectorXd X = equations_.unknowns();
        n_ = X.size();
        scale_.resize(n_ + 2);
        scale_ << sizes_.unknowns * std::sqrt(static_cast<double>(n_)), options.high - options.low,
            second.high - second.low;
        begin_.resize(n_ + 2);
        begin_ << X, at.point.parameter, flow->parameter_values[second.parameter];
        begin_ = begin_.cwiseQuotient(scale_).eval();
    }

    void follow(SpecialCurve& curve) {
        if (!test_.obstacle().empty()) {
            curve.reason = test_.obstacle();
            return;
        }
        evaluate(begin_);
        test_.begin(equations_);
        test_.settle(J_);
        VectorXd z = begin_;
        VectorXd across = VectorXd::Unit(n_ + 2, n_ + 1);
        if (!test_.obstacle().empty() || !differentiate(z) || !correct(z, across, z, 0.0)) {
            curve.reason = test_.obstacle().empty()
                               ? "the special point is not found again: Newton's method does not "
                                 "converge"
                               : test_.obstacle();
            return;
        }
        SpecialCurve back;
        const double since = test_.since();
        walk(z, -1.0, back);
        test_.return_to(since);
        std::reverse(back.points.begin(), back.points.end());
        curve.points = std::move(back.points);
        curve.notes = std::move(back.notes);
        evaluate(z);
        test_.settle(J_);
        curve.points.push_back(point(z));
        walk(z, 1.0, curve);
    }

  private:
    [[nodiscard]] double first(const VectorXd& z) const { return z(n_) * scale_(n_); }
    [[nodiscard]] double second(const VectorXd& z) const { return z(n_ + 1) * scale_(n_ + 1); }

    void set_parameters(double first, double second) {
        parameters_[options_.parameter] = first;
        parameters_[second_.parameter] = second;
        const double share = halves_ ? 0.5 * from_.periods : from_.periods;
        equations_.set_parameters(parameters_, forcing_(parameters_).length * share, 0.0);
    }

    // Typical sizes at the point the curve begins with.
    OrbitScales sizes_at(double first) {
        set_parameters(first, flow_.parameter_values[second_.parameter]);
        return orbit_scales_at_unknowns(*rule_, equations_, pieces_);
    }

    // F and ∂F/∂X at ζ, both scaled; false: not finite.
    bool evaluate(const VectorXd& z) {
        set_parameters(first(z), second(z));
        equations_(z.head(n_).cwiseProduct(scale_.head(n_)), F_, &J_);
        F_ = F_.cwiseQuotient(sizes_.residual).eval();
        J_ = (sizes_.residual.cwiseInverse().asDiagonal() * J_ * scale_.head(n_).asDiagonal())
                 .eval();
        return F_.allFinite() && J_.allFinite();
    }

    bool evaluate_all(const VectorXd& z) {
        if (!evaluate(z)) return false;
        phi_ = test_(equations_, J_);
        return std::isfinite(phi_);
    }

    // ∂(F, φ)/∂ζ at ζ: F by its unknowns in closed form, by the parameters by central differences. Of φ only the part along
    // the kernel of F_ζ is taken, two directions whatever the number of unknowns: across it ζ is moved by F alone, which
    // converges by itself, and on the curve both parts have the same zeros. φ is measured in lengths of ζ.
    bool differentiate(const VectorXd& at) {
        constexpr double h = 1e-6;
        phi_scale_ = 1.0;
        A_ = MatrixXd::Zero(n_ + 1, n_ + 2);
        const VectorXd z = test_.kinked() ? aside(at, 20.0 * h) : at;
        if (!evaluate(z)) return false;
        A_.topLeftCorner(n_, n_) = J_;
        for (Index j = n_; j < n_ + 2; ++j) {
            const VectorXd step = h * VectorXd::Unit(n_ + 2, j);
            if (!evaluate(z + step)) return false;
            const VectorXd up = F_;
            if (!evaluate(z - step)) return false;
            A_.col(j).head(n_) = (up - F_) / (2.0 * h);
        }
        if (!A_.allFinite()) return false;
        const MatrixXd kernel = solve::singular_decomposition(A_.topRows(n_)).V.rightCols(2);
        for (Index k = 0; k < 2; ++k) {
            if (!evaluate_all(z + h * kernel.col(k))) return false;
            const double up = phi_;
            if (!evaluate_all(z - h * kernel.col(k))) return false;
            A_.row(n_) += (up - phi_) / (2.0 * h) * kernel.col(k).transpose();
        }
        phi_scale_ = A_.row(n_).norm();
        if (!(phi_scale_ > 0.0)) return false;
        A_.row(n_) /= phi_scale_;
        return A_.allFinite();
    }

    // Where outcomes change with the sign of φ, the equations have a kink there: derivatives are those of one side, φ > 0.
    VectorXd aside(const VectorXd& z, double by) {
        VectorXd above = z;
        above(n_) += by;
        VectorXd below = z;
        below(n_) -= by;
        const double up = evaluate_all(above) ? phi_ : -std::numeric_limits<double>::infinity();
        const double down = evaluate_all(below) ? phi_ : -std::numeric_limits<double>::infinity();
        return up > down ? above : below;
    }

    // Newton with the derivative at the prediction: F = 0, φ = 0, across·(ζ − from) = s. The derivative is renewed where the
    // steps no longer shrink: at a change of outcomes F has a kink.
    bool correct(VectorXd& z, const VectorXd& across, const VectorXd& from, double s) {
        MatrixXd B(n_ + 2, n_ + 2);
        B << A_, across.transpose();
        solve::Elimination factor(B);
        constexpr int k_most = 40;
        int renewals = 3;
        double before = std::numeric_limits<double>::infinity();
        for (iterations_ = 0; iterations_ < k_most; ++iterations_) {
            if (!evaluate_all(z)) return false;
            VectorXd right(n_ + 2);
            right << -F_, -phi_ / phi_scale_, s - across.dot(z - from);
            const VectorXd d = factor.solve(right);
            const double size = d.norm();
            if (!(size < 1.0)) return false;
            if (size < 1e-12) return true;
            if (iterations_ > 1 && size > 0.7 * before) {
                // Rounding holds the steps up.
                if (before < 1e-11 || renewals-- == 0) return before < 1e-9;
                if (!differentiate(z)) return false;
                B << A_, across.transpose();
                factor = solve::Elimination(B);
                before = std::numeric_limits<double>::infinity();
                continue;
            }
            before = size;
            z += d;
        }
        return before < 1e-9;
    }

    [[nodiscard]] VectorXd tangent(const VectorXd& heading) const {
        const VectorXd t = solve::singular_decomposition(A_).V.col(n_ + 1);
        return t.dot(heading) < 0.0 ? VectorXd(-t) : t;
    }

    SpecialCurvePoint point(const VectorXd& z) {
        SpecialCurvePoint p;
        p.first = first(z);
        p.second = second(z);
        p.period = equations_.period() * (halves_ ? 2.0 : 1.0);
        Orbit orbit;
        orbit.forced = from_.forced;
        if (!test_.of_multipliers()) {
            p.multipliers = map_multipliers(*rule_, equations_,
                                            halves_ ? options_.orbit.symmetry.get() : nullptr);
            if (halves_)
                for (auto& m : p.multipliers) m *= m;
            return p;
        }
        if (halves_)
            judge_symmetric_orbit(rule_, pieces_, equations_, closure_of(from_), from_.legs,
                                  options_.orbit, orbit);
        else
            judge_orbit(rule_, pieces_, equations_, options_.orbit, orbit);
        p.multipliers = orbit.multipliers;
        p.admissible = orbit.admissible;
        return p;
    }

    // The component that leaves its range, and the bound it leaves by.
    [[nodiscard]] std::optional<std::pair<Index, double>> outside(const VectorXd& z) const {
        if (first(z) < options_.low) return {{n_, options_.low}};
        if (first(z) > options_.high) return {{n_, options_.high}};
        if (second(z) < second_.low) return {{n_ + 1, second_.low}};
        if (second(z) > second_.high) return {{n_ + 1, second_.high}};
        return std::nullopt;
    }

    void walk(const VectorXd& start, double direction, SpecialCurve& out) {
        constexpr double k_smallest = 1e-6;
        VectorXd here = start;
        const auto lost = [&] {
            out.notes.push_back(fmt::format("the curve is lost near {} = {:.9g}, {} = {:.9g}",
                                            flow_.parameter_names[options_.parameter], first(here),
                                            flow_.parameter_names[second_.parameter],
                                            second(here)));
        };
        if (!differentiate(here)) return lost();
        VectorXd along = tangent(direction * VectorXd::Unit(n_ + 2, n_ + 1));
        double ds = 0.25 * second_.largest_step;
        for (std::size_t made = 0; made < second_.most_points;) {
            if (options_.orbit.interrupted()) {
                out.notes.emplace_back("interrupted");
                return;
            }
            VectorXd next = here + ds * along;
            const bool good = differentiate(next) && correct(next, along, here, ds);
            if (!good) {
                ds *= 0.5;
                if (ds > k_smallest) continue;
                return lost();
            }
            const int taken = iterations_;
            if (const auto bound = outside(next)) {
                const VectorXd across = VectorXd::Unit(n_ + 2, bound->first);
                const double target = bound->second / scale_(bound->first);
                const double share =
                    (target - here(bound->first)) / (next(bound->first) - here(bound->first));
                VectorXd last = here + std::clamp(share, 0.0, 1.0) * (next - here);
                if (!differentiate(last) || !correct(last, across, VectorXd::Zero(n_ + 2), target))
                    return lost();
                last(bound->first) = target;
                out.points.push_back(point(last));
                return;
            }
            out.points.push_back(point(next));
            ++made;
            test_.settle(J_);
            here = next;
            if (!differentiate(next)) return lost();
            along = tangent(along);
            if (taken <= 8) ds = std::min(second_.largest_step, 2.0 * ds);
        }
        out.notes.push_back(fmt::format("{} points were made; the curve goes on at {} = {:.9g}",
                                        second_.most_points,
                                        flow_.parameter_names[second_.parameter], second(here)));
    }

    const flow::Flow& flow_;
    const BranchOptions& options_;
    const SecondParameter& second_;
    const Orbit& from_;
    bool halves_;
    std::vector<double> parameters_;
    std::shared_ptr<const flow::SaltationRule> rule_;
    PieceMap pieces_;
    ForcingPeriod forcing_;
    OrbitEquations equations_;
    OrbitScales sizes_;
    SpecialTest test_;
    Index n_ = 0;
    VectorXd scale_;
    VectorXd begin_;
    VectorXd F_; // scaled
    MatrixXd J_; // ∂F/∂ζ by the unknowns of the orbit
    double phi_ = 0.0;
    double phi_scale_ = 1.0;
    MatrixXd A_; // ∂(F, φ)/∂ζ
    int iterations_ = 0;
};

} // namespace

std::vector<SpecialCurve> follow_special_points(const std::shared_ptr<const flow::Flow>& flow,
                                                const BranchOptions& options, const Branch& branch,
                                                const SecondParameter& second) {
    std::vector<SpecialCurve> curves;
    for (std::size_t i = 0; i < branch.special.size() && !options.orbit.interrupted(); ++i) {
        const SpecialPoint& at = branch.special[i];
        if (at.kind == "end") continue;
        SpecialCurve curve;
        curve.kind = at.kind;
        curve.from = i;
        Walker(flow, options, at, second).follow(curve);
        curves.push_back(std::move(curve));
    }
    return curves;
}

} // namespace liaison::analysis
