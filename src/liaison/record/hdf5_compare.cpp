// SPDX-License-Identifier: Apache-2.0
// Two HDF5 results, dataset by dataset.
#include "liaison/record/compare_files.hpp"
#include "liaison/record/hdf5_reader.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>

namespace liaison::record {
Comparison compare_hdf5(const std::string& a, const std::string& b) {
    constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
    const Hdf5Reader first(a);
    const Hdf5Reader second(b);
    const auto names = first.numeric_datasets();
    const auto others = second.numeric_datasets();
    Comparison result;
    for (const std::string& name : others) {
        if (!names.contains(name)) result.differences.push_back({"/" + name, 1, k_nan});
    }
    for (const std::string& name : names) {
        if (!others.contains(name)) {
            result.differences.push_back({"/" + name, 1, k_nan});
            continue;
        }
        const auto x = first.numbers(name).values;
        const auto y = second.numbers(name).values;
        result.compared += x.size();
        Difference found{"/" + name, 0, x.size() == y.size() ? 0.0 : k_nan};
        if (x.size() != y.size()) ++found.count;
        for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
            // NaN stands for "does not exist"
            if (std::bit_cast<std::uint64_t>(x[i]) == std::bit_cast<std::uint64_t>(y[i]) ||
                (std::isnan(x[i]) && std::isnan(y[i])))
                continue;
            ++found.count;
            found.largest = std::max(found.largest, std::abs(x[i] - y[i]));
        }
        if (found.count > 0) result.differences.push_back(found);
    }
    return result;
}

} // namespace liaison::record
