// SPDX-License-Identifier: Apache-2.0
// Values of named quantities at many times, row by row in one piece of memory: what samples and traces are.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace liaison::record {

// Row i holds the quantities at time[i]: values[i·columns + k]; the slots of the mode likewise. Others may look at the
// memory as it lies: rows are contiguous, and nothing moves once the block is filled.
class Block {
  public:
    Block() = default;
    Block(std::vector<std::string> names, std::size_t slots)
        : names_(std::move(names)), columns_(names_.size()), slots_(slots) {}

    struct Row {
        double time = 0.0;
        std::span<const double> values;
        std::span<const double> mode;
    };

    void reserve(std::size_t rows);
    // `values` and `mode` have as many entries as the block has columns and slots.
    void push_back(double time, std::span<const double> values, std::span<const double> mode);

    [[nodiscard]] std::size_t size() const { return time_.size(); }
    [[nodiscard]] bool empty() const { return time_.empty(); }
    [[nodiscard]] std::size_t columns() const { return columns_; }
    [[nodiscard]] std::size_t slots() const { return slots_; }
    [[nodiscard]] Row operator[](std::size_t row) const {
        return {time_[row],
                {values_.data() + row * columns_, columns_},
                {modes_.data() + row * slots_, slots_}};
    }
    // Throws std::out_of_range.
    [[nodiscard]] Row at(std::size_t row) const;
    [[nodiscard]] Row front() const { return (*this)[0]; }
    [[nodiscard]] Row back() const { return (*this)[size() - 1]; }
    [[nodiscard]] std::span<double> values_of(std::size_t row) {
        return {values_.data() + row * columns_, columns_};
    }

    // As the user names them (x, x', floor.reaction), and their units: empty where nothing is known about any.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] const std::vector<std::string>& units() const { return units_; }
    void set_units(std::vector<std::string> units) { units_ = std::move(units); }

    // The memory itself.
    [[nodiscard]] std::span<const double> times() const { return time_; }
    [[nodiscard]] std::span<const double> values() const { return values_; }
    [[nodiscard]] std::span<const double> modes() const { return modes_; }

    class Iterator {
      public:
        Iterator(const Block& block, std::size_t row) : block_(&block), row_(row) {}
        Row operator*() const { return (*block_)[row_]; }
        Iterator& operator++() {
            ++row_;
            return *this;
        }
        bool operator==(const Iterator& other) const { return row_ == other.row_; }

      private:
        const Block* block_;
        std::size_t row_;
    };
    [[nodiscard]] Iterator begin() const { return {*this, 0}; }
    [[nodiscard]] Iterator end() const { return {*this, size()}; }

  private:
    std::vector<std::string> names_;
    std::vector<std::string> units_;
    std::size_t columns_ = 0;
    std::size_t slots_ = 0;
    std::vector<double> time_;
    std::vector<double> values_;
    std::vector<double> modes_;
};

} // namespace liaison::record
