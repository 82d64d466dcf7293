/**
 * Lowerings of the operations that only move elements.
 */
import { attributesOf } from "@onebuffer/expression/internal";
import type { Builder, Value } from "../text/builder.ts";
import { gatherRows } from "./indexing.ts";
import type { Lowering } from "./lowering.ts";
import { operand } from "./lowering.ts";

/** Patches of at most this many elements along an axis are slices side by side; longer ones are gathered. */
const kSlices = 32;

export const reshape: Lowering = (site) => site.b.reshape(operand(site), site.node.dimensions);
export const shuffle: Lowering = (site) => site.b.transpose(operand(site), attributesOf(site.node, "shuffle").permutation);
export const reverse: Lowering = (site) => site.b.reverse(operand(site), attributesOf(site.node, "reverse").axes);
export const broadcast: Lowering = (site) => site.b.broadcast(operand(site), site.node.dimensions);
export const concatenate: Lowering = ({ b, node, inputs }) => b.concatenate(inputs, attributesOf(node, "concatenate").axis);

/** The lowering of slice. A negative step reads the same elements upwards, and reverses them. */
export const slice: Lowering = (site) => {
  const { b, node } = site;
  const { begin, steps } = attributesOf(node, "slice");
  return steppedSlice(b, operand(site), begin, steps, node.dimensions);
};

function steppedSlice(b: Builder, x: Value, begin: readonly number[], steps: readonly number[], dims: readonly number[]): Value {
  const strides = steps.map((step) => Math.abs(step));
  const starts = dims.map((size, d) => {
    const step = steps[d] as number;
    return size === 0 ? 0 : (begin[d] as number) + (step < 0 ? (size - 1) * step : 0);
  });
  const ends = dims.map((size, d) => (size === 0 ? 0 : (starts[d] as number) + (size - 1) * (strides[d] as number) + 1));
  const backwards = dims.flatMap((size, d) => ((steps[d] as number) < 0 && size > 1 ? [d] : []));
  return b.reverse(b.slice(x, starts, ends, strides), backwards);
}

export const chip: Lowering = (site) => {
  const { b, node } = site;
  const { offset, axis } = attributesOf(node, "chip");
  const x = operand(site);
  const begin = x.type.dims.map((_, d) => (d === axis ? offset : 0));
  const dims = x.type.dims.with(axis, 1);
  const ones = dims.map(() => 1);
  return b.reshape(steppedSlice(b, x, begin, ones, dims), node.dimensions);
};

/** The lowering of extractPatches: one axis after the other gets a last dimension with the elements within the patch. */
export const extractPatches: Lowering = (site) => {
  const { b, node } = site;
  const { axes, strides, dilations } = attributesOf(node, "extractPatches");
  const rank = node.dimensions.length - axes.length;
  let value = operand(site);
  axes.forEach((axis, k) => {
    const places = node.dimensions[axis] as number;
    const size = node.dimensions[rank + k] as number;
    const [stride, dilation] = [strides[k] as number, dilations[k] as number];
    value =
      size <= kSlices
        ? slicedPatches(b, value, axis, { places, size, stride, dilation })
        : gatheredPatches(b, value, axis, { places, size, stride, dilation });
  });
  return value;
};

interface PatchAxis {
  readonly places: number;
  readonly size: number;
  readonly stride: number;
  readonly dilation: number;
}

function slicedPatches(b: Builder, x: Value, axis: number, { places, size, stride, dilation }: PatchAxis): Value {
  const dims = x.type.dims.with(axis, places);
  const steps = dims.map((_, d) => (d === axis ? stride : 1));
  if (size === 0) return b.constant(x.type.element, [...dims, 0], 0);
  const parts = Array.from({ length: size }, (_, j) => {
    const begin = dims.map((_unused, d) => (d === axis ? j * dilation : 0));
    return b.reshape(steppedSlice(b, x, begin, steps, dims), [...dims, 1]);
  });
  return b.concatenate(parts, dims.length);
}

function gatheredPatches(b: Builder, x: Value, axis: number, { places, size, stride, dilation }: PatchAxis): Value {
  const at = (d: number, step: number): Value => {
    const index = b.iota("i32", [places, size], d);
    return b.multiply(index, b.like(index, step));
  };
  const rows = gatherRows(b, x, b.add(at(0, stride), at(1, dilation)), axis);
  const rank = x.type.dims.length;
  const order = Array.from({ length: rank + 1 }, (_, d) => d).filter((d) => d !== axis + 1);
  return b.transpose(rows, [...order, axis + 1]);
}
