// SPDX-License-Identifier: Apache-2.0
// liaison run: simulate a model; event log, energy balance, guarantees, files.
#include "liaison/app/command.hpp"
#include "liaison/app/cpu.hpp"
#include "liaison/app/load.hpp"
#include "liaison/base/render.hpp"
#include "liaison/base/version.hpp"
#include "liaison/compile/hash128.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/record/execute.hpp"
#include "liaison/record/figure.hpp"
#include "liaison/record/hdf5_run.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>

namespace liaison::app {
namespace {

struct Arguments {
    std::string model;
    std::vector<std::string> settings;
    std::vector<std::string> at;
    std::vector<std::string> outputs;
    std::optional<double> until;
    std::optional<double> tolerance;
    std::optional<long> samples;
    std::string events = "few";
    bool force = false;
};

// Ctrl-C ends the motion, not the program: what was computed is kept.
std::atomic<bool> interrupted = false;
void on_interrupt(int) { interrupted = true; }

std::string fingerprint(std::string_view text) {
    compile::Hash128 hash;
    hash.add(text);
    const compile::Digest digest = hash.digest();
    return fmt::format("{:016x}{:016x}", digest[0], digest[1]);
}

// "1,2,5" or "0:10:11" (from:to:count), each part an expression of numbers.
std::vector<double> read_times(const std::vector<std::string>& texts,
                               base::Diagnostics& diagnostics) {
    std::vector<double> times;
    const auto value = [&](std::string_view text) {
        return prepare::constant_value(text, "--at", diagnostics);
    };
    for (const std::string& text : texts) {
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            const std::string part = text.substr(begin, end - begin);
            begin = end + 1;
            const std::size_t first = part.find(':');
            const std::size_t second =
                first == std::string::npos ? first : part.find(':', first + 1);
            if (second == std::string::npos) {
                if (const auto t = value(part)) times.push_back(*t);
                continue;
            }
            const auto from = value(part.substr(0, first));
            const auto to = value(part.substr(first + 1, second - first - 1));
            const auto count = value(part.substr(second + 1));
            constexpr double k_most = 1e6;
            if (!from || !to || !count || !(*count >= 1.0) || *count > k_most) continue;
            const auto n = static_cast<std::size_t>(*count);
            for (std::size_t i = 0; i < n; ++i) {
                times.push_back(n == 1 ? *from
                                       : *from + (*to - *from) * static_cast<double>(i) /
                                                     static_cast<double>(n - 1));
            }
        }
    }
    return times;
}

// The file carries our mark and the same model, or does not exist.
bool may_overwrite(const std::string& path, bool force) {
    return force || !std::filesystem::exists(path);
}

std::vector<std::string> formats() {
    std::vector<std::string> endings{".csv", ".svg", ".json"};
#ifdef LIAISON_WITH_HDF5
    endings.insert(endings.begin(), ".h5");
#endif
    return endings;
}

bool known_format(const std::string& path) {
    const auto endings = formats();
    return std::any_of(endings.begin(), endings.end(),
                       [&](const std::string& e) { return path.ends_with(e); });
}

// Writes one result file; returns what went wrong, or nothing.
std::string write_result(const std::string& path, const record::Run& run, const flow::Flow& flow) {
#ifdef LIAISON_WITH_HDF5
    if (path.ends_with(".h5")) return record::write_hdf5(path, run, flow);
#endif
    if (path.ends_with(".csv")) return record::write_file(path, record::to_csv(run, flow));
    if (path.ends_with(".json"))
        return record::write_file(path, record::to_json(run, flow).dump(2) + "\n");
    return record::write_file(path, record::to_svg(record::time_series(run, flow)));
}

record::Provenance provenance(const Arguments& arguments, const model::Model& model,
                              const record::Run& run) {
    record::Provenance p = run.provenance;
    const auto facts = base::build_facts();
    p.version = facts.version;
    p.compiler = facts.compiler;
    p.cpu = this_cpu().name;
    p.model_file = arguments.model;
    p.model_text = model.source ? std::string(model.source->text()) : std::string();
    p.model_hash = fingerprint(p.model_text);
    p.command = "liaison run " + arguments.model;
    for (const std::string& s : arguments.settings) p.command += " --set " + s;
    if (arguments.until) p.command += fmt::format(" --until {}", *arguments.until);
    if (arguments.tolerance) p.command += fmt::format(" --tolerance {}", *arguments.tolerance);
    return p;
}

int exit_code(const record::Run& run) {
    switch (run.trajectory.status) {
    case motion::Status::done: return exit_ok;
    case motion::Status::stopped: return exit_stopped;
    case motion::Status::interrupted: return exit_interrupted;
    }
    return exit_ok;
}

// Input errors end here: told, exit code 2.
int refuse(const base::Diagnostics& diagnostics, const Terminal& terminal) {
    if (terminal.json) {
        terminal.print_json({{"ok", false}, {"diagnostics", base::to_json(diagnostics)}});
    } else {
        terminal.tell(diagnostics);
    }
    return exit_input;
}

// The model is sound, but asks for something that cannot be run yet.
int no_engine(const std::string& path, const model::Model& model,
              const realise::Realisation& realised, const Terminal& terminal) {
    const std::string reason = fmt::format("there is no engine for {} yet", realised.missing);
    if (terminal.json) {
        terminal.print_json({{"liaison", base::k_version},
                             {"model", model.name},
                             {"status", "stopped"},
                             {"reason", reason},
                             {"missing", realised.missing}});
    } else {
        terminal.complain(
            fmt::format("{}: {}; the model is sound, it cannot be run", path, reason));
    }
    return exit_stopped;
}

int run(const Arguments& arguments, const Terminal& terminal) {
    base::Diagnostics diagnostics;
    for (const std::string& path : arguments.outputs) {
        if (!known_format(path)) {
            terminal.complain(fmt::format("{}: the ending says the format: {}", path,
                                          fmt::join(formats(), ", ")));
            return exit_usage;
        }
        if (!may_overwrite(path, arguments.force)) {
            terminal.complain(fmt::format("{} exists; --force overwrites it", path));
            return exit_usage;
        }
    }
    if (arguments.tolerance && !(*arguments.tolerance > 0.0)) {
        terminal.complain("--tolerance must be positive");
        return exit_usage;
    }
    if (arguments.samples && (*arguments.samples < 2 || *arguments.samples > 10'000'000)) {
        terminal.complain("--samples must lie between 2 and 10000000");
        return exit_usage;
    }
    const auto model = load_model(arguments.model, diagnostics);
    if (!model) return refuse(diagnostics, terminal);
    prepare::Options options;
    options.settings = prepare::read_settings(*model, arguments.settings, diagnostics);
    options.until = arguments.until;
    options.tolerance = arguments.tolerance;
    const auto start = prepare::prepare(*model, options, diagnostics);
    const auto times = read_times(arguments.at, diagnostics);
    if (!start || diagnostics.has_errors()) return refuse(diagnostics, terminal);
    if (!start->until) {
        terminal.complain("how long? give [run] until in the model, or --until T");
        return exit_input;
    }

    const auto realised = realise::realise(*model, start->point);
    if (!realised.missing.empty()) return no_engine(arguments.model, *model, realised, terminal);
    terminal.tell(diagnostics);

    constexpr std::size_t k_grid = 1000;
    record::ExecuteOptions execute;
    execute.until = *start->until;
    execute.tolerance = start->tolerance;
    execute.at = times;
    if (!arguments.outputs.empty())
        execute.grid = arguments.samples ? static_cast<std::size_t>(*arguments.samples) : k_grid;
    execute.interrupt = &interrupted;
    const auto previous = std::signal(SIGINT, on_interrupt);
    record::Run result = record::execute(realised.flow, execute);
    std::signal(SIGINT, previous);
    result.provenance = provenance(arguments, *model, result);
    for (const auto& d : diagnostics.all()) result.warnings.push_back(d.message);

    for (const std::string& path : arguments.outputs) {
        const std::string problem = write_result(path, result, realised.flow);
        if (!problem.empty()) {
            terminal.complain(problem);
            return exit_stopped;
        }
    }
    if (terminal.json) {
        terminal.print(record::to_json(result, realised.flow).dump(2) + "\n");
    } else {
        terminal.print(record::to_text(result, realised.flow, arguments.events == "all"));
        for (const std::string& path : arguments.outputs)
            terminal.say(fmt::format("      wrote {}\n", path));
    }
    return exit_code(result);
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options.positional("MODEL", arguments->model, "model file, - for standard input")
        .models()
        .needed();
    options
        .values("-o,--output", "FILE", arguments->outputs,
                "write results: .h5, .csv, .svg or .json, repeatable")
        .files();
    options.values("--set", "NAME=VALUE", arguments->settings,
                   "another value of a parameter, repeatable");
    options.values("--at", "T1,T2,…", arguments->at, "times to report, or FROM:TO:COUNT");
    options.value("--until", "T", arguments->until, "end of the motion");
    options.value("--tolerance", "X", arguments->tolerance, "relative and absolute local error");
    options.value("--samples", "N", arguments->samples,
                  "evenly spaced samples in files (default 1000)");
    options.value("--events", "WHICH", arguments->events, "events to list").one_of({"few", "all"});
    options.flag("--force", arguments->force, "overwrite files");
    return [arguments](Terminal& terminal) { return run(*arguments, terminal); };
}

} // namespace

Command run_command() {
    return {
        .name = "run",
        .summary = "simulate; event log, energy balance, guarantees, files",
        .description = "Integrates the motion from the start state to the end time, stops exactly "
                       "at every event, "
                       "and reports what happened by name with its numbers. A motion that cannot "
                       "go on ends with "
                       "facts and exit code 3; what was computed is kept.",
        .examples = {{"liaison run pendulum.toml", "the report on the terminal"},
                     {"liaison run pendulum.toml -o swing.svg -o swing.csv",
                      "a picture and a table"},
                     {"liaison run pendulum.toml --json --at 1,2,5", "numbers for a script"},
                     {"liaison run pendulum.toml --set L=2 --until 20", "another length, longer"}},
        .setup = setup};
}

} // namespace liaison::app
