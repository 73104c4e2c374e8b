// SPDX-License-Identifier: Apache-2.0
// The bifurcation diagram of the forced impact oscillator by CVODE (Adams) with root finding, one motion after another.
//
// A motion whose impacts accumulate would never end: it is given up after 200 impacts in a period and not counted.
// usage: sweep_cvode [motions] [periods]
#include "sweep.hpp"

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

} // namespace

int main(int argc, char** argv) {
    const long motions = argc > 1 ? std::atol(argv[1]) : 16;
    const long periods = argc > 2 ? std::atol(argv[2]) : 500;
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    int down = -1;
    for (const double tolerance : {1e-9, 1e-12}) {
        double seconds = 0.0, worst = 0.0;
        long done = 0, given_up = 0, agree = 0;
        Oscillator o;
        N_Vector y = N_VNew_Serial(2, context);
        NV_Ith_S(y, 0) = o.s0;
        NV_Ith_S(y, 1) = o.v0;
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
        for (long i = 0; i < motions; ++i) {
            o.w = peers::sweep_frequency(i, motions);
            NV_Ith_S(y, 0) = o.s0;
            NV_Ith_S(y, 1) = o.v0;
            const double begin = peers::cpu_seconds();
            CVodeReInit(cvode, 0.0, y);
            std::vector<peers::State> states;
            bool fine = true;
            double t = 0.0;
            for (long k = 1; k <= periods && fine; ++k) {
                for (int impacts = 0; fine; ++impacts) {
                    const int flag =
                        CVode(cvode, static_cast<double>(k) * o.period(), y, &t, CV_NORMAL);
                    fine = flag >= 0 && impacts < 200;
                    if (flag != CV_ROOT_RETURN) break;
                    NV_Ith_S(y, 0) = o.delta;
                    NV_Ith_S(y, 1) *= -o.e;
                    CVodeReInit(cvode, t, y);
                }
                states.push_back({NV_Ith_S(y, 0), NV_Ith_S(y, 1)});
            }
            if (!fine) {
                ++given_up;
                continue;
            }
            seconds += peers::cpu_seconds() - begin;
            ++done;
            const double error = peers::final_error(states, peers::reference(o, periods));
            if (error <= 1e-9) ++agree;
            worst = std::max(worst, error);
        }
        CVodeFree(&cvode);
        SUNNonlinSolFree(solver);
        N_VDestroy(y);
        peers::print_sweep("CVODE Adams", tolerance, std::max(done, 1L), periods, 1, seconds, done,
                           agree, worst, given_up);
    }
    SUNContext_Free(&context);
}
