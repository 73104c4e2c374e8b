// SPDX-License-Identifier: Apache-2.0
// The contact problem with friction: every solution found, none invented.
#include "liaison/laws/coulomb_problem.hpp"

#include "liaison/laws/friction_impact.hpp"

#include "support/reference.hpp"

#include <doctest/doctest.h>
#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

using namespace liaison::laws;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using liaison::test::reference;
using nlohmann::json;

namespace {

// "1/3", "0.5" or a number.
double value(const json& j) {
    if (j.is_number()) return j;
    const std::string text = j;
    const auto slash = text.find('/');
    if (slash == std::string::npos) return std::stod(text);
    return std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

CoulombContact planar(double mu, double slip) {
    CoulombContact c;
    c.normal = 0;
    c.slip = 1;
    c.slips = 1;
    c.sliding_plus = c.sliding_minus = c.sticking = mu;
    c.moving = slip != 0.0;
    c.direction = {slip > 0.0 ? 1.0 : -1.0, 0.0};
    return c;
}

// Weight on a slope, a lifting force and a torque.
Eigen::Vector3d load(const json& p) {
    const auto given = [&](const char* key) { return p.contains(key) ? value(p[key]) : 0.0; };
    const double weight = value(p["m"]) * value(p["g"]);
    return {weight * std::sin(given("incline")), given("Fy") - weight * std::cos(given("incline")),
            given("torque")};
}

bool close(double a, double b, double tolerance = 1e-10) {
    return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

// A rigid body in the plane on feet: W_N = (0, 1, a_i), W_T = (1, 0, h), coordinates x, y, th.
struct FeetProblem {
    MatrixXd D;
    VectorXd b;
    MatrixXd response; // accelerations per force
    VectorXd free;
    std::vector<CoulombContact> contacts;

    FeetProblem(double m, double J, double h, const std::vector<double>& feet, double mu,
                const Eigen::Vector3d& force, const std::vector<double>& slip) {
        const auto k = static_cast<Eigen::Index>(feet.size());
        const Eigen::Index rows = mu < 0.0 ? k : 2 * k;
        MatrixXd W(rows, 3);
        for (Eigen::Index i = 0; i < k; ++i) {
            W.row(i) << 0.0, 1.0, feet[static_cast<std::size_t>(i)];
            if (mu >= 0.0) W.row(k + i) << 1.0, 0.0, h;
            CoulombContact c;
            c.normal = i;
            c.slip = k + i;
            c.slips = mu >= 0.0 ? 1 : 0;
            c.sliding_plus = c.sliding_minus = c.sticking = std::max(mu, 0.0);
            if (!slip.empty() && slip[static_cast<std::size_t>(i)] != 0.0) {
                c.moving = true;
                c.direction = {slip[static_cast<std::size_t>(i)] > 0.0 ? 1.0 : -1.0, 0.0};
            }
            contacts.push_back(c);
        }
        const Eigen::Vector3d inverse(1.0 / m, 1.0 / m, 1.0 / J);
        response = inverse.asDiagonal() * W.transpose();
        D = W * response;
        free = inverse.cwiseProduct(force);
        b = W * free;
    }
    [[nodiscard]] VectorXd acceleration(const CoulombSolution& s) const {
        return free + response * s.best().force;
    }
};

void compare(const FeetProblem& p, const CoulombAnswer& answer, const json& solutions) {
    CHECK(answer.complete);
    REQUIRE(answer.solutions.size() == solutions.size());
    for (const auto& expected : solutions) {
        bool found = false;
        for (const CoulombSolution& s : answer.solutions) {
            const VectorXd a = p.acceleration(s);
            bool same = true;
            for (Eigen::Index i = 0; i < a.size(); ++i)
                same = same && close(a(i), expected["acceleration"][i]);
            if (!same) continue;
            found = true;
            CHECK(s.forces_unique() == expected["reactions_unique"].get<bool>());
            std::set<std::string> labels;
            for (const CoulombLabel& l : s.labels) labels.insert(letters(l));
            for (const auto& label : expected["modes"])
                CHECK_MESSAGE(labels.contains(label.get<std::string>()), label);
            double sum = 0.0;
            for (std::size_t i = 0; i < p.contacts.size(); ++i)
                sum += s.best().force(static_cast<Eigen::Index>(i));
            CHECK(close(sum, expected["normal_sum"]));
        }
        CHECK_MESSAGE(found, expected["modes"].dump());
    }
}

} // namespace

TEST_CASE("one contact: A1, B1', reactions, cases and multiplicities of theory 02") {
    const auto file = reference("02-classification.json");
    for (const char* group : {"rod_points", "box_points", "arm_points", "abstract_points"}) {
        for (const auto& c : file[group]) {
            INFO(c.dump());
            MatrixXd D(2, 2);
            D << c["D_nn"], c["D_nt"], c["D_nt"], c["D_tt"];
            VectorXd b(2);
            b << c["b_n"], c["b_t"];
            const double mu = c["mu"];
            const double v = c["vt"];
            const auto answer = solve_coulomb(D, b, {planar(mu, v)});
            CHECK(answer.complete);
            if (v != 0.0) {
                const double s = v > 0.0 ? 1.0 : -1.0;
                const double B1 = D(0, 0) - mu * s * D(0, 1);
                CHECK(close(B1, c["B1"]));
                const std::string name = c["case"];
                const std::size_t count = name == "inconsistent"    ? 0
                                          : name == "indeterminate" ? 2
                                                                    : 1;
                REQUIRE(answer.solutions.size() == count);
                for (const CoulombSolution& s1 : answer.solutions) {
                    if (s1.best().mode[0] != ContactMode::open)
                        CHECK(close(s1.best().force(0), c["R1_formula"]));
                }
                continue;
            }
            std::size_t contact = 0;
            bool separation = false;
            for (const CoulombSolution& s : answer.solutions)
                (s.best().mode[0] == ContactMode::open ? separation : (++contact, separation)) |=
                    s.best().mode[0] == ContactMode::open;
            CHECK(contact == c["n_contact_solutions"].get<std::size_t>());
            CHECK(separation == c["separation_admissible"].get<bool>());
        }
    }
}

TEST_CASE("bilateral guides with friction: the solutions of Painlevé and Klein") {
    // Sliders on two parallel guides, joined by a massless rod: the guides' reactions are ± S sin φ, so that one guide
    // suffices. Coordinates x, S eliminated: both guides press with the same force.
    const auto file = reference("02-classification.json");
    for (const auto& c : file["klein"]) {
        INFO(c.dump());
        const double m1 = c["m1"], m2 = c["m2"], phi = c["phi"], F1 = c["F1"], F2 = c["F2"];
        const double mu1 = c["mu1"], mu2 = c["mu2"], s = c["s"];
        // Slider 1 released normal to its guide with the rod kept: coordinates x1, y1, x2, y2 and the rod
        // cos φ (x2 − x1) − sin φ (y2 − y1) = 0; both guides are bilateral contacts with friction.
        Eigen::Matrix4d M = Eigen::Vector4d(m1, m1, m2, m2).asDiagonal();
        Eigen::RowVector4d rod(-std::cos(phi), std::sin(phi), std::cos(phi), -std::sin(phi));
        const Eigen::Matrix4d inverse = M.inverse();
        const double across = rod * inverse * rod.transpose();
        const Eigen::Matrix4d P = inverse - inverse * rod.transpose() * rod * inverse / across;
        MatrixXd W(4, 4);
        W << 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0;
        const Eigen::Vector4d force(F1, 0, F2, 0);
        std::vector<CoulombContact> contacts;
        for (int k = 0; k < 2; ++k) {
            CoulombContact guide = planar(k == 0 ? mu1 : mu2, s);
            guide.normal = k;
            guide.slip = 2 + k;
            guide.bilateral = true;
            contacts.push_back(guide);
        }
        const MatrixXd D = W * P * W.transpose();
        const VectorXd b = W * P * force;
        const auto answer = solve_coulomb(D, b, contacts);
        std::vector<double> expected = c["accelerations"];
        REQUIRE(answer.solutions.size() == expected.size());
        std::vector<double> found;
        for (const CoulombSolution& solution : answer.solutions)
            found.push_back(solution.acceleration(2));
        std::sort(expected.begin(), expected.end());
        std::sort(found.begin(), found.end());
        for (std::size_t i = 0; i < found.size(); ++i) CHECK(close(found[i], expected[i]));
    }
}

TEST_CASE("feet: at rest, sliding on two feet, incline") {
    const auto at_rest = reference("07-statics.json");
    for (const auto& c : at_rest["cases"]) {
        INFO(c["name"].get<std::string>());
        const auto& p = c["parameters"];
        std::vector<double> feet;
        for (const auto& a : p["feet"]) feet.push_back(value(a));
        const double m = value(p["m"]);
        const Eigen::Vector3d force = load(p);
        const FeetProblem problem(m, value(p["J"]), value(p["h"]), feet,
                                  p["mu"].is_null() ? -1.0 : value(p["mu"]), force, {});
        compare(problem, solve_coulomb(problem.D, problem.b, problem.contacts), c["solutions"]);
    }
    const auto sliding = reference("07-sliding-feet.json");
    for (const auto& c : sliding["cases"]) {
        INFO(c["name"].get<std::string>());
        const auto& p = c["parameters"];
        std::vector<double> feet, slip;
        for (const auto& a : p["feet"]) feet.push_back(value(a));
        for (const auto& v : p["slip"]) slip.push_back(value(v));
        const double m = value(p["m"]);
        const Eigen::Vector3d force = load(p);
        const FeetProblem problem(m, value(p["J"]), value(p["h"]), feet, value(p["mu"]), force,
                                  slip);
        compare(problem, solve_coulomb(problem.D, problem.b, problem.contacts), c["solutions"]);
    }
    const auto incline = reference("07-incline.json");
    const auto& p = incline["parameters"];
    for (const auto& c : incline["points"]) {
        INFO(c.dump());
        const double m = value(p["m"]), g = value(p["g"]), a = value(p["a"]), al = c["al"];
        const FeetProblem problem(m, value(p["J"]), value(p["h"]), {a, -a}, c["mu"],
                                  {m * g * std::sin(al), -m * g * std::cos(al), 0.0}, {});
        const auto answer = solve_coulomb(problem.D, problem.b, problem.contacts);
        REQUIRE(answer.unique());
        const VectorXd acceleration = problem.acceleration(answer.solutions[0]);
        for (int i = 0; i < 3; ++i) CHECK(close(acceleration(i), c["acceleration"][i]));
        const VectorXd& f = answer.solutions[0].best().force;
        CHECK(close(f(0), c["normal"][0]));
        CHECK(close(f(1), c["normal"][1]));
        CHECK(close(f(2) + f(3), c["tangential_sum"]));
    }
}

TEST_CASE("a point in a groove: wedging has one motion or two") {
    const auto file = reference("07-groove.json");
    for (const auto& c : file["cases"]) {
        INFO(c["name"].get<std::string>());
        const auto& p = c["parameters"];
        const double m = value(p["m"]), beta = value(p["beta"]), mu = value(p["mu"]);
        MatrixXd W(4, 2);
        W << std::cos(beta), std::sin(beta), -std::cos(beta), std::sin(beta), -std::sin(beta),
            std::cos(beta), std::sin(beta), std::cos(beta);
        const Eigen::Vector2d free(0.0, value(p["f"]) / m - value(p["g"]));
        std::vector<CoulombContact> contacts{planar(mu, 0.0), planar(mu, 0.0)};
        contacts[0].slip = 2;
        contacts[1].normal = 1;
        contacts[1].slip = 3;
        const auto answer = solve_coulomb(W * W.transpose() / m, W * free, contacts);
        REQUIRE(answer.solutions.size() == c["count"].get<std::size_t>());
        for (const auto& expected : c["solutions"]) {
            const bool found = std::ranges::any_of(answer.solutions, [&](const auto& s) {
                const Eigen::Vector2d a = free + W.transpose() * s.best().force / m;
                return close(a(0), expected["acceleration"][0]) &&
                       close(a(1), expected["acceleration"][1]) &&
                       s.forces_unique() == expected["reactions_unique"].template get<bool>();
            });
            CHECK_MESSAGE(found, expected["modes"].dump());
        }
    }
}

TEST_CASE("Moreau's impact law: rocking block and energy") {
    const auto rocking = reference("07-rocking.json");
    for (const auto& c : rocking["cases"]) {
        INFO(c["name"].get<std::string>());
        const auto& p = c["parameters"];
        const double width = value(p["b"]), h = value(p["h"]), m = value(p["m"]);
        const FeetProblem problem(m, m * (width * width + h * h) / 3.0, h, {-width, width},
                                  value(p["mu"]), Eigen::Vector3d::Zero(), {});
        const Eigen::Vector3d v(c["velocity_before"][0], c["velocity_before"][1],
                                c["velocity_before"][2]);
        MatrixXd W = problem.response.transpose();
        W.col(0) *= m;
        W.col(1) *= m;
        W.col(2) *= m * (width * width + h * h) / 3.0;
        std::vector<ImpactContact> contacts;
        for (const auto& contact : problem.contacts) contacts.push_back({contact, value(p["e"])});
        const auto r =
            friction_impact(problem.D, W * v, contacts, {.rule = ImpactRule::simultaneous});
        REQUIRE(r.solved);
        const auto& collision = r.collisions.front();
        REQUIRE(collision.solutions == c["count"].get<std::size_t>());
        const auto& expected = c["solutions"][0];
        const VectorXd after = v + problem.response * collision.impulse;
        for (int i = 0; i < 3; ++i) CHECK(close(after(i), expected["velocity"][i]));
        CHECK(close(collision.energy(), expected["energy_change"]));
        CHECK(close(collision.after(0), expected["gap_rates"][0]));
        CHECK(close(collision.after(1), expected["gap_rates"][1]));
        const VectorXd& impulse = collision.impulse;
        for (int i = 0; i < 2; ++i) CHECK(close(impulse(i), expected["normal"][i]));
        if (expected["impulses_unique"].get<bool>())
            for (int i = 0; i < 2; ++i) CHECK(close(impulse(2 + i), expected["tangential"][i]));
    }
    const auto energy = reference("07-energy.json");
    for (const auto& c : energy["cases"]) {
        INFO(c["name"].get<std::string>());
        const auto& p = c["parameters"];
        const auto n = static_cast<Eigen::Index>(p["w"].size());
        MatrixXd D(n, n);
        VectorXd w(n);
        for (Eigen::Index i = 0; i < n; ++i) {
            w(i) = value(p["w"][i]);
            for (Eigen::Index j = 0; j < n; ++j) D(i, j) = value(p["D"][i][j]);
        }
        std::vector<ImpactContact> contacts;
        if (p["kind"] == "friction") {
            contacts.push_back({planar(value(p["mu"]), 0.0), value(p["e"][0])});
        } else {
            for (Eigen::Index i = 0; i < n; ++i) {
                CoulombContact contact;
                contact.normal = i;
                contacts.push_back({contact, value(p["e"][i])});
            }
        }
        const auto r = friction_impact(D, w, contacts, {.rule = ImpactRule::simultaneous});
        REQUIRE(r.solved);
        const auto& expected = c["solutions"][0];
        for (Eigen::Index i = 0; i < n; ++i) CHECK(close(r.after(i), expected["velocity"][i]));
        CHECK(close(r.collisions.front().energy(), expected["energy_change"]));
        const VectorXd& impulse = r.collisions.front().impulse;
        for (std::size_t i = 0; i < contacts.size(); ++i)
            CHECK(close(impulse(static_cast<Eigen::Index>(i)), expected["normal"][i]));
        if (p["kind"] == "friction") CHECK(close(impulse(1), expected["tangential"][0]));
    }
}
