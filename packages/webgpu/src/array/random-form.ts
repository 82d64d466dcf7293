/**
 * The form of random numbers: each element is a function of its place. The words are those of Philox, so uniform numbers and integers have
 * the bits of the kernels. Normal numbers are computed from the same uniform ones, with the functions of float32.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize, UnimplementedError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { opTable } from "@onebuffer/expression";
import { attributesOf } from "@onebuffer/expression/internal";
import type { OpNameOf } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import type { Vector } from "@onebuffer/wasm/internal";
import { elementOperation } from "../form/element-operation.ts";
import { castLane } from "../form/lane-casts.ts";
import type { PlannedStep } from "../step/step-form.ts";
import { denseElements } from "../wgsl/dense-elements.ts";
import { laneKind } from "../wgsl/element-memory.ts";
import { noForm } from "../wgsl/no-form.ts";
import { Shader } from "../wgsl/shader.ts";
import type { Dispatch } from "../wgsl/shader.ts";
import type { WgslSource } from "../wgsl/wgsl-source.ts";
import { literal } from "../wgsl/wgsl-literals.ts";

/** The bits of a word that make a uniform number. */
const kBits: Readonly<Partial<Record<DType, number>>> = { float32: 23, float16: 10, bfloat16: 7 };

/** The least uniform number of which a logarithm is taken, so that the logarithm is finite. */
const kEpsilon = 1e-7;

/** Writes an element from the words of its group, whose name is given, and from its place in the group. */
type Make = (words: string, place: string) => Vector;

/** What makes the elements of each operation. Throws UNIMPLEMENTED for those that have no form. */
const kMakers: Readonly<Record<OpNameOf<"random">, (shader: Shader, tree: ExpressionTree) => Make>> = {
  randomUniform: ({ source }, { dtype }) => {
    const bits = bitsFor(dtype);
    return (words, place) => fraction(source, `${words}[${place}]`, bits);
  },
  randomNormal: ({ source }, { dtype }) => {
    bitsFor(dtype);
    return (words, place) => normal(source, words, place);
  },
  randomUniformInt: integers,
};

/** Returns how random numbers are computed; null for other nodes. */
export function randomForm(tree: ExpressionTree, dtype: DType): PlannedStep | null {
  if (opTable[tree.op].class !== "random") return null;
  // The shader is written without a target first, which tells whether it has a form.
  kMakers[tree.op as OpNameOf<"random">](new Shader(), tree);
  return { needs: [], write: (writer, target) => writer.dispatch(randomDispatch(tree, dtype, target)) };
}

function randomDispatch(tree: ExpressionTree, dtype: DType, target: number): Dispatch {
  const shader = new Shader();
  const { source } = shader;
  const out = shader.buffer(target, "write");
  const { key, counter } = attributesOf(tree, "randomUniform");
  const words = (values: readonly number[]): string => values.map((value) => `u32(${shader.word(value)})`).join(", ");
  const [keyText, counterText] = [words(key), words(counter)];
  const make = kMakers[tree.op as OpNameOf<"random">](shader, tree);
  const size = dtypeSize(tree.dtype) === 8 ? 2 : 4;
  return denseElements(shader, { form: "random", target: out, dtype, count: product(tree.dimensions) }, (place) => {
    const group = source.name("g");
    source.line(`var ${group} = ${source.uses("philox")}(vec2<u32>(${keyText}), vec4<u32>(${counterText}), u32(${place}) / ${size}u);`);
    return [castLane(source, make(group, `(${place} & ${size - 1})`), tree.dtype, dtype, false)];
  });
}

function bitsFor(dtype: DType): number {
  const bits = kBits[dtype];
  if (bits === undefined) throw new UnimplementedError("WGSL has no floats of 64 bits");
  return bits;
}

/** Writes the lowest bits of a word as a number in [0, 1). */
function fraction(source: WgslSource, word: string, bits: number): Vector {
  return source.value("f32x4", `f32(${word} & ${2 ** bits - 1}u) * 0x1p-${bits}f`);
}

/** Writes a normal number by the method of Box and Muller: of a pair of words the even element has the sine, the odd one the cosine. */
function normal(source: WgslSource, words: string, place: string): Vector {
  const compute = (op: "log" | "sqrt" | "sin" | "cos", input: Vector): Vector =>
    elementOperation(source, { op, dtype: "float32", inputs: [input], inputDTypes: ["float32"], saturate: false }, () => {});
  const first = source.text(fraction(source, `${words}[${place} & 2]`, 23));
  const angle = source.value("f32x4", `${source.uses("turns")}(${source.text(fraction(source, `${words}[(${place} & 2) + 1]`, 23))})`);
  const logarithm = compute("log", source.value("f32x4", `max(${first}, ${literal("f32x4", kEpsilon)})`));
  const radius = compute("sqrt", source.value("f32x4", `-2.0f * ${source.text(logarithm)}`));
  const side = `select(${source.text(compute("cos", angle))}, ${source.text(compute("sin", angle))}, (${place} & 1) == 0)`;
  return source.value("f32x4", `${side} * ${source.text(radius)}`);
}

/** Integers from `low` on: the word, modulo the size of the range. */
function integers(shader: Shader, tree: ExpressionTree): Make {
  const { source } = shader;
  const { low, high } = attributesOf(tree, "randomUniformInt");
  const isWide = dtypeSize(tree.dtype) === 8;
  if (low === null || high === null) {
    if (isWide)
      return (words, place) =>
        source.value("u64x2", `vec2<u32>(${words}[${place} * 2], ${words}[${place} * 2 + 1])`).as(laneKind(tree.dtype));
    return (words, place) => source.value("u32x4", `${words}[${place}]`).as(laneKind(tree.dtype));
  }
  if (isWide) throw noForm(`a range of ${tree.op}`, tree.dtype);
  const [start, size] = [Number(BigInt.asIntN(32, low)), Number(BigInt.asIntN(32, high - low))].map(
    (value) => `u32(${shader.word(value)})`,
  );
  // A range of all 2^32 values has the size 0 here, and WGSL gives 0 for a remainder of a division by 0.
  return (words, place) =>
    source.value("u32x4", `${start} + select(${words}[${place}] % ${size}, ${words}[${place}], ${size} == 0u)`).as(laneKind(tree.dtype));
}
