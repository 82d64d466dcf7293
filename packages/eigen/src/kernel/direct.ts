/**
 * direct: the short way for elementwise expressions of maps that have one size and lie side by side in the linear memory (the case
 * Eigen's compiler sees through).
 *
 *     add(mul(a, b), c)        tokens   a  b  mul(0,1)  c  add(2,3)        a path in a tree of tokens
 *                                                                          at its end a kernel
 *
 * Nothing is allocated once the kernel is known: the walk leaves tokens, addresses and constants behind, the kernel gets
 * them, done. Whatever is not so simple answers false before anything is written, and goes the long way (compute.ts).
 */
import { dtypeSize } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "../expression/op-attributes.ts";
import { attributesOf } from "../expression/op-attributes.ts";
import { opNames } from "../expression/op-table.ts";
import type { OpName } from "../expression/op-table.ts";
import { linearMemory } from "../linear-memory.ts";
import { memoryOwnerOf, UNOWNED } from "../memory-owner.ts";
import type { MemoryOwner } from "../memory-owner.ts";
import { engine } from "./engine.ts";
import { kernelCache } from "./kernel-cache.ts";
import type { Kernel } from "./kernel-cache.ts";
import { noteRun } from "./kernel-events.ts";
import type { KernelSpec } from "./kernel-spec.ts";
import { writeParameters } from "./kernel-parameters.ts";
import { supportedByKernels } from "./kernel-support.ts";
import { kernelDTypes } from "./lanes.ts";
import type { ProgramNode } from "./program.ts";
import { hasScratchBlock, scratchBlock } from "./scratch.ts";

/** A map without strides, as far as this file asks. */
interface DenseMap extends ExpressionTree {
  readonly size: number;
  readonly rank: number;
  readonly array: Uint8Array<ArrayBufferLike>;
  readonly base: number;
  readonly owner: MemoryOwner;
  readonly isDense: boolean;
}

/** The most values of an expression that goes this way: more are found faster by the long way's maps. */
const kMaxValues = 24;
/** Bytes behind an operand that loads of whole groups may touch. */
const kSlack = 256;

/** A place in the tree of tokens. */
class TokenNode {
  readonly next: Map<number, TokenNode> = new Map();
  /** What runs here: undefined as long as nobody has asked, null when it cannot be. */
  entry: DirectKernel | null | undefined = undefined;
}

/** A kernel with the words of its argument block. */
interface DirectKernel {
  readonly kernel: Kernel;
  /** Where the addresses go: of the target, then of the operands. */
  readonly words: readonly number[];
}

/** Places in the tree of tokens after which it is begun anew: it would keep kernels that nobody uses any more. */
const kMaxTokens = 4096;

let root = new TokenNode();
let numTokens = 0;
const opNumbers: ReadonlyMap<string, number> = new Map(
  [...opNames("unary"), ...opNames("binary"), ...opNames("ternary")].map((op, i) => [op, i]),
);
const dtypeNumbers: ReadonlyMap<DType, number> = new Map(kernelDTypes.map((dtype, i) => [dtype, i]));

// The walk's results. They are this module's, so that a walk allocates nothing; nothing else runs between it and the kernel.
const values: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kMaxValues).fill(null);
const addresses: Float64Array = new Float64Array(kMaxValues);
let numValues = 0;
let numOperands = 0;
const constants: { dtype: DType; value: unknown }[] = [];
let numConstants = 0;
let at: TokenNode = root;
let size = 0;
let buffer: ArrayBufferLike | null = null;
let targetStart = 0;
let targetEnd = 0;
let memoryEnd = 0;

/** On in the tree of tokens. */
function take(token: number): void {
  let next = at.next.get(token);
  if (next === undefined) {
    next = new TokenNode();
    at.next.set(token, next);
    numTokens++;
  }
  at = next;
}

/** The number of a node's value, -1 if it does not go this way. */
function visit(node: ExpressionTree): number {
  for (let v = 0; v < numValues; v++) if (values[v] === node) return v;
  if (numValues === kMaxValues) return -1;
  const dtype = dtypeNumbers.get(node.dtype);
  if (dtype === undefined) return -1;
  const { op, inputs } = node;
  if (op === "map") {
    if (!visitMap(node as DenseMap, dtype)) return -1;
    take(dtype);
  } else if (op === "constant") {
    const { value } = attributesOf(node, "constant");
    const known = value !== value ? 3 : value === 0 ? 2 : 1;
    const constant = constants[numConstants];
    if (constant === undefined) constants.push({ dtype: node.dtype, value });
    else {
      constant.dtype = node.dtype;
      constant.value = value;
    }
    numConstants++;
    take(known * 16 + dtype);
  } else {
    const number = opNumbers.get(op);
    if (number === undefined) return -1;
    const a = inputs.length > 0 ? visit(inputs[0]!) : -1;
    if (a < 0) return -1;
    const b = inputs.length > 1 ? visit(inputs[1]!) : 0;
    if (b < 0) return -1;
    const c = inputs.length > 2 ? visit(inputs[2]!) : 0;
    if (c < 0 || inputs.length > 3) return -1;
    if (sizeOf(node) !== size && !allConstant(node)) return -1;
    const saturate = op === "cast" && attributesOf(node, "cast").saturate ? 1 : 0;
    // op 7 bits, saturate 1, dtype 4, three values of 5 bits, above the tokens of leaves: a small integer.
    take(64 + (((((number * 2 + saturate) * 16 + dtype) * 32 + a) * 32 + b) * 32 + c));
  }
  values[numValues] = node;
  return numValues++;
}

const sizeOf = (node: ExpressionTree): number => (node as ExpressionTree & { readonly size: number }).size;

/** Whether an operation has constants only: then its own size does not matter. */
function allConstant({ inputs }: ExpressionTree): boolean {
  for (const input of inputs) if (input.op !== "constant" && !(input.inputs.length > 0 && allConstant(input))) return false;
  return inputs.length > 0;
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

/** Per dtype the array that was last seen to lie in the linear memory, and where it begins: maps of an arena share one. */
const seenArrays: (object | null)[] = kernelDTypes.map(() => null);
const seenOffsets: number[] = kernelDTypes.map(() => 0);
const bytesOf: readonly number[] = kernelDTypes.map((dtype) => dtypeSize(dtype));

/** Where a map's elements begin in the linear memory; -1 if they are not there, do not lie side by side or are gone. */
function startOf(map: DenseMap, dtype: number): number {
  if (!map.isDense || map.owner.refs === 0) return -1;
  const { array } = map;
  if (array !== seenArrays[dtype]) {
    if (array.buffer !== buffer) return -1;
    // An array that is tied to an owner would keep that alive.
    if (memoryOwnerOf(array) !== UNOWNED) return array.byteOffset + map.base * (bytesOf[dtype] as number);
    seenArrays[dtype] = array;
    seenOffsets[dtype] = array.byteOffset;
  }
  return (seenOffsets[dtype] as number) + map.base * (bytesOf[dtype] as number);
}

/** Takes a map's address, if it has the right size, lies where kernels reach and does not cross the target. */
function visitMap(map: DenseMap, dtype: number): boolean {
  if (map.size !== size) return false;
  const start = startOf(map, dtype);
  if (start < 0) return false;
  const end = start + size * (bytesOf[dtype] as number);
  if (end + kSlack > memoryEnd) return false;
  if (start < targetEnd && end > targetStart && (start !== targetStart || end !== targetEnd)) return false;
  addresses[numOperands++] = start;
  return true;
}

/** Assigns an expression of the target's dtype; false, and nothing done, if that takes the long way. */
export function assignDirectly(target: ExpressionTree, tree: ExpressionTree): boolean {
  if (tree.dtype !== target.dtype || !opNumbers.has(tree.op) || !linearMemory().isConstructed) return false;
  const map = target as DenseMap;
  ({ size } = map);
  ({ buffer } = linearMemory());
  if (size === 0 || sizeOf(tree) !== size || !fits(tree.dimensions, map)) return false;
  const dtype = dtypeNumbers.get(map.dtype);
  if (dtype === undefined) return false;
  targetStart = startOf(map, dtype);
  if (targetStart < 0) return false;
  targetEnd = targetStart + size * (bytesOf[dtype] as number);
  memoryEnd = buffer.byteLength;
  numValues = 0;
  numOperands = 0;
  numConstants = 0;
  if (numTokens > kMaxTokens) {
    root = new TokenNode();
    numTokens = 0;
  }
  at = root;
  const result = visit(tree);
  let entry = result < 0 ? null : at.entry;
  if (entry === undefined) {
    entry = makeEntry(target.dtype);
    at.entry = entry;
  }
  // The list must not keep an expression alive, and with it memory.
  for (let v = 0; v < numValues; v++) values[v] = null;
  // Whoever comes first makes the block on the long way, which knows what to do when there is no room for it.
  return entry !== null && hasScratchBlock() && run(entry);
}

function run({ kernel, words: at }: DirectKernel): boolean {
  const { address, words, view } = scratchBlock();
  words[0] = size;
  words[at[0]!] = targetStart;
  words[at[0]! + 1] = kernel.targetBytes;
  for (let k = 0; k < numOperands; k++) words[at[k + 1]!] = addresses[k]!;
  if (numConstants > 0) writeParameters(view, kernel.layout.parameters, constants, numConstants);
  noteRun();
  return kernel.run(address) === 0;
}

/** The kernel for what the walk has found; null if there is none. */
function makeEntry(targetDType: DType): DirectKernel | null {
  if (!engine().simd) return null;
  const nodes: ProgramNode[] = [];
  let operands = 0;
  const parameters: KernelSpec["parameters"][number][] = [];
  for (let v = 0; v < numValues; v++) {
    const node = values[v]!;
    if (!supportedByKernels(node)) return null;
    const { op, dtype, inputs } = node;
    const shared = { op: op as OpName, dtype, saturate: op === "cast" && attributesOf(node, "cast").saturate, pass: 0 };
    if (op === "map") nodes.push({ ...shared, kind: "load", inputs: [], index: operands++ });
    else if (op === "constant") {
      const { value } = attributesOf(node, "constant");
      nodes.push({ ...shared, kind: "parameter", inputs: [], index: parameters.length });
      parameters.push(value !== value ? "nan" : value === 0 ? "zero" : "other");
    } else nodes.push({ ...shared, kind: "op", inputs: inputs.map((input) => values.indexOf(input)), index: 0 });
  }
  if (operands === 0) return null;
  const spec: KernelSpec = {
    form: "map",
    nodes,
    result: nodes.length - 1,
    also: [],
    targetDType,
    target: "contiguous",
    classes: new Array<"contiguous">(operands).fill("contiguous"),
    varies: new Array<boolean>(operands).fill(true),
    outerLoops: 0,
    rowLoops: 1,
    storesRows: false,
    parameters,
  };
  const kernel = kernelCache().get(spec);
  if (kernel === null) return null;
  return { kernel, words: kernel.layout.accesses.map((offset) => offset / 4) };
}
