// SPDX-License-Identifier: Apache-2.0
// An owner of contacts that yield: their gaps are negative while they are pressed, and that is no fault.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace liaison::flow {

struct Flow;

// A gap among the outputs of a flow that may be negative.
struct YieldingGap {
    std::string output; // its name
    // The mode slot that is not zero while the contact is pressed. None: a contact that ends at zero force leaves its gap
    // negative for a while after it.
    std::optional<std::size_t> slot;
};

class Yielding {
  public:
    virtual ~Yielding() = default;

    [[nodiscard]] virtual std::vector<YieldingGap> yielding() const = 0;
};

// Of all transitions of a flow.
[[nodiscard]] std::vector<YieldingGap> yielding_gaps(const Flow& flow);

} // namespace liaison::flow
