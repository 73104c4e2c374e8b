// SPDX-License-Identifier: Apache-2.0
// Result files by their first bytes; text formats carry their provenance in one line.
#include "liaison/record/saved.hpp"

#include "liaison/base/features.hpp"
#include "liaison/record/bounded_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace liaison::record {
namespace {

std::string whole(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(std::strerror(errno));
    return {std::istreambuf_iterator<char>(file), {}};
}

// The text between two marks; throws where they are missing.
std::string between(const std::string& text, std::string_view begin, std::string_view end) {
    const std::size_t from = text.find(begin);
    const std::size_t to = from == std::string::npos ? from : text.find(end, from + begin.size());
    if (to == std::string::npos) throw std::runtime_error("it carries no provenance");
    return text.substr(from + begin.size(), to - from - begin.size());
}

std::string unescaped(std::string text) {
    constexpr std::array<std::pair<std::string_view, char>, 4> k_entities{
        {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&amp;", '&'}}};
    for (const auto& [entity, letter] : k_entities) {
        for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at)
            text.replace(at, entity.size(), 1, letter);
    }
    return text;
}

Saved with_provenance(FileKind kind, const std::string& json) {
    Saved saved;
    saved.kind = kind;
    saved.provenance = provenance_from_json(parse_result(json));
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
    case FileKind::json: return saved_from_json(whole(path));
    case FileKind::csv: return with_provenance(*kind, between(whole(path), "# provenance ", "\n"));
    case FileKind::svg:
        return with_provenance(*kind, unescaped(between(whole(path), "<metadata>", "</metadata>")));
    }
    throw std::runtime_error("it is not a result of liaison");
}

} // namespace

std::optional<FileKind> kind_of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string head(512, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    if (head.starts_with("\x89HDF\r\n\x1a\n")) return FileKind::hdf5;
    if (head.starts_with("# liaison ")) return FileKind::csv;
    if (head.starts_with("<svg ")) return FileKind::svg;
    if (head.starts_with("{") && head.find("\"liaison\"") != std::string::npos)
        return FileKind::json;
    return std::nullopt;
}

Saved read_saved(const std::string& path) {
    try {
        errno = 0;
        if (std::ifstream file(path); !file)
            throw std::runtime_error(errno != 0 ? std::strerror(errno) : "it cannot be opened");
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
