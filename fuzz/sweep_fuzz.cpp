// SPDX-License-Identifier: Apache-2.0
// Partial files of sweeps with intact lengths and checksums and any content: what is taken over fits the plan.
#include "liaison/analysis/sweep_file.hpp"
#include "liaison/analysis/sweep_report.hpp"
#include "liaison/record/svg.hpp"
#include "liaison/record/write_file.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

using namespace liaison;

namespace {

// As in analysis/sweep_file.cpp.
std::uint64_t checksum(std::string_view bytes) {
    std::uint64_t h = 0xcbf29ce484222325ULL;
    for (const char c : bytes) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return h;
}

std::string word(std::uint64_t value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

analysis::SweepPlan plan() {
    analysis::SweepPlan p;
    p.axes.push_back({analysis::SweepAxis::Kind::parameter, 0, "k", 0.0, 1.0, 5});
    p.section.observed = {{analysis::Observed::What::output, 0, "x"},
                          {analysis::Observed::What::output, 1, "x'"}};
    p.section.keep = 4;
    return p;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const analysis::SweepPlan wanted = plan();
    static const std::string path =
        (std::filesystem::temp_directory_path() / ("sweep_fuzz." + std::to_string(getpid())))
            .string();
    // Each record: its length in one byte, then its body; the last byte of all cuts the file.
    std::string content = "liaison sweep, partial, key\n";
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    while (!rest.empty()) {
        const std::size_t length = static_cast<unsigned char>(rest.front());
        const std::string_view body = rest.substr(1, length);
        content += word(body.size()) + std::string(body) + word(checksum(body));
        rest.remove_prefix(std::min(rest.size(), 1 + length));
    }
    if (size > 0)
        content.resize(content.size() - std::min<std::size_t>(data[size - 1] % 4, content.size()));
    if (!record::write_file(path, content).empty()) std::abort();
    {
        analysis::SweepFile file(wanted);
        if (!file.keep_in(path, "key", false).empty()) std::abort();
        for (const analysis::SectionResult& r : file.results()) {
            if (r.values.size() % 2 != 0 || r.values.size() > 8) std::abort();
        }
        analysis::SweepTable table;
        table.plan = &wanted;
        table.results = &file.results();
        (void)analysis::to_csv(table);
        (void)analysis::to_text(table);
        (void)analysis::to_json(table).dump(-1, ' ', false,
                                            nlohmann::json::error_handler_t::replace);
        // A picture costs a thousand times as much as the rest: some are drawn.
        if (size > 0 && data[size - 1] % 64 == 4) (void)record::to_svg(analysis::figure(table));
        file.finish();
    }
    return 0;
}
