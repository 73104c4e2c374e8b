// SPDX-License-Identifier: Apache-2.0
// Decodes a TOML string and remembers where each character was written.
#include "liaison/text/toml_string.hpp"

#include "liaison/base/utf8.hpp"

#include <algorithm>
#include <charconv>

namespace liaison::text {

namespace {

class Decoder {
  public:
    explicit Decoder(Span span)
        : raw_(span.text()), offset_(span.begin), map_(TextMap::direct(*span.file, span.begin)) {}

    Passage run() {
        const char quote = raw_.front();
        const bool triple = raw_.size() >= 6 && raw_[1] == quote && raw_[2] == quote;
        const std::size_t fence = triple ? 3 : 1;
        if (raw_.size() < 2 * fence) return {};
        const std::size_t end = raw_.size() - fence;
        at_ = fence;
        // A line break directly after the opening quotes does not count.
        if (triple && at_ < end && raw_[at_] == '\r') ++at_;
        if (triple && at_ < end && raw_[at_] == '\n') ++at_;
        piece();
        while (at_ < end) {
            if (raw_[at_] == '\\' && quote == '"') {
                escape(end);
            } else if (triple && raw_[at_] == '\r' && at_ + 1 < end && raw_[at_ + 1] == '\n') {
                // A line break is read as \n, whatever the file uses.
                ++at_;
                piece();
            } else {
                out_ += raw_[at_++];
            }
        }
        return {std::move(out_), std::move(map_)};
    }

  private:
    void piece(std::size_t escape_length = 0) {
        map_.add_piece(out_.size(), offset_ + at_, escape_length);
    }

    void escape(std::size_t end) {
        const char c = at_ + 1 < end ? raw_[at_ + 1] : '\0';
        if (c == '\n' || c == '\r' || c == ' ' || c == '\t') {
            // The rest of the line and the blanks of the next ones are skipped.
            at_ += 1;
            while (at_ < end &&
                   std::string_view(" \t\r\n").find(raw_[at_]) != std::string_view::npos) {
                ++at_;
            }
            piece();
            return;
        }
        const std::size_t length = std::min<std::size_t>(c == 'u'   ? 6
                                                         : c == 'U' ? 10
                                                                    : 2,
                                                         end - at_);
        piece(length);
        if (length > 2) {
            unsigned value = 0;
            const char* const digits = raw_.data() + at_ + 2;
            std::from_chars(digits, digits + (length - 2), value, 16);
            base::append_utf8(out_, value);
        } else {
            constexpr std::string_view k_letters = "btnfr";
            constexpr std::string_view k_meaning = "\b\t\n\f\r";
            const std::size_t which = k_letters.find(c);
            out_ += which == std::string_view::npos ? c : k_meaning[which];
        }
        at_ += length;
        piece();
    }

    std::string_view raw_;
    std::size_t offset_;
    TextMap map_;
    std::string out_;
    std::size_t at_ = 0;
};

} // namespace

Passage decode_string(Span span, std::string_view decoded) {
    if (span.text().size() >= 2) {
        Passage passage = Decoder(span).run();
        if (passage.text == decoded) return passage;
    }
    return {std::string(decoded), TextMap::whole(span)};
}

} // namespace liaison::text
