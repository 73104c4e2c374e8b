// SPDX-License-Identifier: Apache-2.0
// The method "stiff": backward differentiation formulas of CVODE.
#include "liaison/base/assert.hpp"
#include "liaison/motion/multistep_stepper.hpp"
#include "liaison/motion/steppers.hpp"

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.hpp>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>

namespace liaison::motion {
namespace {

std::span<double> values(N_Vector v) {
    return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))};
}

class CvodeStepper final : public MultistepStepper {
  public:
    CvodeStepper(std::unique_ptr<Field> given, double tolerance)
        : MultistepStepper(std::move(given), tolerance), size_(static_cast<sunindextype>(n())),
          state_(N_VNew_Serial(size_, context_)), work_(N_VNew_Serial(size_, context_)),
          matrix_(SUNDenseMatrix(size_, size_, context_)),
          solver_(SUNLinSol_Dense(state_, matrix_, context_)),
          memory_(CVodeCreate(CV_BDF, context_)) {
        CVodeSetErrHandlerFn(memory_, [](int, const char*, const char*, char*, void*) {}, nullptr);
        CVodeSetUserData(memory_, this);
        N_VConst(0.0, state_);
        LIAISON_ASSERT(CVodeInit(memory_, rhs, 0.0, state_) == CV_SUCCESS,
                       "CVODE can be initialised");
        CVodeSStolerances(memory_, tolerance, tolerance);
        CVodeSetLinearSolver(memory_, solver_, matrix_);
        if (field().has_jacobian()) CVodeSetJacFn(memory_, jacobian);
    }
    ~CvodeStepper() override {
        CVodeFree(&memory_);
        SUNLinSolFree(solver_);
        SUNMatDestroy(matrix_);
        N_VDestroy(work_);
        N_VDestroy(state_);
    }

  protected:
    int restart(std::span<const double> state) override {
        std::copy(state.begin(), state.end(), values(state_).begin());
        return CVodeReInit(memory_, 0.0, state_);
    }
    int step(double end, Taken& taken) override {
        CVodeSetStopTime(memory_, end);
        double reached = 0.0;
        const int flag = CVode(memory_, end, state_, &reached, CV_ONE_STEP);
        if (flag < 0) return flag;
        double length = 0.0;
        CVodeGetLastStep(memory_, &length);
        CVodeGetCurrentTime(memory_, &taken.end);
        CVodeGetLastOrder(memory_, &taken.order);
        taken.begin = taken.end - length;
        return flag;
    }
    int derivative(double t, int k, std::span<double> out) override {
        return copied(CVodeGetDky(memory_, t, k, work_), out);
    }
    int errors(std::span<double> out) override {
        return copied(CVodeGetEstLocalErrors(memory_, work_), out);
    }

    [[nodiscard]] Step failure(int flag) const override {
        switch (flag) {
        case CV_TOO_MUCH_ACC:
            return {StepStatus::too_small, 0.0,
                    "the tolerance is below what double precision can hold"};
        case CV_RHSFUNC_FAIL:
        case CV_FIRST_RHSFUNC_ERR:
        case CV_REPTD_RHSFUNC_ERR:
        case CV_UNREC_RHSFUNC_ERR: return refuse(last_status());
        case CV_CONV_FAILURE:
        case CV_LSETUP_FAIL:
            if (last_status() != FieldStatus::ok) return refuse(last_status());
            return {StepStatus::too_small, 0.0,
                    "the equations of the implicit step cannot be solved, however short it is"};
        default:
            return {StepStatus::too_small, 0.0,
                    "the step that meets the tolerance is below the resolution of time"};
        }
    }

  private:
    int copied(int flag, std::span<double> out) const {
        const auto from = values(work_);
        std::copy(from.begin(), from.end(), out.begin());
        return flag;
    }
    static int rhs(double t, N_Vector x, N_Vector out, void* self) {
        auto* stepper = static_cast<CvodeStepper*>(self);
        return stepper->guarded([&] {
            return stepper->rates(stepper->field_time(t), stepper->shifted(values(x)), values(out));
        });
    }
    static int jacobian(double t, N_Vector x, N_Vector, SUNMatrix J, void* self, N_Vector, N_Vector,
                        N_Vector) {
        auto* stepper = static_cast<CvodeStepper*>(self);
        return stepper->guarded([&] {
            return stepper->field().jacobian(stepper->field_time(t), stepper->shifted(values(x)),
                                             {SUNDenseMatrix_Data(J), stepper->n() * stepper->n()});
        });
    }

    sundials::Context context_;
    sunindextype size_;
    N_Vector state_;
    N_Vector work_;
    SUNMatrix matrix_;
    SUNLinearSolver solver_;
    void* memory_;
};

} // namespace

std::unique_ptr<Stepper> make_stiff_stepper(std::unique_ptr<Field> field, double tolerance) {
    return std::make_unique<CvodeStepper>(std::move(field), tolerance);
}

} // namespace liaison::motion
