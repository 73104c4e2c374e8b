// SPDX-License-Identifier: Apache-2.0
// A decoded string together with the way back to the file it was written in.
#pragma once

#include "liaison/base/source.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::text {

using base::SourceFile;
using base::Span;

// Maps offsets of a decoded string to offsets of the file. Where the string was written without
// escapes there is one piece; an escape such as \u03b3 begins a new one.
class TextMap {
  public:
    TextMap() = default;
    // Everything maps to one place, as for a bare number read as an expression.
    static TextMap whole(Span span);
    // Characters follow each other in the file from `begin` on.
    static TextMap direct(const SourceFile& file, std::size_t begin);

    // From decoded offset `decoded` on, characters follow each other from file offset `written`; or
    // what follows is one character written as an escape of `escape` bytes.
    void add_piece(std::size_t decoded, std::size_t written, std::size_t escape = 0);

    [[nodiscard]] Span span(std::size_t begin, std::size_t end) const;

  private:
    struct Piece {
        std::uint32_t decoded, written, escape;
    };
    [[nodiscard]] const Piece& piece_at(std::size_t decoded) const;
    const SourceFile* file_ = nullptr;
    Span whole_;
    std::vector<Piece> pieces_;
};

struct Passage {
    std::string text;
    TextMap map;

    // A text that is a file of its own, as given from C++ or the command line.
    static Passage of(const SourceFile& file);
    [[nodiscard]] Span span(std::size_t begin, std::size_t end) const {
        return map.span(begin, end);
    }
    [[nodiscard]] Span span() const { return map.span(0, text.size()); }
};

} // namespace liaison::text
