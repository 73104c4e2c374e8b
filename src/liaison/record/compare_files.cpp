// SPDX-License-Identifier: Apache-2.0
// Text results are compared value by value; only bits that are equal are equal.
#include "liaison/record/compare_files.hpp"

#include "liaison/base/features.hpp"
#include "liaison/record/bounded_json.hpp"
#include "liaison/record/read_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace liaison::record {
namespace {

using Document = nlohmann::json;

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

std::string whole_file(const std::string& path) {
    try {
        return read_file(path);
    } catch (const std::runtime_error& problem) {
        throw std::runtime_error(fmt::format("{} cannot be read: {}", path, problem.what()));
    }
}

void compare_json(const Document& a, const Document& b, const std::string& place, Difference& found,
                  Comparison& result) {
    const auto differ = [&](double by) {
        ++found.count;
        found.largest =
            std::isnan(by) || std::isnan(found.largest) ? k_nan : std::max(found.largest, by);
    };
    if (a.is_number() && b.is_number()) {
        ++result.compared;
        const double x = a.get<double>(), y = b.get<double>();
        if (std::bit_cast<std::uint64_t>(x) != std::bit_cast<std::uint64_t>(y))
            differ(std::abs(x - y));
    } else if (a.is_object() && b.is_object() && a.size() == b.size()) {
        for (const auto& [key, value] : a.items()) {
            if (key.ends_with("_ms")) continue;
            if (b.contains(key))
                compare_json(value, b.at(key), place + "." + key, found, result);
            else
                differ(k_nan);
        }
    } else if (a.is_array() && b.is_array() && a.size() == b.size()) {
        for (std::size_t i = 0; i < a.size(); ++i) compare_json(a[i], b[i], place, found, result);
    } else if (a != b) {
        differ(k_nan);
    }
}

Comparison compare_json(const std::string& a, const std::string& b) {
    const auto first = parse_result<Document>(a), second = parse_result<Document>(b);
    Comparison result;
    for (const auto& [key, value] : first.items()) {
        if (key == "provenance" || key == "liaison" || key == "warnings") continue;
        Difference found{key, 0, 0.0};
        compare_json(value, second.contains(key) ? second.at(key) : Document(), key, found, result);
        if (found.count > 0) result.differences.push_back(found);
    }
    return result;
}

// Everything but the comments, field by field.
Comparison compare_csv(const std::string& a, const std::string& b) {
    const auto rows = [](const std::string& text) {
        std::vector<std::string> lines;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);) {
            if (!line.starts_with("#")) lines.push_back(line);
        }
        return lines;
    };
    const auto first = rows(a), second = rows(b);
    Comparison result;
    if (first.size() != second.size()) result.differences.push_back({"number of rows", 1, k_nan});
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
        result.compared += static_cast<std::size_t>(
            std::count(first[i].begin(), first[i].end(), ',') + (i > 0 ? 1 : 0));
        if (first[i] == second[i]) continue;
        if (result.differences.empty() || result.differences.back().what != "rows")
            result.differences.push_back({"rows", 0, k_nan});
        ++result.differences.back().count;
    }
    return result;
}

// The curves: everything between the metadata and the caption.
Comparison compare_svg(const std::string& a, const std::string& b) {
    const auto drawn = [](const std::string& text) {
        const std::size_t begin = text.find("</metadata>");
        const std::size_t end = text.rfind("<text ");
        return begin == std::string::npos || end == std::string::npos || end < begin
                   ? text
                   : text.substr(begin, end - begin);
    };
    Comparison result;
    result.compared = 1;
    if (drawn(a) != drawn(b)) result.differences.push_back({"picture", 1, k_nan});
    return result;
}

} // namespace

Comparison compare_files(const std::string& a, const std::string& b, FileKind kind) {
    switch (kind) {
    case FileKind::hdf5:
#if LIAISON_WITH_HDF5
        return compare_hdf5(a, b);
#else
        break;
#endif
    case FileKind::json: return compare_json(whole_file(a), whole_file(b));
    case FileKind::csv: return compare_csv(whole_file(a), whole_file(b));
    case FileKind::svg: return compare_svg(whole_file(a), whole_file(b));
    }
    throw std::runtime_error("this build of liaison has no HDF5");
}

} // namespace liaison::record
