// SPDX-License-Identifier: Apache-2.0
// Renderers of explanations.
#include "liaison/equations/explanation.hpp"

#include "liaison/expr/latex.hpp"
#include "liaison/expr/print.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace liaison::equations {
namespace {

// Every expression of the explanation typeset together, so that shared parts get one name.
struct Typeset {
    expr::Listing listing;
    std::size_t next = 0;

    std::string take() { return listing.expressions[next++]; }
};

std::vector<expr::Expr> expressions_of(const Explanation& explanation) {
    std::vector<expr::Expr> all;
    for (const Section& section : explanation.sections) {
        for (const Statement& s : section.statements) {
            if (s.left) all.push_back(s.left);
            if (s.right) all.push_back(s.right);
        }
    }
    return all;
}

// Parts shorter than this are repeated rather than named: a reader prefers that.
constexpr expr::ListingOptions k_listing{.share_above = 160, .follow_labels = true};

std::string text_line(const Statement& s, Typeset& typeset, std::size_t width) {
    std::string line;
    if (s.left) {
        if (!s.name.empty()) line = fmt::format("{:<{}}  ", s.name, width);
        line += typeset.take();
    } else {
        line = fmt::format("{:<{}}", s.name, width);
    }
    if (s.right) line += fmt::format(" {} {}", s.relation, typeset.take());
    if (!s.note.empty())
        line += s.left || s.right ? fmt::format("   ({})", s.note) : fmt::format("  {}", s.note);
    return line;
}

// Names and words inside LaTeX text.
std::string escape(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (text.compare(i, 2, ">=") == 0) {
            out += "$\\ge$";
            ++i;
            continue;
        }
        if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) out += '\\';
        if (c == '~' || c == '^' || c == '\\') out += "\\char`\\";
        out += c;
    }
    return out;
}

std::string latex_line(const Statement& s, Typeset& typeset) {
    std::string line;
    if (s.left) {
        if (!s.name.empty()) line = fmt::format("\\text{{{}: }}", escape(s.name));
        line += typeset.take();
    } else {
        line = expr::latex_name(s.name);
    }
    if (s.right)
        line += fmt::format(" &{} {}",
                            s.relation == "="    ? "="
                            : s.relation == ">=" ? "\\ge"
                                                 : escape(s.relation),
                            typeset.take());
    if (!s.note.empty()) line += fmt::format(" && \\text{{{}}}", escape(s.note));
    return line;
}

} // namespace

std::string to_text(const Explanation& explanation) {
    Typeset typeset{expr::print_with_names(expressions_of(explanation), k_listing)};
    std::string out = explanation.title + "\n";
    if (!explanation.about.empty()) out += explanation.about + "\n";
    for (const Section& section : explanation.sections) {
        out += "\n" + section.title + "\n";
        if (!section.about.empty()) out += "  " + section.about + "\n";
        std::size_t width = 0;
        for (const Statement& s : section.statements) width = std::max(width, s.name.size());
        width = std::min<std::size_t>(width, 24);
        for (const Statement& s : section.statements)
            out += "  " + text_line(s, typeset, width) + "\n";
    }
    if (!typeset.listing.definitions.empty()) {
        out += "\nwhere\n";
        for (const expr::Definition& d : typeset.listing.definitions) {
            if (d.kind != expr::Definition::Kind::system) {
                out += fmt::format("  {} = {}\n", d.name, d.body);
                continue;
            }
            out += fmt::format("  {} solves\n", d.name);
            for (const std::string& equation : d.equations) out += "    " + equation + "\n";
        }
    }
    return out;
}

std::string to_latex(const Explanation& explanation) {
    Typeset typeset{expr::latex_with_names(expressions_of(explanation), k_listing)};
    std::string out = fmt::format("\\section*{{{}}}\n", escape(explanation.title));
    if (!explanation.about.empty()) out += escape(explanation.about) + "\n";
    const auto align = [&](const std::vector<std::string>& lines) {
        out += "\\begin{align*}\n";
        for (std::size_t i = 0; i < lines.size(); ++i)
            out += "  " + lines[i] + (i + 1 < lines.size() ? " \\\\\n" : "\n");
        out += "\\end{align*}\n";
    };
    for (const Section& section : explanation.sections) {
        out += fmt::format("\\subsection*{{{}}}\n", escape(section.title));
        if (!section.about.empty()) out += escape(section.about) + "\n";
        std::vector<std::string> lines;
        for (const Statement& s : section.statements) lines.push_back(latex_line(s, typeset));
        if (!lines.empty()) align(lines);
    }
    if (!typeset.listing.definitions.empty()) {
        out += "\\subsection*{where}\n";
        std::vector<std::string> lines;
        for (const expr::Definition& d : typeset.listing.definitions) {
            if (d.kind != expr::Definition::Kind::system)
                lines.push_back(fmt::format("{} &= {}", d.name, d.body));
            for (const std::string& equation : d.equations) lines.push_back(equation);
        }
        align(lines);
    }
    return out;
}

nlohmann::json to_json(const Explanation& explanation) {
    Typeset typeset{expr::print_with_names(expressions_of(explanation), k_listing)};
    nlohmann::json sections = nlohmann::json::array();
    for (const Section& section : explanation.sections) {
        nlohmann::json statements = nlohmann::json::array();
        for (const Statement& s : section.statements) {
            nlohmann::json statement = nlohmann::json::object();
            if (!s.name.empty()) statement["name"] = s.name;
            if (s.left) statement["left"] = typeset.take();
            if (s.right) {
                statement["relation"] = s.relation;
                statement["right"] = typeset.take();
            }
            if (!s.note.empty()) statement["note"] = s.note;
            statements.push_back(std::move(statement));
        }
        sections.push_back({{"title", section.title},
                            {"about", section.about},
                            {"statements", std::move(statements)}});
    }
    nlohmann::json where = nlohmann::json::array();
    for (const expr::Definition& d : typeset.listing.definitions) {
        nlohmann::json definition{{"name", d.name}};
        if (d.kind == expr::Definition::Kind::system)
            definition["equations"] = d.equations;
        else
            definition["body"] = d.body;
        where.push_back(std::move(definition));
    }
    return {{"title", explanation.title},
            {"about", explanation.about},
            {"sections", std::move(sections)},
            {"where", std::move(where)}};
}

} // namespace liaison::equations
