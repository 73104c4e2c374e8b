// SPDX-License-Identifier: Apache-2.0
// The options a command declares: one record that drives parsing, help and completion.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::app {

// What a shell offers for the value of an option.
enum class Complete { nothing, file, model, choices, code, command };

struct Option {
    std::string names;        // "-o,--output", or the word of a positional argument
    std::string placeholder;  // "FILE"; empty for flags
    std::string help;
    bool positional = false;
    bool repeated = false;
    bool required = false;
    Complete complete = Complete::nothing;
    std::vector<std::string> choices;
    // Takes the text of the value (empty for flags); returns what is wrong with it, or nothing.
    std::function<std::string(const std::string&)> set;

    Option& files() {
        complete = Complete::file;
        return *this;
    }
    Option& models() {
        complete = Complete::model;
        return *this;
    }
    Option& one_of(std::vector<std::string> words);
    Option& needed() {
        required = true;
        return *this;
    }
};

// Targets outlive parsing; a command keeps them in a structure of its own.
class Options {
  public:
    Option& flag(std::string names, bool& target, std::string help);
    Option& value(std::string names, std::string placeholder, std::string& target,
                  std::string help);
    Option& value(std::string names, std::string placeholder, std::optional<double>& target,
                  std::string help);
    Option& value(std::string names, std::string placeholder, std::optional<long>& target,
                  std::string help);
    Option& values(std::string names, std::string placeholder, std::vector<std::string>& target,
                   std::string help);
    Option& positional(std::string word, std::string& target, std::string help);
    Option& positionals(std::string word, std::vector<std::string>& target, std::string help);

    [[nodiscard]] const std::deque<Option>& all() const { return all_; }

    // From now on the options declared so far write down what they were given: "--set", "e=0.5". Positional
    // arguments are left out.
    void write_down(std::vector<std::string>& words);
    // Gives the options words that were written down; what is wrong with them, or nothing.
    [[nodiscard]] std::string apply(const std::vector<std::string>& words) const;

  private:
    std::deque<Option> all_; // references stay valid
};

// "-o,--output" → {"-o", "--output"}
[[nodiscard]] std::vector<std::string> split_names(std::string_view names);

} // namespace liaison::app
