// Changes of the library's compiled text, each of which takes one guard of the lifetime net away, and the property that must
// notice.

export interface Mutant {
  /** What is taken away. */
  readonly name: string;
  /** The property that fails then. */
  readonly property: string;
  /** The compiled file, from the folder of packages on. */
  readonly file: string;
  /** Stands in the file exactly once, and becomes `to`. */
  readonly from: string;
  readonly to: string;
  /** The first major version of V8 that does without the guard: from it on nothing can notice that it is gone. */
  readonly neededBefore?: number;
}

/** V8 14 (Node 26) collects in time by itself, ballast or not: 241 tensors were made before 200 had come back. V8 13 never did. */
const kCollectsByItself = 14;

const core = "core/dist/src/";
const eigen = "eigen/dist/src/";

export const mutants: readonly Mutant[] = [
  {
    name: "the token does not hear of the end",
    property: "a map of freed memory throws",
    file: "core/dist/src/buffer/tensor-buffer.js",
    from: "this.token.free();",
    to: ";",
  },
  {
    name: "the root's array carries no owner",
    property: "an array handed out keeps its bytes",
    file: "core/dist/src/buffer/tensor-buffer.js",
    from: "root.cachedArray = withMemoryOwner(array, this.owner);",
    to: "root.cachedArray = array;",
  },
  {
    name: "tensorData carries no owner",
    property: "an array handed out keeps its bytes",
    file: "core/dist/src/buffer/tensor-buffer.js",
    from: "return withMemoryOwner(new Uint8Array(memory, this.byteOffset, this.size), this.owner);",
    to: "return new Uint8Array(memory, this.byteOffset, this.size);",
  },
  {
    name: "a map's part of an array carries no owner",
    property: "an array handed out keeps its bytes",
    file: "eigen/dist/src/map/base/tensor-map-base.js",
    from: "return withMemoryOwner(new constructor(array.buffer, offset, places), this.owner);",
    to: "return new constructor(array.buffer, offset, places);",
  },
  {
    name: "the token does not keep the buffer",
    property: "a map keeps its bytes",
    file: "core/dist/src/buffer/tensor-buffer.js",
    from: "new MemoryToken(root)",
    to: "new MemoryToken(null)",
  },
  {
    name: "a freed buffer keeps its Keeper: seen by a map",
    property: "a stale map does not keep what its Keeper went on to",
    file: "core/dist/src/buffer/buffer.js",
    from: "this.keeper = null;",
    to: ";",
  },
  {
    name: "a freed buffer keeps its Keeper",
    property: "a stale buffer does not keep what its Keeper went on to",
    file: "core/dist/src/buffer/buffer.js",
    from: "this.keeper = null;",
    to: ";",
  },
  {
    name: "a record that was given up is not emptied",
    property: "what was given up is given back once",
    file: "allocator/dist/src/lifetime/lifetime-net.js",
    from: "    record.pointer = null;\n    record.control = 0;",
    to: "    record.control = 0;",
  },
  {
    name: "a record that was lost is not emptied",
    property: "what a sweep gave back does not come back again",
    file: "allocator/dist/src/lifetime/lifetime-net.js",
    from: "    record.pointer = null;\n    record.line = null;",
    to: "    record.line = null;",
  },
  {
    name: "a lost record's place is not filled",
    property: "what a sweep gave back does not come back again",
    file: "allocator/dist/src/lifetime/lifetime-net.js",
    from: "record.place = -1;",
    to: ";",
  },
  {
    name: "nothing is registered",
    property: "a forgotten tensor comes back after a task, and not before",
    file: "allocator/dist/src/lifetime/lifetime-net.js",
    from: "registry.register(keeper, record);\n    made",
    to: ";\n    made",
  },
  {
    name: "a reclaimed buffer still counts as live",
    property: "a forgotten tensor comes back after a task, and not before",
    file: "allocator/dist/src/lifetime/lifetime-net.js",
    from: "countLiveBuffer(-1);",
    to: ";",
  },
  {
    name: "reclaim waits for a microtask only",
    property: "reclaim waits for what was forgotten",
    file: "allocator/dist/src/lifetime/next-task.js",
    from: "setTimeout(resolve, 0);",
    to: "resolve();",
  },
  {
    name: "reclaim does not collect",
    property: "reclaim waits for what was forgotten",
    file: "allocator/dist/src/arena/reclaim.js",
    from: "if (collectGarbage())",
    to: "if (true)",
  },
  {
    name: "reclaim does not look at its signal",
    property: "reclaim waits for what was forgotten",
    file: "allocator/dist/src/arena/reclaim.js",
    from: "if (signal?.aborted === true)",
    to: "if (false)",
  },
  {
    name: "a full arena asks nobody",
    property: "a full arena is swept in the middle of a job",
    file: "allocator/dist/src/arena/thread-arena.js",
    from: "return sweepForgotten() > 0 ||",
    to: "return",
  },
  {
    name: "a sweep leaves the job's kept objects",
    property: "a full arena is swept in the middle of a job",
    file: "allocator/dist/src/lifetime/sweep.js",
    from: "collectorHere.clearKept();",
    to: ";",
  },
  {
    name: "a sweep collects nothing",
    property: "a full arena is swept in the middle of a job",
    file: "allocator/dist/src/lifetime/sweep.js",
    from: "collectorHere.collect();\n        loseDeadKeepers();",
    to: "loseDeadKeepers();",
  },
  {
    name: "a sweep does not look whether a Keeper is dead",
    property: "a full arena whose tensors are held says so",
    file: "allocator/dist/src/lifetime/lifetime-net.js",
    from: "record.keeper.deref() !== undefined",
    to: "record.keeper.deref() === null",
  },
  {
    name: "sweeps are eager unless told otherwise",
    property: "in normal operation nothing is swept: other code's WeakRefs keep their targets within the job",
    file: "allocator/dist/src/lifetime/sweep-policy.js",
    from: "let isEager = false;",
    to: "let isEager = true;",
  },
  {
    name: "the first mark sweeps",
    property: "in normal operation nothing is swept: other code's WeakRefs keep their targets within the job",
    file: "allocator/dist/src/lifetime/sweep-policy.js",
    from: "if (netFigures[FELT] <= bounds.units && keeperRecords() <= bounds.keepers)",
    to: "if (false)",
  },
  {
    name: "a full arena asks nobody: a synchronous loop",
    property: "a synchronous loop that forgets never runs out of memory",
    file: "allocator/dist/src/arena/thread-arena.js",
    from: "return sweepForgotten() > 0 ||",
    to: "return",
  },
  {
    name: "a sweep leaves the job's kept objects: microtasks",
    property: "a loop of microtasks that forgets never runs out of memory",
    file: "allocator/dist/src/lifetime/sweep.js",
    from: "collectorHere.clearKept();",
    to: ";",
  },
  {
    name: "nothing is registered: a loop of tasks",
    property: "a loop of tasks that forgets never runs out of memory",
    file: "allocator/dist/src/lifetime/lifetime-net.js",
    from: "if (mayBeSwept) {\n        records.push(record);",
    to: "if (mayBeSwept) {",
  },
  {
    name: "the container's memory is not looked at",
    property: "a quarter of the machine's memory, or of its container's, is swept",
    file: "allocator/dist/src/lifetime/machine-memory.js",
    from: "return Math.min(total, container);",
    to: "return total;",
  },
  {
    name: "the machine's memory is not looked at",
    property: "a quarter of the machine's memory, or of its container's, is swept",
    file: "allocator/dist/src/lifetime/machine-memory.js",
    from: "return Math.min(total, container);",
    to: "return container;",
  },
  {
    name: "a host that knows no limit has no memory",
    property: "a quarter of the machine's memory, or of its container's, is swept",
    file: "allocator/dist/src/lifetime/machine-memory.js",
    from: "&& bytes > 0 ?",
    to: "?",
  },
  {
    name: "the next last resort is always due at the same mark",
    property: "more than a quarter that is held is swept rarely",
    file: "allocator/dist/src/lifetime/sweep-policy.js",
    from: "Math.max(at.units, units * at.growth)",
    to: "at.units",
  },
  {
    name: "Keepers do not count",
    property: "tensors of one element are swept before they fill the heap",
    file: "allocator/dist/src/lifetime/lifetime-net.js",
    from: "netFigures[kSweepMark] = -1;",
    to: ";",
  },
  {
    name: "the next sweep for Keepers is always due at the same mark",
    property: "tensors of one element are swept before they fill the heap",
    file: "allocator/dist/src/lifetime/sweep-policy.js",
    from: "Math.max(at.keepers, keepers * at.growth)",
    to: "0",
  },
  {
    name: "the registry keeps what was lost",
    property: "a sweep leaves nothing of what it gave back on the heap",
    file: "allocator/dist/src/lifetime/lifetime-net.js",
    from: "registry.unregister(record);",
    to: ";",
  },
  {
    name: "growth sweeps nothing",
    property: "much that was forgotten is swept eagerly where that was asked for",
    file: "allocator/dist/src/lifetime/sweep-policy.js",
    from: "    sweepForgotten();\n",
    to: "",
  },
  {
    name: "the next sweep is always due at the same mark",
    property: "what is held is swept rarely",
    file: "allocator/dist/src/lifetime/sweep-policy.js",
    from: "Math.max(at.units, units * at.growth)",
    to: "at.units",
  },
  {
    name: "objects count for nothing",
    property: "many small tensors count for their objects",
    file: "allocator/dist/src/lifetime/lifetime-stats.js",
    from: "export const kObjectUnits = 2;",
    to: "export const kObjectUnits = 0;",
  },
  {
    name: "sweeps cannot be switched off",
    property: "a sweep can be switched off, then a full arena says what may be forgotten",
    file: "allocator/dist/src/lifetime/sweep.js",
    from: "enabled = value;",
    to: ";",
  },
  {
    name: "a full arena does not say what is not given back",
    property: "a sweep can be switched off, then a full arena says what may be forgotten",
    file: "allocator/dist/src/arena/thread-arena.js",
    from: ", onReport: forgottenReport",
    to: "",
  },
  {
    name: "there is no ballast",
    property: "ballast makes the collector notice, without any sweep",
    file: "allocator/dist/src/lifetime/ballast.js",
    from: "return new ArrayBuffer(Math.floor(bytes));",
    to: "return null;",
    neededBefore: kCollectsByItself,
  },
  {
    name: "Keepers do not hold their epoch's ballast",
    property: "ballast lives as long as its epoch's tensors and no longer",
    file: "allocator/dist/src/lifetime/lifetime-net.js",
    from: "keeper.ballast = ballast;",
    to: ";",
  },
  {
    name: "pooled Keepers go on holding ballast",
    property: "ballast lives as long as its epoch's tensors and no longer",
    file: "allocator/dist/src/lifetime/lifetime-net.js",
    from: "keeper.ballast = null;",
    to: ";",
  },
  {
    name: "an epoch does not end when the net falls",
    property: "ballast lives as long as its epoch's tensors and no longer",
    file: "allocator/dist/src/lifetime/lifetime-net.js",
    from: " || felt < netFigures[LOWER]",
    to: "",
  },
  {
    name: "the ballast's ratio is not heeded",
    property: "ballast can be switched off",
    file: "allocator/dist/src/lifetime/ballast.js",
    from: "    ratio = value;\n",
    to: "",
  },
  {
    name: "an ArrayBuffer without room is an error",
    property: "no room for ballast is no failure",
    file: "allocator/dist/src/lifetime/ballast.js",
    from: "    catch {\n        return null;",
    to: "    catch (error) {\n        throw error;",
  },
  {
    name: "the net keeps the values of a variant tensor",
    property: "values come back, too, even those that hold themselves",
    file: "core/dist/src/buffer/buffer.js",
    from: "object === null ? pointer : object.bytes",
    to: "pointer",
  },
  {
    name: "the ledger is not told of what came back",
    property: "the ledger says where the forgotten were made",
    file: "allocator/dist/src/lifetime/lifetime-net.js",
    from: "bufferLedger.noteReclaimed(line);",
    to: ";",
  },
  {
    name: "windows do not end with their root",
    property: "the ledger says where the forgotten were made",
    file: "allocator/dist/src/refs/buffer-ledger.js",
    from: "this.noteReclaimed(dependent);",
    to: ";",
  },
  {
    name: "an allocator's error passes through a finalizer",
    property: "an allocator that refuses what was forgotten ends no process",
    file: "allocator/dist/src/lifetime/lifetime-net.js",
    from: "        if (failures.length < kMaxFailures)",
    to: "        if (failures.length >= 0) throw error;\n        if (failures.length < kMaxFailures)",
  },
  {
    name: "what keeps books is not watched",
    property: "memory that the engine collects by itself is not watched, books are",
    file: "allocator/dist/src/allocator/tracking-allocator.js",
    from: "    memoryIsCollected() {\n        return false;",
    to: "    memoryIsCollected() {\n        return true;",
  },
  {
    name: "ArrayBuffers are watched",
    property: "memory that the engine collects by itself is not watched, books are",
    file: "allocator/dist/src/allocator/cpu-allocator.js",
    from: "return !collectStats;",
    to: "return false;",
  },
  {
    name: "the gc flag is left set",
    property: "a program's own gc flag stays as it was",
    file: "allocator/dist/src/lifetime/sweep.js",
    from: 'v8.setFlagsFromString("--no-expose-gc");',
    to: ";",
  },
  {
    name: "nothing provokes a collector that cannot be called",
    property: "in a browser a full arena is no crash, and reclaim frees it",
    file: "allocator/dist/src/arena/reclaim.js",
    from: "new ArrayBuffer(kHintBytes);",
    to: ";",
  },
  {
    name: "there is no ballast in a browser",
    property: "in a browser forgotten tensors come back between tasks",
    file: "allocator/dist/src/lifetime/ballast.js",
    from: "return new ArrayBuffer(Math.floor(bytes));",
    to: "return null;",
    neededBefore: kCollectsByItself,
  },
];
