// SPDX-License-Identifier: Apache-2.0
// Enumeration of contact modes: every assignment is examined, assignments with the same accelerations are one solution.
#include "liaison/laws/coulomb_problem.hpp"

#include "liaison/laws/cone_uniqueness.hpp"
#include "liaison/laws/coulomb_assignment.hpp"
#include "liaison/laws/coulomb_directions.hpp"
#include "liaison/laws/coulomb_search.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace liaison::laws {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

class Enumeration {
  public:
    Enumeration(const MatrixXd& D, const VectorXd& b, const std::vector<CoulombContact>& contacts,
                const CoulombOptions& options)
        : D_(D), b_(b), contacts_(contacts), options_(options),
          assignment_(D, b, contacts, options) {
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            choices_.push_back(choices(contacts[k]));
            if (k < options.stated.size() && options.stated[k]) std::erase_if(choices_[k], leaves);
        }
    }

    [[nodiscard]] bool too_long() const {
        double modes = 1.0;
        for (const auto& list : choices_) modes *= static_cast<double>(list.size());
        return modes > static_cast<double>(options_.max_modes);
    }

    CoulombAnswer run() {
        chosen_.resize(contacts_.size());
        visit(0);
        // Where all contacts stay, and nothing that keeps them was found: directions from a larger load.
        const auto stays = [](const CoulombSolution& s) {
            return std::ranges::any_of(s.labels, [](const CoulombLabel& l) {
                return l.even && std::ranges::find(l.mode, ContactMode::open) == l.mode.end();
            });
        };
        if (std::ranges::none_of(answer_.solutions, stays)) {
            for (ModeChoices& modes : missed_) {
                const auto starting = starting_slips(modes, contacts_);
                if (!follow_directions(D_, b_, contacts_, starting, options_, modes)) continue;
                chosen_ = modes;
                examine();
            }
        }
        // Directions that were not found from there may be found by sweeps.
        if (!answer_.complete && answer_.solutions.empty() && options_.stated.empty()) {
            for (CoulombSolution& s : search_coulomb(D_, b_, contacts_, options_).solutions)
                answer_.solutions.push_back(std::move(s));
        }
        // There may be no other whatever was not looked at.
        if (!answer_.complete && answer_.solutions.size() == 1 && options_.stated.empty() &&
            accelerations_unique(D_, contacts_)) {
            answer_.complete = answer_.by_matrix = true;
            answer_.note.clear();
        }
        for (CoulombSolution& s : answer_.solutions) {
            std::stable_sort(
                s.labels.begin(), s.labels.end(),
                [](const CoulombLabel& x, const CoulombLabel& y) { return rank(x) > rank(y); });
        }
        return std::move(answer_);
    }

  private:
    static std::tuple<bool, std::ptrdiff_t, std::ptrdiff_t> rank(const CoulombLabel& label) {
        const auto count = [&](ContactMode m) {
            return std::count(label.mode.begin(), label.mode.end(), m);
        };
        return {label.even, count(ContactMode::stick), -count(ContactMode::open)};
    }

    static bool open(const ModeChoice& choice) { return choice.mode == ContactMode::open; }
    // Not a mode under a stated force.
    static bool leaves(const ModeChoice& choice) { return open(choice) || is_slip(choice.mode); }

    void visit(std::size_t k) {
        if (k == contacts_.size()) {
            const auto starting = starting_slips(chosen_, contacts_);
            if (starting.empty())
                examine();
            else if (starting.size() == 1)
                scan_direction(assignment_, chosen_, contacts_, starting.front(),
                               options_.tolerance, [&] { examine(); });
            else
                try_directions(starting);
            return;
        }
        for (const ModeChoice& choice : choices_[k]) {
            chosen_[k] = choice;
            visit(k + 1);
        }
    }

    // Several contacts that start to slip: directions that follow from the free accelerations. What is found is not
    // certified to be all.
    void try_directions(const std::vector<std::size_t>& starting) {
        for (const std::size_t k : starting) {
            const Vector2d v = b_.segment<2>(contacts_[k].slip);
            chosen_[k].direction = v.norm() > 0.0 ? Vector2d(v.normalized()) : Vector2d(1.0, 0.0);
        }
        if (find_directions(assignment_, chosen_, contacts_, starting))
            examine();
        else if (std::ranges::none_of(chosen_, open))
            missed_.push_back(chosen_);
        answer_.complete = false;
        answer_.note = "directions of several slips that start together are not certified";
        for (const std::size_t k : starting) chosen_[k].direction.setZero();
    }

    void examine() {
        bool undecided = false;
        auto found = assignment_.examine(chosen_, undecided);
        if (undecided) {
            answer_.complete = false;
            answer_.note = "a set of reactions could not be decided";
        }
        if (found) keep(*std::move(found));
    }

    void keep(CoulombAssignment::Found found) {
        const double same = 1e-8 * assignment_.acceleration() +
                            1e-11 * assignment_.largest() * found.label.force.cwiseAbs().sum();
        for (CoulombSolution& s : answer_.solutions) {
            if ((s.acceleration - found.acceleration).cwiseAbs().maxCoeff() > same) continue;
            s.labels.push_back(std::move(found.label));
            return;
        }
        answer_.solutions.push_back({std::move(found.acceleration), {std::move(found.label)}});
    }

    const MatrixXd& D_;
    const VectorXd& b_;
    const std::vector<CoulombContact>& contacts_;
    CoulombOptions options_;
    CoulombAssignment assignment_;
    std::vector<ModeChoices> choices_;
    ModeChoices chosen_;
    std::vector<ModeChoices> missed_; // whose directions were not found
    CoulombAnswer answer_;
};

} // namespace

bool CoulombSolution::forces_unique() const {
    const double scale = labels.front().force.cwiseAbs().maxCoeff();
    return std::all_of(labels.begin(), labels.end(), [&](const CoulombLabel& l) {
        return l.dimension == 0 &&
               (l.force - labels.front().force).cwiseAbs().maxCoeff() <= 1e-8 * scale;
    });
}

CoulombAnswer solve_coulomb(const MatrixXd& D, const VectorXd& b,
                            const std::vector<CoulombContact>& contacts,
                            const CoulombOptions& options) {
    Enumeration enumeration(D, b, contacts, options);
    if (enumeration.too_long() && options.stated.empty())
        return search_coulomb(D, b, contacts, options);
    if (enumeration.too_long())
        return {.solutions = {}, .complete = false, .note = "too many assignments of modes"};
    return enumeration.run();
}

std::string letters(const CoulombLabel& label) {
    std::string text;
    for (const ContactMode m : label.mode) {
        switch (m) {
        case ContactMode::open: text += "o"; break;
        case ContactMode::closed: text += "c"; break;
        case ContactMode::stick: text += "s"; break;
        case ContactMode::slip_plus: text += "+"; break;
        case ContactMode::slip_minus: text += "-"; break;
        }
    }
    return text;
}

} // namespace liaison::laws
