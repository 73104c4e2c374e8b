// SPDX-License-Identifier: Apache-2.0
// A small SVG writer: panels with axes, lines, marks and strips.
#pragma once

#include "liaison/record/raster.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace liaison::record {

// The sign of a point: a disc, or a regular polygon with its first corner turned from the top; filled or not.
struct Marker {
    int corners = 0;
    double turn = 0.0; // of a full turn
    bool hollow = false;
    double radius = 2.2;
};

struct Line {
    std::string label;
    std::vector<double> x;
    std::vector<double> y; // NaN interrupts the line
    bool dashed = false;
    bool dots = false; // points instead of a line
    Marker marker = {}; // of the points
    bool companion = false; // in the colour of the line before it
    std::string colour = {}; // empty: the next of the house
    double width = 1.4;
    double opacity = 1.0;
};

// A word at a place of the panel.
struct Label {
    double x = 0.0;
    double y = 0.0;
    std::string text;
};

// Boxes of one colour behind everything: the regions of a map.
struct Area {
    struct Box {
        double left = 0.0;
        double right = 0.0;
        double low = 0.0;
        double high = 0.0;
    };
    std::string label;
    std::vector<Box> boxes;
};

// A vertical mark at x, drawn thin behind the lines.
struct Mark {
    double x = 0.0;
    std::string kind; // chooses the colour; listed in the legend once
};

// A coloured stretch of a strip under the panel.
struct Stretch {
    double from = 0.0;
    double to = 0.0;
    std::string word;
};
struct Strip {
    std::string label;
    std::vector<Stretch> stretches;
};

struct Panel {
    std::string x_label;
    std::string y_label;
    std::vector<Line> lines;
    std::vector<Mark> marks;
    std::vector<Strip> strips;
    std::optional<Raster> raster = {}; // behind the lines, filling the axes
    std::vector<std::pair<std::string, std::string>> kinds = {}; // of a raster: label and colour
    std::string note; // after the legend
    bool equal_axes = false;
    double margin = 0.0; // of the x axis, as a share of its range
    double height = 220.0;
    std::vector<Label> labels = {};
    std::vector<Area> areas = {};
    bool bare = false; // a view in space: no frame, no numbers
};

struct Figure {
    std::string title;
    std::string caption;
    std::vector<Panel> panels;
    double width = 760.0;
    std::string metadata = {}; // kept in the file, not drawn
};

std::string to_svg(const Figure& figure);

// Round tick positions covering [low, high]: 1, 2 or 5 times a power of ten apart.
std::vector<double> ticks(double low, double high, int wanted);

} // namespace liaison::record
