// SPDX-License-Identifier: Apache-2.0
// A thin layer over LLVM's C interface, loaded on first use, for straight-line code and plain loops on doubles.
#pragma once

#include "liaison/compile/code_key.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct LLVMOpaqueValue;

namespace liaison::compile {

// Values are `lanes` doubles wide; all functions have the signature of CodeImage. Code is optimised as LLVM does
// at its level "less": on straight-line code without redundancy more effort changes nothing (measured).
class LlvmBuilder {
  public:
    using Handle = LLVMOpaqueValue*;
    enum class Array : std::uint8_t { inputs, outputs, workspace, links };
    enum class Compare : std::uint8_t { less, less_equal, not_equal };

    LlvmBuilder(const Target& target, std::uint32_t lanes);
    ~LlvmBuilder();
    LlvmBuilder(const LlvmBuilder&) = delete;
    LlvmBuilder& operator=(const LlvmBuilder&) = delete;

    [[nodiscard]] std::uint32_t lanes() const { return lanes_; }
    [[nodiscard]] const Target& target() const { return target_; }

    // `apart`: inputs, outputs, workspace and links do not overlap.
    void begin_function(const std::string& name, bool apart = true);
    void end_function();

    // Values are this wide from now on. Scalar code packs several arguments of a kernel into one vector.
    void set_lanes(std::uint32_t lanes);
    Handle pack(std::span<const Handle> scalars); // as many as there are lanes now
    Handle unpack(Handle vector, std::uint32_t lane); // a scalar

    Handle real(double value);
    Handle add(Handle a, Handle b);
    Handle sub(Handle a, Handle b);
    Handle mul(Handle a, Handle b);
    Handle div(Handle a, Handle b);
    Handle neg(Handle a);
    Handle fma(Handle a, Handle b, Handle c);
    Handle abs(Handle a);
    Handle sqrt(Handle a);
    Handle floor(Handle a);
    Handle compare(Compare how, Handle a, Handle b); // a mask
    Handle mask_and(Handle a, Handle b);
    Handle mask_or(Handle a, Handle b);
    Handle mask_not(Handle a);
    Handle select(Handle mask, Handle yes, Handle no);

    Handle bits(std::uint64_t value);
    Handle to_bits(Handle a);
    Handle to_real(Handle a);
    Handle bit_add(Handle a, Handle b);
    Handle bit_sub(Handle a, Handle b);
    Handle bit_and(Handle a, Handle b);
    Handle bit_or(Handle a, Handle b);
    Handle bit_xor(Handle a, Handle b);
    Handle shift_left(Handle a, unsigned by);
    Handle shift_right(Handle a, unsigned by);
    Handle top_bit(Handle a); // a mask

    // Row k of an array: its `lanes` neighbouring doubles.
    Handle load(Array array, std::uint64_t row);
    void store(Array array, std::uint64_t row, Handle value);

    // Whole numbers: places in arrays, counted in doubles.
    Handle whole(std::uint64_t value);
    Handle load_whole(Array array, std::uint64_t place);
    Handle times(Handle a, std::uint64_t factor);
    Handle load_at(Array array, std::uint64_t place, Handle offset);
    void store_at(Array array, std::uint64_t place, Handle offset, Handle value);
    // Carried values after `count` times of a loop; `body` gives their next values.
    using Body = std::function<std::vector<Handle>(std::span<const Handle>)>;
    std::vector<Handle> repeat(Handle count, std::vector<Handle> carried, const Body& body);

    // Lane by lane through the link table: f(a), f(a, b), f(a, b, c) and f(object, a).
    Handle call(std::uint32_t function, std::span<const Handle> args);
    Handle call_with_object(std::uint32_t function, std::uint32_t object, Handle a);
    // f(object, workspace + x, workspace + y, workspace + z, lanes), offsets in doubles.
    void call_kernel(std::uint32_t function, std::uint32_t object, std::uint64_t x, std::uint64_t y,
                     std::uint64_t z);

    // The object file of all functions written so far.
    [[nodiscard]] std::vector<std::byte> object();
    // The functions as text, for people.
    [[nodiscard]] std::string text() const;

  private:
    struct State;
    [[nodiscard]] Handle link(std::uint32_t index);
    [[nodiscard]] Handle per_lane(std::uint32_t function, std::span<const Handle> args,
                                  Handle object);

    Target target_;
    std::uint32_t lanes_;
    std::unique_ptr<State> state_;
};

} // namespace liaison::compile
