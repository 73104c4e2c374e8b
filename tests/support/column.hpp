// SPDX-License-Identifier: Apache-2.0
// A column of touching unit masses on a floor, and the contact problem of any model text.
#pragma once

#include "liaison/flow/probe.hpp"
#include "liaison/model/read.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace liaison::support {

inline realise::Realisation load_text(const std::string& text) {
    const model::Model model = model::read_model("text", text);
    base::Diagnostics diagnostics;
    const auto start = prepare::prepare(model, {}, diagnostics);
    if (!start) throw std::runtime_error("not a sound model");
    return realise::realise(model, start->point);
}

inline realise::Realisation load_column(int n) {
    return load_text(fmt::format(R"model(
format = 1
name = "column"
coordinates = ["z[i]"]
[family.i]
range = [0, {}]
[energy]
T = "sum(i, z[i]'^2/2)"
V = "sum(i, 9.81*z[i])"
[contact."touch[i]"]
gap = "z[i+1] - z[i] - 1"
[contact.floor]
gap = "z[0]"
[start]
"z[i]" = "i"
)model",
                                 n - 1));
}

inline flow::Instant start_of(const flow::Flow& flow) {
    flow::Instant now;
    now.time = solve::DoubleLength(flow.start_time);
    now.field_time = flow.start_time;
    now.state = flow.start_state;
    for (const flow::ModeSlot& slot : flow.modes) now.mode.push_back(slot.initial);
    now.parameters = flow.parameter_values;
    now.tolerance = 1e-10;
    return now;
}

inline std::vector<double> column_reactions(const flow::Flow& flow, const motion::Sample& sample) {
    std::vector<expr::Expr> wanted;
    for (const flow::Output& o : flow.outputs) {
        if (o.group == flow::OutputGroup::reaction) wanted.push_back(o.value);
    }
    flow::Instant now = start_of(flow);
    now.field_time = sample.field_time;
    now.state = sample.state;
    now.mode = sample.mode;
    return flow::Probe(flow, wanted)(now);
}

} // namespace liaison::support
