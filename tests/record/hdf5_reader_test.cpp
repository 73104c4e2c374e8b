// SPDX-License-Identifier: Apache-2.0
// HDF5 files of liaison: sealed, and read only where they are stored as liaison stores them.
#include "liaison/base/features.hpp"

#if LIAISON_WITH_HDF5

#include "liaison/record/hdf5_reader.hpp"
#include "liaison/record/hdf5_seal.hpp"
#include "liaison/record/hdf5_writer.hpp"
#include "liaison/record/write_file.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <string>

using namespace liaison::record;

namespace {

class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& content)
        : path_("hdf5_reader_test." + std::to_string(getpid()) + ".h5") {
        REQUIRE(write_file(path_, content).empty());
    }
    ~TemporaryFile() { std::remove(path_.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

std::string image() {
    return hdf5_image([](const Hdf5Writer& file) {
        file.attribute("title", "β");
        file.attribute("nothing", "");
        file.attribute("long", std::string(100'000, 'a'));
        file.text("text", "two\nlines");
        file.text("empty", "");
        file.words("names", {"x", "", "a longer one"});
        file.numbers("time", {2, 3}, {1, 2, 3, 4, 5, 6});
        file.numbers("none", {0, 3}, {});
    });
}

} // namespace

TEST_CASE("text of fixed length comes back as it was") {
    const TemporaryFile file(image());
    const Hdf5Reader reader(file.path());
    CHECK(reader.attribute("title") == "β");
    CHECK(reader.attribute("nothing").empty());
    CHECK(reader.attribute("absent").empty());
    CHECK(reader.attribute("long") == std::string(32'000, 'a')); // as much as an attribute holds
    CHECK(reader.text("text") == "two\nlines");
    CHECK(reader.text("empty").empty());
    CHECK(reader.numbers("time").values == std::vector<double>{1, 2, 3, 4, 5, 6});
    CHECK(reader.numbers("none").values.empty());
}

TEST_CASE("text of variable length is never read, nor one kind as another") {
    const TemporaryFile file(image());
    const Hdf5Reader reader(file.path());
    CHECK_THROWS_WITH(reader.text("names"), "names is not text of a fixed length");
    CHECK_THROWS_WITH(reader.text("time"), "time is not text of a fixed length");
    CHECK_THROWS_WITH(reader.numbers("text"), "text does not hold numbers as liaison does");
    CHECK_THROWS_WITH(reader.numbers("absent"), "absent is missing");
}

TEST_CASE("a changed byte, a cut end or an added one breaks the seal") {
    const std::string whole = image();
    REQUIRE(is_sealed(whole));
    for (std::size_t at = 0; at < whole.size(); at += 97) {
        std::string bad = whole;
        bad[at] = static_cast<char>(bad[at] ^ 4);
        CHECK_FALSE(is_sealed(bad));
    }
    CHECK_FALSE(is_sealed(whole + "x"));
    CHECK_FALSE(is_sealed(whole.substr(0, whole.size() - 1)));
    CHECK_FALSE(is_sealed(""));
    const TemporaryFile file(whole.substr(0, whole.size() / 2));
    CHECK_THROWS_AS(Hdf5Reader(file.path()), std::runtime_error);
}

TEST_CASE(
    "damage under an intact seal ends in a refusal or in other numbers, not in the library's hands for ever") {
    // Only the numbers: the inside of the library is not ours to search.
    std::string bad = image();
    const std::size_t seal = bad.rfind("\nliaison ");
    bad.resize(seal);
    const TemporaryFile file(sealed(bad.substr(0, bad.size() / 3)));
    CHECK_THROWS_AS(Hdf5Reader(file.path()), std::runtime_error);
}

#endif
