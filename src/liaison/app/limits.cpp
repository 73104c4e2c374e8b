// SPDX-License-Identifier: Apache-2.0
// The published bounds on what liaison accepts, gathered from the rooms that enforce them.
#include "liaison/app/limits.hpp"

#include "liaison/model/limits.hpp"
#include "liaison/text/document.hpp"
#include "liaison/text/parser.hpp"

namespace liaison::app {

std::vector<Limit> limits() {
    const text::DocumentLimits document;
    const text::ExpressionLimits expression;
    const model::Limits model;
    return {{"file_bytes", document.size, "bytes of a model file"},
            {"file_nesting", document.nesting, "lists and tables nested in each other"},
            {"expression_bytes", expression.length, "bytes of one expression"},
            {"expression_depth", expression.depth, "nested parentheses, signs, exponents"},
            {"expression_nodes", expression.nodes, "parts of one expression"},
            {"names", model.names, "coordinates, parameters, [let] names, family members"},
            {"model_nodes", model.nodes, "parts of all expressions, families expanded"},
            {"bodies", model.bodies, "rigid bodies"},
            {"table_points", model.table_points, "points of a [table]"}};
}

} // namespace liaison::app
