// SPDX-License-Identifier: Apache-2.0
// A motion with its pieces, looked at from one body.
#include "liaison/ask/hodograph.hpp"

#include "liaison/base/nearest.hpp"
#include "liaison/model/known_integrals.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace liaison::ask {
namespace {

// The body that is meant; k_none and a report where none or several may be.
std::size_t choose_body(const model::Model& model, const std::string& wanted,
                        base::Diagnostics& diagnostics) {
    std::vector<std::string> names;
    std::vector<std::size_t> indices;
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        if (model.bodies[k].kind != model::Body::Kind::fixed_point) continue;
        if (wanted.empty() || model.bodies[k].name == wanted) indices.push_back(k);
        names.push_back(model.bodies[k].name);
    }
    if (indices.size() == 1) return indices[0];
    if (names.empty()) {
        diagnostics
            .report(base::Code::bad_setting,
                    fmt::format("{} has no body with a fixed point", model.name))
            .note("declare one with [body.NAME] kind = \"fixed-point\"");
    } else if (wanted.empty()) {
        diagnostics.report(base::Code::bad_setting, "which body?")
            .note(fmt::format("--body says: {}", fmt::join(names, ", ")));
    } else {
        auto& report =
            diagnostics.report(base::Code::bad_setting,
                               fmt::format("there is no body `{}` with a fixed point", wanted));
        if (const auto near = base::nearest(wanted, names))
            report.note(fmt::format("did you mean `{}`?", *near));
        else
            report.note(fmt::format("those with a fixed point are {}", fmt::join(names, ", ")));
    }
    return model::k_none;
}

} // namespace

Answer<HodographAnswer> hodograph(const model::Model& model, const HodographQuestion& question,
                                  const Control& control, base::Diagnostics diagnostics) {
    Answer<HodographAnswer> answer{{std::move(diagnostics), {}, {}, {}}, {}};
    const std::size_t body = choose_body(model, question.body, answer.diagnostics);
    if (answer.refused()) return answer;
    RunQuestion wanted = question.run;
    wanted.pieces = true;
    auto ran = run(model, wanted, control, std::move(answer.diagnostics));
    static_cast<Findings&>(answer) = std::move(static_cast<Findings&>(ran));
    if (!ran) return answer;
    if (ran->run.pieces.empty()) {
        answer.reason = "there is no motion to look at: " + ran->run.trajectory.reason;
        return answer;
    }
    HodographAnswer made{std::move(*ran), {}, {}, {}, {}};
    const flow::Flow& flow = made.motion.flow;
    const analysis::BodyMotion motion(model, body, flow, made.motion.run.pieces);
    const auto& parameters = flow.parameter_values;
    made.words = model::case_of_body(model, body, parameters);
    const auto known = model::body_integrals(model, body, parameters);
    const auto has = [&](const char* kind) {
        return std::ranges::any_of(known, [&](const auto& i) { return i.kind == kind && i.own; });
    };
    if (has("energy") && has("area"))
        made.levels = analysis::levels_of(model, body, parameters, motion.at(motion.start()));
    else
        made.no_levels = "energy and area of weight and rotation are not both constant, because "
                         "something else acts on the body or its data depend on time";
    made.hodograph = analysis::hodograph(motion, made.levels);
    answer.value = std::move(made);
    return answer;
}

} // namespace liaison::ask
