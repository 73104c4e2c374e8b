// SPDX-License-Identifier: Apache-2.0
// How fast do neighbouring motions part?
#pragma once

#include "liaison/analysis/lyapunov.hpp"
#include "liaison/ask/answer.hpp"
#include "liaison/ask/control.hpp"
#include "liaison/ask/subject.hpp"

#include <memory>
#include <vector>

namespace liaison::ask {

struct LyapunovQuestion {
    std::vector<Setting> set = {};
    analysis::LyapunovOptions options = {};
};

struct LyapunovAnswer {
    std::shared_ptr<const flow::Flow> flow;
    analysis::Lyapunov lyapunov;
};

[[nodiscard]] Answer<LyapunovAnswer> lyapunov(const model::Model& model,
                                              const LyapunovQuestion& question = {},
                                              const Control& control = {},
                                              base::Diagnostics diagnostics = {});

} // namespace liaison::ask
