// SPDX-License-Identifier: Apache-2.0
// The two jobs with contacts by Siconos: Moreau-Jean (setting > 0: step, or steps per period) and event-driven
// (setting < 0: −setting outputs per period or per second; MORE: its tolerance, 0 the default).
#include "contact.hpp"

#include <SiconosKernel.hpp>

namespace {

// The force of the oscillator; the matrices are constant.
struct Forced : LagrangianLinearTIDS {
    double w;
    Forced(SP::SiconosVector q, SP::SiconosVector v, SP::SiconosMatrix M, SP::SiconosMatrix K,
           SP::SiconosMatrix C, double frequency)
        : LagrangianLinearTIDS(q, v, M, K, C), w(frequency) {
        setFExtPtr(std::make_shared<SiconosVector>(1));
    }
    void computeFExt(double t) override { _fExt->setValue(0, std::sin(w * t)); }
};

std::shared_ptr<SimpleMatrix> one(double x) {
    auto m = std::make_shared<SimpleMatrix>(1, 1);
    m->setValue(0, 0, x);
    return m;
}

} // namespace

int main(int argc, char** argv) {
    const peers::Job job = peers::job_of(argc, argv);
    const bool ball = job.problem == "ball";
    const bool events = job.setting < 0.0;
    const peers::Ball b;
    const peers::Oscillator o = peers::oscillator_with_stop(job.e);
    const double unit = ball ? 1.0 : o.period();
    const double step = events ? -unit / job.setting : ball ? job.setting : unit / job.setting;
    const double until = job.extent * unit;

    auto q = std::make_shared<SiconosVector>(1);
    auto v = std::make_shared<SiconosVector>(1);
    q->setValue(0, ball ? b.height : o.s0);
    v->setValue(0, 0.0);
    std::shared_ptr<LagrangianLinearTIDS> body;
    auto offset = std::make_shared<SiconosVector>(1);
    if (ball) {
        body = std::make_shared<LagrangianLinearTIDS>(q, v, one(1.0));
        auto weight = std::make_shared<SiconosVector>(1);
        weight->setValue(0, -b.g);
        body->setFExtPtr(weight);
        offset->setValue(0, 0.0);
    } else {
        body = std::make_shared<Forced>(q, v, one(1.0), one(1.0), one(o.h), o.w);
        offset->setValue(0, o.delta);
    }
    auto contact = std::make_shared<Interaction>(
        std::make_shared<NewtonImpactNSL>(job.e),
        std::make_shared<LagrangianLinearTIR>(one(ball ? 1.0 : -1.0), offset));
    auto system = std::make_shared<NonSmoothDynamicalSystem>(0.0, until + step / 2);
    system->insertDynamicalSystem(body);
    system->link(contact, body);
    auto grid = std::make_shared<TimeDiscretisation>(0.0, step);

    peers::Answer answer;
    answer.lowest_gap = HUGE_VAL;
    const auto look = [&] {
        const double x = body->q()->getValue(0);
        answer.lowest_gap = std::min(answer.lowest_gap, ball ? x : o.delta - x);
        ++answer.steps;
    };
    const double before = peers::cpu_seconds();
    try {
        if (!events) {
            auto run = std::make_shared<TimeStepping>(
                system, grid, std::make_shared<MoreauJeanOSI>(0.5), std::make_shared<LCP>());
            const long all = std::lround(until / step);
            for (long k = 0; k < all; ++k) {
                const double rate = body->velocity()->getValue(0);
                run->computeOneStep();
                run->nextStep();
                look();
                const double jump = body->velocity()->getValue(0) - rate;
                if ((ball ? jump : -jump) > 0.1) ++answer.impacts;
            }
            answer.time = run->startingTime();
        } else {
            auto run = std::make_shared<EventDriven>(system, grid);
            run->insertIntegrator(std::make_shared<LsodarOSI>());
            run->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_IMPACT);
            run->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
            if (job.more > 0.0) run->setToleranceED(job.more);
            run->initialize();
            try {
                while (run->hasNextEvent() && run->startingTime() < until - step / 4) {
                    run->advanceToEvent();
                    if (run->eventsManager()->nextEvent()->getType() == 2) ++answer.impacts;
                    run->processEvents();
                    look();
                    if (peers::cpu_seconds() - before > 60.0) {
                        answer.says = "no end after 60 s";
                        break;
                    }
                }
            } catch (...) {
                answer.says = "aborts at t = " + std::to_string(run->startingTime());
            }
            answer.time = run->startingTime();
        }
    } catch (...) {
        answer.says = "aborts";
    }
    answer.seconds = peers::cpu_seconds() - before;
    answer.state = {body->q()->getValue(0), body->velocity()->getValue(0)};
    peers::print_answer(events ? "Siconos event-driven" : "Siconos Moreau-Jean", job, answer);
}
