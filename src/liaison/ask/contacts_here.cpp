// SPDX-License-Identifier: Apache-2.0
// Closed contacts of one instant, solved by Coulomb's law in every way there is.
#include "liaison/ask/contacts_here.hpp"

#include "liaison/analysis/painleve.hpp"
#include "liaison/laws/coulomb_problem.hpp"
#include "liaison/laws/sliding_matrix.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

namespace liaison::ask {
namespace {

using Json = nlohmann::ordered_json;
using Eigen::Index;

struct Closed {
    std::vector<Index> sides;
    std::vector<laws::CoulombContact> contacts;
};

Closed closed_contacts(const realise::ContactProblem& problem, const realise::ContactNumbers& n) {
    Closed result;
    for (Index k = 0; k < n.gap.size(); ++k) {
        if (std::abs(n.gap(k)) > 1e-9 || std::abs(n.rate(k)) > 1e-9) continue;
        laws::CoulombContact c;
        c.normal = k;
        c.slip = problem.slip_row(k);
        c.slips =
            static_cast<int>(problem.sides()[static_cast<std::size_t>(k)].friction.slips.size());
        c.sliding_plus = n.sliding_plus(k);
        c.sliding_minus = n.sliding_minus(k);
        c.sticking = n.sticking(k);
        Eigen::Vector2d v = Eigen::Vector2d::Zero();
        for (int j = 0; j < c.slips; ++j) v(j) = n.slip(c.slip - n.gap.size() + j);
        c.moving = v.norm() > 1e-11;
        if (c.moving) c.direction = v.normalized();
        result.sides.push_back(k);
        result.contacts.push_back(c);
    }
    return result;
}

std::string word(laws::ContactMode mode) {
    switch (mode) {
    case laws::ContactMode::open: return "open";
    case laws::ContactMode::closed: return "closed";
    case laws::ContactMode::stick: return "stick";
    case laws::ContactMode::slip_plus:
    case laws::ContactMode::slip_minus: return "slip";
    }
    return "open";
}

std::pair<std::string, std::string> name_and_side(const realise::ContactProblem& problem, Index k) {
    const realise::ContactSide& s = problem.sides()[static_cast<std::size_t>(k)];
    return {s.name, s.side};
}

} // namespace

std::vector<double> contact_stiffness(const model::Model& model,
                                      const realise::Realisation& realised,
                                      const realise::ContactNumbers& n, const flow::Instant& now) {
    std::vector<double> result;
    for (const realise::ContactSide& side : realised.contacts->sides()) {
        const model::Elasticity& elastic = model.contacts[side.contact].elastic;
        result.push_back(std::numeric_limits<double>::quiet_NaN());
        if (!elastic.stiffness || elastic.potential) continue;
        const auto k = static_cast<Index>(result.size()) - 1;
        std::vector<expr::Expr> factors{elastic.stiffness.expr};
        if (elastic.profile) factors.push_back(elastic.profile.expr);
        const auto values = flow::Probe(realised.flow, factors)(now);
        // Without a profile the stiffness is one of the kinetic metric, 1/D_nn.
        result.back() = values[0] * (elastic.profile ? values[1] : 1.0 / n.D(k, k));
    }
    return result;
}

ContactsHere contacts_here(const realise::ContactProblem& problem, const realise::ContactNumbers& n,
                           const std::vector<double>& stiffness) {
    const Closed closed = closed_contacts(problem, n);
    const auto answer = laws::solve_coulomb(n.D, n.b, closed.contacts);
    Json result = {{"contacts", Json::object()}};
    std::string text;
    for (std::size_t j = 0; j < closed.sides.size(); ++j) {
        const Index k = closed.sides[j];
        const laws::CoulombContact& c = closed.contacts[j];
        double response = n.D(k, k);
        for (int i = 0; i < c.slips; ++i)
            response -= c.sliding(c.slips == 1 ? c.direction(0) : 1.0) * c.direction(i) *
                        n.D(k, c.slip + i);
        const analysis::SlipNumbers s{n.b(k), response, n.D(k, k), 0.0, 0.0};
        const auto& [name, side] = name_and_side(problem, k);
        std::vector<double> slip;
        for (int i = 0; i < c.slips; ++i) slip.push_back(n.slip(c.slip - n.gap.size() + i));
        result["contacts"][name] = {
            {"A1", n.b(k)},
            {"B1", response},
            {"slip", slip},
            {"case", c.moving ? Json(analysis::name(s.slip_case())) : Json(nullptr)}};
        if (!side.empty()) result["contacts"][name]["side"] = side;
        text += fmt::format("contact {}: A1 = {:.9g}, B1' = {:.9g}{}\n", name, n.b(k), response,
                            c.moving ? fmt::format(", sliding is {}", analysis::name(s.slip_case()))
                                     : std::string());
        const double critical =
            n.b(k) / std::sqrt(std::abs(response) * stiffness[static_cast<std::size_t>(k)]);
        if (!c.moving || s.slip_case() != analysis::SlipCase::indeterminate ||
            !std::isfinite(critical))
            continue;
        result["contacts"][name]["critical_approach"] = critical;
        text += fmt::format("contact {}: with its stiffness an approach slower than {:.9g} lifts "
                            "off, a faster one ends in a tangential impact\n",
                            name, critical);
    }
    // Contacts that are regular one by one need not be so together.
    const auto critical = laws::critical_friction(n.D, closed.contacts);
    if (closed.contacts.size() > 1 && critical) {
        std::vector<std::string> names;
        for (const std::size_t j : critical->contacts)
            names.push_back(problem.sides()[static_cast<std::size_t>(closed.sides[j])].name);
        result["critical"] = {{"factor", critical->factor}, {"contacts", names}};
        text += fmt::format("forces that slide are unique up to {:.9g} times the friction, where "
                            "{} {} singular{}\n",
                            critical->factor, fmt::join(names, ", "),
                            names.size() > 1 ? "become" : "becomes",
                            names.size() > 1 ? " together" : "");
    }
    Json rows = Json::array();
    for (Index i = 0; i < n.D.rows(); ++i) {
        rows.push_back(Json::array());
        for (Index j = 0; j < n.D.cols(); ++j) rows.back().push_back(n.D(i, j));
    }
    result["delassus"] = rows;
    result["complete"] = answer.complete;
    result["solutions"] = Json::array();
    for (const laws::CoulombSolution& s : answer.solutions) {
        Json one = {{"reactions_unique", s.forces_unique()}, {"contacts", Json::object()}};
        text += "solution:";
        for (std::size_t j = 0; j < closed.sides.size(); ++j) {
            const Index k = closed.sides[j];
            const auto& [name, side] = name_and_side(problem, k);
            std::vector<double> tangential;
            for (int i = 0; i < closed.contacts[j].slips; ++i)
                tangential.push_back(s.best().force(closed.contacts[j].slip + i));
            one["contacts"][name] = {{"mode", word(s.best().mode[j])},
                                     {"normal", s.best().force(k)},
                                     {"tangential", tangential},
                                     {"gap_acceleration", s.acceleration(k)}};
            if (!side.empty()) one["contacts"][name]["side"] = side;
            text += fmt::format(" {} {} (normal force {:.9g})", name, word(s.best().mode[j]),
                                s.best().force(k));
        }
        text += "\n";
        result["solutions"].push_back(std::move(one));
    }
    if (answer.none()) text += "no solution: the rigid model has no motion from here\n";
    if (!answer.complete) text += "not all modes were decided: " + answer.note + "\n";
    return {std::move(result), std::move(text)};
}

} // namespace liaison::ask
