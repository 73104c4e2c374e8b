// SPDX-License-Identifier: Apache-2.0
// liaison rerun: repeats a run from its result file alone and compares the numbers bit for bit.
#include "liaison/app/command.hpp"
#include "liaison/app/load.hpp"
#include "liaison/app/refusal.hpp"
#include "liaison/app/result_files.hpp"
#include "liaison/app/run_question.hpp"
#include "liaison/app/watch.hpp"
#include "liaison/record/compare_files.hpp"
#include "liaison/record/saved.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace liaison::app {
namespace {

struct Arguments {
    std::string file;
    std::string output;
    bool force = false;
};

std::string ending(record::FileKind kind) {
    switch (kind) {
    case record::FileKind::hdf5: return ".h5";
    case record::FileKind::json: return ".json";
    case record::FileKind::csv: return ".csv";
    case record::FileKind::svg: return ".svg";
    }
    return ".json";
}

// A name for the repeated run in a folder of its own, which goes away by itself.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& suffix)
        : folder_((std::filesystem::temp_directory_path() / "liaison-rerun-XXXXXX").string()) {
        if (::mkdtemp(folder_.data()) == nullptr)
            throw std::runtime_error(
                fmt::format("cannot make {}: {}", folder_, std::strerror(errno)));
        path_ = folder_ + "/again" + suffix;
    }
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string folder_, path_;
};

// What was another then: the usual reason for other numbers.
std::vector<std::string> changes(const record::Provenance& then, const record::Provenance& now) {
    std::vector<std::string> found;
    const auto note = [&](const char* what, const std::string& a, const std::string& b) {
        if (a != b) found.push_back(fmt::format("{} was {}, is {}", what, a, b));
    };
    note("liaison", then.version, now.version);
    note("compiler", then.compiler, now.compiler);
    note("build", then.build, now.build);
    note("processor", then.cpu, now.cpu);
    return found;
}

int tell(const Arguments& arguments, const record::Comparison& result,
         const std::vector<std::string>& changed, const Terminal& terminal) {
    const bool same = result.differences.empty();
    if (terminal.json) {
        nlohmann::json differences = nlohmann::json::array();
        for (const record::Difference& d : result.differences) {
            differences.push_back(
                {{"what", d.what},
                 {"count", d.count},
                 {"largest", std::isfinite(d.largest) ? nlohmann::json(d.largest) : nullptr}});
        }
        terminal.print_json({{"identical", same},
                             {"compared", result.compared},
                             {"differences", differences},
                             {"changed", changed}});
        return same ? exit_ok : exit_no;
    }
    if (same) {
        terminal.print(fmt::format("{}: identical, {} numbers to the last bit\n", arguments.file,
                                   result.compared));
        return exit_ok;
    }
    terminal.print(fmt::format("{}: not the same\n", arguments.file));
    for (const record::Difference& d : result.differences) {
        terminal.print(std::isfinite(d.largest)
                           ? fmt::format("  {}: {} numbers differ, by {:.3g} at most\n", d.what,
                                         d.count, d.largest)
                           : fmt::format("  {}: {} differ\n", d.what, d.count));
    }
    for (const std::string& change : changed) terminal.print("  " + change + "\n");
    return exit_no;
}

int rerun(const Arguments& arguments, const Terminal& terminal) {
    try {
        const record::Saved saved = record::read_saved(arguments.file);
        if (!arguments.output.empty()) {
            const int code = try_outputs({arguments.output}, saved.provenance.model_text,
                                         {arguments.file}, arguments.force, terminal);
            if (code != exit_ok) return code;
        }
        RunArguments wanted;
        Options words;
        declare_run(words, wanted);
        std::string wrong = words.apply(saved.provenance.arguments);
        if (wrong.empty()) wrong = complaint_about(wanted);
        if (!wrong.empty()) throw std::runtime_error(fmt::format("{}: {}", arguments.file, wrong));
        // A run that was interrupted is repeated as far as it came.
        if (saved.interrupted && saved.end) wanted.until = saved.end->time.rounded();

        base::Diagnostics diagnostics;
        const auto model = load_model(
            base::SourceFile::make(saved.provenance.model_file, saved.provenance.model_text),
            diagnostics, wanted.settings);
        if (!model) return terminal.refuse(diagnostics);
        ask::RunQuestion question = question_of(wanted, terminal, diagnostics);
        question.trace = saved.kind == record::FileKind::svg;
        if (!question.trace) question.samples = sample_count(wanted);
        question.from = saved.provenance.from;
        question.from_file = saved.provenance.from_file;
        Watch watch(terminal);
        const auto answer = ask::run(*model, question, watch.control(), std::move(diagnostics));
        watch.clear();
        if (!answer) return refuse(answer, *model, terminal);

        const TemporaryFile again(ending(saved.kind));
        for (const std::string& path : {again.path(), arguments.output}) {
            if (path.empty()) continue;
            const std::string problem = write_result(path, answer->run, answer->flow);
            if (!problem.empty()) {
                terminal.complain(problem);
                return exit_stopped;
            }
        }
        return tell(arguments, record::compare_files(arguments.file, again.path(), saved.kind),
                    changes(saved.provenance, answer->run.provenance), terminal);
    } catch (const std::runtime_error& problem) {
        terminal.complain(problem.what());
        return exit_input;
    }
}

Action setup(Options& options) {
    auto arguments = std::make_shared<Arguments>();
    options.positional("FILE", arguments->file, "result file: .h5, .json, .csv or .svg")
        .files()
        .needed();
    options.value("-o,--output", "FILE", arguments->output, "keep the repeated run").files();
    options.flag("--force", arguments->force, "overwrite files");
    return [arguments](Terminal& terminal) { return rerun(*arguments, terminal); };
}

} // namespace

Command rerun_command() {
    return {.name = "rerun",
            .summary = "repeat a run from its result file; are the numbers the same?",
            .description = "Every result file carries the text of its model and the options of its "
                           "run. The run is repeated from the file alone and compared number by "
                           "number. Exit code 0 if they are identical to the last bit, 1 if not.",
            .examples = {{"liaison rerun swing.h5", "is it still so?"},
                         {"liaison rerun swing.h5 -o again.h5", "and keep the repeated run"}},
            .setup = setup};
}

} // namespace liaison::app
