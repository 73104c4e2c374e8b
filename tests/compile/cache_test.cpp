// SPDX-License-Identifier: Apache-2.0
// Kept code: found again, never used when damaged, safe between processes, bounded.
#include "liaison/compile/cache.hpp"

#include "liaison/base/features.hpp"
#include "liaison/compile/code_key.hpp"
#include "liaison/compile/evaluator.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

namespace fs = std::filesystem;
using liaison::compile::CodeCache;
using liaison::compile::CodeImage;
using liaison::compile::Digest;
using liaison::compile::DiskCache;

namespace {

struct TemporaryDirectory {
    fs::path path = fs::temp_directory_path() / ("liaison-cache-test-" + std::to_string(getpid()));
    TemporaryDirectory() { fs::remove_all(path); }
    ~TemporaryDirectory() { fs::remove_all(path); }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
};

CodeImage image_of(std::size_t size, unsigned char fill = 0xc3) {
    CodeImage image;
    image.lanes = 2;
    image.workspace_size = 20;
    image.functions = {0, 1};
    image.guards = {3};
    image.first = {0, 0, 0, 1, 1, 1};
    image.bytes.assign(size, std::byte{fill});
    return image;
}

const Digest k_key = {0x0123456789abcdefULL, 0xfedcba9876543210ULL};

std::string file_of(const DiskCache& cache, const Digest& key) {
    return cache.directory() + "/" + liaison::compile::hex(key) + ".code";
}

} // namespace

TEST_CASE("what was stored is loaded again, under its key only") {
    const TemporaryDirectory dir;
    const DiskCache cache(dir.path / "code");
    CHECK_FALSE(cache.load(k_key).has_value());
    REQUIRE(cache.store(k_key, image_of(100)));
    CHECK(cache.load(k_key) == image_of(100));
    CHECK_FALSE(cache.load({1, 2}).has_value());
    struct stat info{};
    REQUIRE(stat(cache.directory().c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0700);
    REQUIRE(stat(file_of(cache, k_key).c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0600);
}

TEST_CASE("a file with any bit changed, cut or lengthened is not used") {
    const auto good = liaison::compile::encode(image_of(40), k_key);
    REQUIRE(liaison::compile::decode(good, k_key).has_value());
    long accepted = 0;
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (int bit = 0; bit < 8; ++bit) {
            auto bad = good;
            bad[i] ^= static_cast<std::byte>(1 << bit);
            accepted += liaison::compile::decode(bad, k_key).has_value() ? 1 : 0;
        }
        accepted += liaison::compile::decode(std::span(good).first(i), k_key).has_value() ? 1 : 0;
    }
    auto longer = good;
    longer.push_back(std::byte{0});
    accepted += liaison::compile::decode(longer, k_key).has_value() ? 1 : 0;
    CHECK(accepted == 0);
}

TEST_CASE("an image whose parts contradict each other is not used") {
    const auto refused = [](auto change) {
        CodeImage image = image_of(40);
        change(image);
        return !liaison::compile::decode(liaison::compile::encode(image, k_key), k_key).has_value();
    };
    CHECK(refused([](CodeImage& i) { i.functions[0] = 40; }));
    CHECK(refused([](CodeImage& i) { i.functions.clear(); }));
    CHECK(refused([](CodeImage& i) { i.first[2] = 2; }));
    CHECK(refused([](CodeImage& i) { i.guards[0] = 10; }));
    CHECK(refused([](CodeImage& i) { i.status = 9; }));
    CHECK(refused([](CodeImage& i) { i.lanes = 0; }));
    CHECK(refused([](CodeImage& i) { i.workspace_size = ~std::uint64_t{0}; }));
}

TEST_CASE("a damaged file is removed and counts as absent") {
    const TemporaryDirectory dir;
    const DiskCache cache(dir.path / "code");
    REQUIRE(cache.store(k_key, image_of(100)));
    {
        std::fstream file(file_of(cache, k_key), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(90);
        file.put('x');
    }
    CHECK_FALSE(cache.load(k_key).has_value());
    CHECK_FALSE(fs::exists(file_of(cache, k_key)));
}

TEST_CASE("a directory that others can write to, or that cannot be made, is no cache") {
    const TemporaryDirectory dir;
    const DiskCache cache(dir.path / "code");
    REQUIRE(cache.store(k_key, image_of(100)));
    fs::permissions(dir.path / "code", fs::perms::all);
    CHECK_FALSE(cache.load(k_key).has_value());
    CHECK_FALSE(cache.store(k_key, image_of(100)));
    CHECK_FALSE(DiskCache("/proc/no-such-place/code").store(k_key, image_of(100)));
    CHECK_FALSE(DiskCache("").store(k_key, image_of(100)));
}

TEST_CASE("a directory below one that others can change is no cache") {
    const TemporaryDirectory dir;
    const DiskCache cache(dir.path / "between" / "code");
    REQUIRE(cache.store(k_key, image_of(100)));
    REQUIRE(cache.load(k_key).has_value());
    // whoever can rename what is in it can put another directory in its place
    fs::permissions(dir.path / "between", fs::perms::all);
    CHECK_FALSE(cache.load(k_key).has_value());
    CHECK_FALSE(cache.store(k_key, image_of(100)));
    // but not where everybody can rename his own things only
    fs::permissions(dir.path / "between", fs::perms::all | fs::perms::sticky_bit);
    CHECK(cache.load(k_key).has_value());
    fs::permissions(dir.path / "between", fs::perms::owner_all);
    fs::create_directory_symlink(dir.path / "between" / "code", dir.path / "link");
    CHECK_FALSE(DiskCache(dir.path / "link").load(k_key).has_value());
}

TEST_CASE(
    "links, pipes and folders in the place of a cache file are neither followed nor waited for") {
    const TemporaryDirectory dir;
    const DiskCache cache(dir.path / "code");
    REQUIRE(cache.store(k_key, image_of(100)));
    const std::string file = file_of(cache, k_key);
    fs::rename(file, dir.path / "elsewhere");
    fs::create_symlink(dir.path / "elsewhere", file);
    CHECK_FALSE(cache.load(k_key).has_value());
    fs::remove(file);
    REQUIRE(mkfifo(file.c_str(), 0600) == 0);
    CHECK_FALSE(cache.load(k_key).has_value());
    CHECK(cache.store(k_key, image_of(100))); // takes its place
    CHECK(cache.load(k_key).has_value());
    fs::remove(file);
    fs::create_directory(file);
    CHECK_FALSE(cache.load(k_key).has_value());
    CHECK_FALSE(cache.store(k_key, image_of(100)));
    for (const auto& entry : fs::directory_iterator(cache.directory()))
        CHECK(entry.path() == file); // nothing half-written is left
}

TEST_CASE(
    "files and directories of somebody else are not used, also not while they change places") {
    if (geteuid() != 0) return; // only root can give files away
    constexpr uid_t k_nobody = 65534;
    const TemporaryDirectory dir;
    const DiskCache cache(dir.path / "code");
    REQUIRE(cache.store(k_key, image_of(100)));
    REQUIRE(chown(file_of(cache, k_key).c_str(), k_nobody, k_nobody) == 0);
    CHECK_FALSE(cache.load(k_key).has_value());
    REQUIRE(chown(file_of(cache, k_key).c_str(), 0, 0) == 0);
    REQUIRE(cache.load(k_key) == image_of(100));
    // a second directory, of somebody else, with other code under the same key
    const DiskCache evil(dir.path / "evil");
    REQUIRE(evil.store(k_key, image_of(100, 0xcc)));
    REQUIRE(chown(file_of(evil, k_key).c_str(), k_nobody, k_nobody) == 0);
    REQUIRE(chown((dir.path / "evil").c_str(), k_nobody, k_nobody) == 0);
    const std::string one = dir.path / "code", two = dir.path / "evil";
    const pid_t child = fork();
    if (child == 0) {
        for (;;) renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, two.c_str(), RENAME_EXCHANGE);
    }
    long ours = 0, theirs = 0;
    for (int i = 0; i < 20'000; ++i) {
        const auto found = cache.load(k_key);
        if (found) (found == image_of(100) ? ours : theirs) += 1;
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    CHECK(theirs == 0);
    CHECK(ours > 0);
}

TEST_CASE("the oldest files go when the bound is reached") {
    const TemporaryDirectory dir;
    const DiskCache cache(dir.path / "code", 10'000);
    for (std::uint64_t k = 0; k < 20; ++k) {
        REQUIRE(cache.store({k, 0}, image_of(2000)));
        // distinct times, whatever the clock of the file system
        struct timespec times[2] = {{static_cast<time_t>(1'000'000 + k), 0},
                                    {static_cast<time_t>(1'000'000 + k), 0}};
        utimensat(AT_FDCWD, file_of(cache, {k, 0}).c_str(), times, 0);
    }
    std::uint64_t total = 0;
    for (const auto& file : fs::directory_iterator(cache.directory())) total += file.file_size();
    CHECK(total <= 10'000);
    CHECK(cache.load({19, 0}).has_value());
    CHECK_FALSE(cache.load({0, 0}).has_value());
}

TEST_CASE("processes that write and read the same keys never see a half-written file") {
    const TemporaryDirectory dir;
    constexpr int k_processes = 4;
    std::vector<pid_t> children;
    for (int p = 0; p < k_processes; ++p) {
        const pid_t child = fork();
        if (child == 0) {
            const DiskCache cache(dir.path / "code");
            for (std::uint64_t round = 0; round < 200; ++round) {
                const Digest key = {round % 5, 7};
                // equal keys mean equal contents
                const auto expected =
                    image_of(5000 + 1000 * key[0], static_cast<unsigned char>(key[0]));
                if (!cache.store(key, expected)) _exit(1);
                const auto found = cache.load(key);
                if (!found || !(*found == expected)) _exit(2);
            }
            _exit(0);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
    }
    for (const auto& file : fs::directory_iterator(dir.path / "code"))
        CHECK(file.path().extension() == ".code");
}

TEST_CASE("memory comes before disk, disk before making") {
    const TemporaryDirectory dir;
    int made = 0;
    const auto make = [&] {
        ++made;
        return image_of(100);
    };
    CodeCache first(DiskCache(dir.path / "code"));
    CHECK(first.get(k_key, make).source == CodeCache::Source::made);
    CHECK(first.get(k_key, make).source == CodeCache::Source::memory);
    CodeCache second(DiskCache(dir.path / "code"));
    CHECK(second.get(k_key, make).source == CodeCache::Source::disk);
    CodeCache none{std::nullopt};
    CHECK(none.get(k_key, make).source == CodeCache::Source::made);
    CHECK(made == 2);
}

TEST_CASE("threads share one cache") {
    CodeCache cache(std::nullopt, 4);
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < 4; ++t) {
        threads.emplace_back([&cache, t] {
            for (std::uint64_t k = 0; k < 300; ++k)
                cache.get({(k * (t + 1)) % 9, 0}, [] { return image_of(64); });
        });
    }
    for (auto& t : threads) t.join();
    CHECK(cache.get({0, 0}, [] { return image_of(64); }).code != nullptr);
}

#if LIAISON_WITH_LLVM
TEST_CASE("code from disk computes what fresh code computes, and damage only costs time") {
    namespace compile = liaison::compile;
    namespace expr = liaison::expr;
    const TemporaryDirectory dir;
    expr::Pool pool;
    const expr::Expr x = pool.symbol("x");
    const compile::Request request{.inputs = {x},
                                   .stages = {compile::Stage::position},
                                   .outputs = {sin(x) * exp(x), pool.call(expr::Op::tan, x)}};
    const double at = 0.7;
    const auto values = [&](CodeCache& cache) {
        const auto f =
            compile::make_evaluator(request, {.backend = compile::Backend::llvm, .cache = &cache});
        auto workspace = f.make_workspace();
        std::vector<double> out(2);
        f.run(&at, out.data(), workspace);
        return out;
    };
    const DiskCache disk((dir.path / "code").string());
    CodeCache first(disk);
    const auto fresh = values(first);
    CHECK(fresh[0] == doctest::Approx(std::sin(at) * std::exp(at)).epsilon(1e-15));
    REQUIRE(std::distance(fs::directory_iterator(dir.path / "code"), fs::directory_iterator{}) ==
            1);
    CodeCache second(disk);
    CHECK(values(second) == fresh);
    // every byte of the one file turned over
    const fs::path file = fs::directory_iterator(dir.path / "code")->path();
    std::string bytes(fs::file_size(file), '\0');
    std::ifstream(file, std::ios::binary)
        .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    for (char& byte : bytes) byte = static_cast<char>(~byte);
    std::ofstream(file, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    CodeCache third(disk);
    CHECK(values(third) == fresh);
}

TEST_CASE("different programs, widths and targets have different keys") {
    namespace compile = liaison::compile;
    namespace expr = liaison::expr;
    expr::Pool pool;
    const expr::Expr x = pool.symbol("x");
    const auto program = [&](expr::Expr output, compile::Stage stage) {
        return compile::write_out(
            compile::lower({.inputs = {x}, .stages = {stage}, .outputs = {output}}));
    };
    const auto sine = program(sin(x), compile::Stage::position);
    const auto target = compile::target_level("x86-64-v3");
    const Digest key = compile::code_key(sine, target, {});
    CHECK(compile::code_key(program(sin(x), compile::Stage::position), target, {}) == key);
    CHECK(compile::code_key(program(cos(x), compile::Stage::position), target, {}) != key);
    CHECK(compile::code_key(program(sin(x), compile::Stage::velocity), target, {}) != key);
    CHECK(compile::code_key(program(sin(x) * expr::Number(0.1), compile::Stage::position), target,
                            {}) !=
          compile::code_key(program(sin(x) * expr::Number(0.2), compile::Stage::position), target,
                            {}));
    CHECK(compile::code_key(sine, target, {.lanes = 4}) != key);
    CHECK(compile::code_key(sine, target, {.layout = {.every_stage = true}}) != key);
    CHECK(compile::code_key(sine, compile::target_level("x86-64-v4"), {}) != key);
}
#endif
