// SPDX-License-Identifier: Apache-2.0
// Pictures of millions of points: a grid of palette colours over a rectangle of the axes, written as PNG.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace liaison::record {

using Colour = std::array<std::uint8_t, 3>;

struct Raster {
    double x_low = 0.0, x_high = 1.0;
    double y_low = 0.0, y_high = 1.0;
    std::size_t width = 0;
    std::size_t height = 0;
    std::vector<std::uint8_t> pixels; // places in the palette, by row from the top
    std::vector<Colour> palette; // at most 256; the first is the background and transparent
};

// The same picture with every pixel repeated until it is at least so wide and high: viewers blur few large pixels.
[[nodiscard]] Raster enlarged(const Raster& raster, std::size_t width, std::size_t height);

// A PNG file with palette and compression (RFC 1950, 1951, 2083).
[[nodiscard]] std::string to_png(const Raster& raster);

[[nodiscard]] std::string base64(const std::string& bytes);

// "#1f5fa8"
[[nodiscard]] std::string text_of(const Colour& colour);

// Colours that are told apart, for the k-th kind of something.
[[nodiscard]] Colour kind_colour(std::size_t k);

// How many points fall on each pixel: darker where there are more, on a logarithmic scale.
class Density {
  public:
    Density(double x_low, double x_high, double y_low, double y_high, std::size_t width,
            std::size_t height);
    void add(double x, double y);
    [[nodiscard]] Raster picture() const;

  private:
    Raster frame_;
    std::vector<std::uint32_t> counts_;
};

} // namespace liaison::record
