// SPDX-License-Identifier: Apache-2.0
// Builds the extended flow: tangent states, their rates, the derivatives of the user's quantities.
#include "liaison/flow/variational.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/expr/traverse.hpp"
#include "liaison/flow/output_label.hpp"
#include "liaison/flow/variational_transition.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace liaison::flow {
namespace {

bool has_sensitivity(OutputGroup group) {
    switch (group) {
    case OutputGroup::q:
    case OutputGroup::v:
    case OutputGroup::a:
    case OutputGroup::reaction:
    case OutputGroup::relay:
    case OutputGroup::observe:
    case OutputGroup::energy: return true;
    default: return false;
    }
}

class Extension {
  public:
    Extension(std::shared_ptr<const Flow> base, const std::vector<Tangent>& tangents)
        : base_(std::move(base)), tangents_(tangents) {
        std::vector<std::size_t> chosen;
        for (const Tangent& t : tangents_) {
            if (t.parameter &&
                std::find(chosen.begin(), chosen.end(), *t.parameter) == chosen.end())
                chosen.push_back(*t.parameter);
        }
        rule_ = std::make_shared<SaltationRule>(base_, std::move(chosen));
    }

    Variational build(bool outputs) {
        Variational result;
        result.flow = *base_;
        result.first = base_->states.size();
        result.rows = rule_->atoms().rows();
        result.count = tangents_.size();
        result.lost = base_->modes.size();
        Flow& flow = result.flow;
        flow.modes.push_back(
            {std::string(k_lost_slot), base_->pool->symbol("lost#"), 0.0, {}, false});
        for (Guard& g : flow.guards) g.owner = 0;

        TangentPlan plan{result.first, result.lost, {}};
        for (std::size_t j = 0; j < tangents_.size(); ++j) {
            add_tangent(j, flow);
            plan.tangents.push_back({tangents_[j].time ? 1.0 : 0.0, place(j)});
        }
        if (outputs) {
            for (std::size_t j = 0; j < tangents_.size(); ++j) add_outputs(j, flow);
        }
        flow.transitions = {make_variational_transition(rule_, std::move(plan))};
        drop_period(flow);
        return result;
    }

  private:
    [[nodiscard]] std::optional<std::size_t> place(std::size_t j) const {
        if (!tangents_[j].parameter) return std::nullopt;
        const auto& all = rule_->atoms().parameters;
        const auto found = std::find(all.begin(), all.end(), *tangents_[j].parameter);
        return static_cast<std::size_t>(found - all.begin());
    }

    // The direction of tangent j by atom.
    [[nodiscard]] std::vector<Expr> direction(std::size_t j) const {
        expr::Pool& pool = *base_->pool;
        const Atoms& atoms = rule_->atoms();
        std::vector<Expr> d;
        for (std::size_t i = 0; i < atoms.rows(); ++i)
            d.push_back(pool.symbol(fmt::format("d{}#{}", i, j)));
        d.push_back(pool.number(tangents_[j].time ? 1 : 0));
        for (std::size_t p = 0; p < atoms.parameters.size(); ++p)
            d.push_back(pool.number(place(j) == p ? 1 : 0));
        return d;
    }

    void add_tangent(std::size_t j, Flow& flow) const {
        const Atoms& atoms = rule_->atoms();
        const auto symbols = atoms.symbols(*base_);
        const auto d = direction(j);
        const auto field = differentiable(*base_, std::span(base_->rates.data(), atoms.n_states));
        const auto rates = expr::differentiate_along(field, symbols, d, "");
        for (std::size_t i = 0; i < atoms.rows(); ++i) {
            const std::string of = i < atoms.n_states
                                       ? base_->state_names[i]
                                       : base_->modes[atoms.slots[i - atoms.n_states]].name;
            flow.states.push_back(d[i]);
            flow.state_names.push_back(fmt::format("d({})/d({})", of, tangents_[j].name));
            flow.rates.push_back(i < atoms.n_states ? rates[i] : base_->pool->number(0));
            flow.start_state.push_back(i < tangents_[j].start.size() ? tangents_[j].start[i] : 0.0);
        }
    }

    void add_outputs(std::size_t j, Flow& flow) const {
        const auto symbols = rule_->atoms().symbols(*base_);
        const auto d = direction(j);
        for (const Output& o : base_->outputs) {
            if (!has_sensitivity(o.group)) continue;
            const auto given = differentiable(*base_, std::span(&o.value, 1));
            const Expr value = expr::differentiate_along(given, symbols, d, "")[0];
            flow.outputs.push_back(
                {OutputGroup::sensitivity, label_of(*base_, o), tangents_[j].name, value});
        }
    }

    // The derivative by a parameter of the frequency grows with time: the extended field does not repeat.
    void drop_period(Flow& flow) const {
        if (!flow.frequency) return;
        for (const std::size_t p : rule_->atoms().parameters) {
            if (expr::depends_on(flow.frequency, flow.parameters[p])) {
                flow.frequency = Expr();
                return;
            }
        }
    }

    std::shared_ptr<const Flow> base_;
    const std::vector<Tangent>& tangents_;
    std::shared_ptr<const SaltationRule> rule_;
};

} // namespace

Variational extend(std::shared_ptr<const Flow> base, std::vector<Tangent> tangents,
                   const VariationalOptions& options) {
    return Extension(std::move(base), tangents).build(options.outputs);
}

} // namespace liaison::flow
