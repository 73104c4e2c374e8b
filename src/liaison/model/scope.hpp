// SPDX-License-Identifier: Apache-2.0
// All names that expressions of a model may use, and what each of them is.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/expr/expr.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace liaison::model {

enum class Meaning {
    coordinate,  // index into Model::coordinates
    velocity,    // a quasi-velocity, index into Model::velocities
    parameter,
    state,
    let,         // index into the definitions
    table,       // a function of one argument
    relay,       // u.NAME
    body,
    unknown,     // of the inverse problem
    index,       // of a family
};

struct Entry {
    Meaning meaning{};
    std::size_t index = 0;
    base::Span span;
};

// The word used in messages: "coordinate", "[let] name", …
[[nodiscard]] std::string_view word(Meaning meaning);

// "z" and {3} → "z[3]"; "ball.x" and {3} → "ball[3].x".
[[nodiscard]] std::string member_name(std::string_view head, const std::vector<long>& index);

class Scope {
  public:
    // Reports names that are reserved or already taken; false then. `head` is the name without
    // index, which messages and suggestions use.
    bool declare(const std::string& name, const std::string& head, Entry entry,
                 base::Diagnostics& diagnostics);

    // In a model with relays `u` is the value of the relay at hand, and no name of the user.
    void reserve_relay_value() { relays_ = true; }

    [[nodiscard]] const Entry* find(const std::string& name) const;
    // Whether some member z[…] of this head exists.
    [[nodiscard]] bool is_family(const std::string& head) const { return families_.contains(head); }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }

    // "did you mean `L` (parameter, line 10)?", or nothing. Only meanings that `fits` accepts.
    [[nodiscard]] std::optional<std::string>
    suggestion(std::string_view name, bool (*fits)(Meaning) = [](Meaning) { return true; }) const;

  private:
    bool relays_ = false;
    std::unordered_map<std::string, Entry> entries_;
    std::unordered_map<std::string, Entry> families_;  // by head
    std::vector<std::pair<std::string, Entry>> heads_; // in order of declaration, for suggestions
};

// Time, constants, functions: what no name of the user may be.
[[nodiscard]] bool is_reserved(std::string_view name);

// A function of the expression language: those of the table and der, sqrt, hypot, pow, mod, sum.
[[nodiscard]] bool is_function(std::string_view name);
[[nodiscard]] std::vector<std::string> function_names();

} // namespace liaison::model
