// SPDX-License-Identifier: Apache-2.0
// Cache files of any content are refused or decoded within bounds.
#include "liaison/compile/code_image.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace liaison::compile;
    const auto bytes = std::as_bytes(std::span(data, size));
    const Digest key = {1, 2};
    // as a file: what passes its checksum, which the fuzzer may read off the comparison, is what would be written; as the
    // inside of one: whatever passes must survive being written and read again
    if (const auto file = decode(bytes, key)) {
        if (!std::ranges::equal(encode(*file, key), bytes)) std::abort();
    }
    if (const auto image = decode_image(bytes)) {
        for (const auto at : image->functions) {
            if (at >= image->bytes.size()) std::abort();
        }
        const auto again = decode(encode(*image, key), key);
        if (!again || !(*again == *image)) std::abort();
    }
    return 0;
}
