// SPDX-License-Identifier: Apache-2.0
// Places an image in memory of its own and makes it executable.
#include "liaison/compile/machine_code.hpp"

#include "liaison/base/assert.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <utility>

namespace liaison::compile {

MachineCode::MachineCode(CodeImage image) : image_(std::move(image)) {
    LIAISON_ASSERT(!image_.bytes.empty() && !image_.functions.empty(),
                   "an image holds at least one function");
    for (const std::uint32_t offset : image_.functions) {
        LIAISON_ASSERT(offset < image_.bytes.size(), "every function lies inside its image");
    }
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    size_ = (image_.bytes.size() + page - 1) / page * page;
    memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    std::memcpy(memory_, image_.bytes.data(), image_.bytes.size());
    if (mprotect(memory_, size_, PROT_READ | PROT_EXEC) != 0) {
        munmap(memory_, size_);
        throw std::bad_alloc();
    }
    auto* base = static_cast<std::byte*>(memory_);
    for (const std::uint32_t offset : image_.functions) {
        functions_.push_back(
            reinterpret_cast<Function>(reinterpret_cast<std::uintptr_t>(base + offset)));
    }
}

MachineCode::~MachineCode() { munmap(memory_, size_); }

} // namespace liaison::compile
