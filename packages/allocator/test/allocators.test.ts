// Runs the suites of reference counts, allocators, the BFC allocator, the lifetime net and the arena's protocol in one file, so that the library
// is loaded once.
import "./allocator/allocator-attributes.suite.ts";
import "./allocator/allocator-options.suite.ts";
import "./allocator/cpu-allocator.suite.ts";
import "./bfc/bfc-adopt.suite.ts";
import "./bfc/bfc-allocator.suite.ts";
import "./bfc/bfc-checked.suite.ts";
import "./bfc/bfc-free-pieces.suite.ts";
import "./bfc/bfc-model.suite.ts";
import "./bfc/bfc-sub-allocators.suite.ts";
import "./bfc/bfc-timing-counter.suite.ts";
import "./bfc/bfc-warm-chunks.suite.ts";
import "./lifetime/ballast.suite.ts";
import "./lifetime/lifetime-net.suite.ts";
import "./lifetime/machine-memory.suite.ts";
import "./lifetime/sweep-policy.suite.ts";
import "./lifetime/watched-units.suite.ts";
import "./refs/ref-counted.suite.ts";
import "./refs/refcount-scripts.suite.ts";
import "./refs/weak-ptr.suite.ts";
import "./threads/arena-protocol.suite.ts";
import "./threads/step-program.suite.ts";
