/**
 * Lowerings of gather and scatter. An index outside the axis is an error, which is reported; StableHLO's gather then reads the nearest row
 * and its scatter drops the update.
 */
import type { ScatterSkips } from "@onebuffer/eigen";
import { attributesOf } from "@onebuffer/expression/internal";
import type { Builder, RegionBody, Value } from "../text/builder.ts";
import { isIntegerType } from "../text/tensor-type.ts";
import { unsignedOf } from "./integers.ts";
import type { Lowering, Site } from "./lowering.ts";
import { operand } from "./lowering.ts";

/** Returns rows of `x` along an axis; the dimensions of the indices replace the axis. */
export function gatherRows(b: Builder, x: Value, indices: Value, axis: number): Value {
  const { element, dims } = x.type;
  const rank = indices.type.dims.length;
  const result = [...dims.slice(0, axis), ...indices.type.dims, ...dims.slice(axis + 1)];
  const offsets = result.flatMap((_, d) => (d < axis || d >= axis + rank ? [d] : []));
  const numbers = [
    `offset_dims = [${offsets.join(", ")}]`,
    `collapsed_slice_dims = [${axis}]`,
    `start_index_map = [${axis}]`,
    `index_vector_dim = ${rank}`,
  ].join(", ");
  const sizes = dims.with(axis, 1).join(", ");
  const attributes = `dimension_numbers = #stablehlo.gather<${numbers}>, slice_sizes = array<i64: ${sizes}>`;
  return b.generic("stablehlo.gather", [x, indices], attributes, "", [{ element, dims: result }])[0] as Value;
}

/** Combines the rows of `x` whose places `indices` names with updates, in any order. `body` combines two elements. */
function scatterRows(b: Builder, x: Value, indices: Value, updates: Value, axis: number, body: RegionBody): Value {
  const window = updates.type.dims.flatMap((_, d) => (d === axis ? [] : [d]));
  const numbers = [
    ...(window.length === 0 ? [] : [`update_window_dims = [${window.join(", ")}]`]),
    `inserted_window_dims = [${axis}]`,
    `scatter_dims_to_operand_dims = [${axis}]`,
    "index_vector_dim = 1",
  ].join(", ");
  const scalar = { element: x.type.element, dims: [] };
  const region = b.region([scalar, scalar], body);
  const attributes = `scatter_dimension_numbers = #stablehlo.scatter<${numbers}>`;
  return b.generic("stablehlo.scatter", [x, indices, updates], attributes, region, [x.type])[0] as Value;
}

/** Returns where indices are outside [0, size), apart from those that are skipped. */
function outside(b: Builder, indices: Value, size: number, skips: ScatterSkips): Value {
  const wide = b.convert(indices, "i64");
  const isNegative = b.compare("LT", wide, b.like(wide, 0));
  const isLarge = b.compare("GE", wide, b.like(wide, size));
  return skips === "none" ? b.or(isNegative, isLarge) : skips === "negative" ? isLarge : isNegative;
}

const product: RegionBody = (inner, [p, q]) => [inner.multiply(p as Value, q as Value)];

export const gather: Lowering = (site) => {
  const { b, node, report } = site;
  const { axis } = attributesOf(node, "gather");
  const [x, indices] = [operand(site), operand(site, 1)];
  const size = x.type.dims[axis] as number;
  const wrong = outside(b, indices, size, "none");
  const places = indices.type.dims.map((_, d) => axis + d);
  report("indexOutOfRange", b.broadcastInDim(wrong, node.dimensions, places));
  // No rows can be read: the result has none either, or every index is an error.
  if (size === 0) return b.constant(x.type.element, node.dimensions, 0);
  return gatherRows(b, x, indices, axis);
};

export const scatter: Lowering = (site) => {
  const { b, node, report } = site;
  const { axis, reduction, skips } = attributesOf(node, "scatter");
  const [x, indices, updates] = [operand(site), operand(site, 1), operand(site, 2)];
  const wrong = outside(b, indices, x.type.dims[axis] as number, skips);
  const none = b.constant("i1", [], false);
  const any = b.reduce([wrong], [none], [0], (inner, [p, q]) => [inner.or(p as Value, q as Value)])[0] as Value;
  report("indexOutOfRange", b.broadcast(any, node.dimensions));
  if (node.dimensions.includes(0) || updates.type.dims.includes(0)) return x;
  if (reduction === "update") return lastUpdate(site, axis);
  const op = { add: "add", mul: "multiply", max: "maximum", min: "minimum" }[reduction];
  if (reduction === "mul" && isIntegerType(x.type.element)) {
    // Signed products are unsigned ones, as everywhere.
    const wide = unsignedOf(x.type.element);
    const [rows, factors] = [b.bitcast(x, wide), b.bitcast(updates, wide)];
    return b.bitcast(scatterRows(b, rows, indices, factors, axis, product), x.type.element);
  }
  return scatterRows(b, x, indices, updates, axis, (inner, [p, q]) => [inner.same(`stablehlo.${op}`, p as Value, q as Value)]);
};

/** Replaces rows. The last of several updates of a row wins: it is found first, because StableHLO combines updates in any order. */
function lastUpdate(site: Site, axis: number): Value {
  const { b, node } = site;
  const [x, indices, updates] = [operand(site), operand(site, 1), operand(site, 2)];
  const size = x.type.dims[axis] as number;
  const count = updates.type.dims[axis] as number;
  const nobody = b.constant("i32", [size], -1);
  const winner = scatterRows(b, nobody, indices, b.iota("i32", [count], 0), 0, (inner, [p, q]) => [inner.maximum(p as Value, q as Value)]);
  const isHit = b.compare("GE", winner, b.like(winner, 0));
  const rows = gatherRows(b, updates, b.maximum(winner, b.like(winner, 0)), axis);
  return b.select(b.broadcastInDim(isHit, node.dimensions, [axis]), rows, x);
}
