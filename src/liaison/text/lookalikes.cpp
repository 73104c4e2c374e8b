// SPDX-License-Identifier: Apache-2.0
// Typographic characters people paste into expressions, and what they stand for.
#include "liaison/text/lookalikes.hpp"

#include <algorithm>
#include <array>

namespace liaison::text {

namespace {

constexpr std::string_view k_minus = "a typographic minus sign";
constexpr std::string_view k_times = "a typographic multiplication sign";
constexpr std::string_view k_prime = "a typographic prime or quote";
constexpr std::string_view k_greek = "a Greek letter; names are ASCII";
constexpr std::string_view k_superscript = "a superscript; powers are written with ^";

constexpr std::array k_table{
    Lookalike{U'−', TokenKind::minus, "-", k_minus},
    Lookalike{U'–', TokenKind::minus, "-", k_minus},
    Lookalike{U'·', TokenKind::star, "*", k_times},
    Lookalike{U'⋅', TokenKind::star, "*", k_times},
    Lookalike{U'×', TokenKind::star, "*", k_times},
    Lookalike{U'∗', TokenKind::star, "*", k_times},
    Lookalike{U'÷', TokenKind::slash, "/", "a division sign"},
    Lookalike{U'∕', TokenKind::slash, "/", "a division sign"},
    Lookalike{U'≤', TokenKind::less_equal, "<=", "a typographic comparison"},
    Lookalike{U'≥', TokenKind::greater_equal, ">=", "a typographic comparison"},
    Lookalike{U'′', TokenKind::prime, "'", k_prime},
    Lookalike{U'’', TokenKind::prime, "'", k_prime},
    Lookalike{U'‘', TokenKind::prime, "'", k_prime},
    Lookalike{U'´', TokenKind::prime, "'", k_prime},
    Lookalike{U'`', TokenKind::prime, "'", "a backquote"},
    Lookalike{U'²', TokenKind::bad, "^2", k_superscript},
    Lookalike{U'³', TokenKind::bad, "^3", k_superscript},
    Lookalike{U'√', TokenKind::bad, "sqrt( )", "a root sign"},
    Lookalike{U'∂', TokenKind::bad, "der( )", "a derivative sign"},
    Lookalike{U'π', TokenKind::bad, "pi", "the constant is spelt in letters"},
    Lookalike{U'°', TokenKind::bad, "*deg", "degrees are a factor"},
    Lookalike{U'α', TokenKind::bad, "alpha", k_greek},
    Lookalike{U'β', TokenKind::bad, "beta", k_greek},
    Lookalike{U'γ', TokenKind::bad, "gamma", k_greek},
    Lookalike{U'δ', TokenKind::bad, "delta", k_greek},
    Lookalike{U'ε', TokenKind::bad, "epsilon", k_greek},
    Lookalike{U'ζ', TokenKind::bad, "zeta", k_greek},
    Lookalike{U'η', TokenKind::bad, "eta", k_greek},
    Lookalike{U'θ', TokenKind::bad, "theta", k_greek},
    Lookalike{U'κ', TokenKind::bad, "kappa", k_greek},
    Lookalike{U'λ', TokenKind::bad, "lambda", k_greek},
    Lookalike{U'μ', TokenKind::bad, "mu", k_greek},
    Lookalike{U'µ', TokenKind::bad, "mu", "the micro sign; names are ASCII"},
    Lookalike{U'ν', TokenKind::bad, "nu", k_greek},
    Lookalike{U'ξ', TokenKind::bad, "xi", k_greek},
    Lookalike{U'ρ', TokenKind::bad, "rho", k_greek},
    Lookalike{U'σ', TokenKind::bad, "sigma", k_greek},
    Lookalike{U'τ', TokenKind::bad, "tau", k_greek},
    Lookalike{U'φ', TokenKind::bad, "phi", k_greek},
    Lookalike{U'ϕ', TokenKind::bad, "phi", k_greek},
    Lookalike{U'χ', TokenKind::bad, "chi", k_greek},
    Lookalike{U'ψ', TokenKind::bad, "psi", k_greek},
    Lookalike{U'ω', TokenKind::bad, "omega", k_greek},
    Lookalike{U'Ω', TokenKind::bad, "Omega", k_greek},
};

} // namespace

const Lookalike* find_lookalike(char32_t value) {
    const auto* const found = std::ranges::find(k_table, value, &Lookalike::value);
    return found == k_table.end() ? nullptr : found;
}

} // namespace liaison::text
