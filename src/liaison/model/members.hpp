// SPDX-License-Identifier: Apache-2.0
// Families written out: the members that a name such as "touch[i]" stands for.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/declarations.hpp"

#include <string>
#include <unordered_set>
#include <vector>

namespace liaison::model {

struct Member {
    std::string name;   // "touch[3]"
    std::string head;   // "touch"
    std::vector<long> index;
    Indices indices;    // i = 3
    bool apart = false; // written as "touch[3]" itself
};

class Members {
  public:
    Members(const Declarations& declarations, base::Diagnostics& diagnostics)
        : declarations_(declarations), diagnostics_(diagnostics) {}

    // All members of a name, one for a plain name, none if it is no name (reported). `given` are the
    // members that were written apart and therefore are not made again.
    [[nodiscard]] std::vector<Member> of(const Name& name,
                                         const std::unordered_set<std::string>& given = {});
    // Members written apart among names: "x[0]" beside "x[i]". Asked once for all names of a table.
    [[nodiscard]] static std::unordered_set<std::string> apart(const std::vector<Name>& names);

  private:
    const Declarations& declarations_;
    base::Diagnostics& diagnostics_;
};

} // namespace liaison::model
