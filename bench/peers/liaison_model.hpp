// SPDX-License-Identifier: Apache-2.0
// A flow from a model file of this directory, as `liaison run --no-balance` makes it: the motion alone, which is the job of
// the rivals.
#pragma once

#include "liaison/base/render.hpp"
#include "liaison/flow/motion_alone.hpp"
#include "liaison/model/read.hpp"
#include "liaison/model/realisation_words.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/prepare/settings.hpp"
#include "liaison/realise/realise.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace peers {

// `settings`: "name=value", as after --set; `realisation`: as after --realise, empty: as the model says.
inline liaison::flow::Flow load_flow_with_balance(const std::string& name,
                                                  const std::vector<std::string>& settings = {},
                                                  const std::string& realisation = {}) {
    const std::string path = std::string(PEERS_MODELS) + "/" + name + ".toml";
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    liaison::base::Diagnostics diagnostics;
    auto model =
        liaison::model::read_model(liaison::base::SourceFile::make(path, text.str()), diagnostics);
    if (model && !realisation.empty())
        liaison::model::read_realisations(model->run, realisation, diagnostics);
    liaison::prepare::Options options;
    if (model) options.settings = liaison::prepare::read_settings(*model, settings, diagnostics);
    const auto start =
        model ? liaison::prepare::prepare(*model, options, diagnostics) : std::nullopt;
    if (!start) {
        std::fprintf(stderr, "%s: the model cannot be read\n", path.c_str());
        std::exit(1);
    }
    return liaison::realise::realise(*model, start->point).flow;
}

inline liaison::flow::Flow load_flow(const std::string& name,
                                     const std::vector<std::string>& settings = {},
                                     const std::string& realisation = {}) {
    return liaison::flow::motion_alone(load_flow_with_balance(name, settings, realisation));
}

} // namespace peers
