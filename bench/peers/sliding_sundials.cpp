// SPDX-License-Identifier: Apache-2.0
// Belt and relay feedback by CVODE: modes written by hand with root finding, and relays smoothed by tanh.
#include "sliding.hpp"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <vector>

namespace {

struct Problem {
    peers::Belt belt;
    double u = 1.0; // of the relay, by hand
    double width = 0.0; // of the layer
};

const Problem& of(void* data) { return *static_cast<Problem*>(data); }

int slip(realtype, N_Vector y, N_Vector d, void* data) {
    NV_Ith_S(d, 0) = NV_Ith_S(y, 1);
    NV_Ith_S(d, 1) = -NV_Ith_S(y, 0) + of(data).belt.Fd;
    return 0;
}
int caught(realtype, N_Vector y, realtype* g, void* data) {
    g[0] = of(data).belt.v - NV_Ith_S(y, 1);
    return 0;
}
// One law for rest and motion: the holding force decays over ten widths.
int smooth_belt(realtype, N_Vector y, N_Vector d, void* data) {
    const Problem& p = of(data);
    const double S = p.belt.v - NV_Ith_S(y, 1);
    const double q = S / (10.0 * p.width);
    NV_Ith_S(d, 0) = NV_Ith_S(y, 1);
    NV_Ith_S(d, 1) = -NV_Ith_S(y, 0) + std::tanh(S / p.width) *
                                           (p.belt.Fd + (p.belt.Fs - p.belt.Fd) * std::exp(-q * q));
    return 0;
}
int belt_phase(realtype, N_Vector y, realtype* g, void*) {
    g[0] = NV_Ith_S(y, 0) - 0.5;
    return 0;
}
void plant(N_Vector y, N_Vector d, double u) {
    NV_Ith_S(d, 0) = -NV_Ith_S(y, 0) - u;
    NV_Ith_S(d, 1) = -NV_Ith_S(y, 1) + NV_Ith_S(y, 0);
    NV_Ith_S(d, 2) = -NV_Ith_S(y, 2) + NV_Ith_S(y, 1);
}
int switched(realtype, N_Vector y, N_Vector d, void* data) {
    plant(y, d, of(data).u);
    return 0;
}
int smooth_feedback(realtype, N_Vector y, N_Vector d, void* data) {
    plant(y, d, std::tanh(NV_Ith_S(y, 2) / of(data).width));
    return 0;
}
int output(realtype, N_Vector y, realtype* g, void*) {
    g[0] = NV_Ith_S(y, 2);
    return 0;
}

// CVODE with one root function: Adams with fixed-point iteration, or BDF with a dense Jacobian.
class Solver {
  public:
    Solver(SUNContext context, int method, CVRhsFn field, CVRootFn root, int direction,
           double tolerance, Problem& problem, const std::vector<double>& start)
        : y(N_VNew_Serial(static_cast<sunindextype>(start.size()), context)) {
        for (std::size_t i = 0; i < start.size(); ++i) NV_Ith_S(y, i) = start[i];
        memory_ = CVodeCreate(method, context);
        CVodeInit(memory_, field, 0.0, y);
        CVodeSStolerances(memory_, tolerance, tolerance);
        CVodeSetUserData(memory_, &problem);
        CVodeRootInit(memory_, 1, root);
        if (direction != 0) CVodeSetRootDirection(memory_, &direction);
        CVodeSetNoInactiveRootWarn(memory_);
        CVodeSetMaxNumSteps(memory_, 10'000'000);
        if (method == CV_ADAMS) {
            nonlinear_ = SUNNonlinSol_FixedPoint(y, 0, context);
            CVodeSetNonlinearSolver(memory_, nonlinear_);
        } else {
            const auto n = static_cast<sunindextype>(start.size());
            matrix_ = SUNDenseMatrix(n, n, context);
            linear_ = SUNLinSol_Dense(y, matrix_, context);
            CVodeSetLinearSolver(memory_, linear_, matrix_);
        }
    }
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;
    ~Solver() {
        CVodeFree(&memory_);
        if (nonlinear_ != nullptr) SUNNonlinSolFree(nonlinear_);
        if (linear_ != nullptr) SUNLinSolFree(linear_);
        if (matrix_ != nullptr) SUNMatDestroy(matrix_);
        N_VDestroy(y);
    }
    // To the next root; its time.
    double next() {
        double t = 0.0;
        if (CVode(memory_, 1e9, y, &t, CV_NORMAL) != CV_ROOT_RETURN) {
            std::fprintf(stderr, "CVODE gives up at t = %g\n", t);
            std::exit(1);
        }
        return t;
    }
    void restart(double t) { CVodeReInit(memory_, t, y); }

    N_Vector y;

  private:
    void* memory_ = nullptr;
    SUNNonlinearSolver nonlinear_ = nullptr;
    SUNLinearSolver linear_ = nullptr;
    SUNMatrix matrix_ = nullptr;
};

void belt_by_hand(SUNContext context, double tolerance, long cycles) {
    Problem p;
    const double begin = peers::cpu_seconds();
    Solver solver(context, CV_ADAMS, slip, caught, -1, tolerance, p, {p.belt.Fs, p.belt.v});
    double total = 0.0;
    for (long n = 0; n < cycles; ++n) {
        // Slipping until the belt catches up; sticking takes (Fs − x)/v, by hand.
        NV_Ith_S(solver.y, 0) = p.belt.Fs;
        NV_Ith_S(solver.y, 1) = p.belt.v;
        solver.restart(0.0);
        total += solver.next();
        total += (p.belt.Fs - NV_Ith_S(solver.y, 0)) / p.belt.v;
    }
    const double seconds = peers::cpu_seconds() - begin;
    peers::print_cycles("belt", "CVODE Adams, modes by hand", tolerance, cycles, seconds,
                        std::abs(total / static_cast<double>(cycles) - p.belt.period()), 0.0);
}

void feedback_by_hand(SUNContext context, double tolerance, long cycles) {
    Problem p;
    const double begin = peers::cpu_seconds();
    Solver solver(context, CV_ADAMS, switched, output, 0, tolerance, p, {1.0, 0.3, 0.2});
    double first = 0.0;
    double t = 0.0;
    const long from = cycles - cycles / 10;
    for (long n = 0; n < 2 * cycles; ++n) {
        t = solver.next();
        if (n == 2 * from - 1) first = t;
        p.u = -p.u;
        solver.restart(t);
    }
    const double seconds = peers::cpu_seconds() - begin;
    const double period = (t - first) / static_cast<double>(cycles - from);
    peers::print_cycles("feedback", "CVODE Adams, modes by hand", tolerance, cycles, seconds,
                        std::abs(period - peers::k_feedback_period), -1.0);
}

void smoothed(SUNContext context, bool belt, double width, long cycles) {
    constexpr double k_tolerance = 1e-9;
    Problem p;
    p.width = width;
    const double begin = peers::cpu_seconds();
    Solver solver(context, CV_BDF, belt ? smooth_belt : smooth_feedback, belt ? belt_phase : output,
                  1, k_tolerance, p,
                  belt ? std::vector<double>{0.0, p.belt.v} : std::vector<double>{1.0, 0.3, 0.2});
    for (long n = 0; n < 10; ++n) solver.next();
    const double first = solver.next();
    double t = first;
    for (long n = 0; n < cycles; ++n) t = solver.next();
    const double seconds = (peers::cpu_seconds() - begin) * static_cast<double>(cycles) /
                           static_cast<double>(cycles + 11);
    char name[64];
    std::snprintf(name, sizeof name, "CVODE BDF, tanh of width %.0e", width);
    const double exact = belt ? p.belt.period() : peers::k_feedback_period;
    peers::print_cycles(belt ? "belt" : "feedback", name, k_tolerance, cycles, seconds,
                        std::abs((t - first) / static_cast<double>(cycles) - exact), -1.0);
}

} // namespace

int main(int argc, char** argv) {
    const long cycles = peers::cycles_of(argc, argv, 2'000);
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    for (const double tolerance : {1e-9, 1e-12}) {
        belt_by_hand(context, tolerance, cycles);
        feedback_by_hand(context, tolerance, cycles);
    }
    for (const double width : {1e-2, 1e-4}) {
        smoothed(context, true, width, std::max(10L, cycles / 20));
        smoothed(context, false, width, std::max(10L, cycles / 20));
    }
    SUNContext_Free(&context);
}
