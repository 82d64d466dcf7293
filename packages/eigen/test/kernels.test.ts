// Tests of kernels of whole expressions: those of every kind, deep and shared ones, random ones; then of single kernels and of the parts
// from which kernels are made. The suites run in one file so that the library is loaded only once. The first one collects the reasons why
// kernels did not run, each of which is told once.
import "./kernel/kernel-whole.suite.ts";
import "./kernel/contraction.suite.ts";
import "./kernel/kernel-sharing.suite.ts";
import "./random-trees/random-trees.suite.ts";
import "./kernel/assign-together.suite.ts";
import "./kernel/schedule.suite.ts";
import "./kernel/update-together.suite.ts";
import "./kernel/blended-rows.suite.ts";
import "./kernel/block-shapes.suite.ts";
import "./kernel/changed-rows.suite.ts";
import "./kernel/clipped-windows.suite.ts";
import "./kernel/complex-kernels.suite.ts";
import "./kernel/contiguous-views.suite.ts";
import "./kernel/few-rows.suite.ts";
import "./kernel/guarded-casts.suite.ts";
import "./kernel/joined-pieces.suite.ts";
import "./kernel/kept-steps.suite.ts";
import "./kernel/kernel-cache.suite.ts";
import "./kernel/kernel-direct.suite.ts";
import "./kernel/kernel-iota.suite.ts";
import "./kernel/nested-assignments.suite.ts";
import "./kernel/kernel-rare-values.suite.ts";
import "./kernel/large-plans.suite.ts";
import "./kernel/later-kernels.suite.ts";
import "./kernel/planes.suite.ts";
import "./kernel/plan-store.suite.ts";
import "./kernel/ordered-bits.suite.ts";
import "./kernel/orders.suite.ts";
import "./kernel/remainder-function.suite.ts";
import "./kernel/selections.suite.ts";
import "./kernel/short-rows.suite.ts";
import "./kernel/small-float-casts.suite.ts";
import "./kernel/truth-reductions.suite.ts";
import "./kernel/window-kernels.suite.ts";
import "./kernel/zero-signs.suite.ts";
