// SPDX-License-Identifier: Apache-2.0
// The options a command declares: one record that drives parsing, help and completion.
#include "liaison/app/options.hpp"

#include "liaison/base/nearest.hpp"
#include "liaison/base/number.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace liaison::app {

Option& Option::one_of(std::vector<std::string> words) {
    complete = Complete::choices;
    choices = std::move(words);
    set = [inner = std::move(set), allowed = choices](const std::string& text) -> std::string {
        if (std::ranges::find(allowed, text) == allowed.end()) {
            const auto near = base::nearest(text, allowed);
            return fmt::format("`{}` is not one of {}{}", text, fmt::join(allowed, ", "),
                               near ? fmt::format("; did you mean {}?", *near) : "");
        }
        return inner(text);
    };
    return *this;
}

Option& Options::flag(std::string names, bool& target, std::string help) {
    return all_.emplace_back(Option{.names = std::move(names),
                                    .placeholder = {},
                                    .help = std::move(help),
                                    .choices = {},
                                    .set = [&target](const std::string&) {
                                        target = true;
                                        return std::string{};
                                    }});
}

Option& Options::value(std::string names, std::string placeholder, std::string& target,
                       std::string help) {
    return all_.emplace_back(Option{.names = std::move(names),
                                    .placeholder = std::move(placeholder),
                                    .help = std::move(help),
                                    .choices = {},
                                    .set = [&target](const std::string& text) {
                                        target = text;
                                        return std::string{};
                                    }});
}

Option& Options::value(std::string names, std::string placeholder, std::optional<double>& target,
                       std::string help) {
    return all_.emplace_back(Option{.names = std::move(names),
                                    .placeholder = std::move(placeholder),
                                    .help = std::move(help),
                                    .choices = {},
                                    .set = [&target](const std::string& text) -> std::string {
                                        const auto number = base::parse_number(text);
                                        if (!number || !std::isfinite(*number)) {
                                            return fmt::format("`{}` is not a number", text);
                                        }
                                        target = *number;
                                        return {};
                                    }});
}

Option& Options::value(std::string names, std::string placeholder, std::optional<long>& target,
                       std::string help) {
    return all_.emplace_back(
        Option{.names = std::move(names),
               .placeholder = std::move(placeholder),
               .help = std::move(help),
               .choices = {},
               .set = [&target](const std::string& text) -> std::string {
                   long number = 0;
                   const auto [end, error] =
                       std::from_chars(text.data(), text.data() + text.size(), number);
                   if (error != std::errc{} || end != text.data() + text.size()) {
                       return fmt::format("`{}` is not a whole number", text);
                   }
                   target = number;
                   return {};
               }});
}

Option& Options::values(std::string names, std::string placeholder,
                        std::vector<std::string>& target, std::string help) {
    Option& option = all_.emplace_back(Option{.names = std::move(names),
                                              .placeholder = std::move(placeholder),
                                              .help = std::move(help),
                                              .choices = {},
                                              .set = [&target](const std::string& text) {
                                                  target.push_back(text);
                                                  return std::string{};
                                              }});
    option.repeated = true;
    return option;
}

Option& Options::positional(std::string word, std::string& target, std::string help) {
    Option& option = value(word, word, target, std::move(help));
    option.positional = true;
    return option;
}

Option& Options::positionals(std::string word, std::vector<std::string>& target, std::string help) {
    Option& option = values(word, word, target, std::move(help));
    option.positional = true;
    return option;
}

void Options::write_down(std::vector<std::string>& words) {
    for (Option& option : all_) {
        if (option.positional) continue;
        const std::string name = split_names(option.names).back();
        const bool takes_value = !option.placeholder.empty();
        option.set = [inner = std::move(option.set), name, takes_value,
                      &words](const std::string& text) {
            std::string wrong = inner(text);
            if (wrong.empty()) {
                words.push_back(name);
                if (takes_value) words.push_back(text);
            }
            return wrong;
        };
    }
}

std::string Options::apply(const std::vector<std::string>& words) const {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto option = std::ranges::find_if(all_, [&](const Option& o) {
            return !o.positional && split_names(o.names).back() == words[i];
        });
        if (option == all_.end()) return fmt::format("unknown option {}", words[i]);
        const bool takes_value = !option->placeholder.empty();
        if (takes_value && i + 1 == words.size())
            return fmt::format("{} lacks its value", words[i]);
        const std::string name = words[i];
        const std::string wrong = option->set(takes_value ? words[++i] : std::string{});
        if (!wrong.empty()) return fmt::format("{}: {}", name, wrong);
    }
    return {};
}

std::vector<std::string> split_names(std::string_view names) {
    std::vector<std::string> parts;
    while (!names.empty()) {
        const std::size_t comma = names.find(',');
        parts.emplace_back(names.substr(0, comma));
        names = comma == std::string_view::npos ? std::string_view{} : names.substr(comma + 1);
    }
    return parts;
}

} // namespace liaison::app
