/**
 * tree-parts: expresses the elements begin .. end - 1 of an expression along one axis as an expression of parts of its operands (Eigen's
 * TensorBlockMapper makes such blocks).
 *
 *     rows 10 .. 20 of softmax(x + bias)      softmax of (rows 10 .. 20 of x, + bias)
 *
 * This works where every element is computed exactly once, for any division into parts: elementwise operations, reductions, scans and
 * orderings along other axes, broadcasts and permutations. For all other trees the part is null, and the whole is computed at once.
 */
import {
  attributesOf,
  fieldsOf,
  isConstant,
  isElementwise,
  isMap,
  isStrideMove,
  noAttributes,
  withNodes,
} from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import type { StrideMove } from "@onebuffer/expression/internal";
import { opTable } from "@onebuffer/expression";
import { product } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { kShortRow } from "@onebuffer/kernels/internal";
import { heldDType } from "./kernel-support.ts";
import { leafPlaces } from "./leaf-places.ts";
import { reducedAxes } from "./lowering-moves.ts";

/** Returns a leaf with the dtype of `like` over these places. */
export function leafOf(like: Pick<ExpressionTree, "dtype">, places: RawPlaces): ExpressionTree {
  const leaf = { op: "map", inputs: [], attributes: noAttributes, dtype: like.dtype, dimensions: places.dims, depth: 0 } as const;
  return Object.assign(leaf, { rawPlaces: (): RawPlaces => places });
}

/**
 * Returns a tree in which nodes are replaced by the memory that holds their values. If a float16 or bfloat16 node is stored as float32, a
 * reshape that changes nothing is put on top of the leaf, because its users must see the node's dtype.
 */
export function withStored(tree: ExpressionTree, stored: ReadonlyMap<ExpressionTree, RawPlaces>): ExpressionTree {
  const others = new Map<ExpressionTree, ExpressionTree>();
  for (const [node, places] of stored) {
    const held = heldDType(node);
    const leaf = leafOf({ dtype: held }, places);
    others.set(node, held === node.dtype ? leaf : { ...fieldsOf(node), op: "reshape", inputs: [leaf], attributes: noAttributes });
  }
  return withNodes(tree, others);
}

/** Returns the elements `begin` to `end` - 1 of places along an axis. */
export function placesPart(places: RawPlaces, axis: number, begin: number, end: number): RawPlaces {
  const step = (places.strides[axis] as number) * places.itemBytes;
  return { ...places, byteOffset: places.byteOffset + begin * step, dims: places.dims.with(axis, end - begin) };
}

/** The range of a part, and replacements for leaves that all parts share. */
export interface PartOptions {
  readonly begin: number;
  readonly end: number;
  /** Leaves that do not move along the axis, mapped to their copies in the linear memory. */
  readonly shared: ReadonlyMap<ExpressionTree, ExpressionTree>;
}

/** Returns the part of a tree along an axis; null if it cannot be expressed. */
export function treePart(tree: ExpressionTree, axis: number, options: PartOptions): ExpressionTree | null {
  const known = new Map<ExpressionTree, Map<number, ExpressionTree | null>>();
  // The parts still to be made. A part is tried again until the parts of its operands are known.
  const path: { readonly node: ExpressionTree; readonly along: number }[] = [{ node: tree, along: axis }];
  while (path.length > 0) {
    const { node, along } = path.at(-1)!;
    const missing: { readonly node: ExpressionTree; readonly along: number }[] = [];
    const part = (input: ExpressionTree, below: number): ExpressionTree | null => {
      const made = known.get(input)?.get(below);
      if (made === undefined) missing.push({ node: input, along: below });
      return made ?? null;
    };
    const made = along < 0 ? wholeOf(node, (input) => part(input, -1), options) : partOf(node, along, part, options);
    if (missing.length > 0) {
      path.push(missing[0]!);
      continue;
    }
    path.pop();
    let parts = known.get(node);
    if (parts === undefined) known.set(node, (parts = new Map()));
    parts.set(along, made);
    // One operand without a part makes the whole tree have none.
    if (made === null) return null;
  }
  return known.get(tree)!.get(axis)!;
}

/** Returns a tree that does not move along the axis, with shared leaves replaced. Null unless all its operations are cheap to repeat. */
function wholeOf(
  node: ExpressionTree,
  whole: (input: ExpressionTree) => ExpressionTree | null,
  { shared }: PartOptions,
): ExpressionTree | null {
  if (isMap(node)) return shared.get(node) ?? node;
  if (opTable[node.op].class === "generator") return node;
  if (!isElementwise(node) && !isStrideMove(node)) return null;
  const inputs = node.inputs.map(whole);
  return inputs.includes(null) ? null : { ...fieldsOf(node), inputs: inputs as ExpressionTree[] };
}

/** Returns the part of an operand along its own axis; -1 means that the operand does not move along the axis. */
type PartOf = (node: ExpressionTree, axis: number) => ExpressionTree | null;

function partOf(node: ExpressionTree, axis: number, part: PartOf, { begin, end }: PartOptions): ExpressionTree | null {
  const dimensions = node.dimensions.with(axis, end - begin);
  const from = (axes: readonly number[]): ExpressionTree | null => {
    const inputs = node.inputs.map((input, k) => part(input, axes[k] as number));
    return inputs.includes(null) ? null : { ...fieldsOf(node), inputs: inputs as ExpressionTree[], dimensions };
  };
  switch (opTable[node.op].class) {
    case "leaf":
      return leafOf(node, placesPart(leafPlaces(node), axis, begin, end));
    case "generator":
      return isConstant(node) ? { ...fieldsOf(node), dimensions } : null;
    case "unary":
    case "binary":
    case "ternary":
      return from(node.inputs.map((input) => axisBelow(node, input, axis)));
    case "scan":
      return attributesOf(node, "cumsum").axis === axis ? null : from([axis, axis, axis]);
    case "ordering":
      return axis === node.dimensions.length - 1 ? null : from([axis]);
    case "reduction":
      // How short rows are added up depends on their number, and with it the last bit of the sum.
      return product(node.inputs[0]!.dimensions) < kShortRow * product(node.dimensions) ? null : from([axisBefore(node, axis)]);
    case "movement": {
      const own = isStrideMove(node) ? (axesBelow[node.op as StrideMove]?.(node, axis) ?? null) : null;
      return own === null ? null : from([own]);
    }
    default:
      return null;
  }
}

/**
 * For each movement the axis of the operand whose parts are those of an axis of the result: -1 if the operand does not move along it, null if
 * its parts are not parts of one axis.
 */
const axesBelow: Readonly<Record<StrideMove, ((node: ExpressionTree, axis: number) => number | null) | null>> = {
  broadcast: (node, axis) => axisBelow(node, node.inputs[0]!, axis),
  shuffle: (node, axis) => attributesOf(node, "shuffle").permutation[axis]!,
  extractPatches(node, axis) {
    const isMoved = axis >= node.inputs[0]!.dimensions.length || attributesOf(node, "extractPatches").axes.includes(axis);
    return isMoved ? null : axis;
  },
  reverse: (node, axis) => (attributesOf(node, "reverse").axes.includes(axis) ? null : axis),
  reshape: null,
  slice: null,
  chip: null,
};

/** Returns the axis of an operand that is broadcast to a node's sizes; -1 if the operand does not move along it. */
function axisBelow(node: ExpressionTree, input: ExpressionTree, axis: number): number {
  const own = axis - (node.dimensions.length - input.dimensions.length);
  return own < 0 || input.dimensions[own] !== node.dimensions[axis] ? -1 : own;
}

/** Returns the operand's axis that corresponds to an axis of a reduction's result. */
function axisBefore(node: ExpressionTree, axis: number): number {
  const operand = node.inputs[0]!;
  if (node.dimensions.length === operand.dimensions.length) return axis;
  const removed = reducedAxes(node);
  return operand.dimensions.map((_, d) => d).filter((d) => !removed.includes(d))[axis] as number;
}
