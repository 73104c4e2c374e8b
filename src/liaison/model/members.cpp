// SPDX-License-Identifier: Apache-2.0
// Families written out: the members that a name such as "touch[i]" stands for.
#include "liaison/model/members.hpp"

#include "liaison/base/nearest.hpp"
#include "liaison/text/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace liaison::model {

using base::Code;

namespace {

bool is_number(std::string_view text) {
    return !text.empty() &&
           (std::isdigit(static_cast<unsigned char>(text.front())) != 0 || text.front() == '-');
}

text::Passage passage_of(const Name& name) { return {name.text, text::TextMap::whole(name.span)}; }

} // namespace

std::vector<Member> Members::of(const Name& name, const std::unordered_set<std::string>& given) {
    // A coordinate of a body carries the body's name: "ball.x", "ball[i].x".
    const std::size_t bracket = std::min(name.text.find(']'), name.text.size());
    const std::size_t dot =
        std::min(name.text.find('.', bracket == name.text.size() ? 0 : bracket), name.text.size());
    const Name owner{name.text.substr(0, dot), name.span};
    auto declared = text::parse_declaration(passage_of(owner), diagnostics_);
    if (!declared) return {};
    declared->name += name.text.substr(dot);
    std::vector<Member> members{
        {.name = declared->name, .head = declared->name, .index = {}, .indices = {}}};
    for (const std::string& index : declared->indices) {
        if (is_number(index)) {
            for (Member& member : members) {
                member.index.push_back(std::strtol(index.c_str(), nullptr, 10));
                member.apart = true;
            }
            continue;
        }
        const Family* family = declarations_.family(index);
        if (family == nullptr && declarations_.incomplete) return {};
        if (family == nullptr) {
            auto& report = diagnostics_.report(Code::unknown_index,
                                               fmt::format("there is no family `{}`", index));
            report.at(name.span, "indexed by it")
                .note(fmt::format("declare it: [family.{}] range = [0, 9]", index));
            return {};
        }
        const auto count = static_cast<std::size_t>(family->last - family->first + 1);
        if (count * members.size() > declarations_.limits.names) {
            diagnostics_
                .report(Code::model_too_large, fmt::format("`{}` has more than {} members",
                                                           name.text, declarations_.limits.names))
                .at(name.span)
                .see(family->span, "the range of its index");
            return {};
        }
        std::vector<Member> next;
        next.reserve(count * members.size());
        for (const Member& member : members) {
            for (long k = family->first; k <= family->last; ++k) {
                Member one = member;
                one.index.push_back(k);
                one.indices.emplace_back(index, k);
                next.push_back(std::move(one));
            }
        }
        members = std::move(next);
    }
    for (Member& member : members) member.name = member_name(member.head, member.index);
    std::erase_if(members, [&](const Member& m) { return !m.apart && given.contains(m.name); });
    return members;
}

std::unordered_set<std::string> Members::apart(const std::vector<Name>& names) {
    std::unordered_set<std::string> given;
    for (const Name& name : names) {
        const std::size_t open = name.text.find('[');
        if (open == std::string::npos || open + 1 >= name.text.size()) continue;
        if (is_number(std::string_view(name.text).substr(open + 1))) {
            // Spaces after commas do not matter.
            std::string key = name.text;
            std::erase(key, ' ');
            given.insert(key);
        }
    }
    return given;
}

} // namespace liaison::model
