// SPDX-License-Identifier: Apache-2.0
// Comparisons are truth values, everything else is a quantity: each in its place.
#include "liaison/text/truth_values.hpp"

#include <fmt/format.h>

namespace liaison::text {

namespace {

using base::Code;

bool is_comparison(NodeKind kind) {
    return kind == NodeKind::less || kind == NodeKind::less_equal || kind == NodeKind::greater ||
           kind == NodeKind::greater_equal;
}

bool is_logic(NodeKind kind) {
    return kind == NodeKind::both || kind == NodeKind::either || kind == NodeKind::opposite;
}

class Checker {
  public:
    Checker(Syntax& syntax, base::Diagnostics& diagnostics)
        : syntax_(syntax), diagnostics_(diagnostics) {}

    void run(Form form) {
        for (NodeId id = 0; id < syntax_.nodes().size(); ++id) check_children(id);
        if (is_truth(syntax_.root()) && form == Form::expression) {
            complain(syntax_.root(), "a comparison cannot stand for a quantity")
                .note("if(condition, a, b) chooses between two quantities");
        }
    }

  private:
    bool is_truth(NodeId id) const {
        const NodeKind kind = syntax_.node(id).kind;
        return is_comparison(kind) || is_logic(kind);
    }

    void check_children(NodeId id) {
        const NodeKind kind = syntax_.node(id).kind;
        const auto children = syntax_.children(id);
        for (std::size_t k = 0; k < children.size(); ++k) {
            const NodeId child = children[k];
            const bool condition =
                is_logic(kind) || (kind == NodeKind::call && k == 0 && syntax_.name(id) == "if");
            if (condition && !is_truth(child)) {
                complain(child, "a comparison is expected here")
                    .note(is_logic(kind) ? "and, or, not join comparisons such as x > 0"
                                         : "if(condition, a, b) begins with a comparison: "
                                           "if(x > 0, a, b)");
            } else if (!condition && is_truth(child)) {
                misplaced(kind, child);
            }
        }
    }

    void misplaced(NodeKind parent, NodeId child) {
        auto& d =
            complain(child, is_comparison(parent) ? "comparisons do not chain"
                                                  : "a comparison cannot stand for a quantity");
        if (is_comparison(parent)) {
            d.note("write a < x and x < b");
        } else {
            d.note("if(condition, a, b) chooses between two quantities");
        }
    }

    base::Diagnostic& complain(NodeId id, std::string message) {
        syntax_.mark_broken();
        return diagnostics_.report(Code::comparison_misplaced, std::move(message))
            .at(syntax_.span(id));
    }

    Syntax& syntax_;
    base::Diagnostics& diagnostics_;
};

} // namespace

void check_truth_values(Syntax& syntax, Form form, base::Diagnostics& diagnostics) {
    Checker(syntax, diagnostics).run(form);
}

} // namespace liaison::text
