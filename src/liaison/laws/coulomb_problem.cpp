// SPDX-License-Identifier: Apache-2.0
// Enumeration of contact modes: every assignment is examined, assignments with the same accelerations are one solution.
#include "liaison/laws/coulomb_problem.hpp"

#include "liaison/laws/cone_uniqueness.hpp"
#include "liaison/laws/coulomb_assignment.hpp"
#include "liaison/laws/coulomb_directions.hpp"
#include "liaison/laws/coulomb_search.hpp"
#include "liaison/laws/coulomb_sweeps.hpp"
#include "liaison/laws/slip_onset_search.hpp"
#include "liaison/laws/slip_onset_starts.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace liaison::laws {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr double k_same = 1e-8; // of accelerations that are one motion, relative

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
        const auto may_start = std::ranges::count_if(
            contacts, [](const CoulombContact& c) { return c.slips == 2 && !c.moving; });
        provable_ = std::cmp_less_equal(may_start, k_proven);
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
                const double still = options_.tolerance * assignment_.acceleration();
                if (slips_along(starting, std::vector<double>(starting.size(), -still))) examine();
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
        } else {
            // Solutions of contacts at rest whose forces are determined are odd in number, but for loads on the border of two modes.
            follow_starts(false);
            if (determined_ && answer_.solutions.size() % 2 == 0) follow_starts(true);
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
            else
                find_starting(starting);
            return;
        }
        for (const ModeChoice& choice : choices_[k]) {
            chosen_[k] = choice;
            visit(k + 1);
        }
    }

    // Contacts that start to slip. One or two: all their directions, with proof, unless one is degenerate or the forces are not
    // determined by the directions. More, and these: those that are found.
    void find_starting(const std::vector<std::size_t>& starting) {
        const auto onset = options_.stated.empty()
                               ? slip_onset(D_, b_, contacts_, chosen_, starting)
                               : std::nullopt;
        determined_ = determined_ && onset;
        if (onset && starting.size() <= k_proven && all_directions(*onset, starting)) return;
        if (starting.size() == 1) {
            scan_direction(assignment_, chosen_, contacts_, starting.front(), options_.tolerance,
                           [&] { examine(); });
            if (onset) uncertain("a direction in which a slip starts is degenerate");
            return;
        }
        try_directions(starting);
        if (onset) followed_.push_back({chosen_, *onset});
    }

    // False: there may be others.
    bool all_directions(const SlipOnset& onset, const std::vector<std::size_t>& starting) {
        const double still = options_.tolerance * assignment_.acceleration();
        OnsetSearchOptions search;
        for (const std::size_t k : starting) {
            // Of two slips one that goes nowhere is a contact that sticks, in another assignment; one alone tells where it is
            // about to go.
            const CoulombContact& c = contacts_[k];
            const bool sticks = starting.size() > 1 && c.sticking >= c.sliding(1.0);
            search.least.push_back(sticks ? k_nowhere * still : -still);
        }
        search.rest = 0.1 * still;
        search.force = 10.0 * options_.tolerance * assignment_.force();
        search.gap = 10.0 * still;
        const bool quick = !provable_ && starting.size() > 1;
        if (quick) {
            search.most_boxes = boxes_;
            search.after_undecided = 0;
        }
        const OnsetDirections found = search_slip_onset(onset, search);
        if (quick) boxes_ -= found.boxes;
        for (const OnsetAngles& angles : found.angles) {
            turn(starting, angles);
            if (slips_along(starting, search.least)) examine();
        }
        for (const std::size_t k : starting) chosen_[k].direction.setZero();
        return found.complete;
    }

    void turn(const std::vector<std::size_t>& starting, const OnsetAngles& angles) {
        for (std::size_t i = 0; i < starting.size(); ++i)
            chosen_[starting[i]].direction = {std::cos(angles[i]), std::sin(angles[i])};
    }
    // Roots of s^⊥·v̇ have either sign of s·v̇.
    bool slips_along(const std::vector<std::size_t>& starting, const std::vector<double>& least) {
        const auto a = assignment_.accelerations(chosen_);
        for (std::size_t i = 0; a && i < starting.size(); ++i) {
            const Vector2d v = a->segment<2>(contacts_[starting[i]].slip);
            if (!(chosen_[starting[i]].direction.dot(v) > least[i])) return false;
        }
        return a.has_value();
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
        uncertain("directions of several slips that start together are not certified");
        for (const std::size_t k : starting) chosen_[k].direction.setZero();
    }

    // Three and more that start to slip, and two that are not decided, from the starts of theory: frictionless, sticking, swept, and
    // spread over all directions. Where one is missing: `more` of them, and all directions of two after all.
    void follow_starts(bool more) {
        std::optional<VectorXd> swept;
        if (more) boxes_ = k_boxes;
        for (auto& [modes, onset] : followed_) {
            const auto starting = starting_slips(modes, contacts_);
            chosen_ = modes;
            if (more && starting.size() <= k_proven && all_directions(onset, starting)) continue;
            auto starts = onset_starts(onset, (more ? k_more_starts : k_starts) * starting.size());
            const auto along = [&](const VectorXd& rows, double sign) {
                OnsetAngles angles;
                for (const std::size_t k : starting) {
                    const Vector2d v = sign * rows.segment<2>(contacts_[k].slip);
                    angles.push_back(std::atan2(v(1), v(0)));
                }
                starts.push_back(std::move(angles));
            };
            ModeChoices held = modes;
            for (const std::size_t k : starting) held[k].mode = ContactMode::stick;
            if (const auto force = assignment_.forces(held)) along(*force, -1.0);
            if (!swept) swept = sweep_coulomb(D_, b_, contacts_, {.most = k_sweeps}).force;
            if (swept->allFinite()) along(b_ + D_ * *swept, 1.0);
            const double least = k_nowhere * options_.tolerance * assignment_.acceleration();
            for (const OnsetAngles& angles : follow_onset_starts(onset, starts, least)) {
                chosen_ = modes;
                turn(starting, angles);
                if (slips_along(starting, std::vector<double>(starting.size(), least))) examine();
            }
        }
    }

    void uncertain(const char* why) {
        answer_.complete = false;
        answer_.note = why;
    }

    void examine() {
        bool undecided = false;
        auto found = assignment_.examine(chosen_, undecided);
        if (undecided) uncertain("a set of reactions could not be decided");
        if (found) keep(*std::move(found));
    }

    void keep(CoulombAssignment::Found found) {
        const double same = k_same * assignment_.acceleration() +
                            1e-11 * assignment_.largest() * found.label.force.cwiseAbs().sum();
        for (CoulombSolution& s : answer_.solutions) {
            if ((s.acceleration - found.acceleration).cwiseAbs().maxCoeff() > same) continue;
            const bool known = std::ranges::any_of(
                s.labels, [&](const CoulombLabel& l) { return alike(l, found.label); });
            if (!known) s.labels.push_back(std::move(found.label));
            return;
        }
        answer_.solutions.push_back({std::move(found.acceleration), {std::move(found.label)}});
    }

    // Found twice.
    static bool alike(const CoulombLabel& x, const CoulombLabel& y) {
        if (x.mode != y.mode || x.side != y.side) return false;
        for (std::size_t k = 0; k < x.mode.size(); ++k)
            if ((x.direction[k] - y.direction[k]).norm() > k_same) return false;
        return true;
    }

    // A slip so far below the tolerance goes nowhere: the contact sticks up to it.
    static constexpr double k_nowhere = 1e-3;
    static constexpr std::size_t k_proven =
        2; // slips that start together, all directions of which are found
    static constexpr int k_quick_boxes = 2000; // of all searches where nothing can be proven
    static constexpr int k_boxes = 40000; // of the same, where a solution is missing
    static constexpr int k_sweeps = 500;
    static constexpr std::size_t k_starts = 8; // by contact
    static constexpr std::size_t k_more_starts = 80;

    const MatrixXd& D_;
    const VectorXd& b_;
    const std::vector<CoulombContact>& contacts_;
    CoulombOptions options_;
    CoulombAssignment assignment_;
    std::vector<ModeChoices> choices_;
    ModeChoices chosen_;
    std::vector<ModeChoices> missed_; // whose directions were not found
    std::vector<std::pair<ModeChoices, SlipOnset>> followed_; // of which there may be others
    bool provable_ = true; // no three slips may start together
    int boxes_ = k_quick_boxes; // that are left
    bool determined_ = true; // the forces, by the directions of slips
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

namespace {

// The rows of these contacts; their order is kept.
std::vector<Eigen::Index> rows_of(const std::vector<CoulombContact>& contacts) {
    std::vector<Eigen::Index> rows;
    for (const CoulombContact& c : contacts) {
        rows.push_back(c.normal);
        for (int j = 0; j < c.slips; ++j) rows.push_back(c.slip + j);
    }
    std::ranges::sort(rows);
    return rows;
}

CoulombAnswer solve_all_rows(const MatrixXd& D, const VectorXd& b,
                             const std::vector<CoulombContact>& contacts,
                             const CoulombOptions& options) {
    Enumeration enumeration(D, b, contacts, options);
    if (enumeration.too_long() && options.stated.empty())
        return search_coulomb(D, b, contacts, options);
    if (enumeration.too_long())
        return {.solutions = {}, .complete = false, .note = "too many assignments of modes"};
    return enumeration.run();
}

} // namespace

// Rows of other contacts take no part: without them neither the cost nor what counts as small depends on bodies that are
// somewhere else.
CoulombAnswer solve_coulomb(const MatrixXd& D, const VectorXd& b,
                            const std::vector<CoulombContact>& contacts,
                            const CoulombOptions& options) {
    const std::vector<Eigen::Index> rows = rows_of(contacts);
    if (std::cmp_equal(rows.size(), D.rows())) return solve_all_rows(D, b, contacts, options);
    const auto place = [&](Eigen::Index row) {
        return std::ranges::lower_bound(rows, row) - rows.begin();
    };
    std::vector<CoulombContact> own = contacts;
    for (CoulombContact& c : own) {
        c.normal = place(c.normal);
        if (c.slips > 0) c.slip = place(c.slip);
    }
    CoulombAnswer answer = solve_all_rows(D(rows, rows), b(rows), own, options);
    for (CoulombSolution& s : answer.solutions) {
        for (CoulombLabel& label : s.labels) {
            VectorXd force = VectorXd::Zero(D.rows());
            force(rows) = label.force;
            label.force = std::move(force);
        }
        const VectorXd all = b + D(Eigen::all, rows) * s.best().force(rows);
        const VectorXd mine = std::move(s.acceleration);
        s.acceleration = all;
        s.acceleration(rows) = mine;
    }
    return answer;
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
