/**
 * direct: the short way for elementwise expressions of maps that have one size and lie side by side (the case Eigen's compiler sees
 * through). What lies outside of the linear memory is copied into it and out again (staging.ts).
 *
 *     add(mul(a, b), c)        plan      the one of the last expression like this, if this one is (direct-kernel.ts)
 *                              walk      else a token for each value: a  b  mul(0,1)  c  add(2,3)
 *                              kernel    at the end of the tokens' path (token-tree.ts)
 *
 * Nothing is allocated once the kernel is known. Whatever is not so simple answers false before anything is written, and goes the
 * long way (compute.ts). A small operation is worth less time than one look-up in a map or one call that the engine cannot foresee:
 * hence the codes of nodes (node-code.ts), and hence results of a walk in variables of this module. Nothing else runs between the
 * walk and the kernel.
 */
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
import { bytesOf, startOf } from "./map-address.ts";
import type { DenseMap } from "./map-address.ts";
import type { ProgramNode } from "../plan/program.ts";
import { RoundedValues } from "../plan/rounded-values.ts";
import { scratchBlockIfAny } from "../plan/scratch.ts";
import type { ScratchBlock } from "../plan/scratch.ts";
import { copyIn, copyOut, endStaging, reach, roomFor } from "./staging.ts";
import { firstPlace } from "./kernel-trie.ts";
import type { TokenPlace } from "./kernel-trie.ts";

/** The most values of an expression that goes this way: more are found faster by the long way's maps. */
const kMaxValues = 24;
/** Places for kernels that ran last, by the code and the depth of the last operation. */
const kRecent = 1024;

const memory = linearMemory();
const recent: (DirectKernel | null)[] = new Array<DirectKernel | null>(kRecent).fill(null);

let at: TokenPlace = firstPlace();
let size = 0;
let numValues = 0;
// Operands: where they begin, their codes, and their numbers as values. Two maps of the same elements are one operand.
let numOperands = 0;
const addresses: Float64Array = new Float64Array(kMaxValues);
const operandCodes: Int32Array = new Int32Array(kMaxValues);
const operandValues: Int32Array = new Int32Array(kMaxValues);
// Operations but the last, which may be operands of several others, and their numbers as values.
let numOperations = 0;
const operations: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kMaxValues).fill(null);
const operationValues: Int32Array = new Int32Array(kMaxValues);
let numConstants = 0;
const constants: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kMaxValues).fill(null);
let isShared = false;
/** While a kernel is made: the values with the numbers of their operands. */
let recorded: { readonly node: ExpressionTree; readonly inputs: readonly number[] }[] | null = null;
const noInputs: readonly number[] = [];

/** The number of a new value. */
function enter(node: ExpressionTree, token: number, inputs: readonly number[]): number {
  at = at.after(token);
  recorded?.push({ node, inputs });
  return numValues++;
}

/** The number of a node's value, -1 if it does not go this way. */
function visit(node: CodedTree): number {
  const code = node[kCode];
  // Of a node of another copy of this package the code is undefined.
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
  const { inputs } = node;
  const count = inputs.length;
  const a = visit(inputs[0]!);
  if (a < 0) return -1;
  const b = count > 1 ? visit(inputs[1]!) : 0;
  if (b < 0) return -1;
  const c = count > 2 ? visit(inputs[2]!) : 0;
  if (c < 0 || numValues === kMaxValues) return -1;
  // Above the tokens of leaves, and a small integer: the code has 12 bits, the operands' numbers 5 each.
  return enter(node, ((code * 32 + a) * 32 + b) * 32 + c, recorded === null ? noInputs : [a, b, c].slice(0, count));
}

/**
 * Takes a map's address, if it has the target's number of elements and lies where kernels reach. When all maps have that many, so have
 * all operations: they grow from the operands to the result.
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

/** Whether sizes with as many elements as a map are the map's, but for leading ones. */
function fits(sizes: readonly number[], map: DenseMap): boolean {
  if (sizes.length === 1 && map.rank === 1) return true;
  const dims = map.dimensions;
  const added = dims.length - sizes.length;
  if (added < 0) return false;
  for (let d = 0; d < sizes.length; d++) if (sizes[d] !== dims[added + d]) return false;
  return true;
}

/**
 * Whether a value is an elementwise operation that may be computed by `assignFresh`. Then it is an expression of this copy of the package, of a
 * dtype that computes, and nothing of it needs a check. Takes anything; throws nothing.
 *
 * @example
 * const map = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * [map.add(1), map, map.sum(), 3, null].map(mayGoDirectly); // => [true, false, false, false, false]
 */
export function mayGoDirectly(value: unknown): value is ExpressionTree {
  return typeof value === "object" && value !== null && (value as CodedTree)[kCode] >= kOperationCodes;
}

/** Assigns an expression to a map; false, and nothing done, if that takes the long way. */
export function assignDirectly(target: ExpressionTree, expression: ExpressionTree): boolean {
  const code = (target as CodedTree)[kCode];
  const tree = expression as CodedTree;
  const treeCode = tree[kCode];
  if (!(code >= 0 && code < kConstantCodes && treeCode >= kOperationCodes) || (treeCode & kDTypeBits) !== code) return false;
  if (!memory.isConstructed) return false;
  const map = target as DenseMap;
  const { dimensions } = tree;
  let count = 1;
  for (let d = 0; d < dimensions.length; d++) count *= dimensions[d]!;
  if (count !== map.size || !fits(dimensions, map)) return false;
  const start = startOf(map, code);
  return start >= 0 ? compute(tree, treeCode, start, count) : assignAside(map, code, tree, count);
}

/** The same for a map outside of the linear memory: the result is complete before it is written there. */
function assignAside(map: DenseMap, code: number, tree: CodedTree, count: number): boolean {
  if (map.owner.refs === 0) return false;
  const aside = roomFor(map, code);
  if (aside < 0 || !compute(tree, tree[kCode], aside, count)) return false;
  copyOut(map, code, aside);
  return true;
}

/**
 * Computes an expression into `numElements` elements of its dtype at `byteOffset` of `bytes`, as many as it has, which were allocated
 * for it just now. False, with nothing done or elements that are to be written again, if that takes a map and its `assign`: for
 * instance when the bytes do not lie in the linear memory. Nothing is checked, thrown or copied.
 *
 * @example
 * const a = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * assignFresh(a.add(a), new ArrayBuffer(8), 0, 2); // => false
 */
export function assignFresh(expression: ExpressionTree, bytes: ArrayBufferLike | null, byteOffset: number, numElements: number): boolean {
  if (!mayGoDirectly(expression) || !memory.isConstructed || bytes !== memory.buffer) return false;
  const tree = expression as CodedTree;
  return compute(tree, tree[kCode], byteOffset, numElements);
}

/** Computes an expression of `count` elements. */
function compute(tree: CodedTree, code: number, start: number, count: number): boolean {
  // Whoever comes first makes the block on the long way, which knows what to do when there is no room for it.
  const block = scratchBlockIfAny();
  const kernel = block === null || count === 0 || tree.depth > kMaxValues ? null : boundKernel(tree, code, count, block);
  if (kernel !== null) copyIn(count);
  const isDone = kernel !== null && runDirectly(kernel, block!, start, count);
  endStaging();
  return isDone;
}

/** The kernel of an expression, bound to its operands: the last one of such expressions, or that at the end of a walk. */
function boundKernel(tree: CodedTree, code: number, count: number, block: ScratchBlock): DirectKernel | null {
  const place = (code + tree.depth * 131) & (kRecent - 1);
  const known = recent[place]!;
  if (known !== null && isReady(known) && bind(known.plan!, tree, count, block)) return known;
  const kernel = kernelOf(tree, code, count, block);
  if (kernel !== null && kernel.plan !== null) recent[place] = kernel;
  return kernel;
}

/** The kernel of an expression, whose addresses and constants are then in the argument block; null if there is none. */
function kernelOf(tree: CodedTree, code: number, count: number, block: ScratchBlock): DirectKernel | null {
  size = count;
  const kernel = walk(tree, code) ? (at.entry === undefined || at.entry?.kernel.run === null ? makeEntry(tree, code) : at.entry) : null;
  if (kernel !== null) {
    for (let k = 0; k < numOperands; k++) block.words[kernel.words[k + 1]!] = addresses[k]!;
    const { parameters } = kernel.kernel.layout;
    for (let k = 0; k < numConstants; k++) {
      const node = constants[k]!;
      writeParameter(block.view, parameters + 8 * k, node.dtype, attributesOf(node, "constant").value);
    }
  }
  // The lists must not keep an expression alive, and with it memory.
  for (let k = 0; k < numOperations; k++) operations[k] = null;
  for (let k = 0; k < numConstants; k++) constants[k] = null;
  return kernel;
}

function walk(tree: CodedTree, code: number): boolean {
  numValues = 0;
  numOperands = 0;
  numOperations = 0;
  numConstants = 0;
  isShared = false;
  at = firstPlace();
  return visitOperation(tree, code) >= 0;
}

/** The kernel for an expression at the end of a walk over it, which is made once more to write it down; null if there is none. */
function makeEntry(tree: CodedTree, code: number): DirectKernel | null {
  const values: NonNullable<typeof recorded> = [];
  recorded = values;
  walk(tree, code);
  recorded = null;
  const entry = engine().simd ? kernelFor(values, tree) : null;
  at.keep(entry);
  return entry;
}

function kernelFor(values: NonNullable<typeof recorded>, tree: CodedTree): DirectKernel | null {
  const nodes: ProgramNode[] = [];
  const itemBytes = [bytesOf[tree[kCode] & kDTypeBits]!];
  const parameters: KernelSpec["parameters"][number][] = [];
  const rounded = new RoundedValues(nodes);
  // The numbers of values as nodes: roundings before casts are nodes of their own.
  const numbers: number[] = [];
  for (const { node, inputs: operands } of values) {
    if (!supportedByKernels(node)) return null;
    const { op, dtype } = node;
    const inputs = operands.map((value) => numbers[value]!);
    const saturate = op === "cast" && attributesOf(node, "cast").saturate;
    if (op === "map") {
      nodes.push({ kind: "load", op, dtype, inputs, index: itemBytes.length - 1, saturate, pass: 0 });
      itemBytes.push(bytesOf[(node as CodedTree)[kCode]]!);
    } else if (op === "constant") {
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
  const spec: KernelSpec = {
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
  };
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

/** The plan of an expression that was walked over just now. */
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
