// SPDX-License-Identifier: Apache-2.0
// Any bytes as an expression: no crash, no hang, and trouble is always reported.
#include "liaison/base/render.hpp"
#include "liaison/text/parser.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace liaison;
    const auto file = base::SourceFile::make(
        "expression", std::string(reinterpret_cast<const char*>(data), size));
    for (const auto form : {text::Form::expression, text::Form::condition, text::Form::equation}) {
        base::Diagnostics diagnostics;
        const auto syntax = text::parse(text::Passage::of(*file), form, diagnostics);
        if (syntax.ok() == diagnostics.has_errors()) std::abort();
        for (text::NodeId id = 0; id < syntax.nodes().size(); ++id) {
            for (const text::NodeId child : syntax.children(id)) {
                if (child >= id) std::abort();
            }
            if (syntax.node(id).end > size) std::abort();
        }
        if (base::render(diagnostics).empty() != diagnostics.empty()) std::abort();
    }
    return 0;
}
