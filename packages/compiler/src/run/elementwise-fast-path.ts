/**
 * elementwise-fast-path: assigns elementwise expressions of maps that all have the target's size and have no strides
 * (the case that Eigen's compiler turns into one plain loop). Maps outside the linear memory are copied in and out
 * (staging.ts).
 *
 *     add(mul(a, b), c)        recent    the kernel that last ran for such a root, if its plan matches (elementwise-kernel.ts)
 *                              walk      otherwise a number for each value: a  b  mul(0,1)  c  add(2,3)
 *                              kernel    found by these numbers (caches.ts)
 *
 * Nothing is allocated once the kernel is known. For every other expression the fast path returns false before the
 * target is written, and the general path computes it (dispatch.ts). It also returns false after a kernel has reported
 * an element that may be invalid; then the general path writes the target again. A small operation takes less time than one
 * look-up in a Map or one call that the engine cannot inline. Therefore nodes carry small integer codes
 * (expression/tree/node-code.ts), and the results of a walk are fields of one object. No other code runs between
 * the walk and the kernel.
 */
import {
  attributesOf,
  constantKind,
  isCast,
  isConstant,
  isMap,
  kCode,
  kConstantCodes,
  kDTypeBits,
  kOperationCodes,
} from "@onebuffer/expression/internal";
import type { CodedTree } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { linearMemory } from "@onebuffer/wasm";
import { bind, isReady, runDirectly } from "./elementwise-kernel.ts";
import type { DirectKernel, NodePlan } from "./elementwise-kernel.ts";
import { engine } from "@onebuffer/wasm/internal";
import { scratchBlockIfRoom, workSplitter } from "@onebuffer/kernels/internal";
import type { ScratchBlock } from "@onebuffer/kernels/internal";
import { kernelCache, kRecent, noteRecent, plans, recentKernels } from "./caches.ts";
import { writeParameter } from "./kernel-parameters.ts";
import type { KernelSpec } from "../plan/kernel-spec.ts";
import { mayNeedRecheck, supportedByKernels } from "../plan/kernel-support.ts";
import { bytesOf, startOf } from "../plan/map-address.ts";
import type { DenseMap } from "../plan/map-address.ts";
import { withOrderedBits } from "../form/ordered-bits.ts";
import type { ProgramNode } from "../plan/program.ts";
import { RoundedValues } from "../plan/rounded-values.ts";
import type { Staging } from "../places/staging.ts";
import type { PlanNumbers } from "../plan/plan-numbers.ts";

/** The most values of an expression on this path. The general path finds larger expressions faster, because it hashes. */
const kMaxValues = 24;
/** The first number of a description on this path; those of other expressions begin with the number of a dtype. */
const kDirect = -1;

/** A value of an expression, with the numbers of its operands' values. */
interface RecordedValue {
  readonly node: ExpressionTree;
  readonly inputs: readonly number[];
}

const memory = linearMemory();
// Local copies: engines load an imported constant anew at every use.
const recent = recentKernels;
const kMask = kRecent - 1;
const noInputs: readonly number[] = [];

/** The fast path, with what it knows of the expression that it walks. */
export class FastPath {
  readonly #numbers: PlanNumbers;
  readonly #staging: Staging;
  #size = 0;
  #numValues = 0;
  // Operands: their addresses, their codes, and their value numbers. Two maps of the same elements are one operand.
  #numOperands = 0;
  readonly #addresses: Float64Array = new Float64Array(kMaxValues);
  readonly #operandCodes: Int32Array = new Int32Array(kMaxValues);
  readonly #operandValues: Int32Array = new Int32Array(kMaxValues);
  // Operations other than the root, which several others may use, and their value numbers.
  #numOperations = 0;
  readonly #operations: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kMaxValues).fill(null);
  readonly #operationValues: Int32Array = new Int32Array(kMaxValues);
  #numConstants = 0;
  readonly #constants: (ExpressionTree | null)[] = new Array<ExpressionTree | null>(kMaxValues).fill(null);
  #isShared = false;
  /** While a kernel is being made: the values. Otherwise null. */
  #recorded: RecordedValue[] | null = null;

  constructor(numbers: PlanNumbers, staging: Staging) {
    this.#numbers = numbers;
    this.#staging = staging;
  }

  /**
   * Assigns an expression to a map. Returns false if the general path has to compute it; the target is then unchanged, or
   * holds elements that are to be written again.
   */
  assign(target: ExpressionTree, expression: ExpressionTree): boolean {
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
    return start >= 0 ? this.#run(tree, treeCode, start, count) : this.#assignOutside(map, code, tree, count);
  }

  /** Assigns to a map outside the linear memory: the complete result is computed in the staging region and then copied out. */
  #assignOutside(map: DenseMap, code: number, tree: CodedTree, count: number): boolean {
    if (map.owner.refs === 0) return false;
    const address = this.#staging.roomFor(map, code);
    if (address < 0 || !this.#run(tree, tree[kCode], address, count)) return false;
    this.#staging.copyOut(map, code, address);
    return true;
  }

  /**
   * Computes an expression that `mayGoDirectly` accepts into as many elements of its dtype at an address of the linear memory. Returns false
   * if the general path has to; the elements are then undefined until they are assigned.
   */
  compute(expression: ExpressionTree, start: number, numElements: number): boolean {
    const tree = expression as CodedTree;
    return this.#run(tree, tree[kCode], start, numElements);
  }

  /** Computes an expression of `count` elements to address `start`. Returns false if the general path has to. */
  #run(tree: CodedTree, code: number, start: number, count: number): boolean {
    // The general path handles the case that there is no room for the block.
    const block = scratchBlockIfRoom();
    const kernel = block === null || count === 0 || tree.depth > kMaxValues ? null : this.#boundKernel(tree, code, count, block);
    const splitter = workSplitter();
    // Only the general path divides work over threads.
    const isHere = kernel !== null && (splitter === null || !splitter.divides(kernel.kernel, kernel.kernel.nanoseconds * count));
    if (isHere) this.#staging.copyIn();
    const isDone = isHere && runDirectly(kernel, block!, start, count);
    if (isDone) splitter?.ranWhole();
    this.#staging.end();
    return isDone;
  }

  /** Returns the kernel of an expression, bound to its operands: the one that last ran for such expressions, or the one that a walk finds. */
  #boundKernel(tree: CodedTree, code: number, count: number, block: ScratchBlock): DirectKernel | null {
    const place = (code + tree.depth * 131) & kMask;
    const known = recent[place] ?? null;
    if (known !== null && isReady(known) && bind(known.plan!, tree, count, block, this.#staging)) return known;
    const kernel = this.#kernelOf(tree, code, count, block);
    if (kernel !== null && kernel.plan !== null) noteRecent(recent, place, kernel);
    return kernel;
  }

  /**
   * Walks an expression and returns its kernel, with the addresses and constants in the argument block. Returns null if
   * there is no kernel.
   */
  #kernelOf(tree: CodedTree, code: number, count: number, block: ScratchBlock): DirectKernel | null {
    this.#size = count;
    const kernel = this.#walk(tree, code) ? this.#storedKernel(tree, code) : null;
    if (kernel !== null) {
      for (let k = 0; k < this.#numOperands; k++) block.words[kernel.words[k + 1]!] = this.#addresses[k]!;
      const { parameters } = kernel.kernel.layout;
      for (let k = 0; k < this.#numConstants; k++) {
        const node = this.#constants[k]!;
        writeParameter(block.view, parameters + 8 * k, node.dtype, attributesOf(node, "constant").value);
      }
    }
    // The lists must not keep an expression, and with it memory, alive.
    for (let k = 0; k < this.#numOperations; k++) this.#operations[k] = null;
    for (let k = 0; k < this.#numConstants; k++) this.#constants[k] = null;
    return kernel;
  }

  /** Returns the kernel for the numbers of the last walk, and makes it if there is none or it was evicted. */
  #storedKernel(tree: CodedTree, code: number): DirectKernel | null {
    const stored = plans.find(this.#numbers);
    return stored === undefined || (stored.direct !== null && !isReady(stored.direct)) ? this.#makeKernel(tree, code) : stored.direct;
  }

  /** Walks an expression and describes it by numbers. Returns false if it is not for the fast path. */
  #walk(tree: CodedTree, code: number): boolean {
    this.#numValues = 0;
    this.#numOperands = 0;
    this.#numOperations = 0;
    this.#numConstants = 0;
    this.#isShared = false;
    this.#numbers.begin();
    this.#numbers.encode(kDirect);
    return this.#visitOperation(tree, code) >= 0;
  }

  /** Returns the number of a node's value, or -1 if the node is not for the fast path. */
  #visit(node: CodedTree): number {
    const code = node[kCode];
    // A node of another copy of this package has no code: it is undefined.
    if (!(code >= 0) || this.#numValues === kMaxValues) return -1;
    if (code < kConstantCodes) return this.#visitMap(node as DenseMap, code);
    if (code < kOperationCodes) {
      this.#constants[this.#numConstants++] = node;
      return this.#enter(node, code, noInputs);
    }
    for (let k = 0; k < this.#numOperations; k++) {
      if (this.#operations[k] !== node) continue;
      this.#isShared = true;
      return this.#operationValues[k]!;
    }
    const value = this.#visitOperation(node, code);
    this.#operationValues[this.#numOperations] = value;
    this.#operations[this.#numOperations++] = node;
    return value;
  }

  #visitOperation(node: CodedTree, code: number): number {
    const inputs = node.rawInputs!;
    const count = inputs.length;
    const a = this.#visit(inputs[0]!);
    if (a < 0) return -1;
    const b = count > 1 ? this.#visit(inputs[1]!) : 0;
    if (b < 0) return -1;
    const c = count > 2 ? this.#visit(inputs[2]!) : 0;
    if (c < 0 || this.#numValues === kMaxValues) return -1;
    // Larger than every leaf's token, and a small integer: 12 bits for the code, 5 for each operand's number.
    return this.#enter(node, ((code * 32 + a) * 32 + b) * 32 + c, this.#recorded === null ? noInputs : [a, b, c].slice(0, count));
  }

  /**
   * Enters a map's address if the map has as many elements as the target and kernels can reach it. Returns -1
   * otherwise. If all maps have that many elements, then all operations do: element counts only grow from the operands
   * to the result.
   */
  #visitMap(map: DenseMap, code: number): number {
    if (map.size !== this.#size) return -1;
    const start = this.#staging.reach(map, code);
    if (start < 0) return -1;
    for (let k = 0; k < this.#numOperands; k++)
      if (this.#addresses[k] === start && this.#operandCodes[k] === code) return this.#operandValues[k]!;
    this.#addresses[this.#numOperands] = start;
    this.#operandCodes[this.#numOperands] = code;
    this.#operandValues[this.#numOperands++] = this.#numValues;
    return this.#enter(map, code, noInputs);
  }

  /** Enters a new value and returns its number. */
  #enter(node: ExpressionTree, token: number, inputs: readonly number[]): number {
    this.#numbers.encode(token);
    this.#recorded?.push({ node, inputs });
    return this.#numValues++;
  }

  /**
   * Makes the kernel for the expression that was just walked, after a second walk that records its values. Returns null
   * if kernels do not support it.
   */
  #makeKernel(tree: CodedTree, code: number): DirectKernel | null {
    const values: RecordedValue[] = [];
    this.#recorded = values;
    this.#walk(tree, code);
    this.#recorded = null;
    const key = this.#numbers.key();
    const kernel = engine().simd ? this.#kernelFor(values, tree) : null;
    plans.store(key, kernel, null);
    return kernel;
  }

  /** Compiles the kernel of recorded values. Returns null if kernels do not support one of them, or the engine refuses. */
  #kernelFor(values: readonly RecordedValue[], tree: CodedTree): DirectKernel | null {
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
      const saturate = isCast(node) && attributesOf(node, "cast").saturate;
      if (isMap(node)) {
        nodes.push({ kind: "load", op, dtype, inputs, index: itemBytes.length - 1, saturate, pass: 0 });
        itemBytes.push(bytesOf[(node as CodedTree)[kCode]]!);
      } else if (isConstant(node)) {
        const { value } = attributesOf(node, "constant");
        nodes.push({ kind: "parameter", op, dtype, inputs, index: parameters.length, saturate, pass: 0 });
        parameters.push(constantKind(value));
      } else {
        const from = node.inputs[0]!.dtype;
        if (isCast(node) && from !== dtype && !rounded.has(from, inputs[0]!))
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
      plan: this.#isShared ? null : this.#planOf(tree, words, kernel.layout.parameters),
    };
  }

  /** Returns the plan of the expression that was just walked. */
  #planOf(tree: CodedTree, words: readonly number[], parameters: number): NodePlan {
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
      const start = this.#staging.reach(node as DenseMap, code);
      const operand = this.#addresses.findIndex(
        (address, k) => k < this.#numOperands && address === start && this.#operandCodes[k] === code,
      );
      const repeats = operand < nextOperand;
      if (!repeats) nextOperand++;
      return { ...leaf, at: words[operand + 1]!, repeats };
    };
    return plan(tree);
  }
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
