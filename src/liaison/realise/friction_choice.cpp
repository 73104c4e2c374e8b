// SPDX-License-Identifier: Apache-2.0
// Classification of the contact problem and the rules for its paradoxes.
#include "liaison/realise/friction_choice.hpp"

#include "liaison/laws/self_stress.hpp"
#include "liaison/laws/sliding_matrix.hpp"
#include "liaison/solve/polyhedron.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace liaison::realise {
namespace {

using laws::ContactMode;
using laws::CoulombAnswer;
using laws::CoulombContact;
using laws::CoulombLabel;
using laws::CoulombSolution;

// |B₁'| below this part of D_nn is the boundary: slip cannot be continued (theory 02 §8).
constexpr double k_boundary = 1e-9;

// The force that has ended is at its end in this label too.
bool is_over(const Exclusion& e, const CoulombLabel& label, const CoulombContact& c, double force) {
    constexpr double k_zero = 1e-4; // the load may be that a little later
    if (label.mode[e.contact] != e.mode) return false;
    if (e.mode == ContactMode::open || label.force.size() == 0) return true;
    const double largest = std::max(force, label.force.cwiseAbs().maxCoeff());
    const double normal = label.force(c.normal);
    if (e.bound == 0) return normal <= k_zero * largest;
    if (e.mode != ContactMode::stick) return true;
    const double rubs =
        c.slips == 1 ? e.bound * label.force(c.slip) : label.force.segment(c.slip, c.slips).norm();
    return c.sticking * normal - rubs <= k_zero * largest;
}

std::ptrdiff_t open_contacts(const CoulombSolution& s) {
    return std::ranges::count(s.best().mode, ContactMode::open);
}

// A contact opens, and not only in name because others hold it.
bool separates(const CoulombSolution& s, const std::vector<CoulombContact>& contacts) {
    const double still = 1e-9 * s.acceleration.cwiseAbs().maxCoeff();
    return std::ranges::any_of(
        contacts, [&](const CoulombContact& c) { return s.acceleration(c.normal) > still; });
}

// Contacts that slip on although their normal response is not positive: no motion that small disturbances keep.
std::ptrdiff_t singular_slips(const CoulombSolution& s, const Eigen::MatrixXd& D,
                              const std::vector<CoulombContact>& contacts) {
    std::ptrdiff_t count = 0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (s.best().mode[k] != ContactMode::open &&
            relative_response(D, contacts[k]) <= k_boundary)
            ++count;
    }
    return count;
}

// A larger static coefficient makes stick and onset of slip possible at once: rest then stays rest, unless it needs a load
// that is shared less evenly.
bool differs_by_static_friction(const CoulombLabel& more, const CoulombLabel& less,
                                const std::vector<CoulombContact>& contacts) {
    bool some = false;
    if (less.even && !more.even) return false;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (more.mode[k] == less.mode[k]) continue;
        const bool rest = more.mode[k] == ContactMode::stick && less.mode[k] != ContactMode::open;
        if (!rest || !(contacts[k].sticking > contacts[k].sliding(1.0) ||
                       contacts[k].sticking > contacts[k].sliding(-1.0)))
            return false;
        some = true;
    }
    return some;
}

std::vector<const CoulombSolution*> distinct(const CoulombAnswer& answer,
                                             const std::vector<CoulombContact>& contacts,
                                             const Ended& ended) {
    std::vector<const CoulombSolution*> list;
    for (const CoulombSolution& s : answer.solutions) {
        const bool covered = std::any_of(
            answer.solutions.begin(), answer.solutions.end(), [&](const CoulombSolution& other) {
                return &other != &s && ended.allows(other.best(), contacts) &&
                       differs_by_static_friction(other.best(), s.best(), contacts);
            });
        const bool possible = std::any_of(s.labels.begin(), s.labels.end(),
                                          [&](const auto& l) { return ended.allows(l, contacts); });
        if (!covered && possible) list.push_back(&s);
    }
    return list;
}

// The solution in which every contact that did not fire goes on as it was.
const CoulombSolution* continuation(const std::vector<const CoulombSolution*>& list,
                                    const std::vector<CoulombContact>& contacts,
                                    const std::vector<std::optional<ContactMode>>& present,
                                    const Ended& ended) {
    if (std::none_of(present.begin(), present.end(), [](const auto& p) { return p.has_value(); }))
        return nullptr;
    const CoulombSolution* found = nullptr;
    for (const CoulombSolution* s : list) {
        const bool continues = std::any_of(s->labels.begin(), s->labels.end(), [&](const auto& l) {
            if (!ended.allows(l, contacts)) return false;
            for (std::size_t k = 0; k < present.size(); ++k) {
                const bool fired = std::ranges::any_of(
                    ended.modes, [&](const Exclusion& e) { return e.contact == k; });
                if (!fired && present[k] && l.mode[k] != *present[k]) return false;
            }
            return true;
        });
        if (!continues) continue;
        if (found != nullptr) return nullptr;
        found = s;
    }
    return found;
}

// Normals that balance each other, Σ c_i ∇g_i = 0 with c ≥ 0, of contacts that come to rest: they could be wedged with any force
// between them.
bool may_wedge(const Eigen::MatrixXd& D, const std::vector<CoulombContact>& contacts) {
    std::vector<Eigen::Index> normals;
    if (std::ranges::all_of(contacts, &CoulombContact::moving)) return false;
    for (const CoulombContact& c : contacts) normals.push_back(c.normal);
    const Eigen::MatrixXd stress = laws::self_stress(D, normals);
    if (stress.cols() == 0) return false;
    Eigen::MatrixXd A(stress.rows() + 1, stress.cols());
    A << stress, stress.colwise().sum();
    Eigen::VectorXd c = Eigen::VectorXd::Zero(A.rows());
    c(c.size() - 1) = -1.0;
    return solve::least_norm_point(A, c, 1e-9).feasible;
}

// Contacts that share their load in several ways, each with its own accelerations, none of which leaves a
// contact: one that shares it evenly (laws/self_stress.hpp), then the one with most contacts at work, then the one that sticks
// most, then the one of least forces (theory of many contacts §3.4). Where contacts may be wedged the least forces come first:
// nobody gave a load that wedges them (§5.5).
const CoulombSolution* shared_load(const std::vector<const CoulombSolution*>& list,
                                   const Eigen::MatrixXd& D,
                                   const std::vector<CoulombContact>& contacts, bool wedge) {
    const CoulombSolution* found = nullptr;
    const auto rank = [&](const CoulombSolution& s) {
        return std::tuple(wedge ? -s.best().force.norm() : 0.0, s.best().even, -open_contacts(s),
                          std::ranges::count(s.best().mode, ContactMode::stick),
                          -s.best().force.norm());
    };
    for (const CoulombSolution* s : list) {
        const double still = 1e-8 * D.diagonal().maxCoeff() * s->best().force.cwiseAbs().maxCoeff();
        for (const CoulombContact& c : contacts) {
            if (std::abs(s->acceleration(c.normal)) > still) return nullptr;
        }
        if (found == nullptr || rank(*s) > rank(*found)) found = s;
    }
    return found;
}

// Of solutions that share the load in several ways those that do it by the rule of self_stress.hpp; false, and all stay: there
// are none, or contacts may be wedged, where least forces decide.
bool keep_even(std::vector<const CoulombSolution*>& list, const Ended& ended,
               const Eigen::MatrixXd& D, const std::vector<CoulombContact>& contacts) {
    const auto even = [&](const CoulombSolution* s) {
        return std::ranges::any_of(
            s->labels, [&](const CoulombLabel& l) { return l.even && ended.allows(l, contacts); });
    };
    if (std::ranges::all_of(list, even) || std::ranges::none_of(list, even)) return false;
    if (may_wedge(D, contacts)) return false;
    std::erase_if(list, [&](const CoulombSolution* s) { return !even(s); });
    return true;
}

// Moving contacts whose normal response to their own force is not positive, the least first.
std::vector<std::size_t> singular_contacts(const Eigen::MatrixXd& D,
                                           const std::vector<CoulombContact>& contacts) {
    std::vector<std::size_t> list;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (contacts[k].moving && relative_response(D, contacts[k]) <= k_boundary)
            list.push_back(k);
    }
    std::ranges::stable_sort(list, {},
                             [&](std::size_t k) { return relative_response(D, contacts[k]); });
    return list;
}

// A contact that came to B₁' = 0 by itself, and not only with the others as they are.
bool singular_alone(const Eigen::MatrixXd& D, const std::vector<CoulombContact>& contacts,
                    std::size_t k) {
    constexpr double k_near = 1e-4; // a boundary that was extrapolated
    return contacts.size() == 1 || relative_response(D, contacts[k]) <= k_near;
}

} // namespace

double relative_response(const Eigen::MatrixXd& D, const CoulombContact& c) {
    if (!c.moving || c.slips == 0) return 1.0;
    const double mu = c.sliding(c.slips == 1 ? c.direction(0) : 1.0);
    double coupling = 0.0;
    for (int j = 0; j < c.slips; ++j) coupling += c.direction(j) * D(c.normal, c.slip + j);
    return 1.0 - mu * coupling / D(c.normal, c.normal);
}

std::optional<flow::Certificate> certificate_of(const CoulombAnswer& answer) {
    using flow::Certificate;
    if (!answer.complete && answer.solutions.empty()) return std::nullopt;
    if (!answer.complete) return Certificate::found;
    if (answer.solutions.empty()) return Certificate::none_enumerated;
    if (answer.by_matrix) return Certificate::unique_p_matrix;
    return answer.solutions.size() == 1 ? Certificate::unique_enumerated
                                        : Certificate::several_enumerated;
}

bool Ended::allows(const CoulombLabel& label, const std::vector<CoulombContact>& contacts) const {
    return std::ranges::find(tried, label.mode) == tried.end() &&
           std::ranges::none_of(modes, [&](const Exclusion& e) {
               return is_over(e, label, contacts[e.contact], force);
           });
}

const CoulombLabel& choose_label(const CoulombSolution& solution,
                                 const std::vector<CoulombContact>& contacts, const Ended& ended) {
    for (const CoulombLabel& l : solution.labels) {
        if (ended.allows(l, contacts)) return l;
    }
    return solution.best();
}

bool all_ended(const CoulombAnswer& answer, const std::vector<CoulombContact>& contacts,
               const Ended& ended) {
    return std::ranges::all_of(answer.solutions, [&](const CoulombSolution& s) {
        return std::ranges::none_of(
            s.labels, [&](const CoulombLabel& l) { return ended.allows(l, contacts); });
    });
}

FrictionChoice choose_motion(const CoulombAnswer& answer, const Eigen::MatrixXd& D,
                             const std::vector<CoulombContact>& contacts,
                             const std::vector<std::optional<ContactMode>>& present,
                             const Ended& ended, std::optional<std::size_t> at_boundary,
                             model::Paradox rule) {
    FrictionChoice choice;
    auto list = distinct(answer, contacts, ended);
    // An end that leaves nothing was an event without consequence: the contact goes on.
    if (list.empty() && !ended.modes.empty())
        list = distinct(answer, contacts, {{}, ended.tried, ended.force});
    if (list.empty() && !ended.tried.empty()) list = distinct(answer, contacts, {});
    const auto singular = singular_contacts(D, contacts);
    // One contact alone: slip with B₁' ≤ 0 is singular whatever the number of solutions (theory 02 §5.1).
    const bool alone = at_boundary || (contacts.size() == 1 && !singular.empty());
    if (list.size() == 1 && !alone) {
        choice.solution = list.front();
        return choice;
    }
    const bool none = list.empty();
    choice.case_name = at_boundary ? "boundary" : none ? "inconsistent" : "indeterminate";
    // Other ways to share the load are no other motions where one of them is the rule.
    const bool ruled = !none && !alone && singular.empty() && rule != model::Paradox::stop &&
                       keep_even(list, ended, D, contacts);
    if (!none && !alone) {
        if (const CoulombSolution* s = continuation(list, contacts, present, ended)) {
            choice.solution = s;
            choice.rule = "continuation";
            return choice;
        }
    }
    if (ruled && list.size() == 1) {
        choice.solution = list.front();
        choice.rule = "even share";
        return choice;
    }
    // The motion that separates most; of those with the same number of contacts one without a singular slip.
    const auto opening =
        std::max_element(list.begin(), list.end(), [&](const auto* a, const auto* b) {
            return std::pair(open_contacts(*a), -singular_slips(*a, D, contacts)) <
                   std::pair(open_contacts(*b), -singular_slips(*b, D, contacts));
        });
    choice.stop = rule == model::Paradox::stop;
    if (!none && singular.empty() && !at_boundary && !choice.stop) {
        const bool wedge = may_wedge(D, contacts);
        if (const CoulombSolution* s = shared_load(list, D, contacts, wedge)) {
            choice.solution = s;
            choice.rule = s->best().even && !wedge ? "even share" : "least norm";
            return choice;
        }
    }
    // Of several contacts at the boundary one has to part, or sliding goes on into it.
    const bool parts =
        !at_boundary || contacts.size() == 1 || (!none && separates(**opening, contacts));
    if (!none && rule == model::Paradox::separate && parts) {
        choice.solution = *opening;
        choice.rule = "separate";
        return choice;
    }
    // One contact that is singular by itself is struck alone, and the others by what it does to them; several, or none that is
    // so by itself, are struck together (theory of many contacts §5.5).
    if (at_boundary)
        choice.together = !singular_alone(D, contacts, *at_boundary);
    else
        choice.together =
            singular.size() > 1 || (singular.empty() && (none || laws::oppose(D, contacts)));
    if (choice.together) {
        choice.rule = "moreau-limit";
    } else if (at_boundary || !singular.empty()) {
        choice.tangential = at_boundary ? *at_boundary : singular.front();
        choice.rule = "impact";
    }
    // At rest, or where contacts do not oppose each other, nothing can strike.
    if (!none && !choice.tangential && !choice.stop && !at_boundary) {
        choice.solution = *opening;
        if (!choice.together) choice.rule = "separate";
    }
    return choice;
}

} // namespace liaison::realise
