// SPDX-License-Identifier: Apache-2.0
// Flows from model texts, with some parameters at other values.
#pragma once

#include "liaison/model/read.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>

namespace liaison::test {

using Values = std::map<std::string, double>;

struct Loaded {
    std::shared_ptr<const model::Model> model;
    prepare::Options options;
    prepare::Start start;
    std::shared_ptr<const flow::Flow> flow;
};

inline Loaded load(const std::string& text, const Values& values = {}) {
    Loaded loaded;
    loaded.model = std::make_shared<model::Model>(model::read_model("test", text));
    for (const auto& [name, value] : values) {
        for (std::size_t i = 0; i < loaded.model->parameters.size(); ++i) {
            if (loaded.model->parameters[i].name == name)
                loaded.options.settings.push_back({i, value});
        }
    }
    base::Diagnostics diagnostics;
    const auto start = prepare::prepare(*loaded.model, loaded.options, diagnostics);
    for (const auto& d : diagnostics.all()) INFO(d.message);
    REQUIRE(start);
    loaded.start = *start;
    auto realised = realise::realise(*loaded.model, loaded.start.point);
    REQUIRE(realised.missing.empty());
    loaded.flow = std::make_shared<flow::Flow>(std::move(realised.flow));
    return loaded;
}

inline std::size_t parameter(const flow::Flow& flow, const std::string& name) {
    for (std::size_t i = 0; i < flow.parameter_names.size(); ++i) {
        if (flow.parameter_names[i] == name) return i;
    }
    FAIL("no parameter " << name);
    return 0;
}

} // namespace liaison::test
