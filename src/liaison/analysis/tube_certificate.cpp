// SPDX-License-Identifier: Apache-2.0
// Branch and bound over boxes that cover the tube.
#include "liaison/analysis/tube_certificate.hpp"

#include "liaison/analysis/defect_series.hpp"
#include "liaison/analysis/violation_tube.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/solve/dense.hpp"

#include <Eigen/Core>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <queue>

namespace liaison::analysis {
namespace {

using expr::Expr;
using expr::Interval;

constexpr double k_infinity = std::numeric_limits<double>::infinity();

struct Box {
    std::vector<Interval> sides; // states, then time
    double bound = k_infinity;
};
struct Smaller {
    bool operator()(const Box& a, const Box& b) const { return a.bound < b.bound; }
};

class Cover {
  public:
    Cover(const flow::Flow& flow, const ViolationTube& tube, const motion::Tableau& method,
          const TubeOptions& options)
        : flow_(flow), tube_(tube), options_(options),
          defect_(flow, tube, method, options.step, options.rate),
          f_(values_of(tube), symbols_of(flow)), slopes_(slopes_of(tube, flow), symbols_of(flow)) {}

    TubeBound run() {
        TubeBound result;
        if (!start(result)) return result;
        // The boxes in the queue cover the tube at any time, so that its top is a bound; halving sharpens it.
        constexpr std::size_t k_patience = 256;
        double before = k_infinity;
        while (!queue_.empty()) {
            result.defect = queue_.top().bound;
            const bool sharp = result.defect <= (1.0 + options_.sharpness) * reached_;
            if (sharp || (enough_ && result.defect <= *enough_)) break;
            if (options_.decide_only && enough_ && reached_ > *enough_) break;
            if (result.boxes >= options_.most_boxes) break;
            if (++result.boxes % k_patience == 0) {
                if (result.defect > (1.0 - 0.1 * options_.sharpness) * before) break;
                before = result.defect;
            }
            Box top = queue_.top();
            queue_.pop();
            halve(std::move(top));
        }
        result.proven = !queue_.empty() && std::isfinite(result.defect);
        if (queue_.empty())
            result.reason = "the tube does not meet the region";
        else if (!result.proven)
            result.reason = fmt::format(
                "{} boxes are too few to bound what a step adds: the tube is too wide for "
                "them, f_x loses rank in it, or the constraint is not smooth",
                result.boxes);
        result.reached = reached_;
        return result;
    }

    // Stop as soon as the bound is known to be below this.
    void enough(double defect) { enough_ = defect; }

  private:
    static std::vector<Expr> values_of(const ViolationTube& tube) {
        std::vector<Expr> values;
        for (const Deviation& d : tube.deviations) values.push_back(d.value);
        return values;
    }
    static std::vector<Expr> symbols_of(const flow::Flow& flow) {
        std::vector<Expr> symbols(flow.states.begin(),
                                  flow.states.begin() +
                                      static_cast<std::ptrdiff_t>(flow.n_controlled));
        symbols.push_back(flow.time);
        symbols.insert(symbols.end(), flow.parameters.begin(), flow.parameters.end());
        return symbols;
    }
    static std::vector<Expr> slopes_of(const ViolationTube& tube, const flow::Flow& flow) {
        std::vector<Expr> all;
        const std::vector<Expr> x(flow.states.begin(),
                                  flow.states.begin() +
                                      static_cast<std::ptrdiff_t>(flow.n_controlled));
        for (const Deviation& d : tube.deviations) {
            const auto row = expr::gradient(d.value, x);
            all.insert(all.end(), row.begin(), row.end());
        }
        return all;
    }

    bool start(TubeBound& result) {
        const std::size_t n = flow_.n_controlled;
        if (flow_.constraints.empty()) {
            result.reason = "there are no constraints";
            return false;
        }
        std::vector<Expr> roots(flow_.rates.begin(),
                                flow_.rates.begin() + static_cast<std::ptrdiff_t>(n));
        for (const Deviation& d : tube_.deviations) roots.push_back(d.value);
        Box box;
        std::size_t dimensions = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const Expr x = flow_.states[i];
            const bool occurs =
                std::ranges::any_of(roots, [&](Expr e) { return expr::depends_on(e, x); });
            if (!occurs) {
                box.sides.emplace_back(0.0);
                continue;
            }
            ++dimensions;
            // One turn, a little more for the rounding of π, is enough for an angle.
            const Interval turn(-3.1415926535897936, 3.1415926535897936);
            const bool known = i < options_.region.size();
            if (is_angle(roots, x) &&
                !(known && options_.region[i].second - options_.region[i].first < turn.width())) {
                box.sides.push_back(turn);
            } else if (known) {
                result.ranged.push_back(i);
                box.sides.emplace_back(options_.region[i].first, options_.region[i].second);
            } else {
                result.reason = fmt::format("{} is no angle and has no range to be covered",
                                            flow_.state_names[i]);
                return false;
            }
        }
        const bool timed =
            std::ranges::any_of(roots, [&](Expr e) { return expr::depends_on(e, flow_.time); });
        box.sides.emplace_back(timed ? Interval(options_.time.first, options_.time.second)
                                     : Interval(options_.time.first));
        dimensions += timed && options_.time.first < options_.time.second ? 1 : 0;
        // Each rate that the tube holds small takes a dimension away as the constraint itself does.
        if (dimensions > options_.most_dimensions + rates_held()) {
            result.reason = fmt::format("a tube in {} dimensions takes too many boxes", dimensions);
            return false;
        }
        widths_.clear();
        for (const Interval& side : box.sides) widths_.push_back(std::max(side.width(), 1e-300));
        add(std::move(box));
        return true;
    }

    [[nodiscard]] std::size_t rates_held() const {
        const bool mechanical = flow_.n_controlled > flow_.n_positions;
        return mechanical ? tube_.deviations.size() : 0;
    }

    [[nodiscard]] std::vector<expr::IntervalSeries> constants(const Box& box) const {
        std::vector<expr::IntervalSeries> given;
        for (const Interval& side : box.sides) given.emplace_back(0, side);
        const Interval rate(options_.rate.first, options_.rate.second);
        for (std::size_t i = 0; i < flow_.parameters.size(); ++i)
            given.emplace_back(0, defect_.parameter(i, rate));
        return given;
    }

    // x_j ∈ m_j + ([−ε, ε] − f(m) − Σ_{i≠j} f_i (X_i − m_i))/f_j for every constraint; false: no part of the tube.
    bool contract(Box& box) {
        std::vector<Interval> tube;
        for (const Deviation& d : tube_.deviations)
            tube.push_back(Interval(-d.width, d.width) * Interval(options_.tolerance));
        const std::size_t n = flow_.n_controlled;
        for (int sweep = 0; sweep < 3; ++sweep) {
            const auto values = f_(constants(box));
            if (values) {
                for (std::size_t k = 0; k < tube.size(); ++k) {
                    if (intersect((*values)[k][0], tube[k]).is_empty()) return false;
                }
            }
            const auto slopes = slopes_(constants(box));
            if (!slopes) return true;
            const std::vector<expr::IntervalSeries> slope(slopes->begin(), slopes->end());
            Box middle = box;
            for (Interval& side : middle.sides) side = Interval(side.middle());
            // Time has no slope here: it stays as wide as it is.
            middle.sides.back() = box.sides.back();
            const auto at_middle = f_(constants(middle));
            if (!at_middle) return true;
            for (std::size_t k = 0; k < tube.size(); ++k) {
                for (std::size_t j = 0; j < n; ++j) {
                    const Interval& steep = slope[k * n + j][0];
                    if (steep.contains(0.0)) continue;
                    Interval rest = tube[k] - (*at_middle)[k][0];
                    for (std::size_t i = 0; i < n; ++i) {
                        if (i == j) continue;
                        rest = rest - slope[k * n + i][0] * (box.sides[i] - middle.sides[i]);
                    }
                    box.sides[j] = intersect(box.sides[j], middle.sides[j] + rest / steep);
                    if (box.sides[j].is_empty()) return false;
                }
            }
        }
        return true;
    }

    void add(Box box) {
        if (!contract(box)) return;
        const auto bound = defect_(box.sides, options_.tolerance);
        box.bound = bound ? *bound : k_infinity;
        probe(box);
        queue_.push(std::move(box));
    }

    // A point of the tube near the middle says how large the defect really is.
    void probe(const Box& box) {
        Box point = box;
        for (Interval& side : point.sides) side = Interval(side.middle());
        const std::size_t n = flow_.n_controlled;
        const std::size_t m = tube_.deviations.size();
        for (int i = 0; i < 3; ++i) {
            const auto f = f_(constants(point));
            if (!f) return;
            Eigen::VectorXd r(static_cast<Eigen::Index>(m));
            for (std::size_t k = 0; k < m; ++k)
                r(static_cast<Eigen::Index>(k)) = (*f)[k][0].middle();
            const auto slopes = slopes_(constants(point));
            if (!slopes) return;
            Eigen::MatrixXd S(static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(n));
            for (std::size_t k = 0; k < m; ++k) {
                for (std::size_t j = 0; j < n; ++j)
                    S(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) =
                        (*slopes)[k * n + j][0].middle();
            }
            const Eigen::VectorXd shift = solve::least_norm(S, r);
            if (!shift.allFinite()) return;
            for (std::size_t j = 0; j < n; ++j)
                point.sides[j] =
                    Interval(point.sides[j].middle() - shift(static_cast<Eigen::Index>(j)));
        }
        const auto f = f_(constants(point));
        if (!f) return;
        for (std::size_t k = 0; k < m; ++k) {
            if ((*f)[k][0].magnitude() > tube_.deviations[k].width * options_.tolerance) return;
        }
        const auto bound = defect_.at_point(point.sides);
        if (bound) reached_ = std::max(reached_, *bound);
    }

    void halve(Box box) {
        std::size_t widest = 0;
        double share = -1.0;
        for (std::size_t i = 0; i < box.sides.size(); ++i) {
            const double w = box.sides[i].width() / widths_[i];
            if (w > share) {
                share = w;
                widest = i;
            }
        }
        const Interval side = box.sides[widest];
        const double middle = side.middle();
        Box right = box;
        box.sides[widest] = Interval(side.lo(), middle);
        right.sides[widest] = Interval(middle, side.hi());
        add(std::move(box));
        add(std::move(right));
    }

    const flow::Flow& flow_;
    const ViolationTube& tube_;
    const TubeOptions& options_;
    DefectSeries defect_;
    expr::SeriesEvaluation f_;
    expr::SeriesEvaluation slopes_;
    std::vector<double> widths_;
    std::priority_queue<Box, std::vector<Box>, Smaller> queue_;
    double reached_ = 0.0;
    std::optional<double> enough_;
};

} // namespace

bool is_angle(const std::vector<Expr>& roots, Expr x) {
    std::vector<Expr> waves;
    for (const expr::Node* n : expr::reachable(roots)) {
        if (n->op != expr::Op::sin && n->op != expr::Op::cos) continue;
        const Expr argument(n->args[0]);
        if (!expr::depends_on(argument, x)) continue;
        const Expr slope = expr::differentiate(argument, x);
        if (!slope.is_number() || !slope.number().is_integer()) return false;
        waves.emplace_back(n);
    }
    for (const expr::Node* n : expr::reachable(roots, waves)) {
        if (n == x.node()) return false;
    }
    return true;
}

TubeBound bound_defect(const flow::Flow& flow, const motion::Tableau& method,
                       const TubeOptions& options) {
    const ViolationTube tube = violation_tube(flow, method, options.step, options.rate);
    if (!tube.reason.empty()) {
        TubeBound none;
        none.reason = tube.reason;
        return none;
    }
    return Cover(flow, tube, method, options).run();
}

TubeCertificate certify_tube(const flow::Flow& flow, const motion::Tableau& method,
                             const TubeOptions& options) {
    TubeCertificate result;
    const ViolationTube tube = violation_tube(flow, method, options.step, options.rate);
    result.reason = tube.reason;
    if (!tube.reason.empty()) return result;
    result.rate = tube.rate;
    result.alpha = tube.alpha;
    if (!(result.alpha < 1.0)) {
        result.reason = fmt::format("violations do not die out: one step multiplies them by {:.3g}",
                                    result.alpha);
        return result;
    }
    const Interval left = Interval(1.0) - Interval(result.alpha);
    const double allowed = (left * Interval(options.tolerance)).lo();
    Cover cover(flow, tube, method, options);
    cover.enough(allowed);
    const TubeBound bound = cover.run();
    result.boxes = bound.boxes;
    result.ranged = bound.ranged;
    result.defect = bound.defect;
    result.attainable =
        std::isfinite(bound.defect) ? (Interval(bound.defect) / left).hi() : k_infinity;
    result.margin = (allowed - bound.defect) / options.tolerance;
    result.certified = bound.proven && bound.defect <= allowed;
    if (!bound.proven)
        result.reason = bound.reason;
    else if (!result.certified)
        result.reason = fmt::format(
            "a step may add {:.3g}, which needs a tolerance of {:.2g} or a shorter step",
            bound.defect, result.attainable);
    return result;
}

std::optional<std::pair<double, double>> euler_rates(double step, double tolerance,
                                                     double second_derivative) {
    const Interval least =
        Interval(step) * Interval(second_derivative) / (Interval(2.0) * Interval(tolerance));
    const Interval most = Interval(2.0) / Interval(step) - least;
    if (!(least.hi() <= most.lo())) return std::nullopt;
    return std::pair{least.hi(), most.lo()};
}

std::optional<std::pair<double, double>> euler_rates(const flow::Flow& flow,
                                                     const TubeOptions& options) {
    TubeOptions all = options;
    all.rate = {0.0, 2.0 / options.step};
    const TubeBound bound = bound_defect(flow, motion::euler, all);
    if (!bound.proven) return std::nullopt;
    const Interval step = options.step;
    return euler_rates(options.step, options.tolerance,
                       (Interval(2.0) * Interval(bound.defect) / (step * step)).hi());
}

std::optional<std::pair<double, double>> proven_rates(const flow::Flow& flow,
                                                      const motion::Tableau& method,
                                                      const TubeOptions& options,
                                                      std::size_t most_boxes) {
    constexpr double k_first = 1.2;
    constexpr double k_widest = 4.0;
    constexpr double k_narrowest = 1.05;
    std::pair<double, double> range = options.rate;
    TubeOptions part = options;
    part.decide_only = true;
    // From the rate that is known to do outwards, by factors that grow with success and shrink where the proof fails.
    const auto grow = [&](double& end, bool up) {
        std::size_t left = most_boxes / 2;
        bool failed = false;
        for (double g = k_first; g > k_narrowest && left > 0;) {
            const double next = up ? end * g : end / g;
            part.rate = std::minmax(end, next);
            part.most_boxes = std::min(options.most_boxes, left);
            const TubeCertificate found = certify_tube(flow, method, part);
            left -= std::min(left, found.boxes + 1);
            failed = failed || !found.certified;
            if (found.certified) end = next;
            if (!found.certified)
                g = std::sqrt(g);
            else if (!failed)
                g = std::min(g * g, k_widest);
        }
    };
    grow(range.second, true);
    grow(range.first, false);
    if (!(range.first < range.second)) return std::nullopt;
    return range;
}

} // namespace liaison::analysis
