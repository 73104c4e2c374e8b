// SPDX-License-Identifier: Apache-2.0
// Ordering of names, terms and factors, and the decimal form of numbers.
#include "liaison/expr/reading.hpp"

#include "liaison/base/number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>
#include <tuple>

namespace liaison::expr {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "x2" < "x10" < "y": runs of digits compare as numbers.
bool name_less(std::string_view a, std::string_view b) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (is_digit(a[i]) && is_digit(b[j])) {
            const auto run = [](std::string_view s, std::size_t from) {
                std::size_t to = from;
                while (to < s.size() && is_digit(s[to])) ++to;
                while (from + 1 < to && s[from] == '0') ++from;
                return std::pair(s.substr(from, to - from), to);
            };
            const auto [x, after_x] = run(a, i);
            const auto [y, after_y] = run(b, j);
            if (x != y) return std::tuple(x.size(), x) < std::tuple(y.size(), y);
            i = after_x;
            j = after_y;
        } else {
            if (a[i] != b[j]) return a[i] < b[j];
            ++i;
            ++j;
        }
    }
    return std::tuple(a.size() - i, a) < std::tuple(b.size() - j, b);
}

bool has_name(const Node* n) { return n->op == Op::symbol || n->op == Op::named; }

int kind(const Node* n) {
    if (n->op == Op::number) return 0;
    if (has_name(n)) return 1;
    return n->op == Op::add ? 2 : 3;
}

} // namespace

Reading::Reading(std::span<const Node* const> nodes) {
    std::vector<const Node*> named;
    for (const Node* n : nodes) {
        if (has_name(n)) named.push_back(n);
    }
    const auto name = [](const Node* n) -> const std::string& { return n->pool->name(*n); };
    std::stable_sort(named.begin(), named.end(),
                     [&](const Node* a, const Node* b) { return name_less(name(a), name(b)); });
    ranks_.reserve(nodes.size());
    for (std::uint32_t i = 0; i < named.size(); ++i) ranks_[named[i]] = i;
    for (const Node* n : nodes) {
        std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
        for (std::uint32_t i = 0; i < n->n_args; ++i) first = std::min(first, rank(n->args[i]));
        ranks_.try_emplace(n, first);
    }
}

std::uint32_t Reading::rank(const Node* n) const {
    const auto found = ranks_.find(n);
    return found == ranks_.end() ? std::numeric_limits<std::uint32_t>::max() : found->second;
}

WrittenFraction Reading::fraction(const Number& weight, const Node* node) const {
    WrittenFraction f;
    Number coefficient = weight;
    const bool has_coefficient = node != nullptr && (node->op == Op::mul || node->op == Op::number);
    const Number product = has_coefficient ? weight * node->numbers[0] : weight;
    // Coefficients whose product leaves the range of doubles stand side by side.
    const bool joined =
        product.is_finite() && (!product.is_zero() || node == nullptr || weight.is_one());
    if (node != nullptr && node->op == Op::mul && joined) {
        coefficient = product;
        for (std::uint32_t i = 0; i < node->n_args; ++i) {
            const Number& exponent = node->numbers[i + 1];
            if (exponent.negative())
                f.below.push_back({node->args[i], -exponent});
            else
                f.above.push_back({node->args[i], exponent});
        }
    } else if (node != nullptr && node->op == Op::number && joined) {
        coefficient = product;
    } else if (node != nullptr) {
        f.above.push_back({node, Number(1)});
    }
    f.negative = coefficient.negative();
    if (f.negative) coefficient = -coefficient;
    f.numerator = coefficient;
    if (coefficient.exact() && !coefficient.is_integer() && !as_decimal(coefficient)) {
        f.numerator = Number::rational(coefficient.num(), 1);
        f.denominator = Number::rational(coefficient.den(), 1);
    }
    const auto before = [&](const Factor& a, const Factor& b) {
        return std::tuple(kind(a.base), rank(a.base), a.base->op, a.base->id) <
               std::tuple(kind(b.base), rank(b.base), b.base->op, b.base->id);
    };
    std::sort(f.above.begin(), f.above.end(), before);
    std::sort(f.below.begin(), f.below.end(), before);
    return f;
}

std::vector<Term> Reading::terms(const Node* sum, bool flipped) const {
    // What a term is ordered by: its sign, polynomials before functions, the first name, x² before
    // x before x·y.
    struct Key {
        bool negative;
        int kind;
        std::uint32_t rank;
        double minus_degree;
        std::uint32_t factors;
        std::uint32_t id;
        auto operator<=>(const Key&) const = default;
    };
    std::vector<std::pair<Key, Term>> keyed;
    for (std::uint32_t i = 0; i < sum->n_args; ++i) {
        const Node* n = sum->args[i];
        const Number weight = flipped ? -sum->numbers[i + 1] : sum->numbers[i + 1];
        const bool product = n->op == Op::mul;
        const bool minus = weight.negative() != (product && n->numbers[0].negative());
        Key key{
            minus, product ? 0 : kind(n), rank(n), product ? 0.0 : -1.0, product ? n->n_args : 1,
            n->id};
        for (std::uint32_t j = 0; product && j < n->n_args; ++j) {
            key.kind = std::max(key.kind, kind(n->args[j]));
            if (rank(n->args[j]) != key.rank) continue;
            key.minus_degree = std::min(key.minus_degree, -n->numbers[j + 1].value());
        }
        keyed.push_back({key, {weight, n}});
    }
    std::sort(keyed.begin(), keyed.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Term> result;
    for (const auto& [key, term] : keyed) result.push_back(term);
    const Number constant = flipped ? -sum->numbers[0] : sum->numbers[0];
    if (!constant.is_zero()) {
        const auto first_negative = std::find_if(keyed.begin(), keyed.end(),
                                                 [](const auto& k) { return k.first.negative; });
        const auto at = constant.negative() ? keyed.end() : first_negative;
        result.insert(result.begin() + (at - keyed.begin()), {constant, nullptr});
    }
    return result;
}

std::optional<std::string> as_decimal(const Number& n) {
    if (!n.exact() || n.is_integer() || n.den() == 2 || n.den() == 4 || n.den() == 8)
        return std::nullopt;
    // num/(2^a 5^b) = digits / 10^max(a, b)
    std::int64_t rest = n.den();
    int twos = 0;
    int fives = 0;
    for (; rest % 2 == 0; rest /= 2) ++twos;
    for (; rest % 5 == 0; rest /= 5) ++fives;
    constexpr int k_max_places = 17;
    const int places = std::max(twos, fives);
    if (rest != 1 || places > k_max_places) return std::nullopt;
    __int128 digits = n.num();
    for (int i = twos; i < places; ++i) digits *= 2;
    for (int i = fives; i < places; ++i) digits *= 5;
    constexpr __int128 k_longest = 100'000'000'000'000'000; // 17 digits
    if (digits >= k_longest) return std::nullopt;
    std::string text = std::to_string(static_cast<std::int64_t>(digits));
    constexpr int k_leading_zeros = 4;
    const int order = static_cast<int>(text.size()) - 1 - places; // of the first digit
    if (order < -k_leading_zeros) {
        if (text.size() > 1) text.insert(1, ".");
        return text + "e" + std::to_string(order);
    }
    if (order < 0) text.insert(0, static_cast<std::size_t>(-order), '0');
    return text.insert(text.size() - static_cast<std::size_t>(places), ".");
}

std::string digits_of(const Number& n) {
    if (n.is_integer()) return std::to_string(n.num());
    if (n.exact()) {
        if (const auto decimal = as_decimal(n)) return *decimal;
    }
    // A double that is not exact must not read back as a short exact decimal: add digits until it
    // does not.
    std::string text = base::shortest(n.value());
    for (int precision = 17; precision < 40; ++precision) {
        const auto read = Number::from_decimal(text);
        if (!read || *read == n) return text;
        std::array<char, 64> buffer{};
        const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), n.value(),
                                       std::chars_format::general, precision)
                             .ptr;
        text.assign(buffer.data(), end);
    }
    return text;
}

} // namespace liaison::expr
