// SPDX-License-Identifier: Apache-2.0
// Two result files number by number: are they the same to the last bit?
#pragma once

#include "liaison/record/saved.hpp"

#include <string>
#include <vector>

namespace liaison::record {

struct Difference {
    std::string what;     // "/q", "events", "line 12"
    std::size_t count = 0;
    double largest = 0.0; // absolute difference; NaN where they cannot be compared
};

struct Comparison {
    std::size_t compared = 0; // numbers
    std::vector<Difference> differences;
};

// Both files of one kind. What tells about the making (provenance, times of computing) is left out.
Comparison compare_files(const std::string& a, const std::string& b, FileKind kind);

// The part for HDF5.
Comparison compare_hdf5(const std::string& a, const std::string& b);

} // namespace liaison::record
