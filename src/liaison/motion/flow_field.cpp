// SPDX-License-Identifier: Apache-2.0
// Values of a flow at points: three compiled programs over one input vector (parameters, modes, time, states).
#include "liaison/motion/flow_field.hpp"

#include "liaison/expr/derivative.hpp"
#include "liaison/flow/step_work.hpp"
#include "liaison/motion/flow_program.hpp"

#include <algorithm>

namespace liaison::motion {
namespace {

class FlowField final : public Field {
  public:
    FlowField(const flow::Flow& flow, const FlowFieldOptions& options)
        : n_(flow.states.size()), n_controlled_(flow.n_controlled), n_guards_(flow.guards.size()),
          n_parameters_(flow.parameters.size()), n_modes_(flow.modes.size()),
          has_jacobian_(options.jacobian) {
        const compile::Request inputs = inputs_of(flow);
        inputs_.assign(inputs.inputs.size(), 0.0);

        rates_ = FlowProgram(inputs, flow.rates);
        if (rates_.machine_code()) flow::compile_step_work(flow, true);
        std::vector<expr::Expr> guards;
        for (const flow::Guard& g : flow.guards) guards.push_back(g.value);
        guards_ = FlowProgram(inputs, std::move(guards));
        if (!options.jacobian) return;
        std::vector<expr::Expr> columns;
        for (expr::Expr x : flow.states) {
            for (expr::Expr f : flow.rates) columns.push_back(expr::differentiate(f, x));
        }
        jacobian_ = FlowProgram(inputs, std::move(columns));
    }

    [[nodiscard]] std::size_t n_states() const override { return n_; }
    [[nodiscard]] std::size_t n_controlled() const override { return n_controlled_; }
    [[nodiscard]] std::size_t n_guards() const override { return n_guards_; }

    void bind(std::span<const double> parameters, std::span<const double> mode) override {
        std::copy_n(parameters.begin(), n_parameters_, inputs_.begin());
        std::copy_n(mode.begin(), n_modes_,
                    inputs_.begin() + static_cast<std::ptrdiff_t>(n_parameters_));
        rates_.forget();
        guards_.forget();
        jacobian_.forget();
    }

    FieldStatus rates(double time, std::span<const double> state,
                      std::span<double> rates) override {
        place(time, state);
        if (!rates_.run(inputs_, rates)) return FieldStatus::singular;
        return finite(rates) ? FieldStatus::ok : FieldStatus::not_finite;
    }
    void guards(double time, std::span<const double> state, std::span<double> values) override {
        place(time, state);
        guards_.run(inputs_, values);
    }
    [[nodiscard]] bool has_jacobian() const override { return has_jacobian_; }
    FieldStatus jacobian(double time, std::span<const double> state,
                         std::span<double> columns) override {
        place(time, state);
        if (!jacobian_.run(inputs_, columns)) return FieldStatus::singular;
        return finite(columns) ? FieldStatus::ok : FieldStatus::not_finite;
    }

  private:
    void place(double time, std::span<const double> state) {
        const auto at = static_cast<std::ptrdiff_t>(n_parameters_ + n_modes_);
        inputs_[n_parameters_ + n_modes_] = time;
        std::copy_n(state.begin(), n_, inputs_.begin() + at + 1);
    }

    std::size_t n_;
    std::size_t n_controlled_;
    std::size_t n_guards_;
    std::size_t n_parameters_;
    std::size_t n_modes_;
    bool has_jacobian_;
    std::vector<double> inputs_;
    FlowProgram rates_;
    FlowProgram guards_;
    FlowProgram jacobian_;
};

} // namespace

std::unique_ptr<Field> make_flow_field(const flow::Flow& flow, const FlowFieldOptions& options) {
    return std::make_unique<FlowField>(flow, options);
}

} // namespace liaison::motion
