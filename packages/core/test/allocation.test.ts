// Allocators and the arena: small suites in one file, so that the library is loaded once.
import "./buffer/allocators.suite.ts";
import "./buffer/bfc-tensors.suite.ts";
import "./arena/allocation-faults.suite.ts";
