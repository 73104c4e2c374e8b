// SPDX-License-Identifier: Apache-2.0
// The conditions of agreement, decided on exact quotients of polynomials.
#include "liaison/laws/relay_agreement.hpp"

#include "liaison/expr/algebra.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/expr/traverse.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

namespace liaison::laws {
namespace {

constexpr double k_rounding = 1e-12;

struct Answer {
    bool zero = true;
    Certainty certainty = Certainty::exact;
};

class ZeroTest {
  public:
    explicit ZeroTest(expr::Pool& pool) : algebra_(pool) {}

    Answer operator()(Expr e) {
        if (e.is_zero()) return {};
        try {
            const bool zero = algebra_.fraction(e).is_zero();
            // A number is judged as it is, though decimals may have been rounded when they were read.
            const bool sure = zero || algebra_.complete() ||
                              (e.is_number() && std::abs(e.number().value()) > k_rounding);
            return {zero, sure ? Certainty::exact : Certainty::doubtful};
        } catch (const std::exception&) {
            return {false, Certainty::undecided};
        }
    }
    expr::Algebra& algebra() { return algebra_; }

  private:
    expr::Algebra algebra_;
};

// The force with components that contain u, as expressions (zero elsewhere).
std::vector<Expr> carried(const RelayDirection& relay) {
    std::vector<Expr> f;
    for (const Expr e : relay.force) {
        const bool acts = e && expr::depends_on(e, relay.u);
        f.push_back(acts ? e : relay.u.pool().number(0));
    }
    return f;
}

// x_i y_k = x_k y_i for all pairs.
Condition parallel(std::string name, std::string says, const std::vector<Expr>& x,
                   const std::vector<Expr>& y, ZeroTest& is_zero) {
    Condition c{std::move(name), std::move(says), true, Certainty::exact, std::nullopt, {}, {}};
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t k = i + 1; k < x.size(); ++k) {
            const Expr left = x[i] * y[k];
            const Expr right = x[k] * y[i];
            const Answer answer = is_zero(left - right);
            c.certainty = std::max(c.certainty, answer.certainty);
            if (answer.zero) continue;
            c.holds = false;
            c.certainty = answer.certainty;
            c.pair = {i, k};
            c.left = left;
            c.right = right;
            return c;
        }
    }
    return c;
}

std::vector<Expr> at(const std::vector<Expr>& f, const RelayDirection& relay, Expr value) {
    return expr::substitute(f, std::vector<Expr>{relay.u}, std::vector<Expr>{value});
}

std::vector<Expr> difference(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    std::vector<Expr> d;
    for (std::size_t i = 0; i < a.size(); ++i) d.push_back(a[i] - b[i]);
    return d;
}

bool is_linear(const std::vector<Expr>& f, const RelayDirection& relay, ZeroTest& is_zero) {
    return std::all_of(f.begin(), f.end(), [&](Expr e) {
        const Expr b = expr::differentiate(e, relay.u);
        return is_zero(e - b * relay.u).zero && !expr::depends_on(b, relay.u);
    });
}

} // namespace

std::string RelayAgreement::class_name() const {
    if (!metric) return agreement == Agreement::all ? "F=U always" : "F, U differ";
    switch (agreement) {
    case Agreement::all: return "L=F=U always";
    case Agreement::lagrange_differs: return "F=U, L differs";
    case Agreement::utkin_differs: return "L=F, U differs";
    case Agreement::all_differ: return "all differ";
    }
    return {};
}

std::string RelayAgreement::explanation() const {
    if (!metric) {
        return agreement == Agreement::all
                   ? "the field stays on the segment between its limits: smoothing the relay and chattering "
                     "slide alike; Lagrange's multiplier needs a kinetic metric, and there is none"
                   : "the relay enters nonlinearly: smoothing the relay gives Utkin, chattering gives "
                     "Filippov; Lagrange's multiplier needs a kinetic metric, and there is none";
    }
    switch (agreement) {
    case Agreement::all:
        return "the relay force lies along the covector of its surface: an ideal constraint, however it is "
               "realised";
    case Agreement::lagrange_differs:
        return "the relay force is not along the covector of its surface: the constraint would not be "
               "ideal, Lagrange's multiplier does not apply";
    case Agreement::utkin_differs:
        return "the relay enters nonlinearly: smoothing the relay gives Utkin, chattering gives Filippov "
               "and an ideal constraint";
    case Agreement::all_differ:
        return "the relay enters nonlinearly and not along the covector of its surface: smoothing gives "
               "Utkin, chattering Filippov, and no ideal constraint describes either";
    }
    return {};
}

RelayAgreement relay_agreement(const RelayDirection& relay) {
    ZeroTest is_zero(relay.u.pool());
    RelayAgreement result;
    const auto f = carried(relay);
    const auto plus = at(f, relay, relay.above);
    const auto minus = at(f, relay, relay.below);
    const auto jump = difference(plus, minus);
    result.linear = is_linear(f, relay, is_zero);

    auto& all = result.conditions;
    const auto between = [&] {
        return parallel("segment", "the force stays between its limits", difference(f, minus), jump,
                        is_zero);
    };
    if (relay.l.empty()) {
        result.metric = false;
        all.push_back(between());
        result.agreement = all.back().holds ? Agreement::all : Agreement::utkin_differs;
        result.certainty = all.back().certainty;
        return result;
    }
    std::vector<Expr> b;
    for (const Expr e : f) b.push_back(expr::differentiate(e, relay.u));
    if (result.linear)
        all.push_back(parallel("(1.8), (3.3)", "force along the covector of the surface", relay.l,
                               b, is_zero));
    all.push_back(
        parallel("(2.5)", "jump along the covector of the surface", relay.l, jump, is_zero));
    all.push_back(parallel("(2.6)", "the two limits are parallel", plus, minus, is_zero));
    all.push_back(between());
    all.push_back(
        parallel("(2.7)", "force along the covector for every value", relay.l, f, is_zero));

    // Both limits along l: with (2.5) and (2.6) they are, unless one of them vanishes.
    const Condition above = parallel("", "", relay.l, plus, is_zero);
    const Condition below = parallel("", "", relay.l, minus, is_zero);
    const bool lagrange_filippov = above.holds && below.holds;
    const Condition& segment = all[all.size() - 2];
    result.agreement = lagrange_filippov
                           ? (segment.holds ? Agreement::all : Agreement::utkin_differs)
                       : segment.holds ? Agreement::lagrange_differs
                                       : Agreement::all_differ;
    for (const Condition* c : {&above, &below, &segment})
        result.certainty = std::max(result.certainty, c->certainty);
    return result;
}

RangeAgreement range_agreement(const std::vector<RelayDirection>& relays) {
    RangeAgreement result;
    if (relays.empty()) return result;
    ZeroTest is_zero(relays[0].u.pool());
    std::vector<std::vector<Expr>> L;
    std::vector<std::vector<Expr>> B;
    for (const RelayDirection& r : relays) {
        const auto f = carried(r);
        result.applies = result.applies && is_linear(f, r, is_zero);
        L.push_back(r.l);
        B.emplace_back();
        for (const Expr e : f) B.back().push_back(expr::differentiate(e, r.u));
    }
    if (!result.applies) return result;
    const auto rank = [&](const std::vector<std::vector<Expr>>& rows) {
        expr::LinearEquations system;
        system.unknowns = rows[0].size();
        for (const auto& row : rows) {
            system.rows.emplace_back();
            for (const Expr e : row) system.rows.back().push_back(is_zero.algebra().fraction(e));
            system.right.emplace_back();
        }
        return expr::solve(std::move(system), is_zero.algebra().relations()).rank;
    };
    try {
        auto together = L;
        together.insert(together.end(), B.begin(), B.end());
        result.rank_l = rank(L);
        result.rank_b = rank(B);
        result.rank_together = rank(together);
        result.agrees =
            result.rank_together == result.rank_l && result.rank_together == result.rank_b;
        if (!is_zero.algebra().complete() && !result.agrees) result.certainty = Certainty::doubtful;
    } catch (const std::exception&) {
        result.agrees = false;
        result.certainty = Certainty::undecided;
    }
    return result;
}

} // namespace liaison::laws
