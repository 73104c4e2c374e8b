// SPDX-License-Identifier: Apache-2.0
// A flow with algebraic states in implicit form, with the Jacobian of backward differentiation formulas.
#include "liaison/expr/derivative.hpp"
#include "liaison/motion/flow_program.hpp"
#include "liaison/motion/residual.hpp"

namespace liaison::motion {
namespace {

class FlowResidual final : public Residual {
  public:
    explicit FlowResidual(const flow::Flow& flow)
        : n_(flow.states.size()), n_differential_(n_ - flow.algebraic.size()),
          n_parameters_(flow.parameters.size()), n_modes_(flow.modes.size()),
          jacobian_given_(n_ <= k_most_states) {
        const compile::Request inputs = inputs_of(flow);
        inputs_.assign(inputs.inputs.size(), 0.0);
        std::vector<expr::Expr> values;
        std::vector<expr::Expr> right = flow.rates;
        right.resize(n_differential_);
        for (const flow::Algebraic& a : flow.algebraic) {
            right.push_back(a.equation);
            values.push_back(a.value);
        }
        std::vector<expr::Expr> columns;
        if (jacobian_given_) {
            for (const expr::Expr x : flow.states) {
                for (const expr::Expr f : right) columns.push_back(expr::differentiate(f, x));
            }
        }
        values_ = FlowProgram(inputs, std::move(values));
        right_ = FlowProgram(inputs, std::move(right));
        jacobian_ = FlowProgram(inputs, std::move(columns));
        work_.resize(n_);
    }

    [[nodiscard]] std::size_t n_states() const override { return n_; }
    [[nodiscard]] bool is_differential(std::size_t i) const override { return i < n_differential_; }

    void bind(std::span<const double> parameters, std::span<const double> mode) override {
        std::copy_n(parameters.begin(), n_parameters_, inputs_.begin());
        std::copy_n(mode.begin(), n_modes_,
                    inputs_.begin() + static_cast<std::ptrdiff_t>(n_parameters_));
        values_.forget();
        right_.forget();
        jacobian_.forget();
    }

    bool complete(double time, std::span<double> state) override {
        place(time, state);
        const std::span<double> algebraic = state.subspan(n_differential_);
        return values_.run(inputs_, algebraic) && finite(algebraic);
    }

    FieldStatus residual(double time, std::span<const double> state, std::span<const double> rates,
                         std::span<double> out) override {
        place(time, state);
        if (!right_.run(inputs_, out)) return FieldStatus::singular;
        for (std::size_t i = 0; i < n_differential_; ++i) out[i] = rates[i] - out[i];
        return finite(out) ? FieldStatus::ok : FieldStatus::not_finite;
    }

    FieldStatus rates(double time, std::span<const double> state,
                      std::span<double> rates) override {
        place(time, state);
        if (!right_.run(inputs_, work_)) return FieldStatus::singular;
        for (std::size_t i = 0; i < n_; ++i) rates[i] = i < n_differential_ ? work_[i] : 0.0;
        return finite(rates) ? FieldStatus::ok : FieldStatus::not_finite;
    }

    [[nodiscard]] bool has_jacobian() const override { return jacobian_given_; }
    FieldStatus jacobian(double time, std::span<const double> state, std::span<const double>,
                         double c, std::span<double> columns) override {
        place(time, state);
        if (!jacobian_.run(inputs_, columns)) return FieldStatus::singular;
        for (std::size_t j = 0; j < n_; ++j) {
            for (std::size_t i = 0; i < n_differential_; ++i)
                columns[j * n_ + i] = (i == j ? c : 0.0) - columns[j * n_ + i];
        }
        return finite(columns) ? FieldStatus::ok : FieldStatus::not_finite;
    }

  private:
    // Derived Jacobians pay as long as their n² entries are cheaper than n evaluations.
    static constexpr std::size_t k_most_states = 60;

    void place(double time, std::span<const double> state) {
        const auto at = static_cast<std::ptrdiff_t>(n_parameters_ + n_modes_);
        inputs_[n_parameters_ + n_modes_] = time;
        std::copy_n(state.begin(), n_, inputs_.begin() + at + 1);
    }

    std::size_t n_;
    std::size_t n_differential_;
    std::size_t n_parameters_;
    std::size_t n_modes_;
    bool jacobian_given_;
    std::vector<double> inputs_;
    std::vector<double> work_;
    FlowProgram values_;
    FlowProgram right_;
    FlowProgram jacobian_;
};

} // namespace

std::unique_ptr<Residual> make_flow_residual(const flow::Flow& flow) {
    return std::make_unique<FlowResidual>(flow);
}

} // namespace liaison::motion
