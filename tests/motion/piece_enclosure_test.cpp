// SPDX-License-Identifier: Apache-2.0
// Proven bounds along pieces: they contain what is sampled, and are nearly as small.
#include "liaison/motion/piece_enclosure.hpp"

#include "liaison/flow/probe.hpp"

#include "support/program_models.hpp"

#include <cmath>
#include <random>

using namespace liaison;
using support::prepared;
using support::slider_crank;

TEST_CASE("bounds of the violation contain every sampled value and are of its size") {
    for (const auto& [word, tolerance] : {std::pair<std::string, double>{"projection", 1e-6},
                                          {"projection", 1e-9},
                                          {"projection", 1e-12},
                                          {"program", 1e-6},
                                          {"multiplier", 1e-12}}) {
        CAPTURE(word);
        CAPTURE(tolerance);
        const auto p = prepared(slider_crank("", "[run]\nbilateral = \"" + word + "\"\n"));
        const flow::Flow& flow = p.realised.flow;
        std::vector<expr::Expr> f;
        for (const auto& held : flow.constraints) f.push_back(held.f);
        motion::PieceEnclosure enclosure(flow, f);
        const flow::Probe probe(flow, f);
        std::mt19937 random(11);
        double proven = 0.0;
        double sampled = 0.0;
        motion::SimulateOptions options{.until = 3.0, .tolerance = tolerance, .sample_at = {}};
        options.on_piece = [&](const motion::Piece& piece) {
            const std::vector<double> wanted{1e-10, 1e-10};
            const auto bounds = enclosure(piece, wanted);
            REQUIRE(bounds);
            flow::Instant now;
            now.parameters = flow.parameter_values;
            now.mode = piece.mode;
            now.state.resize(flow.states.size());
            for (int i = 0; i < 20; ++i) {
                // the polynomials are worst near their ends
                const double share = std::uniform_real_distribution(0.0, 1.0)(random);
                const double tau = (i % 2 == 0 ? share : 1.0 - 0.05 * share) * piece.length;
                piece.evaluate(tau, now.state);
                now.field_time = piece.field_time + tau;
                const auto values = probe(now);
                for (std::size_t k = 0; k < values.size(); ++k) {
                    // the sampled value carries its own rounding
                    CHECK(std::abs(values[k]) <= (*bounds)[k].over + 4e-15);
                    sampled = std::max(sampled, std::abs(values[k]));
                    proven = std::max(proven, (*bounds)[k].over);
                }
            }
        };
        const auto stepper = motion::make_taylor_stepper(flow, tolerance);
        const auto run = motion::simulate(flow, *stepper, options);
        REQUIRE(run.status == motion::Status::done);
        // sharp where more than what was wanted had to be looked at closely
        CHECK(proven <= std::max(2.0 * sampled, 1e-10));
        if (tolerance <= 1e-12) CHECK(proven <= 1e-11);
    }
}
