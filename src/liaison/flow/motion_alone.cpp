// SPDX-License-Identifier: Apache-2.0
// Books are closed: their rates are zero, and nobody finds them by name.
#include "liaison/flow/motion_alone.hpp"

#include <algorithm>

namespace liaison::flow {

Flow motion_alone(Flow flow) {
    const std::size_t end = flow.states.size() - flow.algebraic.size();
    for (std::size_t i = flow.n_controlled; i < end; ++i) {
        if (std::find(k_books.begin(), k_books.end(), flow.state_names[i]) == k_books.end())
            continue;
        flow.rates[i] = flow.pool->number(0);
        flow.state_names[i] += " (not kept)";
    }
    return flow;
}

} // namespace liaison::flow
