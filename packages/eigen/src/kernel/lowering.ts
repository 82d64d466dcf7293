/**
 * lowering: an expression becomes a Program (TensorFlow's counterpart is XLA's fusion of a graph of operations into loops).
 *
 *     tree                                    program
 *     div(exp(sub(x, max(x))), sum(exp …))    one row program: values, reductions, the result
 *     cumsum(mul(a, b))                       stage 0: a * b by a kernel; the rest by the evaluator
 *
 * Elementwise operations fuse without end. Movements go into the strides of leaves. Reductions fuse when all of them go
 * over the same axes of the same sizes, and what is made of their results has either those sizes or those of the
 * results: then a row is read, reduced and used while it is in the first-level cache. Whatever does not fit in becomes a
 * *stage*: a part of the tree that is assigned to memory of its own first, by whichever way suits it.
 */
import { dtypeSize } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { reducerOf } from "../evaluator/reductions.ts";
import { isBig } from "../expression/dtype-groups.ts";
import { attributesOf, noAttributes } from "../expression/op-attributes.ts";
import type { ExpressionTree, ReduceAttributes } from "../expression/op-attributes.ts";
import { opTable } from "../expression/op-table.ts";
import type { OpName } from "../expression/op-table.ts";
import { kernelDTypes } from "./lanes.ts";
import { leafPlaces } from "./leaf-places.ts";
import { stageDType, supportedByKernels } from "./kernel-support.ts";
import { denseGeometry, isOwnRow, isStrideMove, movedFirst, movedGeometry } from "./lowering-moves.ts";
import type { Moves } from "./lowering-moves.ts";
import { linspaceTree } from "./plain-nodes.ts";
import { matrixProduct, turned } from "./lowering-product.ts";
import type { Factor, MatrixProduct } from "./lowering-product.ts";
import { ProgramBuilder } from "./program.ts";
import type { Program, ProgramNode, ReduceOp } from "./program.ts";

/** A tree ready for a kernel. */
export interface Lowered {
  readonly program: Program;
  /** Parts to be assigned first, in order; loads name them by number. */
  readonly stages: readonly ExpressionTree[];
  /** Whether the result is one value per row: then the target has the sizes of the rows. */
  readonly storesRows: boolean;
}

/** How reductions are dealt with: fused into rows, or each one a stage of its own. */
export type Fusion = "rows" | "none";

/** The reduction that gives a tree its rows, found behind elementwise operations and movements. */
function findReduction(node: ExpressionTree, seen: Set<ExpressionTree>): ExpressionTree | null {
  if (seen.has(node)) return null;
  seen.add(node);
  const { class: opClass } = opTable[node.op];
  const isReduction = opClass === "reduction" && supportedByKernels(node);
  if (isReduction && reducedAxes(node).length > 0) return node;
  if (!isReduction && !isElementwise(node) && !isStrideMove(node)) return null;
  for (const input of node.inputs) {
    const found = findReduction(input, seen);
    if (found !== null) return found;
  }
  return null;
}

/** Whether elements of the result depend on elements of the operands at the same index, and a kernel can compute them. */
function isElementwise(node: ExpressionTree): boolean {
  const { class: opClass } = opTable[node.op];
  return (opClass === "unary" || opClass === "binary" || opClass === "ternary") && supportedByKernels(node);
}

const sameSizes = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((size, d) => size === b[d]);

/** The axes a reduction removes. */
export function reducedAxes(node: ExpressionTree): readonly number[] {
  if (node.op === "argmax" || node.op === "argmin") return [attributesOf(node, "argmax").axis];
  return (node.attributes as ReduceAttributes).axes;
}

/**
 * The tree as a program whose result is stored as `storedAs`; null when its root is nothing for a kernel. Leaves that are
 * away become stages.
 */
export function lower(root: ExpressionTree, storedAs: DType, fusion: Fusion, isAway: (leaf: ExpressionTree) => boolean): Lowered | null {
  const reduction = fusion === "rows" || opTable[root.op].class === "reduction" ? findReduction(root, new Set()) : null;
  if (reduction !== null) {
    const space = reduction.inputs[0]!;
    const axes = reducedAxes(reduction);
    const rows = isRowShape(root.dimensions, space.dimensions, axes);
    const whole = !rows && sameSizes(root.dimensions, space.dimensions);
    if ((whole || rows) && !space.dimensions.includes(0)) {
      const lowering = new Lowering({ dims: space.dimensions, axes }, storedAs, fusion === "none" ? reduction : null, isAway);
      const moves = rows ? rowMoves(root, space.dimensions, axes) : null;
      return lowering.finish([lowering.value(root, moves, true)], rows);
    }
  }
  if (root.op === "matMul" && supportedByKernels(root) && !root.inputs[0]!.dimensions.includes(0))
    return lowerProduct(root, storedAs, isAway);
  const lowering = new Lowering({ dims: root.dimensions, axes: [] }, storedAs, null, isAway);
  return lowering.finish([lowering.value(root, null, true)], false);
}

/** Several trees that have one value per row of the same rows, as one program; null if they do not. */
export function lowerTogether(
  roots: readonly ExpressionTree[],
  storedAs: DType,
  isAway: (leaf: ExpressionTree) => boolean,
): Lowered | null {
  const reduction = findReduction(roots[0]!, new Set());
  if (reduction === null) return null;
  const { dimensions: dims } = reduction.inputs[0]!;
  const axes = reducedAxes(reduction);
  if (dims.includes(0) || !roots.every((root) => isRowShape(root.dimensions, dims, axes))) return null;
  const lowering = new Lowering({ dims, axes }, storedAs, null, isAway);
  return lowering.finish(
    roots.map((root) => lowering.value(root, rowMoves(root, dims, axes), true)),
    true,
  );
}

/** A product of matrices: one value per row of products. */
function lowerProduct(root: ExpressionTree, storedAs: DType, isAway: (leaf: ExpressionTree) => boolean): Lowered | null {
  const product = matrixProduct(root);
  const lowering = new Lowering({ dims: product.dims, axes: [product.dims.length - 2] }, storedAs, null, isAway);
  return lowering.finish([lowering.product(product)], true);
}

/** Whether sizes are those of the space without its axes, or with 1 in their place. */
function isRowShape(sizes: readonly number[], dims: readonly number[], axes: readonly number[]): boolean {
  const ones = dims.map((size, d) => (axes.includes(d) ? 1 : size));
  return (
    sameSizes(sizes, ones) ||
    sameSizes(
      sizes,
      ones.filter((_, d) => !axes.includes(d)),
    )
  );
}

/** From the indices of rows, as a node has them, to those of the space. */
function rowMoves(node: ExpressionTree, dims: readonly number[], axes: readonly number[]): Moves {
  const spread: Moves = { step: dims, rest: null };
  if (node.dimensions.length === dims.length) return spread;
  const kept = dims.map((size, d) => (axes.includes(d) ? 1 : size));
  return { step: { ...noMoves, dtype: node.dtype, dimensions: kept }, rest: spread };
}

/** A reshape, as far as strides are concerned. */
const noMoves = { op: "reshape", inputs: [], attributes: noAttributes, depth: 0 } as const;

/** A program that only moves elements of its dtype moves bits: as unsigned integers, whatever the dtype. */
function withCarrier(nodes: readonly ProgramNode[], result: number, dtype: DType): readonly ProgramNode[] {
  const node = nodes[result]!;
  return node.kind === "load" && node.dtype === dtype ? nodes.with(result, { ...node, dtype: carrierOf(node.dtype) }) : nodes;
}

/** What a reduction of no elements is. */
function ofNothing({ op, dtype }: ExpressionTree, operand: DType): unknown {
  const value = reducerOf(op as Parameters<typeof reducerOf>[0], operand, dtype)(() => 0, 0);
  return dtype === "bool" ? value === 1 : value;
}

/** Whether a tree is a map, moved at most. */
function isMoved(tree: ExpressionTree): boolean {
  return tree.op === "map" || (isStrideMove(tree) && isMoved(tree.inputs[0]!));
}

/** The unsigned integer that carries the bits of a dtype; the dtype itself where there is none. */
export function carrierOf(dtype: DType): DType {
  const carriers: Readonly<Record<number, DType>> = { 1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64" };
  return carriers[dtypeSize(dtype)] ?? dtype;
}

/**
 * The nodes of softmax with a maximum that does not look for NaN: the sum of the powers is NaN where a value is, and so is all that is
 * multiplied by its reciprocal. Other programs as they are.
 */
function withMaxNumber(nodes: readonly ProgramNode[], result: number): readonly ProgramNode[] {
  const users = (i: number): number[] => nodes.flatMap(({ inputs }, user) => (inputs.includes(i) ? [user] : []));
  const only = (i: number): number => (users(i).length === 1 ? users(i)[0]! : -1);
  return nodes.map((node, largest) => {
    if (node.kind !== "reduce" || node.op !== "max") return node;
    const difference = only(largest);
    const power = only(difference);
    const [sum, product, ...others] = users(power);
    const isSoftmax =
      nodes[power]?.op === "expNonPositive" &&
      nodes[difference]?.inputs[1] === largest &&
      sum !== undefined &&
      nodes[sum]!.op === "sum" &&
      nodes[only(sum)]?.op === "reciprocal" &&
      only(only(sum)) === result &&
      product === result &&
      nodes[result]!.op === "mul" &&
      others.length === 0;
    return isSoftmax ? { ...node, op: "maxNumber" as const } : node;
  });
}

/** The indices that all values of a program live in, and the axes of its rows. */
interface Space {
  readonly dims: readonly number[];
  readonly axes: readonly number[];
}

/** One run over a tree. */
class Lowering {
  readonly #dims: readonly number[];
  readonly #axes: readonly number[];
  /** The one reduction that may be fused; null if all may. */
  readonly #only: ExpressionTree | null;
  readonly #builder: ProgramBuilder = new ProgramBuilder();
  readonly #stages: ExpressionTree[] = [];
  /** Values by node and by what lies between it and the space. */
  readonly #values: Map<ExpressionTree, Map<Moves | null, number>> = new Map();
  /** Moves that were put in front of others, so that equal ones are one object. */
  readonly #moves: Map<ExpressionTree["dimensions"] | ExpressionTree, Map<Moves | null, Moves>> = new Map();
  readonly #sizes: Map<string, readonly number[]> = new Map();

  /** Leaves that kernels cannot reach: they are brought into the linear memory first. */
  readonly #isAway: (leaf: ExpressionTree) => boolean;

  /** What the result is stored as. */
  readonly #dtype: DType;

  constructor(space: Space, dtype: DType, only: ExpressionTree | null, isAway: (leaf: ExpressionTree) => boolean) {
    const { dims, axes } = space;
    this.#dtype = dtype;
    this.#isAway = isAway;
    this.#dims = dims;
    this.#axes = axes;
    this.#only = only;
  }

  finish([result, ...also]: readonly number[], storesRows: boolean): Lowered | null {
    if (result === undefined || result < 0 || also.includes(-1)) return null;
    const { operands, parameters } = this.#builder;
    const plain = withMaxNumber(this.#builder.nodes, result);
    const nodes = also.length > 0 ? plain : withCarrier(plain, result, this.#dtype);
    // 16 bytes that are only moved have no lanes.
    if (!kernelDTypes.includes(nodes[result]!.dtype)) return null;
    const program = { dims: this.#dims, axes: this.#axes, nodes, operands, parameters, result, also };
    return { program, stages: this.#stages, storesRows };
  }

  /** The number of a node's value under the moves; -1 if it is the root and no kernel can compute it. */
  value(node: ExpressionTree, moves: Moves | null, isRoot: boolean = false): number {
    const known = this.#values.get(node)?.get(moves);
    if (known !== undefined) return known;
    const value = this.#compute(node, moves, isRoot);
    let byMoves = this.#values.get(node);
    if (byMoves === undefined) this.#values.set(node, (byMoves = new Map()));
    byMoves.set(moves, value);
    return value;
  }

  /** The sum of products of a[m, k, 1] and b[1, k, n]. Operands that are computed are stages. */
  product({ dtype, left, right }: MatrixProduct): number {
    const a = this.#factor(left, (dims) => [...dims, 1]);
    const b = this.#factor(right, (dims) => dims.toSpliced(dims.length - 2, 0, 1));
    return this.#builder.reduce("sum", dtype, this.#operation("mul", dtype, [a, b], false));
  }

  #factor({ tree, isStaged, isTurned }: Factor, within: (dims: readonly number[]) => readonly number[]): number {
    const view = isTurned ? turned(tree) : tree;
    const reshaped = { ...noMoves, dtype: tree.dtype, dimensions: within(view.dimensions) };
    const spread: Moves = { step: reshaped, rest: { step: this.#dims, rest: null } };
    const moves = isTurned ? { step: view, rest: spread } : spread;
    return isStaged || !isMoved(tree) ? this.#stage(tree, moves, false) : this.value(tree, moves);
  }

  #compute(node: ExpressionTree, moves: Moves | null, isRoot: boolean): number {
    if (node.op === "map") return this.#leaf(node, moves, isRoot);
    if (node.op === "constant" && supportedByKernels(node))
      return this.#builder.parameter(node.dtype, attributesOf(node, "constant").value);
    if (isStrideMove(node)) return this.value(node.inputs[0]!, this.#before(node, moves));
    if (node.op === "iota" && supportedByKernels(node)) return this.#ramp(node, moves) ?? this.#stage(node, moves, isRoot);
    if (node.op === "linspace") return this.value(linspaceTree(node), moves);
    if (isElementwise(node)) {
      const inputs = node.inputs.map((input) => this.value(input, this.#spread(node, input, moves)));
      const saturate = node.op === "cast" && attributesOf(node, "cast").saturate;
      const from = node.inputs[0]!.dtype;
      if (node.op === "cast" && from !== node.dtype) inputs[0] = this.#builder.rounded(from, inputs[0]!);
      return this.#operation(node.op, node.dtype, inputs, saturate);
    }
    if (opTable[node.op].class === "reduction" && supportedByKernels(node)) {
      const space = node.inputs[0]!;
      if (reducedAxes(node).length === 0) return this.value(space, moves);
      if (space.dimensions.includes(0)) return this.#builder.parameter(node.dtype, ofNothing(node, space.dtype));
      const fits = sameSizes(space.dimensions, this.#dims) && sameSizes(reducedAxes(node), this.#axes);
      if (fits && this.#axes.length > 0 && (this.#only ?? node) === node && isOwnRow(node.dimensions, moves, this.#dims, this.#axes)) {
        return this.#builder.reduce(node.op as ReduceOp, node.dtype, this.value(space, null));
      }
    }
    const sumsNothing = node.op === "matMul" && supportedByKernels(node) && node.inputs[0]!.dimensions.includes(0);
    if (sumsNothing) return this.#builder.parameter(node.dtype, isBig(node.dtype) ? 0n : 0);
    return this.#stage(node, moves, isRoot);
  }

  /**
   * An operation; those of softmax in the form that is cheapest: exp(x - max(x)) is of nothing positive, and what is divided
   * by the sum of such, which is at least 1 and far from the ends of the range, can be multiplied by its reciprocal.
   */
  #operation(op: OpName, dtype: DType, inputs: readonly number[], saturate: boolean): number {
    const builder = this.#builder;
    const [x, y] = inputs.map((input) => builder.nodes[input]!) as [ProgramNode, ProgramNode | undefined];
    if (op === "exp" && x.op === "sub") {
      const [from, largest] = x.inputs as [number, number];
      const { kind, op: reduction, inputs: reduced } = builder.nodes[largest]!;
      if (kind === "reduce" && reduction === "max" && reduced[0] === from) return builder.op("expNonPositive", dtype, inputs);
    }
    if (op === "div" && y?.kind === "reduce" && y.op === "sum" && builder.nodes[y.inputs[0]!]!.op === "expNonPositive") {
      return builder.op("mul", dtype, [inputs[0]!, builder.op("reciprocal", dtype, [inputs[1]!])]);
    }
    return builder.op(op, dtype, inputs, saturate);
  }

  /** The moves of an operand that is broadcast to the sizes of its operation. */
  #spread(node: ExpressionTree, input: ExpressionTree, moves: Moves | null): Moves | null {
    if (sameSizes(node.dimensions, input.dimensions)) return moves;
    const key = String(node.dimensions);
    let sizes = this.#sizes.get(key);
    if (sizes === undefined) this.#sizes.set(key, (sizes = node.dimensions));
    return this.#before(sizes, moves);
  }

  #before(step: Moves["step"], rest: Moves | null): Moves {
    let byRest = this.#moves.get(step);
    if (byRest === undefined) this.#moves.set(step, (byRest = new Map()));
    let moves = byRest.get(rest);
    if (moves === undefined) byRest.set(rest, (moves = { step, rest }));
    return moves;
  }

  #leaf(node: ExpressionTree, moves: Moves | null, isRoot: boolean): number {
    const { itemBytes, dims, strides } = leafPlaces(node);
    if (this.#isAway(node)) return this.#stage(node, moves, isRoot);
    const moved = movedGeometry({ offset: 0, dims, strides: strides.map((stride) => stride * itemBytes) }, moves);
    // A reshape of elements that do not lie side by side: they are first brought together.
    if (moved === null) return this.#stage(node, moves, isRoot);
    return this.#builder.load(node, moved.offset, itemBytes, moved.strides, node.dtype);
  }

  /** A ramp counts places: its index is a linear function of the space's as long as strides can express the moves. */
  #ramp(node: ExpressionTree, moves: Moves | null): number | null {
    const { axis } = attributesOf(node, "iota");
    const moved = movedGeometry({ offset: 0, dims: node.dimensions, strides: node.dimensions.map((_, d) => (d === axis ? 1 : 0)) }, moves);
    return moved === null ? null : this.#builder.ramp(moved.offset, moved.strides, node.dtype);
  }

  /** The node's value from memory that it is assigned to first. */
  #stage(node: ExpressionTree, moves: Moves | null, isRoot: boolean): number {
    if (isRoot && node.op !== "map") return -1;
    const { tree, rest } = movedFirst(node, moves);
    let stage = this.#stages.indexOf(tree);
    if (stage < 0) stage = this.#stages.push(tree) - 1;
    const dtype = tree.op === "map" ? tree.dtype : stageDType(tree.dtype);
    const itemBytes = dtypeSize(dtype);
    const moved = movedGeometry(denseGeometry(tree.dimensions, itemBytes), rest)!;
    return this.#builder.load(stage, moved.offset, itemBytes, moved.strides, dtype);
  }
}
