// Tests of kernels of whole expressions: those of every kind, deep and shared ones, random ones. The suites run in one file so that the
// library is loaded only once. The first one collects the reasons why kernels did not run.
import "./kernel/kernel-whole.suite.ts";
import "./kernel/contraction.suite.ts";
import "./kernel/kernel-sharing.suite.ts";
import "./random-trees/random-trees.suite.ts";
