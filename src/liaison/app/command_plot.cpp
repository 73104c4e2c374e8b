// SPDX-License-Identifier: Apache-2.0
// liaison plot: a picture of a result file or of a model's motion.
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/result_files.hpp"
#include "liaison/app/run_question.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/base/nearest.hpp"
#include "liaison/record/figure.hpp"
#include "liaison/record/json_text.hpp"
#include "liaison/record/saved.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace liaison::app {
namespace {

struct Arguments {
    std::vector<std::string> files;
    RunArguments run;
    std::string output;
    std::vector<std::string> show;
    std::vector<std::string> phase;
    bool planes = false;
    bool drift = false;
    std::optional<double> begin, end;
    bool force = false;
};

// What is drawn: columns, and the provenance that goes into the picture; or the exit code where there is nothing, which has
// been told.
struct Subject {
    record::Table table;
    std::string metadata;
    int code = exit_ok;
    bool empty = false;
};

Subject nothing(int code) { return {{}, {}, code, true}; }

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

std::string stem(const std::string& file) {
    return std::filesystem::path(file == "-" ? "standard-input" : file).stem().string();
}

// Beside the picture that is drawn anew, not over it.
std::string output_of(const Arguments& arguments) {
    if (!arguments.output.empty()) return arguments.output;
    const std::string& first = arguments.files.front();
    return stem(first) + (is_picture(first) ? "-plot.svg" : ".svg");
}

// Lines of several runs in the panels of the first one: those of the same axes lie over each other.
void lay_over(record::Figure& figure, record::Figure&& other) {
    for (record::Panel& panel : other.panels) {
        const auto same = std::ranges::find_if(figure.panels, [&](const record::Panel& p) {
            return p.x_label == panel.x_label && p.y_label == panel.y_label;
        });
        if (same == figure.panels.end()) {
            figure.panels.push_back(std::move(panel));
            continue;
        }
        for (auto& line : panel.lines) same->lines.push_back(std::move(line));
        for (auto& mark : panel.marks) same->marks.push_back(std::move(mark));
        for (auto& strip : panel.strips) same->strips.push_back(std::move(strip));
    }
}

void name_lines(record::Figure& figure, const std::string& run) {
    for (record::Panel& panel : figure.panels) {
        for (record::Line& line : panel.lines)
            line.label = line.label.empty() ? run : fmt::format("{} ({})", line.label, run);
    }
}

// Whether the picture can be written, before anything is computed: it replaces only a picture of the model that is drawn
// first, and nothing that is read. `model` is the text of that one, kept here when it is read.
int try_output(const Arguments& arguments, const std::string& file, const std::string& text,
               std::string& model, const Terminal& terminal) {
    if (model.empty()) model = text;
    return try_outputs({output_of(arguments)}, model, {file}, arguments.force, terminal);
}

// Writes the picture; the exit code.
int write_picture(const Arguments& arguments, std::vector<Subject> subjects,
                  const Terminal& terminal) {
    const std::string output = output_of(arguments);
    record::Figure figure;
    std::size_t points = 0;
    try {
        for (std::size_t i = 0; i < subjects.size(); ++i) {
            Subject& subject = subjects[i];
            cut(subject.table, arguments.begin, arguments.end);
            if (subject.table.time.empty()) {
                throw std::runtime_error("there is nothing to draw: no samples in this time; a "
                                         "result file has them when it was written with -o");
            }
            points += subject.table.time.size();
            record::Figure one = draw(arguments, subject.table);
            if (subjects.size() > 1) name_lines(one, stem(arguments.files[i]));
            if (i == 0)
                figure = std::move(one);
            else
                lay_over(figure, std::move(one));
        }
    } catch (const std::runtime_error& problem) {
        terminal.complain(problem.what());
        return exit_input;
    }
    figure.metadata = std::move(subjects.front().metadata);
    const std::string problem = record::write_file(output, record::to_svg(figure));
    if (!problem.empty()) {
        terminal.complain(problem);
        return exit_stopped;
    }
    if (terminal.json)
        terminal.print_json(
            {{"file", output}, {"panels", figure.panels.size()}, {"points", points}});
    else
        terminal.print(output + "\n");
    return exit_ok;
}

Subject simulated(std::shared_ptr<const base::SourceFile> source, const RunArguments& run,
                  std::optional<motion::Standing> from, const std::string& file,
                  const Terminal& terminal) {
    base::Diagnostics diagnostics;
    const auto model = load_model(std::move(source), diagnostics, run.settings);
    if (!model) return nothing(terminal.refuse(diagnostics));
    ask::RunQuestion question = question_of(run, terminal, diagnostics);
    question.trace = true;
    question.from = std::move(from);
    question.from_file = file;
    Watch watch(terminal);
    const auto answer = ask::run(*model, question, watch.control(), std::move(diagnostics));
    watch.clear();
    if (!answer) return nothing(refuse(answer, *model, terminal));
    if (!answer->run.trajectory.reason.empty()) terminal.complain(answer->run.trajectory.reason);
    return {record::tabulate(answer->run, answer->flow, answer->run.trace),
            record::json_line(record::to_json(answer->run.provenance, answer->flow)),
            exit_code(answer->run), false};
}

// Tables and pictures do not hold the motion, but all that it takes to repeat it.
Subject repeated(const std::string& file, const record::Saved& saved, const Terminal& terminal) {
    RunArguments wanted;
    Options words;
    declare_run(words, wanted);
    const std::string wrong = words.apply(saved.provenance.arguments);
    if (!wrong.empty()) throw std::runtime_error(fmt::format("{}: {}", file, wrong));
    terminal.say(fmt::format("{}: the run is repeated\n", file));
    return simulated(
        base::SourceFile::make(saved.provenance.model_file, saved.provenance.model_text), wanted,
        saved.provenance.from, saved.provenance.from_file, terminal);
}

Subject from_file(const Arguments& arguments, const std::string& file, std::string& model,
                  const Terminal& terminal) {
    try {
        record::Saved saved = record::read_saved(file);
        const int code = try_output(arguments, file, saved.provenance.model_text, model, terminal);
        if (code != exit_ok) return nothing(code);
        if (saved.kind == record::FileKind::csv || saved.kind == record::FileKind::svg)
            return repeated(file, saved, terminal);
        return {std::move(saved.table), saved.provenance_text, exit_ok, false};
    } catch (const std::runtime_error& problem) {
        terminal.complain(problem.what());
        return nothing(exit_input);
    }
}

Subject from_model(const Arguments& arguments, const std::string& file, std::string& model,
                   const Terminal& terminal) {
    base::Diagnostics diagnostics;
    auto source = load_source(file, diagnostics);
    if (!source) return nothing(terminal.refuse(diagnostics));
    const int code = try_output(arguments, file, std::string(source->text()), model, terminal);
    if (code != exit_ok) return nothing(code);
    return simulated(std::move(source), arguments.run, {}, {}, terminal);
}

int plot(const Arguments& arguments, const Terminal& terminal) {
    const std::string output = output_of(arguments);
    const std::string wrong =
        is_picture(output) ? complaint_about(arguments.run) : "pictures end in .svg";
    if (!wrong.empty()) {
        terminal.complain(wrong);
        return exit_usage;
    }
    std::vector<Subject> subjects;
    std::string model; // of the first
    int worst = exit_ok;
    for (const std::string& file : arguments.files) {
        const bool result = file != "-" && record::kind_of_file(file).has_value();
        Subject subject = result ? from_file(arguments, file, model, terminal)
                                 : from_model(arguments, file, model, terminal);
        if (subject.empty) return subject.code;
        worst = std::max(worst, subject.code);
        subjects.push_back(std::move(subject));
    }
    const int code = write_picture(arguments, std::move(subjects), terminal);
    return code != exit_ok ? code : worst;
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options
        .positionals("FILE", arguments->files,
                     "result files (.h5, .json, .csv, .svg) or models; several are laid over each "
                     "other")
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
            .summary = "a picture of result files or of a model's motion",
            .description = "Draws quantities over time with marks at the events and a strip of "
                           "modes, or one quantity over another, as SVG. A model is simulated "
                           "first, with the same options as run; so is the run of a table or a "
                           "picture, which are repeated from what they carry. Several files are "
                           "drawn into the same panels.",
            .examples = {{"liaison plot swing.h5", "everything usual, into swing.svg"},
                         {"liaison plot swing.h5 --show x,y -o xy.svg", "two coordinates"},
                         {"liaison plot kepler.toml --phase x:y", "the orbit in its plane"},
                         {"liaison plot pendulum.toml --planes", "velocity over position"},
                         {"liaison plot slow.h5 fast.h5 --show x", "two runs in one panel"}},
            .setup = setup};
}

} // namespace liaison::app
