// SPDX-License-Identifier: Apache-2.0
// Reference interpreter of Taylor plans.
#include "liaison/compile/taylor.hpp"
#include "liaison/compile/taylor_series.hpp"

#include "liaison/base/assert.hpp"

#include <cmath>
#include <limits>

namespace liaison::compile {
namespace {

// P A = L U in place, row-wise, with the row exchanges behind the matrix.
class DenseFactor {
public:
    DenseFactor(double* storage, std::size_t n) : A_(storage), rows_(storage + n * n), n_(n) {}
    static std::size_t size(std::size_t n) { return n * n + n; }

    double& at(std::size_t r, std::size_t c) { return A_[r * n_ + c]; }

    bool factor() {
        bool regular = true;
        for (std::size_t k = 0; k < n_; ++k) {
            std::size_t pivot = k;
            for (std::size_t r = k + 1; r < n_; ++r) {
                if (std::abs(at(r, k)) > std::abs(at(pivot, k))) pivot = r;
            }
            rows_[k] = static_cast<double>(pivot);
            if (pivot != k) {
                for (std::size_t c = 0; c < n_; ++c) std::swap(at(k, c), at(pivot, c));
            }
            regular = regular && std::isfinite(at(k, k)) && at(k, k) != 0.0;
            for (std::size_t r = k + 1; r < n_; ++r) {
                at(r, k) /= at(k, k);
                for (std::size_t c = k + 1; c < n_; ++c) at(r, c) = std::fma(-at(r, k), at(k, c), at(r, c));
            }
        }
        return regular;
    }

    void solve(double* b) {
        for (std::size_t k = 0; k < n_; ++k) std::swap(b[k], b[static_cast<std::size_t>(rows_[k])]);
        for (std::size_t r = 0; r < n_; ++r) {
            for (std::size_t c = 0; c < r; ++c) b[r] = std::fma(-at(r, c), b[c], b[r]);
        }
        for (std::size_t r = n_; r-- > 0;) {
            for (std::size_t c = r + 1; c < n_; ++c) b[r] = std::fma(-at(r, c), b[c], b[r]);
            b[r] /= at(r, r);
        }
    }

private:
    double* A_;
    double* rows_;
    std::size_t n_;
};

class TaylorTape final : public Taylor {
public:
    TaylorTape(TaylorPlan plan, unsigned max_order) : Taylor(std::move(plan), max_order) {
        for (std::uint32_t s : plan_.states) state_offsets_.push_back(offset(s));
        for (std::uint32_t s : plan_.outputs) output_offsets_.push_back(offset(s));
        std::size_t end = offset(plan_.n_slots);
        std::size_t largest = 0;
        for (const System& s : plan_.systems) {
            factors_.push_back(end);
            end += DenseFactor::size(s.structure->n);
            largest = std::max<std::size_t>(largest, s.structure->n);
        }
        scratch_ = end;
        size_ = end + largest;
    }

    [[nodiscard]] TaylorWorkspace workspace() const override {
        TaylorWorkspace w;
        w.data.assign(size_, 0.0);
        return w;
    }

    bool bind(std::span<const double> parameters, std::span<const double> modes, TaylorWorkspace& w) const override {
        LIAISON_ASSERT(parameters.size() == plan_.n_parameters && modes.size() == plan_.n_modes,
                       "one value per parameter and mode");
        LIAISON_ASSERT(w.data.size() == size_, "the workspace belongs to this expansion");
        double* const data = w.data.data();
        bool regular = true;
        for (const JetRule& r : plan_.prologue) {
            switch (r.kind) {
            case Jet::factor: regular = factor(r.a, data) && regular; break;
            case Jet::solve: solve(r, 0, data); break;
            default:
                if (r.code == Code::constant) data[r.dst] = r.value;
                else if (r.code == Code::input) {
                    data[r.dst] = r.a < parameters.size() ? parameters[r.a] : modes[r.a - parameters.size()];
                } else if (r.code == Code::table) data[r.dst] = (*plan_.tables[r.b])(data[r.a]);
                else data[r.dst] = value(r.code, data[r.a], data[r.b], data[r.c]);
            }
        }
        return regular;
    }

    bool expand(double time, std::span<const double> state, unsigned order, TaylorWorkspace& w) const override {
        LIAISON_ASSERT(state.size() == plan_.states.size() && order <= max_order_ && w.data.size() == size_,
                       "state, order and workspace belong to this expansion");
        double* const data = w.data.data();
        const bool timed = plan_.time != TaylorPlan::k_none;
        if (timed) data[offset(plan_.time)] = time;
        for (std::size_t i = 0; i < state.size(); ++i) data[offset(plan_.states[i])] = state[i];
        bool regular = true;
        for (const JetRule& r : plan_.rules) {
            if (!r.late) regular = start(r, data) && regular;
        }
        for (unsigned k = 1; k <= order; ++k) {
            if (timed && k == 1) data[offset(plan_.time) + 1] = 1.0;
            for (std::size_t i = 0; i < state.size(); ++i) {
                const std::uint32_t x = plan_.states[i];
                if (k <= plan_.degree[x]) data[offset(x) + k] = over(data[offset(plan_.rates[i]) + k - 1], k);
            }
            for (const JetRule& r : plan_.rules) {
                if (k == order && !r.for_outputs) continue;
                advance(r, k, data);
            }
        }
        return regular;
    }

private:
    // Place of a slot: constants first, one number each, then full arrays.
    [[nodiscard]] std::size_t offset(std::uint32_t slot) const {
        if (slot < plan_.n_constants) return slot;
        return plan_.n_constants + (slot - plan_.n_constants) * (max_order_ + std::size_t{1});
    }

    static double value(Code code, double a, double b, double c) {
        switch (code) {
        case Code::add: return a + b;
        case Code::sub: return a - b;
        case Code::mul: return a * b;
        case Code::div: return a / b;
        case Code::neg: return -a;
        case Code::fma: return std::fma(a, b, c);
        case Code::sqrt: return std::sqrt(a);
        case Code::sin: return std::sin(a);
        case Code::cos: return std::cos(a);
        case Code::tan: return std::tan(a);
        case Code::asin: return std::asin(a);
        case Code::acos: return std::acos(a);
        case Code::atan: return std::atan(a);
        case Code::atan2: return std::atan2(a, b);
        case Code::sinh: return std::sinh(a);
        case Code::cosh: return std::cosh(a);
        case Code::tanh: return std::tanh(a);
        case Code::exp: return std::exp(a);
        case Code::log: return std::log(a);
        case Code::pow: return std::pow(a, b);
        case Code::abs: return std::abs(a);
        case Code::sign: return static_cast<double>((a > 0) - (a < 0));
        case Code::min: return b < a ? b : a;
        case Code::max: return b > a ? b : a;
        case Code::floor: return std::floor(a);
        case Code::select: return a != 0.0 ? b : c;
        case Code::less: return a < b ? 1.0 : 0.0;
        case Code::less_equal: return a <= b ? 1.0 : 0.0;
        case Code::logical_and: return a != 0.0 && b != 0.0 ? 1.0 : 0.0;
        case Code::logical_or: return a != 0.0 || b != 0.0 ? 1.0 : 0.0;
        case Code::logical_not: return a == 0.0 ? 1.0 : 0.0;
        default: return std::numeric_limits<double>::quiet_NaN();
        }
    }

    // Order 0: the values at the point.
    bool start(const JetRule& r, double* data) const {
        double* const y = data + offset(r.dst);
        const auto at = [&](std::uint32_t s) { return data[offset(s)]; };
        switch (r.kind) {
        case Jet::value:
            if (r.code == Code::table) {
                y[0] = (*plan_.tables[r.b])(at(r.a));
                break;
            }
            [[fallthrough]];
        case Jet::integral:
        case Jet::integral_minus:
        case Jet::growth:
        case Jet::growth_minus: y[0] = value(r.code, at(r.a), at(r.b), at(r.c)); break;
        case Jet::add: y[0] = at(r.a) + at(r.b); break;
        case Jet::sub: y[0] = at(r.a) - at(r.b); break;
        case Jet::neg: y[0] = -at(r.a); break;
        case Jet::mul: y[0] = at(r.a) * at(r.b); break;
        case Jet::mul_add: y[0] = std::fma(at(r.a), at(r.b), at(r.c)); break;
        case Jet::square: y[0] = at(r.a) * at(r.a); break;
        case Jet::square_add: y[0] = std::fma(at(r.a), at(r.a), at(r.c)); break;
        case Jet::div: y[0] = at(r.a) / at(r.b); break;
        case Jet::sqrt: y[0] = std::sqrt(at(r.a)); break;
        case Jet::select: y[0] = at(r.a) != 0.0 ? at(r.b) : at(r.c); break;
        case Jet::derivative: break;
        case Jet::factor: return factor(r.a, data);
        case Jet::solve: solve(r, 0, data); break;
        }
        return true;
    }

    // Coefficient k of the slot, k − 1 for late rules.
    void advance(const JetRule& r, std::int64_t k, double* data) const {
        const auto n = static_cast<std::int64_t>(r.late ? k - 1 : k);
        if (r.kind == Jet::factor || n > degree(r.dst)) return;
        double* const y = data + offset(r.dst);
        const double* const a = data + offset(r.a);
        const double* const b = data + offset(r.b);
        const double* const c = data + offset(r.c);
        const auto term = [&](std::uint32_t slot, const double* u) { return n <= degree(slot) ? u[n] : 0.0; };
        switch (r.kind) {
        case Jet::add: y[n] = term(r.a, a) + term(r.b, b); break;
        case Jet::sub: y[n] = term(r.a, a) - term(r.b, b); break;
        case Jet::neg: y[n] = -a[n]; break;
        case Jet::mul: y[n] = product(r, n, a, b); break;
        case Jet::mul_add: y[n] = sum_of_product(r, n, a, b, c); break;
        case Jet::square: y[n] = convolve_square(a, n, first(r.a, n)); break;
        case Jet::square_add: y[n] = convolve_square(a, n, first(r.a, n)) + term(r.c, c); break;
        case Jet::div:
            y[n] = (term(r.a, a) - convolve(b, y, n, 1, std::min(n, degree(r.b)))) * c[0];
            if (n == 0) y[n] = a[0] / b[0];
            break;
        case Jet::sqrt: y[n] = (term(r.a, a) - convolve_square(y, n, 1)) * c[0]; break;
        case Jet::select: y[n] = a[0] != 0.0 ? term(r.b, b) : term(r.c, c); break;
        case Jet::derivative: y[n] = static_cast<double>(k) * a[k]; break;
        case Jet::integral: y[n] = over(c[n - 1], n); break;
        case Jet::integral_minus: y[n] = -over(c[n - 1], n); break;
        case Jet::growth: y[n] = over(b[0], n) * c[n - 1]; break;
        case Jet::growth_minus: y[n] = -(over(b[0], n) * c[n - 1]); break;
        case Jet::solve: solve(r, n, data); break;
        case Jet::value:
        case Jet::factor: break;
        }
    }

    [[nodiscard]] std::int64_t degree(std::uint32_t slot) const { return plan_.degree[slot]; }
    // The lowest index j with a coefficient u_{k−j} that can be nonzero.
    [[nodiscard]] std::int64_t first(std::uint32_t slot, std::int64_t k) const {
        return std::max<std::int64_t>(0, k - degree(slot));
    }
    [[nodiscard]] double product(const JetRule& r, std::int64_t n, const double* a, const double* b) const {
        return convolve(a, b, n, first(r.b, n), std::min(n, degree(r.a)));
    }
    [[nodiscard]] double sum_of_product(const JetRule& r, std::int64_t n, const double* a, const double* b,
                                        const double* c) const {
        const std::int64_t low = first(r.b, n);
        const std::int64_t high = std::min(n, degree(r.a));
        const double rest = n <= degree(r.c) ? c[n] : 0.0;
        if (low == high) return std::fma(a[low], b[n - low], rest);
        return convolve(a, b, n, low, high) + rest;
    }

    bool factor(std::uint32_t index, double* data) const {
        const System& s = plan_.systems[index];
        DenseFactor A(data + factors_[index], s.structure->n);
        std::fill_n(data + factors_[index], DenseFactor::size(s.structure->n), 0.0);
        for (std::size_t e = 0; e < s.entries.size(); ++e) {
            const auto [row, col] = s.structure->entries[e];
            A.at(row, col) = data[offset(s.entries[e])];
            if (s.structure->symmetric) A.at(col, row) = A.at(row, col);
        }
        return A.factor();
    }

    // A₀ x_k = b_k − Σ_{j=1}^{k} A_j x_{k−j}: matrix entries that do not move take no part in the sum.
    void solve(const JetRule& r, std::int64_t k, double* data) const {
        const Solution& solution = plan_.solutions[r.a];
        const System& system = plan_.systems[solution.factor];
        const std::uint32_t n = system.structure->n;
        double* const rhs = data + scratch_;
        for (std::uint32_t i = 0; i < n; ++i) {
            rhs[i] = k <= degree(solution.rhs[i]) ? data[offset(solution.rhs[i]) + static_cast<std::size_t>(k)] : 0.0;
        }
        for (std::size_t e = 0; k > 0 && e < system.entries.size(); ++e) {
            const std::int64_t last = std::min(k, degree(system.entries[e]));
            if (last == 0) continue;
            const auto [row, col] = system.structure->entries[e];
            const double* const A = data + offset(system.entries[e]);
            rhs[row] -= convolve(A, data + offset(r.dst + col), k, 1, last);
            if (system.structure->symmetric && row != col) rhs[col] -= convolve(A, data + offset(r.dst + row), k, 1, last);
        }
        DenseFactor(data + factors_[solution.factor], n).solve(rhs);
        for (std::uint32_t i = 0; i < n; ++i) data[offset(r.dst + i) + static_cast<std::size_t>(k)] = rhs[i];
    }

    std::vector<std::size_t> factors_;  // places of the factorisations
    std::size_t scratch_ = 0;
    std::size_t size_ = 0;
};

} // namespace

std::unique_ptr<Taylor> interpret_taylor(TaylorPlan plan, unsigned max_order) {
    return std::make_unique<TaylorTape>(std::move(plan), max_order);
}

} // namespace liaison::compile
