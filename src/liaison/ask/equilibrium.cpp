// SPDX-License-Identifier: Apache-2.0
// A search from [start] and a box, or one for every value of a parameter.
#include "liaison/ask/equilibrium.hpp"

#include "liaison/prepare/prepare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace liaison::ask {
namespace {

analysis::EquilibriumOptions read_box(const EquilibriumQuestion& question,
                                      const model::Model& model, base::Interrupt interrupt,
                                      base::Diagnostics& diagnostics) {
    analysis::EquilibriumOptions wanted;
    wanted.starts = question.starts;
    wanted.interrupt = interrupt;
    for (const Range& range : question.box) {
        const std::size_t i = model.coordinate(range.name);
        if (i == model::k_none) {
            std::vector<std::string> names;
            for (const auto& c : model.coordinates) names.push_back(c.name);
            diagnostics
                .report(
                    base::Code::bad_setting,
                    fmt::format("--box {}: the model has no coordinate of this name", range.name))
                .note(fmt::format("it has {}", fmt::join(names, ", ")));
            continue;
        }
        wanted.box.push_back({i, range.from, range.to});
    }
    return wanted;
}

// Rest positions for every value of a parameter; those of one value are starts for the next.
void search_along(const Range& range, std::size_t parameter, const prepare::Point& start,
                  const analysis::EquilibriumOptions& wanted, const Control& control,
                  EquilibriumAnswer& made) {
    constexpr std::size_t k_points = 101;
    const std::size_t n = range.points.value_or(k_points);
    // A parameter at zero may hide a drive: time is looked for with the value of the middle.
    prepare::Point middle = start;
    middle.parameters[parameter] = 0.5 * (range.from + range.to);
    auto search = std::make_shared<analysis::EquilibriumSearch>(*made.model, middle);
    made.search = search;
    std::vector<std::vector<double>> also;
    for (std::size_t i = 0; i < n; ++i) {
        auto values = start.parameters;
        values[parameter] = range.from + (range.to - range.from) * static_cast<double>(i) /
                                             static_cast<double>(n - 1);
        search->set_parameters(values);
        made.along.push_back({values[parameter], search->find(wanted, also)});
        also.clear();
        for (const auto& e : made.along.back().equilibria.found) also.push_back(e.q);
        if (!search->rest().refused().empty()) return;
        if (control.progress)
            control.progress({range.name + " =", range.from, range.to, values[parameter]});
        if (control.interrupted() && i + 1 < n) {
            made.interrupted = true;
            return;
        }
    }
}

} // namespace

bool EquilibriumAnswer::any() const {
    return !here.found.empty() || std::ranges::any_of(along, [](const auto& one) {
        return !one.equilibria.found.empty();
    });
}

Answer<EquilibriumAnswer> equilibrium(const model::Model& model,
                                      const EquilibriumQuestion& question, const Control& control,
                                      base::Diagnostics found) {
    Answer<EquilibriumAnswer> answer{{std::move(found), {}, {}, {}}, {}};
    base::Diagnostics& diagnostics = answer.diagnostics;
    EquilibriumAnswer made;
    made.model = std::make_shared<const model::Model>(model);
    prepare::Options options;
    options.settings = read(question.set, model, diagnostics);
    const auto start = prepare::prepare(model, options, diagnostics);
    const auto wanted = read_box(question, model, control.interrupt, diagnostics);
    std::size_t parameter = model::k_none;
    if (question.over) {
        made.over = question.over->name;
        parameter = prepare::find_parameter(model, made.over, diagnostics);
    }
    if (!start || diagnostics.has_errors()) return answer;
    constexpr std::size_t k_largest = 300; // coordinates: the equations are dense
    if (model.coordinates.size() > k_largest) {
        answer.reason =
            fmt::format("{} coordinates: rest positions are looked for in models of at most {}",
                        model.coordinates.size(), k_largest);
        return answer;
    }
    control.begin(diagnostics);
    if (question.over) {
        search_along(*question.over, parameter, start->point, wanted, control, made);
    } else {
        made.search = std::make_shared<analysis::EquilibriumSearch>(*made.model, start->point);
        made.here = made.search->find(wanted);
        made.interrupted = control.interrupted();
    }
    answer.value = std::move(made);
    return answer;
}

nlohmann::ordered_json to_json(const EquilibriumAnswer& a) {
    return a.over.empty() ? analysis::to_json(a.here, a.search->rest(), *a.model)
                          : analysis::to_json(a.along, a.search->rest(), *a.model, a.over);
}

std::string to_text(const EquilibriumAnswer& a) {
    if (a.over.empty()) return analysis::to_text(a.here, a.search->rest(), *a.model);
    if (a.any()) return analysis::to_text(a.along, *a.model, a.over);
    return fmt::format("{}   rest positions over {}\nnone: {}\n", a.model->name, a.over,
                       a.along.back().equilibria.reason);
}

std::string to_csv(const EquilibriumAnswer& a) {
    return analysis::to_csv(a.along, *a.model, a.over);
}

record::Figure figure(const EquilibriumAnswer& a) {
    return a.over.empty() ? analysis::figure(a.here, *a.model)
                          : analysis::figure(a.along, *a.model, a.over);
}

} // namespace liaison::ask
