// SPDX-License-Identifier: Apache-2.0
// Why realisations of a contact disagree: what in their motions explains it.
#pragma once

#include "liaison/analysis/comparison.hpp"
#include "liaison/model/model.hpp"
#include "liaison/record/svg.hpp"

#include <string>
#include <vector>

namespace liaison::analysis {

// Sentences about the differences that contacts explain: finite stiffness, restitution that was not given, corners whose
// outcome depends on the order, impacts near grazing. Empty where there is nothing to explain.
std::vector<std::string> explain_contacts(const model::Model& model,
                                          const std::vector<Variant>& variants,
                                          const std::vector<Difference>& differences);

// Positions of all variants, and the logarithm of the largest difference from the first one over time.
record::Figure difference_figure(const std::vector<Variant>& variants);

} // namespace liaison::analysis
