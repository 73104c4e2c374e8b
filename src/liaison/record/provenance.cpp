// SPDX-License-Identifier: Apache-2.0
// The provenance of a run as JSON, written and read.
#include "liaison/record/provenance.hpp"

#include "liaison/compile/hash128.hpp"
#include "liaison/record/json_place.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>

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

std::vector<double> all_numbers(const JsonPlace& list) {
    std::vector<double> values;
    for (const JsonPlace& v : list.items()) values.push_back(v.extended_number());
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

motion::Standing standing_from_json(const JsonPlace& json) {
    constexpr std::int64_t k_most_guards = 1'000'000'000;
    constexpr std::int64_t k_most_multiplicity = 1'000;
    motion::Standing s;
    s.time = solve::DoubleLength::sum(json.at("time").number(), json.at("time_low").number());
    s.state = all_numbers(json.at("state"));
    s.state_low = all_numbers(json.at("state_low"));
    s.mode = all_numbers(json.at("mode"));
    for (const JsonPlace& a : json.at("armed").items()) {
        const auto parts = a.items();
        if (parts.size() != 3) a.refuse("it must hold a guard, a multiplicity and 0 or 1");
        s.armed.push_back({static_cast<std::size_t>(parts[0].whole(0, k_most_guards)),
                           static_cast<int>(parts[1].whole(1, k_most_multiplicity)),
                           parts[2].whole(0, 1) == 1});
    }
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

Provenance provenance_from_json(const JsonPlace& json) {
    Provenance p;
    p.version = json.at("liaison").text();
    p.command = json.at("command").text();
    p.arguments = json.at("arguments").texts();
    p.model_file = json.at("model_file").text();
    p.model_hash = json.at("model_hash").text();
    p.model_text = json.at("model_text").text();
    p.tolerance = json.at("tolerance").number();
    p.method = json.at("method").text();
    p.step = json.at("step").number();
    p.compiler = json.at("compiler").text();
    p.target = json.at("target").text();
    p.build = json.at("build").text();
    p.cpu = json.at("cpu").text();
    if (const JsonPlace from = json.at("from"); !from.is_null()) {
        p.from = standing_from_json(from);
        p.from_file = from.at("file").text();
    }
    return p;
}

std::string fingerprint(std::string_view text) {
    compile::Hash128 hash;
    hash.add(text);
    const compile::Digest digest = hash.digest();
    return fmt::format("{:016x}{:016x}", digest[0], digest[1]);
}

} // namespace liaison::record
