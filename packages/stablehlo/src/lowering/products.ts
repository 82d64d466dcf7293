/**
 * The lowering of matMul, as dot_general. Transposed operands are contracted over their other dimension; batch dimensions are broadcast.
 */
import { attributesOf } from "@onebuffer/expression/internal";
import type { Builder, Value } from "../text/builder.ts";
import type { ElementType } from "../text/tensor-type.ts";
import { isComplexType, isIntegerType, isUnsignedType, typeText } from "../text/tensor-type.ts";
import { difference, sum } from "./float-functions.ts";
import { fromParts, partsOf } from "./complex-parts.ts";
import { unsignedOf } from "./integers.ts";
import type { Lowering } from "./lowering.ts";
import { operand } from "./lowering.ts";

interface Contraction {
  readonly batch: readonly number[];
  /** The dimensions that are summed over. */
  readonly left: number;
  readonly right: number;
  readonly dims: readonly number[];
}

function dot(b: Builder, x: Value, y: Value, { batch, left, right, dims }: Contraction): Value {
  const places = batch.map((_, d) => d).join(", ");
  const batching = batch.length === 0 ? "" : `batching_dims = [${places}] x [${places}], `;
  const { element } = x.type;
  const precision = isIntegerType(element) ? "" : ", precision = [HIGHEST, HIGHEST]";
  const type = { element, dims };
  const isOne = x.type.dims[left] === 1 && !isIntegerType(element);
  const text = `stablehlo.dot_general ${x.name}, ${y.name}, ${batching}contracting_dims = [${left}] x [${right}]${precision} : (${typeText(x.type)}, ${typeText(y.type)}) -> ${typeText(type)}`;
  const value = b.define("dot", text, type);
  // XLA multiplies if there is only one product per element; a sum, which begins with 0, is never -0.
  return isOne ? sum(b, value, b.like(value, 0)) : value;
}

export const matMul: Lowering = (site) => {
  const { b, node } = site;
  const { transposeA, transposeB } = attributesOf(node, "matMul");
  const batch = node.dimensions.slice(0, -2);
  const rank = node.dimensions.length;
  const [x, y] = [operand(site), operand(site, 1)].map((value) => b.broadcast(value, [...batch, ...value.type.dims.slice(-2)])) as [
    Value,
    Value,
  ];
  const shape = { batch, left: transposeA ? rank - 2 : rank - 1, right: transposeB ? rank - 1 : rank - 2, dims: node.dimensions };
  const { element } = x.type;
  if (isComplexType(element)) {
    const [[p, q], [u, v]] = [partsOf(b, x), partsOf(b, y)];
    const re = difference(b, dot(b, p, u, shape), dot(b, q, v, shape));
    return fromParts(b, [re, sum(b, dot(b, p, v, shape), dot(b, q, u, shape))], element === "complex<f64>" ? "f64" : "f32");
  }
  if (!isIntegerType(element)) return dot(b, x, y, shape);
  const wide: ElementType = isUnsignedType(element) ? element : unsignedOf(element);
  return b.bitcast(dot(b, b.bitcast(x, wide), b.bitcast(y, wide), shape), element);
};
