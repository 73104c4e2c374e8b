// SPDX-License-Identifier: Apache-2.0
// The integration methods by name.
#pragma once

#include "liaison/model/run_options.hpp"

#include <array>
#include <string_view>

namespace liaison::model {

struct MethodName {
    std::string_view word;
    Method method{};
};

inline constexpr std::array<MethodName, 9> k_methods{{{"taylor", Method::taylor},
                                                      {"rk", Method::rk},
                                                      {"stiff", Method::stiff},
                                                      {"dae", Method::dae},
                                                      {"euler", Method::euler},
                                                      {"heun", Method::heun},
                                                      {"rk3", Method::rk3},
                                                      {"rk4", Method::rk4},
                                                      {"dopri5", Method::dopri5}}};

constexpr std::string_view name(Method method) {
    return k_methods[static_cast<std::size_t>(method)].word;
}
constexpr bool has_fixed_step(Method method) { return method >= Method::euler; }

} // namespace liaison::model
