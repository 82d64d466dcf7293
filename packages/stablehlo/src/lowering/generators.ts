/**
 * The lowerings of iota and linspace.
 */
import { attributesOf, isFloat } from "@onebuffer/expression/internal";
import type { Value } from "../text/builder.ts";
import { bitsOf } from "../text/tensor-type.ts";
import type { Lowering } from "./lowering.ts";
import { computedType } from "./lowering.ts";
import { quotient } from "./float-functions.ts";

/** The lowering of iota: counted in 64 bits, then rounded or wrapped around. */
export const iota: Lowering = ({ b, node }) => {
  const { axis } = attributesOf(node, "iota");
  const element = computedType(node.dtype);
  const counted = b.iota(!isFloat(node.dtype) && bitsOf(element) === 64 ? element : "i64", node.dimensions, axis);
  return b.convert(counted, element);
};

/** The lowering of linspace: start + i (stop - start) / (count - 1) in f64, then rounded; the last element is exactly stop. */
export const linspace: Lowering = ({ b, node }) => {
  const { start, stop } = attributesOf(node, "linspace");
  const element = computedType(node.dtype);
  const last = (node.dimensions[0] as number) - 1;
  const index = b.iota("i64", node.dimensions, 0);
  const place = b.convert(index, "f64");
  const hidden = (value: number): Value => b.opaque(b.like(place, value));
  const way = b.multiply(place, hidden(stop - start));
  const value = b.add(quotient(b, way, b.like(place, Math.max(last, 1)), true), hidden(start));
  const exact = last > 0 ? b.select(b.compare("EQ", index, b.like(index, last)), b.like(value, stop), value) : value;
  return b.convert(exact, element);
};
