/**
 * Casts by our rules (docs/expressions.md, "Casts"). StableHLO's convert clips floats that an integer type cannot hold and makes 0 of NaN;
 * here they become what x86 gives, like in TensorFlow on processors.
 */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/eigen";
import { opTable } from "@onebuffer/eigen";
import {
  attributesOf,
  integerRange,
  isCast,
  isComplexDType,
  isConstant,
  isFloat,
  isMap,
  saturationRange,
} from "@onebuffer/expression/internal";
import type { Builder, Value } from "../text/builder.ts";
import type { ElementType } from "../text/tensor-type.ts";
import { bitsOf, elementTypeOf, isComplexType, isIntegerType } from "../text/tensor-type.ts";
import { fromParts } from "./complex-parts.ts";
import type { Lowering } from "./lowering.ts";
import { computedType, inputAt, operand } from "./lowering.ts";

/**
 * Rounds f32 values of a float16 or bfloat16 node to their dtype. Compilers drop a conversion to fewer bits and back unless a
 * reduce_precision stands in between.
 */
export function roundedTo(b: Builder, x: Value, dtype: DType): Value {
  return b.convert(b.held(b.convert(x, elementTypeOf(dtype))), "f32");
}

/** Returns true if the elements of a node are already rounded to its dtype: those of maps and casts, wherever they are moved. */
function isStored(node: ExpressionTree): boolean {
  let at = node;
  while (opTable[at.op].class === "movement" && at.inputs.length === 1) at = at.inputs[0] as ExpressionTree;
  return isMap(at) || isCast(at) || isConstant(at);
}

/** Returns the value of a node as a cast sees it: rounded to its dtype. */
export function storedValue(b: Builder, node: ExpressionTree, x: Value): Value {
  const isSmall = node.dtype === "float16" || node.dtype === "bfloat16";
  return isSmall && !isStored(node) ? roundedTo(b, x, node.dtype) : x;
}

/** The lowering of cast. */
export const cast: Lowering = (site) => {
  const { b, node } = site;
  const from = inputAt(site);
  return castValue(b, storedValue(b, from, operand(site)), from.dtype, node.dtype, attributesOf(node, "cast").saturate);
};

/** Casts a value of dtype `from` that is rounded to it. */
export function castValue(b: Builder, x: Value, from: DType, to: DType, saturate: boolean): Value {
  if (to === "bool") return toBool(b, x);
  if (isComplexDType(to)) {
    const part = to === "complex64" ? "f32" : "f64";
    if (isComplexDType(from)) return fromParts(b, [b.real(x), b.imag(x)], part);
    const re = castValue(b, x, from, to === "complex64" ? "float32" : "float64", false);
    return b.complex(re, b.like(re, 0));
  }
  if (isComplexDType(from)) return castValue(b, b.real(x), from === "complex64" ? "float32" : "float64", to, saturate);
  const range = saturate ? saturationRange(from, to) : null;
  const held = range === null ? x : clipped(b, widened(b, x), range);
  if (integerRange(to) === null) return toFloat(b, held, to);
  return isIntegerType(held.type.element) ? b.convert(held, elementTypeOf(to)) : truncated(b, widened(b, held), elementTypeOf(to));
}

/** Returns float8 and float4 elements as f32; others are returned. */
function widened(b: Builder, x: Value): Value {
  return /^f[48]/.test(x.type.element) ? b.convert(x, "f32") : x;
}

/** Clips to a range; NaN stays. */
function clipped(b: Builder, x: Value, [low, high]: readonly [number | bigint, number | bigint]): Value {
  const below = b.select(b.compare("GT", x, b.like(x, high)), b.like(x, high), x);
  return b.select(b.compare("LT", x, b.like(x, low)), b.like(x, low), below);
}

function toBool(b: Builder, x: Value): Value {
  if (isComplexType(x.type.element)) return b.or(toBool(b, b.real(x)), toBool(b, b.imag(x)));
  if (x.type.element === "i1") return x;
  const wide = widened(b, x);
  return b.compare("NE", wide, b.like(wide, 0));
}

/** Converts to a float dtype. A float64 is rounded to float32 on the way to anything smaller, as in TensorFlow. */
function toFloat(b: Builder, x: Value, to: DType): Value {
  if (to === "float64") return b.convert(widened(b, x), "f64");
  const single = b.convert(widened(b, x), "f32");
  if (to === "float32") return single;
  return isFloat(to) ? roundedTo(b, single, to) : b.convert(single, elementTypeOf(to));
}

/** Truncates floats to integers: within the range of the table in docs/expressions.md they wrap around, outside it they are one value. */
function truncated(b: Builder, x: Value, to: ElementType): Value {
  const isWide = bitsOf(to) === 64;
  const low = isWide ? -(2 ** 63) : -(2 ** 31);
  const high = to === "ui64" ? 2 ** 64 : to === "ui32" ? 2 ** 32 : -low;
  const whole = truncatedFloat(b, x);
  const isInside = b.and(b.compare("GE", whole, b.like(whole, low)), b.compare("LT", whole, b.like(whole, high)));
  const carrier: ElementType = isWide || to === "ui32" ? "i64" : "i32";
  const held = b.select(isInside, whole, b.like(whole, 0));
  const signed = b.convert(b.convert(held, carrier), to);
  const inside = to === "ui64" ? b.select(b.compare("GE", held, b.like(held, 0)), b.convert(held, to), signed) : signed;
  const outside = bitsOf(to) < 32 ? 0 : to === "ui32" ? 2 ** 31 : to === "ui64" ? 2n ** 63n : BigInt(low);
  return b.select(isInside, inside, b.like(inside, outside));
}

/** Rounds towards 0. */
function truncatedFloat(b: Builder, x: Value): Value {
  const isNegative = b.compare("LT", x, b.like(x, 0));
  return b.select(isNegative, b.same("stablehlo.ceil", x), b.same("stablehlo.floor", x));
}

/** Returns a node's value in the element type of its dtype, as a result or a stored operand has it. */
export function inOwnType(b: Builder, dtype: DType, x: Value): Value {
  return computedType(dtype) === elementTypeOf(dtype) ? x : b.convert(x, elementTypeOf(dtype));
}
