// SPDX-License-Identifier: Apache-2.0
// Branch and prune on the circle and on the torus of directions.
#include "liaison/laws/slip_onset_search.hpp"

#include "liaison/expr/coarse_interval.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace liaison::laws {
namespace {

using expr::intersect;
using Range = expr::CoarseInterval;

constexpr double k_least_width = 1e-6; // of a box of angles
constexpr int k_cells = 4; // by angle, at first
constexpr double k_first =
    0.1234; // of the first cell: roots of symmetric problems are not on edges
constexpr double k_most_force = 1e200; // nobody has it
constexpr double k_margin = 0.15; // by which a box is widened, so that roots on edges are inside

bool has_zero(const Range& x) { return x.may_be_zero(); }

// A value of the C library, with the error that Interval assumes of it.
Range around(double value) {
    constexpr double k_error = expr::Interval::k_function_ulps * 0x1p-52;
    const double error = k_error * std::fabs(value) + expr::coarse::k_least;
    return {expr::coarse::down(value - error), expr::coarse::up(value + error)};
}

template <std::size_t R>
class OnsetSearch {
  public:
    OnsetSearch(const SlipOnset& onset, const OnsetSearchOptions& options) : options_(options) {
        for (std::size_t i = 0; i < R; ++i) {
            gap_[i] = row(onset.starting[i].gap);
            slip_[i] = {row(onset.starting[i].slip_x), row(onset.starting[i].slip_y)};
        }
        for (const OnsetRow& r : onset.gaps) signs_.push_back({row(r), -options.gap});
        for (const OnsetRow& r : onset.forces) signs_.push_back({row(r), -options.force});
    }

    OnsetDirections run() {
        start();
        int left = options_.most_boxes;
        while (!boxes_.empty()) {
            if (left-- <= 0) {
                result_.complete = false;
                break;
            }
            const Box box = boxes_.back();
            boxes_.pop_back();
            ++result_.boxes;
            if (examine(box)) continue;
            if (result_.complete) left = std::min(left, options_.after_undecided);
            result_.complete = false;
        }
        for (const Root& root : roots_)
            result_.angles.emplace_back(root.angle.begin(), root.angle.end());
        return std::move(result_);
    }

  private:
    using Box = std::array<Range, R>; // of angles
    template <class T>
    using Square = std::array<std::array<T, R>, R>;
    struct Row {
        Range load;
        std::array<std::array<Range, 3>, R> p;
    };
    struct Sign {
        Row row;
        double least;
    };
    struct Root {
        std::array<double, R> angle;
        Box alone; // it is the only root there
    };
    using Vector = std::array<Range, R>;
    // Rows over the box as they are: g̈ = a + A N, v̇ = w + V N by component.
    struct Rows {
        Vector c, s;
        Square<Range> A;
        Vector a;
        std::array<Square<Range>, 2> V;
        std::array<Vector, 2> w;
    };
    // The same about the middle m of the box, where the gaps are solved: N = n − β N and v̇ = u + Δ N with β, Δ that are small with
    // the box, β_ij(ψ_j) = β_ij(m) + β'_ij (ψ_j − m_j).
    struct Middle {
        Vector c, s; // at m
        Vector d; // ψ − m
        Square<Range> slope; // β'
        Square<Range> B; // 1 + β
        Range determinant; // of B
        Vector N;
        std::array<Vector, 2> u;
        std::array<Square<Range>, 2> rest; // Δ at m: rounding
        std::array<Square<Range>, 2> turn; // Δ'
        std::array<Square<Range>, 2> change; // Δ
        std::array<Vector, 2> v;
    };

    static Row row(const OnsetRow& r) {
        Row copy;
        copy.load = Range(r.load);
        for (std::size_t j = 0; j < R; ++j)
            for (std::size_t t = 0; t < 3; ++t) copy.p[j][t] = Range(r.response[j][t]);
        return copy;
    }

    void start() {
        // A little more than once around.
        constexpr double step = 2.0 * std::numbers::pi / k_cells;
        const auto cell = [](int i) {
            return Range(k_first + i * step - 1e-12, k_first + (i + 1) * step + 1e-12);
        };
        for (int i = 0; i < k_cells; ++i) {
            if constexpr (R == 1) {
                boxes_.push_back({cell(i)});
            } else {
                for (int j = 0; j < k_cells; ++j) boxes_.push_back({cell(i), cell(j)});
            }
        }
    }

    // False: undecided.
    bool examine(const Box& box) {
        for (const Root& root : roots_) {
            if (within(box, root.alone)) return true;
        }
        Box wide;
        for (std::size_t i = 0; i < R; ++i) {
            const double margin = k_margin * box[i].width();
            wide[i] = {box[i].lo - margin, box[i].hi + margin};
        }
        Rows rows;
        Middle about;
        look(wide, rows, about);
        const bool regular = solve_gaps(rows, about);
        if (!regular) fill(rows);
        if (no_solution(rows, regular ? &about : nullptr)) return true;
        // Others keep a slip at zero, whatever its friction: no direction is preferred, and no slip starts.
        constexpr double k_wide = 0.1;
        const bool still = regular && moves_nowhere(about);
        if (still && box[0].width() > k_wide) return true;
        Box next = box;
        if (regular && contract(wide, rows, about, next) != Outcome::unknown) return true;
        const auto widest = std::ranges::max_element(next, {}, &Range::width);
        if (widest->width() < k_least_width) return still;
        const Range whole = *widest;
        *widest = {whole.lo, whole.middle()};
        boxes_.push_back(next);
        *widest = {whole.middle(), whole.hi};
        boxes_.push_back(next);
        return true;
    }

    // w(ψ) by unknown force.
    static void entries(const Row& r, const Vector& c, const Vector& s, Vector& to) {
        for (std::size_t j = 0; j < R; ++j) to[j] = r.p[j][0] + r.p[j][1] * c[j] + r.p[j][2] * s[j];
    }
    static Range with(const Range& load, const Vector& of, const Vector& N) {
        Range sum = load;
        for (std::size_t j = 0; j < R; ++j) sum = sum + of[j] * N[j];
        return sum;
    }

    // Directions in the middle and on all of a box: s(m + δ) = cos δ s(m) + sin δ s^⊥(m), |δ| ≤ h.
    static void look(const Box& box, Rows& at, Middle& about) {
        for (std::size_t j = 0; j < R; ++j) {
            const double m = box[j].middle();
            about.d[j] = box[j] - m;
            about.c[j] = around(std::cos(m));
            about.s[j] = around(std::sin(m));
            const double h = about.d[j].magnitude(); // below π/2
            const Range even(around(std::cos(h)).lo, 1.0);
            const double most = around(std::sin(h)).hi;
            const Range odd(-most, most);
            const Range unit(-1.0, 1.0);
            at.c[j] = intersect(unit, even * about.c[j] - odd * about.s[j]);
            at.s[j] = intersect(unit, even * about.s[j] + odd * about.c[j]);
        }
    }
    // The rows where the directions are known.
    void fill(Rows& at) const {
        for (std::size_t i = 0; i < R; ++i) {
            at.a[i] = gap_[i].load;
            entries(gap_[i], at.c, at.s, at.A[i]);
            for (std::size_t d = 0; d < 2; ++d) {
                at.w[d][i] = slip_[i][d].load;
                entries(slip_[i][d], at.c, at.s, at.V[d][i]);
            }
        }
    }

    // False: the gaps may be singular in the box.
    bool solve_gaps(const Rows& at, Middle& to) const {
        Rows middle;
        middle.c = to.c;
        middle.s = to.s;
        fill(middle);
        Square<double> Y;
        if (!invert(middle.A, Y)) return false;
        // Rows of the gaps, combined by Y.
        Vector n;
        Square<Range> at_m;
        Square<std::array<Range, 2>> q;
        for (std::size_t i = 0; i < R; ++i) {
            for (std::size_t k = 0; k < R; ++k) {
                n[i] = n[i] - Y[i][k] * middle.a[k];
                for (std::size_t j = 0; j < R; ++j) {
                    at_m[i][j] = at_m[i][j] + Y[i][k] * middle.A[k][j];
                    for (std::size_t t = 0; t < 2; ++t)
                        q[i][j][t] = q[i][j][t] + Y[i][k] * gap_[k].p[j][t + 1];
                }
            }
            for (std::size_t j = 0; j < R; ++j) {
                to.slope[i][j] = q[i][j][1] * at.c[j] - q[i][j][0] * at.s[j];
                to.B[i][j] = at_m[i][j] + to.slope[i][j] * to.d[j];
            }
        }
        to.determinant = determinant(to.B);
        if (has_zero(to.determinant)) return false;
        to.N = solve(to.B, n, to.determinant);
        if (!std::ranges::all_of(to.N, &Range::is_bounded)) return false;
        for (std::size_t i = 0; i < R; ++i) {
            Range sum = n[i];
            for (std::size_t j = 0; j < R; ++j)
                sum = sum - (i == j ? to.B[i][j] - 1.0 : to.B[i][j]) * to.N[j];
            to.N[i] = intersect(to.N[i], sum);
        }
        // Slips less what the gaps have of them: zero at m but for rounding.
        for (std::size_t d = 0; d < 2; ++d) {
            for (std::size_t i = 0; i < R; ++i) {
                const Vector& V = middle.V[d][i];
                to.u[d][i] = with(middle.w[d][i], V, n);
                for (std::size_t j = 0; j < R; ++j) {
                    Range rest = V[j];
                    Range along_c = slip_[i][d].p[j][1];
                    Range along_s = slip_[i][d].p[j][2];
                    for (std::size_t k = 0; k < R; ++k) {
                        rest = rest - V[k] * at_m[k][j];
                        along_c = along_c - V[k] * q[k][j][0];
                        along_s = along_s - V[k] * q[k][j][1];
                    }
                    to.rest[d][i][j] = rest;
                    to.turn[d][i][j] = along_s * at.c[j] - along_c * at.s[j];
                    to.change[d][i][j] = rest + to.turn[d][i][j] * to.d[j];
                }
                to.v[d][i] = with(to.u[d][i], to.change[d][i], to.N);
            }
        }
        return true;
    }

    static Range determinant(const Square<Range>& A) {
        if constexpr (R == 1)
            return A[0][0];
        else
            return A[0][0] * A[1][1] - A[0][1] * A[1][0];
    }
    // Cramer's rule for A x = b.
    static Vector solve(const Square<Range>& A, const Vector& b, const Range& determinant) {
        if constexpr (R == 1)
            return {b[0] / determinant};
        else
            return {(b[0] * A[1][1] - b[1] * A[0][1]) / determinant,
                    (b[1] * A[0][0] - b[0] * A[1][0]) / determinant};
    }
    // Of the middles, to rounding: any matrix will do.
    static bool invert(const Square<Range>& A, Square<double>& Y) {
        if constexpr (R == 1) {
            Y[0][0] = 1.0 / A[0][0].middle();
        } else {
            const double a = A[0][0].middle();
            const double b = A[0][1].middle();
            const double c = A[1][0].middle();
            const double d = A[1][1].middle();
            const double det = a * d - b * c;
            Y = {{{d / det, -b / det}, {-c / det, a / det}}};
        }
        for (const auto& line : Y) {
            if (!std::ranges::all_of(line, [](double y) { return std::isfinite(y); })) return false;
        }
        return true;
    }

    // What a root in the box must have: forces that press, a slip that goes along s.
    [[nodiscard]] bool no_solution(const Rows& at, const Middle* about) const {
        const Range pressing(-options_.force, k_most_force);
        Vector N;
        N.fill(pressing);
        if (about != nullptr) {
            for (std::size_t j = 0; j < R; ++j) N[j] = intersect(pressing, about->N[j]);
        } else if (!forces_of_any_rows(at, N)) {
            return true;
        }
        for (const Range& n : N) {
            if (n.is_empty()) return true;
            if (!(n.magnitude() < k_most_force)) return false; // nothing else can be told
        }
        for (std::size_t i = 0; i < R; ++i) {
            if (about == nullptr && !has_zero(with(at.a[i], at.A[i], N))) return true;
            const auto slip = [&](std::size_t d) {
                return about != nullptr ? with(about->u[d][i], about->change[d][i], N)
                                        : with(at.w[d][i], at.V[d][i], N);
            };
            const Range x = slip(0);
            const Range y = slip(1);
            if (!has_zero(at.c[i] * y - at.s[i] * x)) return true;
            // v̇ = σ s
            Range along = at.c[i] * x + at.s[i] * y;
            if (!has_zero(at.c[i])) along = intersect(along, x / at.c[i]);
            if (!has_zero(at.s[i])) along = intersect(along, y / at.s[i]);
            if (along.is_empty() || along.hi < options_.least[i]) return true;
        }
        return std::ranges::any_of(signs_, [&](const Sign& sign) {
            Vector of;
            entries(sign.row, at.c, at.s, of);
            return with(sign.row.load, of, N).hi < sign.least;
        });
    }

    // Near poles of the forces: all conditions that are linear in N, any R of them that are regular. False: they contradict each
    // other.
    static bool forces_of_any_rows(const Rows& at, Vector& N) {
        std::array<Vector, 2 * R> rows;
        std::array<Range, 2 * R> loads; // on the other side
        for (std::size_t i = 0; i < R; ++i) {
            rows[i] = at.A[i];
            loads[i] = -at.a[i];
            for (std::size_t j = 0; j < R; ++j)
                rows[R + i][j] = at.c[i] * at.V[1][i][j] - at.s[i] * at.V[0][i][j];
            loads[R + i] = at.s[i] * at.w[0][i] - at.c[i] * at.w[1][i];
        }
        const auto use = [&](const Square<Range>& A, const Vector& b) {
            const Range det = determinant(A);
            if (has_zero(det)) return true;
            const Vector found = solve(A, b, det);
            for (std::size_t j = 0; j < R; ++j) {
                N[j] = intersect(N[j], found[j]);
                if (N[j].is_empty()) return false;
            }
            return true;
        };
        for (std::size_t i = 0; i < 2 * R; ++i) {
            if constexpr (R == 1) {
                if (!use({rows[i]}, {loads[i]})) return false;
            } else {
                for (std::size_t k = i + 1; k < 2 * R; ++k)
                    if (!use({rows[i], rows[k]}, {loads[i], loads[k]})) return false;
            }
        }
        return true;
    }

    // F_i = s_i^⊥·v̇_i = F_i(m) + Σ_j S_ij (ψ_j − m_j), S_ij = N_j s_i^⊥·Δ'_ij − δ_ij s_i·u_i: Krawczyk's operator with these slopes,
    //   K = m − Y F(m) + (1 − Y S)(X − m),
    // holds all roots in X, and X has one if it holds K.
    bool krawczyk(const Box& X, const Rows& at, const Middle& about, Box& K,
                  Square<double>& Y) const {
        Square<Range> S;
        Vector F;
        for (std::size_t i = 0; i < R; ++i) {
            F[i] = about.c[i] * about.u[1][i] - about.s[i] * about.u[0][i];
            for (std::size_t j = 0; j < R; ++j) {
                const auto across = [&](const std::array<Square<Range>, 2>& of) {
                    return at.c[i] * of[1][i][j] - at.s[i] * of[0][i][j];
                };
                F[i] = F[i] + about.N[j] * across(about.rest);
                S[i][j] = about.N[j] * across(about.turn);
            }
            S[i][i] = S[i][i] - (at.c[i] * about.u[0][i] + at.s[i] * about.u[1][i]);
        }
        if (!invert(S, Y)) return false;
        for (std::size_t i = 0; i < R; ++i) {
            K[i] = X[i].middle();
            for (std::size_t j = 0; j < R; ++j) {
                Range rest = i == j ? 1.0 : 0.0;
                for (std::size_t k = 0; k < R; ++k) rest = rest - Y[i][k] * S[k][j];
                K[i] = K[i] - Y[i][j] * F[j] + rest * about.d[j];
            }
        }
        return true;
    }

    // No two roots: |1 − Y J| < 1 with the derivatives J_ij = s_i^⊥·(N_j Δ'_ij + Σ_k Δ_ik ∂N_k/∂ψ_j) − δ_ij s_i·v̇_i on all of the box,
    // (1 + β) ∂N/∂ψ_j = −β'_j N_j.
    static bool one_to_one(const Rows& at, const Middle& about, const Square<double>& Y) {
        Square<Range> J;
        for (std::size_t j = 0; j < R; ++j) {
            Vector b;
            for (std::size_t i = 0; i < R; ++i) b[i] = -about.slope[i][j] * about.N[j];
            const Vector dN = solve(about.B, b, about.determinant);
            for (std::size_t i = 0; i < R; ++i) {
                const auto rate = [&](std::size_t d) {
                    return with(about.N[j] * about.turn[d][i][j], about.change[d][i], dN);
                };
                J[i][j] = at.c[i] * rate(1) - at.s[i] * rate(0);
                if (i == j) J[i][j] = J[i][j] - (at.c[i] * about.v[0][i] + at.s[i] * about.v[1][i]);
            }
        }
        for (std::size_t i = 0; i < R; ++i) {
            double sum = 0.0;
            for (std::size_t j = 0; j < R; ++j) {
                Range rest = i == j ? 1.0 : 0.0;
                for (std::size_t k = 0; k < R; ++k) rest = rest - Y[i][k] * J[k][j];
                sum = expr::coarse::up(sum + rest.magnitude());
            }
            if (!(sum < 1.0)) return false;
        }
        return true;
    }

    enum class Outcome { none, one, unknown };
    // `box` shrinks to what of it may have a root; `wide` is around it.
    Outcome contract(const Box& wide, const Rows& at, const Middle& about, Box& box) {
        Box K;
        Square<double> Y;
        if (!krawczyk(wide, at, about, K, Y)) return Outcome::unknown;
        bool inside = true;
        for (std::size_t i = 0; i < R; ++i) {
            inside = inside && wide[i].contains_inside(K[i]);
            box[i] = intersect(box[i], K[i]);
        }
        if (std::ranges::any_of(box, &Range::is_empty)) return Outcome::none;
        if (!inside || !one_to_one(at, about, Y)) return Outcome::unknown;
        keep(wide, K, box);
        return Outcome::one;
    }

    // The root in K, to the last digits: slowly at first where the operator hardly contracts, each time faster as K becomes smaller.
    void keep(const Box& alone, Box K, const Box& box) {
        constexpr int k_most = 200;
        constexpr double k_rounding = 0.99; // what does not become smaller than that is rounding
        for (int round = 0; round < k_most; ++round) {
            Rows at;
            Middle about;
            Box next;
            Square<double> Y;
            look(K, at, about);
            if (!solve_gaps(at, about) || !krawczyk(K, at, about, next, Y)) break;
            double before = 0.0;
            double after = 0.0;
            for (std::size_t i = 0; i < R; ++i) {
                before = std::max(before, K[i].width());
                K[i] = intersect(K[i], next[i]);
                after = std::max(after, K[i].width());
            }
            if (!(after < k_rounding * before)) break;
        }
        // It is in the margin, and another box has it.
        for (std::size_t i = 0; i < R; ++i) {
            if (intersect(K[i], box[i]).is_empty()) return;
        }
        for (const Root& root : roots_) {
            if (within(K, root.alone)) return;
        }
        Root root;
        root.alone = alone;
        for (std::size_t i = 0; i < R; ++i) root.angle[i] = K[i].middle();
        roots_.push_back(root);
    }

    // Up to whole turns.
    static bool within(const Box& inner, const Box& outer) {
        for (std::size_t i = 0; i < R; ++i) {
            const double turns =
                std::round((outer[i].middle() - inner[i].middle()) / (2.0 * std::numbers::pi));
            if (!outer[i].contains(inner[i] + 2.0 * turns * Range(expr::Interval::pi())))
                return false;
        }
        return true;
    }

    // A box in which some slip has no acceleration: sticking contacts have what is there.
    [[nodiscard]] bool moves_nowhere(const Middle& about) const {
        for (std::size_t i = 0; i < R; ++i)
            if (std::hypot(about.v[0][i].magnitude(), about.v[1][i].magnitude()) <= options_.rest)
                return true;
        return false;
    }

    OnsetSearchOptions options_;
    std::array<Row, R> gap_;
    std::array<std::array<Row, 2>, R> slip_;
    std::vector<Sign> signs_;
    std::vector<Box> boxes_; // to be looked at
    std::vector<Root> roots_;
    OnsetDirections result_;
};

} // namespace

OnsetDirections search_slip_onset(const SlipOnset& onset, const OnsetSearchOptions& options) {
    if (onset.starting.size() == 1) return OnsetSearch<1>(onset, options).run();
    if (onset.starting.size() == 2) return OnsetSearch<2>(onset, options).run();
    return {.angles = {}, .complete = false};
}

} // namespace liaison::laws
