// Tests of single kernels and of the parts from which kernels are made. The suites run in one file so that the library is loaded only once.
import "./kernel/assign-together.suite.ts";
import "./kernel/block-shapes.suite.ts";
import "./kernel/complex-kernels.suite.ts";
import "./kernel/few-rows.suite.ts";
import "./kernel/guarded-casts.suite.ts";
import "./kernel/joined-pieces.suite.ts";
import "./kernel/kept-steps.suite.ts";
import "./kernel/kernel-cache.suite.ts";
import "./kernel/kernel-direct.suite.ts";
import "./kernel/kernel-iota.suite.ts";
import "./kernel/kernel-rare-values.suite.ts";
import "./kernel/later-kernels.suite.ts";
import "./kernel/remainder-function.suite.ts";
import "./kernel/selections.suite.ts";
import "./kernel/small-float-casts.suite.ts";
import "./kernel/truth-reductions.suite.ts";
import "./kernel/zero-signs.suite.ts";
