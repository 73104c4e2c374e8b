// SPDX-License-Identifier: Apache-2.0
// Options about sections to a question.
#include "liaison/app/section_arguments.hpp"

#include "liaison/app/flow_arguments.hpp"

#include <cmath>

namespace liaison::app {

void SectionArguments::declare(Options& options) {
    options.positional("MODEL", model, "model file, - for standard input").models().needed();
    options.value(
        "--section", "WHERE", section,
        "period (the default with forcing), event:NAME, or an expression that crosses zero");
    options.value("--direction", "WAY", direction, "in which the expression crosses (default up)")
        .one_of({"up", "down", "both"});
    options.flag("--before", before, "at events: the state just before, not just after");
    options.value("--phase", "X", phase, "where in the period, from 0 to 1 (default 0)");
    options.value("--drop", "N", drop, "sections before the first that is kept (default 200)");
    options.value("--points", "N", points, "sections kept (default 100)");
    options.value("--until", "T", until,
                  "longest time of a motion without forcing sections (default 10000)");
    options.values(
        "--observe", "NAME,…", observe,
        "what is written down: x, x', observed names, t, phase (default: x and x' of all)");
    options.values("--set", "NAME=VALUE", settings, "another value of a parameter, repeatable");
    options.value("--tolerance", "X", tolerance, "of the integration (default: as [run] says)");
    options.values("-o,--output", "FILE", outputs, "write .csv, .svg, .json or .h5, repeatable")
        .files();
    options.flag("--force", force, "overwrite files");
}

std::string SectionArguments::complaint() const {
    if (drop && (*drop < 0 || *drop > 100'000'000))
        return "--drop must lie between 0 and 100000000";
    if (points && (*points < 1 || *points > 100'000'000))
        return "--points must lie between 1 and 100000000";
    if (phase && !(*phase >= 0.0 && *phase <= 1.0)) return "--phase must lie between 0 and 1";
    if (until && !(*until > 0.0 && std::isfinite(*until))) return "--until must be positive";
    if (tolerance && !(*tolerance >= 1e-16 && *tolerance < 1.0))
        return "--tolerance must lie between 1e-16, where double precision ends, and 1";
    if (section.find('"') != std::string::npos || section.find('\n') != std::string::npos ||
        section.find('\\') != std::string::npos)
        return "--section: an expression has no quotes and is one line";
    if (before && !section.starts_with("event:")) return "--before goes with --section event:NAME";
    return {};
}

ask::SectionQuestion SectionArguments::question() const {
    ask::SectionQuestion question;
    question.set.assign(settings.begin(), settings.end());
    question.tolerance = tolerance;
    question.section = section;
    question.direction = direction;
    question.before = before;
    question.phase = phase;
    if (drop) question.drop = static_cast<std::size_t>(*drop);
    if (points) question.points = static_cast<std::size_t>(*points);
    question.until = until;
    question.observe = listed(observe);
    return question;
}

} // namespace liaison::app
