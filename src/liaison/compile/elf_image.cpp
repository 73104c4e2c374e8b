// SPDX-License-Identifier: Apache-2.0
// Reads sections, symbols and relocations of an ELF object made in this process.
#include "liaison/compile/elf_image.hpp"

#include "liaison/base/assert.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace liaison::compile {
namespace {

class Object {
  public:
    explicit Object(std::span<const std::byte> bytes) : bytes_(bytes) {
        const auto header = read<Elf64_Ehdr>(0);
        LIAISON_ASSERT(std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                           header.e_machine == EM_X86_64,
                       "generated code is an x86-64 ELF object");
        for (std::size_t i = 0; i < header.e_shnum; ++i) {
            sections_.push_back(read<Elf64_Shdr>(header.e_shoff + i * header.e_shentsize));
        }
    }
    [[nodiscard]] const std::vector<Elf64_Shdr>& sections() const { return sections_; }
    template <class T>
    [[nodiscard]] T read(std::size_t offset) const {
        LIAISON_ASSERT(offset + sizeof(T) <= bytes_.size(), "the object file is complete");
        T value;
        std::memcpy(&value, bytes_.data() + offset, sizeof(T));
        return value;
    }
    [[nodiscard]] std::span<const std::byte> content(const Elf64_Shdr& s) const {
        LIAISON_ASSERT(s.sh_offset + s.sh_size <= bytes_.size(),
                       "a section lies inside the object file");
        return bytes_.subspan(s.sh_offset, s.sh_size);
    }
    [[nodiscard]] std::string_view text(const Elf64_Shdr& strings, std::size_t offset) const {
        const auto all = content(strings);
        LIAISON_ASSERT(offset < all.size(), "a name lies inside its table");
        return reinterpret_cast<const char*>(all.data() + offset);
    }

  private:
    std::span<const std::byte> bytes_;
    std::vector<Elf64_Shdr> sections_;
};

bool kept(const Elf64_Shdr& s) {
    return (s.sh_flags & SHF_ALLOC) != 0 && s.sh_type == SHT_PROGBITS;
}

} // namespace

FlatCode flatten(std::span<const std::byte> object, std::span<const std::string> functions) {
    const Object file(object);
    const auto& sections = file.sections();
    FlatCode result;
    constexpr std::size_t k_dropped = ~std::size_t{0};
    std::vector<std::size_t> place(sections.size(), k_dropped);
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const Elf64_Shdr& s = sections[i];
        if (!kept(s)) continue;
        const std::size_t alignment = std::max<std::size_t>(s.sh_addralign, 1);
        place[i] = (result.bytes.size() + alignment - 1) / alignment * alignment;
        result.bytes.resize(place[i] + s.sh_size);
        const auto content = file.content(s);
        std::copy(content.begin(), content.end(),
                  result.bytes.begin() + static_cast<std::ptrdiff_t>(place[i]));
    }

    result.functions.assign(functions.size(), 0);
    for (const Elf64_Shdr& s : sections) {
        if (s.sh_type == SHT_SYMTAB) {
            for (std::size_t k = 0; k < s.sh_size / sizeof(Elf64_Sym); ++k) {
                const auto symbol = file.read<Elf64_Sym>(s.sh_offset + k * sizeof(Elf64_Sym));
                if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) continue;
                const auto name = file.text(sections.at(s.sh_link), symbol.st_name);
                const auto found = std::find(functions.begin(), functions.end(), name);
                if (found != functions.end()) {
                    result.functions[static_cast<std::size_t>(found - functions.begin())] =
                        static_cast<std::uint32_t>(place.at(symbol.st_shndx) + symbol.st_value);
                }
            }
        }
        // sections that were dropped (unwind tables) take their relocations with them
        if (s.sh_type != SHT_RELA || place.at(s.sh_info) == k_dropped) continue;
        for (std::size_t k = 0; k < s.sh_size / sizeof(Elf64_Rela); ++k) {
            const auto r = file.read<Elf64_Rela>(s.sh_offset + k * sizeof(Elf64_Rela));
            const auto type = ELF64_R_TYPE(r.r_info);
            LIAISON_ASSERT(type == R_X86_64_PC32 || type == R_X86_64_PLT32,
                           "generated code refers to itself only");
            const auto symbol = file.read<Elf64_Sym>(sections.at(s.sh_link).sh_offset +
                                                     ELF64_R_SYM(r.r_info) * sizeof(Elf64_Sym));
            LIAISON_ASSERT(symbol.st_shndx != SHN_UNDEF && place.at(symbol.st_shndx) != k_dropped,
                           "generated code refers to itself only");
            const std::size_t at = place[s.sh_info] + r.r_offset;
            const auto distance =
                static_cast<std::int64_t>(place[symbol.st_shndx] + symbol.st_value) + r.r_addend -
                static_cast<std::int64_t>(at);
            const auto small = static_cast<std::int32_t>(distance);
            LIAISON_ASSERT(small == distance && at + sizeof small <= result.bytes.size(),
                           "distances fit 32 bits");
            std::memcpy(result.bytes.data() + at, &small, sizeof small);
        }
    }
    return result;
}

} // namespace liaison::compile
