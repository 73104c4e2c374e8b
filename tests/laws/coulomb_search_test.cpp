// SPDX-License-Identifier: Apache-2.0
// Contact problems in space and with many contacts: two solvers agree, what is found is a solution, what is not is said.
#include "liaison/laws/coulomb_search.hpp"

#include "liaison/laws/contact_islands.hpp"
#include "liaison/laws/coulomb_pivoting.hpp"
#include "liaison/laws/coulomb_problem.hpp"
#include "liaison/laws/coulomb_sweeps.hpp"
#include "liaison/laws/friction_impact.hpp"
#include "liaison/laws/minimal_support.hpp"

#include "support/sanitized.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <random>

using namespace liaison::laws;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using nlohmann::json;

namespace {

// Random problems of the longest tests.
constexpr int k_many = liaison::test::k_sanitized ? 100 : 1000;

double value(const json& j) {
    if (j.is_number()) return j;
    const std::string text = j;
    const auto slash = text.find('/');
    if (slash == std::string::npos) return std::stod(text);
    return std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

struct Problem {
    MatrixXd D;
    VectorXd b;
    MatrixXd response; // velocities per impulse
    VectorXd free; // velocities without contacts
    std::vector<CoulombContact> contacts;
};

// A rigid body on feet in space; rows: all normals, then both slips of every foot.
Problem on_feet(const json& p) {
    const auto k = static_cast<Index>(p["feet"].size());
    MatrixXd W = MatrixXd::Zero(3 * k, 6);
    Problem problem;
    for (Index i = 0; i < k; ++i) {
        Eigen::Vector3d r;
        for (int j = 0; j < 3; ++j)
            r(j) = value(p["feet"][static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
        // v + w × r along z, x, y
        const Index rows[] = {i, k + 2 * i, k + 2 * i + 1};
        const int axes[] = {2, 0, 1};
        for (int j = 0; j < 3; ++j) {
            const Eigen::Vector3d e = Eigen::Vector3d::Unit(axes[j]);
            W.row(rows[j]).head<3>() = e;
            W.row(rows[j]).tail<3>() = r.cross(e);
        }
        CoulombContact c;
        c.normal = i;
        c.slip = k + 2 * i;
        c.slips = 2;
        c.sliding_plus = c.sliding_minus = c.sticking = value(p["mu"]);
        problem.contacts.push_back(c);
    }
    VectorXd inverse(6);
    for (int j = 0; j < 3; ++j) inverse(j) = 1.0 / value(p["m"]);
    for (int j = 0; j < 3; ++j) inverse(3 + j) = 1.0 / value(p["J"][static_cast<std::size_t>(j)]);
    VectorXd velocity(6);
    VectorXd impulse(6);
    for (std::size_t j = 0; j < 6; ++j) {
        velocity(static_cast<Index>(j)) = value(p["velocity"][j]);
        impulse(static_cast<Index>(j)) = value(p["impulse"][j]);
    }
    problem.response = inverse.asDiagonal() * W.transpose();
    problem.D = W * problem.response;
    problem.free = velocity + inverse.cwiseProduct(impulse);
    problem.b = W * problem.free;
    return problem;
}

// A planar body on feet, pushed and turned: W_N = (0, 1, a), W_T = (1, 0, h).
Problem random_feet(std::mt19937_64& engine, Index k, double mu_most, bool sliding) {
    std::uniform_real_distribution<double> part(-1.0, 1.0);
    MatrixXd W(2 * k, 3);
    Problem problem;
    const double s = part(engine) > 0.0 ? 1.0 : -1.0;
    for (Index i = 0; i < k; ++i) {
        W.row(i) << 0.0, 1.0, part(engine);
        W.row(k + i) << 1.0, 0.0, 0.5 + 0.5 * part(engine);
        CoulombContact c;
        c.normal = i;
        c.slip = k + i;
        c.slips = 1;
        c.sliding_plus = c.sliding_minus = c.sticking = mu_most * (0.5 + 0.5 * part(engine));
        c.moving = sliding;
        c.direction = {s, 0.0};
        problem.contacts.push_back(c);
    }
    const Eigen::Vector3d inverse(1.0, 1.0, 3.0);
    problem.response = inverse.asDiagonal() * W.transpose();
    problem.D = W * problem.response;
    problem.free = Eigen::Vector3d(part(engine), -1.0, part(engine));
    problem.b = W * problem.free;
    return problem;
}

double distance(const VectorXd& a, const VectorXd& b) { return (a - b).cwiseAbs().maxCoeff(); }

} // namespace

TEST_CASE("a body on three feet in space: enumeration and sweeps give the reference") {
    std::ifstream in(std::string(LIAISON_TEST_DATA) + "/reference/07-spatial.json");
    const json file = json::parse(in);
    for (const auto& c : file["cases"]) {
        INFO(c["name"].get<std::string>());
        const Problem p = on_feet(c["parameters"]);
        VectorXd velocity(6);
        for (std::size_t j = 0; j < 6; ++j) velocity(static_cast<Index>(j)) = c["velocity"][j];
        const auto compare = [&](const VectorXd& force) {
            CHECK(distance(p.free + p.response * force, velocity) < 1e-9);
            const auto k = static_cast<Index>(p.contacts.size());
            for (Index i = 0; i < k; ++i) {
                const auto& wanted = c["impulses"][static_cast<std::size_t>(i)];
                CHECK(std::abs(force(i) - wanted[0].get<double>()) < 1e-9);
                CHECK(std::abs(force(k + 2 * i) - wanted[1].get<double>()) < 1e-9);
                CHECK(std::abs(force(k + 2 * i + 1) - wanted[2].get<double>()) < 1e-9);
            }
        };
        const auto answer = solve_coulomb(p.D, p.b, p.contacts);
        REQUIRE(answer.solutions.size() == 1);
        CHECK(letters(answer.solutions[0].best()) == c["mode"].get<std::string>());
        CHECK(answer.solutions[0].forces_unique() == c["impulses_unique"].get<bool>());
        compare(answer.solutions[0].best().force);
        const auto sweep = sweep_coulomb(p.D, p.b, p.contacts);
        CHECK(sweep.converged);
        compare(sweep.force);
        CHECK(coulomb_residual(p.D, p.b, p.contacts, answer.solutions[0].best().force) < 1e-10);
    }
}

TEST_CASE("four feet in space that hold: the cone decides although the forces are not unique") {
    // A square table pushed sideways by a force F at the height of the feet: it holds up to F = mu m g.
    const auto table = [](double push) {
        return json{
            {"m", 1.0},
            {"J", {0.3, 0.3, 0.4}},
            {"feet", {{0.5, 0.5, 0.0}, {-0.5, 0.5, 0.0}, {-0.5, -0.5, 0.0}, {0.5, -0.5, 0.0}}},
            {"mu", 0.4},
            {"velocity", {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}},
            {"impulse", {push, 0.0, -10.0, 0.0, 0.0, 0.0}}};
    };
    const Problem holds = on_feet(table(3.99));
    const auto rest = solve_coulomb(holds.D, holds.b, holds.contacts);
    REQUIRE(rest.solutions.size() == 1);
    CHECK(letters(rest.solutions[0].best()) == "ssss");
    CHECK_FALSE(rest.solutions[0].forces_unique());
    CHECK(rest.solutions[0].acceleration.cwiseAbs().maxCoeff() < 1e-12);
    const Problem slides = on_feet(table(5.0));
    const auto motion = solve_coulomb(slides.D, slides.b, slides.contacts);
    REQUIRE(motion.solutions.size() == 1);
    CHECK(letters(motion.solutions[0].best()) == "++++");
    CHECK(motion.solutions[0].acceleration(4) == doctest::Approx(1.0).epsilon(1e-9));
    // It cannot be held, and not by a foot alone while the others turn about it.
    CHECK_FALSE(motion.unique()); // directions of several slips are not certified
}

TEST_CASE("planar contacts at rest: what pivoting finds is among the enumerated solutions") {
    std::mt19937_64 engine(7);
    std::uniform_int_distribution<Index> count(1, 4);
    int several = 0;
    for (int i = 0; i < k_many; ++i) {
        const Problem p = random_feet(engine, count(engine), 1.5, false);
        const auto all = solve_coulomb(p.D, p.b, p.contacts);
        REQUIRE(all.complete);
        several += all.solutions.size() > 1 ? 1 : 0;
        const auto one = pivot_coulomb(p.D, p.b, p.contacts);
        REQUIRE(one.solved);
        const VectorXd acceleration = p.b + p.D * one.force;
        double nearest = 1.0;
        for (const CoulombSolution& s : all.solutions)
            nearest = std::min(nearest, distance(s.acceleration, acceleration));
        CHECK(nearest < 1e-8); // of the accelerations that count as the same
        CHECK(coulomb_residual(p.D, p.b, p.contacts, one.force) < 1e-9);
    }
    if (!liaison::test::k_sanitized) CHECK(several > 0);
}

TEST_CASE(
    "the search finds a solution of the enumeration, and says that it did not look for others") {
    std::mt19937_64 engine(11);
    int found = 0;
    for (int i = 0; i < k_many / 5; ++i) {
        const Problem p = random_feet(engine, 4, 1.2, false);
        const auto all = solve_coulomb(p.D, p.b, p.contacts);
        const auto one = search_coulomb(p.D, p.b, p.contacts, {});
        if (one.solutions.empty()) continue;
        ++found;
        CHECK_FALSE(one.complete);
        CHECK(one.note.find("others were not looked for") != std::string::npos);
        double nearest = 1.0;
        for (const CoulombSolution& s : all.solutions)
            nearest = std::min(nearest, distance(s.acceleration, one.solutions[0].acceleration));
        CHECK(nearest < 1e-8);
    }
    CHECK(found == k_many / 5);
}

TEST_CASE("twelve feet at rest are too many to enumerate: pivoting, verified") {
    std::mt19937_64 engine(3);
    for (int i = 0; i < 20; ++i) {
        const Problem p = random_feet(engine, 12, 0.8, false);
        const auto answer = solve_coulomb(p.D, p.b, p.contacts);
        REQUIRE(answer.solutions.size() == 1);
        CHECK_FALSE(answer.complete);
        CHECK_FALSE(answer.unique());
        CHECK(answer.note.find("1.68e+07 assignments") != std::string::npos);
        CHECK(coulomb_residual(p.D, p.b, p.contacts, answer.solutions[0].best().force) < 1e-8);
    }
}

TEST_CASE("thirteen sliding feet with little friction: one solution, and certainly no other") {
    // Independent normals: every foot presses on a mass of its own, coupled weakly.
    const Index k = 13;
    MatrixXd D = MatrixXd::Zero(2 * k, 2 * k);
    VectorXd b(2 * k);
    Problem p;
    for (Index i = 0; i < k; ++i) {
        for (Index j = 0; j < k; ++j) {
            D(i, j) = i == j ? 1.0 : 0.02;
            D(k + i, k + j) = i == j ? 1.0 : 0.02;
        }
        D(i, k + i) = D(k + i, i) = 0.3;
        b(i) = i % 3 == 0 ? 0.5 : -1.0;
        b(k + i) = 0.0;
        CoulombContact c;
        c.normal = i;
        c.slip = k + i;
        c.slips = 1;
        c.sliding_plus = c.sliding_minus = c.sticking = 0.2;
        c.moving = true;
        c.direction = {1.0, 0.0};
        p.contacts.push_back(c);
    }
    const auto answer = solve_coulomb(D, b, p.contacts);
    CHECK(answer.unique());
    CHECK(letters(answer.solutions[0].best()) == "o++o++o++o++o");
    CHECK(coulomb_residual(D, b, p.contacts, answer.solutions[0].best().force) < 1e-10);
}

TEST_CASE("static friction above that of slip, beyond enumeration") {
    // Eight blocks on a floor, pushed: those above the static limit slide with the smaller coefficient.
    const Index k = 8;
    MatrixXd D = MatrixXd::Identity(2 * k, 2 * k);
    for (Index i = 0; i + 1 < k; ++i) D(i, i + 1) = D(i + 1, i) = 1e-3; // one island
    VectorXd b(2 * k);
    std::vector<CoulombContact> contacts;
    for (Index i = 0; i < k; ++i) {
        b(i) = -10.0;
        b(k + i) = i < 4 ? 5.0 : 7.0;
        CoulombContact c;
        c.normal = i;
        c.slip = k + i;
        c.slips = 1;
        c.sliding_plus = c.sliding_minus = 0.3;
        c.sticking = 0.6;
        contacts.push_back(c);
    }
    const auto answer = solve_coulomb(D, b, contacts);
    REQUIRE(answer.solutions.size() == 1);
    CHECK(letters(answer.solutions[0].best()) == "ssss++++");
    const VectorXd& force = answer.solutions[0].best().force;
    CHECK(force(k + 5) == doctest::Approx(-0.3 * force(5)).epsilon(1e-12));
}

TEST_CASE("Poisson's impact in two phases with friction") {
    CoulombContact c;
    c.normal = 0;
    c.slip = 1;
    c.slips = 1;
    c.sliding_plus = c.sliding_minus = c.sticking = 0.1;
    MatrixXd D(2, 2);
    D << 1.0, 0.2, 0.2, 1.0;
    VectorXd w(2);
    w << -1.0, 5.0;
    // Slip keeps its direction: (1 + e) times the impulse of compression, 1/(D_nn − μ D_nt).
    const double e = 0.6;
    const double N = (1.0 + e) / 0.98;
    const auto one = friction_impact(D, w, {{c, e}}, {.rule = ImpactRule::poisson});
    REQUIRE(one.solved);
    CHECK(one.collisions[0].impulse(0) == doctest::Approx(N).epsilon(1e-12));
    CHECK(one.after(0) == doctest::Approx(e).epsilon(1e-12));
    CHECK(one.after(1) == doctest::Approx(5.0 + 0.1 * N).epsilon(1e-12));
    // Two contacts without friction and unequal restitutions: 07-energy.json.
    std::ifstream in(std::string(LIAISON_TEST_DATA) + "/reference/07-energy.json");
    const json file = json::parse(in);
    for (const auto& k : file["cases"]) {
        if (!k.contains("poisson")) continue;
        const auto& p = k["parameters"];
        MatrixXd D2(2, 2);
        VectorXd w2(2);
        std::vector<ImpactContact> contacts(2);
        for (Index i = 0; i < 2; ++i) {
            const auto row = static_cast<std::size_t>(i);
            w2(i) = value(p["w"][row]);
            for (Index j = 0; j < 2; ++j)
                D2(i, j) = value(p["D"][row][static_cast<std::size_t>(j)]);
            contacts[row].contact.normal = i;
            contacts[row].restitution = value(p["e"][row]);
        }
        const auto r = friction_impact(D2, w2, contacts, {.rule = ImpactRule::poisson});
        REQUIRE(r.solved);
        CHECK(r.after(0) ==
              doctest::Approx(k["poisson"]["velocity"][0].get<double>()).epsilon(1e-10));
        CHECK(r.after(1) ==
              doctest::Approx(k["poisson"]["velocity"][1].get<double>()).epsilon(1e-10));
        CHECK(r.collisions[0].energy() ==
              doctest::Approx(k["poisson"]["energy_change"].get<double>()).epsilon(1e-10));
    }
}

TEST_CASE("Poisson's impact never creates energy with friction, in the plane") {
    std::mt19937_64 engine(5);
    std::uniform_real_distribution<double> part(0.0, 1.0);
    for (int i = 0; i < 200; ++i) {
        Problem p = random_feet(engine, 2, 1.0, false);
        VectorXd w = p.b;
        std::vector<ImpactContact> contacts;
        for (const CoulombContact& c : p.contacts) {
            w(c.normal) = -part(engine);
            contacts.push_back({c, part(engine)});
        }
        const auto r = friction_impact(p.D, w, contacts, {.rule = ImpactRule::poisson});
        REQUIRE(r.solved);
        CHECK(r.after.head(2).minCoeff() >= -1e-9);
        CHECK(r.collisions[0].energy() <= 1e-9);
    }
}

TEST_CASE("every rule of impact keeps the balance ΔT = ½ (w⁺ + w⁻)·Λ of the bodies themselves") {
    // A planar body on up to four feet: kinetic energy before and after against the works of the impulses.
    std::mt19937_64 engine(6);
    std::uniform_real_distribution<double> part(-1.0, 1.0);
    std::uniform_int_distribution<Index> count(1, 4);
    const Eigen::Vector3d mass(1.0, 1.0, 1.0 / 3.0);
    double worst = 0.0;
    int solved = 0;
    for (int i = 0; i < k_many / 2; ++i) {
        const Problem p = random_feet(engine, count(engine), 1.0, false);
        const Eigen::Vector3d v(part(engine), -1.0 - part(engine), 0.1 * part(engine));
        const VectorXd w = p.response.transpose() * mass.asDiagonal() * v;
        std::vector<ImpactContact> contacts;
        for (const CoulombContact& c : p.contacts)
            contacts.push_back({c, 0.5 + 0.5 * part(engine),
                                i % 2 == 0 ? Restitution::energetic : Restitution::poisson});
        for (const ImpactRule rule :
             {ImpactRule::simultaneous, ImpactRule::poisson, ImpactRule::sequential}) {
            const auto r =
                friction_impact(p.D, w, contacts, {.rule = rule, .rate_tolerance = 1e-12});
            if (!r.solved) continue;
            ++solved;
            VectorXd impulse = VectorXd::Zero(w.size());
            double work = 0.0;
            for (const FrictionCollision& c : r.collisions) {
                impulse += c.impulse;
                work += c.energy();
            }
            const Eigen::Vector3d after = v + p.response * impulse;
            const double change =
                0.5 * (after.dot(mass.asDiagonal() * after) - v.dot(mass.asDiagonal() * v));
            worst = std::max(worst, std::abs(change - work));
        }
    }
    CHECK(worst < 1e-12);
    CHECK(10 * solved > 14 * k_many);
}

TEST_CASE("three balls in a row: infinitely many collisions exactly below e = 7 − 4√3") {
    // Gap rates of three equal balls, the outer ones coming; D = (2, −1; −1, 2).
    MatrixXd D(2, 2);
    D << 2.0, -1.0, -1.0, 2.0;
    const double limit = 7.0 - 4.0 * std::sqrt(3.0);
    for (const double e : {0.0, 0.03, 0.07, limit - 1e-3, limit - 1e-9, limit + 1e-12, limit + 1e-9,
                           limit + 1e-6, limit + 1e-3, 0.08, 0.3, 1.0}) {
        CAPTURE(e);
        const auto r = normal_impact(D, Eigen::Vector2d(-1.0, -1e-3), Eigen::Vector2d::Constant(e),
                                     {.order = Order::declared, .rate_tolerance = 1e-13});
        REQUIRE(r.solved);
        CHECK(r.rate_after.minCoeff() >= -1e-12);
        // Just above the limit the approach fades below rounding before the last of finitely many collisions.
        if (e >= limit) CHECK_FALSE(r.collapsed);
        if (e < limit && e > 0.0) CHECK(r.collapsed);
    }
}

TEST_CASE("contacts that do not push each other are islands") {
    MatrixXd D = MatrixXd::Identity(6, 6);
    D(0, 2) = D(2, 0) = 0.5; // normals of the first and the third
    std::vector<CoulombContact> contacts(3);
    for (Index i = 0; i < 3; ++i) {
        contacts[static_cast<std::size_t>(i)].normal = i;
        contacts[static_cast<std::size_t>(i)].slip = 3 + i;
        contacts[static_cast<std::size_t>(i)].slips = 1;
    }
    const auto islands = contact_islands(D, contacts);
    REQUIRE(islands.size() == 2);
    CHECK(islands[0] == std::vector<std::size_t>{0, 2});
    CHECK(islands[1] == std::vector<std::size_t>{1});
}

namespace {

// What the contacts that carry determine: normal forces, friction of those with both edges; one edge is friction at its bound.
// The forces of the support itself only decide who carries.
struct Determined {
    VectorXd force; // by row
    bool unique = false;
    int carriers = 0;
    int rubbing = 0; // friction is an unknown
};
Determined determined(const MatrixXd& D, const VectorXd& b,
                      const std::vector<CoulombContact>& contacts, const CoulombLabel& label,
                      const std::vector<ConeEdges>& support) {
    std::vector<Index> rows;
    std::vector<VectorXd> columns;
    Determined result;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const CoulombContact& c = contacts[k];
        const ConeEdges& e = support[k];
        if (!e.carries()) continue;
        ++result.carriers;
        rows.push_back(c.normal);
        columns.emplace_back(VectorXd::Unit(b.size(), c.normal));
        const bool both = e.forwards > 0.0 && e.backwards > 0.0;
        if (label.mode[k] != ContactMode::stick) {
            columns.back()(c.slip) = -c.sliding_plus * label.direction[k](0);
        } else if (both) {
            ++result.rubbing;
            rows.push_back(c.slip);
            columns.emplace_back(VectorXd::Unit(b.size(), c.slip));
        } else if (!e.smooth) {
            columns.back()(c.slip) = e.forwards > 0.0 ? c.sticking : -c.sticking;
        }
    }
    MatrixXd spread(b.size(), static_cast<Index>(columns.size()));
    for (std::size_t j = 0; j < columns.size(); ++j) spread.col(static_cast<Index>(j)) = columns[j];
    const Eigen::FullPivLU<MatrixXd> lu((D * spread)(rows, Eigen::all));
    result.unique = lu.rank() == static_cast<Index>(rows.size());
    result.force = spread * lu.solve(-b(rows));
    return result;
}

} // namespace

TEST_CASE("redundant feet: as few as possible carry, and determine the same motion") {
    std::mt19937_64 engine(13);
    int sticking = 0;
    int slipping = 0;
    for (int i = 0; i < 50; ++i) {
        const Problem p = random_feet(engine, 10, 0.9, false);
        const auto answer = solve_coulomb(p.D, p.b, p.contacts);
        REQUIRE(answer.solutions.size() == 1);
        const CoulombLabel& label = answer.solutions[0].best();
        const auto support = minimal_support(p.D, p.contacts, label);
        REQUIRE(support.size() == p.contacts.size());
        const double size = p.D.cwiseAbs().maxCoeff() * label.force.cwiseAbs().maxCoeff();
        const Determined few = determined(p.D, p.b, p.contacts, label, support);
        CHECK(few.carriers + few.rubbing <= 3); // a planar body
        if (std::ranges::find(label.mode, ContactMode::stick) != label.mode.end()) {
            ++sticking;
            CHECK(few.unique);
            CHECK(distance(p.D * few.force, p.D * label.force) < 1e-9 * size);
        } else {
            // While all slip their gaps alone determine no more than two forces: the weights themselves are those of the motion.
            ++slipping;
            VectorXd force = VectorXd::Zero(p.b.size());
            for (std::size_t k = 0; k < p.contacts.size(); ++k) {
                const CoulombContact& c = p.contacts[k];
                force(c.normal) = support[k].forwards;
                force(c.slip) = -c.sliding_plus * label.direction[k](0) * support[k].forwards;
                CHECK(support[k].forwards >= 0.0);
                CHECK(support[k].backwards == 0.0);
            }
            CHECK(distance(p.D * force, p.D * label.force) < 1e-9 * size);
        }
    }
    CHECK(sticking > 10);
    CHECK(slipping > 10);
}

TEST_CASE("a solver that is stopped too early says so, and its numbers carry their residual") {
    std::mt19937_64 engine(14);
    const Problem p = random_feet(engine, 6, 0.9, false);
    const auto early = sweep_coulomb(p.D, p.b, p.contacts, {.most = 1});
    CHECK_FALSE(early.converged);
    CHECK(early.sweeps < 20); // it looks at its residual every few sweeps
    const auto patient = sweep_coulomb(p.D, p.b, p.contacts);
    CHECK(patient.converged);
    CHECK(early.residual > patient.residual);
    CHECK(early.residual == doctest::Approx(coulomb_residual(p.D, p.b, p.contacts, early.force)));
    // Too many assignments, and nothing that finds one of them: undecided, not none.
    CoulombOptions few;
    few.max_modes = 1;
    const auto answer = solve_coulomb(p.D, p.b, p.contacts, few);
    CHECK_FALSE(answer.complete);
    CHECK_FALSE(answer.unique());
    CHECK_FALSE(answer.none());
    CHECK_FALSE(answer.note.empty());
}

TEST_CASE("a support holds every gap of its contacts, also where one of them carries all") {
    for (const int n : {3, 4, 5, 6, 7, 9, 12}) {
        MatrixXd W(2 * n, 3); // by x, y and a rotation
        std::vector<CoulombContact> contacts;
        for (int i = 0; i < n; ++i) {
            W.row(i) << 0, 1, -1.0 + 2.0 * i / (n - 1);
            W.row(n + i) << 1, 0, 0.05;
            CoulombContact c;
            c.normal = i;
            c.slip = n + i;
            c.slips = 1;
            c.sliding_plus = c.sliding_minus = c.sticking = 0.3;
            contacts.push_back(c);
        }
        const MatrixXd D = W * W.transpose();
        const VectorXd load = (VectorXd(3) << 0.0, -10.0, 0.0).finished();
        const auto answer = solve_coulomb(D, W * load, contacts);
        REQUIRE(answer.solutions.size() == 1);
        const auto support = minimal_support(D, contacts, answer.solutions.front().best());
        REQUIRE(support.size() == contacts.size());
        int carriers = 0;
        int rubbing = 0;
        VectorXd resultant = load;
        for (int i = 0; i < n; ++i) {
            const ConeEdges& e = support[static_cast<std::size_t>(i)];
            carriers += e.carries() ? 1 : 0;
            rubbing += e.forwards > 0.0 && e.backwards > 0.0 ? 1 : 0;
            resultant += W.row(i).transpose() * (e.forwards + e.backwards);
            if (!e.smooth) resultant += W.row(n + i).transpose() * 0.3 * (e.forwards - e.backwards);
        }
        CHECK(carriers == 2); // any two of them hold height and tilt
        CHECK(rubbing == 1);
        CHECK(resultant.norm() < 1e-9);
    }
}
