// SPDX-License-Identifier: Apache-2.0
// Records with length and checksum.
#include "liaison/analysis/sweep_file.hpp"

#include "liaison/base/descriptor.hpp"
#include "liaison/record/read_file.hpp"
#include "liaison/record/write_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace liaison::analysis {
namespace {

constexpr std::string_view k_head = "liaison sweep, partial, ";
constexpr std::size_t k_longest_reason = 4096;

// Fowler, Noll, Vo 1a.
std::uint64_t checksum(std::string_view bytes) {
    std::uint64_t h = 0xcbf29ce484222325ULL;
    for (const char c : bytes) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return h;
}

template <class T>
void append(std::string& to, const T& value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    to.append(bytes, sizeof(T));
}

// Reads forward; `good` turns false at the end of the bytes.
struct Reader {
    std::string_view bytes;
    bool good = true;
    template <class T>
    T take() {
        T value{};
        if (bytes.size() < sizeof(T)) {
            good = false;
            return value;
        }
        char part[sizeof(T)];
        std::copy_n(bytes.begin(), sizeof(T), part);
        std::memcpy(&value, part, sizeof(T));
        bytes.remove_prefix(sizeof(T));
        return value;
    }
    std::string_view take(std::size_t n) {
        if (bytes.size() < n) {
            good = false;
            return {};
        }
        const auto part = bytes.substr(0, n);
        bytes.remove_prefix(n);
        return part;
    }
};

std::string encode(std::size_t point, const SectionResult& r) {
    std::string body;
    append(body, static_cast<std::uint64_t>(point));
    append(body, static_cast<std::uint8_t>(r.label));
    append(body, r.period);
    append(body, r.impacts);
    const auto reason = std::string_view(r.reason).substr(0, k_longest_reason);
    append(body, static_cast<std::uint32_t>(reason.size()));
    body.append(reason);
    append(body, static_cast<std::uint64_t>(r.values.size()));
    for (const double x : r.values) append(body, x);
    std::string record;
    append(record, static_cast<std::uint64_t>(body.size()));
    record += body;
    append(record, checksum(body));
    return record;
}

bool decode(std::string_view body, std::size_t& point, SectionResult& r) {
    Reader in{body};
    point = static_cast<std::size_t>(in.take<std::uint64_t>());
    const auto label = in.take<std::uint8_t>();
    if (label > static_cast<std::uint8_t>(MotionLabel::failed)) return false;
    r.label = static_cast<MotionLabel>(label);
    r.period = in.take<std::uint32_t>();
    r.impacts = in.take<std::uint32_t>();
    r.reason = std::string(in.take(in.take<std::uint32_t>()));
    const auto n = in.take<std::uint64_t>();
    // compared by division: a product of a made-up number may overflow to the right one
    if (!in.good || in.bytes.size() % sizeof(double) != 0 || n != in.bytes.size() / sizeof(double))
        return false;
    for (std::uint64_t i = 0; i < n; ++i) r.values.push_back(in.take<double>());
    return in.good;
}

} // namespace

SweepFile::~SweepFile() {
    if (file_ != nullptr) std::fclose(file_);
}

std::string SweepFile::keep_in(const std::string& path, const std::string& key, bool replace) {
    path_ = path;
    const std::string head = fmt::format("{}{}\n", k_head, key);
    std::string content;
    if (std::error_code none; std::filesystem::exists(path, none)) {
        try {
            content = record::read_file(path);
        } catch (const std::runtime_error& problem) {
            return fmt::format("{} cannot be read: {}", path, problem.what());
        }
    }
    if (!content.empty() && !content.starts_with(head) && !replace)
        return fmt::format("{} was left by a sweep of another model or with other options; --force "
                           "begins anew",
                           path);
    // What is whole is taken over and written back at once; a half-written end goes.
    std::string kept = head;
    if (content.starts_with(head)) {
        Reader in{std::string_view(content).substr(head.size())};
        while (!in.bytes.empty()) {
            const auto size = in.take<std::uint64_t>();
            if (!in.good || size > in.bytes.size()) break;
            const auto body = in.take(static_cast<std::size_t>(size));
            const auto sum = in.take<std::uint64_t>();
            std::size_t point = 0;
            SectionResult r;
            if (!in.good || sum != checksum(body) || !decode(body, point, r) ||
                point >= known_.size() || r.values.size() > most_values_ ||
                (width_ > 0 && r.values.size() % width_ != 0))
                break;
            if (known_[point] == 0) ++resumed_;
            known_[point] = 1;
            kept += encode(point, r);
            results_[point] = std::move(r);
        }
    }
    if (std::string problem = record::write_file(path, kept); !problem.empty()) return problem;
    base::Descriptor file(
        open(path.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    file_ = file ? fdopen(file.get(), "ab") : nullptr;
    if (file_ == nullptr) return fmt::format("cannot write {}: {}", path, std::strerror(errno));
    file.release();
    return {};
}

bool SweepFile::put(std::size_t point, const SectionResult& result) {
    results_[point] = result;
    if (results_[point].reason.size() > k_longest_reason)
        results_[point].reason.resize(k_longest_reason);
    known_[point] = 1;
    if (file_ == nullptr) return true;
    const std::string record = encode(point, results_[point]);
    if (std::fwrite(record.data(), 1, record.size(), file_) == record.size() &&
        std::fflush(file_) == 0)
        return true;
    problem_ = fmt::format("cannot write {}: {}", path_, std::strerror(errno));
    return false;
}

void SweepFile::finish() {
    if (file_ == nullptr) return;
    std::fclose(file_);
    file_ = nullptr;
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

} // namespace liaison::analysis
