// SPDX-License-Identifier: Apache-2.0
// Result files of a run: the ending of the name says the format.
#include "liaison/app/result_files.hpp"

#include "liaison/base/features.hpp"
#include "liaison/record/figure.hpp"
#include "liaison/record/hdf5_run.hpp"
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

std::string complaint_about(const std::string& path, const std::string& model_file, bool force) {
    const auto endings = formats();
    if (std::none_of(endings.begin(), endings.end(),
                     [&](const std::string& e) { return path.ends_with(e); })) {
        return fmt::format("{}: the ending says the format: {}", path, fmt::join(endings, ", "));
    }
    if (force || !std::filesystem::exists(path)) return {};
    try {
        if (record::read_saved(path).provenance.model_file == model_file) return {};
        return fmt::format("{} is the result of another model; --force overwrites it", path);
    } catch (const std::runtime_error&) {
        return fmt::format("{} exists and is no result of liaison; --force overwrites it", path);
    }
}

std::string write_result(const std::string& path, const record::Run& run, const flow::Flow& flow) {
#if LIAISON_WITH_HDF5
    if (path.ends_with(".h5")) return record::write_hdf5(path, run, flow);
#endif
    if (path.ends_with(".csv")) return record::write_file(path, record::to_csv(run, flow));
    if (path.ends_with(".json"))
        return record::write_file(path, record::to_json(run, flow).dump(2) + "\n");
    const auto table = record::tabulate(run, flow, run.trace.empty() ? run.samples : run.trace);
    return record::write_file(path, figure_text(record::time_series(table), run.provenance, flow));
}

std::string figure_text(record::Figure figure, const record::Provenance& provenance,
                        const flow::Flow& flow) {
    figure.metadata = record::to_json(provenance, flow).dump();
    return record::to_svg(figure);
}

} // namespace liaison::app
