// SPDX-License-Identifier: Apache-2.0
// Encoding of images: little-endian words, every length checked on the way back.
#include "liaison/compile/code_image.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace liaison::compile {
namespace {

static_assert(std::endian::native == std::endian::little, "cache files are little-endian");

constexpr std::array<char, 16> k_magic = {'l', 'i', 'a', 'i', 's', 'o', 'n',  ' ',
                                          'c', 'o', 'd', 'e', ' ', '1', '\n', '\0'};
constexpr std::uint64_t k_most_functions = 1U << 20;
constexpr std::uint64_t k_most_bytes = 1U << 28;
constexpr std::uint64_t k_largest_workspace = std::uint64_t{1} << 32;
constexpr std::uint32_t k_most_lanes = 64;

class ImageWriter {
  public:
    std::vector<std::byte> bytes;
    void raw(const void* data, std::size_t size) {
        const auto* begin = static_cast<const std::byte*>(data);
        bytes.insert(bytes.end(), begin, begin + size);
    }
    template <class T>
    void number(T value) {
        raw(&value, sizeof value);
    }
    template <class T>
    void list(const std::vector<T>& values) {
        number<std::uint64_t>(values.size());
        raw(values.data(), values.size() * sizeof(T));
    }
};

class Reader {
  public:
    explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}
    template <class T>
    bool number(T& value) {
        if (left_.size() < sizeof value) return false;
        std::memcpy(&value, left_.data(), sizeof value);
        left_ = left_.subspan(sizeof value);
        return true;
    }
    template <class T>
    bool list(std::vector<T>& values, std::uint64_t most) {
        std::uint64_t n = 0;
        if (!number(n) || n > most || n > left_.size() / sizeof(T)) return false;
        values.resize(n);
        if (n > 0) std::memcpy(values.data(), left_.data(), n * sizeof(T));
        left_ = left_.subspan(n * sizeof(T));
        return true;
    }
    [[nodiscard]] bool empty() const { return left_.empty(); }

  private:
    std::span<const std::byte> left_;
};

bool sensible(const CodeImage& image) {
    const auto n = image.functions.size();
    if (image.lanes == 0 || image.lanes > k_most_lanes || n == 0) return false;
    if (image.workspace_size > k_largest_workspace) return false;
    const std::uint64_t rows = image.workspace_size / image.lanes;
    return std::uint64_t{image.status} + 2 <= rows &&
           std::all_of(image.functions.begin(), image.functions.end(),
                       [&](auto at) { return at < image.bytes.size(); }) &&
           std::all_of(image.first.begin(), image.first.end(), [&](auto k) { return k < n; }) &&
           std::all_of(image.guards.begin(), image.guards.end(),
                       [&](auto row) { return row < rows; });
}

Digest checksum(std::span<const std::byte> payload, const Digest& key) {
    Hash128 hash;
    hash.add(key[0]);
    hash.add(key[1]);
    hash.add(payload);
    return hash.digest();
}

constexpr std::size_t k_header = sizeof k_magic + 2 * sizeof(Digest);

} // namespace

std::string hex(const Digest& digest) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint64_t word : digest) {
        for (int shift = 60; shift >= 0; shift -= 4) text += digits[(word >> shift) & 15U];
    }
    return text;
}

std::vector<std::byte> encode(const CodeImage& image, const Digest& key) {
    ImageWriter payload;
    payload.number(image.lanes);
    for (const std::uint32_t k : image.first) payload.number(k);
    payload.number(image.status);
    payload.number(image.workspace_size);
    payload.list(image.functions);
    payload.list(image.guards);
    payload.list(image.bytes);
    ImageWriter file;
    file.raw(k_magic.data(), k_magic.size());
    file.number(key);
    file.number(checksum(payload.bytes, key));
    file.raw(payload.bytes.data(), payload.bytes.size());
    return std::move(file.bytes);
}

std::optional<CodeImage> decode_image(std::span<const std::byte> payload) {
    Reader in(payload);
    CodeImage image;
    bool good = in.number(image.lanes);
    for (std::uint32_t& k : image.first) good = good && in.number(k);
    good = good && in.number(image.status) && in.number(image.workspace_size) &&
           in.list(image.functions, k_most_functions) && in.list(image.guards, k_most_functions) &&
           in.list(image.bytes, k_most_bytes) && in.empty() && sensible(image);
    if (!good) return std::nullopt;
    return image;
}

std::optional<CodeImage> decode(std::span<const std::byte> file, const Digest& key) {
    if (file.size() < k_header || std::memcmp(file.data(), k_magic.data(), k_magic.size()) != 0)
        return std::nullopt;
    Digest stored_key;
    Digest stored_sum;
    std::memcpy(&stored_key, file.data() + sizeof k_magic, sizeof stored_key);
    std::memcpy(&stored_sum, file.data() + sizeof k_magic + sizeof stored_key, sizeof stored_sum);
    const auto payload = file.subspan(k_header);
    if (stored_key != key || stored_sum != checksum(payload, key)) return std::nullopt;
    return decode_image(payload);
}

} // namespace liaison::compile
