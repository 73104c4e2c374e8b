// SPDX-License-Identifier: Apache-2.0
// Slips in space that start together: all directions are found, none is invented, and what is degenerate is not called complete.
#include "liaison/laws/slip_onset_search.hpp"

#include "liaison/laws/coulomb_problem.hpp"
#include "liaison/laws/coulomb_sweeps.hpp"
#include "liaison/laws/slip_onset_starts.hpp"

#include "support/sanitized.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

using namespace liaison::laws;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using liaison::expr::Interval;

namespace {

constexpr double k_turn = 2.0 * std::numbers::pi;
constexpr int k_problems = liaison::test::k_sanitized ? 20 : 240;

struct Random {
    std::mt19937_64 engine;
    explicit Random(unsigned seed) : engine(seed) {}
    double normal() { return std::normal_distribution<double>()(engine); }
    double part() { return std::uniform_real_distribution<double>(0.0, 1.0)(engine); }
    MatrixXd matrix(Index rows, Index columns) {
        return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(); });
    }
};

// Rows: the normals of all contacts, then two slips of each.
struct Problem {
    MatrixXd D;
    VectorXd b;
    std::vector<CoulombContact> contacts;

    Problem(Random& random, Index k, double mu_most) {
        const MatrixXd W = random.matrix(3 * k, 3 * k + 1);
        D = W * W.transpose();
        b = random.matrix(3 * k, 1);
        b.head(k) = -b.head(k).cwiseAbs();
        for (Index i = 0; i < k; ++i) {
            CoulombContact c;
            c.normal = i;
            c.slip = k + 2 * i;
            c.slips = 2;
            c.sliding_plus = c.sliding_minus = c.sticking = mu_most * random.part();
            contacts.push_back(c);
        }
    }
};

// All solutions of one or two contacts by brute force: every assignment of modes, starts of Newton's method all over the angles, and Coulomb's
// law itself as the judge (the natural map, which is zero for solutions only).
class BruteForce {
  public:
    explicit BruteForce(const Problem& p) : p_(p) {}

    std::vector<VectorXd> accelerations() {
        const std::size_t k = p_.contacts.size();
        std::vector<int> mode(k, 0); // open, stick, slip
        for (bool more = true; more;) {
            visit(mode);
            std::size_t i = 0;
            while (i < k && mode[i] == 2) mode[i++] = 0;
            more = i < k;
            if (more) ++mode[i];
        }
        return found_;
    }

  private:
    void visit(const std::vector<int>& mode) {
        std::vector<double> angle(mode.size(), 0.0);
        const auto slips = std::ranges::count(mode, 2);
        if (slips == 0) keep(forces(mode, angle));
        const int grid = slips == 1 ? 90 : 20;
        if (slips == 0) return;
        for (int i = 0; i < grid; ++i) {
            for (int j = 0; j < (slips == 2 ? grid : 1); ++j) {
                std::vector<double> at;
                for (std::size_t n = 0; n < mode.size(); ++n)
                    at.push_back(k_turn * ((n == 0 || slips == 1 ? i : j) + 0.3) / grid);
                newton(mode, at);
            }
        }
    }

    [[nodiscard]] VectorXd forces(const std::vector<int>& mode,
                                  const std::vector<double>& angle) const {
        MatrixXd spread = MatrixXd::Zero(p_.b.size(), p_.b.size());
        std::vector<Index> rows;
        const auto unknown = [&](Index row) {
            spread(row, static_cast<Index>(rows.size())) = 1.0;
            rows.push_back(row);
        };
        for (std::size_t k = 0; k < mode.size(); ++k) {
            const CoulombContact& c = p_.contacts[k];
            if (mode[k] == 0) continue;
            unknown(c.normal);
            if (mode[k] == 2) {
                const auto column = static_cast<Index>(rows.size()) - 1;
                spread(c.slip, column) = -c.sliding_plus * std::cos(angle[k]);
                spread(c.slip + 1, column) = -c.sliding_plus * std::sin(angle[k]);
            } else {
                unknown(c.slip);
                unknown(c.slip + 1);
            }
        }
        if (rows.empty()) return VectorXd::Zero(p_.b.size());
        spread.conservativeResize(Eigen::NoChange, static_cast<Index>(rows.size()));
        const MatrixXd A = (p_.D * spread)(rows, Eigen::all);
        return spread * A.partialPivLu().solve(-p_.b(rows));
    }

    [[nodiscard]] VectorXd turning(const std::vector<int>& mode,
                                   const std::vector<double>& angle) const {
        const VectorXd a = p_.b + p_.D * forces(mode, angle);
        VectorXd F = VectorXd::Zero(static_cast<Index>(mode.size()));
        for (std::size_t k = 0; k < mode.size(); ++k) {
            if (mode[k] != 2) continue;
            const Index t = p_.contacts[k].slip;
            F(static_cast<Index>(k)) = std::cos(angle[k]) * a(t + 1) - std::sin(angle[k]) * a(t);
        }
        return F;
    }

    void newton(const std::vector<int>& mode, std::vector<double> angle) {
        const auto n = static_cast<Index>(mode.size());
        for (int i = 0; i < 12; ++i) {
            const VectorXd F = turning(mode, angle);
            if (!F.allFinite()) return;
            MatrixXd J = MatrixXd::Identity(n, n);
            for (std::size_t k = 0; k < mode.size(); ++k) {
                if (mode[k] != 2) continue;
                constexpr double k_step = 1e-7;
                auto ahead = angle;
                ahead[k] += k_step;
                J.col(static_cast<Index>(k)) = (turning(mode, ahead) - F) / k_step;
            }
            const VectorXd step = -J.partialPivLu().solve(F);
            const double size = step.cwiseAbs().maxCoeff();
            if (!std::isfinite(size) || size > 3.0) return;
            for (std::size_t k = 0; k < mode.size(); ++k)
                if (mode[k] == 2) angle[k] += step(static_cast<Index>(k));
            if (size < 1e-12) {
                keep(forces(mode, angle));
                return;
            }
        }
    }

    void keep(const VectorXd& force) {
        if (!force.allFinite() || coulomb_residual(p_.D, p_.b, p_.contacts, force) > 1e-9) return;
        const VectorXd a = p_.b + p_.D * force;
        const bool known = std::ranges::any_of(
            found_, [&](const VectorXd& x) { return (x - a).cwiseAbs().maxCoeff() < 1e-6; });
        if (!known) found_.push_back(a);
    }

    const Problem& p_;
    std::vector<VectorXd> found_;
};

// The same solutions, each of them a solution.
void compare(const Problem& p, const CoulombAnswer& answer) {
    const auto all = BruteForce(p).accelerations();
    REQUIRE(answer.solutions.size() == all.size());
    for (const CoulombSolution& s : answer.solutions) {
        CHECK(coulomb_residual(p.D, p.b, p.contacts, s.best().force) < 1e-9);
        CHECK(std::ranges::any_of(all, [&](const VectorXd& a) {
            return (a - s.acceleration).cwiseAbs().maxCoeff() < 1e-7;
        }));
    }
}

OnsetRow row(double load, const std::vector<std::array<double, 3>>& response) {
    OnsetRow r;
    r.load = load;
    for (const auto& p : response)
        r.response.push_back({Interval(p[0]), Interval(p[1]), Interval(p[2])});
    return r;
}

OnsetSearchOptions accurate(std::size_t contacts) {
    OnsetSearchOptions options;
    options.least.assign(contacts, 1e-9);
    options.rest = 1e-8;
    return options;
}

} // namespace

TEST_CASE("one contact in space: all motions, certified") {
    Random random(1);
    std::array<int, 6> count{};
    for (int i = 0; i < k_problems; ++i) {
        const Problem p(random, 1, i % 2 == 0 ? 1.5 : 6.0);
        const auto answer = solve_coulomb(p.D, p.b, p.contacts);
        CHECK(answer.complete);
        compare(p, answer);
        ++count[std::min<std::size_t>(answer.solutions.size(), 5)];
    }
    CHECK(count[1] > 0.9 * k_problems);
}

TEST_CASE("two contacts in space: all motions, certified") {
    Random random(2);
    std::array<int, 6> count{};
    for (int i = 0; i < k_problems; ++i) {
        INFO(i);
        const Problem p(random, 2, i % 2 == 0 ? 1.5 : 6.0);
        const auto answer = solve_coulomb(p.D, p.b, p.contacts);
        CHECK(answer.complete);
        CHECK(answer.note.empty());
        compare(p, answer);
        ++count[std::min<std::size_t>(answer.solutions.size(), 5)];
    }
    // Forces that are determined and loads that nobody chose: an odd number of motions.
    CHECK(count[0] + count[2] + count[4] == 0);
    CHECK(count[1] > 0.8 * k_problems);
    if (!liaison::test::k_sanitized) CHECK(count[3] + count[5] >= 4);
}

TEST_CASE("two contacts without coupling: each slips along its own load") {
    Random random(3);
    Problem p(random, 2, 1.0);
    p.D.setIdentity();
    p.b << -2.0, -3.0, 3.0, 4.0, -5.0, 12.0;
    for (CoulombContact& c : p.contacts) c.sliding_plus = c.sliding_minus = c.sticking = 0.5;
    const auto answer = solve_coulomb(p.D, p.b, p.contacts);
    REQUIRE(answer.unique());
    CHECK_FALSE(answer.by_matrix);
    CHECK(letters(answer.solutions[0].best()) == "++");
    // |v̇| = |b_T| − μ N: 5 − 1 and 13 − 1.5.
    const VectorXd& a = answer.solutions[0].acceleration;
    CHECK(a(2) == doctest::Approx(0.6 * 4.0).epsilon(1e-13));
    CHECK(a(3) == doctest::Approx(0.8 * 4.0).epsilon(1e-13));
    CHECK(a(4) == doctest::Approx(-11.5 * 5.0 / 13.0).epsilon(1e-13));
    CHECK(a(5) == doctest::Approx(11.5 * 12.0 / 13.0).epsilon(1e-13));
}

TEST_CASE("three contacts in space: an odd number of motions, never called unique without proof") {
    Random random(4);
    int several = 0;
    for (int i = 0; i < k_problems / 2; ++i) {
        INFO(i);
        const Problem p(random, 3, i % 2 == 0 ? 1.5 : 6.0);
        const auto answer = solve_coulomb(p.D, p.b, p.contacts);
        CHECK(answer.solutions.size() % 2 == 1);
        CHECK((!answer.complete || answer.by_matrix));
        for (const CoulombSolution& s : answer.solutions)
            CHECK(coulomb_residual(p.D, p.b, p.contacts, s.best().force) < 1e-8);
        several += answer.solutions.size() > 1 ? 1 : 0;
    }
    if (!liaison::test::k_sanitized) CHECK(several >= 2);
}

TEST_CASE("what is left of an assignment encloses its accelerations and forces") {
    Random random(5);
    for (int i = 0; i < k_problems / 4; ++i) {
        const Index k = 3 + i % 3;
        Problem p(random, k, 1.0);
        ModeChoices modes(static_cast<std::size_t>(k));
        std::vector<std::size_t> starting;
        for (std::size_t n = 0; n < modes.size(); ++n) {
            CoulombContact& c = p.contacts[n];
            modes[n].mode = ContactMode::slip_plus;
            if (n < 2) {
                starting.push_back(n);
                c.bilateral = random.part() < 0.3;
                modes[n].side = c.bilateral && random.part() < 0.5 ? -1 : 1;
            } else if (random.part() < 0.4) {
                modes[n].mode = ContactMode::stick;
            } else if (random.part() < 0.4) {
                modes[n].mode = ContactMode::open;
            } else {
                c.moving = true;
                c.direction = modes[n].direction = {0.6, -0.8};
            }
        }
        const auto onset = slip_onset(p.D, p.b, p.contacts, modes, starting);
        REQUIRE(onset.has_value());
        CoulombAssignment assignment(p.D, p.b, p.contacts, {});
        double angle[2];
        for (std::size_t n = 0; n < 2; ++n) {
            angle[n] = k_turn * random.part();
            modes[n].direction = {std::cos(angle[n]), std::sin(angle[n])};
        }
        const VectorXd force = *assignment.forces(modes);
        const VectorXd a = p.b + p.D * force;
        const auto holds = [&](const OnsetRow& r, double value) {
            Interval sum = r.load;
            for (std::size_t n = 0; n < 2; ++n) {
                const Interval psi(angle[n]);
                const Interval N = modes[n].side * force(p.contacts[n].normal);
                sum = sum + N * (r.response[n][0] + r.response[n][1] * cos(psi) +
                                 r.response[n][2] * sin(psi));
            }
            // The forces and angles that were put in are rounded.
            CHECK(sum.middle() == doctest::Approx(value).epsilon(1e-9).scale(1.0));
            CHECK(sum.width() < 1e-9 * std::max(1.0, force.cwiseAbs().maxCoeff()));
        };
        for (std::size_t n = 0; n < 2; ++n) {
            holds(onset->starting[n].gap, 0.0);
            holds(onset->starting[n].slip_x, a(p.contacts[n].slip));
            holds(onset->starting[n].slip_y, a(p.contacts[n].slip + 1));
        }
        std::size_t open = 0;
        std::size_t closed = 0;
        for (std::size_t n = 2; n < modes.size(); ++n) {
            if (modes[n].mode == ContactMode::open)
                holds(onset->gaps[open++], a(p.contacts[n].normal));
            else
                holds(onset->forces[closed++], force(p.contacts[n].normal));
        }
        CHECK(onset->gaps.size() == open);
        CHECK(onset->forces.size() == closed);
    }
}

TEST_CASE("contacts that depend on each other are not reduced") {
    Random random(6);
    Problem p(random, 3, 0.5);
    // The third normal is the sum of the others.
    MatrixXd W = random.matrix(9, 9);
    W.row(2) = W.row(0) + W.row(1);
    p.D = W * W.transpose();
    p.b = W * random.matrix(9, 1);
    ModeChoices modes(3);
    for (ModeChoice& m : modes) m.mode = ContactMode::stick;
    modes[0].mode = modes[1].mode = ContactMode::slip_plus;
    CHECK_FALSE(slip_onset(p.D, p.b, p.contacts, modes, {0, 1}).has_value());
    modes[2].mode = ContactMode::open;
    CHECK(slip_onset(p.D, p.b, p.contacts, modes, {0, 1}).has_value());
}

TEST_CASE("a double root is undecided, roots beside it are still found") {
    // N = 1 and v̇ = (1 + cos ψ, 0.3 − 0.3 cos ψ + 2 sin ψ): F = 0.3 cos ψ (1 − cos ψ) − sin ψ (1 − cos ψ) has a double root in 0 with
    // s·v̇ = 2 and a simple one at tan ψ = 0.3.
    const OnsetRow gap1 = row(-1.0, {{1, 0, 0}});
    const OnsetRow x1 = row(1.0, {{0, 1, 0}});
    SlipOnset one;
    one.starting.push_back({gap1, x1, row(0.3, {{0, -0.3, 2}})});
    const auto degenerate = search_slip_onset(one, accurate(1));
    CHECK_FALSE(degenerate.complete);
    CHECK(degenerate.boxes < 1000);
    const auto has = [](const OnsetDirections& d, std::size_t i, double angle) {
        return std::ranges::any_of(d.angles, [&](const OnsetAngles& a) {
            return std::abs(std::remainder(a[i] - angle, k_turn)) < 1e-12;
        });
    };
    // Moved a little up or down, the root is two or none.
    for (const double shift : {1e-6, -1e-6}) {
        one.starting[0].slip_y = row(0.3 + shift, {{0, -0.3, 2}});
        const auto near = search_slip_onset(one, accurate(1));
        CHECK(near.complete);
        CHECK(near.angles.size() % 2 == 0);
    }
    // On the torus, beside a contact that goes its own way.
    SlipOnset two;
    two.starting.push_back({row(-1.0, {{1, 0, 0}, {0, 0, 0}}), row(1.0, {{0, 1, 0}, {0, 0, 0}}),
                            row(0.3, {{0, -0.3, 2}, {0, 0, 0}})});
    two.starting.push_back({row(-2.0, {{0, 0, 0}, {1, 0, 0}}), row(3.0, {{0, 0, 0}, {0, -1, 0}}),
                            row(4.0, {{0, 0, 0}, {0, 0, -1}})});
    CHECK_FALSE(search_slip_onset(two, accurate(2)).complete);
    // With two simple roots instead of the double one: v̇ = (3 − cos ψ, 1 − sin ψ) has s ∥ (3, 1).
    two.starting[0].slip_x = row(3.0, {{0, -1, 0}, {0, 0, 0}});
    two.starting[0].slip_y = row(1.0, {{0, 0, -1}, {0, 0, 0}});
    const auto simple = search_slip_onset(two, accurate(2));
    CHECK(simple.complete);
    CHECK(has(simple, 0, std::atan2(1.0, 3.0)));
    CHECK(has(simple, 1, std::atan2(4.0, 3.0)));
}

TEST_CASE("a problem with a degenerate direction is not called complete") {
    // The accelerations of the test before; such a matrix belongs to no body, but the law does not ask.
    CoulombContact c;
    c.slip = 1;
    c.slips = 2;
    c.sliding_plus = c.sliding_minus = c.sticking = 1.0;
    MatrixXd D(3, 3);
    D << 1, 0, 0, 0, -1, 0, 0, 0.3, -2;
    const Eigen::Vector3d b(-1.0, 1.0, 0.3);
    const auto one = solve_coulomb(D, b, {c});
    CHECK_FALSE(one.complete);
    CHECK(one.note.find("degenerate") != std::string::npos);
    CHECK(solve_coulomb(D, b + Eigen::Vector3d(0.0, 0.0, 1e-3), {c}).complete);
    // Beside a second one that slips along (3, 4).
    CoulombContact other = c;
    other.normal = 3;
    other.slip = 4;
    MatrixXd both = MatrixXd::Identity(6, 6);
    both.topLeftCorner(3, 3) = D;
    VectorXd loads(6);
    loads << b, -1.0, 3.0, 4.0;
    const auto two = solve_coulomb(both, loads, {c, other});
    CHECK_FALSE(two.complete);
    CHECK_FALSE(two.note.empty());
    loads(2) += 1e-3;
    CHECK(solve_coulomb(both, loads, {c, other}).complete);
}

TEST_CASE("slips that go nowhere are left to contacts that stick") {
    // v̇ = (3 − 5 cos ψ, 4 − 5 sin ψ) vanishes at the only root with s·v̇ ≥ 0.
    SlipOnset one;
    one.starting.push_back(
        {row(-1.0, {{1, 0, 0}}), row(3.0, {{0, -5, 0}}), row(4.0, {{0, 0, -5}})});
    auto options = accurate(1);
    const auto none = search_slip_onset(one, options);
    CHECK(none.complete);
    for (const OnsetAngles& a : none.angles) // s·v̇ = 5 cos(ψ − ψ₀) − 5
        CHECK(std::abs(std::remainder(a[0] - std::atan2(4.0, 3.0), k_turn)) < 1e-12);
    // A slip that others keep zero has no direction at all.
    one.starting[0].slip_x = row(0.0, {{0, 0, 0}});
    one.starting[0].slip_y = row(0.0, {{0, 0, 0}});
    options.least = {-1e-10};
    const auto still = search_slip_onset(one, options);
    CHECK(still.complete);
    CHECK(still.angles.empty());
    CHECK(still.boxes < 100);
}

TEST_CASE("starts for three slips are spread evenly and always the same") {
    SlipOnset onset;
    for (std::size_t i = 0; i < 3; ++i) {
        std::vector<std::array<double, 3>> gap(3), x(3), y(3);
        gap[i] = {1, 0, 0};
        x[i] = {0, -1, 0};
        y[i] = {0, 0, -1};
        onset.starting.push_back({row(-1.0, gap), row(3.0, x), row(4.0, y)});
    }
    const auto starts = onset_starts(onset, 24);
    CHECK(starts == onset_starts(onset, 24));
    CHECK(starts.size() == 2 + 24);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(starts[0][i] == doctest::Approx(std::atan2(4.0, 3.0)));
        std::array<int, 4> quarter{};
        for (std::size_t n = 2; n < starts.size(); ++n)
            ++quarter[static_cast<std::size_t>(4.0 * starts[n][i] / k_turn) % 4];
        CHECK(*std::ranges::min_element(quarter) >= 4);
    }
    const auto found = follow_onset_starts(onset, starts, 1e-9);
    REQUIRE(found.size() == 1);
    for (const double angle : found[0])
        CHECK(std::abs(std::remainder(angle - std::atan2(4.0, 3.0), k_turn)) < 1e-12);
}
