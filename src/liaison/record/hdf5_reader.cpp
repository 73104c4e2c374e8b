// SPDX-License-Identifier: Apache-2.0
// Reads datasets and attributes of HDF5 files.
#include "liaison/record/hdf5_reader.hpp"

#include <fmt/format.h>
#include <hdf5.h>

namespace liaison::record {
namespace {

// Nothing larger than this is believed: a damaged file must not ask for all memory.
constexpr hsize_t k_most_numbers = 1'000'000'000;

Handle text_type() {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "string type");
    check(H5Tset_size(type, H5T_VARIABLE), "string size");
    check(H5Tset_cset(type, H5T_CSET_UTF8), "string encoding");
    return type;
}

Handle open(Hdf5Id group, const std::string& name) {
    return {H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, "a part of it is missing"};
}

Handle open_file(const std::string& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // messages are ours
    return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
            "it is not a whole HDF5 file"};
}

std::vector<std::size_t> shape_of(Hdf5Id data) {
    const Handle space(H5Dget_space(data), H5Sclose, "shape");
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 0) throw std::runtime_error("its shapes are damaged");
    std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
    if (rank > 0) H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    hsize_t count = 1;
    for (const hsize_t n : shape) {
        if (n > k_most_numbers || count * n > k_most_numbers)
            throw std::runtime_error("its shapes are damaged");
        count *= n;
    }
    return {shape.begin(), shape.end()};
}

std::size_t product(const std::vector<std::size_t>& shape) {
    std::size_t count = 1;
    for (const std::size_t n : shape) count *= n;
    return count;
}

// Text that the library allocated; given back here.
std::string taken(char* text) {
    std::string result = text == nullptr ? "" : text;
    H5free_memory(text);
    return result;
}

// The library converts between strings of any length only.
void demand_text(Hdf5Id type) {
    const bool text = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0;
    if (!text) throw std::runtime_error("its words are damaged");
}

std::string text_attribute(Hdf5Id object, const std::string& name) {
    if (H5Aexists(object, name.c_str()) <= 0) return {};
    const Handle a(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "an attribute is missing");
    const Handle stored(H5Aget_type(a), H5Tclose, "type");
    demand_text(stored);
    const Handle type = text_type();
    char* pointer = nullptr;
    check(H5Aread(a, type, static_cast<void*>(&pointer)), "its attributes are damaged");
    return taken(pointer);
}

} // namespace

Hdf5Reader::Hdf5Reader(const std::string& path) : handle_(open_file(path)) {}

Hdf5Reader Hdf5Reader::group(const std::string& name) const {
    return Hdf5Reader(
        Handle(H5Gopen2(handle_, name.c_str(), H5P_DEFAULT), H5Gclose, "a part of it is missing"));
}

bool Hdf5Reader::has(const std::string& name) const {
    return H5Lexists(handle_, name.c_str(), H5P_DEFAULT) > 0;
}

Hdf5Reader::Numbers Hdf5Reader::numbers(const std::string& name) const {
    const Handle data = open(handle_, name);
    Numbers result{shape_of(data), {}};
    result.values.resize(product(result.shape));
    if (!result.values.empty())
        check(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.values.data()),
              "its numbers are damaged");
    return result;
}

std::vector<std::string> Hdf5Reader::words(const std::string& name) const {
    const Handle data = open(handle_, name);
    const Handle stored(H5Dget_type(data), H5Tclose, "type");
    demand_text(stored);
    const Handle type = text_type();
    std::vector<char*> pointers(product(shape_of(data)), nullptr);
    if (!pointers.empty())
        check(
            H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, static_cast<void*>(pointers.data())),
            "its words are damaged");
    std::vector<std::string> result;
    for (char* p : pointers) result.push_back(taken(p));
    return result;
}

std::string Hdf5Reader::attribute(const std::string& name) const {
    return text_attribute(handle_, name);
}

std::string Hdf5Reader::attribute_of(const std::string& data, const std::string& name) const {
    return text_attribute(open(handle_, data), name);
}

std::set<std::string> Hdf5Reader::numeric_datasets() const {
    std::set<std::string> names;
    const auto visit = [](hid_t object, const char* name, const H5O_info_t* info,
                          void* target) -> herr_t {
        if (info->type != H5O_TYPE_DATASET) return 0;
        const hid_t data = H5Oopen(object, name, H5P_DEFAULT);
        const hid_t type = data < 0 ? -1 : H5Dget_type(data);
        if (type >= 0 && H5Tget_class(type) == H5T_FLOAT)
            static_cast<std::set<std::string>*>(target)->insert(name);
        if (type >= 0) H5Tclose(type);
        if (data >= 0) H5Oclose(data);
        return 0;
    };
    check(H5Ovisit2(handle_, H5_INDEX_NAME, H5_ITER_INC, visit, &names, H5O_INFO_BASIC),
          "its parts cannot be listed");
    return names;
}

std::string hdf5_version() {
    unsigned major = 0;
    unsigned minor = 0;
    unsigned release = 0;
    H5get_libversion(&major, &minor, &release);
    return fmt::format("{}.{}.{}", major, minor, release);
}

} // namespace liaison::record
