// SPDX-License-Identifier: Apache-2.0
// Straightening and unfolding: from a model with gaps to the field of Routh's function.
#include "liaison/equations/effective_mass.hpp"
#include "liaison/equations/from_model.hpp"
#include "liaison/equations/system.hpp"
#include "liaison/expr/derivative.hpp"
#include "liaison/expr/substitute.hpp"
#include "liaison/realise/routh.hpp"
#include "liaison/solve/dense.hpp"

#include <Eigen/Core>
#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace liaison::realise {
namespace {

using equations::Row;

class Unfolding {
  public:
    Unfolding(const model::Model& model, const prepare::Point& start)
        : model_(model), start_(start), pool_(*model.pool), evaluator_(model) {}

    Unfolded run() {
        if (refuse_by_kind()) return std::move(result_);
        for (std::size_t k = 0; k < model_.contacts.size(); ++k) declare(k);
        auto input = equations::lagrangian_input(model_);
        input.contacts.clear();
        for (const UnfoldedContact& c : result_.contacts)
            input.contacts.push_back({c.name, c.f, {}});
        eq_ = std::make_unique<equations::Equations>(
            equations::derive(input, equations::Form::plain));
        for (std::size_t k = 0; k < result_.contacts.size(); ++k) {
            result_.contacts[k].gradient =
                dense(eq_->contacts[k].normal.W, model_.velocities.size());
            result_.contacts[k].mass = equations::effective_mass(*eq_, eq_->contacts[k].normal.W);
        }
        if (refuse_coupled()) return std::move(result_);
        field();
        start_values();
        return std::move(result_);
    }

  private:
    bool refuse(std::string why, std::string instead, base::Span span) {
        result_.refused = std::move(why);
        result_.instead = std::move(instead);
        result_.refused_span = span;
        return true;
    }

    bool refuse_by_kind() {
        if (!model_.constraints.empty()) {
            return refuse("Routh's function needs independent coordinates, and the model has "
                          "bilateral constraints",
                          "choose coordinates that fulfil them, or contact = \"events\"",
                          model_.constraints.front().span);
        }
        if (model_.quasi) {
            return refuse("Routh's function needs velocities that are rates of coordinates, and "
                          "the model has quasi-velocities",
                          "use contact = \"events\"", model_.velocities.front().span);
        }
        if (!model_.relays.empty()) {
            return refuse("the model has relays, whose surfaces and forces are written in "
                          "velocities that unfolded coordinates do not contain",
                          "use contact = \"events\"", model_.relays.front().span);
        }
        for (const model::Event& e : model_.events) {
            for (const model::Event::Set& s : e.sets) {
                if (s.what == model::Event::Set::What::state) continue;
                return refuse(fmt::format("event {} sets positions or velocities, which unfolded "
                                          "coordinates do not contain",
                                          e.name),
                              "use contact = \"events\"", s.span);
            }
        }
        return false;
    }

    // Unfolding several gaps at once leaves a term 2 μ_12 σ_1 δ(x_2) ẋ_2² unless μ_12 = 0: the gaps must be
    // orthogonal in the kinetic metric. Checked at the start and around it, and again at every impact.
    bool refuse_coupled() {
        auto& contacts = result_.contacts;
        if (contacts.size() < 2) return false;
        const auto system = equations::assemble(*eq_, {});
        std::vector<Row> rows;
        for (const auto& c : eq_->contacts) rows.push_back(c.normal.W);
        const auto D =
            equations::delassus(*eq_, pool_.factor(system.structure, system.entries), rows, rows);
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                result_.coupling.push_back(D[i][j]);
                for (int trial = 0; trial < 4; ++trial) {
                    prepare::Point near = start_;
                    for (std::size_t n = 0; n < near.q.size(); ++n)
                        near.q[n] +=
                            0.1 * trial * std::sin(1.0 + static_cast<double>(n * 7) + trial);
                    const double d = evaluator_.at(near, D[i][j]);
                    const double scale =
                        evaluator_.at(near, D[i][i]) * evaluator_.at(near, D[j][j]);
                    constexpr double k_orthogonal = 1e-9;
                    if (!(std::abs(d) > k_orthogonal * std::sqrt(std::abs(scale)))) continue;
                    return refuse(
                        fmt::format("the gaps of {} and {} are coupled: an impact on one changes "
                                    "the rate of the other, and unfolding both at once leaves an "
                                    "impulse that does not cancel",
                                    contacts[j].name, contacts[i].name),
                        "use contact = \"events\", or between = [\"lower\", \"f\", \"upper\"] for "
                        "two stops of one quantity",
                        model_.contacts[contacts[i].contact].span);
                }
            }
        }
        return false;
    }

    static std::vector<Expr> dense(const Row& row, std::size_t n) {
        std::vector<Expr> values(n);
        for (const auto& e : row) values[e.index] = e.value;
        return values;
    }

    void declare(std::size_t k) {
        const model::Contact& given = model_.contacts[k];
        const auto symbol = [&](const char* what) {
            return pool_.symbol(fmt::format("{}#{}", what, k));
        };
        UnfoldedContact c;
        c.name = given.name;
        c.contact = k;
        c.two_sided = given.two_sided();
        c.restitution = given.restitution ? given.restitution.expr : pool_.number(0);
        c.x = symbol("unfolded");
        c.w = symbol("unfolded rate");
        c.sheet = symbol("sheet");
        c.centre = symbol("centre");
        c.factor = symbol("factor");
        c.loss = symbol("loss");
        c.heading = symbol("heading");
        c.closed = symbol("closed");
        c.wall = symbol("wall");
        c.lossy = symbol("lossy");
        const Expr one = pool_.number(1);
        if (c.two_sided) {
            const Expr width = given.upper.expr - given.lower.expr;
            c.room = width;
            c.scale = pool_.number(expr::Number(std::numbers::pi)) / width;
            const Expr middle = (given.upper.expr + given.lower.expr) / expr::Number(2);
            c.f = c.scale * (given.middle.expr - middle);
            c.stretch = one + c.loss * c.heading * expr::sin(c.x - c.centre);
        } else {
            c.scale = one;
            c.f = given.sides[0].gap.expr;
            c.stretch = c.factor;
        }
        c.rate = (one - c.closed) * c.sheet * c.stretch * c.w;
        for (std::size_t i = 0; i < model_.coordinates.size(); ++i)
            c.chart.push_back(pool_.symbol(fmt::format("chart#{}.{}", k, i)));
        result_.contacts.push_back(std::move(c));
    }

    void field() {
        auto& contacts = result_.contacts;
        const std::size_t n = model_.velocities.size();
        std::vector<Expr> v;
        for (const model::Velocity& velocity : model_.velocities) v.push_back(velocity.v);
        for (const model::Coordinate& c : model_.coordinates) {
            result_.q.push_back(c.q);
            result_.p.push_back(pool_.symbol("p#" + c.name));
        }
        const std::vector<Expr> zeros(n, pool_.number(0));
        const auto linear = expr::substitute(eq_->momenta, v, zeros); // g: momenta at rest

        // Velocities and κ from p and ṡ; the rates stay symbols until s̈ is differentiated by them.
        std::vector<equations::ReactionRow> rows;
        std::vector<Expr> rates;
        std::vector<Expr> rate_symbols;
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            rows.push_back(equations::reaction_row(eq_->contacts[k].normal));
            rate_symbols.push_back(pool_.symbol(fmt::format("gap rate#{}", k)));
            rates.push_back(contacts[k].rate);
        }
        const auto system = equations::assemble(*eq_, rows);
        std::vector<Expr> rhs;
        for (std::size_t i = 0; i < n; ++i) rhs.push_back(result_.p[i] - linear[i]);
        for (std::size_t k = 0; k < contacts.size(); ++k)
            rhs.push_back(expr::differentiate(contacts[k].f, model_.t) - rate_symbols[k]);
        auto solution = pool_.solve(pool_.factor(system.structure, system.entries), rhs);
        const std::vector<Expr> V(solution.begin(), solution.begin() + static_cast<long>(n));
        const std::vector<Expr> kappa(solution.begin() + static_cast<long>(n), solution.end());

        // Free accelerations of the gaps.
        const auto free = equations::accelerations(*eq_, {});
        std::vector<Expr> s_dot_dot;
        for (const auto& row : eq_->contacts)
            s_dot_dot.push_back(equations::dot(pool_, row.normal.W, free.u_dot) + row.normal.drift);
        s_dot_dot = expr::substitute(s_dot_dot, v, V);
        const auto G = projected_forces(v, V, kappa);

        const auto finish = [&](std::vector<Expr> values) {
            return expr::substitute(values, rate_symbols, rates);
        };
        result_.p_rates = finish(G);
        result_.velocities = finish(V);
        const auto momentum = finish(kappa);
        const auto acceleration = finish(s_dot_dot);
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            UnfoldedContact& c = contacts[k];
            c.momentum = momentum[k];
            c.restitution = expr::substitute(std::vector{c.restitution}, v, result_.velocities)[0];
            c.acceleration = acceleration[k];
            c.acceleration_by_rate =
                finish({expr::differentiate(s_dot_dot[k], rate_symbols[k])})[0];
            c.reaction = -(c.wall * c.scale * c.mass * c.acceleration);
        }
        user_quantities(free, v);
    }

    // ṗ: G with its part along the gradients removed so that the charts stay what they are.
    std::vector<Expr> projected_forces(const std::vector<Expr>& v, const std::vector<Expr>& V,
                                       const std::vector<Expr>& kappa) {
        auto& contacts = result_.contacts;
        const std::size_t n = v.size();
        auto G = expr::gradient(eq_->energy.L, result_.q);
        for (std::size_t i = 0; i < n; ++i) G[i] = G[i] + eq_->Q[i];
        G = expr::substitute(G, v, V);
        std::vector<Expr> moving = result_.q;
        moving.push_back(model_.t);
        std::vector<Expr> rates = V;
        rates.push_back(pool_.number(1));
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            for (std::size_t i = 0; i < n; ++i) {
                if (!contacts[k].gradient[i]) continue;
                const Expr one[] = {contacts[k].gradient[i]};
                G[i] = G[i] - kappa[k] * expr::differentiate_along(one, moving, rates)[0];
            }
        }
        // (A Fᵀ) z = A G
        const auto m = static_cast<std::uint32_t>(contacts.size());
        const auto along = [&](const std::vector<Expr>& chart, const std::vector<Expr>& values) {
            std::vector<Expr> terms;
            for (std::size_t i = 0; i < n; ++i) {
                if (values[i]) terms.push_back(chart[i] * values[i]);
            }
            return pool_.sum(terms);
        };
        std::vector<Expr> z;
        if (m == 1) {
            z.push_back(along(contacts[0].chart, G) /
                        along(contacts[0].chart, contacts[0].gradient));
        } else {
            auto structure = std::make_shared<expr::Structure>();
            structure->n = m;
            structure->symmetric = false;
            std::vector<Expr> entries;
            std::vector<Expr> rhs;
            for (std::uint32_t r = 0; r < m; ++r) {
                for (std::uint32_t c = 0; c < m; ++c) {
                    structure->entries.push_back({r, c});
                    entries.push_back(along(contacts[r].chart, contacts[c].gradient));
                }
                rhs.push_back(along(contacts[r].chart, G));
            }
            z = pool_.solve(structure, entries, rhs);
        }
        for (std::size_t k = 0; k < m; ++k) {
            for (std::size_t i = 0; i < n; ++i) {
                if (contacts[k].gradient[i]) G[i] = G[i] - contacts[k].gradient[i] * z[k];
            }
        }
        return G;
    }

    void user_quantities(const equations::Accelerations& free, const std::vector<Expr>& v) {
        const auto& contacts = result_.contacts;
        std::vector<Row> directions;
        for (const auto& c : eq_->contacts) directions.push_back(c.normal.W);
        const auto columns = equations::responses(*eq_, free.factor, directions);
        std::vector<Expr> user(free.u_dot.begin(),
                               free.u_dot.begin() + static_cast<long>(v.size()));
        user.push_back(eq_->energy.jacobi);
        user.push_back(eq_->energy.power + eq_->energy.minus_L_t);
        user = expr::substitute(user, v, result_.velocities);
        result_.power = user.back();
        user.pop_back();
        result_.energy = user.back();
        user.pop_back();
        result_.accelerations = std::move(user);
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            // The reaction along f itself: λ = −μ s̈ while closed; a moving wall works with −λ f_t.
            const Expr push = -(contacts[k].closed * contacts[k].mass * contacts[k].acceleration);
            for (std::size_t i = 0; i < v.size(); ++i)
                result_.accelerations[i] = result_.accelerations[i] + push * columns[k][i];
            result_.power = result_.power - push * expr::differentiate(contacts[k].f, model_.t);
        }
    }

    // p = m − Σ κ ∇f with the chart coordinates of p zero; x = s, w = ṡ/R on the first sheet.
    void start_values() {
        auto& contacts = result_.contacts;
        const std::size_t n = model_.velocities.size();
        const auto m = static_cast<Eigen::Index>(contacts.size());
        Eigen::MatrixXd F(m, static_cast<Eigen::Index>(n));
        for (Eigen::Index k = 0; k < m; ++k) {
            for (std::size_t i = 0; i < n; ++i) {
                const Expr g = contacts[static_cast<std::size_t>(k)].gradient[i];
                F(k, static_cast<Eigen::Index>(i)) = g ? evaluator_.at(start_, g) : 0.0;
            }
        }
        result_.start_chart = choose_charts(F, masses());
        const auto momenta = evaluator_.at(start_, eq_->momenta);
        Eigen::VectorXd p =
            Eigen::Map<const Eigen::VectorXd>(momenta.data(), static_cast<Eigen::Index>(n));
        Eigen::MatrixXd AF(m, m);
        Eigen::VectorXd Ap(m);
        for (Eigen::Index k = 0; k < m; ++k) {
            const auto j =
                static_cast<Eigen::Index>(result_.start_chart[static_cast<std::size_t>(k)]);
            AF.row(k) = F.col(j).transpose();
            Ap(k) = p(j);
        }
        p -= F.transpose() * solve::Elimination(AF).solve(Ap);
        result_.start_p.assign(p.data(), p.data() + p.size());
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const double s = evaluator_.at(start_, contacts[k].f);
            const double rate = evaluator_.at(start_, eq_->contacts[k].normal.rate);
            const double loss = loss_of(evaluator_.at(start_, contacts[k].restitution));
            const double heading = rate < 0.0 ? -1.0 : 1.0;
            const double factor = 1.0 - loss * heading;
            const double R = contacts[k].two_sided ? 1.0 + loss * heading * std::sin(s) : factor;
            result_.start_x.push_back(s);
            result_.start_w.push_back(rate / R);
            result_.start_factor.push_back(factor);
            result_.start_loss.push_back(loss);
            result_.start_heading.push_back(heading);
        }
    }

    std::vector<double> masses() const {
        std::vector<double> diagonal(model_.velocities.size(), 1.0);
        for (const auto& e : eq_->inertia.M) {
            if (e.row == e.col) diagonal[e.row] = evaluator_.at(start_, e.value);
        }
        return diagonal;
    }

    // For each gap the coordinate with the largest slope in the kinetic scale, each used once.
    static std::vector<std::size_t> choose_charts(const Eigen::MatrixXd& F,
                                                  const std::vector<double>& mass) {
        std::vector<std::size_t> chosen;
        std::vector<char> used(mass.size(), 0);
        for (Eigen::Index k = 0; k < F.rows(); ++k) {
            std::size_t best = 0;
            double largest = -1.0;
            for (std::size_t i = 0; i < mass.size(); ++i) {
                const double slope =
                    std::abs(F(k, static_cast<Eigen::Index>(i))) / std::sqrt(std::abs(mass[i]));
                if (used[i] != 0 || !(slope > largest)) continue;
                largest = slope;
                best = i;
            }
            used[best] = 1;
            chosen.push_back(best);
        }
        return chosen;
    }

    const model::Model& model_;
    const prepare::Point& start_;
    expr::Pool& pool_;
    prepare::Evaluator evaluator_;
    std::unique_ptr<equations::Equations> eq_;
    Unfolded result_;
};

} // namespace

Unfolded unfold(const model::Model& model, const prepare::Point& start) {
    return Unfolding(model, start).run();
}

} // namespace liaison::realise
