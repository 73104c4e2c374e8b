// SPDX-License-Identifier: Apache-2.0
// A decoded string together with the way back to the file it was written in.
#include "liaison/text/passage.hpp"

#include <algorithm>

namespace liaison::text {

TextMap TextMap::whole(Span span) {
    TextMap map;
    map.whole_ = span;
    return map;
}

TextMap TextMap::direct(const SourceFile& file, std::size_t begin) {
    TextMap map;
    map.file_ = &file;
    map.add_piece(0, begin);
    return map;
}

void TextMap::add_piece(std::size_t decoded, std::size_t written, std::size_t escape) {
    // A piece without characters gives way to the next one.
    if (!pieces_.empty() && pieces_.back().decoded == decoded) pieces_.pop_back();
    pieces_.push_back({static_cast<std::uint32_t>(decoded), static_cast<std::uint32_t>(written),
                       static_cast<std::uint32_t>(escape)});
}

const TextMap::Piece& TextMap::piece_at(std::size_t decoded) const {
    const auto after = std::ranges::upper_bound(pieces_, decoded, {}, &Piece::decoded);
    return after == pieces_.begin() ? pieces_.front() : *(after - 1);
}

Span TextMap::span(std::size_t begin, std::size_t end) const {
    if (file_ == nullptr) return whole_;
    const auto written = [&](std::size_t decoded) {
        const Piece& piece = piece_at(decoded);
        return piece.written + (piece.escape > 0 ? 0 : decoded - piece.decoded);
    };
    const std::size_t first = written(begin);
    std::size_t last = first;
    if (end > begin) {
        const Piece& piece = piece_at(end - 1);
        last = piece.escape > 0 ? piece.written + piece.escape : written(end - 1) + 1;
    }
    return {file_, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
}

Passage Passage::of(const SourceFile& file) {
    return {std::string(file.text()), TextMap::direct(file, 0)};
}

} // namespace liaison::text
