// SPDX-License-Identifier: Apache-2.0
// The tables of a model file, each handed to the builder.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/builder.hpp"
#include "liaison/text/document.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace liaison::model {

// Values of the wrong kind have been reported by the schema and are skipped here.
class Tables {
  public:
    Tables(Builder& builder, base::Diagnostics& diagnostics)
        : builder_(builder), draft_(builder.draft), diagnostics_(diagnostics) {}

    void read(const text::Value& root);

  private:
    using Value = text::Value;
    using Entry = text::Entry;

    // read_quantities.cpp
    void families(const Value& table);
    void parameters(const Value& table);
    void parameter(const Entry& entry);
    void states(const Value& table);
    void data_tables(const Value& table);
    void bodies(const Value& table);

    // read_dynamics.cpp
    void energy(const Entry& entry);
    void forces(const Value& table);
    void constraints(const Value& table);
    void constraint(const Entry& entry);
    void stabilise(const Value& value, StabiliseDraft& draft);
    void profile(const Value& value, ContactDraft& draft);
    void friction(const Value& value, FrictionDraft& draft);
    void contacts(const Value& table);
    void contact(const Entry& entry);
    void relays(const Value& table);
    void kinematics(const Entry& entry);

    // read_questions.cpp
    void events(const Value& table);
    void invert(const Entry& entry);
    void start(const Entry& entry);
    void run(const Entry& entry);
    void realisations(const Value& table);
    void periodic(const Entry& entry);
    void draws(const Value& list);
    void draw(const Value& table);

    // read_tables.cpp: values
    [[nodiscard]] Written expression(const Value& value, text::Form form = text::Form::expression);
    [[nodiscard]] Written expression(const Value& table, std::string_view key);
    [[nodiscard]] std::vector<Written> expressions(const Value* value);
    [[nodiscard]] std::vector<std::vector<Written>> matrix(const Value* value);
    // One component per entry; the tables of bodies open into "ball.x". Keys in `except` are others'.
    [[nodiscard]] std::vector<Component>
    components(const Value* table, std::initializer_list<std::string_view> except = {});
    [[nodiscard]] std::vector<Name> names(const Value* value);
    [[nodiscard]] std::string text(const Value& table, std::string_view key);

    // Sets `target` to the value whose word is written, if one is.
    template <class T>
    bool word(const Value& table, std::string_view key, T& target,
              std::initializer_list<std::pair<std::string_view, T>> choices) {
        const Value* value = table.get(key);
        if (value == nullptr || !value->is_string()) return false;
        for (const auto& [choice, meaning] : choices) {
            if (value->text() != choice) continue;
            target = meaning;
            return true;
        }
        return false;
    }
    static void number(const Value& table, std::string_view key, std::optional<double>& target);
    static void boolean(const Value& table, std::string_view key, bool& target);
    static base::Span span_of(const Value* value) {
        return value == nullptr ? base::Span{} : value->span;
    }

    Builder& builder_;
    Draft& draft_;
    base::Diagnostics& diagnostics_;
};

} // namespace liaison::model
