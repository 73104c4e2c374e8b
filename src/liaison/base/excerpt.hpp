// SPDX-License-Identifier: Apache-2.0
// One source line prepared for a terminal: tabs opened, control characters hidden, long lines cut.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::base {

class Excerpt {
  public:
    // Shows at most `width` columns of `line`, chosen so that byte `focus` is among them.
    Excerpt(std::string_view line, std::size_t focus, std::size_t width);

    [[nodiscard]] const std::string& text() const { return text_; }
    // Column (from 0) of a byte of the line in text(), clamped to what is shown.
    [[nodiscard]] std::size_t column(std::size_t byte) const;

  private:
    void show(std::string_view line, std::size_t begin, std::size_t end);
    std::string text_;
    std::size_t first_byte_ = 0;
    std::vector<std::size_t> columns_;  // by byte from first_byte_, one more than bytes shown
};

} // namespace liaison::base
