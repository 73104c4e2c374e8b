// SPDX-License-Identifier: Apache-2.0
// Datasets, dimensions and attributes in the manner of netCDF-4, over the C library of HDF5.
#pragma once

#include "liaison/record/hdf5_handle.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace liaison::record {

// A group of a file under construction: the root, or one below it.
class Hdf5Writer {
  public:
    explicit Hdf5Writer(Hdf5Id group) : group_(group) {}

    // Creates a group that keeps the order of its members, as netCDF-4 does.
    [[nodiscard]] Handle group(const char* name) const;

    void attribute(const std::string& name, const std::string& value) const;
    void attribute(const std::string& name, double value) const;
    // Attributes of a dataset of this group.
    void attribute_of(const std::string& data, const std::string& name,
                      const std::string& value) const;

    void text(const char* name, const std::string& value) const; // one string
    void numbers(const std::string& name, const std::vector<std::size_t>& shape,
                 const std::vector<double>& values) const;
    void words(const std::string& name, const std::vector<std::string>& values) const;

    // The dataset becomes the coordinate of a dimension of the same name.
    void dimension(const std::string& name) const;
    // Names the axis of a dataset by a dimension of this group, or of another one.
    void axis(const std::string& data, unsigned axis, const std::string& dimension) const;
    void axis(const std::string& data, unsigned axis, const Hdf5Writer& other,
              const std::string& dimension) const;

  private:
    Hdf5Id group_;
};

// The bytes of a file, made in memory: whether the disk takes them is then one question with one answer.
[[nodiscard]] std::string hdf5_image(const std::function<void(const Hdf5Writer&)>& fill);

} // namespace liaison::record
