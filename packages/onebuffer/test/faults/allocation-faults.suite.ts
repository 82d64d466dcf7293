// Each allocation of each operation fails, alone and with all later ones: the operation succeeds without that memory, or throws
// RESOURCE_EXHAUSTED; then its target is as before, and no buffer and no byte is left behind. `npm test` has a sample of the points.
import { expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { defaultAllocator, liveBuffers } from "@onebuffer/allocator";
import * as core from "@onebuffer/core";
import { Tensor } from "@onebuffer/core";
import * as eigen from "@onebuffer/eigen";
import { buildTree } from "@onebuffer/eigen/test/random-trees/build-tree";
import { growTree } from "@onebuffer/eigen/test/random-trees/grow-tree";
import * as gradients from "@onebuffer/gradients";
import * as linalg from "@onebuffer/linalg";
import * as signal from "@onebuffer/signal";
import * as face from "../../src/index.js";
import { isLong, sampled } from "@onebuffer/test-support";
import { detachScratch, scratchMark } from "@onebuffer/kernels/internal";
import { whileFailing } from "./failing-memory.ts";
import type { Failing } from "./failing-memory.ts";
import { derivedOperations } from "./derived-operations.ts";
import { operations as listed } from "./operations.ts";
import type { Inputs, Operation } from "./operations.ts";

const operations: Readonly<Record<string, Operation>> = { ...listed, ...derivedOperations };

/** More allocations than any operation here makes. */
const kMostAllocations = 400;

/** The points at which an operation with so many allocations is made to fail: all of them, or the first, the last and one between. */
function pointsOf(allocations: number): Failing[] {
  const all = Array.from({ length: Math.min(allocations, kMostAllocations) }, (_, at) => at);
  const chosen = isLong ? all : all.filter((at) => at === 0 || at === all.length - 1 || at === all.length >> 1);
  return chosen.flatMap((at) => (isLong ? [false, true] : [at % 2 === 0]).map((andLater) => ({ at, andLater })));
}

/** Calls an operation and disposes its results. */
async function call(operation: Operation, inputs: Inputs): Promise<void> {
  const result = await operation(inputs);
  for (const each of Array.isArray(result) ? (result as unknown[]) : [result]) {
    const handle = each as { dispose?: () => void } | null | undefined;
    if (typeof handle?.dispose === "function") handle.dispose();
  }
}

const bytesInUse = (): number => defaultAllocator().getStats()?.bytesInUse ?? 0;

/** What may not change: the operands, and the target of an operation that throws. */
const shown = ({ matrix, square, words }: Inputs): unknown => [matrix.toArray(), square.toArray(), words.toArray()];

/** Returns what is wrong after an operation that was called while an allocation failed; null if nothing. */
async function faultOf(operation: Operation, inputs: Inputs, failing: Failing): Promise<string | null> {
  const { target } = inputs;
  target.matrix().assign(target.matrix().mul(0).add(7));
  // So that scratch memory is asked for again.
  detachScratch()();
  const [before, buffers, mark] = [JSON.stringify(shown(inputs)), liveBuffers(), JSON.stringify(scratchMark())];
  const { thrown } = await whileFailing(failing, () => call(operation, inputs));
  if (thrown !== null && !isStatusError(thrown, "RESOURCE_EXHAUSTED")) return `throws ${String((thrown as Error)?.stack ?? thrown)}`;
  if (thrown !== null && target.flat().data.some((element) => element !== 7)) return "threw after it had written to the target";
  if (JSON.stringify(shown(inputs)) !== before) return "changed an operand";
  if (liveBuffers() !== buffers) return `left ${liveBuffers() - buffers} buffers`;
  return JSON.stringify(scratchMark()) === mark ? null : "left scratch memory taken";
}

/** Returns the bytes in use but for the stack of scratch memory: how large it is made depends on what had no room in an earlier one. */
function bytesKept(): number {
  detachScratch()();
  return bytesInUse();
}

/** Calls an operation once for each of its points. Returns what is wrong, and the number of points. */
async function faultsOf(operation: Operation, inputs: Inputs): Promise<{ faults: string[]; points: number }> {
  // What a first call keeps for later ones is kept now.
  await faultOf(operation, inputs, { at: Infinity, andLater: false });
  detachScratch()();
  const { asked, thrown } = await whileFailing(null, () => call(operation, inputs));
  if (thrown !== null) throw thrown;
  const used = bytesKept();
  const points = pointsOf(asked);
  const faults: string[] = [];
  for (const failing of points) {
    const fault = await faultOf(operation, inputs, failing);
    if (fault !== null) faults.push(`${JSON.stringify(failing)}: ${fault}`);
  }
  detachScratch()();
  await call(operation, inputs);
  const left = bytesKept() - used;
  if (left > 0) faults.push(`${left} bytes are still in use`);
  return { faults, points: points.length };
}

/** How many of the operations `npm test` calls. */
const kSampled = 8;

test.each(sampled(Object.keys(operations), kSampled))("%s without the memory of any one allocation", async (name) => {
  using matrix = Tensor.from([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  using square = Tensor.from(
    [
      [4, 1, 2],
      [1, 5, 3],
      [2, 3, 7],
    ],
    { dtype: "float64" },
  );
  using words = Tensor.from(["one", "two", "three"]);
  using target = Tensor.zeros([3, 3], { dtype: "float64" });
  const { faults } = await faultsOf(operations[name]!, { matrix, square, words, target });
  expect(faults).toEqual([]);
});

/** Functions of the face, eigen, linalg, signal, gradients and core that no fault is injected into, by the reason. */
const kLeftOut: Readonly<Record<string, readonly string[]>> = {
  "they ask, tell, or describe": [
    ...["bytesCopied", "dtypeSize", "isDType", "isStatusError", "liveBuffers", "numpyText", "opNames", "treeOf", "fftPlanCounts"],
    ...[
      "getVariantMetadata",
      "hasUnaryVariantDecodeFunction",
      "variantTensorDataDebugString",
      "makeShape",
      "stopGradient",
      "customGradient",
    ],
  ],
  "they only make an expression or a map: the operations of the op table evaluate them": [
    ...["concatenate", "constant", "iota", "select", "statelessNormal", "statelessUniform", "inverseStftWindow"],
    ...["tensorMap", "constStridedMap", "stridedMap", "stridedMapFromLayout"],
  ],
  "they change the whole thread or process": [
    ...["configureMemory", "ready", "reclaim", "warmUp", "registerUnaryVariantDecodeFunction", "scope", "holdMemory"],
  ],
  "they hand tensors to other threads: packages/core/test/threads": [
    ...["arenaInvitation", "joinArena", "receiveTensor", "revokeHandle", "shareTensor", "transferTensor", "servePoolWorker"],
  ],
  "they make messages of ordinary JavaScript memory": [
    ...["compressTensorProtoInPlace", "createTensorProto", "decodeUnaryVariant", "disposeVariantTensorData", "encodeVariant"],
    ...["newVariantTensorData", "setVariantMetadata", "variantTensorDataFromProto", "variantTensorDataToProto"],
  ],
};

const isClass = (value: unknown): boolean => /^class\b/.test(Function.prototype.toString.call(value));

test("every function of the packages has an operation here, or a reason to have none", () => {
  const packages: readonly object[] = [face, core, eigen, gradients, linalg, signal];
  const functions = new Set(
    packages.flatMap((each) =>
      Object.entries(each).flatMap(([name, value]) => (typeof value === "function" && !isClass(value) ? [name] : [])),
    ),
  );
  const programs = Object.values(operations).map(String).join("\n");
  const isCalled = (name: string): boolean => Object.hasOwn(operations, name) || new RegExp(`\\b${name}\\(`).test(programs);
  const excused = new Set(Object.values(kLeftOut).flat());
  expect([...functions].filter((name) => !isCalled(name) && !excused.has(name))).toEqual([]);
  expect([...excused].filter((name) => !functions.has(name) || isCalled(name))).toEqual([]);
});

/** Enough for every operation of the op table in `npm run long`. */
const kTrees = isLong ? 2000 : 4;
const kSeed = 31;

test("random trees without the memory of any one allocation", async () => {
  const faults: string[] = [];
  for (let index = 0; index < kTrees; index++) {
    const built = buildTree(growTree(kSeed, index));
    const { target, root } = built;
    const assign = (): void => void target.assign(root);
    detachScratch()();
    const { asked, thrown } = await whileFailing(null, assign);
    if (thrown !== null) continue;
    for (const failing of pointsOf(asked)) {
      built.restore();
      detachScratch()();
      const [before, mark] = [String([...target]), String(scratchMark())];
      const result = await whileFailing(failing, assign);
      if (result.thrown !== null && !isStatusError(result.thrown, "RESOURCE_EXHAUSTED"))
        faults.push(`tree ${index}: throws ${String(result.thrown)}`);
      if (result.thrown !== null && String([...target]) !== before) faults.push(`tree ${index}: threw after it had written to the target`);
      if (!built.isApart() || String(scratchMark()) !== mark) faults.push(`tree ${index}: left something behind`);
    }
    built.restore();
  }
  expect(faults).toEqual([]);
});
