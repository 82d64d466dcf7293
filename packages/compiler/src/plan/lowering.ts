/**
 * lowering: turns an expression into a Program (in TensorFlow: XLA's fusion of a graph of operations into loops).
 *
 *     tree                                    program
 *     div(exp(sub(x, max(x))), sum(exp …))    one row program: values, reductions, the result
 *     cumsum(mul(a, b))                       stage 0: a * b by a kernel; then cumsum by a loop over arrays
 *
 * region.ts has decided which nodes one program computes. Movements become strides of the leaves. Reductions fuse if all of them go over
 * the same axes of the same sizes, and their users have either those sizes or the sizes of the results: then a row is read, reduced and
 * used while it is in the first-level cache. A node that does not fit in, or that others use too, becomes a *stage*: a part of the tree
 * that is first assigned to memory of its own, by the way that suits it (run/stage-plan.ts).
 *
 * Values are kept by node and by the geometry of the movements between the node and the space, so that each is computed once.
 */
import { sameSizes } from "@onebuffer/storage/internal";
import { dtypeSize } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { reducerOf } from "@onebuffer/evaluator/internal";
import {
  attributesOf,
  isBig,
  isCast,
  isComplexDType,
  isConstant,
  isInteger,
  isMap,
  noAttributes,
  partDType,
  parts,
} from "@onebuffer/expression/internal";
import type { ExpressionTree, OpName } from "@onebuffer/expression";
import { opTable } from "@onebuffer/expression";
import { leafPlaces } from "./leaf-places.ts";
import { heldDType, supportedByKernels } from "./kernel-support.ts";
import { denseGeometry, movedBase, movedFirst, movedGeometry, movedKey, movedWhole, reducedAxes, runsAcross } from "./lowering-moves.ts";
import type { Moves, MovesTable } from "./lowering-moves.ts";
import { compositions } from "./plain-nodes.ts";
import { matrixProduct, productParts } from "./lowering-product.ts";
import type { Factor, MatrixProduct } from "./lowering-product.ts";
import { complexOperation, hasParts } from "./complex-parts.ts";
import { ProgramBuilder, withoutUnused } from "./program.ts";
import type { Program, ProgramNode, ReduceOp } from "./program.ts";
import { fitsRow, regionOf } from "./region.ts";
import type { Space } from "./region.ts";
import { nodeKind, reductionIn } from "./sharing.ts";
import type { Sharing } from "./sharing.ts";

/** A tree lowered for a kernel. */
export interface Lowered {
  readonly program: Program;
  /** Parts that must be assigned first, in this order. Loads name them by index. */
  readonly stages: readonly ExpressionTree[];
  /** True if the result is one value per row; the target then has the sizes of the rows. */
  readonly storesRows: boolean;
}

/**
 * How reductions are lowered: fused into rows, or each as a stage of its own. "dense" is like "rows", but maps whose memory runs across the
 * rows are first copied in the order of the rows.
 */
export type Fusion = "rows" | "dense" | "none";

/**
 * Lowers a tree to a program whose result is stored as `storedAs`. Returns null if no kernel can compute the root. Leaves outside the
 * linear memory become stages.
 */
export function lower(root: ExpressionTree, storedAs: DType, fusion: Fusion, sharing: Sharing): Lowered | null {
  const first = fusion !== "none" || opTable[root.op].class === "reduction" ? sharing.reductionOf(root) : null;
  const only = fusion === "none" ? first : null;
  const isDense = fusion === "dense";
  const rows = first === null ? null : lowerRows(root, storedAs, first, only, sharing, isDense);
  if (rows !== null) return rows;
  if (isProduct(root) && supportedByKernels(root) && !root.inputs[0]!.dimensions.includes(0)) {
    return (isComplexDType(root.dtype) ? lowerComplexProduct : lowerProduct)(root, storedAs, sharing);
  }
  const space = { dims: root.dimensions, axes: [], only: null };
  const region = regionOf([{ node: root, moves: null }], space, sharing);
  // The first reduction may be in a part that is stored first, while another one is in the region.
  const next = first === null || fusion === "none" || sharing.isPlain ? null : reductionIn(root, region.staged);
  const nextRows = next === null || next === first ? null : lowerRows(root, storedAs, next, null, sharing, isDense);
  if (nextRows !== null) return nextRows;
  const lowering = new Lowering(space, storedAs, region.staged, sharing);
  return lowering.finish([lowering.value(root, null, true)], false);
}

/** Lowers a tree to a program over the rows of a reduction; null if the sizes do not fit or the reduction is not in the root's region. */
function lowerRows(
  root: ExpressionTree,
  storedAs: DType,
  reduction: ExpressionTree,
  only: ExpressionTree | null,
  sharing: Sharing,
  isDense: boolean,
): Lowered | null {
  const { dimensions: dims } = reduction.inputs[0]!;
  const axes = reducedAxes(reduction);
  const rows = isRowShape(root.dimensions, dims, axes);
  if ((!rows && !sameSizes(root.dimensions, dims)) || dims.includes(0)) return null;
  const space = { dims, axes, only };
  const moves = rows ? rowMoves(root, dims, axes, sharing.moves) : null;
  const region = regionOf([{ node: root, moves }], space, sharing);
  if (region.reductions === 0 && !sharing.isPlain) return null;
  const lowering = new Lowering(space, storedAs, region.staged, sharing, isDense);
  return lowering.finish([lowering.value(root, moves, true)], rows);
}

/** Lowers several trees to one program if each has one value per row of the same rows; otherwise returns null. */
export function lowerTogether(roots: readonly ExpressionTree[], storedAs: DType, sharing: Sharing): Lowered | null {
  const reduction = sharing.reductionOf(roots[0]!);
  if (reduction === null) return null;
  const { dimensions: dims } = reduction.inputs[0]!;
  const axes = reducedAxes(reduction);
  if (dims.includes(0) || !roots.every((root) => isRowShape(root.dimensions, dims, axes))) return null;
  const space = { dims, axes, only: null };
  const results = roots.map((node) => ({ node, moves: rowMoves(node, dims, axes, sharing.moves) }));
  const lowering = new Lowering(space, storedAs, regionOf(results, space, sharing).staged, sharing);
  return lowering.finish(
    results.map(({ node, moves }) => lowering.value(node, moves, true)),
    true,
  );
}

/** Lowers a matrix product: one value per row of products. */
function lowerProduct(root: ExpressionTree, storedAs: DType, sharing: Sharing): Lowered | null {
  const product = matrixProduct(root, (matrix) => sharing.transposed(matrix));
  const space = { dims: product.dims, axes: [product.dims.length - 2], only: null };
  const lowering = new Lowering(space, storedAs, new Set(), sharing);
  return lowering.finish([lowering.product(product)], true);
}

/** Lowers a matrix product of complex numbers: four products of the parts, which are stages, and their difference and sum. */
function lowerComplexProduct(root: ExpressionTree, storedAs: DType, sharing: Sharing): Lowered | null {
  const space = { dims: root.dimensions, axes: [], only: null };
  const { re, im } = productParts(root);
  const staged = new Set([re, im].flatMap(({ inputs }) => inputs));
  const lowering = new Lowering(space, storedAs, staged, sharing);
  return lowering.finish([lowering.pair(re, im, root.dtype)], false);
}

/** Returns true if sizes are those of the space without its axes, or with 1 in their place. */
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

/** Returns the movements from the indices of rows, as a node has them, to those of the space. */
function rowMoves(node: ExpressionTree, dims: readonly number[], axes: readonly number[], moves: MovesTable): Moves {
  const spread = moves.before(dims, null);
  if (node.dimensions.length === dims.length) return spread;
  const kept = dims.map((size, d) => (axes.includes(d) ? 1 : size));
  return moves.before({ ...reshapeNode, dtype: node.dtype, dimensions: kept }, spread);
}

/** The common fields of a reshape, for movements that are made here. */
const reshapeNode = { op: "reshape", inputs: [], attributes: noAttributes, depth: 0 } as const;

/**
 * A program that only moves elements copies bits: the result becomes an unsigned integer of the same size. Elements of complex128, for which
 * there is none, are moved as pairs of parts.
 */
function withCarrier(nodes: readonly ProgramNode[], result: number, dtype: DType): ReturnType<typeof withoutUnused> {
  const node = nodes[result]!;
  const [re, im] = node.inputs.map((input) => nodes[input]!) as [ProgramNode | undefined, ProgramNode | undefined];
  const isPair = node.op === "complex" && parts[re!.op] === 0 && parts[im!.op] === 1 && re!.index === im!.index && re!.kind === "load";
  const load = isPair ? { ...re!, op: "map" as const, dtype: node.dtype } : node;
  if (load.kind !== "load" || !isMap(load) || load.dtype !== dtype || carrierOf(dtype) === "complex128")
    return { nodes, results: [result] };
  return withoutUnused(nodes.with(result, { ...load, dtype: carrierOf(dtype) }), [result]);
}

/** Returns the value of a reduction or a product over zero elements. */
function valueOverZeroElements(node: ExpressionTree): unknown {
  const { op, dtype, inputs } = node;
  if (isProduct(node)) return isBig(dtype) ? 0n : isComplexDType(dtype) ? [0, 0] : 0;
  const value = reducerOf(op as Parameters<typeof reducerOf>[0], inputs[0]!.dtype, dtype)(() => 0, 0);
  return dtype === "bool" ? value === 1 : value;
}

/** Returns the unsigned integer dtype of the same size; the dtype itself if there is none. */
export function carrierOf(dtype: DType): DType {
  const carriers: Readonly<Record<number, DType>> = { 1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64" };
  return carriers[dtypeSize(dtype)] ?? dtype;
}

/**
 * Replaces the maximum of softmax by maxNumber, which does not look for NaN: if a value is NaN, the sum of the powers is NaN too, and so is
 * every product with its reciprocal. Other programs are returned unchanged.
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

/** The values of a node by movements, and, once there are several, also by the geometry of the movements. */
interface NodeValues {
  readonly sizes: readonly number[];
  readonly byMoves: Map<Moves | null, number>;
  byKey: Map<string | null, number> | null;
}

/** Returns true for a product of matrices. */
const isProduct = ({ op }: ExpressionTree): boolean => opTable[op].class === "contraction";

/** Returns the operand of a cast; -1 for other nodes. */
function countedBy(node: ProgramNode): number {
  return node.kind === "op" && isCast(node) ? node.inputs[0]! : -1;
}

/** The lowering of one region. region.ts has decided which nodes it leaves to stages. */
class Lowering {
  readonly #space: Space;
  /** The dtype in which the result is stored. */
  readonly #dtype: DType;
  readonly #staged: ReadonlySet<ExpressionTree>;
  readonly #sharing: Sharing;
  /** True if maps whose memory runs across the rows become stages. */
  readonly #isDense: boolean;
  readonly #builder: ProgramBuilder = new ProgramBuilder();
  readonly #stages: Map<ExpressionTree, number> = new Map();
  /** Values by node and by the movements between the node and the space. */
  readonly #values: Map<ExpressionTree, NodeValues> = new Map();

  constructor(space: Space, dtype: DType, staged: ReadonlySet<ExpressionTree>, sharing: Sharing, isDense: boolean = false) {
    this.#space = space;
    this.#dtype = dtype;
    this.#staged = staged;
    this.#sharing = sharing;
    this.#isDense = isDense;
  }

  finish([result, ...also]: readonly number[], storesRows: boolean): Lowered | null {
    if (result === undefined || result < 0 || also.includes(-1)) return null;
    const { operands, parameters } = this.#builder;
    // Pairs of parts that are only taken apart again are left out.
    const used = withoutUnused(this.#builder.nodes, [result, ...also]);
    const [first, ...others] = used.results as readonly [number, ...number[]];
    const plain = withMaxNumber(used.nodes, first);
    const moved = others.length > 0 ? { nodes: plain, results: [first] } : withCarrier(plain, first, this.#dtype);
    const { dims, axes } = this.#space;
    const program = { dims, axes, nodes: moved.nodes, operands, parameters, result: moved.results[0]!, also: others };
    return { program, stages: [...this.#stages.keys()], storesRows };
  }

  /** Returns the index of a node's value under the movements; -1 if the node is the root and no kernel can compute it. */
  value(node: ExpressionTree, moves: Moves | null, isRoot: boolean = false): number {
    let known = this.#values.get(node);
    if (known === undefined) this.#values.set(node, (known = { sizes: node.dimensions, byMoves: new Map(), byKey: null }));
    const same = known.byMoves.get(moves);
    if (same !== undefined) return same;
    // The builder finds equal loads itself.
    const key = known.byMoves.size > 0 && node.inputs.length > 0 ? movedKey(node.dimensions, moves) : null;
    let value = this.#sameValue(key, known);
    if (value === null) value = !isRoot && this.#staged.has(node) ? this.#stage(node, moves, false) : this.#compute(node, moves, isRoot);
    // A root that no kernel can compute may still be a stage for another user, so -1 is not remembered.
    if (value < 0) return value;
    known.byMoves.set(moves, value);
    known.byKey?.set(key, value);
    return value;
  }

  /** Returns the value of a node under other movements with the same geometry; null if there is none. */
  #sameValue(key: string | null, known: NodeValues): number | null {
    if (key === null) return null;
    known.byKey ??= new Map([...known.byMoves].map(([moves, value]) => [movedKey(known.sizes, moves), value]));
    return known.byKey.get(key) ?? null;
  }

  /** Returns the complex value of two trees of parts. */
  pair(re: ExpressionTree, im: ExpressionTree, dtype: DType): number {
    return this.#builder.op("complex", dtype, [this.value(re, null), this.value(im, null)]);
  }

  /** Returns the sum of the products of a[m, k, 1] and b[1, k, n]. Factors that are not maps become stages. */
  product({ dtype, left, right }: MatrixProduct): number {
    const a = this.#factor(left, (dims) => [...dims, 1]);
    const b = this.#factor(right, (dims) => dims.toSpliced(dims.length - 2, 0, 1));
    return this.#builder.reduce("sum", dtype, this.#operation("mul", dtype, [a, b], false));
  }

  #factor({ tree, isStaged, isTransposed }: Factor, within: (dims: readonly number[]) => readonly number[]): number {
    const { moves } = this.#sharing;
    const view = isTransposed ? this.#sharing.transposed(tree) : tree;
    const reshaped = { ...reshapeNode, dtype: tree.dtype, dimensions: within(view.dimensions) };
    const spread = moves.before(reshaped, moves.before(this.#space.dims, null));
    const own = isTransposed ? moves.before(view, spread) : spread;
    return isStaged || !isMap(movedBase(tree)) ? this.#stage(tree, own, false) : this.value(tree, own);
  }

  #compute(node: ExpressionTree, moves: Moves | null, isRoot: boolean): number {
    const kind = nodeKind(node);
    switch (kind) {
      case "leaf":
        return this.#leaf(node, moves, isRoot);
      case "movement":
        return this.value(node.inputs[0]!, this.#sharing.moves.before(node, moves));
      case "same":
        return this.value(node.inputs[0]!, moves);
      case "elementwise": {
        const inputs = node.inputs.map((input) => this.value(input, this.#sharing.moves.spread(node, input, moves)));
        const saturate = isCast(node) && attributesOf(node, "cast").saturate;
        const from = node.inputs[0]!.dtype;
        if (isCast(node) && from !== node.dtype) inputs[0] = this.#builder.rounded(from, inputs[0]!);
        if (hasParts(node)) return complexOperation(this.#builder, node, inputs, saturate);
        return this.#operation(node.op, node.dtype, inputs, saturate);
      }
      default:
        if (kind === "stored" || !fitsRow(node, moves, this.#space)) return this.#stage(node, moves, isRoot);
        return this.#reduce(node.op as ReduceOp, node.dtype, this.value(node.inputs[0]!, null));
    }
  }

  /** Adds a reduction; that of complex numbers reduces the parts. */
  #reduce(op: ReduceOp, dtype: DType, input: number): number {
    const builder = this.#builder;
    // Truth values in memory are reduced as the bytes that they are: they need not become masks first.
    const counted = op === "sum" && isInteger(dtype) ? countedBy(builder.nodes[input]!) : -1;
    const bytes = dtype === "bool" ? builder.bytesOf(input) : counted < 0 ? -1 : builder.bytesOf(counted);
    if (bytes >= 0) return builder.reduce(counted < 0 ? op : "count", dtype, bytes);
    if (!isComplexDType(dtype)) return builder.reduce(op, dtype, input);
    const parts = builder.nodes[input]!.inputs.map((part) => builder.reduce(op, partDType(dtype), part));
    return builder.op("complex", dtype, parts);
  }

  /**
   * Adds an operation; operations of softmax in a cheaper form. exp(x - max(x)) has no positive argument. The sum of such powers is at
   * least 1 and far from overflow, so a division by it can be a multiplication by its reciprocal.
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

  #leaf(node: ExpressionTree, moves: Moves | null, isRoot: boolean): number {
    if (isMap(node)) return this.#load(node, moves, isRoot);
    const composed = compositions[node.op];
    if (composed !== undefined) return this.value(composed.tree(node), moves);
    if (node.inputs.length > 0) return this.#builder.parameter(node.dtype, valueOverZeroElements(node));
    if (!supportedByKernels(node)) return this.#stage(node, moves, isRoot);
    if (isConstant(node)) return this.#builder.parameter(node.dtype, attributesOf(node, "constant").value);
    return this.#ramp(node, moves) ?? this.#stage(node, moves, isRoot);
  }

  #load(node: ExpressionTree, moves: Moves | null, isRoot: boolean): number {
    const { itemBytes, dims, strides } = leafPlaces(node);
    if (this.#sharing.isOutsideLinearMemory(node)) return this.#stage(node, moves, isRoot);
    const moved = movedGeometry({ offset: 0, dims, strides: strides.map((stride) => stride * itemBytes) }, moves);
    // A reshape of elements that are not adjacent in memory: they are first copied to a dense stage.
    if (moved === null) return this.#stage(node, moves, isRoot);
    if (this.#isDense && runsAcross(moved.strides, this.#space.axes)) {
      const { tree, rest } = movedWhole(node, moves, (from, step) => this.#sharing.moved(from, step));
      return this.#loadStage(tree, rest);
    }
    return this.#builder.load(node, moved.offset, itemBytes, moved.strides, node.dtype);
  }

  /** Adds a ramp if strides can express the movements: its values are a linear function of the index in the space. Otherwise null. */
  #ramp(node: ExpressionTree, moves: Moves | null): number | null {
    const { axis } = attributesOf(node, "iota");
    const moved = movedGeometry({ offset: 0, dims: node.dimensions, strides: node.dimensions.map((_, d) => (d === axis ? 1 : 0)) }, moves);
    return moved === null ? null : this.#builder.ramp(moved.offset, moved.strides, node.dtype);
  }

  /** Loads the node's value from memory to which it is assigned first. */
  #stage(node: ExpressionTree, moves: Moves | null, isRoot: boolean): number {
    if (isRoot && !isMap(node)) return -1;
    const { tree, rest } = movedFirst(node, moves, (from, step) => this.#sharing.moved(from, step));
    return this.#loadStage(tree, rest);
  }

  #loadStage(tree: ExpressionTree, rest: Moves | null): number {
    let stage = this.#stages.get(tree);
    if (stage === undefined) this.#stages.set(tree, (stage = this.#stages.size));
    const dtype = heldDType(tree);
    const itemBytes = dtypeSize(dtype);
    const moved = movedGeometry(denseGeometry(tree.dimensions, itemBytes), rest)!;
    return this.#builder.load(stage, moved.offset, itemBytes, moved.strides, dtype);
  }
}
