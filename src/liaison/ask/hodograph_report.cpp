// SPDX-License-Identifier: Apache-2.0
// Levels, touching points, crossings and drift of a hodograph.
#include "liaison/ask/hodograph_report.hpp"

#include "liaison/base/version.hpp"
#include "liaison/record/figure.hpp"
#include "liaison/record/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace liaison::ask {
namespace {

using analysis::Hodograph;
using analysis::Vector3d;
using Json = nlohmann::ordered_json;

Json triple(const Vector3d& v) { return Json::array({v.x(), v.y(), v.z()}); }

} // namespace

Json to_json(const HodographAnswer& a) {
    const Hodograph& h = a.hodograph;
    Json json = {{"liaison", base::k_version}, {"model", a.motion.run.model}};
    json["case"] = a.words.empty() ? Json(nullptr) : Json(a.words);
    json["status"] = record::status_word(a.motion.run.trajectory.status);
    json["time"] = a.motion.run.trajectory.time.rounded();
    if (a.levels) {
        json["levels"] = {{"energy", a.levels->E}, {"area", -a.levels->g}};
        json["box"] = triple(analysis::bounding_box(*a.levels));
        json["parallel"] = Json::array();
        for (const Vector3d& p : analysis::parallel_points(*a.levels))
            json["parallel"].push_back(triple(p));
        json["inside"] = h.least_reach > -1e-9;
        json["least_reach"] = h.least_reach;
        json["in_surface"] = h.in_surface;
    } else {
        json["levels"] = nullptr;
        json["reason"] = a.no_levels;
    }
    json["touches"] = Json::array();
    for (const auto& t : h.touches)
        json["touches"].push_back({{"t", t.time},
                                   {"omega", triple(t.omega)},
                                   {"gamma", triple(-t.nu)},
                                   {"tangency", t.tangency}});
    json["period"] = h.period ? Json(*h.period) : Json(nullptr);
    json["crossings"] = Json::array();
    for (const auto& c : h.crossings)
        json["crossings"].push_back({{"t", {c.first, c.second}},
                                     {"omega", triple(c.omega)},
                                     {"kind", c.apparent() ? "apparent" : "true"},
                                     {"apart", c.apart},
                                     {"distance", c.distance}});
    json["retraced"] = h.retraced;
    json["complete"] = h.complete;
    json["integrals"] = Json::object();
    for (const auto& [name, i] : a.motion.run.integrals)
        json["integrals"][name] = {{"start", i.start},
                                   {"end", i.end},
                                   {"max_drift", i.max_drift},
                                   {"max_drift_between", i.max_drift_between}};
    return json;
}

std::string to_text(const HodographAnswer& a) {
    const Hodograph& h = a.hodograph;
    std::string text =
        fmt::format("{}   {}t {:g} → {:g}\n", a.motion.run.model,
                    a.words.empty() ? "" : a.words + " · ", h.time.front(), h.time.back());
    if (a.levels) {
        const Vector3d box = analysis::bounding_box(*a.levels);
        text += fmt::format("levels   energy {:.9g} · area {:.9g} · |p| ≤ {:.6g}, |q| ≤ {:.6g}, "
                            "|r| ≤ {:.6g}\n",
                            a.levels->E, -a.levels->g, box(0), box(1), box(2));
        for (const Vector3d& p : analysis::parallel_points(*a.levels))
            text += fmt::format("         momentum along the arm of the weight at ω = ({:.9g}, "
                                "{:.9g}, {:.9g})\n",
                                p.x(), p.y(), p.z());
        if (a.levels->r.norm() == 0.0)
            text += "surface  no weight acts: the hodograph lies in the ellipsoid of the energy\n";
        else if (h.in_surface)
            text +=
                "surface  the hodograph lies in it: the vertical stays in the plane of momentum "
                "and arm\n";
        else if (h.least_reach <= -1e-9)
            text += fmt::format("surface  the hodograph leaves it by {:.1e}: the integrals drift\n",
                                -h.least_reach);
        else
            text += fmt::format("surface  inside everywhere · touches {} time{}\n",
                                h.touches.size(), h.touches.size() == 1 ? "" : "s");
    } else {
        text += fmt::format("no surface: {}\n", a.no_levels);
    }
    constexpr std::size_t k_shown = 8;
    for (std::size_t i = 0; i < std::min(h.touches.size(), k_shown); ++i) {
        const auto& t = h.touches[i];
        text += fmt::format("  {:>12.6f}  touches   ω = ({:.6f}, {:.6f}, {:.6f})\n", t.time,
                            t.omega.x(), t.omega.y(), t.omega.z());
    }
    if (h.touches.size() > k_shown)
        text += fmt::format("   …  {} more (--json)\n", h.touches.size() - k_shown);
    if (h.period) text += fmt::format("the state comes back after {:.12g}\n", *h.period);
    const auto apparent =
        static_cast<std::size_t>(std::ranges::count_if(h.crossings, &analysis::Crossing::apparent));
    const std::string enough = h.complete ? "" : ", and more were not looked for";
    if (h.crossings.empty())
        text += fmt::format("the hodograph does not cross itself{}\n", enough);
    else
        text +=
            fmt::format("the hodograph crosses itself {} time{}: {} apparent (another vertical), "
                        "{} true (the same state){}\n",
                        h.crossings.size(), h.crossings.size() == 1 ? "" : "s", apparent,
                        h.crossings.size() - apparent, enough);
    for (std::size_t i = 0; i < std::min(h.crossings.size(), k_shown); ++i) {
        const auto& c = h.crossings[i];
        text += fmt::format("  {:>12.6f}  and {:.6f}   ω = ({:.6f}, {:.6f}, {:.6f})   {}, |Δγ| = "
                            "{:.3g}\n",
                            c.first, c.second, c.omega.x(), c.omega.y(), c.omega.z(),
                            c.apparent() ? "apparent" : "true", c.apart);
    }
    if (h.crossings.size() > k_shown)
        text += fmt::format("   …  {} more (--json)\n", h.crossings.size() - k_shown);
    if (h.retraced) text += "the hodograph runs over itself\n";
    std::string drift;
    for (const auto& [name, i] : a.motion.run.integrals)
        drift += fmt::format("{}{} drifts {:.1e}", drift.empty() ? "" : " · ", name, i.max_drift);
    if (!drift.empty()) text += drift + "\n";
    return text;
}

record::Figure figure(const HodographAnswer& a, std::vector<analysis::SectionPlane> planes,
                      const analysis::View& view) {
    if (planes.empty()) planes = analysis::usual_planes(a.hodograph);
    const auto table = record::tabulate(a.motion.run, a.motion.flow, a.motion.run.trace);
    record::Figure figure{table.model, table.caption, {}};
    figure.panels.push_back(analysis::hodograph_panel(a.hodograph, a.levels, view));
    if (a.levels) {
        for (const auto& plane : planes)
            figure.panels.push_back(analysis::section_panel(a.hodograph, *a.levels, plane));
    }
    figure.panels.push_back(analysis::sphere_panel(a.hodograph, view));
    for (record::Panel& panel : record::integral_drift(table).panels)
        figure.panels.push_back(std::move(panel));
    return figure;
}

} // namespace liaison::ask
