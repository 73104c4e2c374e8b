// SPDX-License-Identifier: Apache-2.0
// The forced impact oscillator by SUNDIALS: CVODE (Adams) and ARKODE (explicit 5(4)) with their root finding.
#include "oscillator.hpp"

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

namespace {

using peers::Oscillator;

int field(realtype t, N_Vector y, N_Vector d, void* data) {
    const auto& o = *static_cast<Oscillator*>(data);
    const double* x = NV_DATA_S(y);
    double* r = NV_DATA_S(d);
    r[0] = x[1];
    r[1] = std::sin(o.w * t) - o.h * x[1] - x[0];
    return 0;
}
int stop(realtype, N_Vector y, realtype* g, void* data) {
    g[0] = static_cast<Oscillator*>(data)->delta - NV_Ith_S(y, 0);
    return 0;
}

// One driver for both: evolve to the next period, restart at each impact.
template <class Evolve, class Restart>
void drive(const char* name, Oscillator& o, double tolerance, long periods, N_Vector y, int root,
           Evolve evolve, Restart restart, const std::vector<peers::State>& truth) {
    std::vector<peers::State> states;
    long impacts = 0;
    double t = 0;
    const double begin = peers::cpu_seconds();
    for (long k = 1; k <= periods; ++k) {
        while (true) {
            const int flag = evolve(static_cast<double>(k) * o.period(), &t);
            if (flag < 0) {
                std::fprintf(stderr, "%s gives up with %d at t = %g\n", name, flag, t);
                return;
            }
            if (flag != root) break;
            ++impacts;
            NV_Ith_S(y, 0) = o.delta;
            NV_Ith_S(y, 1) *= -o.e;
            restart(t);
        }
        states.push_back({NV_Ith_S(y, 0), NV_Ith_S(y, 1)});
    }
    peers::print_result(name, tolerance, periods, peers::cpu_seconds() - begin, 0, impacts,
                        peers::final_error(states, truth));
}

} // namespace

int main(int argc, char** argv) {
    const long periods = peers::periods_of(argc, argv, 2'000);
    Oscillator o;
    const auto truth = peers::reference(o, periods);
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    int down = -1;
    for (const double tolerance : {1e-9, 1e-12}) {
        N_Vector y = N_VNew_Serial(2, context);
        const auto start = [&] {
            NV_Ith_S(y, 0) = o.s0;
            NV_Ith_S(y, 1) = o.v0;
        };
        start();
        void* cvode = CVodeCreate(CV_ADAMS, context);
        CVodeInit(cvode, field, 0.0, y);
        CVodeSStolerances(cvode, tolerance, tolerance);
        CVodeSetUserData(cvode, &o);
        CVodeRootInit(cvode, 1, stop);
        CVodeSetRootDirection(cvode, &down);
        CVodeSetNoInactiveRootWarn(cvode);
        CVodeSetMaxNumSteps(cvode, 100'000);
        SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
        CVodeSetNonlinearSolver(cvode, solver);
        drive(
            "CVODE Adams", o, tolerance, periods, y, CV_ROOT_RETURN,
            [&](double to, double* t) { return CVode(cvode, to, y, t, CV_NORMAL); },
            [&](double t) { CVodeReInit(cvode, t, y); }, truth);
        CVodeFree(&cvode);
        SUNNonlinSolFree(solver);

        start();
        void* arkode = ERKStepCreate(field, 0.0, y, context);
        ERKStepSStolerances(arkode, tolerance, tolerance);
        ERKStepSetUserData(arkode, &o);
        ERKStepSetTableNum(arkode, ARKODE_DORMAND_PRINCE_7_4_5);
        ERKStepRootInit(arkode, 1, stop);
        ERKStepSetRootDirection(arkode, &down);
        ERKStepSetNoInactiveRootWarn(arkode);
        ERKStepSetMaxNumSteps(arkode, 100'000);
        drive(
            "ARKODE ERK 5(4)", o, tolerance, periods, y, ARK_ROOT_RETURN,
            [&](double to, double* t) { return ERKStepEvolve(arkode, to, y, t, ARK_NORMAL); },
            [&](double t) { ERKStepReset(arkode, t, y); }, truth);
        ERKStepFree(&arkode);
        N_VDestroy(y);
    }
    SUNContext_Free(&context);
}
