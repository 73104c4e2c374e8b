// SPDX-License-Identifier: Apache-2.0
// Contacts that are pressed at the start: closed all of them, and of elastic ones the spring is compressed by its preload.
//
// A contact with the preload P starts at the gap s < 0 where the spring pushes with P: s = −P/(N B), or −∂W/∂gap = P
// for a potential W of its own. Everything else stays in the kinetic metric: Δq = M⁻¹Jᵀ(J M⁻¹Jᵀ)⁻¹ r with the rows J
// of the pressed gaps and of the bilateral constraints; gap rates are what they were. With P = R, the reaction of the
// rigid contact, nothing oscillates (the static start of Deryabin's study).
#include "liaison/expr/derivative.hpp"
#include "liaison/prepare/work.hpp"
#include "liaison/solve/dense.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

namespace liaison::prepare {

using base::Code;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using expr::Expr;

namespace {

struct Pressed {
    const model::Contact* contact = nullptr;
    std::size_t side = 0;
    double force = 0.0;
    Expr rate;
};

class Press {
  public:
    explicit Press(Work& work) : work_(work) {
        for (const auto& velocity : work.model.velocities) v_.push_back(velocity.v);
        for (const auto& coordinate : work.model.coordinates)
            rates_.push_back(work.rate_of(coordinate.q));
    }

    void run() {
        if (!find() || pressed_.empty()) return;
        M_ = kinetic_metric(work_);
        if (M_.size() == 0) {
            refuse(pressed_.front(), "the inertia does not determine which way it gives");
            return;
        }
        const auto before = gap_rates();
        constexpr int k_rounds = 8; // the mass that a gap feels changes a little on the way
        for (int i = 0; i < k_rounds; ++i) {
            if (!compress()) return;
        }
        keep_rates(before);
        for (const Pressed& p : pressed_) {
            const auto k = static_cast<std::size_t>(p.contact - work_.model.contacts.data());
            work_.start.gaps[k][p.side] = work_.at(p.contact->sides[p.side].gap.expr);
        }
    }

    // The contacts with a preload; false where one cannot have it.
    bool find() {
        for (std::size_t k = 0; k < work_.model.contacts.size(); ++k) {
            const model::Contact& contact = work_.model.contacts[k];
            const model::Formula& preload = contact.elastic.preload;
            if (!preload) continue;
            Pressed p{&contact, 0, work_.at(preload.expr), {}};
            if (p.force == 0.0) continue;
            std::size_t nearest = 0;
            const std::vector<double>& gaps = work_.start.gaps[k];
            for (std::size_t s = 1; s < gaps.size(); ++s) {
                if (gaps[s] < gaps[nearest]) nearest = s;
            }
            p.side = nearest;
            const Expr gap = contact.sides[nearest].gap.expr;
            constexpr double k_closed = 1e-9;
            if (std::abs(gaps[nearest]) > k_closed * work_.scale_of(gap)) {
                work_.diagnostics
                    .report(Code::start_not_solved,
                            fmt::format("contact {} has a preload and is not closed at the start",
                                        contact.name))
                    .at(preload.span, fmt::format("pressed by {:.6g}", p.force))
                    .see(contact.sides[nearest].gap.span,
                         fmt::format("its gap is {:.6g} there", gaps[nearest]))
                    .note("a preload presses a contact whose gap is zero: list it in closed, or "
                          "leave preload out and give the start that is wanted");
                return false;
            }
            p.rate = work_.rate_of(gap);
            pressed_.push_back(p);
        }
        return true;
    }

  private:
    void refuse(const Pressed& p, const std::string& why) {
        work_.diagnostics
            .report(Code::start_not_solved,
                    fmt::format("contact {} cannot be pressed by {:.6g} at the start",
                                p.contact->name, p.force))
            .at(p.contact->elastic.preload.span, why)
            .note("leave preload out and give the start that is wanted, with a negative gap");
    }

    [[nodiscard]] std::vector<Expr> rows(bool with_velocity_constraints) {
        std::vector<Expr> all;
        for (const Pressed& p : pressed_) all.push_back(p.rate);
        for (const Condition& c : work_.constraint_conditions()) {
            if (!c.on_velocity) all.push_back(c.rate);
            if (c.on_velocity && with_velocity_constraints) all.push_back(c.formula.expr);
        }
        return all;
    }

    // Changes of the velocities (or of positions along them) that change the rows by r and nothing else.
    [[nodiscard]] std::optional<VectorXd> change(const MatrixXd& J, const VectorXd& r) const {
        const solve::Elimination inertia(M_);
        const MatrixXd response = inertia.solve_columns(J.transpose());
        const MatrixXd D = J * response;
        const VectorXd multipliers = solve::least_norm(D, r, 1e-12);
        constexpr double k_little = 1e-8;
        if (!((D * multipliers - r).norm() <= k_little * r.norm() + k_tiny)) return std::nullopt;
        return VectorXd(response * multipliers);
    }

    // The gap at which the spring pushes with the preload.
    [[nodiscard]] double depth(const Pressed& p, const MatrixXd& J, Index row) const {
        const model::Elasticity& elastic = p.contact->elastic;
        if (elastic.potential) return depth_of_potential(p);
        const double profile = elastic.profile ? work_.at(elastic.profile.expr) : mass(J, row);
        return -p.force / (work_.at(elastic.stiffness.expr) * profile);
    }

    // μ = 1/(W P Wᵀ) of one gap, the multiplier of a unit change of its rate: only bilateral rows hold against it.
    [[nodiscard]] double mass(const MatrixXd& J, Index row) const {
        const auto pressed = static_cast<Index>(pressed_.size());
        MatrixXd own(J.rows() - pressed + 1, J.cols());
        own.row(0) = J.row(row);
        own.bottomRows(J.rows() - pressed) = J.bottomRows(J.rows() - pressed);
        const solve::Elimination inertia(M_);
        const MatrixXd D = own * inertia.solve_columns(own.transpose());
        return solve::least_norm(D, VectorXd::Unit(own.rows(), 0), 1e-12)(0);
    }

    // −∂W/∂gap grows as the gap falls: bracketed by doubling, then halved; NaN where it never reaches the preload.
    [[nodiscard]] double depth_of_potential(const Pressed& p) const {
        const model::Elasticity& elastic = p.contact->elastic;
        const Expr push = -expr::differentiate(elastic.potential.expr, elastic.gap_symbol);
        const auto misses = [&](double gap) {
            return work_.evaluator.at(work_.start.point, push, elastic.gap_symbol, gap) - p.force;
        };
        double deep = -1e-12;
        while (deep > -1e12 && !(misses(deep) >= 0.0)) deep *= 2.0;
        if (!(misses(deep) >= 0.0)) return std::numeric_limits<double>::quiet_NaN();
        double shallow = 0.0;
        for (int i = 0; i < 200; ++i) {
            const double middle = 0.5 * (shallow + deep);
            if (middle >= shallow || middle <= deep) break;
            (misses(middle) >= 0.0 ? deep : shallow) = middle;
        }
        return deep;
    }

    bool compress() {
        const MatrixXd J = work_.jacobian(rows(false), v_);
        VectorXd r(J.rows());
        Index row = 0;
        for (const Pressed& p : pressed_) {
            const double wanted = depth(p, J, row);
            if (!std::isfinite(wanted)) {
                refuse(p, "no compression of its spring pushes so much");
                return false;
            }
            r(row++) = wanted - work_.at(p.contact->sides[p.side].gap.expr);
        }
        for (const Condition& c : work_.constraint_conditions()) {
            if (!c.on_velocity) r(row++) = -work_.at(c.formula.expr);
        }
        const auto along = change(J, r);
        if (!along || !along->allFinite()) {
            refuse(pressed_.front(),
                   "the contacts and constraints do not give way so far together");
            return false;
        }
        const VectorXd moved = work_.jacobian(rates_, v_) * *along;
        for (std::size_t i = 0; i < work_.start.point.q.size(); ++i)
            work_.start.point.q[i] += moved(static_cast<Index>(i));
        return true;
    }

    [[nodiscard]] std::vector<double> gap_rates() const {
        std::vector<double> values;
        for (const Pressed& p : pressed_) values.push_back(work_.at(p.rate));
        return values;
    }

    void keep_rates(const std::vector<double>& before) {
        const auto conditions = rows(true);
        const MatrixXd J = work_.jacobian(conditions, v_);
        VectorXd r(J.rows());
        for (std::size_t i = 0; i < conditions.size(); ++i)
            r(static_cast<Index>(i)) =
                (i < before.size() ? before[i] : 0.0) - work_.at(conditions[i]);
        const auto kick = change(J, r);
        if (!kick) return;
        for (std::size_t j = 0; j < work_.start.point.v.size(); ++j)
            work_.start.point.v[j] += (*kick)(static_cast<Index>(j));
    }

    static constexpr double k_tiny = 1e-13;
    Work& work_;
    std::vector<Expr> v_, rates_;
    std::vector<Pressed> pressed_;
    MatrixXd M_;
};

} // namespace

void press_contacts(Work& work) {
    Press press(work);
    if (work.model.run.contact == model::ContactRealisation::elastic)
        press.run();
    else
        (void)press.find(); // rigid ones are pressed where they are
}

} // namespace liaison::prepare
