// SPDX-License-Identifier: Apache-2.0
// How far relays smoothed by a boundary layer are from relays that switch, and with what power of the width.
#pragma once

#include "liaison/analysis/convergence.hpp"
#include "liaison/base/interrupt.hpp"
#include "liaison/model/model.hpp"
#include "liaison/prepare/prepare.hpp"

#include <vector>

namespace liaison::analysis {

// w = tanh(S/δ) inside the forces tends to Utkin's equivalent control: while sliding S = δ artanh(w), and a crossing
// is blurred over a time O(δ), so that the motion is off by O(δ). The limit is the run by Utkin's definition.
// Where sliding ends artanh(w) has no bound: the layer is left late, and the error is O(δ log 1/δ).
Convergence study_layer(const model::Model& model, const prepare::Start& start,
                        const std::vector<double>& widths, std::size_t samples,
                        base::Interrupt interrupt = nullptr);

} // namespace liaison::analysis
