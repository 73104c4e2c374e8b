// SPDX-License-Identifier: Apache-2.0
// PNG by fixed Huffman codes: pixels repeat along rows and from row to row, so two distances find nearly everything.
#include "liaison/record/raster.hpp"

#include "liaison/base/assert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace liaison::record {
namespace {

// Bits from the least significant one on; Huffman codes with their most significant bit first.
class Bits {
  public:
    void put(std::uint32_t value, unsigned count) {
        for (unsigned i = 0; i < count; ++i) bit((value >> i) & 1U);
    }
    void code(std::uint32_t value, unsigned count) {
        for (unsigned i = count; i-- > 0;) bit((value >> i) & 1U);
    }
    std::string take() {
        while (used_ != 0) bit(0);
        return std::move(bytes_);
    }

  private:
    void bit(std::uint32_t b) {
        byte_ = static_cast<std::uint8_t>(byte_ | (b << used_));
        if (++used_ < 8) return;
        bytes_ += static_cast<char>(byte_);
        byte_ = 0;
        used_ = 0;
    }
    std::string bytes_;
    std::uint8_t byte_ = 0;
    unsigned used_ = 0;
};

void put_symbol(Bits& out, unsigned symbol) {
    if (symbol < 144)
        out.code(0x30 + symbol, 8);
    else if (symbol < 256)
        out.code(0x190 + symbol - 144, 9);
    else if (symbol < 280)
        out.code(symbol - 256, 7);
    else
        out.code(0xC0 + symbol - 280, 8);
}

// Lengths 3 … 258 and distances 1 … 32768 as code and extra bits (RFC 1951, 3.2.5).
void put_match(Bits& out, unsigned length, unsigned distance) {
    if (length == 258) {
        put_symbol(out, 285);
    } else {
        const unsigned l = length - 3;
        unsigned extra = 0;
        while ((l >> extra) >= 8) ++extra;
        const unsigned code = 257 + 4 * extra + (l >> extra);
        put_symbol(out, code);
        out.put(l & ((1U << extra) - 1U), extra);
    }
    const unsigned d = distance - 1;
    unsigned extra = 0;
    while ((d >> extra) >= 4) ++extra;
    out.code(2 * extra + (d >> extra), 5);
    out.put(d & ((1U << extra) - 1U), extra);
}

std::string deflate(std::string_view data, std::size_t row) {
    constexpr std::size_t k_longest = 258;
    constexpr std::size_t k_farthest = 32768;
    Bits out;
    out.put(1, 1); // the last block
    out.put(1, 2); // fixed codes
    const auto run = [&](std::size_t at, std::size_t distance) {
        if (at < distance || distance > k_farthest) return std::size_t{0};
        std::size_t n = 0;
        while (n < k_longest && at + n < data.size() && data[at + n] == data[at + n - distance])
            ++n;
        return n;
    };
    for (std::size_t i = 0; i < data.size();) {
        const std::size_t along = run(i, 1);
        const std::size_t above = run(i, row);
        const std::size_t n = std::max(along, above);
        if (n < 3) {
            put_symbol(out, static_cast<unsigned char>(data[i++]));
            continue;
        }
        put_match(out, static_cast<unsigned>(n), static_cast<unsigned>(along >= above ? 1 : row));
        i += n;
    }
    put_symbol(out, 256);
    return out.take();
}

void put_number(std::string& to, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>((value >> shift) & 0xFFU);
}

std::uint32_t crc(std::string_view bytes) {
    std::uint32_t c = 0xFFFFFFFFU;
    for (const char b : bytes) {
        c ^= static_cast<unsigned char>(b);
        for (int i = 0; i < 8; ++i) c = (c >> 1U) ^ ((c & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    return ~c;
}

std::uint32_t adler(std::string_view bytes) {
    constexpr std::uint32_t k_modulus = 65521;
    std::uint32_t a = 1, b = 0;
    for (const char c : bytes) {
        a = (a + static_cast<unsigned char>(c)) % k_modulus;
        b = (b + a) % k_modulus;
    }
    return (b << 16U) | a;
}

void put_chunk(std::string& to, std::string_view type, const std::string& data) {
    put_number(to, static_cast<std::uint32_t>(data.size()));
    const std::string body = std::string(type) + data;
    to += body;
    put_number(to, crc(body));
}

} // namespace

Raster enlarged(const Raster& raster, std::size_t width, std::size_t height) {
    const std::size_t across = std::max<std::size_t>(1, (width + raster.width - 1) / raster.width);
    const std::size_t down = std::max<std::size_t>(1, (height + raster.height - 1) / raster.height);
    Raster result = raster;
    result.width = raster.width * across;
    result.height = raster.height * down;
    result.pixels.clear();
    for (std::size_t y = 0; y < result.height; ++y)
        for (std::size_t x = 0; x < result.width; ++x)
            result.pixels.push_back(raster.pixels[(y / down) * raster.width + x / across]);
    return result;
}

std::string to_png(const Raster& raster) {
    LIAISON_ASSERT(raster.pixels.size() == raster.width * raster.height && raster.width > 0 &&
                       !raster.palette.empty() && raster.palette.size() <= 256,
                   "a raster is complete");
    std::string rows;
    for (std::size_t y = 0; y < raster.height; ++y) {
        rows += '\0'; // no filter
        for (std::size_t x = 0; x < raster.width; ++x)
            rows += static_cast<char>(raster.pixels[y * raster.width + x]);
    }
    std::string head;
    put_number(head, static_cast<std::uint32_t>(raster.width));
    put_number(head, static_cast<std::uint32_t>(raster.height));
    head += std::string("\x08\x03\x00\x00\x00", 5); // 8 bits, palette
    std::string palette;
    for (const Colour& c : raster.palette)
        for (const std::uint8_t part : c) palette += static_cast<char>(part);
    std::string data("\x78\x01", 2);
    data += deflate(rows, raster.width + 1);
    put_number(data, adler(rows));
    std::string png("\x89PNG\r\n\x1a\n", 8);
    put_chunk(png, "IHDR", head);
    put_chunk(png, "PLTE", palette);
    put_chunk(png, "tRNS", std::string(1, '\0'));
    put_chunk(png, "IDAT", data);
    put_chunk(png, "IEND", {});
    return png;
}

std::string base64(const std::string& bytes) {
    constexpr std::string_view k_letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
        for (std::size_t j = 0; j < 3; ++j)
            three = (three << 8U) | (j < n ? static_cast<unsigned char>(bytes[i + j]) : 0U);
        for (std::size_t j = 0; j < 4; ++j)
            text += j <= n ? k_letters[(three >> (18 - 6 * j)) & 63U] : '=';
    }
    return text;
}

std::string text_of(const Colour& colour) {
    return fmt::format("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]);
}

Colour kind_colour(std::size_t k) {
    constexpr std::array<Colour, 12> colours = {{{0x1f, 0x5f, 0xa8},
                                                 {0xe0, 0x7b, 0x39},
                                                 {0x2e, 0x8b, 0x57},
                                                 {0x8a, 0x4f, 0xa8},
                                                 {0xd4, 0xb0, 0x2a},
                                                 {0x0f, 0x8b, 0x8d},
                                                 {0xa8, 0x32, 0x53},
                                                 {0x7a, 0xb8, 0xe0},
                                                 {0x9c, 0xc4, 0x5a},
                                                 {0xe0, 0x9a, 0xb8},
                                                 {0x6b, 0x4a, 0x2e},
                                                 {0x55, 0x55, 0x55}}};
    return colours[k % colours.size()];
}

Density::Density(double x_low, double x_high, double y_low, double y_high, std::size_t width,
                 std::size_t height)
    : counts_(width * height, 0) {
    frame_.x_low = x_low;
    frame_.x_high = x_high;
    frame_.y_low = y_low;
    frame_.y_high = y_high;
    frame_.width = width;
    frame_.height = height;
}

void Density::add(double x, double y) {
    const auto place = [](double v, double low, double high, std::size_t n) {
        const double share = (v - low) / (high - low);
        return share >= 0.0 && share <= 1.0
                   ? std::min(n - 1, static_cast<std::size_t>(share * static_cast<double>(n)))
                   : n;
    };
    const std::size_t column = place(x, frame_.x_low, frame_.x_high, frame_.width);
    const std::size_t row = place(y, frame_.y_low, frame_.y_high, frame_.height);
    if (column == frame_.width || row == frame_.height) return;
    ++counts_[(frame_.height - 1 - row) * frame_.width + column];
}

Raster Density::picture() const {
    constexpr std::size_t k_shades = 12;
    constexpr Colour k_light = {0xa9, 0xc4, 0xe4}, k_dark = {0x0a, 0x1e, 0x46};
    Raster raster = frame_;
    raster.palette = {{0xff, 0xff, 0xff}};
    for (std::size_t k = 0; k < k_shades; ++k) {
        Colour c{};
        const double share = static_cast<double>(k) / (k_shades - 1);
        for (std::size_t j = 0; j < 3; ++j)
            c[j] = static_cast<std::uint8_t>(k_light[j] + share * (k_dark[j] - k_light[j]));
        raster.palette.push_back(c);
    }
    std::uint32_t most = 1;
    for (const std::uint32_t n : counts_) most = std::max(most, n);
    const double scale = (k_shades - 1) / std::max(1e-9, std::log(static_cast<double>(most)));
    for (const std::uint32_t n : counts_) {
        const double shade = n == 0 ? -1.0 : std::log(static_cast<double>(n)) * scale;
        raster.pixels.push_back(static_cast<std::uint8_t>(shade + 1.0));
    }
    return raster;
}

} // namespace liaison::record
