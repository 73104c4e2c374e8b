// SPDX-License-Identifier: Apache-2.0
// A result file read back: what it shows, where its motion stood, how it was made.
#pragma once

#include "liaison/record/provenance.hpp"
#include "liaison/record/table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace liaison::record {

enum class FileKind { hdf5, json, csv, svg };

struct Saved {
    FileKind kind{};
    std::string model;
    Provenance provenance;
    std::string provenance_text; // the same as it stands in the file
    bool interrupted = false;
    Table table;                        // of HDF5 and JSON files
    std::optional<motion::Standing> end;
    std::vector<motion::Standing> at_samples; // of HDF5 files
    std::vector<motion::Piece> pieces;

    // Where the motion stood at a time: at its end, at a sample, or anywhere if the pieces were kept. Nothing
    // and a sentence in `problem` otherwise.
    [[nodiscard]] std::optional<motion::Standing> standing_at(double time,
                                                              std::string& problem) const;
};

// Throws std::runtime_error with a sentence that names the file.
Saved read_saved(const std::string& path);

// What kind of result file this is, by its first bytes; nothing for other files.
std::optional<FileKind> kind_of_file(const std::string& path);

// The parts of the reader for one format; each throws std::runtime_error.
Saved read_hdf5(const std::string& path);
Saved saved_from_json(const std::string& text);

} // namespace liaison::record
