// SPDX-License-Identifier: Apache-2.0
// Drawing of panels: scales, ticks, legend, strips.
#include "liaison/record/svg.hpp"

#include "liaison/base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numbers>
#include <string_view>

namespace liaison::record {
namespace {

constexpr std::array k_line_colours = {"#1f5fa8", "#c8501e", "#2e8b57", "#8a4fa8",
                                       "#b8860b", "#0f8b8d", "#a83253", "#555555"};
constexpr std::array k_mark_colours = {"#c0392b", "#7f8c8d", "#27ae60",
                                       "#8e44ad", "#d68910", "#2980b9"};
constexpr std::array k_strip_colours = {"#d6e4f0", "#f5cba7", "#c8e6c9",
                                        "#e1bee7", "#fff3b0", "#ffcdd2"};

constexpr double k_left = 74.0;       // at least: long names of strips need more
constexpr double k_most_left = 170.0;
constexpr double k_right = 24.0;
constexpr double k_below = 40.0;      // room for numbers and label of the x axis
constexpr double k_strip = 16.0;
constexpr double k_legend_row = 14.0;
constexpr double k_title = 30.0;
constexpr double k_letter = 6.2;      // width of a letter of 10 px
constexpr double k_small_letter = 5.2; // of 8.5 px

// JSON for XML, which has no U+FFFE and U+FFFF; the control characters it does not have are escaped in JSON.
std::string escape_json(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += c;
        }
    }
    for (const std::string_view none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
        for (std::size_t at = 0; (at = out.find(none, at)) != std::string::npos;)
            out.replace(at, none.size(), "\xEF\xBF\xBD");
    }
    return out;
}

// Text for XML and for the eye.
std::string escape(const std::string& text) { return escape_json(base::printable(text)); }

// Letters, not bytes: labels may be in any script.
std::size_t letters(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

// At most so many letters; the rest is an ellipsis.
std::string shortened(const std::string& text, std::size_t most) {
    if (letters(text) <= most) return text;
    std::string out;
    std::size_t n = 0;
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U && ++n == most) break;
        out += c;
    }
    return out + "…";
}

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void take(double v) {
        if (!std::isfinite(v)) return;
        low = std::min(low, v);
        high = std::max(high, v);
    }
    void settle(double margin) {
        if (!(low <= high)) {
            low = 0.0;
            high = 1.0;
        }
        double span = high - low;
        if (span <= 1e-12 * std::max({std::abs(low), std::abs(high), 1e-300}))
            span = std::max(std::abs(high), 1.0) * 0.1;
        low -= margin * span;
        high += margin * span;
    }
};

std::string tick_text(double value, double step) {
    if (std::abs(value) < 1e-9 * step) value = 0.0;
    const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
    if (std::abs(value) >= 1e5 || (step < 1e-4)) return fmt::format("{:.4g}", value);
    return fmt::format("{:.{}f}", value, digits);
}

class Canvas {
  public:
    template <class... Args>
    void put(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    }
    std::string text;
};

struct Frame {
    double x0, y0, width, height; // plot area
    Range x, y;
    [[nodiscard]] double px(double v) const { return x0 + (v - x.low) / (x.high - x.low) * width; }
    [[nodiscard]] double py(double v) const {
        return y0 + height - (v - y.low) / (y.high - y.low) * height;
    }
};

void draw_axes(Canvas& c, const Frame& f, const Panel& panel) {
    const auto x_ticks = ticks(f.x.low, f.x.high, 8);
    const auto y_ticks = ticks(f.y.low, f.y.high, 5);
    const double x_step = x_ticks.size() > 1 ? x_ticks[1] - x_ticks[0] : 1.0;
    const double y_step = y_ticks.size() > 1 ? y_ticks[1] - y_ticks[0] : 1.0;
    c.put("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='white' stroke='#999' "
          "stroke-width='0.8'/>\n",
          f.x0, f.y0, f.width, f.height);
    for (const double t : x_ticks) {
        c.put("<line x1='{0:.1f}' x2='{0:.1f}' y1='{1:.1f}' y2='{2:.1f}' stroke='#e6e6e6' "
              "stroke-width='0.7'/>\n",
              f.px(t), f.y0, f.y0 + f.height);
        c.put("<text x='{:.1f}' y='{:.1f}' text-anchor='middle' class='tick'>{}</text>\n", f.px(t),
              f.y0 + f.height + 14.0 + k_strip * static_cast<double>(panel.strips.size()),
              tick_text(t, x_step));
    }
    for (const double t : y_ticks) {
        c.put("<line x1='{0:.1f}' x2='{1:.1f}' y1='{2:.1f}' y2='{2:.1f}' stroke='#e6e6e6' "
              "stroke-width='0.7'/>\n",
              f.x0, f.x0 + f.width, f.py(t));
        c.put("<text x='{:.1f}' y='{:.1f}' text-anchor='end' class='tick'>{}</text>\n", f.x0 - 6.0,
              f.py(t) + 3.5, tick_text(t, y_step));
    }
    c.put("<text x='{:.1f}' y='{:.1f}' text-anchor='middle' class='label'>{}</text>\n",
          f.x0 + f.width / 2,
          f.y0 + f.height + 30.0 + k_strip * static_cast<double>(panel.strips.size()),
          escape(panel.x_label));
    if (!panel.y_label.empty()) {
        c.put("<text transform='translate({:.1f},{:.1f}) rotate(-90)' text-anchor='middle' "
              "class='label'>{}</text>\n",
              18.0, f.y0 + f.height / 2, escape(panel.y_label));
    }
}

// A line over time with many more points than there are pixels: the first, lowest, highest and last of each column
// of pixels draw the same picture.
Line reduced(const Frame& f, const Line& line) {
    if (line.x.size() <= 4 * static_cast<std::size_t>(f.width) ||
        !std::is_sorted(line.x.begin(), line.x.end()))
        return line;
    Line result;
    const auto column = [&](std::size_t i) { return std::floor(2.0 * f.px(line.x[i])); };
    for (std::size_t i = 0; i < line.x.size();) {
        std::size_t end = i, low = i, high = i;
        for (; end < line.x.size() && column(end) == column(i); ++end) {
            if (line.y[end] < line.y[low]) low = end;
            if (line.y[end] > line.y[high]) high = end;
        }
        std::array<std::size_t, 4> kept{i, std::min(low, high), std::max(low, high), end - 1};
        for (std::size_t k = 0; k < kept.size(); ++k) {
            if (k > 0 && kept[k] <= kept[k - 1]) {
                kept[k] = kept[k - 1];
                continue;
            }
            result.x.push_back(line.x[kept[k]]);
            result.y.push_back(line.y[kept[k]]);
        }
        i = std::max(end, i + 1);
    }
    return result;
}

// Fill and stroke are those of the group around it.
void draw_marker(Canvas& c, double x, double y, const Marker& marker) {
    if (marker.corners < 3) {
        c.put("<circle cx='{:.2f}' cy='{:.2f}' r='{:.1f}'/>", x, y, marker.radius);
        return;
    }
    c.put("<path d='");
    for (int i = 0; i < marker.corners; ++i) {
        const double angle = 2.0 * std::numbers::pi * (marker.turn + 1.0 * i / marker.corners);
        c.put("{}{:.2f} {:.2f}", i == 0 ? "M" : "L", x + marker.radius * std::sin(angle),
              y - marker.radius * std::cos(angle));
    }
    c.put("Z'/>");
}

void begin_markers(Canvas& c, const Marker& marker, const char* colour) {
    if (marker.hollow)
        c.put("<g fill='white' stroke='{}' stroke-width='1.2'>", colour);
    else
        c.put("<g fill='{}'>", colour);
}

void draw_line(Canvas& c, const Frame& f, const Line& line, const char* colour) {
    const std::string opacity =
        line.opacity < 1.0 ? fmt::format(" stroke-opacity='{:.2f}'", line.opacity) : "";
    if (line.dots) {
        begin_markers(c, line.marker, colour);
        for (std::size_t i = 0; i < line.x.size(); ++i) {
            if (std::isfinite(line.x[i]) && std::isfinite(line.y[i]))
                draw_marker(c, f.px(line.x[i]), f.py(line.y[i]), line.marker);
        }
        c.put("</g>\n");
        return;
    }
    const Line drawn = reduced(f, line);
    bool pen = false;
    c.put("<path fill='none' stroke='{}' stroke-width='{:.1f}'{} stroke-linejoin='round'{} d='",
          colour, line.width, opacity, line.dashed ? " stroke-dasharray='6 4'" : "");
    for (std::size_t i = 0; i < drawn.x.size(); ++i) {
        if (!std::isfinite(drawn.y[i]) || !std::isfinite(drawn.x[i])) {
            pen = false;
            continue;
        }
        c.put("{}{:.2f} {:.2f}", pen ? "L" : "M", f.px(drawn.x[i]), f.py(drawn.y[i]));
        pen = true;
    }
    c.put("'/>\n");
}

double entry_width(const std::string& label) {
    return 34.0 + k_letter * static_cast<double>(letters(label));
}

void draw_areas(Canvas& c, const Frame& f, const Panel& panel) {
    for (std::size_t i = 0; i < panel.areas.size(); ++i) {
        const char* colour = k_strip_colours[i % k_strip_colours.size()];
        c.put("<g fill='{0}' stroke='{0}' stroke-width='0.4' opacity='0.85'>", colour);
        for (const Area::Box& b : panel.areas[i].boxes)
            c.put("<rect x='{:.2f}' y='{:.2f}' width='{:.2f}' height='{:.2f}'/>", f.px(b.left),
                  f.py(b.high), f.px(b.right) - f.px(b.left), f.py(b.low) - f.py(b.high));
        c.put("</g>\n");
    }
}

std::vector<const char*> line_colours(const Panel& panel) {
    std::vector<const char*> colours;
    std::size_t next = 0;
    for (const Line& line : panel.lines) {
        const bool same = line.companion && !colours.empty();
        if (!line.colour.empty())
            colours.push_back(line.colour.c_str());
        else
            colours.push_back(same ? colours.back()
                                   : k_line_colours[next++ % k_line_colours.size()]);
    }
    return colours;
}

std::map<std::string, const char*> colours_of(const std::vector<Mark>& marks) {
    std::map<std::string, const char*> colours;
    for (const Mark& m : marks)
        colours.try_emplace(m.kind, k_mark_colours[colours.size() % k_mark_colours.size()]);
    return colours;
}

// How many rows the legend takes.
int legend_rows(const Panel& panel, double width) {
    int rows = 1;
    double x = 0.0;
    const auto entry = [&](const std::string& label) {
        if (label.empty()) return;
        if (x > 0.0 && x + entry_width(label) > width) {
            ++rows;
            x = 0.0;
        }
        x += entry_width(label);
    };
    for (const Area& area : panel.areas) entry(area.label);
    for (const Line& line : panel.lines) entry(line.label);
    for (const auto& [label, colour] : panel.kinds) entry(label);
    for (const auto& [kind, colour] : colours_of(panel.marks)) entry(kind);
    entry(panel.note);
    return rows;
}

void draw_legend(Canvas& c, const Frame& f, const Panel& panel,
                 const std::map<std::string, const char*>& mark_colours) {
    double x = f.x0;
    double y = f.y0 - 7.0 - k_legend_row * (legend_rows(panel, f.width) - 1);
    const auto entry = [&](const std::string& label, const char* colour, bool mark,
                           double thickness = 2.0, const Line* line = nullptr) {
        if (label.empty()) return;
        if (x > f.x0 && x + entry_width(label) > f.x0 + f.width) {
            x = f.x0;
            y += k_legend_row;
        }
        if (mark)
            c.put("<line x1='{0:.1f}' x2='{0:.1f}' y1='{1:.1f}' y2='{2:.1f}' stroke='{3}' "
                  "stroke-width='1.2'/>\n",
                  x + 9.0, y - 8.0, y + 1.0, colour);
        else if (line != nullptr && line->dots) {
            begin_markers(c, line->marker, colour);
            draw_marker(c, x + 9.0, y - 3.5, line->marker);
            c.put("</g>\n");
        } else
            c.put("<line x1='{0:.1f}' x2='{1:.1f}' y1='{2:.1f}' y2='{2:.1f}' stroke='{3}' "
                  "stroke-width='{4:.0f}'{5}/>\n",
                  x, x + 18.0, y - 3.5, colour, thickness,
                  line != nullptr && line->dashed ? " stroke-dasharray='5 3'" : "");
        c.put("<text x='{:.1f}' y='{:.1f}' class='tick'>{}</text>\n", x + 22.0, y, escape(label));
        x += entry_width(label);
    };
    for (std::size_t i = 0; i < panel.areas.size(); ++i)
        entry(panel.areas[i].label, k_strip_colours[i % k_strip_colours.size()], false, 9.0);
    const auto colours = line_colours(panel);
    for (std::size_t i = 0; i < panel.lines.size(); ++i)
        entry(panel.lines[i].label, colours[i], false, 2.0, &panel.lines[i]);
    for (const auto& [label, colour] : panel.kinds) entry(label, colour.c_str(), false);
    for (const auto& [kind, colour] : mark_colours) entry(kind, colour, true);
    if (!panel.note.empty())
        c.put("<text x='{:.1f}' y='{:.1f}' class='tick'>{}</text>\n", x, y, escape(panel.note));
}

void draw_strips(Canvas& c, const Frame& f, const Panel& panel) {
    double y = f.y0 + f.height + 3.0;
    std::map<std::string, const char*> colours; // a word has one colour in all strips
    for (const Strip& strip : panel.strips) {
        for (const Stretch& s : strip.stretches) {
            const auto [it, fresh] = colours.try_emplace(
                s.word, k_strip_colours[colours.size() % k_strip_colours.size()]);
            const double from = f.px(std::max(s.from, f.x.low));
            const double to = f.px(std::min(s.to, f.x.high));
            c.put("<rect x='{:.2f}' y='{:.1f}' width='{:.2f}' height='{:.1f}' fill='{}'/>\n", from,
                  y, std::max(to - from, 0.3), k_strip - 4.0, it->second);
            if (to - from > 1.3 * k_small_letter * static_cast<double>(letters(s.word))) {
                c.put("<text x='{:.1f}' y='{:.1f}' text-anchor='middle' class='strip'>{}</text>\n",
                      (from + to) / 2, y + 9.0, escape(s.word));
            }
        }
        c.put("<text x='{:.1f}' y='{:.1f}' text-anchor='end' class='strip'>{}</text>\n", f.x0 - 6.0,
              y + 9.0,
              escape(
                  shortened(strip.label, static_cast<std::size_t>((f.x0 - 8.0) / k_small_letter))));
        y += k_strip;
    }
}

double panel_height(const Panel& panel, double width) {
    return k_legend_row * legend_rows(panel, width) + panel.height + k_below +
           k_strip * static_cast<double>(panel.strips.size());
}

} // namespace

std::vector<double> ticks(double low, double high, int wanted) {
    const double raw = (high - low) / std::max(wanted, 1);
    if (!(raw > 0.0) || !std::isfinite(raw)) return {low};
    const double magnitude = std::pow(10.0, std::floor(std::log10(raw)));
    const double ratio = raw / magnitude;
    const double step = magnitude * (ratio <= 1.0   ? 1.0
                                     : ratio <= 2.0 ? 2.0
                                     : ratio <= 5.0 ? 5.0
                                                    : 10.0);
    std::vector<double> result;
    for (double t = std::ceil(low / step - 1e-9) * step; t <= high + 1e-9 * step; t += step)
        result.push_back(t);
    return result;
}

std::string to_svg(const Figure& figure) {
    double left = k_left;
    for (const Panel& p : figure.panels) {
        for (const Strip& s : p.strips)
            left = std::clamp(k_small_letter * static_cast<double>(letters(s.label)) + 10.0, left,
                              std::max(left, k_most_left));
    }
    const double width = figure.width - left - k_right;
    double height = k_title + 24.0;
    for (const Panel& p : figure.panels) height += panel_height(p, width);
    Canvas c;
    c.put("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0:.0f} {1:.0f}' width='{0:.0f}' "
          "height='{1:.0f}' font-family='Helvetica, Arial, sans-serif'>\n",
          figure.width, height);
    c.put(
        "<style>.tick{{font-size:10px;fill:#444}}.label{{font-size:11.5px;fill:#222}}.strip{{font-"
        "size:8.5px;fill:#333}}.title{{font-size:14px;fill:#111;font-weight:bold}}</style>\n");
    if (!figure.metadata.empty()) c.put("<metadata>{}</metadata>\n", escape_json(figure.metadata));
    c.put("<rect width='100%' height='100%' fill='white'/>\n<text x='{:.1f}' y='20' "
          "class='title'>{}</text>\n",
          left, escape(shortened(figure.title, 80)));
    double y = k_title;
    for (const Panel& panel : figure.panels) {
        Frame f{left, y + k_legend_row * legend_rows(panel, width), width, panel.height, {}, {}};
        for (const Line& line : panel.lines) {
            for (const double v : line.x) f.x.take(v);
            for (const double v : line.y) f.y.take(v);
        }
        for (const Area& area : panel.areas) {
            for (const Area::Box& b : area.boxes) {
                f.x.take(b.left);
                f.x.take(b.right);
                f.y.take(b.low);
                f.y.take(b.high);
            }
        }
        if (panel.raster) {
            f.x = {panel.raster->x_low, panel.raster->x_high};
            f.y = {panel.raster->y_low, panel.raster->y_high};
        }
        f.x.settle(panel.raster ? 0.0 : panel.equal_axes ? 0.05 : panel.margin);
        f.y.settle(panel.raster ? 0.0 : 0.06);
        if (panel.equal_axes) {
            const double scale =
                std::max((f.x.high - f.x.low) / f.width, (f.y.high - f.y.low) / f.height);
            const double cx = (f.x.low + f.x.high) / 2;
            const double cy = (f.y.low + f.y.high) / 2;
            f.x = {cx - scale * f.width / 2, cx + scale * f.width / 2};
            f.y = {cy - scale * f.height / 2, cy + scale * f.height / 2};
        }
        if (!panel.bare) draw_axes(c, f, panel);
        if (panel.raster)
            c.put("<image x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' "
                  "preserveAspectRatio='none' style='image-rendering:pixelated' "
                  "href='data:image/png;base64,{}'/>\n",
                  f.x0, f.y0, f.width, f.height, base64(to_png(*panel.raster)));
        draw_areas(c, f, panel);
        const auto mark_colours = colours_of(panel.marks);
        for (const Mark& m : panel.marks) {
            if (m.x < f.x.low || m.x > f.x.high) continue;
            c.put("<line x1='{0:.2f}' x2='{0:.2f}' y1='{1:.1f}' y2='{2:.1f}' stroke='{3}' "
                  "stroke-width='0.7' stroke-opacity='0.65'/>\n",
                  f.px(m.x), f.y0, f.y0 + f.height, mark_colours.at(m.kind));
        }
        const auto colours = line_colours(panel);
        for (std::size_t i = 0; i < panel.lines.size(); ++i)
            draw_line(c, f, panel.lines[i], colours[i]);
        for (const Label& label : panel.labels)
            c.put("<text x='{:.1f}' y='{:.1f}' class='label'>{}</text>\n", f.px(label.x) + 3.0,
                  f.py(label.y) - 3.0, escape(label.text));
        draw_strips(c, f, panel);
        draw_legend(c, f, panel, mark_colours);
        y += panel_height(panel, width);
    }
    c.put("<text x='{:.1f}' y='{:.1f}' class='strip'>{}</text>\n</svg>\n", left, height - 6.0,
          escape(figure.caption));
    return std::move(c.text);
}

} // namespace liaison::record
