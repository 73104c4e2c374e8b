// SPDX-License-Identifier: Apache-2.0
// Datasets, dimensions and attributes in the manner of netCDF-4, over the C library of HDF5.
#pragma once

#include "liaison/record/hdf5_handle.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace liaison::record {

// A group of a file under construction: the root, or one below it.
class Hdf5Writer {
  public:
    explicit Hdf5Writer(Hdf5Id file) : group_(file), book_(std::make_shared<Book>()) {}
    // A group below, made with group(name).
    Hdf5Writer(Hdf5Id group, const Hdf5Writer& parent, const std::string& name)
        : group_(group), path_(parent.path_ + name + "/"), book_(parent.book_) {}

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
    // A list of strings, of variable length because other programs expect it. liaison does not read them back: whoever
    // writes the file writes the book of all of them as one text.
    void words(const std::string& name, const std::vector<std::string>& values) const;
    using Book =
        std::map<std::string, std::vector<std::string>>; // by path: "q_name", "events/kind"
    [[nodiscard]] const Book& book() const { return *book_; }

    // The dataset becomes the coordinate of a dimension of the same name.
    void dimension(const std::string& name) const;
    // Names the axis of a dataset by a dimension of this group, or of another one.
    void axis(const std::string& data, unsigned axis, const std::string& dimension) const;
    void axis(const std::string& data, unsigned axis, const Hdf5Writer& other,
              const std::string& dimension) const;

  private:
    Hdf5Id group_;
    std::string path_;
    std::shared_ptr<Book> book_;
};

// The bytes of a file, made in memory and sealed: whether the disk takes them is then one question with one answer.
[[nodiscard]] std::string hdf5_image(const std::function<void(const Hdf5Writer&)>& fill);

} // namespace liaison::record
