// SPDX-License-Identifier: Apache-2.0
// The method "dae": IDA's backward differentiation formulas for F(t, x, x') = 0.
#include "liaison/base/assert.hpp"
#include "liaison/motion/multistep_stepper.hpp"
#include "liaison/motion/residual.hpp"
#include "liaison/motion/steppers.hpp"

#include <ida/ida.h>
#include <ida/ida_ls.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.hpp>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace liaison::motion {
namespace {

std::span<double> values(N_Vector v) {
    return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))};
}

class IdaStepper final : public MultistepStepper {
  public:
    IdaStepper(std::unique_ptr<Field> given, std::unique_ptr<Residual> residual, double tolerance)
        : MultistepStepper(std::move(given), tolerance),
          residual_(residual ? std::move(residual) : make_implicit_form(field())),
          size_(static_cast<sunindextype>(n())), state_(N_VNew_Serial(size_, context_)),
          rates_(N_VNew_Serial(size_, context_)), work_(N_VNew_Serial(size_, context_)),
          matrix_(SUNDenseMatrix(size_, size_, context_)),
          solver_(SUNLinSol_Dense(state_, matrix_, context_)), memory_(IDACreate(context_)) {
        LIAISON_ASSERT(residual_->n_states() == n(), "the residual has the states of the field");
        IDASetErrHandlerFn(memory_, [](int, const char*, const char*, char*, void*) {}, nullptr);
        IDASetUserData(memory_, this);
        N_VConst(0.0, state_);
        N_VConst(0.0, rates_);
        LIAISON_ASSERT(IDAInit(memory_, evaluate, 0.0, state_, rates_) == IDA_SUCCESS,
                       "IDA can be initialised");
        IDASStolerances(memory_, tolerance, tolerance);
        IDASetLinearSolver(memory_, solver_, matrix_);
        if (residual_->has_jacobian()) IDASetJacFn(memory_, jacobian);
        for (std::size_t i = 0; i < n(); ++i) {
            const bool differential = residual_->is_differential(i);
            algebraic_ = algebraic_ || !differential;
            values(work_)[i] = differential ? 1.0 : 0.0;
        }
        if (!algebraic_) return;
        std::size_t first = 0;
        while (residual_->is_differential(first)) ++first;
        solve_from(first);
        IDASetId(memory_, work_);
        IDASetSuppressAlg(memory_, SUNTRUE);
        // The first steps are of the size √tolerance, and the multipliers in them rounded like ε/√tolerance: iterations that
        // ask for more of them do not end. The other states do not feel it.
        constexpr double k_room = 1e3;
        const double multipliers = std::max(
            tolerance, k_room * std::numeric_limits<double>::epsilon() / std::sqrt(tolerance));
        for (std::size_t i = 0; i < n(); ++i)
            values(work_)[i] = residual_->is_differential(i) ? tolerance : multipliers;
        IDASVtolerances(memory_, tolerance, work_);
    }
    ~IdaStepper() override {
        IDAFree(&memory_);
        SUNLinSolFree(solver_);
        SUNMatDestroy(matrix_);
        N_VDestroy(work_);
        N_VDestroy(rates_);
        N_VDestroy(state_);
    }

  protected:
    void bound(const flow::Instant& now) override { residual_->bind(now.parameters, now.mode); }
    int restart(std::span<const double> state) override {
        std::copy(state.begin(), state.end(), values(state_).begin());
        const bool complete = residual_->complete(field_time(0.0), values(state_));
        const int found = guarded(
            [&] { return residual_->rates(field_time(0.0), values(state_), values(rates_)); });
        if (found != 0) return IDA_RES_FAIL;
        const int flag = IDAReInit(memory_, 0.0, state_, rates_);
        if (flag < 0 || !algebraic_) return flag;
        IDASetInitStep(memory_, first_step());
        if (complete) return flag;
        // Algebraic states, and rates of the others, that fulfil F = 0 at the start.
        constexpr double k_direction = 1e-3;
        const int solved = IDACalcIC(memory_, IDA_YA_YDP_INIT, k_direction);
        return solved < 0 ? solved : IDAGetConsistentIC(memory_, state_, rates_);
    }
    int step(double end, Taken& taken) override {
        IDASetStopTime(memory_, end);
        double reached = 0.0;
        const int flag = IDASolve(memory_, end, &reached, state_, rates_, IDA_ONE_STEP);
        if (flag < 0) return flag;
        double length = 0.0;
        IDAGetLastStep(memory_, &length);
        IDAGetCurrentTime(memory_, &taken.end);
        IDAGetLastOrder(memory_, &taken.order);
        taken.begin = taken.end - length;
        return flag;
    }
    int derivative(double t, int k, std::span<double> out) override {
        return copied(IDAGetDky(memory_, t, k, work_), out);
    }
    int errors(std::span<double> out) override {
        return copied(IDAGetEstLocalErrors(memory_, work_), out);
    }

    [[nodiscard]] Step failure(int flag) const override {
        if (last_status() != FieldStatus::ok) return refuse(last_status());
        switch (flag) {
        case IDA_TOO_MUCH_ACC:
            return {StepStatus::too_small, 0.0,
                    "the tolerance is below what double precision can hold"};
        case IDA_RES_FAIL:
        case IDA_REP_RES_ERR:
        case IDA_FIRST_RES_FAIL: return refuse(FieldStatus::not_finite);
        case IDA_NO_RECOVERY:
        case IDA_LINESEARCH_FAIL:
        case IDA_BAD_EWT:
            return {StepStatus::singular, 0.0,
                    "no consistent start of the implicit equations was found"};
        case IDA_CONV_FAIL:
        case IDA_LSETUP_FAIL:
            return {StepStatus::too_small, 0.0,
                    "the equations of the implicit step cannot be solved, however short it is"};
        default:
            return {StepStatus::too_small, 0.0,
                    "the step that meets the tolerance is below the resolution of time"};
        }
    }

  private:
    // Multipliers of systems of index 2 are rounded like ε/h: a first step by the size of the rates, as solvers take it, is
    // too short for them. One of the size at which its error of second order meets the tolerance is not.
    [[nodiscard]] double first_step() const {
        const auto x = values(state_);
        const auto rate = values(rates_);
        double pace = 0.0;
        for (std::size_t i = 0; i < n(); ++i) {
            if (residual_->is_differential(i))
                pace = std::max(pace, std::abs(rate[i]) / (1.0 + std::abs(x[i])));
        }
        return 0.1 * std::sqrt(tolerance()) / std::max(pace, 1e-3);
    }
    int copied(int flag, std::span<double> out) const {
        const auto from = values(work_);
        std::copy(from.begin(), from.end(), out.begin());
        return flag;
    }
    static int evaluate(double t, N_Vector x, N_Vector rates, N_Vector out, void* self) {
        auto* stepper = static_cast<IdaStepper*>(self);
        return stepper->guarded([&] {
            stepper->count_evaluation();
            return stepper->residual_->residual(stepper->field_time(t), stepper->shifted(values(x)),
                                                values(rates), values(out));
        });
    }
    static int jacobian(double t, double c, N_Vector x, N_Vector rates, N_Vector, SUNMatrix J,
                        void* self, N_Vector, N_Vector, N_Vector) {
        auto* stepper = static_cast<IdaStepper*>(self);
        return stepper->guarded([&] {
            return stepper->residual_->jacobian(
                stepper->field_time(t), stepper->shifted(values(x)), values(rates), c,
                {SUNDenseMatrix_Data(J), stepper->n() * stepper->n()});
        });
    }

    std::unique_ptr<Residual> residual_;
    bool algebraic_ = false;
    sundials::Context context_;
    sunindextype size_;
    N_Vector state_;
    N_Vector rates_;
    N_Vector work_;
    SUNMatrix matrix_;
    SUNLinearSolver solver_;
    void* memory_;
};

} // namespace

std::unique_ptr<Stepper> make_dae_stepper(std::unique_ptr<Field> field,
                                          std::unique_ptr<Residual> residual, double tolerance) {
    return std::make_unique<IdaStepper>(std::move(field), std::move(residual), tolerance);
}

} // namespace liaison::motion
