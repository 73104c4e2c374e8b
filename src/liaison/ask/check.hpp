// SPDX-License-Identifier: Apache-2.0
// Is a model sound? What is known about it before it moves.
#pragma once

#include "liaison/analysis/sliding_agreement.hpp"
#include "liaison/ask/answer.hpp"
#include "liaison/ask/contacts_here.hpp"
#include "liaison/ask/setting.hpp"
#include "liaison/prepare/prepare.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace liaison::ask {

struct CheckQuestion {
    std::vector<Setting> set = {};
    bool contacts = false; // closed contacts of the start, and every motion they allow
};

struct Check {
    std::optional<prepare::Start> start; // nothing where it cannot be made consistent
    std::optional<ContactsHere> contacts;
    std::optional<analysis::SlidingAgreement> sliding; // of models with relays
};

// There is always an answer; whether the model is sound is what its diagnostics say.
[[nodiscard]] Answer<Check> check(const model::Model& model, const CheckQuestion& question = {},
                                  base::Diagnostics diagnostics = {});

[[nodiscard]] nlohmann::json to_json(const Check& check, const model::Model& model);
// The verdict of a model that is sound, in a line or two; `path` names it.
[[nodiscard]] std::string to_text(const Check& check, const model::Model& model,
                                  const std::string& path);

} // namespace liaison::ask
