// SPDX-License-Identifier: Apache-2.0
// The words of the realisations: what [run] and --realise call the ways to give constraints a meaning.
#pragma once

#include "liaison/base/diagnostic.hpp"
#include "liaison/model/model.hpp"

#include <string>
#include <string_view>

namespace liaison::model {

// Sets the realisation `family` ("contact", "bilateral", "relay", …) to the one called `word`; false where
// there is no such family or word.
bool choose_realisation(RunOptions& options, std::string_view family, std::string_view word);

// The word of a family that is chosen; empty where there is no such family.
[[nodiscard]] std::string_view realisation_word(const RunOptions& options, std::string_view family);

// "contact=routh,bilateral=program": what a user says on the command line replaces what [run] says.
void read_realisations(RunOptions& options, const std::string& text,
                       base::Diagnostics& diagnostics);

// Where [run] of the file says `key = "word"`; nowhere where it does not, and the command line did.
[[nodiscard]] base::Span where_run_says(const Model& model, std::string_view key,
                                        std::string_view word);

// What the realisations of a model are called in reports: "events · projection".
[[nodiscard]] std::string realisation_of(const Model& model);

// Whether a word is among those of such a name: "elastic" of "elastic · projection".
[[nodiscard]] bool realised_by(std::string_view realisation, std::string_view word);

} // namespace liaison::model
