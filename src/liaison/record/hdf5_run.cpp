// SPDX-License-Identifier: Apache-2.0
// The HDF5 writer: dimension scales and labels so that netCDF-4 readers see named dimensions.
#include "liaison/record/hdf5_run.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <vector>

namespace liaison::record {
namespace {

using flow::OutputGroup;

// Closes what it opened; a negative identifier is an error.
class Handle {
  public:
    Handle(hid_t id, herr_t (*close)(hid_t), const char* what) : id_(id), close_(close) {
        if (id_ < 0) throw std::runtime_error(what);
    }
    ~Handle() { close_(id_); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    operator hid_t() const { return id_; }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

void check(herr_t status, const char* what) {
    if (status < 0) throw std::runtime_error(what);
}

Handle string_type() { return {H5Tcopy(H5T_C_S1), H5Tclose, "string type"}; }

void attribute(hid_t object, const char* name, const std::string& value) {
    Handle type = string_type();
    check(H5Tset_size(type, std::max<std::size_t>(value.size(), 1)), "string size");
    check(H5Tset_cset(type, H5T_CSET_UTF8), "string encoding");
    Handle space(H5Screate(H5S_SCALAR), H5Sclose, "scalar space");
    Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                     "attribute");
    check(H5Awrite(attribute, type, value.empty() ? " " : value.data()), "writing an attribute");
}

void attribute(hid_t object, const char* name, double value) {
    Handle space(H5Screate(H5S_SCALAR), H5Sclose, "scalar space");
    Handle attribute(H5Acreate2(object, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT),
                     H5Aclose, "attribute");
    check(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value), "writing an attribute");
}

void write_numbers(hid_t group, const char* name, const std::vector<hsize_t>& shape,
                   const std::vector<double>& values) {
    Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose,
                 "space");
    Handle data(
        H5Dcreate2(group, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose, "dataset");
    if (!values.empty())
        check(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              "writing numbers");
}

void write_words(hid_t group, const char* name, const std::vector<std::string>& words) {
    Handle type = string_type();
    check(H5Tset_size(type, H5T_VARIABLE), "string size");
    check(H5Tset_cset(type, H5T_CSET_UTF8), "string encoding");
    const hsize_t n = words.size();
    Handle space(H5Screate_simple(1, &n, nullptr), H5Sclose, "space");
    Handle data(H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                H5Dclose, "dataset");
    std::vector<const char*> pointers;
    for (const std::string& w : words) pointers.push_back(w.c_str());
    if (n > 0)
        check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()),
              "writing words");
}

// Makes a dataset the scale of a dimension, and attaches scales to data.
void make_scale(hid_t group, const char* name) {
    Handle data(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose, "dataset");
    check(H5DSset_scale(data, name), "dimension scale");
}
void attach(hid_t group, const char* data_name, unsigned dimension, const char* scale_name) {
    Handle data(H5Dopen2(group, data_name, H5P_DEFAULT), H5Dclose, "dataset");
    Handle scale(H5Dopen2(group, scale_name, H5P_DEFAULT), H5Dclose, "scale");
    check(H5DSattach_scale(data, scale, dimension), "attaching a scale");
}

std::string label(const flow::Output& output) {
    return output.part.empty() ? output.name : output.name + "." + output.part;
}

void write_group(hid_t file, const Run& run, const flow::Flow& flow, OutputGroup group,
                 const std::string& name) {
    std::vector<std::size_t> columns;
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < flow.outputs.size(); ++i) {
        if (flow.outputs[i].group != group) continue;
        columns.push_back(i);
        labels.push_back(label(flow.outputs[i]));
    }
    if (columns.empty()) return;
    std::vector<double> values;
    for (const SampleValues& s : run.samples) {
        for (const std::size_t c : columns) values.push_back(s.values[c]);
    }
    const std::string scale = name + "_name";
    write_words(file, scale.c_str(), labels);
    make_scale(file, scale.c_str());
    write_numbers(file, name.c_str(), {run.samples.size(), columns.size()}, values);
    attach(file, name.c_str(), 0, "time");
    attach(file, name.c_str(), 1, scale.c_str());
}

void write_events(hid_t file, const std::vector<flow::Event>& events) {
    Handle group(H5Gcreate2(file, "events", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                 "group");
    std::vector<double> time, low, impulse, energy, rate, accuracy;
    std::vector<std::string> kind, where, side;
    const auto or_nan = [](const std::optional<double>& x) {
        return x.value_or(std::numeric_limits<double>::quiet_NaN());
    };
    for (const flow::Event& e : events) {
        time.push_back(e.time.rounded());
        low.push_back(e.time.low());
        kind.emplace_back(flow::name(e.kind));
        where.push_back(e.where);
        side.push_back(e.side);
        impulse.push_back(or_nan(e.impulse));
        energy.push_back(or_nan(e.energy));
        rate.push_back(or_nan(e.gap_rate));
        accuracy.push_back(e.accuracy);
    }
    const std::vector<hsize_t> shape{events.size()};
    write_numbers(group, "time", shape, time);
    make_scale(group, "time");
    for (const auto& [name, values] :
         {std::pair{"time_low", &low}, std::pair{"impulse", &impulse}, std::pair{"energy", &energy},
          std::pair{"gap_rate", &rate}, std::pair{"accuracy", &accuracy}}) {
        write_numbers(group, name, shape, *values);
        attach(group, name, 0, "time");
    }
    for (const auto& [name, values] :
         {std::pair{"kind", &kind}, std::pair{"where", &where}, std::pair{"side", &side}}) {
        write_words(group, name, *values);
        attach(group, name, 0, "time");
    }
}

void write_provenance(hid_t file, const Run& run, const flow::Flow& flow) {
    const Provenance& p = run.provenance;
    attribute(file, "Conventions", std::string("CF-1.8"));
    attribute(file, "liaison", p.version);
    attribute(file, "model", run.model);
    attribute(file, "realisation", run.realisation);
    attribute(file, "command", p.command);
    attribute(file, "model_text", p.model_text);
    attribute(file, "model_hash", p.model_hash);
    attribute(file, "compiler", p.compiler);
    attribute(file, "cpu", p.cpu);
    attribute(file, "method", p.method);
    attribute(file, "tolerance", p.tolerance);
    attribute(file, "step", p.step);
    attribute(file, "reason", run.trajectory.reason);
    for (std::size_t i = 0; i < flow.parameters.size(); ++i) {
        attribute(file, ("parameter." + flow.parameter_names[i]).c_str(), flow.parameter_values[i]);
    }
}

void write_all(const std::string& path, const Run& run, const flow::Flow& flow) {
    Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "properties");
    Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, properties), H5Fclose,
                "the file cannot be created");
    write_provenance(file, run, flow);
    std::vector<double> times;
    for (const SampleValues& s : run.samples) times.push_back(s.time);
    write_numbers(file, "time", {times.size()}, times);
    make_scale(file, "time");
    for (const auto& [group, name] :
         {std::pair{OutputGroup::q, "q"}, std::pair{OutputGroup::v, "v"},
          std::pair{OutputGroup::a, "a"}, std::pair{OutputGroup::reaction, "lambda"},
          std::pair{OutputGroup::relay, "relays"}, std::pair{OutputGroup::observe, "observables"},
          std::pair{OutputGroup::energy, "energy"}}) {
        write_group(file, run, flow, group, name);
    }
    write_events(file, run.trajectory.events);
    check(H5Fflush(file, H5F_SCOPE_GLOBAL), "the file cannot be written");
}

} // namespace

std::string write_hdf5(const std::string& path, const Run& run, const flow::Flow& flow) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // messages are ours
    const std::string temporary = fmt::format("{}.{}.part", path, ::getpid());
    std::error_code error;
    try {
        write_all(temporary, run, flow);
        std::filesystem::rename(temporary, path, error);
        if (error) throw std::runtime_error(error.message());
    } catch (const std::runtime_error& problem) {
        std::filesystem::remove(temporary, error);
        return fmt::format("cannot write {}: {}", path, problem.what());
    }
    return {};
}

} // namespace liaison::record
