// SPDX-License-Identifier: Apache-2.0
// The inverse problem in formulas, at the start in numbers, and both told.
#include "liaison/ask/invert.hpp"

#include "liaison/expr/latex.hpp"
#include "liaison/expr/print.hpp"
#include "liaison/prepare/prepare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace liaison::ask {
namespace {

using analysis::InverseAnswer;
using analysis::InverseVerdict;

const char* word(InverseVerdict verdict) {
    switch (verdict) {
    case InverseVerdict::found: return "found";
    case InverseVerdict::nothing_to_find: return "nothing to find";
    case InverseVerdict::impossible: return "impossible";
    case InverseVerdict::not_positional: return "not positional";
    case InverseVerdict::not_linear: return "not linear";
    case InverseVerdict::too_large: return "too large";
    }
    return "";
}

nlohmann::json to_json(const InverseAnswer& answer, bool latex) {
    const auto list = [](const std::vector<expr::Expr>& all) {
        nlohmann::json result = nlohmann::json::array();
        for (const expr::Expr e : all) result.push_back(expr::print(e));
        return result;
    };
    nlohmann::json result = {{"verdict", word(answer.verdict)},
                             {"rank", answer.rank},
                             {"free", answer.free},
                             {"identities", answer.identities},
                             {"conditions", answer.conditions},
                             {"dependent", answer.dependent},
                             {"attracted", answer.attracted},
                             {"singular", list(answer.singular)},
                             {"followed", nlohmann::json::array()},
                             {"along", nullptr},
                             {"doubts", answer.doubts},
                             {"forces", nlohmann::json::object()},
                             {"directions", nlohmann::json::array()},
                             {"rows", nlohmann::json::array()},
                             {"potential", nullptr},
                             {"V", nullptr}};
    result["reason"] =
        answer.reason.empty() ? nlohmann::json(nullptr) : nlohmann::json(answer.reason);
    for (std::size_t i = 0; i < answer.forces.size(); ++i) {
        result["forces"][answer.names[i]] = expr::print(answer.forces[i]);
        if (latex) result["latex"][answer.names[i]] = expr::latex(answer.forces[i]);
    }
    for (const auto& direction : answer.directions) result["directions"].push_back(list(direction));
    result["product"] = nullptr;
    if (!answer.product.empty())
        result["product"] = {{"C", answer.C}, {"SC", list(answer.product)}};
    for (const auto& row : answer.rows) {
        result["rows"].push_back({{"integral", row.integral},
                                  {"derivatives", row.derivatives},
                                  {"S", list(row.S)},
                                  {"h", expr::print(row.h)}});
    }
    for (const auto& one : answer.followed)
        result["followed"].push_back({{"equation", one.name}, {"conditions", one.conditions}});
    for (std::size_t i = 0; i < answer.along.size(); ++i)
        result["along"][answer.names[i]] = expr::print(answer.along[i]);
    if (answer.potential) result["potential"] = *answer.potential;
    if (answer.componentwise) result["componentwise"] = *answer.componentwise;
    if (!answer.potential_reason.empty()) result["potential_reason"] = answer.potential_reason;
    if (answer.V) result["V"] = expr::print(answer.V);
    return result;
}

nlohmann::json to_json(const analysis::InversePoint& point) {
    const auto list = [](const Eigen::VectorXd& v) {
        return std::vector<double>(v.data(), v.data() + v.size());
    };
    nlohmann::json result = {{"rows", point.rows},
                             {"S", nlohmann::json::array()},
                             {"h", list(point.h)},
                             {"singular_values", list(point.singular_values)},
                             {"rank", point.rank},
                             {"consistent", point.consistent},
                             {"shortest", list(point.shortest)},
                             {"free", nlohmann::json::array()}};
    for (Eigen::Index i = 0; i < point.S.rows(); ++i)
        result["S"].push_back(list(point.S.row(i).transpose()));
    for (Eigen::Index j = 0; j < point.free.cols(); ++j)
        result["free"].push_back(list(point.free.col(j)));
    result["positional"] = {{"exists", point.positional.exists},
                            {"forces", list(point.positional.u)},
                            {"rank", point.positional.rank},
                            {"residual", point.positional.residual}};
    result["potential"] = nullptr;
    if (point.potential_defect)
        result["potential"] = {{"exists", *point.potential_defect <= point.k_potential},
                               {"defect", *point.potential_defect}};
    return result;
}

std::string to_text(const model::Model& model, const analysis::InversePoint& point) {
    const auto vector = [](const Eigen::VectorXd& v) {
        std::string text;
        for (Eigen::Index i = 0; i < v.size(); ++i)
            text += fmt::format("{}{:.9g}", i == 0 ? "" : ", ", v(i));
        return "(" + text + ")";
    };
    std::string names;
    for (const auto& name : model.invert->names) names += (names.empty() ? "" : ", ") + name;
    std::string text = "at the start\n";
    for (Eigen::Index i = 0; i < point.S.rows(); ++i)
        text +=
            fmt::format("      {}: {} · ({}) = {:.9g}\n", point.rows[static_cast<std::size_t>(i)],
                        vector(point.S.row(i).transpose()), names, point.h(i));
    text += fmt::format("      rank {} of {}, singular values {}\n", point.rank, point.S.rows(),
                        vector(point.singular_values));
    if (!point.consistent) return text + "      these equations contradict each other\n";
    text += fmt::format("      shortest ({}) = {}\n", names, vector(point.shortest));
    for (Eigen::Index j = 0; j < point.free.cols(); ++j)
        text += fmt::format("      free along {}\n", vector(point.free.col(j)));
    text += point.positional.exists
                ? fmt::format("      for all velocities {}{}\n", vector(point.positional.u),
                              point.positional.rank < point.shortest.size() ? ", one of many" : "")
                : fmt::format("      no force serves all velocities: {:.1e} is left\n",
                              point.positional.residual);
    if (point.potential_defect)
        text +=
            fmt::format("      {}, here and at places nearby: {:.1e} is left of its conditions\n",
                        *point.potential_defect <= point.k_potential ? "it has a potential"
                                                                     : "it has no potential",
                        *point.potential_defect);
    return text;
}

std::string to_text(const model::Model& model, const InverseAnswer& answer, bool latex) {
    const auto print = [&](expr::Expr e) { return latex ? expr::latex(e) : expr::print(e); };
    const auto count = [](std::size_t n, const char* what) {
        return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
    };
    std::string text = fmt::format("{}   ", model.name);
    if (!model.integrals.empty()) text += count(model.integrals.size(), "integral") + " · ";
    if (!model.invert->follow.empty())
        text += count(model.invert->follow.size(), "equation") + " to follow · ";
    text += fmt::format("{} · rank {}\n", count(answer.names.size(), "unknown force"), answer.rank);
    for (const auto& name : answer.identities)
        text += fmt::format("      {} holds for every force\n", name);
    for (const auto& name : answer.conditions)
        text += fmt::format("      {} is a function of positions: {}' = 0 must hold at the start\n",
                            name, name);
    for (const auto& name : answer.dependent)
        text += fmt::format("      {} adds nothing: its equation follows from the others\n", name);
    for (const auto& name : answer.attracted)
        text += fmt::format("      {} is attracted to zero from wherever it starts\n", name);
    for (const auto& one : answer.followed) {
        if (one.conditions == 0) continue;
        text += fmt::format("      {} must hold at the start{}\n", one.name,
                            one.conditions < 2    ? ""
                            : one.conditions == 2 ? ", and its first derivative"
                                                  : fmt::format(", and its first {} derivatives",
                                                                one.conditions - 1));
    }
    for (std::size_t i = 0; i < answer.forces.size(); ++i)
        text += fmt::format("{} = {}\n", answer.names[i], print(answer.forces[i]));
    for (std::size_t i = 0; i < answer.along.size(); ++i)
        text += fmt::format("along the motion {} = {}\n", answer.names[i], print(answer.along[i]));
    if (!answer.singular.empty()) {
        text += "      the equations for the forces lose rank where ";
        for (std::size_t k = 0; k < answer.singular.size(); ++k)
            text += fmt::format("{}{}", k == 0 ? "" : ", ", print(answer.singular[k]));
        text += answer.singular.size() == 1 ? " = 0\n" : " all vanish\n";
    }
    for (std::size_t k = 0; k < answer.free.size(); ++k) {
        if (k < model.invert->free.size()) continue;
        text += fmt::format("      {}: any function of the state and of time\n", answer.free[k]);
    }
    if (!answer.product.empty()) {
        text += "      with any a and C the free part is a*[S C]";
        for (const auto& row : answer.C) text += fmt::format(", C = ({})", fmt::join(row, ", "));
        text += ":\n      [S C] = (";
        for (std::size_t i = 0; i < answer.product.size(); ++i)
            text += (i == 0 ? "" : ", ") + print(answer.product[i]);
        text += ")\n";
    }
    if (answer.V)
        text += fmt::format("potential V = {}\n", print(answer.V));
    else if (answer.potential && *answer.potential)
        text += fmt::format("potential: yes; {}\n", answer.potential_reason);
    else if (answer.potential)
        text += fmt::format("no potential: {}\n", answer.potential_reason);
    for (const auto& doubt : answer.doubts) text += fmt::format("note: {}\n", doubt);
    return text;
}

} // namespace

Answer<InvertAnswer> invert(const model::Model& model, const InvertQuestion& question,
                            const Control& control, base::Diagnostics diagnostics) {
    Answer<InvertAnswer> answer{{std::move(diagnostics), {}, {}, {}}, {}};
    if (!model.invert)
        answer.diagnostics.report(base::Code::missing_key, "this model asks no inverse question")
            .note("name the unknown forces in [invert] unknown = [\"u1\", …], use them in [force], "
                  "and give the first integrals in [integral]");
    std::optional<prepare::Start> start;
    if (question.here && !answer.refused()) start = prepare::prepare(model, {}, answer.diagnostics);
    if (answer.refused()) return answer;
    control.begin(answer.diagnostics);
    InvertAnswer made{model, analysis::invert(model), {}};
    if (start) made.here = analysis::invert_at(model, start->point);
    answer.value = std::move(made);
    return answer;
}

nlohmann::json to_json(const InvertAnswer& answer, bool latex) {
    nlohmann::json json = to_json(answer.inverse, latex);
    if (answer.here) json["here"] = to_json(*answer.here);
    return json;
}

std::string to_text(const InvertAnswer& answer, bool latex) {
    std::string text = to_text(answer.model, answer.inverse, latex);
    if (answer.here) text += to_text(answer.model, *answer.here);
    if (answer.inverse.verdict != InverseVerdict::found)
        text += fmt::format("{}: {}\n", word(answer.inverse.verdict), answer.inverse.reason);
    return text;
}

} // namespace liaison::ask
