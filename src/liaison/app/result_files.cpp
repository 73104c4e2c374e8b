// SPDX-License-Identifier: Apache-2.0
// Result files of a run: the ending of the name says the format.
#include "liaison/app/result_files.hpp"

#include "liaison/record/figure.hpp"
#include "liaison/record/hdf5_run.hpp"
#include "liaison/record/write_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace liaison::app {
namespace {

std::vector<std::string> formats() {
    std::vector<std::string> endings{".csv", ".svg", ".json"};
#ifdef LIAISON_WITH_HDF5
    endings.insert(endings.begin(), ".h5");
#endif
    return endings;
}

} // namespace

std::string complaint_about(const std::string& path, bool force) {
    const auto endings = formats();
    if (std::none_of(endings.begin(), endings.end(),
                     [&](const std::string& e) { return path.ends_with(e); })) {
        return fmt::format("{}: the ending says the format: {}", path, fmt::join(endings, ", "));
    }
    if (!force && std::filesystem::exists(path))
        return fmt::format("{} exists; --force overwrites it", path);
    return {};
}

std::string write_result(const std::string& path, const record::Run& run, const flow::Flow& flow) {
#ifdef LIAISON_WITH_HDF5
    if (path.ends_with(".h5")) return record::write_hdf5(path, run, flow);
#endif
    if (path.ends_with(".csv")) return record::write_file(path, record::to_csv(run, flow));
    if (path.ends_with(".json"))
        return record::write_file(path, record::to_json(run, flow).dump(2) + "\n");
    return record::write_file(path, record::to_svg(record::time_series(run, flow)));
}

} // namespace liaison::app
