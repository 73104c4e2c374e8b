// SPDX-License-Identifier: Apache-2.0
// The notation of LaTeX.
#include "liaison/expr/latex.hpp"

#include "liaison/expr/reading.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace liaison::expr {
namespace {

// Names that are Greek letters, and th, the usual short form of theta.
constexpr std::array<std::string_view, 33> k_greek = {
    "alpha",   "beta",   "gamma", "delta", "epsilon", "zeta",  "eta",   "theta", "iota",
    "kappa",   "lambda", "mu",    "nu",    "xi",      "pi",    "rho",   "sigma", "tau",
    "upsilon", "phi",    "chi",   "psi",   "omega",   "Gamma", "Delta", "Theta", "Lambda",
    "Xi",      "Pi",     "Sigma", "Phi",   "Psi",     "Omega"};

bool is_numeral(char c) { return c >= '0' && c <= '9'; }

// Characters that mean something to TeX.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("_%&#${}").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

std::string letter(std::string_view stem) {
    if (stem == "th") return "\\theta";
    if (stem == "epsilon") return "\\varepsilon";
    if (stem == "phi") return "\\varphi";
    if (std::find(k_greek.begin(), k_greek.end(), stem) != k_greek.end())
        return "\\" + std::string(stem);
    if (stem.size() == 1) return escaped(stem);
    return "\\mathrm{" + escaped(stem) + "}";
}

// One subscript: digits stay upright by nature, words are set upright, letters as letters.
std::string index(std::string_view text) {
    if (std::all_of(text.begin(), text.end(), is_numeral)) return std::string(text);
    return letter(text);
}

std::string dotted(const std::string& base, std::size_t primes) {
    switch (primes) {
    case 0: return base;
    case 1: return "\\dot{" + base + "}";
    case 2: return "\\ddot{" + base + "}";
    case 3: return "\\dddot{" + base + "}";
    default: return base + "^{(" + std::to_string(primes) + ")}";
    }
}

std::string number(const Number& n) {
    std::string text = digits_of(n);
    const std::size_t e = text.find('e');
    if (e == std::string::npos) return text;
    std::string exponent = text.substr(e + 1);
    if (exponent.front() == '+') exponent.erase(0, 1);
    const std::string sign = exponent.front() == '-' ? "-" : "";
    exponent.erase(0, std::min(exponent.find_first_of("123456789"), exponent.size()));
    return text.substr(0, e) + " \\cdot 10^{" + sign + exponent + "}";
}

std::string function(std::string_view name) {
    constexpr std::array<std::string_view, 11> k_known = {
        "sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "min", "max", "arg"};
    if (std::find(k_known.begin(), k_known.end(), name) != k_known.end())
        return "\\" + std::string(name);
    if (name == "asin") return "\\arcsin";
    if (name == "acos") return "\\arccos";
    if (name == "atan") return "\\arctan";
    return "\\operatorname{" + escaped(name) + "}";
}

constexpr Notation k_latex = {
    .number = number,
    .name = latex_name,
    .function = function,
    .times = " \\, ",
    .times_digit = " \\cdot ",
    .parentheses = {"\\left(", "\\right)"},
    .root = {"\\sqrt{", "}"},
    .absolute = {"\\left|", "\\right|"},
    .lower = {"\\left\\lfloor ", "\\right\\rfloor "},
    .exponent = {"{", "}"},
    .fraction = {"\\frac{", "}"},
    .over = "}{",
    .less = " < ",
    .less_equal = " \\le ",
    .both = " \\land ",
    .either = " \\lor ",
    .negation = "\\lnot ",
    .value_first = true,
    .case_open = "\\begin{cases} ",
    .case_first = " & ",
    .case_second = " \\\\ ",
    .case_close = " & \\text{otherwise} \\end{cases}",
    .braces = true,
};

} // namespace

std::string latex_name(std::string_view name) {
    std::size_t primes = 0;
    std::vector<std::string> subscripts;
    std::string stem;
    std::string word;
    // The stem ends at the first underscore, dot, bracket or trailing digit; primes count wherever
    // they are.
    bool in_stem = true;
    const auto close = [&] {
        if (in_stem) {
            const auto letters = word.find_last_not_of("0123456789");
            const std::size_t cut = letters == std::string::npos ? word.size() : letters + 1;
            stem = word.substr(0, cut);
            if (cut < word.size()) subscripts.push_back(index(word.substr(cut)));
            in_stem = false;
        } else if (!word.empty()) {
            subscripts.push_back(index(word));
        }
        word.clear();
    };
    for (const char c : name) {
        if (c == '\'')
            ++primes;
        else if (c == '_' || c == '.' || c == '[' || c == ']' || c == ',')
            close();
        else
            word += c;
    }
    close();
    std::string out = dotted(letter(stem), primes);
    if (subscripts.empty()) return out;
    out += "_{";
    for (std::size_t i = 0; i < subscripts.size(); ++i) out += (i > 0 ? "," : "") + subscripts[i];
    return out + "}";
}

std::string latex(Expr e) {
    const Listing listing = typeset(e, k_latex);
    std::string text;
    for (const Definition& d : listing.definitions) {
        if (d.kind == Definition::Kind::shared) text += d.name + " = " + d.body + ", \\quad ";
    }
    return text + listing.expressions[0];
}

Listing latex_with_names(std::span<const Expr> expressions, const ListingOptions& options) {
    return typeset(expressions, k_latex, options);
}

} // namespace liaison::expr
