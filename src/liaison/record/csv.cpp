// SPDX-License-Identifier: Apache-2.0
// Samples as comma-separated values with provenance in comment lines.
#include "liaison/base/utf8.hpp"
#include "liaison/record/json_text.hpp"
#include "liaison/record/provenance.hpp"
#include "liaison/record/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <iterator>

namespace liaison::record {
namespace {

// Names with a comma or a quote are quoted, as RFC 4180 says; each stays in its line.
std::string quoted(const std::string& any) {
    const std::string name = base::printable(any);
    if (name.find_first_of(",\"") == std::string::npos) return name;
    std::string text = "\"";
    for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
}

} // namespace

std::string to_csv(const Run& run, const flow::Flow& flow) {
    std::string text;
    auto out = std::back_inserter(text);
    fmt::format_to(out, "# liaison {} · {} · {}\n", run.provenance.version,
                   base::printable(run.model), run.realisation);
    fmt::format_to(out, "# model {} · tolerance {:g} · method {}{}\n", run.provenance.model_hash,
                   run.provenance.tolerance, run.provenance.method,
                   run.provenance.step > 0.0 ? fmt::format(" step {}", run.provenance.step) : "");
    fmt::format_to(out, "# command {}\n", base::printable(run.provenance.command));
    for (std::size_t i = 0; i < flow.parameters.size(); ++i) {
        fmt::format_to(out, "# {} = {}\n", base::printable(flow.parameter_names[i]),
                       flow.parameter_values[i]);
    }
    const Table table = tabulate(run, flow, {});
    std::string units;
    for (const Column& c : table.columns) {
        if (!c.unit.empty())
            units += fmt::format(" {} in {};", base::printable(c.label()), base::printable(c.unit));
    }
    if (!units.empty()) fmt::format_to(out, "# units: t in {};{}\n", run.time_unit, units);
    fmt::format_to(out, "# provenance {}\n", json_line(to_json(run.provenance, flow)));
    text += "t";
    for (const Column& c : table.columns) text += "," + quoted(c.label());
    text += "\n";
    for (const Block::Row s : run.samples) {
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
