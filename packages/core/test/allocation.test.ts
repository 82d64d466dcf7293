// Allocators and the arena: small suites that load the library once.
import "./buffer/allocators.suite.ts";
import "./buffer/bfc-tensors.suite.ts";
