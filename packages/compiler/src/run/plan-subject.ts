/**
 * plan-subject: describes expressions by numbers (plan-numbers.ts), and lists the parts that a plan leaves open: maps, constants, random
 * elements (XLA's counterpart is the fingerprint of an HLO module, with the module's parameters).
 *
 *     mean(square(sub(a, mean(a)))) of a [1024, 1024] float32
 *     operations, dtypes, axes, sizes, strides     the plan depends on them: as numbers, they are the plan's key
 *     addresses, constants                         change from call to call
 *
 * Every node is described once, and nodes refer to each other by the numbers of their values. So the cost is linear in the number of
 * distinct nodes, and there is no limit but that of the numbers.
 */
import type { Complex, DType } from "@onebuffer/base";
import {
  attributesOf,
  constantCodes,
  constantKind,
  inputsOf,
  isComplexDType,
  isConstant,
  kCode,
  kConstantCodes,
  kOperationCodes,
  NodeNumbers,
  partDType,
  sizesOf,
  withNodes,
} from "@onebuffer/expression/internal";
import type { CodedTree, StoredTree } from "@onebuffer/expression/internal";
import type { ExpressionTree, OpClass } from "@onebuffer/expression";
import { linearMemory } from "@onebuffer/wasm";
import { isRowMajor, product } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { workSplitter } from "@onebuffer/kernels/internal";
import { subtractedRows } from "../array-loops/subtracted-rows.ts";
import { kChunkBytes } from "./chunks.ts";
import { ConstantIndex, isSameConstant } from "../plan/constant-index.ts";
import type { OpenParts } from "./kept-plan.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import { startOf } from "../plan/map-address.ts";
import type { DenseMap } from "../plan/map-address.ts";
import type { Staging } from "../places/staging.ts";
import { compositions } from "../plan/plain-nodes.ts";
import { classOfNumber, numberOfDType, numberOfNode } from "../plan/plan-numbers.ts";
import type { PlanKey, PlanNumbers } from "../plan/plan-numbers.ts";
import { lastReaders } from "../places/last-readers.ts";
import type { Parameter } from "../plan/program.ts";
import { leafOf } from "../plan/tree-parts.ts";

/** The description of one expression or several on which their plan depends, and the parts that the plan leaves open. */
export interface PlanSubject extends OpenParts {
  /** All numbers on which the plan depends. */
  readonly key: PlanKey;
  /** The expressions over the maps, in which copies replace the maps that were outside the linear memory. */
  readonly trees: readonly ExpressionTree[];
  /** True if all trees are computed before anything is written. */
  readonly isUpdate: boolean;
}

/** The open parts of the current description. */
export interface DescribedParts {
  /** The maps, of which there are `numLeaves`. */
  readonly leaves: (ExpressionTree | null)[];
  /** The addresses of the maps, then that of the scratch memory for stages, then 0 for ramps. */
  readonly starts: number[];
  /** For maps outside the linear memory: first their places, later those of their copies. Null for other maps. */
  readonly outside: (RawPlaces | null)[];
  numLeaves: number;
  outsideBytes: number;
  readonly constants: Parameter[];
  numConstants: number;
  /** The nodes of random elements. */
  readonly randoms: ExpressionTree[];
  /** The addresses of the targets. */
  readonly targets: number[];
}

/** As long as there are no more than this many constants, looking through all of them is faster than a Map. */
const kScanned = 96;
/** The numbers of values below this one take 6 bits. */
const kSmallValue = 64;

/** Describes expressions, one after the other. It is used again for each, so that finding a plan allocates next to nothing. */
export class PlanDescriber implements DescribedParts {
  readonly leaves: (ExpressionTree | null)[] = [];
  readonly starts: number[] = [];
  readonly outside: (RawPlaces | null)[] = [];
  numLeaves = 0;
  outsideBytes = 0;
  readonly constants: Parameter[] = [];
  numConstants = 0;
  readonly randoms: ExpressionTree[] = [];
  readonly targets: number[] = [];
  readonly #numbers: PlanNumbers;
  readonly #staging: Staging;
  /** The numbers of the values of the current description. */
  readonly #values: NodeNumbers = new NodeNumbers();
  readonly #constantNumbers: ConstantIndex = new ConstantIndex();
  /** True if maps outside the linear memory are described by where they will be staged: the description fails at one that has no room. */
  #isStaged = false;
  // The walk: the path from the root to the current node, for each node on it the next operand, and the values of operands before that one.
  readonly #path: (ExpressionTree | null)[] = [];
  readonly #next: number[] = [];
  readonly #operands: number[] = [];
  #numOperands = 0;
  /** The numbers of several targets by their addresses. */
  readonly #targetNumbers: Map<number, number> = new Map();
  #isUpdate = false;

  constructor(numbers: PlanNumbers, staging: Staging) {
    this.#numbers = numbers;
    this.#staging = staging;
  }

  /**
   * Describes one expression or several; `isUpdate` is true if all are computed before anything is written. Returns false if plans of such
   * expressions are not kept.
   */
  describeAll(targets: readonly RawPlaces[], dtype: DType, trees: readonly ExpressionTree[], isUpdate: boolean): boolean {
    if (!this.#begin(dtype, trees.length, false)) return false;
    this.#isUpdate = isUpdate;
    this.#numbers.encode(isUpdate ? 1 : 0);
    for (let t = 0; t < trees.length; t++) {
      const { byteOffset } = targets[t]!;
      this.targets[t] = byteOffset;
      if (trees.length > 1) this.#targetNumbers.set(byteOffset, t + 1);
      this.#encodeGeometry(targets[t]!);
    }
    for (let t = 0; t < trees.length; t++) if (!this.#encodeTree(trees[t]!)) return false;
    return true;
  }

  /**
   * Describes an expression whose result is stored as dense elements at an address. Maps without strides outside the linear memory get the
   * addresses at which they are staged. Returns false also if one has no room there.
   */
  describeDense(tree: StoredTree, start: number): boolean {
    if (!this.#begin(tree.dtype, 1, true)) return false;
    this.targets[0] = start;
    this.#numbers.encode(0);
    this.#numbers.encode(0);
    this.#numbers.encodeSizes(tree.rawDimensions ?? tree.dimensions);
    return this.#encodeTree(tree);
  }

  /** Returns the current description as an object, in which copies replace the maps that were outside. */
  subjectNow(trees: readonly ExpressionTree[]): PlanSubject {
    const { leaves, starts, outside, numLeaves, constants, numConstants, randoms } = this;
    const isUpdate = this.#isUpdate;
    const last = isUpdate || trees.length === 1 ? null : lastReaders(trees);
    const copies = new Map<ExpressionTree, ExpressionTree>();
    for (let k = 0; k < numLeaves; k++) if (outside[k] !== null) copies.set(leaves[k]!, leafOf(leaves[k]!, outside[k]!));
    return {
      key: this.#numbers.key(),
      isUpdate,
      lastReaders: last === null ? null : leaves.slice(0, numLeaves).map((leaf) => last.get(leaf!)!),
      leaves: (leaves.slice(0, numLeaves) as ExpressionTree[]).map((leaf) => copies.get(leaf) ?? leaf),
      starts: starts.slice(0, numLeaves),
      trees: copies.size === 0 ? trees : trees.map((tree) => withNodes(tree, copies)),
      constants: constants.slice(0, numConstants),
      randoms: randoms.slice(),
    };
  }

  /** Clears the lists, which must not keep an expression, and with it memory, alive. */
  forget(): void {
    const { leaves, outside, randoms } = this;
    this.#values.clear();
    if (this.numConstants > kScanned) this.#constantNumbers.clear();
    if (this.#targetNumbers.size > 0) this.#targetNumbers.clear();
    for (let k = 0; k < this.numLeaves; k++) leaves[k] = outside[k] = null;
    this.numLeaves = 0;
    // Setting the length calls into the engine's runtime.
    if (randoms.length > 0) randoms.length = 0;
  }

  #begin(storedAs: DType, numTrees: number, isStaged: boolean): boolean {
    const number = numberOfDType(storedAs);
    if (number === undefined) return false;
    this.#numbers.begin();
    this.numLeaves = this.numConstants = this.outsideBytes = 0;
    this.#isStaged = isStaged;
    this.#numbers.encode(number);
    // A pool's plans compute long reductions in blocks (split/reduce-in-blocks.ts).
    this.#numbers.encode(workSplitter() === null ? numTrees : -numTrees);
    return true;
  }

  /** Encodes sizes, and strides unless the elements are dense. */
  #encodeGeometry({ dims, strides }: RawPlaces): void {
    if (isRowMajor({ offset: 0, dims, strides })) {
      this.#numbers.encode(0);
      this.#numbers.encodeSizes(dims);
    } else {
      this.#numbers.encode(1);
      this.#numbers.encodeSizes(dims);
      for (let d = 0; d < strides.length; d++) this.#numbers.encode(strides[d] as number);
    }
  }

  /** Encodes a tree, this.#operands first. Returns false if plans of such expressions are not kept. */
  #encodeTree(root: ExpressionTree): boolean {
    this.#numOperands = 0;
    let top = -1;
    let value = this.#values.of(root);
    if (value < 0) {
      this.#path[++top] = root;
      this.#next[top] = 0;
    }
    while (top >= 0) {
      const node: StoredTree = this.#path[top]!;
      const inputs = node.rawInputs ?? node.inputs;
      const k = this.#next[top]!;
      if (k < inputs.length) {
        this.#next[top] = k + 1;
        const input = inputs[k]!;
        value = this.#values.of(input);
        if (value >= 0) this.#operands[this.#numOperands++] = value;
        else {
          this.#path[++top] = input;
          this.#next[top] = 0;
        }
      } else {
        this.#path[top--] = null;
        value = this.#encodeNode(node);
        if (value < 0) {
          while (top >= 0) this.#path[top--] = null;
          return false;
        }
        this.#operands[this.#numOperands++] = value;
      }
    }
    // Whether rows are subtracted in place depends on the value of their factor (array-loops/subtracted-rows.ts).
    this.#numbers.encode(subtractedRows(root) === null ? value : -value);
    return this.#numbers.hasRoom;
  }

  /**
   * Encodes a node, of which the last this.#operands are the this.#values. Returns the number of its value, or -1 if plans of such
   * expressions are not kept.
   */
  #encodeNode(node: StoredTree): number {
    const number = numberOfNode(node as CodedTree);
    if (number === 0) return -1;
    const count = (node.rawInputs ?? node.inputs).length;
    this.#numOperands -= count;
    if (count <= 3 && this.#values.count <= kSmallValue) {
      const first = count > 0 ? this.#operands[this.#numOperands]! : 0;
      const second = count > 1 ? this.#operands[this.#numOperands + 1]! : 0;
      const third = count > 2 ? this.#operands[this.#numOperands + 2]! : 0;
      this.#numbers.encode(((number * kSmallValue + first) * kSmallValue + second) * kSmallValue + third);
    } else {
      this.#numbers.encode(number);
      this.#numbers.encode(count);
      for (let k = 0; k < count; k++) this.#numbers.encode(this.#operands[this.#numOperands + k]!);
    }
    // The code of an elementwise operation contains its attributes.
    return number < kOperationCodes && !this.#encodeRest(node, classOfNumber(number)) ? -1 : this.#values.add(node);
  }

  /** Encodes what a node has besides its operation and this.#operands. Returns false if plans with such nodes are not kept. */
  #encodeRest(node: StoredTree, opClass: OpClass): boolean {
    if (opClass === "leaf") return this.#encodeLeaf(node);
    const inputs = inputsOf(node);
    // Reductions of zero elements are constants, which would not be listed.
    if ((opClass === "reduction" || opClass === "contraction") && sizesOf(inputs[0]!).includes(0)) return false;
    this.#numbers.encodeSizes(sizesOf(node));
    this.#numbers.encode(inputs.length);
    if (opClass === "generator") this.#encodeGenerator(node);
    else if (opClass === "random") this.randoms.push(node);
    else this.#numbers.encodeAttributes(attributesOf(node, node.op));
    return true;
  }

  /** The constants that a program makes of a node must be listed: otherwise one could be taken for a listed one of the same value. */
  #encodeGenerator(node: StoredTree): void {
    if (isConstant(node)) this.#encodeConstant(node.dtype, attributesOf(node, "constant").value);
    else if (compositions[node.op] === undefined) this.#numbers.encodeAttributes(attributesOf(node, node.op));
    else for (const value of compositions[node.op]!.constants(node)) this.#encodeConstant("float64", value);
  }

  #encodeLeaf(node: StoredTree): boolean {
    const code = (node as CodedTree)[kCode];
    const isDense = code >= 0 && code < kConstantCodes && linearMemory().isConstructed;
    const start = isDense ? (this.#isStaged ? this.#staging.reach(node as DenseMap, code) : startOf(node as DenseMap, code)) : -1;
    if (start >= 0) {
      this.#numbers.encode(0);
      this.#numbers.encodeSizes(node.rawDimensions ?? node.dimensions);
      this.#addLeaf(node, start, null);
      return true;
    }
    if (this.#isStaged && code >= 0) return false;
    const places = leafPlaces(node);
    const { dims } = places;
    const isOutside = places.buffer !== linearMemory().buffer;
    if (isOutside) {
      this.outsideBytes += product(dims) * places.itemBytes;
      this.#numbers.encode(0);
      this.#numbers.encodeSizes(dims);
    } else this.#encodeGeometry(places);
    this.#addLeaf(node, places.byteOffset, isOutside ? places : null);
    return this.outsideBytes <= (this.#isStaged ? 0 : kChunkBytes);
  }

  #addLeaf(node: StoredTree, start: number, from: RawPlaces | null): void {
    // A product is added to its target in place (contraction/added-product.ts), and results wait for readers of their targets (schedule.ts).
    this.#numbers.encode(from === null ? this.#targetAt(start) : 0);
    this.leaves[this.numLeaves] = node;
    this.outside[this.numLeaves] = from;
    this.starts[this.numLeaves++] = start;
  }

  /** Returns 1 for the address of the first target, 2 for that of the second and so on; 0 for others. */
  #targetAt(start: number): number {
    if (this.#targetNumbers.size > 0) return this.#targetNumbers.get(start) ?? 0;
    return start === this.targets[0] ? 1 : 0;
  }

  /** Equal constants are one parameter of a program. Their kind (+0, NaN or -0, or another value) is part of the kernel's structure. */
  #encodeConstant(dtype: DType, value: unknown): void {
    if (isComplexDType(dtype)) {
      for (const part of value as Complex) this.#encodeConstant(partDType(dtype), part);
      return;
    }
    const known = this.#constantOf(dtype, value);
    this.#numbers.encode(known < 0 ? this.#addConstant(dtype, value) : known);
    this.#numbers.encode(constantCodes[constantKind(value)]);
  }

  /** Returns the number of a constant; -1 if it has not been this. */
  #constantOf(dtype: DType, value: unknown): number {
    const { constants, numConstants } = this;
    if (numConstants > kScanned) return this.#constantNumbers.get(dtype, value);
    for (let k = 0; k < numConstants; k++) if (isSameConstant(constants[k]!, dtype, value)) return k;
    return -1;
  }

  #addConstant(dtype: DType, value: unknown): number {
    const { constants, numConstants } = this;
    constants[numConstants] = { dtype, value };
    if (numConstants === kScanned)
      for (let k = 0; k < kScanned; k++) this.#constantNumbers.add(constants[k]!.dtype, constants[k]!.value, k);
    if (numConstants >= kScanned) this.#constantNumbers.add(dtype, value, numConstants);
    return this.numConstants++;
  }
}
