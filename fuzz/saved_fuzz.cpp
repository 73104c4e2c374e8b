// SPDX-License-Identifier: Apache-2.0
// Result files that are whole as documents and wrong in what they say: indices, lengths, values, keys. Read, drawn, and where
// their motion fits one of the models below, gone on from. A document {"hdf5": …} describes an HDF5 file, which is written
// and read; what the library makes of damaged bytes is not ours to search, and the seal keeps them from it.
#include "liaison/record/saved.hpp"

#include "liaison/base/features.hpp"
#include "liaison/model/read.hpp"
#include "liaison/motion/standing.hpp"
#include "liaison/motion/steppers.hpp"
#include "liaison/prepare/prepare.hpp"
#include "liaison/realise/realise.hpp"
#include "liaison/record/figure.hpp"
#include "liaison/record/svg.hpp"

#include "json_mutation.hpp"
#if LIAISON_WITH_HDF5
#include "liaison/record/hdf5_writer.hpp"
#endif

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <stdexcept>

using namespace liaison;
using Json = fuzz::JsonMutation::Json;

namespace {

constexpr std::size_t k_most_numbers = 10'000;

// Bouncing, with friction, and switched: guards, modes with words and without.
const std::vector<std::string> k_models = {
    "format = 1\nname = \"ball\"\ncoordinates = [\"y\"]\n[energy]\nT = \"y'^2/2\"\nV = \"9.81*y\"\n"
    "[contact.floor]\ngap = \"y\"\nrestitution = 0.8\n[start]\ny = 1.0\n[run]\nuntil = 2\n",
    "format = 1\nname = \"block\"\ncoordinates = [\"x\", \"y\"]\n[energy]\nT = \"(x'^2 + y'^2)/2\"\nV = \"9.81*y\"\n"
    "[contact.floor]\ngap = \"y\"\nslip = \"x'\"\nfriction = 0.3\n[start]\nclosed = [\"floor\"]\n[start.velocity]\nx = 1.0\n"
    "[run]\nuntil = 2\n",
    "format = 1\nname = \"relay\"\ncoordinates = [\"x\"]\n[energy]\nT = \"x'^2/2\"\nV = \"x^2/2\"\n"
    "[force.drag]\nx = \"-sign(x')\"\n[start]\nx = 3.5\n[run]\nuntil = 4\n"};

struct Known {
    std::shared_ptr<model::Model> model;
    flow::Flow flow;
    std::unique_ptr<motion::Stepper> stepper;
};

const std::map<std::string, Known>& known() {
    static const std::map<std::string, Known> all = [] {
        std::map<std::string, Known> result;
        for (const std::string& text : k_models) {
            base::Diagnostics diagnostics;
            auto model = model::read_model(base::SourceFile::make("m.toml", text), diagnostics);
            if (!model) std::abort();
            const auto start = prepare::prepare(*model, {}, diagnostics);
            if (!start) std::abort();
            Known& one = result[record::fingerprint(text)];
            one.model = std::make_shared<model::Model>(std::move(*model));
            one.flow = realise::realise(*one.model, start->point).flow;
            motion::MethodOptions method;
            one.stepper = motion::make_stepper(one.flow, method);
        }
        return result;
    }();
    return all;
}

void go_on(const record::Saved& saved) {
    const auto found = known().find(saved.provenance.model_hash);
    if (found == known().end()) return;
    std::string problem;
    std::vector<std::optional<motion::Standing>> standings{saved.end, saved.provenance.from};
    if (saved.end) standings.push_back(saved.standing_at(saved.end->time.rounded() / 2, problem));
    if (!saved.at_samples.empty()) standings.emplace_back(saved.at_samples.front());
    for (const auto& s : standings) {
        if (!s || !motion::misfit(*s, found->second.flow).empty()) continue;
        motion::SimulateOptions options;
        options.from = &*s;
        options.until = s->time.rounded() + 0.1;
        options.max_steps = 100;
        options.max_events = 100;
        try {
            (void)motion::simulate(found->second.flow, *found->second.stepper, options);
        } catch (const std::exception&) { // told, not crashed
        }
    }
}

void draw(const record::Saved& saved) {
    for (const record::Column& column : saved.table.columns)
        if (column.values.size() != saved.table.time.size()) std::abort();
    (void)record::to_svg(record::time_series(saved.table));
    (void)record::to_svg(record::phase_plane(saved.table));
    (void)record::to_svg(record::integral_drift(saved.table));
}

class MemoryFile {
  public:
    explicit MemoryFile(const std::string& content) : file_(memfd_create("result", 0)) {
        if (file_ < 0 ||
            write(file_, content.data(), content.size()) != static_cast<ssize_t>(content.size()))
            std::abort();
    }
    ~MemoryFile() { close(file_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

  private:
    int file_;
};

#if LIAISON_WITH_HDF5
std::string text_of(const Json& value) {
    return value.is_string() ? value.get<std::string>()
                             : value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

void write_part(const record::Hdf5Writer& group, const std::string& name, const Json& part) {
    if (part.is_string()) {
        group.text(name.c_str(), part.get<std::string>());
    } else if (part.is_array()) {
        std::vector<std::string> words;
        for (const Json& w : part) words.push_back(text_of(w));
        group.words(name, words);
    } else if (part.is_object() && part.contains("shape") && part["shape"].is_array()) {
        std::vector<std::size_t> shape;
        std::size_t count = 1;
        for (const Json& n : part["shape"]) {
            const double size = n.is_number() ? n.get<double>() : 0.0;
            if (!(size >= 0.0 && size <= static_cast<double>(k_most_numbers)) || shape.size() == 4)
                return;
            shape.push_back(static_cast<std::size_t>(size));
            count *= shape.back();
            if (count > k_most_numbers) return;
        }
        std::vector<double> values;
        for (const Json& v : part.value("values", Json::array()))
            values.push_back(v.is_number() ? v.get<double>() : NAN);
        values.resize(count, 0.0);
        if (!shape.empty()) group.numbers(name, shape, values);
        for (const auto& [key, text] : part.items())
            if (key.starts_with("@") && !shape.empty())
                group.attribute_of(name, key.substr(1), text_of(text));
    }
}

// Groups are objects without a shape; attributes begin with @.
std::string hdf5_of(const Json& tree) {
    return record::hdf5_image([&](const record::Hdf5Writer& file) {
        for (const auto& [name, part] : tree.items()) {
            if (name.empty() || name.find('/') != std::string::npos ||
                name.find('\0') != std::string::npos)
                continue;
            try {
                if (name.starts_with("@")) {
                    file.attribute(name.substr(1), text_of(part));
                } else if (part.is_object() && !part.contains("shape")) {
                    const record::Handle handle = file.group(name.c_str());
                    const record::Hdf5Writer group(handle, file, name);
                    for (const auto& [inner, value] : part.items())
                        if (!inner.empty() && inner.find('/') == std::string::npos)
                            write_part(group, inner, value);
                } else {
                    write_part(file, name, part);
                }
            } catch (const std::runtime_error&) { // a name twice, say: the file has less then
            }
        }
    });
}
#endif

} // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
    Json document = Json::parse(data, data + size, nullptr, false);
    if (document.is_discarded()) return LLVMFuzzerMutate(data, size, most);
    fuzz::JsonMutation(seed).apply(document);
    const std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > most) return size;
    std::copy(text.begin(), text.end(), data);
    return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string content(reinterpret_cast<const char*>(data), size);
#if LIAISON_WITH_HDF5
    if (content.starts_with("{\"hdf5\"")) {
        const Json document = Json::parse(content, nullptr, false);
        if (document.is_discarded() || !document.contains("hdf5") || !document["hdf5"].is_object())
            return 0;
        try {
            content = hdf5_of(document["hdf5"]);
        } catch (const std::runtime_error&) {
            return 0;
        }
    }
#endif
    const MemoryFile file(content);
    try {
        const record::Saved saved = record::read_saved(file.path());
        draw(saved);
        go_on(saved);
    } catch (const std::runtime_error&) { // the refusal
    }
    return 0;
}
