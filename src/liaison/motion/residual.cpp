// SPDX-License-Identifier: Apache-2.0
// A field in implicit form.
#include "liaison/motion/residual.hpp"

namespace liaison::motion {
namespace {

class ImplicitForm final : public Residual {
  public:
    explicit ImplicitForm(Field& field) : field_(field) {}

    [[nodiscard]] std::size_t n_states() const override { return field_.n_states(); }
    FieldStatus residual(double time, std::span<const double> state, std::span<const double> rates,
                         std::span<double> out) override {
        const FieldStatus status = field_.rates(time, state, out);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = rates[i] - out[i];
        return status;
    }
    FieldStatus rates(double time, std::span<const double> state,
                      std::span<double> rates) override {
        return field_.rates(time, state, rates);
    }
    [[nodiscard]] bool has_jacobian() const override { return field_.has_jacobian(); }
    FieldStatus jacobian(double time, std::span<const double> state, std::span<const double>,
                         double c, std::span<double> columns) override {
        const FieldStatus status = field_.jacobian(time, state, columns);
        const std::size_t n = field_.n_states();
        for (double& entry : columns) entry = -entry;
        for (std::size_t i = 0; i < n; ++i) columns[i * n + i] += c;
        return status;
    }

  private:
    Field& field_;
};

} // namespace

std::unique_ptr<Residual> make_implicit_form(Field& field) {
    return std::make_unique<ImplicitForm>(field);
}

} // namespace liaison::motion
