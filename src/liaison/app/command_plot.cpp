// SPDX-License-Identifier: Apache-2.0
// liaison plot: a picture of a result file or of a model's motion.
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/result_files.hpp"
#include "liaison/app/run_job.hpp"
#include "liaison/base/nearest.hpp"
#include "liaison/record/figure.hpp"
#include "liaison/record/json_text.hpp"
#include "liaison/record/saved.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <stdexcept>

namespace liaison::app {
namespace {

struct Arguments {
    std::string file;
    RunArguments run;
    std::string output;
    std::vector<std::string> show;
    std::vector<std::string> phase;
    bool planes = false;
    bool drift = false;
    std::optional<double> begin, end;
    bool force = false;
};

// What is drawn: columns, and the provenance that goes into the picture.
struct Subject {
    record::Table table;
    std::string metadata;
};

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t at = std::min(text.find(separator, begin), text.size());
        parts.push_back(text.substr(begin, at - begin));
        begin = at + 1;
    }
    return parts;
}

// The column of that name; throws with the nearest one, or all there are.
const record::Column* column(const record::Table& table, const std::string& name) {
    if (const auto* found = record::find_column(table, name)) return found;
    std::vector<std::string> labels;
    for (const record::Column& c : table.columns) labels.push_back(c.label());
    const auto near = base::nearest(name, labels);
    std::string all;
    for (std::size_t i = 0; i < labels.size() && i < 40; ++i)
        all += (i == 0 ? "" : ", ") + labels[i];
    throw std::runtime_error(
        near ? fmt::format("there is no quantity `{}`; did you mean `{}`?", name, *near)
             : fmt::format("there is no quantity `{}`; there are {}", name, all));
}

// Leaves what lies in the window of time.
void cut(record::Table& table, std::optional<double> begin, std::optional<double> end) {
    const auto inside = [&](double t) { return !(begin && t < *begin) && !(end && t > *end); };
    const auto keep = [&](std::vector<double>& values) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (inside(table.time[i])) values[kept++] = values[i];
        }
        values.resize(kept);
    };
    for (record::Column& c : table.columns) keep(c.values);
    for (record::ModeColumn& m : table.modes) keep(m.values);
    std::erase_if(table.time, [&](double t) { return !inside(t); });
    std::erase_if(table.events, [&](const record::EventMark& e) { return !inside(e.time); });
}

record::Figure draw(const Arguments& arguments, const record::Table& table) {
    std::vector<record::Pair> pairs;
    for (const std::string& text : arguments.phase) {
        const auto names = split(text, ':');
        if (names.size() > 2)
            throw std::runtime_error(fmt::format("--phase {}: one name, or X:Y", text));
        const auto* x = column(table, names[0]);
        pairs.push_back({x, column(table, names.size() == 2 ? names[1] : names[0] + "'")});
    }
    if (arguments.drift) {
        record::Figure figure = record::integral_drift(table);
        if (figure.panels.empty())
            throw std::runtime_error("there are no first integrals: give them in [integral]");
        return figure;
    }
    if (arguments.planes || !pairs.empty()) return record::phase_plane(table, pairs);
    std::vector<const record::Column*> shown;
    for (const std::string& list : arguments.show) {
        for (const std::string& name : split(list, ',')) shown.push_back(column(table, name));
    }
    return record::time_series(table, shown);
}

std::string default_output(const std::string& file) {
    const std::filesystem::path path(file == "-" ? "standard-input" : file);
    return path.stem().string() + ".svg";
}

std::string output_of(const Arguments& arguments) {
    return arguments.output.empty() ? default_output(arguments.file) : arguments.output;
}

int try_output(const Arguments& arguments, const std::string& model_text,
               const Terminal& terminal) {
    return try_outputs({output_of(arguments)}, model_text, {arguments.file}, arguments.force,
                       terminal);
}

// Writes the picture; the exit code.
int write_picture(const Arguments& arguments, Subject subject, const Terminal& terminal) {
    const std::string output = output_of(arguments);
    record::Figure figure;
    try {
        cut(subject.table, arguments.begin, arguments.end);
        if (subject.table.time.empty()) {
            throw std::runtime_error("there is nothing to draw: no samples in this time; a result "
                                     "file has them when it was written with -o");
        }
        figure = draw(arguments, subject.table);
    } catch (const std::runtime_error& problem) {
        terminal.complain(problem.what());
        return exit_input;
    }
    figure.metadata = std::move(subject.metadata);
    const std::string problem = record::write_file(output, record::to_svg(figure));
    if (!problem.empty()) {
        terminal.complain(problem);
        return exit_stopped;
    }
    if (terminal.json)
        terminal.print_json({{"file", output},
                             {"panels", figure.panels.size()},
                             {"points", subject.table.time.size()}});
    else
        terminal.print(output + "\n");
    return exit_ok;
}

int plot_file(const Arguments& arguments, const Terminal& terminal) {
    Subject subject;
    try {
        record::Saved saved = record::read_saved(arguments.file);
        if (saved.kind == record::FileKind::csv || saved.kind == record::FileKind::svg) {
            terminal.complain(fmt::format("{}: pictures are drawn from .h5 and .json results, or "
                                          "from a model",
                                          arguments.file));
            return exit_input;
        }
        const int code = try_output(arguments, saved.provenance.model_text, terminal);
        if (code != exit_ok) return code;
        subject.metadata = saved.provenance_text;
        subject.table = std::move(saved.table);
    } catch (const std::runtime_error& problem) {
        terminal.complain(problem.what());
        return exit_input;
    }
    return write_picture(arguments, std::move(subject), terminal);
}

int plot_model(const Arguments& arguments, const Terminal& terminal) {
    base::Diagnostics diagnostics;
    auto source = load_source(arguments.file, diagnostics);
    if (!source) return terminal.refuse(diagnostics);
    if (const int code = try_output(arguments, std::string(source->text()), terminal);
        code != exit_ok)
        return code;
    auto done =
        simulate(std::move(source), arguments.run, {.samples = false, .trace = true}, terminal);
    if (const int* code = std::get_if<int>(&done)) return *code;
    const Job& job = std::get<Job>(done);
    Subject subject{record::tabulate(job.run, job.flow, job.run.trace),
                    record::json_line(record::to_json(job.run.provenance, job.flow))};
    if (!job.run.trajectory.reason.empty()) terminal.complain(job.run.trajectory.reason);
    const int code = write_picture(arguments, std::move(subject), terminal);
    return code != exit_ok ? code : exit_code(job.run);
}

int plot(const Arguments& arguments, const Terminal& terminal) {
    const std::string wrong =
        is_picture(output_of(arguments)) ? complaint_about(arguments.run) : "pictures end in .svg";
    if (!wrong.empty()) {
        terminal.complain(wrong);
        return exit_usage;
    }
    const bool result = arguments.file != "-" && record::kind_of_file(arguments.file).has_value();
    return result ? plot_file(arguments, terminal) : plot_model(arguments, terminal);
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options.positional("FILE", arguments->file, "result file (.h5, .json) or model")
        .files()
        .needed();
    options
        .value("-o,--output", "FIGURE", arguments->output, "the picture (default: FILE.svg here)")
        .files();
    options.values("--show", "NAME,…", arguments->show,
                   "quantities over time: x, x', floor.reaction, energy, observed names");
    options.values("--phase", "X[:Y]", arguments->phase,
                   "one quantity over another; X alone: x' over x");
    options.flag("--planes", arguments->planes, "phase planes of all coordinates");
    options.flag("--drift", arguments->drift, "how far the first integrals are from their start");
    options.value("--begin", "T", arguments->begin, "start of the window of time");
    options.value("--end", "T", arguments->end, "end of the window of time");
    declare_run(options, arguments->run);
    options.flag("--force", arguments->force, "overwrite a file that is not liaison's");
    return [arguments](Terminal& terminal) { return plot(*arguments, terminal); };
}

} // namespace

Command plot_command() {
    return {.name = "plot",
            .summary = "a picture of a result file or of a model's motion",
            .description = "Draws quantities over time with marks at the events and a strip of "
                           "modes, or one quantity over another, as SVG. A model is simulated "
                           "first, with the same options as run.",
            .examples = {{"liaison plot swing.h5", "everything usual, into swing.svg"},
                         {"liaison plot swing.h5 --show x,y -o xy.svg", "two coordinates"},
                         {"liaison plot kepler.toml --phase x:y", "the orbit in its plane"},
                         {"liaison plot pendulum.toml --planes", "velocity over position"}},
            .setup = setup};
}

} // namespace liaison::app
