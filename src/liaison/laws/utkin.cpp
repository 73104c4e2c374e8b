// SPDX-License-Identifier: Apache-2.0
// Substitution of relay values.
#include "liaison/laws/utkin.hpp"

#include "liaison/expr/substitute.hpp"

namespace liaison::laws {

Expr RelayValue::between() const {
    const expr::Number half = expr::Number::rational(1, 2);
    return (above + below) * half + (above - below) * half * w;
}

std::vector<Expr> equivalent_control(std::span<const Expr> forces,
                                     std::span<const RelayValue> relays) {
    std::vector<Expr> symbols;
    std::vector<Expr> values;
    for (const RelayValue& r : relays) {
        symbols.push_back(r.u);
        values.push_back(r.between());
    }
    return expr::substitute(forces, symbols, values);
}

} // namespace liaison::laws
