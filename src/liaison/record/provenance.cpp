// SPDX-License-Identifier: Apache-2.0
// The provenance of a run as JSON, written and read.
#include "liaison/record/provenance.hpp"

#include "liaison/compile/hash128.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace liaison::record {

using Json = nlohmann::ordered_json;

namespace {

// A mode slot may hold "never", which is an infinity; JSON has no such number.
Json all_numbers(const std::vector<double>& values) {
    Json list = Json::array();
    for (const double v : values)
        list.push_back(std::isfinite(v) ? Json(v) : Json(fmt::format("{}", v)));
    return list;
}

std::vector<double> all_numbers(const nlohmann::json& list) {
    std::vector<double> values;
    for (const auto& v : list)
        values.push_back(v.is_string() ? std::strtod(v.get<std::string>().c_str(), nullptr)
                                       : v.get<double>());
    return values;
}

} // namespace

nlohmann::ordered_json to_json(const motion::Standing& s) {
    Json armed = Json::array();
    for (const flow::Armed& a : s.armed)
        armed.push_back({a.guard, a.multiplicity, a.crossed ? 1 : 0});
    return {{"time", s.time.high()},         {"time_low", s.time.low()},
            {"state", all_numbers(s.state)}, {"state_low", all_numbers(s.state_low)},
            {"mode", all_numbers(s.mode)},   {"armed", armed}};
}

motion::Standing standing_from_json(const nlohmann::json& json) {
    motion::Standing s;
    s.time = solve::DoubleLength::sum(json.at("time"), json.at("time_low"));
    s.state = all_numbers(json.at("state"));
    s.state_low = all_numbers(json.at("state_low"));
    s.mode = all_numbers(json.at("mode"));
    for (const auto& a : json.at("armed"))
        s.armed.push_back({a.at(0).get<std::size_t>(), a.at(1).get<int>(), a.at(2) == 1});
    return s;
}

nlohmann::ordered_json to_json(const Provenance& p, const flow::Flow& flow) {
    Json parameters = Json::object();
    for (std::size_t i = 0; i < flow.parameters.size(); ++i)
        parameters[flow.parameter_names[i]] = flow.parameter_values[i];
    Json json = {{"liaison", p.version},
                 {"command", p.command},
                 {"arguments", p.arguments},
                 {"model_file", p.model_file},
                 {"model_hash", p.model_hash},
                 {"parameters", parameters},
                 {"tolerance", p.tolerance},
                 {"method", p.method},
                 {"step", p.step},
                 {"realisation", flow.realisation},
                 {"seed", nullptr},
                 {"compiler", p.compiler},
                 {"target", p.target},
                 {"build", p.build},
                 {"cpu", p.cpu},
                 {"from", nullptr},
                 {"model_text", p.model_text}};
    if (p.from) {
        json["from"] = to_json(*p.from);
        json["from"]["file"] = p.from_file;
    }
    return json;
}

Provenance provenance_from_json(const nlohmann::json& json) {
    try {
        Provenance p;
        json.at("liaison").get_to(p.version);
        json.at("command").get_to(p.command);
        json.at("arguments").get_to(p.arguments);
        json.at("model_file").get_to(p.model_file);
        json.at("model_hash").get_to(p.model_hash);
        json.at("model_text").get_to(p.model_text);
        json.at("tolerance").get_to(p.tolerance);
        json.at("method").get_to(p.method);
        json.at("step").get_to(p.step);
        json.at("compiler").get_to(p.compiler);
        json.at("target").get_to(p.target);
        json.at("build").get_to(p.build);
        json.at("cpu").get_to(p.cpu);
        if (const auto& from = json.at("from"); !from.is_null()) {
            p.from = standing_from_json(from);
            from.at("file").get_to(p.from_file);
        }
        return p;
    } catch (const nlohmann::json::exception& problem) {
        throw std::runtime_error(fmt::format("its provenance is damaged: {}", problem.what()));
    }
}

std::string fingerprint(std::string_view text) {
    compile::Hash128 hash;
    hash.add(text);
    const compile::Digest digest = hash.digest();
    return fmt::format("{:016x}{:016x}", digest[0], digest[1]);
}

} // namespace liaison::record
