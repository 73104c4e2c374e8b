// SPDX-License-Identifier: Apache-2.0
// Names of event kinds as they appear in results.
#include "liaison/flow/event.hpp"

namespace liaison::flow {

std::string_view name(EventKind kind) {
    switch (kind) {
    case EventKind::impact: return "impact";
    case EventKind::tangential_impact: return "tangential_impact";
    case EventKind::attach: return "attach";
    case EventKind::release: return "release";
    case EventKind::stick: return "stick";
    case EventKind::slip: return "slip";
    case EventKind::reverse: return "reverse";
    case EventKind::graze: return "graze";
    case EventKind::accumulation: return "accumulation";
    case EventKind::crossing: return "crossing";
    case EventKind::enter_sliding: return "enter_sliding";
    case EventKind::exit_sliding: return "exit_sliding";
    case EventKind::user: return "user";
    case EventKind::terminal: return "terminal";
    }
    return "unknown";
}

} // namespace liaison::flow
