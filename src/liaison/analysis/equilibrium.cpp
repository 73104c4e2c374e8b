// SPDX-License-Identifier: Apache-2.0
// Search for rest positions over starts and choices of supports.
#include "liaison/analysis/equilibrium.hpp"

#include "liaison/analysis/rest_forces.hpp"
#include "liaison/solve/dense.hpp"
#include "liaison/solve/newton.hpp"

#include <Eigen/Core>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::analysis {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double k_infinite = std::numeric_limits<double>::infinity();
// Rest positions closer than this, as a share of their size, are one; at a multiple root, which is known to few
// digits only, those closer than the second.
constexpr double k_same = 1e-6;
constexpr double k_blurred = 1e-3;

// The i-th number of van der Corput's sequence in a prime base: deterministic, even, any length.
double van_der_corput(std::size_t i, std::size_t base) {
    double value = 0.0;
    for (double share = 1.0 / static_cast<double>(base); i > 0;
         i /= base, share /= static_cast<double>(base))
        value += share * static_cast<double>(i % base);
    return value;
}

std::size_t prime(std::size_t k) {
    constexpr std::size_t primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    return primes[k % std::size(primes)];
}

bool near(const std::vector<double>& a, const std::vector<double>& b, double share = k_same) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::abs(a[i] - b[i]) > share * (1.0 + std::abs(a[i]))) return false;
    return true;
}

// At a multiple root the residual falls by a constant factor (4, 27/8, …) instead of ever faster.
bool linear_convergence(const std::vector<double>& history) {
    const std::size_t n = history.size();
    constexpr double k_slow = 0.05;
    return n >= 8 && history[n - 1] > k_slow * history[n - 2] &&
           history[n - 2] > k_slow * history[n - 3];
}

} // namespace

std::string_view name(Verdict verdict) {
    switch (verdict) {
    case Verdict::asymptotically_stable: return "asymptotically stable";
    case Verdict::stable: return "stable";
    case Verdict::unstable: return "unstable";
    case Verdict::not_decided: return "not decided";
    }
    return "not decided";
}

struct EquilibriumSearch::Attempt {
    solve::NewtonReport report;
    VectorXd X;
    double scale = 1.0; // of the forces
    bool converged = false;
};

EquilibriumSearch::EquilibriumSearch(const model::Model& model, const prepare::Point& start)
    : model_(model), start_(start), rest_(model, start) {}

void EquilibriumSearch::set_parameters(const std::vector<double>& values) {
    start_.parameters = values;
    rest_.set_parameters(values);
}

// Every choice of closed contacts, relay sides and, at contacts with friction, stick where the other body rests and
// slip where it moves. Two sides of one contact are not closed together.
std::vector<SupportStates> EquilibriumSearch::cases(const EquilibriumOptions& options,
                                                    bool& left_out) const {
    const auto& supports = rest_.supports();
    std::vector<SupportStates> all{SupportStates(supports.size(), SupportState::holds)};
    for (std::size_t k = 0; k < supports.size(); ++k) {
        const Support& s = supports[k];
        if (s.kind == SupportKind::constraint) continue;
        std::vector<SupportStates> next;
        for (const SupportStates& states : all) {
            const auto take = [&](SupportState state) {
                next.push_back(states);
                next.back()[k] = state;
            };
            if (s.kind == SupportKind::tangential) {
                if (states[s.owner] == SupportState::absent)
                    take(SupportState::absent);
                else
                    take(s.slips_at_rest ? SupportState::slides : SupportState::holds);
            } else if (s.kind == SupportKind::relay) {
                take(SupportState::holds);
                take(SupportState::above);
                take(SupportState::below);
            } else {
                const bool other_closed = s.sibling != model::k_none && s.sibling < k &&
                                          states[s.sibling] == SupportState::holds;
                take(SupportState::absent);
                if (!other_closed) take(SupportState::holds);
            }
        }
        if (next.size() > options.most_cases) {
            // Too many to try them all: from here on contacts stay as they are at the start.
            left_out = true;
            const std::size_t before = all.size();
            std::erase_if(next, [&](const SupportStates& states) {
                if (s.kind == SupportKind::relay) return states[k] != SupportState::holds;
                if (s.kind != SupportKind::normal) return false;
                VectorXd X =
                    VectorXd::Zero(static_cast<Index>(rest_.n_positions() + supports.size()));
                for (std::size_t i = 0; i < start_.q.size(); ++i)
                    X(static_cast<Index>(i)) = start_.q[i];
                const bool closed = std::abs(rest_.value(s.position, X)) < 1e-9;
                return (states[k] == SupportState::holds) != closed;
            });
            if (next.empty())
                next.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before));
        }
        all = std::move(next);
    }
    return all;
}

EquilibriumSearch::Attempt EquilibriumSearch::solve(const SupportStates& states,
                                                    const std::vector<double>& q,
                                                    double tolerance) const {
    Attempt attempt;
    const auto n_q = static_cast<Index>(rest_.n_positions());
    const auto n_f = static_cast<Index>(rest_.supports().size());
    attempt.X = VectorXd::Zero(n_q + n_f);
    for (Index i = 0; i < n_q; ++i) attempt.X(i) = q[static_cast<std::size_t>(i)];
    const auto function = [&](const VectorXd& X, VectorXd& r, Eigen::MatrixXd* J) {
        rest_.evaluate(states, X, r, J);
    };
    // Forces first: where they can balance at this very place, nothing moves.
    VectorXd r;
    Eigen::MatrixXd J;
    function(attempt.X, r, &J);
    attempt.scale = 1.0;
    if (r.allFinite()) attempt.scale = std::max(1.0, r.cwiseAbs().maxCoeff());
    if (n_f > 0 && r.allFinite() && J.allFinite()) {
        const Eigen::MatrixXd by_force = J.rightCols(n_f);
        const VectorXd forces = solve::least_norm(by_force, -r);
        if (forces.allFinite()) attempt.X.tail(n_f) = forces;
        attempt.scale = std::max(attempt.scale, attempt.X.tail(n_f).cwiseAbs().maxCoeff());
    }
    // Positions are moved as little as the forces allow.
    Eigen::MatrixXd metric = Eigen::MatrixXd::Identity(n_q + n_f, n_q + n_f);
    const double weight = attempt.scale * attempt.scale * 1e4;
    metric.topLeftCorner(n_q, n_q) *= weight;
    solve::NewtonWorkspace work;
    solve::NewtonOptions options;
    options.tolerance = tolerance * attempt.scale;
    options.max_iterations = 80;
    attempt.report = solve::newton(function, attempt.X, work, options, metric);
    attempt.converged = attempt.report.converged() && attempt.X.allFinite();
    if (!attempt.converged) return attempt;
    // Two more steps to the last digit.
    for (int i = 0; i < 2; ++i) {
        const VectorXd before = attempt.X;
        function(attempt.X, work.residual, &work.jacobian);
        const VectorXd d = work.step(work.jacobian, work.residual, options.rank, attempt.report);
        const double was = work.residual.norm();
        attempt.X += d;
        function(attempt.X, work.residual, nullptr);
        if (!(work.residual.norm() < was)) attempt.X = before;
    }
    function(attempt.X, work.residual, nullptr);
    attempt.report.residual = work.residual.size() > 0 ? work.residual.cwiseAbs().maxCoeff() : 0.0;
    return attempt;
}

std::string EquilibriumSearch::violation(const SupportStates& states, const VectorXd& X,
                                         double scale) const {
    const auto& supports = rest_.supports();
    const double small = 1e-9 * scale;
    const auto n_q = static_cast<Index>(rest_.n_positions());
    for (std::size_t k = 0; k < supports.size(); ++k) {
        const Support& s = supports[k];
        const double force = X(n_q + static_cast<Index>(k));
        if (s.kind == SupportKind::normal) {
            const double gap = rest_.value(s.position, X);
            if (states[k] == SupportState::absent && gap < -1e-9)
                return fmt::format("with the gap of {} at {:.6g}", s.name, gap);
            if (states[k] == SupportState::holds && force < -small)
                return fmt::format("with {} pulling, force {:.6g}", s.name, force);
        }
        if (s.kind == SupportKind::relay) {
            // With v = 0 the surface itself decides the side.
            const double S = s.position ? rest_.value(s.position, X) : 0.0;
            if ((states[k] == SupportState::above && !(S > 1e-12)) ||
                (states[k] == SupportState::below && !(S < -1e-12)) ||
                (states[k] == SupportState::holds && std::abs(S) > 1e-9))
                return fmt::format("with the relay {} on the wrong side", s.name);
        }
        if (states[k] != SupportState::holds) continue;
        if (s.kind == SupportKind::tangential) {
            double square = 0.0;
            for (std::size_t j = 0; j < supports.size(); ++j) {
                if (supports[j].kind == SupportKind::tangential && supports[j].owner == s.owner)
                    square += std::pow(X(n_q + static_cast<Index>(j)), 2);
            }
            const double bound = rest_.value(s.upper, X);
            if (std::sqrt(square) > bound + small)
                return fmt::format("with friction {:.6g} at {}, beyond its bound {:.6g}",
                                   std::sqrt(square), s.name, bound);
        }
        if (s.kind == SupportKind::relay &&
            (force > rest_.value(s.upper, X) + small || force < rest_.value(s.lower, X) - small))
            return fmt::format("with the relay {} at {:.6g}, beyond its values", s.name, force);
    }
    return {};
}

Equilibrium EquilibriumSearch::describe(const SupportStates& states, const Attempt& attempt,
                                        const EquilibriumOptions& options) const {
    const auto& supports = rest_.supports();
    const auto n_q = rest_.n_positions();
    Equilibrium e;
    e.q.assign(attempt.X.data(), attempt.X.data() + n_q);
    e.states = states;
    e.forces.assign(attempt.X.data() + n_q, attempt.X.data() + attempt.X.size());
    e.residual = attempt.report.residual;
    e.degenerate = linear_convergence(attempt.report.history);
    std::vector<std::size_t> loose; // hold by a bounded force, without an equation for the position
    for (std::size_t k = 0; k < supports.size(); ++k) {
        const Support& s = supports[k];
        e.bound.push_back(s.upper ? rest_.value(s.upper, attempt.X) : k_infinite);
        e.gaps.push_back(s.position ? rest_.value(s.position, attempt.X) : 0.0);
        if (states[k] == SupportState::holds && !s.position &&
            (s.kind == SupportKind::tangential || s.kind == SupportKind::relay))
            loose.push_back(k);
    }
    // The rest positions near this one: solutions of fewer equations than unknowns, less the forces that several
    // supports share.
    VectorXd r;
    Eigen::MatrixXd J;
    rest_.evaluate(states, attempt.X, r, &J);
    solve::RankFactor factor;
    factor.factor(J, {.threshold = 1e-9});
    const Eigen::MatrixXd null = factor.null_space();
    solve::RankFactor moved;
    if (null.cols() > 0) {
        const Eigen::MatrixXd positions = null.topRows(static_cast<Index>(n_q));
        moved.factor(positions, {.threshold = 1e-9});
        // A null space of forces alone has positions of rounding size.
        e.dimension =
            positions.cwiseAbs().maxCoeff() > 1e-9 ? static_cast<std::size_t>(moved.rank()) : 0;
    }
    if (e.dimension == 1 && loose.size() == 1) {
        for (const SupportState end : {SupportState::at_lower, SupportState::at_upper}) {
            const Support& s = supports[loose.front()];
            if (s.kind == SupportKind::tangential && !s.planar) break;
            SupportStates at_end = states;
            at_end[loose.front()] = end;
            const Attempt there = solve(at_end, e.q, options.tolerance);
            if (!there.converged || !violation(at_end, there.X, there.scale).empty()) continue;
            e.ends.push_back({{there.X.data(), there.X.data() + n_q}, s.name});
        }
    }
    e.motions = small_motions(rest_, states, attempt.X);
    judge(e);
    return e;
}

Equilibria EquilibriumSearch::find(const EquilibriumOptions& options,
                                   const std::vector<std::vector<double>>& also) const {
    Equilibria result;
    if (!rest_.refused().empty()) {
        result.reason = rest_.refused();
        return result;
    }
    std::vector<std::vector<double>> starts = also;
    starts.push_back(start_.q);
    for (std::size_t i = 1; i < options.starts && !options.box.empty(); ++i) {
        auto q = start_.q;
        for (std::size_t k = 0; k < options.box.size(); ++k) {
            const auto& side = options.box[k];
            q[side.coordinate] = side.from + (side.to - side.from) * van_der_corput(i, prime(k));
        }
        starts.push_back(std::move(q));
    }
    const auto choices = cases(options, result.cases_left_out);
    result.best_residual = k_infinite;
    for (const auto& q : starts) {
        for (const SupportStates& states : choices) {
            if (base::raised(options.interrupt)) break;
            ++result.tried;
            Attempt attempt = solve(states, q, options.tolerance);
            if (!attempt.converged) {
                if (attempt.report.residual < result.best_residual) {
                    result.best_residual = attempt.report.residual;
                    const auto row = attempt.report.worst_row;
                    result.worst = row >= 0 && row < static_cast<Index>(rest_.n_balance())
                                       ? rest_.balance_name(static_cast<std::size_t>(row))
                                       : "";
                }
                continue;
            }
            if (!violation(states, attempt.X, attempt.scale).empty())
                attempt.X = forces_within(rest_, states, attempt.X, attempt.scale);
            if (std::string why = violation(states, attempt.X, attempt.scale); !why.empty()) {
                result.violation = std::move(why);
                // Outside what friction can hold here: the middle of the set may lie elsewhere.
                SupportStates slack = states;
                bool loose = false;
                for (std::size_t k = 0; k < states.size(); ++k) {
                    const Support& s = rest_.supports()[k];
                    if (states[k] == SupportState::holds && !s.position &&
                        s.kind == SupportKind::tangential) {
                        slack[k] = SupportState::absent;
                        loose = true;
                    }
                }
                if (!loose) continue;
                attempt = solve(slack, q, options.tolerance);
                if (!attempt.converged || !violation(states, attempt.X, attempt.scale).empty())
                    continue;
            }
            Equilibrium e = describe(states, attempt, options);
            if (!options.box.empty() &&
                std::any_of(options.box.begin(), options.box.end(), [&](const auto& side) {
                    const double x = e.q[side.coordinate];
                    const double slack = k_same * (1.0 + std::abs(x));
                    return x < side.from - slack || x > side.to + slack;
                }))
                continue;
            // The same place, or the same set: once, with as many contacts closed as there are.
            const auto same = std::find_if(
                result.found.begin(), result.found.end(), [&](const Equilibrium& other) {
                    const bool blurred = e.degenerate || other.degenerate;
                    if (near(other.q, e.q, blurred ? k_blurred : k_same)) return true;
                    return other.states == e.states && e.dimension == 1 && other.ends.size() == 2 &&
                           e.ends.size() == 2 && near(other.ends[0].q, e.ends[0].q) &&
                           near(other.ends[1].q, e.ends[1].q);
                });
            if (same == result.found.end()) {
                result.found.push_back(std::move(e));
                continue;
            }
            const auto closed = [](const Equilibrium& x) {
                return std::count(x.states.begin(), x.states.end(), SupportState::holds);
            };
            if (near(same->q, e.q) && closed(e) > closed(*same)) *same = std::move(e);
        }
    }
    std::stable_sort(result.found.begin(), result.found.end(),
                     [](const Equilibrium& a, const Equilibrium& b) { return a.q < b.q; });
    if (!result.found.empty()) return result;
    std::string why;
    if (!result.violation.empty())
        why = fmt::format("; forces balance only {}", result.violation);
    else if (std::isfinite(result.best_residual))
        why = fmt::format("; the best leaves {:.3g} in {}", result.best_residual,
                          result.worst.empty() ? "the conditions of the supports"
                                               : "the balance of " + result.worst);
    result.reason =
        fmt::format("no rest position was found in {} attempts{}; try other places with "
                    "--box NAME=FROM:TO",
                    result.tried, why);
    return result;
}

} // namespace liaison::analysis
