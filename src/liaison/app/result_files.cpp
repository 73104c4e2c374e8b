// SPDX-License-Identifier: Apache-2.0
// Result files of a run: the ending of the name says the format.
#include "liaison/app/result_files.hpp"

#include "liaison/app/exit_code.hpp"
#include "liaison/app/output_guard.hpp"
#include "liaison/base/features.hpp"
#include "liaison/record/figure.hpp"
#include "liaison/record/hdf5_run.hpp"
#include "liaison/record/json_text.hpp"
#include "liaison/record/provenance.hpp"
#include "liaison/record/saved.hpp"
#include "liaison/record/table.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace liaison::app {
namespace {

std::vector<std::string> formats() {
    std::vector<std::string> endings{".csv", ".svg", ".json"};
#if LIAISON_WITH_HDF5
    endings.insert(endings.begin(), ".h5");
#endif
    return endings;
}

} // namespace

bool is_picture(const std::string& path) { return path.ends_with(".svg"); }

std::string complaint_about(const std::string& path, const std::string& model_text,
                            std::initializer_list<std::string_view> inputs, bool force) {
    const auto endings = formats();
    if (std::none_of(endings.begin(), endings.end(),
                     [&](const std::string& e) { return path.ends_with(e); })) {
        return fmt::format("{}: the ending says the format: {}", path, fmt::join(endings, ", "));
    }
    if (std::string never = is_input(path, inputs); !never.empty()) return never;
    std::error_code none;
    if (force || !std::filesystem::exists(path, none)) return {};
    try {
        if (record::read_saved(path).provenance.model_hash == record::fingerprint(model_text))
            return {};
        return fmt::format("{} is the result of another model, or of this one before it was "
                           "changed; --force overwrites it",
                           path);
    } catch (const std::runtime_error&) {
        return fmt::format("{} exists and is no result of liaison; --force overwrites it", path);
    }
}

int try_outputs(const std::vector<std::string>& paths, const std::string& model_text,
                std::initializer_list<std::string_view> inputs, bool force,
                const Terminal& terminal) {
    for (const std::string& path : paths) {
        std::string wrong = cannot_write(path);
        if (wrong.empty()) wrong = complaint_about(path, model_text, inputs, force);
        if (wrong.empty()) continue;
        terminal.complain(wrong);
        return exit_usage;
    }
    return exit_ok;
}

std::string write_result(const std::string& path, const record::Run& run, const flow::Flow& flow) {
#if LIAISON_WITH_HDF5
    if (path.ends_with(".h5")) return record::write_hdf5(path, run, flow);
#endif
    if (path.ends_with(".csv")) return record::write_file(path, record::to_csv(run, flow));
    if (path.ends_with(".json"))
        return record::write_file(path, record::json_text(record::to_json(run, flow)));
    const auto table = record::tabulate(run, flow, run.trace.empty() ? run.samples : run.trace);
    return record::write_file(path, figure_text(record::time_series(table), run.provenance, flow));
}

std::vector<std::string> write_results(const std::vector<std::string>& paths,
                                       const record::Run& run, const flow::Flow& flow,
                                       const Terminal& terminal) {
    std::vector<std::string> written;
    for (const std::string& path : paths) {
        const std::string problem = write_result(path, run, flow);
        if (problem.empty())
            written.push_back(path);
        else
            terminal.complain(problem);
    }
    return written;
}

std::string figure_text(record::Figure figure, const record::Provenance& provenance,
                        const flow::Flow& flow) {
    figure.metadata = record::json_line(record::to_json(provenance, flow));
    return record::to_svg(figure);
}

} // namespace liaison::app
