// SPDX-License-Identifier: Apache-2.0
// Handles of the HDF5 library that close themselves; a failed call is an exception with a few words.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>

namespace liaison::record {

// The library's hid_t and herr_t are these integers; its header stays in the two adapters.
using Hdf5Id = std::int64_t;

class Handle {
  public:
    Handle(Hdf5Id id, int (*close)(Hdf5Id), const char* what) : id_(id), close_(close) {
        if (id_ < 0) throw std::runtime_error(what);
    }
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    Handle& operator=(Handle&&) = delete;
    operator Hdf5Id() const { return id_; }

  private:
    Hdf5Id id_;
    int (*close_)(Hdf5Id);
};

inline void check(int status, const char* what) {
    if (status < 0) throw std::runtime_error(what);
}

} // namespace liaison::record
