// SPDX-License-Identifier: Apache-2.0
// Result files of any content, as handed to plot, rerun and run --from: read or refused, never believed. HDF5 files are
// left out: their first reader is the library, which is not ours to search.
#include "liaison/record/saved.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace liaison::record;
    const int file = memfd_create("result", 0);
    if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    try {
        if (kind_of_file(path) != FileKind::hdf5) {
            const Saved saved = read_saved(path);
            for (const Column& column : saved.table.columns) {
                if (column.values.size() != saved.table.time.size()) std::abort();
            }
            std::string problem;
            if (saved.end) (void)saved.standing_at(saved.end->time.rounded() / 2, problem);
        }
    } catch (const std::runtime_error&) { // the refusal
    }
    close(file);
    return 0;
}
