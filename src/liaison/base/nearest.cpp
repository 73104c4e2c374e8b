// SPDX-License-Identifier: Apache-2.0
// Did you mean: the known word nearest to a misspelt one.
#include "liaison/base/nearest.hpp"

#include <algorithm>
#include <cctype>

namespace liaison::base {

namespace {

constexpr std::size_t k_longest_word = 64;

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

} // namespace

// Optimal string alignment distance, three rows of the table at a time.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
    const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (difference > limit) return limit + 1;
    std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
        }
        if (*std::ranges::min_element(current) > limit) return limit + 1;
        std::swap(before, previous);
        std::swap(previous, current);
    }
    return std::min(previous[b.size()], limit + 1);
}

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
    if (word.empty() || word.size() > k_longest_word) return std::nullopt;
    const std::string wanted = lower(word);
    std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
    std::optional<std::string> found;
    for (const std::string& candidate : candidates) {
        if (candidate == word || candidate.size() > 2 * k_longest_word) continue;
        const std::string known = lower(candidate);
        const std::size_t distance = edit_distance(wanted, known, best - 1);
        // A one-letter word shares nothing with another one-letter word.
        const bool all_changed = distance >= std::max(wanted.size(), known.size());
        if (distance < best && !all_changed) {
            best = distance;
            found = candidate;
            if (best == 0) break;
        }
    }
    return found;
}

} // namespace liaison::base
