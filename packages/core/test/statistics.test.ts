// Tests of what is counted: snapshots of the memory, the ledger of buffers, the statistics of the CPU allocator. The order matters: the
// first suite needs a process without an arena, and the full statistics of the last cannot be switched off again.
import "./arena/memory-snapshot.suite.ts";
import "./buffer/buffer-ledger.suite.ts";
import "./arena/cpu-allocator-full-stats.suite.ts";
