// SPDX-License-Identifier: Apache-2.0
// The line that tells a waiting person how far a long run has come.
#pragma once

#include <chrono>
#include <string>

namespace liaison::app {

// Nothing is shown in the first second; the line is overwritten in place and wiped away at the end.
class Progress {
  public:
    Progress(double from, double until, std::string what = "t =");
    void show(double time);
    void clear();

  private:
    double from_;
    double until_;
    std::string what_; // is counted
    std::chrono::steady_clock::time_point start_;
    bool shown_ = false;
};

} // namespace liaison::app
