// SPDX-License-Identifier: Apache-2.0
// Samples as comma-separated values with provenance in comment lines.
#include "liaison/record/run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace liaison::record {
namespace {

std::string column(const flow::Output& output) {
    switch (output.group) {
    case flow::OutputGroup::v: return output.name + "'";
    case flow::OutputGroup::a: return output.name + "''";
    case flow::OutputGroup::reaction:
        return output.part.empty() ? output.name + ".reaction" : output.name + "." + output.part;
    case flow::OutputGroup::relay: return "u." + output.name;
    default: return output.name;
    }
}

} // namespace

std::string to_csv(const Run& run, const flow::Flow& flow) {
    std::string text;
    auto out = std::back_inserter(text);
    fmt::format_to(out, "# liaison {} · {} · {}\n", run.provenance.version, run.model,
                   run.realisation);
    fmt::format_to(out, "# model {} · tolerance {:g} · method {}{} · {}\n",
                   run.provenance.model_hash, run.provenance.tolerance, run.provenance.method,
                   run.provenance.step > 0.0 ? fmt::format(" step {}", run.provenance.step) : "",
                   run.provenance.backend);
    fmt::format_to(out, "# command {}\n", run.provenance.command);
    for (std::size_t i = 0; i < flow.parameters.size(); ++i) {
        fmt::format_to(out, "# {} = {}\n", flow.parameter_names[i], flow.parameter_values[i]);
    }
    text += "t";
    for (const flow::Output& o : flow.outputs) text += "," + column(o);
    text += "\n";
    for (const SampleValues& s : run.samples) {
        fmt::format_to(out, "{:.17g}", s.time);
        for (const double v : s.values) {
            if (std::isfinite(v))
                fmt::format_to(out, ",{:.17g}", v);
            else
                text += ",";
        }
        text += "\n";
    }
    return text;
}

} // namespace liaison::record
