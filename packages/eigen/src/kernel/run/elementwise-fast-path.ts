/**
 * elementwise-fast-path: assigns elementwise expressions of maps that all have the target's size and have no strides
 * (the case that Eigen's compiler turns into one plain loop). Maps outside the linear memory are copied in and out
 * (staging.ts).
 *
 *     add(mul(a, b), c)        recent    the kernel that last ran for such a root, if its plan matches (elementwise-kernel.ts)
 *                              walk      otherwise a number for each value: a  b  mul(0,1)  c  add(2,3)
 *                              kernel    found by these numbers (plan-store.ts)
 *
 * Nothing is allocated once the kernel is known. For every other expression the fast path returns false before the
 * target is written, and the general path computes it (dispatch.ts). It also returns false after a kernel has reported
 * an element that may be invalid; then the general path writes the target again. A small operation takes less time than one
 * look-up in a Map or one call that the engine cannot inline. Therefore nodes carry small integer codes
 * (expression/tree/node-code.ts), and the results of a walk are variables of this module. No other code runs between
 * the walk and the kernel.
 */
import { isConstant, isMap } from "../../expression/tree/node-kinds.ts";
import { constantKind, kCode, kConstantCodes, kDTypeBits, kOperationCodes } from "../../expression/tree/node-code.ts";
import type { CodedTree } from "../../expression/tree/node-code.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import { linearMemory } from "@onebuffer/wasm";
import { bind, isReady, runDirectly } from "./elementwise-kernel.ts";
import type { DirectKernel, NodePlan } from "./elementwise-kernel.ts";
import { engine } from "@onebuffer/wasm/internal";
import { kernelCache } from "./kernel-cache.ts";
import { writeParameter } from "./kernel-parameters.ts";
import type { KernelSpec } from "../plan/kernel-spec.ts";
import { mayNeedRecheck, supportedByKernels } from "../plan/kernel-support.ts";
import { bytesOf, startOf } from "../plan/map-address.ts";
import type { DenseMap } from "../plan/map-address.ts";
import { withOrderedBits } from "../form/ordered-bits.ts";
import type { ProgramNode } from "../plan/program.ts";
import { RoundedValues } from "../plan/rounded-values.ts";
import { scratchBlockIfRoom } from "../plan/scratch.ts";
import type { ScratchBlock } from "../plan/scratch.ts";
import { workSplitter } from "../split/work-splitter.ts";
import { copyIn, copyOut, endStaging, reach, roomFor } from "./staging.ts";
import { beginNumbers, encode } from "../plan/plan-numbers.ts";
import { currentKey, storedPlan, storePlan } from "./plan-store.ts";

/** The most values of an expression on this path. The general path finds larger expressions faster, because it hashes. */
const kMaxValues = 24;
/** The first number of a description on this path; those of other expressions begin with the number of a dtype. */
const kDirect = -1;
/** The number of slots for recently run kernels, indexed by the code and the depth of the root operation. */
const kRecent = 1024;

const memory = linearMemory();
const recent: (DirectKernel | null)[] = new Array<DirectKernel | null>(kRecent).fill(null);

let size = 0;
let numValues = 0;
// Operands: their addresses, their codes, and their value numbers. Two maps of the same elements are one operand.
let numOperands = 0;
const addresses: Float64Array = new Float64Array(kMaxValues);
const operandCodes: Int32Array = new Int32Array(kMaxValues);
const operandValues: Int32Array = new Int32Array(kMaxValues);
// Operations other than the root, which several others may use, and their value numbers.
let numOperations = 0;
const operations: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kMaxValues).fill(null);
const operationValues: Int32Array = new Int32Array(kMaxValues);
let numConstants = 0;
const constants: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kMaxValues).fill(null);
let isShared = false;
/** While a kernel is being made: the values, each with the value numbers of its operands. Otherwise null. */
let recorded: { readonly node: ExpressionTree; readonly inputs: readonly number[] }[] | null = null;
const noInputs: readonly number[] = [];

/**
 * Assigns an expression to a map. Returns false if the general path has to compute it; the target is then unchanged, or
 * holds elements that are to be written again.
 */
export function assignDirectly(target: ExpressionTree, expression: ExpressionTree): boolean {
  const code = (target as CodedTree)[kCode];
  const tree = expression as CodedTree;
  const treeCode = tree[kCode];
  if (!(code >= 0 && code < kConstantCodes && treeCode >= kOperationCodes) || (treeCode & kDTypeBits) !== code) return false;
  if (!memory.isConstructed) return false;
  const map = target as DenseMap;
  const dimensions = tree.rawDimensions!;
  let count = 1;
  for (let d = 0; d < dimensions.length; d++) count *= dimensions[d]!;
  if (count !== map.size || !matchesSizes(dimensions, map)) return false;
  const start = startOf(map, code);
  return start >= 0 ? compute(tree, treeCode, start, count) : assignOutside(map, code, tree, count);
}

/** Assigns to a map outside the linear memory: the complete result is computed in the staging region and then copied out. */
function assignOutside(map: DenseMap, code: number, tree: CodedTree, count: number): boolean {
  if (map.owner.refs === 0) return false;
  const address = roomFor(map, code);
  if (address < 0 || !compute(tree, tree[kCode], address, count)) return false;
  copyOut(map, code, address);
  return true;
}

/**
 * Computes an expression that `mayGoDirectly` accepts into as many elements of its dtype at an address of the linear memory. Returns false
 * if the general path has to; the elements are then undefined until they are assigned.
 */
export function computeDirectly(expression: ExpressionTree, start: number, numElements: number): boolean {
  const tree = expression as CodedTree;
  return compute(tree, tree[kCode], start, numElements);
}

/** Computes an expression of `count` elements to address `start`. Returns false if the general path has to. */
function compute(tree: CodedTree, code: number, start: number, count: number): boolean {
  // The general path handles the case that there is no room for the block.
  const block = scratchBlockIfRoom();
  const kernel = block === null || count === 0 || tree.depth > kMaxValues ? null : boundKernel(tree, code, count, block);
  const splitter = workSplitter();
  // Only the general path divides work over threads.
  const isHere = kernel !== null && (splitter === null || !splitter.divides(kernel.kernel, kernel.kernel.nanoseconds * count));
  if (isHere) copyIn(count);
  const isDone = isHere && runDirectly(kernel, block!, start, count);
  if (isDone) splitter?.ranWhole();
  endStaging();
  return isDone;
}

/** Returns the kernel of an expression, bound to its operands: the one that last ran for such expressions, or the one that a walk finds. */
function boundKernel(tree: CodedTree, code: number, count: number, block: ScratchBlock): DirectKernel | null {
  const place = (code + tree.depth * 131) & (kRecent - 1);
  const known = recent[place]!;
  if (known !== null && isReady(known) && bind(known.plan!, tree, count, block)) return known;
  const kernel = kernelOf(tree, code, count, block);
  if (kernel !== null && kernel.plan !== null) recent[place] = kernel;
  return kernel;
}

/**
 * Walks an expression and returns its kernel, with the addresses and constants in the argument block. Returns null if
 * there is no kernel.
 */
function kernelOf(tree: CodedTree, code: number, count: number, block: ScratchBlock): DirectKernel | null {
  size = count;
  const kernel = walk(tree, code) ? storedKernel(tree, code) : null;
  if (kernel !== null) {
    for (let k = 0; k < numOperands; k++) block.words[kernel.words[k + 1]!] = addresses[k]!;
    const { parameters } = kernel.kernel.layout;
    for (let k = 0; k < numConstants; k++) {
      const node = constants[k]!;
      writeParameter(block.view, parameters + 8 * k, node.dtype, attributesOf(node, "constant").value);
    }
  }
  // The lists must not keep an expression, and with it memory, alive.
  for (let k = 0; k < numOperations; k++) operations[k] = null;
  for (let k = 0; k < numConstants; k++) constants[k] = null;
  return kernel;
}

/** Returns the kernel for the numbers of the last walk, and makes it if there is none or it was evicted. */
function storedKernel(tree: CodedTree, code: number): DirectKernel | null {
  const stored = storedPlan();
  return stored === undefined || (stored.direct !== null && !isReady(stored.direct)) ? makeKernel(tree, code) : stored.direct;
}

/** Walks an expression and describes it by numbers. Returns false if it is not for the fast path. */
function walk(tree: CodedTree, code: number): boolean {
  numValues = 0;
  numOperands = 0;
  numOperations = 0;
  numConstants = 0;
  isShared = false;
  beginNumbers();
  encode(kDirect);
  return visitOperation(tree, code) >= 0;
}

/** Returns the number of a node's value, or -1 if the node is not for the fast path. */
function visit(node: CodedTree): number {
  const code = node[kCode];
  // A node of another copy of this package has no code: it is undefined.
  if (!(code >= 0) || numValues === kMaxValues) return -1;
  if (code < kConstantCodes) return visitMap(node as DenseMap, code);
  if (code < kOperationCodes) {
    constants[numConstants++] = node;
    return enter(node, code, noInputs);
  }
  for (let k = 0; k < numOperations; k++) {
    if (operations[k] !== node) continue;
    isShared = true;
    return operationValues[k]!;
  }
  const value = visitOperation(node, code);
  operationValues[numOperations] = value;
  operations[numOperations++] = node;
  return value;
}

function visitOperation(node: CodedTree, code: number): number {
  const inputs = node.rawInputs!;
  const count = inputs.length;
  const a = visit(inputs[0]!);
  if (a < 0) return -1;
  const b = count > 1 ? visit(inputs[1]!) : 0;
  if (b < 0) return -1;
  const c = count > 2 ? visit(inputs[2]!) : 0;
  if (c < 0 || numValues === kMaxValues) return -1;
  // Larger than every leaf's token, and a small integer: 12 bits for the code, 5 for each operand's number.
  return enter(node, ((code * 32 + a) * 32 + b) * 32 + c, recorded === null ? noInputs : [a, b, c].slice(0, count));
}

/**
 * Enters a map's address if the map has as many elements as the target and kernels can reach it. Returns -1
 * otherwise. If all maps have that many elements, then all operations do: element counts only grow from the operands
 * to the result.
 */
function visitMap(map: DenseMap, code: number): number {
  if (map.size !== size) return -1;
  const start = reach(map, code);
  if (start < 0) return -1;
  for (let k = 0; k < numOperands; k++) if (addresses[k] === start && operandCodes[k] === code) return operandValues[k]!;
  addresses[numOperands] = start;
  operandCodes[numOperands] = code;
  operandValues[numOperands++] = numValues;
  return enter(map, code, noInputs);
}

/** Returns true if sizes are those of a map but for leading ones. The caller has checked that both have the same number of elements. */
function matchesSizes(sizes: readonly number[], map: DenseMap): boolean {
  if (sizes.length === 1 && map.rank === 1) return true;
  const dims = map.dimensions;
  const added = dims.length - sizes.length;
  if (added < 0) return false;
  for (let d = 0; d < sizes.length; d++) if (sizes[d] !== dims[added + d]) return false;
  return true;
}

/** Enters a new value and returns its number. */
function enter(node: ExpressionTree, token: number, inputs: readonly number[]): number {
  encode(token);
  recorded?.push({ node, inputs });
  return numValues++;
}

/**
 * Makes the kernel for the expression that was just walked, after a second walk that records its values. Returns null
 * if kernels do not support it.
 */
function makeKernel(tree: CodedTree, code: number): DirectKernel | null {
  const values: NonNullable<typeof recorded> = [];
  recorded = values;
  walk(tree, code);
  recorded = null;
  const key = currentKey();
  const kernel = engine().simd ? kernelFor(values, tree) : null;
  storePlan(key, kernel, null);
  return kernel;
}

/** Compiles the kernel of recorded values. Returns null if kernels do not support one of them, or the engine refuses. */
function kernelFor(values: NonNullable<typeof recorded>, tree: CodedTree): DirectKernel | null {
  const nodes: ProgramNode[] = [];
  const itemBytes = [bytesOf[tree[kCode] & kDTypeBits]!];
  const parameters: KernelSpec["parameters"][number][] = [];
  const rounded = new RoundedValues(nodes);
  // Per value the number of its node: the rounding before a cast is a node of its own.
  const numbers: number[] = [];
  for (const { node, inputs: operands } of values) {
    if (!supportedByKernels(node)) return null;
    const { op, dtype } = node;
    const inputs = operands.map((value) => numbers[value]!);
    const saturate = op === "cast" && attributesOf(node, "cast").saturate;
    if (isMap(node)) {
      nodes.push({ kind: "load", op, dtype, inputs, index: itemBytes.length - 1, saturate, pass: 0 });
      itemBytes.push(bytesOf[(node as CodedTree)[kCode]]!);
    } else if (isConstant(node)) {
      const { value } = attributesOf(node, "constant");
      nodes.push({ kind: "parameter", op, dtype, inputs, index: parameters.length, saturate, pass: 0 });
      parameters.push(constantKind(value));
    } else {
      const from = node.inputs[0]!.dtype;
      if (op === "cast" && from !== dtype && !rounded.has(from, inputs[0]!))
        inputs[0] = nodes.push({ kind: "op", op, dtype: from, inputs: inputs.slice(), index: 0, saturate: false, pass: 0 }) - 1;
      nodes.push({ kind: "op", op, dtype, inputs, index: 0, saturate, pass: 0 });
    }
    numbers.push(nodes.length - 1);
  }
  const operands = itemBytes.length - 1;
  if (operands === 0) return null;
  const spec = withOrderedBits({
    form: "map",
    nodes,
    result: nodes.length - 1,
    also: [],
    targetDType: tree.dtype,
    target: "contiguous",
    classes: new Array<"contiguous">(operands).fill("contiguous"),
    varies: new Array<boolean>(operands).fill(true),
    outerLoops: 0,
    rowLoops: 1,
    storesRows: false,
    parameters,
  });
  const cache = kernelCache();
  cache.makeRoom();
  const kernel = cache.get(spec);
  if (kernel === null) return null;
  const words = kernel.layout.starts;
  return {
    kernel,
    words,
    itemBytes,
    mayNeedRecheck: mayNeedRecheck(nodes),
    plan: isShared ? null : planOf(tree, words, kernel.layout.parameters),
  };
}

/** Returns the plan of the expression that was just walked. */
function planOf(tree: CodedTree, words: readonly number[], parameters: number): NodePlan {
  let nextOperand = 0;
  let nextConstant = 0;
  const plan = (node: CodedTree): NodePlan => {
    const code = node[kCode];
    const leaf = { code, at: 0, repeats: false, first: null, second: null, third: null };
    if (code >= kOperationCodes) {
      const [first, second = null, third = null] = node.inputs.map(plan);
      return { ...leaf, first: first!, second, third };
    }
    if (code >= kConstantCodes) return { ...leaf, at: parameters + 8 * nextConstant++ };
    const start = reach(node as DenseMap, code);
    const operand = addresses.findIndex((address, k) => k < numOperands && address === start && operandCodes[k] === code);
    const repeats = operand < nextOperand;
    if (!repeats) nextOperand++;
    return { ...leaf, at: words[operand + 1]!, repeats };
  };
  return plan(tree);
}
