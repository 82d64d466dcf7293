// What kernels are written with, and what single ones do: small suites that load the library once.
import "./kernel/assign-together.suite.ts";
import "./kernel/kernel-cache.suite.ts";
import "./kernel/kernel-direct.suite.ts";
import "./kernel/kernel-iota.suite.ts";
import "./kernel/kernel-rare-values.suite.ts";
import "./kernel/remainder-function.suite.ts";
import "./kernel/small-float-casts.suite.ts";
import "./kernel/zero-signs.suite.ts";
