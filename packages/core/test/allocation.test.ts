// Allocators and the arena: small suites that load the library once.
import "./allocator-attributes.suite.ts";
import "./allocators.suite.ts";
import "./bfc-adopt.suite.ts";
import "./bfc-allocator.suite.ts";
import "./bfc-checked.suite.ts";
import "./bfc-tensors.suite.ts";
import "./bfc-warm-chunks.suite.ts";
