// SPDX-License-Identifier: Apache-2.0
// How does it move? From a model to its motion.
#pragma once

#include "liaison/ask/answer.hpp"
#include "liaison/ask/control.hpp"
#include "liaison/ask/setting.hpp"
#include "liaison/flow/flow.hpp"
#include "liaison/model/method.hpp"
#include "liaison/motion/standing.hpp"
#include "liaison/prepare/start_change.hpp"
#include "liaison/record/run.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace liaison::ask {

struct RunQuestion {
    std::vector<Setting> set = {}; // other values of parameters
    // These stand in for what [run] says.
    std::optional<double> until = {};
    std::optional<double> tolerance = {};
    std::optional<double> step = {};
    std::optional<model::Method> method = {};
    std::vector<std::string> realise = {}; // "contact=routh", "bilateral=program"

    std::vector<double> at = {}; // sample times
    std::size_t samples = 0;     // evenly spaced ones besides
    bool trace = false;          // points along the motion, for pictures
    bool pieces = false;         // keep the motion itself

    std::vector<std::string> sensitivity = {}; // parameters, coordinates, velocities at the start
    bool saltation = false;                    // how neighbours pass each event
    bool balance = true;                       // the balance of energy beside the motion

    std::optional<double> layer = {}; // relays smoothed over this width instead of switching
    std::vector<std::string> branches = {}; // "RELAY=above": where a surface leaves a choice
    bool release =
        true; // false: contacts by Routh's function stay where their reaction is negative

    std::optional<motion::Standing> from = {}; // go on from here
    // For the provenance of the result: the file `from` was read from, the command line, and the options that decide the
    // numbers.
    std::string from_file = {};
    std::string command = {};
    std::vector<std::string> arguments = {};
};

struct Motion {
    flow::Flow flow; // names the columns of the samples: flow.outputs
    record::Run run;
    // What `solve`, `closed` or inconsistent = "project" made of the start; nothing where it is as given.
    std::vector<prepare::StartChange> start_changes;
};

// A motion that cannot go on is an answer: its trajectory says so. `diagnostics`: what was found before; with an error
// among them nothing is computed, and all are told together.
[[nodiscard]] Answer<Motion> run(const model::Model& model, const RunQuestion& question = {},
                                 const Control& control = {}, base::Diagnostics diagnostics = {});

// The value of a quantity at a sample: value(motion, 0, "x"), "x'", "x''", "floor.reaction", "energy". Throws
// std::out_of_range for names there are not.
[[nodiscard]] double value(const Motion& motion, std::size_t sample, std::string_view label);

} // namespace liaison::ask
