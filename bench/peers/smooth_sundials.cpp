// SPDX-License-Identifier: Apache-2.0
// Smooth problems by SUNDIALS: CVODE (Adams, fixed-point iteration) and ARKODE (explicit Fehlberg 8(7)).
#include "smooth.hpp"

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

namespace {

int field(realtype t, N_Vector y, N_Vector d, void* data) {
    static_cast<const peers::Problem*>(data)->field(t, NV_DATA_S(y), NV_DATA_S(d));
    return 0;
}

} // namespace

int main() {
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    auto problems = peers::smooth_problems();
    for (peers::Problem& p : problems) {
        const auto truth = peers::exact_end(p);
        const auto n = static_cast<sunindextype>(p.start.size());
        N_Vector y = N_VNew_Serial(n, context);
        const auto start = [&] { std::copy(p.start.begin(), p.start.end(), NV_DATA_S(y)); };
        const auto error = [&] { return peers::distance({NV_DATA_S(y), NV_DATA_S(y) + n}, truth); };
        for (const double tolerance : peers::k_tolerances) {
            start();
            void* cvode = CVodeCreate(CV_ADAMS, context);
            CVodeInit(cvode, field, 0.0, y);
            CVodeSStolerances(cvode, tolerance, tolerance);
            CVodeSetUserData(cvode, &p);
            CVodeSetMaxNumSteps(cvode, 10'000'000);
            SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
            CVodeSetNonlinearSolver(cvode, solver);
            int flag = 0;
            double t = 0;
            double seconds = peers::time_of([&] {
                start();
                CVodeReInit(cvode, 0.0, y);
                CVodeSetStopTime(cvode, p.until);
                flag = CVode(cvode, p.until, y, &t, CV_NORMAL);
            });
            if (flag >= 0) peers::print_smooth(p, "CVODE Adams", tolerance, seconds, error());
            CVodeFree(&cvode);
            SUNNonlinSolFree(solver);

            start();
            void* arkode = ERKStepCreate(field, 0.0, y, context);
            ERKStepSStolerances(arkode, tolerance, tolerance);
            ERKStepSetUserData(arkode, &p);
            ERKStepSetTableNum(arkode, ARKODE_FEHLBERG_13_7_8);
            ERKStepSetMaxNumSteps(arkode, 10'000'000);
            seconds = peers::time_of([&] {
                start();
                ERKStepReInit(arkode, field, 0.0, y);
                ERKStepSetStopTime(arkode, p.until);
                flag = ERKStepEvolve(arkode, p.until, y, &t, ARK_NORMAL);
            });
            if (flag >= 0)
                peers::print_smooth(p, "ARKODE Fehlberg 8(7)", tolerance, seconds, error());
            ERKStepFree(&arkode);
        }
        N_VDestroy(y);
    }
    SUNContext_Free(&context);
}
