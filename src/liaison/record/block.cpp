// SPDX-License-Identifier: Apache-2.0
// Rows put behind each other.
#include "liaison/record/block.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace liaison::record {

void Block::reserve(std::size_t rows) {
    time_.reserve(rows);
    values_.reserve(rows * columns_);
    modes_.reserve(rows * slots_);
}

void Block::push_back(double time, std::span<const double> values, std::span<const double> mode) {
    if (values.size() != columns_ || mode.size() != slots_)
        throw std::logic_error(
            fmt::format("a row of {} values and {} slots in a block of {} and {}", values.size(),
                        mode.size(), columns_, slots_));
    time_.push_back(time);
    values_.insert(values_.end(), values.begin(), values.end());
    modes_.insert(modes_.end(), mode.begin(), mode.end());
}

Block::Row Block::at(std::size_t row) const {
    if (row >= size()) throw std::out_of_range(fmt::format("row {} of a block of {}", row, size()));
    return (*this)[row];
}

} // namespace liaison::record
