// SPDX-License-Identifier: Apache-2.0
// Tables of quantities: families, parameters, states, data, bodies.
#include "liaison/model/read_tables.hpp"
#include "liaison/text/reader.hpp"

#include <fmt/format.h>

#include <cmath>

namespace liaison::model {

using base::Code;

void Tables::families(const Value& table) {
    constexpr double furthest = 1e9;
    for (const Entry& entry : table.entries) {
        const Value* range = entry.value.get("range");
        const auto bounds = range == nullptr ? std::nullopt : text::read_numbers(*range);
        if (!bounds || bounds->size() != 2) continue;
        const double first = (*bounds)[0];
        const double last = (*bounds)[1];
        if (!(std::abs(first) <= furthest && std::abs(last) <= furthest) ||
            first != std::floor(first) || last != std::floor(last)) {
            diagnostics_
                .report(Code::value_out_of_range, "the range of a family is two whole numbers")
                .at(range->span)
                .note("range = [0, 9] has ten members");
            continue;
        }
        builder_.family({entry.key, entry.key_span}, static_cast<long>(first),
                        static_cast<long>(last));
    }
}

void Tables::parameters(const Value& table) {
    for (const Entry& entry : table.entries) parameter(entry);
}

void Tables::parameter(const Entry& entry) {
    ParameterDraft draft;
    draft.name = {entry.key, entry.key_span};
    const Value* value = &entry.value;
    if (value->is_table()) {
        draft.unit = text(*value, "unit");
        draft.unit_span = span_of(value->get("unit"));
        draft.about = text(*value, "about");
        if (const Value* range = value->get("range")) {
            const auto bounds = text::read_numbers(*range);
            if (bounds && bounds->size() == 2) draft.range = {(*bounds)[0], (*bounds)[1]};
            draft.range_span = range->span;
        }
        value = value->get("value");
        if (value == nullptr) return;
    }
    draft.value_span = value->span;
    if (const auto number = text::read_number(*value)) {
        // The schema has refused what is not finite; the name stays known.
        draft.values = {std::isfinite(*number) ? *number : 0.0};
    } else if (const auto list = text::read_numbers(*value)) {
        draft.values = *list;
        draft.list = true;
    } else {
        return;
    }
    draft_.parameters.push_back(std::move(draft));
}

void Tables::states(const Value& table) {
    for (const Entry& entry : table.entries) {
        if (const auto number = text::read_number(entry.value)) {
            draft_.states.push_back({{entry.key, entry.key_span}, *number});
        }
    }
}

void Tables::data_tables(const Value& table) {
    for (const Entry& entry : table.entries) {
        const Value* x = entry.value.get("x");
        const Value* y = entry.value.get("y");
        if (x == nullptr || y == nullptr) continue;
        const auto xs = text::read_numbers(*x);
        const auto ys = text::read_numbers(*y);
        if (!xs || !ys) continue;
        int order = 3;
        if (const Value* given = entry.value.get("order"); given != nullptr && given->is_number()) {
            // Out of range of int is out of range of orders too.
            order = std::abs(given->number) < 100 ? static_cast<int>(given->number) : -1;
        }
        TableDraft& draft = builder_.table({entry.key, entry.key_span}, *xs, *ys, order);
        draft.x_span = x->span;
        draft.y_span = y->span;
    }
}

void Tables::bodies(const Value& table) {
    for (const Entry& entry : table.entries) {
        const Value& body = entry.value;
        if (!body.is_table()) continue;
        Body::Kind kind = Body::Kind::free;
        if (!word(body, "kind", kind,
                  {{"free", Body::Kind::free}, {"fixed-point", Body::Kind::fixed_point}})) {
            continue;
        }
        BodyDraft& draft = builder_.body({entry.key, entry.key_span}, kind);
        draft.mass = expression(body, "mass");
        draft.weight = expression(body, "weight");
        draft.inertia = matrix(body.get("inertia"));
        draft.center = expressions(body.get("center"));
        draft.gyrostat = expressions(body.get("gyrostat"));
        draft.inertia_span = span_of(body.get("inertia"));
        draft.center_span = span_of(body.get("center"));
        draft.gyrostat_span = span_of(body.get("gyrostat"));
    }
}

} // namespace liaison::model
