// SPDX-License-Identifier: Apache-2.0
// The supported surface of the library: models are built or read, questions asked, results kept.
//
// What these headers declare changes only with a note in CHANGELOG.md. Other headers are installed because these include
// them; they may change at any time.
#pragma once

// Models: built in C++ or read from files; what is wrong with them as values and as text.
#include "liaison/base/diagnostic.hpp"
#include "liaison/base/render.hpp"
#include "liaison/model/builder.hpp"
#include "liaison/model/read.hpp"
#include "liaison/model/to_toml.hpp"

// Questions and answers, one header per verb.
#include "liaison/ask/average.hpp"
#include "liaison/ask/check.hpp"
#include "liaison/ask/compare.hpp"
#include "liaison/ask/converge.hpp"
#include "liaison/ask/equilibrium.hpp"
#include "liaison/ask/explain.hpp"
#include "liaison/ask/follow.hpp"
#include "liaison/ask/hodograph.hpp"
#include "liaison/ask/invert.hpp"
#include "liaison/ask/lyapunov.hpp"
#include "liaison/ask/orbit.hpp"
#include "liaison/ask/painleve.hpp"
#include "liaison/ask/run.hpp"
#include "liaison/ask/section.hpp"
#include "liaison/ask/stiffness.hpp"
#include "liaison/ask/sweep.hpp"

// Results: a run as columns, in files and in pictures.
#include "liaison/record/dense_motion.hpp"
#include "liaison/record/figure.hpp"
#include "liaison/record/run.hpp"
#include "liaison/record/saved.hpp"
#include "liaison/record/table.hpp"

// Systems given as functions instead of models.
#include "liaison/motion/callback_system.hpp"
