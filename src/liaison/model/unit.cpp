// SPDX-License-Identifier: Apache-2.0
// Units as people write them, "kg*m^2/s^2", read into exponents of the SI base units and a scale.
#include "liaison/model/unit.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

namespace liaison::model {

namespace {

struct UnitRow {
    std::string_view name;
    double factor;
    std::array<int, Unit::k_base> exponents;  // m kg s A K mol cd
    bool prefixes;
};

constexpr UnitRow k_units[] = {
    {"m", 1, {1}, true},
    {"g", 1e-3, {0, 1}, true},
    {"s", 1, {0, 0, 1}, true},
    {"A", 1, {0, 0, 0, 1}, true},
    {"K", 1, {0, 0, 0, 0, 1}, true},
    {"mol", 1, {0, 0, 0, 0, 0, 1}, true},
    {"cd", 1, {0, 0, 0, 0, 0, 0, 1}, true},
    {"rad", 1, {}, true},
    {"sr", 1, {}, false},
    {"Hz", 1, {0, 0, -1}, true},
    {"N", 1, {1, 1, -2}, true},
    {"Pa", 1, {-1, 1, -2}, true},
    {"bar", 1e5, {-1, 1, -2}, true},
    {"J", 1, {2, 1, -2}, true},
    {"W", 1, {2, 1, -3}, true},
    {"C", 1, {0, 0, 1, 1}, true},
    {"V", 1, {2, 1, -3, -1}, true},
    {"F", 1, {-2, -1, 4, 2}, true},
    {"Ohm", 1, {2, 1, -3, -2}, true},
    {"S", 1, {-2, -1, 3, 2}, true},
    {"Wb", 1, {2, 1, -2, -1}, true},
    {"T", 1, {0, 1, -2, -1}, true},
    {"H", 1, {2, 1, -2, -2}, true},
    {"t", 1e3, {0, 1}, false},
    {"l", 1e-3, {3}, true},
    {"L", 1e-3, {3}, true},
    {"min", 60, {0, 0, 1}, false},
    {"h", 3600, {0, 0, 1}, false},
    {"d", 86400, {0, 0, 1}, false},
    {"rpm", 2 * std::numbers::pi / 60, {0, 0, -1}, false},
    {"deg", std::numbers::pi / 180, {}, false},
    {"%", 1e-2, {}, false},
    {"1", 1, {}, false},
};

struct Prefix {
    std::string_view name;
    double factor;
};

constexpr Prefix k_prefixes[] = {{"f", 1e-15}, {"p", 1e-12}, {"n", 1e-9}, {"u", 1e-6}, {"µ", 1e-6},
                                 {"μ", 1e-6},  {"m", 1e-3},  {"c", 1e-2}, {"d", 1e-1}, {"k", 1e3},
                                 {"M", 1e6},   {"G", 1e9},   {"T", 1e12}};

Unit made(const UnitRow& row, double factor) {
    Unit unit;
    for (std::size_t k = 0; k < Unit::k_base; ++k) unit.exponents[k] = row.exponents[k];
    unit.log_scale() = std::log(row.factor * factor);
    return unit;
}

// A unit by its own name first (min is no milli-inch), then with a prefix.
std::optional<Unit> named(std::string_view name) {
    if (name == "°") name = "deg";
    if (name == "Ω") name = "Ohm";
    for (const UnitRow& row : k_units) {
        if (row.name == name) return made(row, 1.0);
    }
    for (const Prefix& prefix : k_prefixes) {
        if (!name.starts_with(prefix.name)) continue;
        const std::string_view rest = name.substr(prefix.name.size());
        for (const UnitRow& row : k_units) {
            if (row.prefixes && row.name == rest) return made(row, prefix.factor);
        }
    }
    return std::nullopt;
}

class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}

    std::optional<Unit> run() {
        auto unit = product(0);
        return at_ == text_.size() ? unit : std::nullopt;
    }

  private:
    static constexpr int k_deepest = 20;

    void blanks() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }

    bool accept(std::string_view sign) {
        const std::size_t before = at_;
        blanks();
        if (!text_.substr(at_).starts_with(sign)) {
            at_ = before;
            return false;
        }
        at_ += sign.size();
        return true;
    }

    std::optional<Unit> product(int depth) {
        auto total = factor(depth);
        while (total) {
            const std::size_t before = at_;
            double sign = 1.0;
            if (accept("/")) {
                sign = -1.0;
            } else if (!accept("*") && !accept("·")) {
                blanks();
                // A blank multiplies too, if another unit follows.
                if (at_ == text_.size() || text_[at_] == ')' || at_ == before) break;
            }
            const auto next = factor(depth);
            if (!next) return std::nullopt;
            for (std::size_t k = 0; k < Unit::k_size; ++k)
                total->exponents[k] += sign * next->exponents[k];
        }
        return total;
    }

    std::optional<Unit> factor(int depth) {
        std::optional<Unit> base;
        if (accept("(")) {
            if (depth == k_deepest) return std::nullopt;
            base = product(depth + 1);
            if (!accept(")")) return std::nullopt;
        } else {
            blanks();
            const std::size_t begin = at_;
            while (at_ < text_.size() &&
                   std::string_view("*/^() ").find(text_[at_]) == std::string_view::npos &&
                   !text_.substr(at_).starts_with("·")) {
                ++at_;
            }
            base = named(text_.substr(begin, at_ - begin));
        }
        if (!base || !accept("^")) return base;
        const auto power = exponent();
        if (!power) return std::nullopt;
        for (double& e : base->exponents) e *= *power;
        return base;
    }

    std::optional<double> exponent() {
        const bool enclosed = accept("(");
        const auto top = integer();
        double value = top.value_or(0.0);
        if (enclosed && top && accept("/")) {
            const auto bottom = integer();
            if (!bottom || *bottom == 0.0) return std::nullopt;
            value /= *bottom;
        }
        if (enclosed && !accept(")")) return std::nullopt;
        return top ? std::optional(value) : std::nullopt;
    }

    std::optional<double> integer() {
        blanks();
        int value = 0;
        const auto [end, error] =
            std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc{} || std::abs(value) > 100) return std::nullopt;
        at_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

void append_power(std::string& out, std::string_view name, double exponent) {
    if (!out.empty()) out += "*";
    out += name;
    if (exponent != 1.0) out += fmt::format("^{:.6g}", exponent);
}

} // namespace

std::optional<Unit> parse_unit(std::string_view text) {
    if (text.empty()) return Unit{};
    return Parser(text).run();
}

std::string unit_text(const Unit& unit) {
    constexpr std::string_view names[] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    constexpr double small = 1e-9;
    // A few units are better known by a name of their own.
    std::string numerator;
    std::string denominator;
    for (const std::size_t k : {1UL, 0UL, 2UL, 3UL, 4UL, 5UL, 6UL}) {
        const double e = unit.exponents[k];
        if (e > small) append_power(numerator, names[k], e);
        if (e < -small) append_power(denominator, names[k], -e);
    }
    std::string text = numerator.empty() ? "1" : numerator;
    if (!denominator.empty()) {
        text += denominator.find('*') == std::string::npos ? "/" + denominator
                                                           : "/(" + denominator + ")";
    }
    if (std::abs(unit.log_scale()) > small)
        text = fmt::format("{:.6g} {}", std::exp(unit.log_scale()), text);
    return text;
}

} // namespace liaison::model
