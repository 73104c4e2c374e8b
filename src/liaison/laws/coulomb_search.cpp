// SPDX-License-Identifier: Apache-2.0
// Forces from pivoting or sweeps are read as modes, and the modes are verified.
#include "liaison/laws/coulomb_search.hpp"

#include "liaison/laws/coulomb_assignment.hpp"
#include "liaison/laws/coulomb_directions.hpp"
#include "liaison/laws/coulomb_pivoting.hpp"
#include "liaison/laws/coulomb_sweeps.hpp"
#include "liaison/laws/sliding_matrix.hpp"

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace liaison::laws {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr double k_zero = 1e-8; // of an acceleration or a force that counts as zero, relative

class Search {
  public:
    Search(const MatrixXd& D, const VectorXd& b, const std::vector<CoulombContact>& contacts,
           const CoulombOptions& options)
        : D_(D), b_(b), contacts_(contacts), assignment_(D, b, contacts, options) {}

    CoulombAnswer run() {
        double modes = 1.0;
        for (const CoulombContact& c : contacts_) modes *= static_cast<double>(choices(c).size());
        const std::string many =
            fmt::format("{:.3g} assignments of modes are too many to enumerate", modes);
        CoulombAnswer answer;
        answer.complete = false;
        if (std::ranges::any_of(contacts_, [](const CoulombContact& c) { return c.bilateral; })) {
            answer.note = many + ", and friction on bilateral constraints has no other solver";
            return answer;
        }
        const char* by = nullptr;
        std::string why;
        if (planar() && pivoted(why)) by = "complementary pivoting";
        if (by == nullptr && swept(why)) by = "sweeps over the contacts";
        if (by == nullptr) {
            answer.note = many + "; " + why;
            return answer;
        }
        answer.complete = answer.by_matrix = certainly_unique();
        if (!answer.complete)
            answer.note = fmt::format(
                "{}: one solution was found by {} and verified, others were not looked for", many,
                by);
        answer.solutions.push_back({std::move(found_->acceleration), {std::move(found_->label)}});
        return answer;
    }

  private:
    [[nodiscard]] bool planar() const {
        return std::ranges::all_of(contacts_, [](const CoulombContact& c) { return c.slips < 2; });
    }

    // A coefficient at rest above that of slip: contacts that are found to slip are given the latter, until none joins.
    template <class Solve>
    bool settle(const Solve& solve) {
        std::vector<CoulombContact> contacts = contacts_;
        for (std::size_t round = 0; round <= contacts.size(); ++round) {
            const auto force = solve(contacts);
            if (!force) return false;
            const ModeChoices modes = read(*force, true);
            bool changed = false;
            for (std::size_t k = 0; k < contacts.size(); ++k) {
                CoulombContact& c = contacts[k];
                if (!is_slip(modes[k].mode) || c.moving) continue;
                const double mu = c.sliding(c.slips == 1 ? modes[k].direction(0) : 1.0);
                changed = changed || c.sticking != mu;
                c.sticking = mu;
            }
            if (!changed) return verified(modes) || verified(read(*force, false));
        }
        return false;
    }

    bool pivoted(std::string& why) {
        const bool found = settle([&](const std::vector<CoulombContact>& contacts) {
            const PivotResult pivot = pivot_coulomb(D_, b_, contacts);
            if (!pivot.solved && !pivot.ray.empty())
                why = "pivoting ended on a ray, which proves nothing";
            return pivot.solved ? std::optional(pivot.force) : std::nullopt;
        });
        if (!found && why.empty()) why = "what pivoting found could not be verified";
        return found;
    }
    bool swept(std::string& why) {
        const bool found = settle([&](const std::vector<CoulombContact>& contacts) {
            const SweepResult sweep = sweep_coulomb(D_, b_, contacts);
            constexpr double k_close = 1e-7; // close enough to see the modes
            return sweep.residual <= k_close ? std::optional(sweep.force) : std::nullopt;
        });
        if (!found)
            why = (why.empty() ? "" : why + "; ") +
                  std::string("sweeps over the contacts did not converge to a solution");
        return found;
    }

    // `closed`: a contact without force and without acceleration counts as closed, otherwise as open.
    [[nodiscard]] ModeChoices read(const VectorXd& force, bool closed) const {
        const VectorXd a = b_ + D_ * force;
        const double still = k_zero * assignment_.acceleration();
        const double nothing = k_zero * assignment_.force();
        ModeChoices modes;
        for (const CoulombContact& c : contacts_) {
            ModeChoice choice;
            const bool stays = closed ? std::abs(a(c.normal)) <= still : force(c.normal) > nothing;
            if (stays && c.slips == 0) choice.mode = ContactMode::closed;
            if (stays && c.slips > 0) {
                const VectorXd v = a.segment(c.slip, c.slips);
                const double speed = v.norm();
                if (c.moving)
                    choice.direction = c.direction;
                else if (speed > still)
                    choice.direction.head(c.slips) = v / speed;
                choice.mode = !c.moving && speed <= still                 ? ContactMode::stick
                              : c.slips == 1 && choice.direction(0) < 0.0 ? ContactMode::slip_minus
                                                                          : ContactMode::slip_plus;
            }
            modes.push_back(choice);
        }
        return modes;
    }

    bool verified(ModeChoices modes) {
        const auto starting = starting_slips(modes, contacts_);
        if (!starting.empty() && !find_directions(assignment_, modes, contacts_, starting))
            return false;
        bool undecided = false;
        found_ = assignment_.examine(modes, undecided);
        return found_.has_value();
    }

    // Sliding contacts: A_ij = W_N,iᵀ P (W_N,j − μ_j s_j W_T,j) with A + Aᵀ > 0 is a P-matrix, one solution for every b.
    [[nodiscard]] bool certainly_unique() const {
        if (std::ranges::any_of(contacts_,
                                [](const CoulombContact& c) { return c.slips > 0 && !c.moving; }))
            return false;
        const MatrixXd A = sliding_matrix(D_, contacts_);
        const Eigen::LDLT<MatrixXd> factor(A + A.transpose());
        return factor.info() == Eigen::Success &&
               factor.vectorD().minCoeff() > 1e-10 * factor.vectorD().maxCoeff();
    }

    const MatrixXd& D_;
    const VectorXd& b_;
    const std::vector<CoulombContact>& contacts_;
    CoulombAssignment assignment_;
    std::optional<CoulombAssignment::Found> found_;
};

} // namespace

CoulombAnswer search_coulomb(const MatrixXd& D, const VectorXd& b,
                             const std::vector<CoulombContact>& contacts,
                             const CoulombOptions& options) {
    return Search(D, b, contacts, options).run();
}

} // namespace liaison::laws
