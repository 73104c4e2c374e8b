// SPDX-License-Identifier: Apache-2.0
// Files that appear whole or not at all.
#pragma once

#include "liaison/base/descriptor.hpp"

#include <string>
#include <string_view>

namespace liaison::record {

// A file that is being made in the folder of its target. Where the system can, it has no name until it is complete, and
// nothing is left of it however the program ends; elsewhere it has a random one.
class OutputFile {
  public:
    // Makes the file; what is wrong is in problem(). The target stays as it is.
    explicit OutputFile(std::string path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    [[nodiscard]] const std::string& problem() const { return problem_; }
    // Fills the file and puts it in the place of the target. Returns what went wrong, or an empty text; nothing
    // half-written remains.
    [[nodiscard]] std::string write(std::string_view content);

  private:
    [[nodiscard]] bool fill(std::string_view content);
    [[nodiscard]] bool put_in_place();
    [[nodiscard]] bool make_named();
    [[nodiscard]] std::string words_for(int error) const;

    std::string path_;
    std::string name_; // of the target in its folder
    std::string temporary_; // its name until then; empty: it has none
    base::Descriptor folder_;
    base::Descriptor file_;
    std::string problem_;
};

// All at once.
[[nodiscard]] std::string write_file(const std::string& path, std::string_view content);

} // namespace liaison::record
