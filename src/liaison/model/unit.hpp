// SPDX-License-Identifier: Apache-2.0
// Units as people write them, "kg*m^2/s^2", read into exponents of the SI base units and a scale.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace liaison::model {

// Exponents of m, kg, s, A, K, mol, cd, and the logarithm of the factor to SI: mm is (1, 0, …; ln 10⁻³).
struct Unit {
    static constexpr std::size_t k_base = 7;
    static constexpr std::size_t k_size = k_base + 1;
    std::array<double, k_size> exponents{};

    [[nodiscard]] double& log_scale() { return exponents[k_base]; }
    [[nodiscard]] double log_scale() const { return exponents[k_base]; }
};

// Products with *, · or blanks, quotients with /, powers with ^, parentheses; SI units with prefixes,
// derived units, min, h, deg, rpm. Nothing where the text is no unit.
[[nodiscard]] std::optional<Unit> parse_unit(std::string_view text);

// "m/s^2", "1" for pure numbers; with the factor in front where it is not SI.
[[nodiscard]] std::string unit_text(const Unit& unit);

} // namespace liaison::model
