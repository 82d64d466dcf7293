/**
 * Index maps: functions from the flat, row-major index of an element to the index of another element, or to a place in memory.
 * Broadcasting and most movements are such functions.
 *
 *     place = offset + i0 * strides[0] + i1 * strides[1] + …      where index = (i0 * dims[1] + i1) * dims[2] + …
 *
 * Adjacent dimensions whose strides make them one are merged first. Most programs then have two dimensions or fewer, for which there are
 * special functions.
 */
import {
  broadcastGeometry,
  chippedGeometry,
  patchesOf,
  permutedGeometry,
  reversedGeometry,
  rowMajorStrides,
  sameSizes,
} from "@onebuffer/storage/internal";
import type { StrideMove } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { attributesOf } from "@onebuffer/expression/internal";
import type { StridedGeometry } from "@onebuffer/storage/internal";

/** A function from one index to another. */
export type IndexMap = (index: number) => number;

/** Returns the index map of a geometry; null if it is the identity. */
export function indexMap(geometry: StridedGeometry): IndexMap | null {
  const { offset } = geometry;
  const { dims, strides } = merged(geometry);
  if (dims.length === 0) return () => offset;
  if (dims.length === 1) {
    const step = strides[0] as number;
    if (step === 1) return offset === 0 ? null : (index) => offset + index;
    return (index) => offset + index * step;
  }
  if (dims.length === 2) {
    const [step0, step1] = strides as [number, number];
    const width = dims[1] as number;
    return (index) => {
      const row = Math.floor(index / width);
      return offset + row * step0 + (index - row * width) * step1;
    };
  }
  return (index) => {
    let place = offset;
    let remaining = index;
    for (let d = dims.length - 1; d > 0; d--) {
      const size = dims[d] as number;
      const outer = Math.floor(remaining / size);
      place += (remaining - outer * size) * (strides[d] as number);
      remaining = outer;
    }
    return place + remaining * (strides[0] as number);
  };
}

/** Removes dimensions of size 1 and merges adjacent dimensions whose strides make them one. */
function merged({ dims, strides }: StridedGeometry): { readonly dims: readonly number[]; readonly strides: readonly number[] } {
  const sizes: number[] = [];
  const steps: number[] = [];
  for (let d = 0; d < dims.length; d++) {
    const size = dims[d] as number;
    const step = strides[d] as number;
    const last = sizes.length - 1;
    if (size === 1) continue;
    if (last >= 0 && steps[last] === size * step) {
      sizes[last] = (sizes[last] as number) * size;
      steps[last] = step;
    } else {
      sizes.push(size);
      steps.push(step);
    }
  }
  return { dims: sizes, strides: steps };
}

/** Returns the map from indices of the broadcast sizes `to` to indices of the operand's sizes `from`; null if the sizes are equal. */
export function broadcastMap(from: readonly number[], to: readonly number[]): IndexMap | null {
  if (sameSizes(from, to)) return null;
  return indexMap(broadcastGeometry(rowMajor(from), to));
}

/** Returns the geometry of a row-major array of these sizes. */
function rowMajor(dims: readonly number[]): StridedGeometry {
  return { offset: 0, dims, strides: rowMajorStrides(dims) };
}

/** The geometries by which movements read their operand, whose geometry is `from`; of a reshape the operand has to be dense. */
export const denseMoves: Readonly<Record<StrideMove, (from: StridedGeometry, node: ExpressionTree) => StridedGeometry>> = {
  reshape: (_, { dimensions }) => rowMajor(dimensions),
  broadcast: (from, { dimensions }) => broadcastGeometry(from, dimensions),
  shuffle: (from, node) => permutedGeometry(from, attributesOf(node, "shuffle").permutation),
  slice(from, node) {
    const { begin, steps } = attributesOf(node, "slice");
    return {
      offset: begin.reduce((sum, start, d) => sum + start * (from.strides[d] as number), from.offset),
      dims: node.dimensions,
      strides: from.strides.map((stride, d) => stride * (steps[d] as number)),
    };
  },
  extractPatches: (from, node) => patchesOf(from, node.dimensions, attributesOf(node, "extractPatches")),
  chip(from, node) {
    const { offset, axis } = attributesOf(node, "chip");
    return chippedGeometry(from, offset, axis);
  },
  reverse: (from, node) => reversedGeometry(from, attributesOf(node, "reverse").axes),
};

/** Returns the geometry by which a movement of class "strides" reads its operand, taken as row-major. */
export function movementGeometry(node: ExpressionTree): StridedGeometry {
  return denseMoves[node.op as StrideMove](rowMajor(node.inputs[0]!.dimensions), node);
}
