// SPDX-License-Identifier: Apache-2.0
// The two jobs with dry friction by Siconos, Moreau–Jean: friction_siconos dry|rod STEP END REPEAT.
#include "cpu_time.hpp"

#include <SiconosKernel.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

struct Driven : LagrangianLinearTIDS {
    Driven(SP::SiconosVector q, SP::SiconosVector v, SP::SiconosMatrix M, SP::SiconosMatrix K,
           SP::SiconosMatrix C)
        : LagrangianLinearTIDS(q, v, M, K, C) {
        setFExtPtr(std::make_shared<SiconosVector>(2));
    }
    void computeFExt(double t) override {
        _fExt->setValue(0, std::cos(0.4 * t));
        _fExt->setValue(1, -10.0);
    }
};

// Gap and slip of the tip of the rod: y − sin θ and x − cos θ.
struct Tip : LagrangianScleronomousR {
    void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
        y.setValue(0, q.getValue(1) - std::sin(q.getValue(2)));
        y.setValue(1, 0.0);
    }
    void computeJachq(const BlockVector& q, BlockVector&) override {
        if (!_jachq) _jachq = std::make_shared<SimpleMatrix>(2, 3);
        const double th = q.getValue(2);
        const double rows[2][3] = {{0.0, 1.0, -std::cos(th)}, {1.0, 0.0, std::sin(th)}};
        for (unsigned i = 0; i < 2; ++i)
            for (unsigned j = 0; j < 3; ++j) _jachq->setValue(i, j, rows[i][j]);
    }
};

std::shared_ptr<SimpleMatrix> diagonal(std::initializer_list<double> values) {
    const auto n = static_cast<unsigned>(values.size());
    auto m = std::make_shared<SimpleMatrix>(n, n);
    m->zero();
    unsigned i = 0;
    for (const double x : values) {
        m->setValue(i, i, x);
        ++i;
    }
    return m;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 5) return 64;
    const bool dry = std::string(argv[1]) == "dry";
    const double step = std::atof(argv[2]);
    const double until = std::atof(argv[3]);
    const unsigned n = dry ? 2 : 3;
    auto q = std::make_shared<SiconosVector>(n);
    auto v = std::make_shared<SiconosVector>(n);
    q->zero();
    v->zero();
    std::shared_ptr<LagrangianDS> body;
    std::shared_ptr<Relation> relation;
    if (dry) {
        body = std::make_shared<Driven>(q, v, diagonal({1.0, 1.0}), diagonal({1.0, 0.0}),
                                        diagonal({0.0, 0.0}));
        auto H = std::make_shared<SimpleMatrix>(2, 2);
        H->zero();
        H->setValue(0, 1, 1.0);
        H->setValue(1, 0, 1.0);
        relation = std::make_shared<LagrangianLinearTIR>(H);
    } else {
        const double th = 61.0 * std::acos(-1.0) / 180.0;
        q->setValue(0, std::cos(th));
        q->setValue(1, std::sin(th));
        q->setValue(2, th);
        v->setValue(0, -2.0);
        auto rod = std::make_shared<LagrangianLinearTIDS>(q, v, diagonal({1.0, 1.0, 1.0 / 3.0}));
        auto weight = std::make_shared<SiconosVector>(3);
        weight->zero();
        weight->setValue(1, -9.81);
        rod->setFExtPtr(weight);
        body = rod;
        relation = std::make_shared<Tip>();
    }
    auto law = std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, dry ? 0.05 : 1.6, 2);
    auto contact = std::make_shared<Interaction>(law, relation);
    auto system = std::make_shared<NonSmoothDynamicalSystem>(0.0, until + step);
    system->insertDynamicalSystem(body);
    system->link(contact, body);
    auto run = std::make_shared<TimeStepping>(
        system, std::make_shared<TimeDiscretisation>(0.0, step),
        std::make_shared<MoreauJeanOSI>(0.5), std::make_shared<FrictionContact>(2));
    const double before = peers::cpu_seconds();
    const long all = std::lround(until / step);
    std::string says = "done";
    try {
        for (long k = 0; k < all; ++k) {
            run->computeOneStep();
            run->nextStep();
        }
    } catch (...) {
        says = "aborts";
    }
    const double seconds = peers::cpu_seconds() - before;
    std::printf(
        "{\"solver\": \"Siconos Moreau-Jean\", \"setting\": %g, \"seconds\": %.9f, \"load\": 0, "
        "\"steps\": %ld, \"says\": \"%s\", \"state\": [",
        step, seconds, all, says.c_str());
    for (unsigned i = 0; i < n; ++i)
        std::printf("%s%.17g", i == 0 ? "" : ", ", body->q()->getValue(i));
    for (unsigned i = 0; i < n; ++i) std::printf(", %.17g", body->velocity()->getValue(i));
    std::printf("]}\n");
}
