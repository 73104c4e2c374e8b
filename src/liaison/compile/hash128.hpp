// SPDX-License-Identifier: Apache-2.0
// A 128-bit hash of bytes, for keys and checksums.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace liaison::compile {

using Digest = std::array<std::uint64_t, 2>;

// MurmurHash3 x64 128 (Austin Appleby, public domain), fed word by word. Not for use against an adversary.
class Hash128 {
  public:
    void add(std::span<const std::byte> bytes) {
        add_word(bytes.size());
        std::size_t at = 0;
        for (; at < bytes.size(); at += sizeof(std::uint64_t)) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
            add_word(word);
        }
    }
    void add(std::string_view text) { add(std::as_bytes(std::span(text.data(), text.size()))); }
    template <class T>
        requires std::is_integral_v<T> || std::is_enum_v<T>
    void add(T value) {
        add_word(static_cast<std::uint64_t>(value));
    }

    [[nodiscard]] Digest digest() const {
        std::uint64_t a = state_[0] ^ count_;
        std::uint64_t b = state_[1] ^ count_;
        a += b;
        b += a;
        a = finish(a);
        b = finish(b);
        a += b;
        b += a;
        return {a, b};
    }

  private:
    static std::uint64_t rotate(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }
    static std::uint64_t finish(std::uint64_t k) {
        k ^= k >> 33;
        k *= 0xff51afd7ed558ccdULL;
        k ^= k >> 33;
        k *= 0xc4ceb9fe1a85ec53ULL;
        return k ^ (k >> 33);
    }
    void add_word(std::uint64_t k) {
        constexpr std::uint64_t c1 = 0x87c37b91114253d5ULL;
        constexpr std::uint64_t c2 = 0x4cf5ad432745937fULL;
        if (count_++ % 2 == 0) {
            state_[0] ^= rotate(k * c1, 31) * c2;
            state_[0] = (rotate(state_[0], 27) + state_[1]) * 5 + 0x52dce729;
        } else {
            state_[1] ^= rotate(k * c2, 33) * c1;
            state_[1] = (rotate(state_[1], 31) + state_[0]) * 5 + 0x38495ab5;
        }
    }

    Digest state_{};
    std::uint64_t count_ = 0;
};

// 32 hexadecimal digits.
std::string hex(const Digest& digest);

} // namespace liaison::compile
