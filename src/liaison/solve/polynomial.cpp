// SPDX-License-Identifier: Apache-2.0
// Subdivision of a guard polynomial into pieces about which everything is known.
#include "liaison/solve/polynomial.hpp"

#include "liaison/solve/crossing_scan.hpp"
#include "liaison/solve/horner.hpp"
#include "liaison/solve/polish.hpp"
#include "liaison/solve/usual_step.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace liaison::solve {
namespace {

constexpr int k_max_pieces = 4000; // far above what roots of degree 56 need: a limit, not a budget

int sign_of(double x) { return (x > 0) - (x < 0); }

double rounded(double x) { return x; }
double rounded(DoubleLength x) { return x.rounded(); }

// Binary exponent f with |x| ∈ [2^f, 2^{f+1}).
int exponent_of(double x) {
    const int biased = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ffu);
    return biased != 0 ? biased - 1023 : std::ilogb(x);
}

// x 2^e, quickly where 2^e is a normal number.
double times_power_of_two(double x, int e) {
    if (e < -1022 || e > 1023) return std::scalbn(x, e);
    return x * std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52);
}

} // namespace

template <class Number>
BernsteinPiece<Number>& RootWorkspace::PieceStack<Number>::place(std::size_t level,
                                                                 std::size_t count) {
    if (pieces.empty()) {
        values.resize((k_max_depth + 2) * (k_max_degree + 1));
        errors.resize(values.size());
        pieces.resize(k_max_depth + 2);
    }
    const std::size_t start = level * (k_max_degree + 1);
    BernsteinPiece<Number>& piece = pieces[level];
    piece.value = {values.data() + start, count};
    piece.error = {errors.data() + start, count};
    return piece;
}

RootWorkspace::RootWorkspace() : coefficients_(k_max_degree + 1) {
    roots_.reserve(k_max_degree + 2);
    grazes_.reserve(2 * k_max_degree);
}

// One search: the method list is the procedure.
class RootIsolation {
  public:
    RootIsolation(const RootQuery& query, RootWorkspace& workspace, bool only_first)
        : query_(query), workspace_(workspace), only_first_(only_first) {
        workspace.roots_.clear();
        workspace.grazes_.clear();
    }

    RootSearch run() {
        if (!trim()) return finished();
        if (usual()) return finished();
        if (!finite()) {
            result_.status = RootStatus::invalid;
            return finished();
        }
        start_at_zero();
        if (only_first_ && !workspace_.roots_.empty()) return finished();
        scale();
        search();
        return finished();
    }

  private:
    // Drops the root known at the start and zero coefficients at both ends; false if nothing is left to search.
    bool trim() {
        auto c = query_.coefficients;
        const bool usable = query_.h > 0 && std::isfinite(query_.h) && query_.rho >= 0 &&
                            query_.start_multiplicity >= 0 && c.size() <= k_max_degree + 1;
        if (!usable) {
            result_.status = RootStatus::invalid;
            return false;
        }
        multiplicity_ = std::min(static_cast<std::size_t>(query_.start_multiplicity), c.size());
        while (multiplicity_ < c.size() && c[multiplicity_] == 0) ++multiplicity_;
        c = c.subspan(multiplicity_);
        while (!c.empty() && c.back() == 0) c = c.first(c.size() - 1);
        if (c.empty()) {
            result_.status = RootStatus::identically_zero;
            result_.side_at_end = query_.side;
            result_.in_band_at_end = true;
            return false;
        }
        c_ = c;
        first_side_ = sign_of(c_[0]);
        return true;
    }

    // P(0) = 0 beyond what the caller announced.
    [[nodiscard]] bool on_guard() const {
        return multiplicity_ > static_cast<std::size_t>(query_.start_multiplicity);
    }
    [[nodiscard]] bool on_other_side() const {
        return query_.side != 0 && query_.side != first_side_;
    }

    // The guard stays clear of zero, or passes through it in a way that fixed parts of the step show.
    bool usual() {
        if (on_other_side() || on_guard()) return false;
        double band = query_.rho;
        for (std::size_t i = 0; i < multiplicity_; ++i) band /= query_.h;
        FirstPassage step;
        if (only_first_)
            step = first_passage(c_, query_.h, band, wanted());
        else
            static_cast<UsualStep&>(step) = usual_step(c_, query_.h, band);
        if (step.passage == UsualStep::Passage::unknown) return false;
        const int side = only_first_ ? step.side : first_side_;
        result_.side_at_end = side;
        if (step.passage == UsualStep::Passage::clear) return true;
        if (step.moderate)
            take_as_it_is(band, step.terms);
        else
            scale();
        CrossingScan scan(q_, query_, side, false, only_first_, workspace_.roots_,
                          workspace_.grazes_);
        scan.advance(q_.sigma * step.lower, side, Link::clear);
        scan.expect(q_.sigma * step.where);
        scan.advance(q_.sigma * step.upper, -side, Link::single);
        result_.side_at_end = scan.side();
        return true;
    }

    [[nodiscard]] Wanted wanted() const {
        switch (query_.direction) {
        case Crossing::up: return Wanted::up;
        case Crossing::down: return Wanted::down;
        case Crossing::both: break;
        }
        return Wanted::both;
    }

    // Numbers that need no scaling: x = t, Q = P/t^m, as many of its coefficients as count.
    void take_as_it_is(double band, std::size_t terms) {
        q_.a = c_.first(terms);
        q_.sigma = query_.h;
        q_.multiplicity = static_cast<int>(multiplicity_);
        q_.remainder = band * (1 + 1e-13);
        q_.remainder_order = std::max(0, query_.remainder_order - q_.multiplicity);
    }

    [[nodiscard]] bool finite() const {
        bool all = std::isfinite(query_.rho);
        for (const double c : c_) all &= std::fabs(c) <= std::numeric_limits<double>::max();
        return all;
    }

    // A guard found on the other side at t = 0, or exactly on zero without notice, fires at t = 0.
    void start_at_zero() {
        const bool unannounced = on_guard() && query_.start_multiplicity == 0;
        if (unannounced && query_.side == first_side_)
            workspace_.grazes_.push_back({.side = first_side_, .at_start = true});
        if (!on_other_side() && !(unannounced && query_.side == 0)) return;
        const Crossing direction = first_side_ > 0 ? Crossing::up : Crossing::down;
        if (query_.direction != Crossing::both && query_.direction != direction) return;
        const double slope = query_.coefficients.size() > 1 ? query_.coefficients[1] : 0.0;
        workspace_.roots_.push_back(
            {.derivative = slope,
             .location_error =
                 slope != 0 ? std::fmin(query_.rho / std::fabs(slope), query_.h) : query_.h,
             .direction = direction,
             .simple = multiplicity_ <= 1,
             .certain = multiplicity_ == 0 && std::fabs(c_[0]) > query_.rho,
             .at_start = true});
        result_.side_at_end = first_side_;
    }

    void scale() {
        q_.multiplicity = static_cast<int>(multiplicity_);
        q_.sigma = std::frexp(query_.h, &q_.time_exponent);
        // At least a quadratic, so that second differences exist.
        const std::size_t count = std::max<std::size_t>(c_.size(), 3);
        const std::span<double> a(workspace_.coefficients_.data(), count);
        for (std::size_t j = c_.size(); j < count; ++j) a[j] = 0.0;
        if (!scale_in_range(a)) scale_by_exponents(a);
        q_.a = a;
        q_.remainder = times_power_of_two(query_.rho, -q_.value_exponent) * (1 + 1e-13);
        for (std::size_t i = 0; i < multiplicity_; ++i) q_.remainder /= q_.sigma;
        q_.remainder_order = std::max(0, query_.remainder_order - q_.multiplicity);
    }

    // a_j = c_j 2^{e(m+j)−f} by running powers; false where a number on the way leaves the safe range.
    bool scale_in_range(std::span<double> a) {
        if (std::abs(q_.time_exponent) * static_cast<int>(multiplicity_ + c_.size()) > 1000)
            return false;
        const double unit = times_power_of_two(1.0, q_.time_exponent);
        double power = times_power_of_two(1.0, q_.time_exponent * q_.multiplicity);
        double largest = 0.0;
        bool tiny = false;
        for (std::size_t j = 0; j < c_.size(); ++j, power *= unit) {
            a[j] = c_[j] * power;
            const double size = std::fabs(a[j]);
            largest = std::max(largest, size);
            tiny |= size < 1e-250 && c_[j] != 0;
        }
        if (tiny || !(largest < 1e250)) return false;
        q_.value_exponent = exponent_of(largest);
        const double factor = times_power_of_two(1.0, -q_.value_exponent);
        for (std::size_t j = 0; j < c_.size(); ++j) a[j] *= factor;
        return true;
    }

    // The same whatever the range.
    void scale_by_exponents(std::span<double> a) {
        const auto degree_of = [&](std::size_t j) { return q_.multiplicity + static_cast<int>(j); };
        int largest = std::numeric_limits<int>::min();
        for (std::size_t j = 0; j < c_.size(); ++j)
            if (c_[j] != 0)
                largest = std::max(largest, exponent_of(c_[j]) + q_.time_exponent * degree_of(j));
        q_.value_exponent = largest;
        for (std::size_t j = 0; j < c_.size(); ++j)
            a[j] = times_power_of_two(c_[j], q_.time_exponent * degree_of(j) - q_.value_exponent);
    }

    void search() {
        const bool starts_in_band = std::fabs(q_.a[0]) <= q_.band(0);
        CrossingScan scan(q_, query_, first_side_, starts_in_band, only_first_, workspace_.roots_,
                          workspace_.grazes_);
        Outcome outcome = subdivide(workspace_.stack_, scan);
        if (outcome == Outcome::needs_digits) outcome = subdivide(workspace_.long_stack_, scan);
        if (outcome == Outcome::gave_up) {
            result_.status = RootStatus::unresolved;
            result_.unresolved_from = q_.time(q_.sigma * resume_at_);
            return;
        }
        scan.finish();
        result_.side_at_end = scan.side();
        result_.in_band_at_end = scan.in_band();
    }

    enum class Outcome { complete, needs_digits, gave_up };
    enum class Reading { settled, split, needs_digits };

    // Depth first, leftmost piece first, from resume_at_ to the end of the step.
    template <class Number>
    Outcome subdivide(RootWorkspace::PieceStack<Number>& stack, CrossingScan& scan) {
        const std::size_t count = q_.a.size();
        to_bernstein(q_.a, q_.sigma, stack.place(0, count));
        if (resume_at_ > 0) split(stack.pieces[0], resume_at_, stack.place(1, count));
        for (std::size_t pending = 1; pending > 0;) {
            BernsteinPiece<Number>& piece = stack.pieces[pending - 1];
            resume_at_ = piece.lower;
            if (++result_.pieces > k_max_pieces || scan.overflowed()) return Outcome::gave_up;
            const bool last_chance = pending > RootWorkspace::k_max_depth ||
                                     piece.upper - piece.lower <= 0x1p-50 * piece.upper;
            switch (read(piece, scan, last_chance)) {
            case Reading::settled: --pending; break;
            case Reading::needs_digits: return Outcome::needs_digits;
            case Reading::split:
                split(piece, split_fraction(piece), stack.place(pending, count));
                ++pending;
            }
            if (scan.done()) break;
        }
        return Outcome::complete;
    }

    // Tells the scan what is certain about the piece.
    template <class Number>
    Reading read(const BernsteinPiece<Number>& piece, CrossingScan& scan, bool last_chance) const {
        const double x_lower = q_.sigma * piece.lower;
        const double x_upper = q_.sigma * piece.upper;
        const double band = q_.band(x_upper);
        if (const int sign = sign_on_piece(piece, band)) {
            scan.advance(x_lower, sign, Link::clear);
            scan.advance(x_upper, sign, Link::clear);
            return Reading::settled;
        }
        if (const int direction = single_passage(piece, band)) {
            scan.advance(x_lower, -direction, Link::clear);
            scan.expect(x_lower + polygon_root(piece) * (x_upper - x_lower));
            scan.advance(x_upper, direction, Link::single);
            scan.expect(-1);
            return Reading::settled;
        }
        if (const int direction = monotone_direction(piece)) {
            read_ends(piece, scan, direction > 0 ? Link::rising : Link::falling);
            return Reading::settled;
        }
        if (const double bend = curvature_bound(piece); bend != 0) {
            read_bow(piece, scan, bend);
            return Reading::settled;
        }
        const PieceSize size = size_of(piece);
        const bool rounding_decides = size.value <= 64 * size.error && band < size.error;
        if (std::is_same_v<Number, double> && rounding_decides) return Reading::needs_digits;
        if (!last_chance && !inside_band(piece, band)) return Reading::split;
        read_ends(piece, scan, Link::flat);
        return Reading::settled;
    }

    // Where the control polygon passes through zero, as a fraction of the piece: the root to a few percent.
    template <class Number>
    [[nodiscard]] static double polygon_root(const BernsteinPiece<Number>& piece) {
        const std::size_t n = piece.degree();
        std::size_t i = 0;
        const bool positive = piece.value[0] > 0.0;
        while (i + 1 < n && (piece.value[i + 1] > 0.0) == positive) ++i;
        const auto before = rounded(piece.value[i]);
        const auto after = rounded(piece.value[i + 1]);
        return (static_cast<double>(i) + before / (before - after)) / static_cast<double>(n);
    }

    // Sign of g at one end of a piece: from its coefficient where that suffices, else to double length.
    template <class Number>
    [[nodiscard]] int sign_at(const BernsteinPiece<Number>& piece, bool upper_end, double x) const {
        const double error = upper_end ? piece.error.back() : piece.error.front();
        const Number value = upper_end ? piece.value.back() : piece.value.front();
        const double margin = 1.01 * error + q_.band(x);
        if (value > margin) return 1;
        if (value < -margin) return -1;
        return compensated_horner(q_.a, x).sign_beyond(q_.band(x));
    }

    template <class Number>
    void read_ends(const BernsteinPiece<Number>& piece, CrossingScan& scan, Link link) const {
        const double x_lower = q_.sigma * piece.lower;
        const double x_upper = q_.sigma * piece.upper;
        scan.advance(x_lower, sign_at(piece, false, x_lower), Link::clear);
        scan.advance(x_upper, sign_at(piece, true, x_upper), link);
    }

    // A convex or concave piece: monotone on both sides of its one extremum.
    template <class Number>
    void read_bow(const BernsteinPiece<Number>& piece, CrossingScan& scan, double bend) const {
        const double x_lower = q_.sigma * piece.lower;
        const double x_upper = q_.sigma * piece.upper;
        const double width = x_upper - x_lower;
        const double n = static_cast<double>(piece.degree());
        const double strength = 0.99 * n * (n - 1) * std::fabs(bend) / (width * width);
        const int sign = sign_of(bend);
        const Extremum at = find_extremum(q_, x_lower, x_upper, sign, strength);
        const bool clear = std::fabs(at.value) > q_.band(x_upper) + at.error;
        scan.advance(x_lower, sign_at(piece, false, x_lower), Link::clear);
        scan.advance(at.x, clear ? sign_of(at.value) : 0, sign > 0 ? Link::falling : Link::rising);
        scan.advance(x_upper, sign_at(piece, true, x_upper),
                     sign > 0 ? Link::rising : Link::falling);
    }

    // Halves, unless the middle is so near a root that both halves would have an uncertain end.
    template <class Number>
    [[nodiscard]] double split_fraction(const BernsteinPiece<Number>& piece) const {
        for (const double tau : {0.5, 0.4375, 0.59375}) {
            const double x = q_.sigma * (piece.lower + tau * (piece.upper - piece.lower));
            const double value = horner_with_slope(q_.a, x).value;
            if (std::fabs(value) > 2 * (q_.band(x) + piece.error.back())) return tau;
        }
        return 0.5;
    }

    RootSearch finished() {
        result_.roots = workspace_.roots_;
        result_.grazes = workspace_.grazes_;
        if (result_.status == RootStatus::none && !result_.roots.empty())
            result_.status = RootStatus::found;
        return result_;
    }

    const RootQuery& query_;
    RootWorkspace& workspace_;
    bool only_first_;
    std::span<const double> c_; // c_m … c_n, first and last not zero
    std::size_t multiplicity_ = 0;
    int first_side_ = 0;
    double resume_at_ = 0; // fraction of the step up to which everything is known
    ScaledPolynomial q_;
    RootSearch result_;
};

RootSearch first_root(const RootQuery& query, RootWorkspace& workspace) {
    return RootIsolation(query, workspace, true).run();
}

RootSearch all_roots(const RootQuery& query, RootWorkspace& workspace) {
    return RootIsolation(query, workspace, false).run();
}

} // namespace liaison::solve
