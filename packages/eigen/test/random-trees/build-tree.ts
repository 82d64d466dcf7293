// Builds maps and expressions from a specification.
import type { DType, RawDType, TypedArray } from "@onebuffer/base";
import { arraySlots, dtypeSize, typedArrayConstructor } from "@onebuffer/base";
import * as eigen from "@onebuffer/eigen";
import type { ExpressionTree } from "@onebuffer/eigen";
import { markedCumsum, scaledCumsum } from "@onebuffer/expression/internal";
import { kUnowned } from "@onebuffer/storage/internal";
import { unalignedTensorMap } from "@onebuffer/eigen/internal";
import { arenaArray } from "../kernel/kernel-subjects.ts";
import type { Call, LeafSpec, NodeSpec, OperationSpec, Place, TreeSpec } from "./tree-spec.ts";
import { product } from "../row-major.ts";

/** A map, a view or an expression. Untyped, because static types cannot follow a tree that is known only at run time. */
export type Built = ReturnType<typeof JSON.parse>;

/** Operations that are functions instead of methods. */
const functions: Readonly<Record<string, (inputs: Built[], args: Built[]) => Built>> = {
  concatenate: (inputs, [axis]) => eigen.concatenate(inputs, axis),
  select: ([condition, then, otherwise]) => eigen.select(condition, then, otherwise),
  oneHot: ([indices], [depth, dtype]) => eigen.oneHot(indices, depth, dtype as "float32"),
  einsum: (inputs, [text]) => eigen.einsum(text, ...(inputs as never[])),
  scaledCumsum: ([x, second, third], [axis, flags]) => scaledCumsum(x, second, third, axis, flags),
  markedCumsum: ([x, second, third], [axis, flags]) => markedCumsum(x, second, third, axis, flags),
  extractPatches: ([x], [sizes, options]) => eigen.extractPatches(x, sizes, options),
  maxPool: ([x], [sizes, options]) => eigen.maxPool(x, sizes, options),
  avgPool: ([x], [sizes, options]) => eigen.avgPool(x, sizes, options),
  convolve: ([x, filters], [options]) => eigen.convolve(x, filters, options),
  nthElements: ([x], [places]) => eigen.nthElements(x, places),
  takeAlongAxis: ([x, at], [axis]) => eigen.takeAlongAxis(x, at, axis),
  searchSorted: ([x, values], [options]) => eigen.searchSorted(x, values, options),
  bincount: ([x], [length]) => eigen.bincount(x, length),
  unsortedSegmentMax: ([x, ids], [count]) => eigen.unsortedSegmentMax(x, ids, count),
  unsortedSegmentSum: ([x, ids], [count]) => eigen.unsortedSegmentSum(x, ids, count),
  layerNorm: ([x, scale, offset]) => x.layerNorm({ scale, offset }),
  topKValues: ([x], [k]) => x.topK(k).values,
  topKIndices: ([x], [k]) => x.topK(k).indices,
  constant: (_, [dtype, value, dims]) => eigen.constant(dtype as "float32", value, dims),
  iota: (_, [dtype, dims, axis]) => eigen.iota(dtype as "float32", dims as number[], axis),
  linspace: (_, [dtype, start, stop, count]) => eigen.linspace(dtype as "float32", start, stop, count),
  statelessUniform: (_, [dtype, dims, seed, options]) => eigen.statelessUniform(dtype as "float32", dims as number[], seed, options),
  statelessNormal: (_, [dtype, dims, seed]) => eigen.statelessNormal(dtype as "float32", dims as number[], seed),
};

/** Returns true if an operation is a function. */
export const isFunction = (op: string): boolean => Object.hasOwn(functions, op);

/** Returns true for operations that are views on maps, and may return null or fail there; they are called on an expression instead. */
export const needsExpression = (op: string): boolean => op === "reshape" || op === "chip";

/** Applies an operation to operands. */
export function applied({ op, args }: OperationSpec, inputs: readonly Built[]): Built {
  const make = functions[op];
  if (make !== undefined) return make([...inputs], [...args]);
  const [first, ...others] = inputs;
  const operand = needsExpression(op) && first.op === "map" ? first.shuffle(first.dimensions.map((_: number, d: number) => d)) : first;
  return operand[op](...others, ...args);
}

/** Applies views to a map. */
export const viewed = (map: Built, views: readonly Call[]): Built => views.reduce((each, [method, ...args]) => each[method](...args), map);

/** The bytes before and behind an array in the linear memory, all of which are 255: NaN, or -1. */
const kMargin = 128;
const kPoison = 255;

/** Returns bytes at a place with poison around them, and a function that tells if the poison is still there. */
function poisonedBytes(numBytes: number, place: Place): { readonly bytes: Uint8Array; readonly isWhole: () => boolean } {
  const first = kMargin + (place.startsWith("unaligned") ? 1 : 0);
  const length = first + numBytes + kMargin;
  const around = place.endsWith("outside") ? new Uint8Array(length) : bytesOf(arenaArray("uint8", length));
  around.fill(kPoison);
  const [before, behind] = [around.subarray(0, first), around.subarray(first + numBytes)];
  return {
    bytes: around.subarray(first, first + numBytes),
    isWhole: () => [before, behind].every((bytes) => bytes.every((byte) => byte === kPoison)),
  };
}

const bytesOf = (array: TypedArray): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** Returns a map over all memory of a leaf or of a target, and a function that tells if nothing was written beside it. */
export function wholeMap(
  dtype: RawDType,
  dims: readonly number[],
  place: Place,
  data: TypedArray | null,
): { readonly map: Built; readonly isWhole: () => boolean } {
  const { bytes, isWhole } = poisonedBytes(product(dims) * dtypeSize(dtype), place);
  const { buffer, byteOffset } = bytes;
  if (data !== null) bytes.set(bytesOf(data).subarray(0, bytes.length));
  if (place.startsWith("unaligned")) return { map: unalignedTensorMap(dtype, buffer, byteOffset, kUnowned, dims), isWhole };
  const constructor = typedArrayConstructor(dtype) as unknown as new (
    memory: ArrayBufferLike,
    offset: number,
    length: number,
  ) => TypedArray;
  const array = new constructor(buffer, byteOffset, product(dims) * arraySlots(dtype));
  return { map: eigen.tensorMap(dtype as DType, array as never, dims), isWhole };
}

/** Returns the map of a leaf's whole memory, and its operand in the tree. */
export function builtLeaf(leaf: LeafSpec): { readonly whole: Built; readonly operand: Built } {
  const { map: whole } = wholeMap(leaf.dtype, leaf.dims, leaf.place, leaf.data);
  return { whole, operand: viewed(whole, leaf.views) };
}

/** A tree that can be assigned. */
export interface BuiltTree {
  /** The operand or expression of each node. */
  readonly operands: readonly (Built & ExpressionTree)[];
  readonly root: Built & ExpressionTree;
  /** The map to assign to: in the memory of a leaf, or in new memory. */
  readonly target: Built;
  /** Returns true if nothing was written next to a target in new memory. */
  isApart(): boolean;
  /** Stores the original elements of the leaf whose memory is the target. */
  restore(): void;
}

/** Builds a tree. Throws what the operations throw for operands that do not fit together. */
export function buildTree({ nodes, target }: TreeSpec): BuiltTree {
  const operands: Built[] = [];
  const wholes: Built[] = [];
  nodes.forEach((node: NodeSpec, i) => {
    if (node.kind === "operation")
      return void (operands[i] = applied(
        node,
        node.inputs.map((input) => operands[input]),
      ));
    const { whole, operand } = builtLeaf(node);
    wholes[i] = whole;
    operands[i] = operand;
  });
  const root = operands.at(-1);
  const fresh = target.leaf === null ? wholeMap(root.dtype, target.dims, target.place ?? "arena", null) : null;
  const place = fresh === null ? wholes[target.leaf as number] : fresh.map;
  const stored = target.leaf === null ? null : (nodes[target.leaf] as LeafSpec);
  return {
    operands,
    root,
    target: viewed(place, target.views),
    isApart: () => fresh?.isWhole() ?? true,
    restore: () => {
      if (stored !== null) place.copyFrom(eigen.tensorMap(stored.dtype as DType, stored.data as never, stored.dims));
    },
  };
}
