// SPDX-License-Identifier: Apache-2.0
// Reports of rest positions.
#include "liaison/analysis/equilibrium_report.hpp"

#include "liaison/base/version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>

namespace liaison::analysis {
namespace {

using Json = nlohmann::ordered_json;

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

// Components of rounding size are zero to a reader; JSON keeps them.
double tidy(double x) { return std::abs(x) < 1e-12 ? 0.0 : x; }

Json positions(const std::vector<double>& q, const model::Model& model) {
    Json result = Json::object();
    for (std::size_t i = 0; i < q.size(); ++i) result[model.coordinates[i].name] = number(q[i]);
    return result;
}

std::string_view word(const Support& s, SupportState state) {
    switch (state) {
    case SupportState::absent: return "open";
    case SupportState::holds:
        if (s.kind == SupportKind::relay) return "sliding";
        return s.kind == SupportKind::tangential ? "stick" : "closed";
    case SupportState::slides: return "slip";
    case SupportState::below: return "below";
    case SupportState::above: return "above";
    case SupportState::at_lower:
    case SupportState::at_upper: return "limit";
    }
    return "open";
}

std::string side_name(const Support& s) { return s.side.empty() ? s.name : s.name + " " + s.side; }

// A two-sided contact stands under its name, with the side that is closed; open, its gap is the smaller one.
bool told_by_the_other_side(const Support& s, SupportState state, double gap,
                            const Json& contacts) {
    const auto found = contacts.find(s.name);
    if (s.side.empty() || found == contacts.end()) return false;
    if (!(*found)["side"].is_null()) return true;
    return state == SupportState::absent && !(gap < (*found)["gap"].get<double>());
}

Json supports(const Equilibrium& e, const RestEquations& rest) {
    Json reactions = Json::object();
    Json contacts = Json::object();
    Json relays = Json::object();
    const auto& all = rest.supports();
    for (std::size_t k = 0; k < all.size(); ++k) {
        const Support& s = all[k];
        switch (s.kind) {
        case SupportKind::constraint: reactions[s.name] = number(e.forces[k]); break;
        case SupportKind::normal:
            if (told_by_the_other_side(s, e.states[k], e.gaps[k], contacts)) break;
            contacts[s.name] = {{"state", word(s, e.states[k])},
                                {"gap", number(e.gaps[k])},
                                {"normal", number(e.forces[k])}};
            if (!s.side.empty())
                contacts[s.name]["side"] =
                    e.states[k] == SupportState::absent ? Json(nullptr) : Json(s.side);
            break;
        case SupportKind::tangential: {
            Json& entry = contacts[s.name];
            const bool other =
                !s.side.empty() &&
                (entry["side"].is_null() ? entry.contains("tangential") : entry["side"] != s.side);
            if (other) break;
            entry["state"] = e.states[k] == SupportState::absent ? "open" : word(s, e.states[k]);
            entry["tangential"].push_back(number(e.forces[k]));
            entry["limit"] = number(e.bound[k]);
            break;
        }
        case SupportKind::relay:
            relays[s.name] = {{"state", word(s, e.states[k])}, {"value", number(e.forces[k])}};
            break;
        }
    }
    return {{"reactions", reactions}, {"contacts", contacts}, {"relays", relays}};
}

Json one(const Equilibrium& e, const RestEquations& rest, const model::Model& model) {
    Json result = {{"q", positions(e.q, model)}, {"residual", number(e.residual)}};
    result.update(supports(e, rest));
    result["set"] = {{"dimension", e.dimension}, {"ends", Json::array()}};
    for (const SetEnd& end : e.ends)
        result["set"]["ends"].push_back({{"q", positions(end.q, model)}, {"at", end.at}});
    result["eigenvalues"] = Json::array();
    for (const auto& lambda : e.motions.eigenvalues)
        result["eigenvalues"].push_back(
            {{"re", number(lambda.real())}, {"im", number(lambda.imag())}});
    result["modes"] = Json::array();
    for (const VibrationMode& mode : e.motions.modes) {
        const double w = mode.eigenvalue.imag();
        Json shape = Json::object();
        Json quadrature = Json::object();
        bool in_phase = true;
        for (Eigen::Index i = 0; i < mode.shape.size(); ++i) {
            const std::string& name = model.coordinates[static_cast<std::size_t>(i)].name;
            shape[name] = number(mode.shape(i).real());
            quadrature[name] = number(mode.shape(i).imag());
            in_phase = in_phase && std::abs(mode.shape(i).imag()) < 1e-12;
        }
        Json entry = {{"frequency", number(w)},
                      {"period", number(2.0 * std::numbers::pi / w)},
                      {"damping", number(-mode.eigenvalue.real() / std::abs(mode.eigenvalue))},
                      {"shape", shape}};
        if (!in_phase) entry["shape_quadrature"] = quadrature;
        result["modes"].push_back(std::move(entry));
    }
    result["stiffness"] = Json::array();
    if (e.motions.stiffness)
        for (const double k : *e.motions.stiffness) result["stiffness"].push_back(number(k));
    result["verdict"] = name(e.verdict);
    result["stable"] =
        e.verdict == Verdict::not_decided ? Json(nullptr) : Json(e.verdict != Verdict::unstable);
    result["reason"] = e.reason;
    return result;
}

std::string support_text(const Equilibrium& e, const RestEquations& rest) {
    std::string text;
    const auto& all = rest.supports();
    for (std::size_t k = 0; k < all.size(); ++k) {
        const Support& s = all[k];
        if (s.kind == SupportKind::constraint) {
            text += fmt::format("    {:<12} reaction {:.6g}\n", s.name, tidy(e.forces[k]));
        } else if (s.kind == SupportKind::normal) {
            text += e.states[k] == SupportState::absent
                        ? fmt::format("    {:<12} open, gap {:.6g}\n", side_name(s), e.gaps[k])
                        : fmt::format("    {:<12} closed, force {:.6g}\n", side_name(s),
                                      tidy(e.forces[k]));
        } else if (s.kind == SupportKind::tangential) {
            if (e.states[k] != SupportState::absent)
                text += fmt::format("    {:<12} {}, friction {:.6g} of {:.6g}\n", side_name(s),
                                    e.states[k] == SupportState::slides ? "slips" : "sticks",
                                    tidy(e.forces[k]), e.bound[k]);
        } else {
            text += fmt::format("    {:<12} {}, value {:.6g}\n", s.name, word(s, e.states[k]),
                                tidy(e.forces[k]));
        }
    }
    return text;
}

std::string place(const std::vector<double>& q, const model::Model& model) {
    std::string text;
    for (std::size_t i = 0; i < q.size(); ++i)
        text += fmt::format("{}{} = {:.9g}", i == 0 ? "" : "   ", model.coordinates[i].name,
                            tidy(q[i]));
    return text;
}

std::string mode_text(const VibrationMode& mode, const model::Model& model) {
    const double w = mode.eigenvalue.imag();
    std::string text = fmt::format("    vibration    {:.9g} rad per time unit, period {:.6g}", w,
                                   2.0 * std::numbers::pi / w);
    if (mode.eigenvalue.real() != 0.0)
        text += fmt::format(", damping ratio {:.4g}",
                            -mode.eigenvalue.real() / std::abs(mode.eigenvalue));
    text += ", shape";
    for (Eigen::Index i = 0; i < mode.shape.size(); ++i)
        text += fmt::format(" {} {:.5g}", model.coordinates[static_cast<std::size_t>(i)].name,
                            tidy(mode.shape(i).real()));
    return text + "\n";
}

} // namespace

nlohmann::ordered_json to_json(const Equilibria& all, const RestEquations& rest,
                               const model::Model& model) {
    Json result = {{"liaison", base::k_version},
                   {"model", model.name},
                   {"found", all.found.size()},
                   {"reason", all.reason.empty() ? Json(nullptr) : Json(all.reason)},
                   {"attempts", all.tried},
                   {"best_residual", all.found.empty() ? number(all.best_residual) : Json(nullptr)},
                   {"cases_left_out", all.cases_left_out},
                   {"equilibria", Json::array()}};
    for (const Equilibrium& e : all.found) result["equilibria"].push_back(one(e, rest, model));
    return result;
}

std::string to_text(const Equilibria& all, const RestEquations& rest, const model::Model& model) {
    std::string text = fmt::format("{}   rest positions\n", model.name);
    if (all.found.empty()) return text + fmt::format("none: {}\n", all.reason);
    for (const Equilibrium& e : all.found) {
        text += fmt::format("  {}\n", place(e.q, model));
        text += support_text(e, rest);
        if (e.dimension > 0) {
            text += fmt::format("    one of a set of dimension {}", e.dimension);
            for (const SetEnd& end : e.ends)
                text += fmt::format(" · ends at {}", place(end.q, model));
            text += "\n";
        }
        if (!e.motions.eigenvalues.empty() && e.motions.modes.empty()) {
            text += "    eigenvalues ";
            for (const auto& lambda : e.motions.eigenvalues)
                text += fmt::format(" {:.6g}", tidy(lambda.real()));
            text += "\n";
        }
        constexpr std::size_t k_most = 12;
        for (std::size_t i = 0; i < std::min(k_most, e.motions.modes.size()); ++i)
            text += mode_text(e.motions.modes[i], model);
        if (e.motions.modes.size() > k_most)
            text +=
                fmt::format("    … {} more vibrations (--json)\n", e.motions.modes.size() - k_most);
        text += fmt::format("    {}: {}\n", name(e.verdict), e.reason);
    }
    if (all.cases_left_out)
        text += "not every choice of closed contacts was tried: there are too many\n";
    return text;
}

record::Figure figure(const Equilibria& all, const model::Model& model) {
    record::Figure figure;
    figure.title = fmt::format("{}: eigenvalues at rest", model.name);
    for (const Equilibrium& e : all.found) {
        record::Panel panel;
        panel.x_label = "Re";
        panel.y_label = "Im";
        panel.margin = 0.05;
        record::Line dots;
        dots.label = fmt::format("{} ({})", place(e.q, model), name(e.verdict));
        dots.dots = true;
        for (const auto& lambda : e.motions.eigenvalues) {
            dots.x.push_back(lambda.real());
            dots.y.push_back(lambda.imag());
        }
        panel.lines.push_back(std::move(dots));
        figure.panels.push_back(std::move(panel));
    }
    return figure;
}

nlohmann::ordered_json to_json(const std::vector<EquilibriaAt>& all, const RestEquations& rest,
                               const model::Model& model, const std::string& parameter) {
    Json result = {{"liaison", base::k_version},
                   {"model", model.name},
                   {"parameter", parameter},
                   {"points", Json::array()}};
    for (const EquilibriaAt& at : all) {
        Json entry = {
            {"parameter", number(at.parameter)},
            {"reason", at.equilibria.reason.empty() ? Json(nullptr) : Json(at.equilibria.reason)},
            {"equilibria", Json::array()}};
        for (const Equilibrium& e : at.equilibria.found)
            entry["equilibria"].push_back(one(e, rest, model));
        result["points"].push_back(std::move(entry));
    }
    return result;
}

std::string to_text(const std::vector<EquilibriaAt>& all, const model::Model& model,
                    const std::string& parameter) {
    std::string text = fmt::format("{}   rest positions over {}\n", model.name, parameter);
    // One line where their number or a verdict changes.
    std::string before;
    for (const EquilibriaAt& at : all) {
        std::string words;
        for (const Equilibrium& e : at.equilibria.found)
            words += fmt::format("{}{}", words.empty() ? "" : ", ", name(e.verdict));
        if (words == before && &at != &all.back()) continue;
        before = words;
        text += fmt::format("  {:<12.6g} {} rest position{}: {}\n", at.parameter,
                            at.equilibria.found.size(), at.equilibria.found.size() == 1 ? "" : "s",
                            words.empty() ? "none" : words);
    }
    return text;
}

std::string to_csv(const std::vector<EquilibriaAt>& all, const model::Model& model,
                   const std::string& parameter) {
    std::string text = fmt::format("# liaison {}: rest positions of {}\n{}", base::k_version,
                                   model.name, parameter);
    for (const auto& c : model.coordinates) text += fmt::format(",{}", c.name);
    text += ",largest real part,verdict\n";
    for (const EquilibriaAt& at : all) {
        for (const Equilibrium& e : at.equilibria.found) {
            text += fmt::format("{:.17g}", at.parameter);
            for (const double q : e.q) text += fmt::format(",{:.17g}", q);
            if (e.motions.eigenvalues.empty())
                text += ",";
            else
                text += fmt::format(",{:.17g}", e.motions.eigenvalues.front().real());
            text += fmt::format(",{}\n", name(e.verdict));
        }
    }
    return text;
}

record::Figure figure(const std::vector<EquilibriaAt>& all, const model::Model& model,
                      const std::string& parameter) {
    record::Figure figure;
    figure.title = fmt::format("{}: rest positions", model.name);
    constexpr std::size_t k_most = 6;
    for (std::size_t i = 0; i < std::min(k_most, model.coordinates.size()); ++i) {
        record::Panel panel;
        panel.x_label = parameter;
        panel.y_label = model.coordinates[i].name;
        for (const Verdict v : {Verdict::asymptotically_stable, Verdict::stable, Verdict::unstable,
                                Verdict::not_decided}) {
            record::Line line;
            line.label = name(v);
            line.dots = true;
            for (const EquilibriaAt& at : all) {
                for (const Equilibrium& e : at.equilibria.found) {
                    if (e.verdict != v) continue;
                    line.x.push_back(at.parameter);
                    line.y.push_back(e.q[i]);
                }
            }
            if (!line.x.empty()) panel.lines.push_back(std::move(line));
        }
        figure.panels.push_back(std::move(panel));
    }
    return figure;
}

} // namespace liaison::analysis
