/**
 * Loads and stores of elements. Buffers are arrays of words, so that all bits are kept; smaller elements are parts of a word, larger ones
 * are several words.
 *
 *     float32 int32 uint32         one word              int64 uint64 float64      two words, the lower one first
 *     float16 bfloat16             computed as f32       complex64, complex128     their parts, one behind the other
 *     bool                         a byte, any but 0     other dtypes              by their bits
 *     narrow dtypes                as in kernels (kernels/lanes/narrow-lanes.ts)
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize, InternalError } from "@onebuffer/base";
import { isComplexDType, partDType } from "@onebuffer/expression/internal";
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import {
  floatsToPatterns,
  isNarrowFloat,
  isNarrowInteger,
  kindOf,
  narrowIntegers,
  narrowPatterns,
  patternsToFloats,
  uniform,
} from "@onebuffer/kernels/internal";
import type { WgslSource } from "./wgsl-source.ts";

/** Returns the kind of lanes of a dtype. A bool is a mask of words. */
export function laneKind(dtype: DType): VectorKind {
  return dtype === "bool" ? "i32x4" : kindOf(dtype);
}

/** Loads the element at an index; of a complex dtype a part of it. */
export function loadElement(source: WgslSource, buffer: string, dtype: DType, index: string, part: 0 | 1 = 0): Vector {
  if (isComplexDType(dtype)) return loadElement(source, buffer, partDType(dtype), `(${index}) * 2${part === 0 ? "" : " + 1"}`);
  const at = source.text(source.value("i32x4", index));
  switch (dtypeSize(dtype)) {
    case 8:
      return source.value(laneKind(dtype), `vec2<u32>(${buffer}[${at} * 2], ${buffer}[${at} * 2 + 1])`);
    case 4:
      return source.value("u32x4", `${buffer}[${at}]`).as(laneKind(dtype));
    case 2:
      return halfOf(source, dtype, source.value("u32x4", partOfWord(buffer, at, 2)));
    case 1:
      return byteOf(source, dtype, source.value("u32x4", partOfWord(buffer, at, 1)));
    default:
      throw new InternalError(`WebGPU: elements of ${dtype}`);
  }
}

/** Returns the expression of an element of 1 or 2 bytes. */
function partOfWord(buffer: string, at: string, bytes: 1 | 2): string {
  const [log, mask] = bytes === 1 ? [2, 3] : [1, 1];
  return `extractBits(${buffer}[${at} >> ${log}u], u32(${at} & ${mask}) * ${bytes * 8}u, ${bytes * 8}u)`;
}

function halfOf(source: WgslSource, dtype: DType, bits: Vector): Vector {
  if (dtype === "float16") return source.value("f32x4", `${source.uses("half_to_float")}(${source.text(bits)})`);
  if (dtype === "bfloat16") return source.value("f32x4", `bitcast<f32>(${source.text(bits)} << 16u)`);
  return integerOf(source, dtype, bits);
}

function byteOf(source: WgslSource, dtype: DType, bits: Vector): Vector {
  if (isNarrowFloat(dtype)) return patternsToFloats(uniform(bits), dtype).vectors[0]!;
  if (isNarrowInteger(dtype)) return narrowIntegers(uniform(integerOf(source, dtype, bits)), dtype).vectors[0]!;
  return dtype === "bool" ? source.mask(`${source.text(bits)} != 0u`) : integerOf(source, dtype, bits);
}

/** Returns the bits of a small element as lanes of its kind. */
function integerOf(source: WgslSource, dtype: DType, bits: Vector): Vector {
  const kind = laneKind(dtype);
  const text = source.text(bits);
  if (kind.startsWith("u")) return source.named(kind, text);
  return source.value(kind, `extractBits(bitcast<i32>(${text}), 0u, ${dtypeSize(dtype) * 8}u)`);
}

/** Returns the words of an element as it is stored: one, whose upper bits are 0 for small elements, or several. */
export function storedWords(source: WgslSource, dtype: DType, value: Vector): readonly string[] {
  const kind = laneKind(dtype);
  switch (dtypeSize(dtype)) {
    case 8: {
      const pair = source.text(source.value(kind, source.text(value, kind)));
      return [`${pair}.x`, `${pair}.y`];
    }
    case 4:
      return [source.text(value.as(kind), "u32x4")];
    default:
      return [smallBits(source, dtype, value)];
  }
}

/** Returns the bits of an element of 1 or 2 bytes in the lowest bits of a word. */
function smallBits(source: WgslSource, dtype: DType, value: Vector): string {
  if (dtype === "bool") return `select(0u, 1u, ${source.condition(value)})`;
  if (dtype === "float16") return `${source.uses("float_to_half")}(${source.text(value, "f32x4")})`;
  if (dtype === "bfloat16") return `${source.uses("float_to_bfloat16")}(${source.text(value, "f32x4")})`;
  if (isNarrowFloat(dtype)) return source.text(floatsToPatterns(uniform(value), dtype).vectors[0]!, "u32x4");
  const text = source.text(isNarrowInteger(dtype) ? narrowPatterns(uniform(value), dtype).vectors[0]! : value, laneKind(dtype));
  const bits = laneKind(dtype).startsWith("u") ? text : `bitcast<u32>(${text})`;
  return `(${bits} & ${2 ** (dtypeSize(dtype) * 8) - 1}u)`;
}

/**
 * Stores an element at an index. Neighbors of 1 and 2 bytes share words, which several invocations may write: `buffer` must then be bound for
 * "add" and have been cleared.
 */
export function storeElement(source: WgslSource, buffer: string, dtype: DType, index: string, values: readonly Vector[]): void {
  const bytes = dtypeSize(dtype);
  const element = isComplexDType(dtype) ? partDType(dtype) : dtype;
  const words = values.flatMap((value) => storedWords(source, element, value));
  const at = source.text(source.value("i32x4", index));
  if (bytes < 4) {
    const [log, mask] = bytes === 1 ? [2, 3] : [1, 1];
    source.line(`atomicOr(&${buffer}[${at} >> ${log}u], ${words[0]} << (u32(${at} & ${mask}) * ${bytes * 8}u));`);
    return;
  }
  const place = (k: number): string => (words.length === 1 ? at : `${at} * ${words.length}${k === 0 ? "" : ` + ${k}`}`);
  words.forEach((word, k) => source.line(`${buffer}[${place(k)}] = ${word};`));
}
