// SPDX-License-Identifier: Apache-2.0
// Result files by their first bytes; text formats carry their provenance in one line.
#include "liaison/record/saved.hpp"

#include "liaison/base/features.hpp"
#include "liaison/record/bounded_json.hpp"
#include "liaison/record/json_place.hpp"
#include "liaison/record/read_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace liaison::record {
namespace {

// The text between two marks; throws where they are missing.
std::string between(const std::string& text, std::string_view begin, std::string_view end) {
    const std::size_t from = text.find(begin);
    const std::size_t to = from == std::string::npos ? from : text.find(end, from + begin.size());
    if (to == std::string::npos) throw std::runtime_error("it carries no provenance");
    return text.substr(from + begin.size(), to - from - begin.size());
}

std::string unescaped(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, char>, 4> k_entities{
        {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&amp;", '&'}}};
    std::string plain;
    plain.reserve(text.size());
    while (!text.empty()) {
        const auto entity = std::ranges::find_if(
            k_entities, [&](const auto& e) { return text.starts_with(e.first); });
        plain += entity == k_entities.end() ? text.front() : entity->second;
        text.remove_prefix(entity == k_entities.end() ? 1 : entity->first.size());
    }
    return plain;
}

Saved with_provenance(FileKind kind, const std::string& json) {
    Saved saved;
    saved.kind = kind;
    const auto document = parse_result(json);
    saved.provenance = provenance_from_json(JsonPlace(document));
    saved.provenance_text = json;
    return saved;
}

Saved read(const std::string& path) {
    const auto kind = kind_of_file(path);
    if (!kind) throw std::runtime_error("it is not a result of liaison");
    switch (*kind) {
    case FileKind::hdf5:
#if LIAISON_WITH_HDF5
        return read_hdf5(path);
#else
        throw std::runtime_error("this build of liaison has no HDF5");
#endif
    case FileKind::json: return saved_from_json(read_file(path));
    case FileKind::csv:
        return with_provenance(*kind, between(read_file(path), "# provenance ", "\n"));
    case FileKind::svg:
        return with_provenance(*kind,
                               unescaped(between(read_file(path), "<metadata>", "</metadata>")));
    }
    throw std::runtime_error("it is not a result of liaison");
}

} // namespace

std::optional<FileKind> kind_of_file(const std::string& path) {
    std::string head;
    try {
        head = read_beginning(path, 512);
    } catch (const std::runtime_error&) { // whoever reads it will say why it cannot be read
    }
    if (head.starts_with("\x89HDF\r\n\x1a\n")) return FileKind::hdf5;
    if (head.starts_with("# liaison ")) return FileKind::csv;
    if (head.starts_with("<svg ")) return FileKind::svg;
    if (head.starts_with("{") && head.find("\"liaison\"") != std::string::npos)
        return FileKind::json;
    return std::nullopt;
}

Saved read_saved(const std::string& path) {
    try {
        (void)read_beginning(path, 1); // says why it cannot be read
        return read(path);
    } catch (const nlohmann::json::exception& problem) {
        throw std::runtime_error(fmt::format("{} cannot be read: {}", path, problem.what()));
    } catch (const std::runtime_error& problem) {
        throw std::runtime_error(fmt::format("{} cannot be read: {}", path, problem.what()));
    }
}

std::optional<motion::Standing> Saved::standing_at(double time, std::string& problem) const {
    if (end && end->time.rounded() == time) return end;
    for (const motion::Standing& s : at_samples) {
        if (s.time.rounded() == time) return s;
    }
    for (const motion::Piece& p : pieces) {
        const double tau = (solve::DoubleLength(time) - p.start).rounded();
        if (tau < 0.0 || tau > p.length) continue;
        motion::Standing s{solve::DoubleLength(time),
                           std::vector<double>(p.n),
                           std::vector<double>(p.n, 0.0),
                           p.mode,
                           {}};
        p.evaluate(tau, s.state);
        return s;
    }
    problem = fmt::format("the file does not hold the state at t = {:.17g}", time);
    const motion::Standing* nearest = end ? &*end : nullptr;
    for (const motion::Standing& s : at_samples) {
        if (nearest == nullptr ||
            std::abs(s.time.rounded() - time) < std::abs(nearest->time.rounded() - time))
            nearest = &s;
    }
    if (nearest != nullptr)
        problem += fmt::format("; the nearest time it holds is {:.17g}", nearest->time.rounded());
    problem += ". A run with --dense holds every time";
    return std::nullopt;
}

} // namespace liaison::record
