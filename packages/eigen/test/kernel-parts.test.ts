// What kernels are written with, and what single ones do: small suites that load the library once.
import "./assembler.suite.ts";
import "./assign-together.suite.ts";
import "./kernel-cache.suite.ts";
import "./kernel-direct.suite.ts";
import "./kernel-iota.suite.ts";
import "./kernel-rare-values.suite.ts";
import "./remainder-function.suite.ts";
import "./small-float-casts.suite.ts";
import "./vector-builder.suite.ts";
import "./vector-guard.suite.ts";
import "./zero-signs.suite.ts";
