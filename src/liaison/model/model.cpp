// SPDX-License-Identifier: Apache-2.0
// What the user said, checked and resolved to expressions: the plain description of a system.
#include "liaison/model/model.hpp"

#include <algorithm>

namespace liaison::model {

namespace {

template <class Items>
std::size_t index_of(const Items& items, std::string_view wanted) {
    const auto found =
        std::ranges::find_if(items, [&](const auto& item) { return item.name == wanted; });
    return found == items.end() ? k_none : static_cast<std::size_t>(found - items.begin());
}

} // namespace

std::size_t Model::coordinate(std::string_view wanted) const {
    return index_of(coordinates, wanted);
}

std::size_t Model::velocity(std::string_view wanted) const { return index_of(velocities, wanted); }

std::size_t Model::parameter(std::string_view wanted) const { return index_of(parameters, wanted); }

std::size_t Model::contact(std::string_view wanted) const { return index_of(contacts, wanted); }

std::size_t Model::constraint(std::string_view wanted) const {
    return index_of(constraints, wanted);
}

} // namespace liaison::model
