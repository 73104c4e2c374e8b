// SPDX-License-Identifier: Apache-2.0
// Result files: HDF5 with netCDF-4 conventions, readable by xarray, MATLAB and Julia.
#pragma once

#include "liaison/record/run.hpp"

#include <string>

namespace liaison::record {

// Layout: /time; /q, /v, /a, /lambda, /gap, /observables, … (time × names); /mode (time × slots); /events; /continue
// (state and mode at every sample); /pieces; /model; /provenance. Returns what went wrong, or nothing;
// the file appears whole or not at all.
[[nodiscard]] std::string write_hdf5(const std::string& path, const Run& run,
                                     const flow::Flow& flow);

} // namespace liaison::record
