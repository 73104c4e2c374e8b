// SPDX-License-Identifier: Apache-2.0
// The two jobs with contacts by CVODE (Adams) with its root finding and a restart written by hand. Setting: the tolerance.
#include "contact.hpp"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

namespace {

struct Data {
    bool ball;
    peers::Ball b;
    peers::Oscillator o;
};

int field(realtype t, N_Vector y, N_Vector d, void* data) {
    const auto& p = *static_cast<Data*>(data);
    const double* x = NV_DATA_S(y);
    double* r = NV_DATA_S(d);
    r[0] = x[1];
    r[1] = p.ball ? -p.b.g : std::sin(p.o.w * t) - p.o.h * x[1] - x[0];
    return 0;
}
int gap(realtype, N_Vector y, realtype* g, void* data) {
    const auto& p = *static_cast<Data*>(data);
    g[0] = p.ball ? NV_Ith_S(y, 0) : p.o.delta - NV_Ith_S(y, 0);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    const peers::Job job = peers::job_of(argc, argv);
    Data p{job.problem == "ball", {}, peers::oscillator_with_stop(job.e)};
    p.b.e = job.e;
    const double until = p.ball ? job.extent : job.extent * p.o.period();
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    N_Vector y = N_VNew_Serial(2, context);
    NV_Ith_S(y, 0) = p.ball ? p.b.height : p.o.s0;
    NV_Ith_S(y, 1) = 0.0;
    peers::Answer answer;
    const double before = peers::cpu_seconds();
    void* cvode = CVodeCreate(CV_ADAMS, context);
    CVodeInit(cvode, field, 0.0, y);
    CVodeSStolerances(cvode, job.setting, job.setting);
    CVodeSetUserData(cvode, &p);
    CVodeRootInit(cvode, 1, gap);
    int down = -1;
    CVodeSetRootDirection(cvode, &down);
    CVodeSetNoInactiveRootWarn(cvode);
    CVodeSetMaxNumSteps(cvode, 100'000'000);
    SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
    CVodeSetNonlinearSolver(cvode, solver);
    CVodeSetStopTime(cvode, until);
    double t = 0.0;
    while (t < until) {
        const int flag = CVode(cvode, until, y, &t, CV_NORMAL);
        if (flag < 0) {
            answer.says = "gives up with " + std::to_string(flag);
            break;
        }
        if (flag != CV_ROOT_RETURN) continue;
        ++answer.impacts;
        if (!p.ball) NV_Ith_S(y, 0) = p.o.delta;
        NV_Ith_S(y, 1) *= -job.e;
        CVodeReInit(cvode, t, y);
        CVodeSetStopTime(cvode, until);
        if (peers::cpu_seconds() - before > 20.0) {
            answer.says = "no end after 20 s";
            break;
        }
    }
    answer.seconds = peers::cpu_seconds() - before;
    answer.state = {NV_Ith_S(y, 0), NV_Ith_S(y, 1)};
    answer.time = t;
    peers::print_answer("CVODE Adams", job, answer);
    CVodeFree(&cvode);
    SUNNonlinSolFree(solver);
    N_VDestroy(y);
    SUNContext_Free(&context);
}
