// SPDX-License-Identifier: Apache-2.0
// Printing doubles so that nothing is lost, and reading them back.
#include "liaison/base/number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace liaison::base {

std::string shortest(double value) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

std::string digits17(double value) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::general, 17)
                         .ptr;
    return {buffer.data(), end};
}

std::string json_number(double value) { return std::isfinite(value) ? digits17(value) : "null"; }

namespace {

// Whether a well-formed decimal is far below 1, from the place of its first digit and its exponent.
bool is_tiny(std::string_view text) {
    const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
    const std::string_view digits = text.substr(0, mark);
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const std::size_t first = digits.find_first_of("123456789");
    const double order = static_cast<double>(point) - static_cast<double>(first);
    double exponent = 0.0;
    bool negative = false;
    for (const char c : text.substr(std::min(mark + 1, text.size()))) {
        if (c == '-') negative = true;
        if ('0' <= c && c <= '9') exponent = 10.0 * exponent + (c - '0');
    }
    return order + (negative ? -exponent : exponent) < 0.0;
}

} // namespace

std::optional<double> parse_number(std::string_view text) {
    double value = 0.0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (end != last || error == std::errc::invalid_argument) return std::nullopt;
    // from_chars does not say whether the value was too large or too small.
    if (error == std::errc::result_out_of_range) {
        if (is_tiny(text)) return 0.0;
        return std::nullopt;
    }
    if (!std::isfinite(value)) return std::nullopt;
    return value;
}

} // namespace liaison::base
