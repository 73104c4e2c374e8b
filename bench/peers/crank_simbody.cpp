// SPDX-License-Identifier: Apache-2.0
// The slider-crank by Simbody: two pins, the end of the rod in a plane, the slider's mass at that end; projected.
#include "crank.hpp"

#include <Simbody.h>

using namespace SimTK;

int main() {
    const peers::Crank p;
    const double truth = peers::exact_crank_angle(p);
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    Force::UniformGravity gravity(forces, matter, Vec3(0, -p.g, 0));
    const double I1 = p.m1 * p.a * p.a / 3, I2 = p.m2 * p.b * p.b / 3 + p.m3 * p.b * p.b;
    const double m = p.m2 + p.m3;
    Body::Rigid crank(MassProperties(p.m1, Vec3(p.a / 2, 0, 0), Inertia(1e-9, I1, I1)));
    Body::Rigid rod(
        MassProperties(m, Vec3((p.m2 * p.b / 2 + p.m3 * p.b) / m, 0, 0), Inertia(1e-9, I2, I2)));
    MobilizedBody::Pin first(matter.Ground(), Transform(), crank, Transform());
    MobilizedBody::Pin second(first, Transform(Vec3(p.a, 0, 0)), rod, Transform());
    Constraint::PointInPlane guide(matter.Ground(), UnitVec3(0, 1, 0), 0, second, Vec3(p.b, 0, 0));
    State start = system.realizeTopology();
    first.setAngle(start, p.th0);
    second.setAngle(start, p.rod_angle() - p.th0);
    first.setRate(start, p.om0);
    second.setRate(start, p.rod_rate() - p.om0);
    for (const double accuracy : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
        double angle = 0.0, worst = 0.0;
        const auto run = [&](int reports) {
            RungeKuttaMersonIntegrator integrator(system);
            integrator.setAccuracy(accuracy);
            TimeStepper stepper(system, integrator);
            stepper.initialize(start);
            for (int i = 1; i <= reports; ++i) {
                stepper.stepTo(p.until * i / reports);
                const double th1 = first.getAngle(stepper.getState());
                const double th2 = th1 + second.getAngle(stepper.getState());
                worst = std::max(worst, std::fabs(p.a * std::sin(th1) + p.b * std::sin(th2)));
                angle = th1;
            }
        };
        run(1000);
        const double seconds = peers::time_of([&] { run(1); }, 0.05);
        peers::print_crank("Simbody", accuracy, seconds, std::fabs(angle - truth), worst);
    }
}
