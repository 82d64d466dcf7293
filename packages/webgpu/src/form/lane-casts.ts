/**
 * Casts between the numbers of one lane, with the results of the kernels (kernels/lanes/lane-numbers.ts): a float outside an integer's range
 * becomes what x86 makes of it, and a saturating cast clips first.
 */
import type { DType } from "@onebuffer/base";
import { UnimplementedError } from "@onebuffer/base";
import { saturationRange } from "@onebuffer/expression/internal";
import {
  byteDTypeOf,
  floatsToPatterns,
  isFloatDType,
  isNarrowFloat,
  isNarrowInteger,
  narrowIntegers,
  patternsToFloats,
  uniform,
} from "@onebuffer/kernels/internal";
import type { Vector } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";
import { laneKind } from "../wgsl/element-memory.ts";
import { typeOf, wrapped } from "../wgsl/wgsl-kinds.ts";
import type { WgslSource } from "../wgsl/wgsl-source.ts";
import { longOperation } from "./long-operation.ts";

/** Casts a value. Throws UNIMPLEMENTED for floats of 64 bits. */
export function castLane(source: WgslSource, value: Vector, from: DType, to: DType, saturate: boolean): Vector {
  if ((from !== to || saturate) && (from === "float64" || to === "float64")) throw new UnimplementedError("WGSL has no floats of 64 bits");
  const range = saturate ? saturationRange(from, to) : null;
  if (range !== null) return castLane(source, clipped(source, value, from, range), from, to, false);
  if (from === to && from !== "float16" && from !== "bfloat16") return value;
  if (isNarrowInteger(to)) return narrowIntegers(uniform(castLane(source, value, from, byteDTypeOf(to), false)), to).vectors[0]!;
  if (to === "bool")
    return from === "bool" ? value : source.mask(isFloatDType(from) ? floatIsTrue(source, value) : source.condition(value));
  if (from === "bool") return source.value(laneKind(to), ofTruth(source.condition(value), to));
  if (isFloatDType(to)) return rounded(source, isFloatDType(from) ? value : integerToFloat(source, value, from), to);
  return isFloatDType(from) ? floatToInteger(source, value, to) : resized(source, value, from, to);
}

/** NaN is true, and denormals are, where a comparison would take them for 0. */
const floatIsTrue = (source: WgslSource, value: Vector): string => `(${source.text(value, "u32x4")} & 0x7fffffffu) != 0u`;

/** Returns 1 or 0 of a dtype. */
function ofTruth(condition: string, to: DType): string {
  if (laneBytes[laneKind(to)] === 8) return `vec2<u32>(select(0u, 1u, ${condition}), 0u)`;
  const type = typeOf(laneKind(to));
  return `select(${type}(0), ${type}(1), ${condition})`;
}

/** Rounds a float32 to a dtype of 16 or fewer bits, and returns it as a float32. */
function rounded(source: WgslSource, value: Vector, to: DType): Vector {
  if (isNarrowFloat(to)) return patternsToFloats(floatsToPatterns(uniform(value), to), to).vectors[0]!;
  const text = source.text(value, "f32x4");
  if (to === "float16") return source.value("f32x4", `${source.uses("half_to_float")}(${source.uses("float_to_half")}(${text}))`);
  if (to === "bfloat16") return source.value("f32x4", `bitcast<f32>(${source.uses("float_to_bfloat16")}(${text}) << 16u)`);
  return value;
}

function integerToFloat(source: WgslSource, value: Vector, from: DType): Vector {
  if (laneBytes[laneKind(from)] === 8) {
    const convert = source.uses(from === "uint64" ? "l_to_float_u" : "l_to_float");
    return source.value("f32x4", `${convert}(${source.text(value)})`);
  }
  const convert = from === "uint32" ? source.uses("word_to_float") : "f32";
  return source.value("f32x4", `${convert}(${source.text(value)})`);
}

/** Truncates a float. */
function floatToInteger(source: WgslSource, value: Vector, to: DType): Vector {
  const kind = laneKind(to);
  const x = source.text(value, "f32x4");
  if (laneBytes[kind] === 8) {
    const fits = `abs(${x}) < 0x1p63f${to === "uint64" ? ` || (${x} >= 0x1p63f && ${x} < 0x1p64f)` : ""}`;
    return source.value(kind, `${source.uses("l_from_float")}(${x}, ${fits})`);
  }
  if (to === "uint32") {
    // Values in the range of int32 wrap around; NaN and values out of both ranges become 2^31.
    const wraps = `bitcast<u32>(${source.uses("f_trunc")}(${x}))`;
    const fits = `select(0x80000000u, ${source.uses("f_trunc_u")}(${x}), ${x} >= 0.0f && ${x} < 4294967296.0f)`;
    return source.value(kind, `select(${fits}, ${wraps}, ${x} < 0.0f && ${x} >= -2147483648.0f)`);
  }
  const word = source.value("i32x4", `select(-2147483647i - 1i, ${source.uses("f_trunc")}(${x}), ${x} < 2147483648.0f)`);
  return resized(source, word, "int32", to);
}

/** Returns an integer modulo 2^bits of another integer dtype, extended with the sign of its own. */
function resized(source: WgslSource, value: Vector, from: DType, to: DType): Vector {
  const [have, want] = [laneKind(from), laneKind(to)];
  if (laneBytes[have] === 8) {
    const low = `${source.text(source.value(have, source.text(value, have)))}.x`;
    if (laneBytes[want] === 8) return source.named(want, source.text(value, have));
    return source.value(want, wrapped(typeOf(want) === "i32" ? `bitcast<i32>(${low})` : low, want));
  }
  const text = source.text(value, have);
  if (laneBytes[want] === 8) {
    const word = source.text(source.value(have, text));
    return source.value(want, typeOf(have) === "u32" ? `vec2<u32>(${word}, 0u)` : `bitcast<vec2<u32>>(vec2<i32>(${word}, ${word} >> 31u))`);
  }
  const cast = typeOf(have) === typeOf(want) ? text : `bitcast<${typeOf(want)}>(${text})`;
  return source.value(want, wrapped(cast, want));
}

/** Clips a value to a range of its own dtype. NaN stays NaN. */
function clipped(source: WgslSource, value: Vector, from: DType, [low, high]: readonly [number | bigint, number | bigint]): Vector {
  if (isFloatDType(from)) return value.pmin(Number(high)).pmax(Number(low));
  const kind = laneKind(from);
  if (laneBytes[kind] === 8) {
    const above = longOperation(source, "maximum", [value, source.constant(kind, low)], from)!;
    return longOperation(source, "minimum", [above, source.constant(kind, high)], from)!;
  }
  const type = typeOf(kind);
  const [least, most] = type === "i32" ? [-(2n ** 31n), 2n ** 31n - 1n] : [0n, 2n ** 32n - 1n];
  const bound = (end: number | bigint): string => {
    const inside = BigInt(end) < least ? least : BigInt(end) > most ? most : BigInt(end);
    return type === "u32" ? `${inside}u` : inside === least ? "(-2147483647i - 1i)" : `${inside}i`;
  };
  return source.value(kind, `clamp(${source.text(value)}, ${bound(low)}, ${bound(high)})`);
}
