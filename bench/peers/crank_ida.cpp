// SPDX-License-Identifier: Apache-2.0
// The slider-crank by IDA: the system of index 2 of Gear, Gupta and Leimkuhler, written by hand, with differenced Jacobian.
#include "crank.hpp"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

namespace {

// Masses, forces and constraint at th1, th2 with rates u, w.
struct Terms {
    double M11, M12, M22, f1, f2, G1, G2, gamma, g, g_dot;
};

Terms terms(const peers::Crank& p, double th1, double th2, double u, double w) {
    const double s1 = std::sin(th1), c1 = std::cos(th1), s2 = std::sin(th2), c2 = std::cos(th2);
    const double cd = c1 * c2 + s1 * s2, sd = s1 * c2 - c1 * s2;
    const double k = (p.m2 / 2 + p.m3) * p.a * p.b;
    Terms t{};
    t.M11 = p.m1 * p.a * p.a / 3 + (p.m2 + p.m3) * p.a * p.a;
    t.M12 = k * cd;
    t.M22 = p.m2 * p.b * p.b / 3 + p.m3 * p.b * p.b;
    t.f1 = -k * sd * w * w - p.g * c1 * p.a * (p.m1 / 2 + p.m2 + p.m3);
    t.f2 = k * sd * u * u - p.g * c2 * p.b * (p.m2 / 2 + p.m3);
    t.G1 = p.a * c1;
    t.G2 = p.b * c2;
    t.gamma = p.a * s1 * u * u + p.b * s2 * w * w;
    t.g = p.a * s1 + p.b * s2;
    t.g_dot = t.G1 * u + t.G2 * w;
    return t;
}

// y = (th1, th2, u, w, lambda, mu)
int residual(realtype, N_Vector Y, N_Vector D, N_Vector R, void* data) {
    const double *y = NV_DATA_S(Y), *d = NV_DATA_S(D);
    double* r = NV_DATA_S(R);
    const Terms t = terms(*static_cast<const peers::Crank*>(data), y[0], y[1], y[2], y[3]);
    r[0] = d[0] - y[2] - t.G1 * y[5];
    r[1] = d[1] - y[3] - t.G2 * y[5];
    r[2] = t.M11 * d[2] + t.M12 * d[3] - t.f1 - t.G1 * y[4];
    r[3] = t.M12 * d[2] + t.M22 * d[3] - t.f2 - t.G2 * y[4];
    r[4] = t.g;
    r[5] = t.g_dot;
    return 0;
}

} // namespace

int main() {
    peers::Crank p;
    const double truth = peers::exact_crank_angle(p);
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    N_Vector y = N_VNew_Serial(6, context), d = N_VNew_Serial(6, context);
    N_Vector id = N_VNew_Serial(6, context);
    for (int i = 0; i < 6; ++i) NV_Ith_S(id, i) = i < 4 ? 1.0 : 0.0;
    const auto start = [&] {
        double *x = NV_DATA_S(y), *v = NV_DATA_S(d);
        x[0] = p.th0;
        x[1] = p.rod_angle();
        x[2] = p.om0;
        x[3] = p.rod_rate();
        const Terms t = terms(p, x[0], x[1], x[2], x[3]);
        const double det = t.M11 * t.M22 - t.M12 * t.M12;
        const double r1 = (t.M22 * t.G1 - t.M12 * t.G2) / det,
                     r2 = (t.M11 * t.G2 - t.M12 * t.G1) / det;
        const double a1 = (t.M22 * t.f1 - t.M12 * t.f2) / det,
                     a2 = (t.M11 * t.f2 - t.M12 * t.f1) / det;
        x[4] = (t.gamma - t.G1 * a1 - t.G2 * a2) / (t.G1 * r1 + t.G2 * r2);
        x[5] = 0.0;
        v[0] = x[2];
        v[1] = x[3];
        v[2] = a1 + r1 * x[4];
        v[3] = a2 + r2 * x[4];
        v[4] = v[5] = 0.0;
    };
    for (const double tolerance : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11}) {
        start();
        void* ida = IDACreate(context);
        IDAInit(ida, residual, 0.0, y, d);
        IDASetUserData(ida, &p);
        IDASStolerances(ida, tolerance, tolerance);
        IDASetId(ida, id);
        IDASetSuppressAlg(ida, SUNTRUE);
        IDASetMaxNumSteps(ida, 10'000'000);
        SUNMatrix J = SUNDenseMatrix(6, 6, context);
        SUNLinearSolver solver = SUNLinSol_Dense(y, J, context);
        IDASetLinearSolver(ida, solver, J);
        IDASetErrHandlerFn(ida, [](int, const char*, const char*, char*, void*) {}, nullptr);
        int flag = 0;
        double worst = 0.0;
        const auto run = [&](int reports) {
            start();
            IDAReInit(ida, 0.0, y, d);
            // Its own first step is so short that rounding of the multipliers ends it.
            IDASetInitStep(ida, 0.1 * std::sqrt(tolerance));
            double t = 0.0;
            IDASetStopTime(ida, p.until);
            for (int i = 1; i <= reports && flag >= 0; ++i) {
                flag = IDASolve(ida, p.until * i / reports, &t, y, d, IDA_NORMAL);
                worst = std::max(worst, std::fabs(p.a * std::sin(NV_Ith_S(y, 0)) +
                                                  p.b * std::sin(NV_Ith_S(y, 1))));
            }
        };
        run(1000);
        const double seconds = peers::time_of([&] { run(1); }, 0.05);
        if (flag >= 0)
            peers::print_crank("IDA GGL", tolerance, seconds, std::fabs(NV_Ith_S(y, 0) - truth),
                               worst);
        IDAFree(&ida);
        SUNLinSolFree(solver);
        SUNMatDestroy(J);
    }
    N_VDestroy(id);
    N_VDestroy(d);
    N_VDestroy(y);
    SUNContext_Free(&context);
}
