/**
 * The lowerings of sort and argsort: stable, NaN last in both directions, zeros of both signs equal.
 */
import { attributesOf } from "@onebuffer/expression/internal";
import type { Builder, Value } from "../text/builder.ts";
import { sum } from "./float-functions.ts";
import { gatherRows } from "./indexing.ts";
import type { Lowering } from "./lowering.ts";
import { operand } from "./lowering.ts";
import { isIntegerType } from "../text/tensor-type.ts";

/** Sorts values, and places with them if there are any, along the last axis. */
function sorted(b: Builder, values: readonly Value[], isDescending: boolean): readonly Value[] {
  const types = values.map(({ type }) => type);
  const scalars = types.flatMap(({ element }) => [
    { element, dims: [] },
    { element, dims: [] },
  ]);
  const region = b.region(scalars, (inner, [first, second]) => {
    const [p, q] = [first, second] as [Value, Value];
    const comes = inner.compare(isDescending ? "GT" : "LT", p, q);
    if (isIntegerType(p.type.element)) return [comes];
    // NaN comes after every number.
    const isBeforeNan = inner.and(inner.compare("NE", q, q), inner.compare("EQ", p, p));
    return [inner.or(comes, isBeforeNan)];
  });
  const axis = (types[0]?.dims.length ?? 1) - 1;
  return b.generic("stablehlo.sort", values, `dimension = ${axis} : i64, is_stable = true`, region, types);
}

/** Returns the first elements of the last axis: topK keeps a part of the order. */
function kept(b: Builder, x: Value, dims: readonly number[]): Value {
  return b.slice(
    x,
    dims.map(() => 0),
    dims,
    dims.map(() => 1),
  );
}

export const sort: Lowering = (site) => {
  const { b, node } = site;
  const { descending } = attributesOf(node, "sort");
  return kept(b, sorted(b, [operand(site)], descending)[0] as Value, node.dimensions);
};

export const argsort: Lowering = (site) => {
  const { b, node } = site;
  const { descending } = attributesOf(node, "argsort");
  const x = operand(site);
  const places = b.iota("i32", x.type.dims, x.type.dims.length - 1);
  return kept(b, sorted(b, [x, places], descending)[1] as Value, node.dimensions);
};

/** The lowering of nthElements: some places of the sorted row. Zeros of both signs are 0, because their order is open. */
export const nthElements: Lowering = (site) => {
  const { b, node } = site;
  const { places } = attributesOf(node, "nthElements");
  const row = sorted(b, [operand(site)], false)[0] as Value;
  if (node.dimensions.includes(0)) return b.constant(row.type.element, node.dimensions, 0);
  const found = gatherRows(b, row, b.vector("i32", places), node.dimensions.length - 1);
  return isIntegerType(row.type.element) ? found : sum(b, found, b.like(found, 0));
};
