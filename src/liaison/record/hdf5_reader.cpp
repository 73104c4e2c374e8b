// SPDX-License-Identifier: Apache-2.0
// Reads datasets and attributes of HDF5 files.
#include "liaison/record/hdf5_reader.hpp"

#include "liaison/record/hdf5_seal.hpp"
#include "liaison/record/read_file.hpp"

#include <fmt/format.h>
#include <hdf5.h>

namespace liaison::record {
namespace {

[[noreturn]] void refuse(const std::string& name, const char* why) {
    throw std::runtime_error(fmt::format("{} {}", name, why));
}

// Only what lies in this very file: links may lead anywhere.
void demand_plain_link(Hdf5Id group, const std::string& name) {
    H5L_info_t info;
    if (H5Lexists(group, name.c_str(), H5P_DEFAULT) <= 0 ||
        H5Lget_info(group, name.c_str(), &info, H5P_DEFAULT) < 0)
        refuse(name, "is missing");
    if (info.type != H5L_TYPE_HARD) refuse(name, "is a link to somewhere else");
}

Handle open(Hdf5Id group, const std::string& name) {
    demand_plain_link(group, name);
    return {H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, "a part of it is damaged"};
}

// The file is read at once and handed over as bytes: it cannot change meanwhile, and the library opens nothing itself.
Handle open_file(const std::string& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // messages are ours
    H5PLset_loading_state(0); // no code from elsewhere to decode data
    std::string bytes = read_file(path);
    if (!is_sealed(bytes))
        throw std::runtime_error("it is damaged, was changed by another program, or was written by "
                                 "liaison before its files carried a checksum");
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "properties");
    constexpr std::size_t k_growth = 1U << 16U;
    check(H5Pset_fapl_core(access, k_growth, false), "memory");
    check(H5Pset_file_image(access, bytes.data(), bytes.size()), "memory");
    bytes = std::string();
    return {H5Fopen("result", H5F_ACC_RDONLY, access), H5Fclose, "it is not a whole HDF5 file"};
}

// Numbers of elements; refused where they are not what is stored in one piece in the file.
std::vector<std::size_t> stored_shape(Hdf5Id data, const std::string& name, std::size_t element) {
    // Nothing larger than this is believed: a damaged file must not ask for all memory.
    constexpr hsize_t k_most_bytes = 8'000'000'000;
    const Handle properties(H5Dget_create_plist(data), H5Pclose, "properties");
    const H5D_layout_t layout = H5Pget_layout(properties);
    if ((layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) ||
        H5Pget_external_count(properties) != 0)
        refuse(name, "is not stored in one piece");
    const Handle space(H5Dget_space(data), H5Sclose, "shape");
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 0 || H5Sget_simple_extent_type(space) == H5S_NULL) refuse(name, "has no shape");
    std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
    if (rank > 0) H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    hsize_t bytes = element;
    bool empty = false;
    for (const hsize_t n : shape) empty = empty || n == 0;
    for (const hsize_t n : shape) {
        if (n > k_most_bytes || (!empty && bytes > k_most_bytes / n))
            refuse(name, "has a damaged shape");
        bytes *= empty ? 0 : n;
    }
    if (bytes > 0 && H5Dget_storage_size(data) != bytes) refuse(name, "is not stored as a whole");
    return {shape.begin(), shape.end()};
}

std::size_t product(const std::vector<std::size_t>& shape) {
    std::size_t count = 1;
    for (const std::size_t n : shape) count *= n;
    return count;
}

// The length of strings that all have the same; others are never read.
std::size_t text_length(Hdf5Id type, const std::string& name) {
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0)
        refuse(name, "is not text of a fixed length");
    const std::size_t length = H5Tget_size(type);
    if (length == 0) refuse(name, "is not text of a fixed length");
    return length;
}

// One string of a field that is filled up with zeros.
std::string trimmed(std::string_view field) {
    return std::string(field.substr(0, field.find('\0')));
}

std::string text_attribute(Hdf5Id object, const std::string& name) {
    if (H5Aexists(object, name.c_str()) <= 0) return {};
    const Handle a(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "an attribute is damaged");
    const Handle stored(H5Aget_type(a), H5Tclose, "type");
    const std::size_t length = text_length(stored, name);
    const Handle space(H5Aget_space(a), H5Sclose, "shape");
    constexpr std::size_t k_most = 1U << 16U; // of an attribute
    if (H5Sget_simple_extent_npoints(space) != 1 || length > k_most)
        refuse(name, "has a damaged shape");
    std::string field(length, '\0');
    check(H5Aread(a, stored, field.data()), "an attribute is damaged");
    return trimmed(field);
}

} // namespace

Hdf5Reader::Hdf5Reader(const std::string& path) : handle_(open_file(path)) {}

Hdf5Reader Hdf5Reader::group(const std::string& name) const {
    demand_plain_link(handle_, name);
    return Hdf5Reader(
        Handle(H5Gopen2(handle_, name.c_str(), H5P_DEFAULT), H5Gclose, "a part of it is damaged"));
}

bool Hdf5Reader::has(const std::string& name) const {
    return H5Lexists(handle_, name.c_str(), H5P_DEFAULT) > 0;
}

Hdf5Reader::Numbers Hdf5Reader::numbers(const std::string& name) const {
    const Handle data = open(handle_, name);
    const Handle stored(H5Dget_type(data), H5Tclose, "type");
    if (H5Tequal(stored, H5T_IEEE_F64LE) <= 0)
        refuse(name, "does not hold numbers as liaison does");
    Numbers result{stored_shape(data, name, sizeof(double)), {}};
    result.values.resize(product(result.shape));
    if (!result.values.empty())
        check(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.values.data()),
              "its numbers are damaged");
    return result;
}

std::string Hdf5Reader::text(const std::string& name) const {
    const Handle data = open(handle_, name);
    const Handle stored(H5Dget_type(data), H5Tclose, "type");
    const std::size_t length = text_length(stored, name);
    if (product(stored_shape(data, name, length)) != 1) refuse(name, "is not one text");
    std::string field(length, '\0');
    check(H5Dread(data, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, field.data()),
          "its texts are damaged");
    return trimmed(field);
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
