// SPDX-License-Identifier: Apache-2.0
// Facts of the build, of the machine and of the text.
#include "liaison/ask/provenance.hpp"

#include "liaison/base/cpu.hpp"
#include "liaison/base/utf8.hpp"
#include "liaison/base/version.hpp"
#include "liaison/record/provenance.hpp"

#include <fmt/format.h>

namespace liaison::ask {

void complete(record::Provenance& p, const model::Model& model, const RunQuestion& question) {
    const auto facts = base::build_facts();
    p.version = facts.version;
    p.compiler = facts.compiler;
    p.target = facts.target;
    p.build = facts.optimised ? "optimised" : "not optimised";
    for (const base::OptionalPart& part : facts.parts) {
        if (part.present) p.build += fmt::format(", {}", part.name);
    }
    p.arguments = question.arguments;
    p.command = base::printable(question.command);
    p.from = question.from;
    p.from_file = base::printable(question.from_file);
    p.cpu = base::this_cpu().name;
    if (!model.source) return; // a model that was built, not read
    p.model_file = base::printable(model.source->name());
    p.model_text = std::string(model.source->text());
    p.model_hash = record::fingerprint(p.model_text);
}

} // namespace liaison::ask
