// SPDX-License-Identifier: Apache-2.0
// Datasets, dimensions and attributes in the manner of netCDF-4.
#include "liaison/record/hdf5_writer.hpp"

#include "liaison/record/hdf5_seal.hpp"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <sys/types.h>

#include <algorithm>
#include <string_view>

namespace liaison::record {
namespace {

constexpr std::size_t k_shortest = 2; // bytes of a string

// A string of this length in UTF-8, filled up with zeros. Those of variable length lie in a heap of the file, and damage
// there takes the library along when they are read. netCDF takes strings of one byte for single characters.
Handle text_type(std::size_t length) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "string type");
    check(H5Tset_size(type, std::max(length, k_shortest)), "string size");
    check(H5Tset_strpad(type, H5T_STR_NULLPAD), "string padding");
    check(H5Tset_cset(type, H5T_CSET_UTF8), "string encoding");
    return type;
}

// A header message holds no more than 64 KiB. The only text that may be longer is a command line, and it is also kept whole
// in the provenance.
std::string_view fitting_an_attribute(std::string_view text) {
    constexpr std::size_t k_most = 32'000;
    if (text.size() <= k_most) return text;
    std::size_t end = k_most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return text.substr(0, end);
}

Handle scalar() { return {H5Screate(H5S_SCALAR), H5Sclose, "scalar space"}; }

// No times of creation: the same run gives the same file.
Handle dataset_properties() {
    Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "properties");
    check(H5Pset_obj_track_times(properties, false), "properties");
    check(H5Pset_attr_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
          "properties");
    return properties;
}

Handle open(hid_t group, const std::string& name) {
    return {H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, "dataset"};
}

void write_attribute(hid_t object, const std::string& name, hid_t type, const void* value) {
    const Handle space = scalar();
    const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose, "attribute");
    check(H5Awrite(attribute, type, value), "writing an attribute");
}

void write_attribute(hid_t object, const std::string& name, const std::string& value) {
    std::string text(fitting_an_attribute(value));
    text.resize(std::max(text.size(), k_shortest), '\0');
    const Handle type = text_type(text.size());
    write_attribute(object, name, type, text.data());
}

} // namespace

Handle Hdf5Writer::group(const char* name) const {
    const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "properties");
    check(H5Pset_link_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
          "properties");
    check(H5Pset_obj_track_times(properties, false), "properties");
    return {H5Gcreate2(group_, name, H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose, "group"};
}

void Hdf5Writer::attribute(const std::string& name, const std::string& value) const {
    write_attribute(group_, name, value);
}

void Hdf5Writer::attribute(const std::string& name, double value) const {
    write_attribute(group_, name, H5T_NATIVE_DOUBLE, &value);
}

void Hdf5Writer::attribute_of(const std::string& data, const std::string& name,
                              const std::string& value) const {
    const Handle dataset = open(group_, data);
    write_attribute(dataset, name, value);
}

void Hdf5Writer::text(const char* name, const std::string& value) const {
    std::string cell = value;
    cell.resize(std::max(cell.size(), k_shortest), '\0');
    const Handle type = text_type(cell.size());
    const Handle space = scalar();
    const Handle properties = dataset_properties();
    const Handle data(H5Dcreate2(group_, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                      H5Dclose, "dataset");
    check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cell.data()), "writing a text");
}

void Hdf5Writer::numbers(const std::string& name, const std::vector<std::size_t>& shape,
                         const std::vector<double>& values) const {
    const std::vector<hsize_t> extents(shape.begin(), shape.end());
    const Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
                       H5Sclose, "space");
    const Handle properties = dataset_properties();
    const Handle data(H5Dcreate2(group_, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT,
                                 properties, H5P_DEFAULT),
                      H5Dclose, "dataset");
    if (!values.empty())
        check(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              "writing numbers");
}

void Hdf5Writer::words(const std::string& name, const std::vector<std::string>& values) const {
    // netCDF reads lists of strings of variable length only: those of fixed length overrun its memory (4.9.0).
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "string type");
    check(H5Tset_size(type, H5T_VARIABLE), "string size");
    check(H5Tset_cset(type, H5T_CSET_UTF8), "string encoding");
    const hsize_t n = values.size();
    const Handle space(H5Screate_simple(1, &n, nullptr), H5Sclose, "space");
    const Handle properties = dataset_properties();
    const Handle data(
        H5Dcreate2(group_, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
        H5Dclose, "dataset");
    std::vector<const char*> pointers;
    pointers.reserve(values.size());
    for (const std::string& w : values) pointers.push_back(w.c_str());
    if (n > 0)
        check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       static_cast<const void*>(pointers.data())),
              "writing words");
    (*book_)[path_ + name] = values;
}

void Hdf5Writer::dimension(const std::string& name) const {
    const Handle data = open(group_, name);
    check(H5DSset_scale(data, name.c_str()), "dimension scale");
}

void Hdf5Writer::axis(const std::string& data, unsigned axis, const std::string& dimension) const {
    this->axis(data, axis, *this, dimension);
}

void Hdf5Writer::axis(const std::string& data, unsigned axis, const Hdf5Writer& other,
                      const std::string& dimension) const {
    const Handle dataset = open(group_, data);
    const Handle scale = open(other.group_, dimension);
    check(H5DSattach_scale(dataset, scale, axis), "attaching a scale");
}

std::string hdf5_image(const std::function<void(const Hdf5Writer&)>& fill) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // messages are ours
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "properties");
    constexpr std::size_t k_growth = 1U << 20U;
    check(H5Pset_fapl_core(access, k_growth, false), "memory");
    const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "properties");
    check(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
          "properties");
    check(H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
          "properties");
    check(H5Pset_obj_track_times(creation, false), "properties");
    const Handle file(H5Fcreate("result", H5F_ACC_TRUNC, creation, access), H5Fclose,
                      "the file cannot be created");
    fill(Hdf5Writer(file));
    check(H5Fflush(file, H5F_SCOPE_GLOBAL), "the file cannot be completed");
    const ssize_t size = H5Fget_file_image(file, nullptr, 0);
    if (size < 0) throw std::runtime_error("the file cannot be completed");
    std::string image(static_cast<std::size_t>(size), '\0');
    if (H5Fget_file_image(file, image.data(), image.size()) < 0)
        throw std::runtime_error("the file cannot be completed");
    return sealed(std::move(image));
}

} // namespace liaison::record
