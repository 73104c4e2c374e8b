// SPDX-License-Identifier: Apache-2.0
// Mechanisms of the reference files as model texts, and runs of them.
#pragma once

#include "liaison/model/read.hpp"
#include "liaison/motion/simulate.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"

#include "support/reference.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace liaison::support {

using test::reference;

// The slider-crank of 03-mechanisms.json; `extra` is added to each constraint table, `more` to the file.
inline std::string slider_crank(const std::string& extra = "", const std::string& more = "",
                                const std::string& start = "") {
    return R"toml(format = 1
name = "slider-crank"
coordinates = ["phi1", "phi2", "x"]
[parameters]
r = 1.0
l = 4.0
m1 = 1.0
m2 = 2.0
m3 = 3.0
g = 9.81
Tq = 2.0
[energy]
T = "(m1*r^2/3 + m2*r^2)/2*phi1'^2 + m2*r*l*cos(phi1 - phi2)*phi1'*phi2'/2 + m2*l^2/6*phi2'^2 + m3/2*x'^2"
V = "g*(m1*r*sin(phi1)/2 + m2*(r*sin(phi1) + l*sin(phi2)/2))"
[force.motor]
phi1 = "Tq"
[constraint.along]
equation = "r*cos(phi1) + l*cos(phi2) - x = 0"
)toml" + extra +
           R"toml(
[constraint.across]
equation = "r*sin(phi1) + l*sin(phi2) = 0"
)toml" + extra +
           "\n" + more +
           (start.empty() ? R"toml(
[start]
phi1 = 1.0471975511965979
phi2 = -0.21823451436745964
x = 4.405124837953327
[start.velocity]
phi1 = 2.0
phi2 = -0.25607375986579195
x = -1.9538171888552491
)toml"
                          : start);
}

// The four-bar linkage of 03-mechanisms.json; `extra` is added to each constraint table, `more` to the file.
inline std::string four_bar(const std::string& extra = "", const std::string& more = "") {
    const auto first = reference("03-mechanisms.json")["systems"][1]["points"][0];
    const auto entry = [&](const char* group, int i) {
        return first[group][static_cast<std::size_t>(i)].dump();
    };
    std::string text = R"toml(format = 1
name = "four-bar"
coordinates = ["th1", "th2", "th3"]
[parameters]
a = 1.0
b = 3.0
c = 2.5
d = 3.0
m1 = 1.0
m2 = 3.0
m3 = 2.5
g = 9.81
[energy]
T = "(m1*a^2/3 + m2*a^2)/2*th1'^2 + m2*a*b*cos(th1 - th2)*th1'*th2'/2 + m2*b^2/6*th2'^2 + m3*c^2/6*th3'^2"
V = "g*((m1/2 + m2)*a*sin(th1) + m2*b*sin(th2)/2 + m3*c*sin(th3)/2)"
[constraint.along]
equation = "a*cos(th1) + b*cos(th2) - c*cos(th3) - d = 0"
)toml" + extra + R"toml(
[constraint.across]
equation = "a*sin(th1) + b*sin(th2) - c*sin(th3) = 0"
)toml" + extra + "\n" + more +
                       "\n[start]\n";
    const char* names[] = {"th1", "th2", "th3"};
    for (int i = 0; i < 3; ++i) text += std::string(names[i]) + " = " + entry("q", i) + "\n";
    text += "[start.velocity]\n";
    for (int i = 0; i < 3; ++i) text += std::string(names[i]) + " = " + entry("v", i) + "\n";
    return text;
}

struct Prepared {
    model::Model model;
    prepare::Start start;
    realise::Realisation realised;
};

inline Prepared prepared(const std::string& text) {
    Prepared p{model::read_model("test.toml", text), {}, {}};
    base::Diagnostics diagnostics;
    const auto start = prepare::prepare(p.model, {}, diagnostics);
    REQUIRE(start);
    p.start = *start;
    p.realised = realise::realise(p.model, p.start.point);
    REQUIRE(p.realised.missing == "");
    return p;
}

} // namespace liaison::support
