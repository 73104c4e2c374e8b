// SPDX-License-Identifier: Apache-2.0
// Reads datasets and attributes of the HDF5 files that liaison writes, believing nothing about them: sealed, stored in one
// piece, numbers of one kind, text of fixed length. What other programs may put into such files (links to other files,
// filters, text of variable length) is not touched.
#pragma once

#include "liaison/record/hdf5_handle.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace liaison::record {

// A file, or a group of one. Everything throws std::runtime_error with a few words.
class Hdf5Reader {
  public:
    explicit Hdf5Reader(const std::string& path);
    [[nodiscard]] Hdf5Reader group(const std::string& name) const;

    struct Numbers {
        std::vector<std::size_t> shape;
        std::vector<double> values;
    };
    [[nodiscard]] bool has(const std::string& name) const;
    [[nodiscard]] Numbers numbers(const std::string& name) const;
    [[nodiscard]] std::string text(const std::string& name) const; // one string
    // Text attributes; empty where there is none.
    [[nodiscard]] std::string attribute(const std::string& name) const;
    [[nodiscard]] std::string attribute_of(const std::string& data, const std::string& name) const;
    // Names of all datasets of numbers, those of groups below with their paths.
    [[nodiscard]] std::set<std::string> numeric_datasets() const;

  private:
    explicit Hdf5Reader(Handle handle) : handle_(std::move(handle)) {}
    Handle handle_;
};

// The version of the library: "1.10.8".
std::string hdf5_version();

} // namespace liaison::record
