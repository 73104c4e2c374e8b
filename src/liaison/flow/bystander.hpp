// SPDX-License-Identifier: Apache-2.0
// An owner that decides nothing at the start: it watches, or keeps what others decided.
#pragma once

namespace liaison::flow {

// Its start() changes nothing and says nothing, so that nobody has to know it before deciding there himself.
class Bystander {
  public:
    virtual ~Bystander() = default;
};

} // namespace liaison::flow
