// SPDX-License-Identifier: Apache-2.0
// Coefficients of the fixed-step methods. Sources: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I,
// sections II.1, II.5, II.6; Zennaro (1986) for the natural extension of the classical method.
#include "liaison/motion/runge_kutta.hpp"

namespace liaison::motion {
namespace {

constexpr double k_euler_c[] = {0.0};
constexpr double k_euler_a[] = {0.0};
constexpr double k_euler_b[] = {1.0};
constexpr double k_euler_dense[] = {1.0};

constexpr double k_heun_c[] = {0.0, 1.0};
constexpr double k_heun_a[] = {0.0, 0.0, //
                               1.0, 0.0};
constexpr double k_heun_b[] = {0.5, 0.5};
constexpr double k_heun_dense[] = {1.0, -0.5, //
                                   0.0, 0.5};

constexpr double k_rk3_c[] = {0.0, 0.5, 1.0};
constexpr double k_rk3_a[] = {0.0,  0.0, 0.0, //
                              0.5,  0.0, 0.0, //
                              -1.0, 2.0, 0.0};
constexpr double k_rk3_b[] = {1.0 / 6, 2.0 / 3, 1.0 / 6};
constexpr double k_rk3_dense[] = {1.0, -3.0 / 2, 2.0 / 3, //
                                  0.0, 2.0,      -4.0 / 3, //
                                  0.0, -1.0 / 2, 2.0 / 3};

constexpr double k_rk4_c[] = {0.0, 0.5, 0.5, 1.0};
constexpr double k_rk4_a[] = {0.0, 0.0, 0.0, 0.0, //
                              0.5, 0.0, 0.0, 0.0, //
                              0.0, 0.5, 0.0, 0.0, //
                              0.0, 0.0, 1.0, 0.0};
constexpr double k_rk4_b[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
constexpr double k_rk4_dense[] = {1.0, -3.0 / 2, 2.0 / 3, //
                                  0.0, 1.0,      -2.0 / 3, //
                                  0.0, 1.0,      -2.0 / 3, //
                                  0.0, -1.0 / 2, 2.0 / 3};

// The seventh stage is the field at the end of the step; its weight vanishes there.
constexpr double k_dopri5_c[] = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};
constexpr double k_dopri5_a[] = {0.0,
                                 0.0,
                                 0.0,
                                 0.0,
                                 0.0,
                                 0.0,
                                 0.0, //
                                 1.0 / 5,
                                 0.0,
                                 0.0,
                                 0.0,
                                 0.0,
                                 0.0,
                                 0.0, //
                                 3.0 / 40,
                                 9.0 / 40,
                                 0.0,
                                 0.0,
                                 0.0,
                                 0.0,
                                 0.0, //
                                 44.0 / 45,
                                 -56.0 / 15,
                                 32.0 / 9,
                                 0.0,
                                 0.0,
                                 0.0,
                                 0.0, //
                                 19372.0 / 6561,
                                 -25360.0 / 2187,
                                 64448.0 / 6561,
                                 -212.0 / 729,
                                 0.0,
                                 0.0,
                                 0.0, //
                                 9017.0 / 3168,
                                 -355.0 / 33,
                                 46732.0 / 5247,
                                 49.0 / 176,
                                 -5103.0 / 18656,
                                 0.0,
                                 0.0, //
                                 35.0 / 384,
                                 0.0,
                                 500.0 / 1113,
                                 125.0 / 192,
                                 -2187.0 / 6784,
                                 11.0 / 84,
                                 0.0};
constexpr double k_dopri5_b[] = {35.0 / 384,     0.0,       500.0 / 1113, 125.0 / 192,
                                 -2187.0 / 6784, 11.0 / 84, 0.0};
// Shampine's extension of order 4.
constexpr double k_dopri5_dense[] = {1.0,
                                     -8048581381.0 / 2820520608.0,
                                     8663915743.0 / 2820520608.0,
                                     -12715105075.0 / 11282082432.0, //
                                     0.0,
                                     0.0,
                                     0.0,
                                     0.0, //
                                     0.0,
                                     131558114200.0 / 32700410799.0,
                                     -68118460800.0 / 10900136933.0,
                                     87487479700.0 / 32700410799.0, //
                                     0.0,
                                     -1754552775.0 / 470086768.0,
                                     14199869525.0 / 1410260304.0,
                                     -10690763975.0 / 1880347072.0, //
                                     0.0,
                                     127303824393.0 / 49829197408.0,
                                     -318862633887.0 / 49829197408.0,
                                     701980252875.0 / 199316789632.0, //
                                     0.0,
                                     -282668133.0 / 205662961.0,
                                     2019193451.0 / 616988883.0,
                                     -1453857185.0 / 822651844.0, //
                                     0.0,
                                     40617522.0 / 29380423.0,
                                     -110615467.0 / 29380423.0,
                                     69997945.0 / 29380423.0};

} // namespace

const Tableau euler{"euler", 1, 1, 1, k_euler_c, k_euler_a, k_euler_b, k_euler_dense};
const Tableau heun{"heun", 2, 2, 2, k_heun_c, k_heun_a, k_heun_b, k_heun_dense};
const Tableau rk3{"rk3", 3, 3, 3, k_rk3_c, k_rk3_a, k_rk3_b, k_rk3_dense};
const Tableau rk4{"rk4", 4, 4, 3, k_rk4_c, k_rk4_a, k_rk4_b, k_rk4_dense};
const Tableau dopri5{"dopri5", 5, 7, 4, k_dopri5_c, k_dopri5_a, k_dopri5_b, k_dopri5_dense};

} // namespace liaison::motion
