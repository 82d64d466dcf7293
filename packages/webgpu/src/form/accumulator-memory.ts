/**
 * Accumulators in memory: the words of each variable one after the other, for shaders that go on with what an earlier dispatch has added up.
 */
import type { Shader } from "../wgsl/shader.ts";
import type { WgslType } from "../wgsl/wgsl-kinds.ts";
import { bitcast } from "../wgsl/wgsl-kinds.ts";
import type { Accumulator } from "./accumulators.ts";

const wordsOf = (type: WgslType): number => (type === "vec2<u32>" ? 2 : 1);

/** Returns the words of an accumulator. */
export function accumulatorWords({ variables }: Accumulator): number {
  return variables.reduce((sum, { type }) => sum + wordsOf(type), 0);
}

/** Declares the variables of an accumulator, over no elements. */
export function declareAccumulator({ source }: Shader, { variables }: Accumulator, names: readonly string[]): void {
  variables.forEach(({ type, first }, k) => source.line(`var ${names[k]}: ${type} = ${first};`));
}

/** Writes the loads of an accumulator's variables from the words of a buffer that begin at an index. */
export function loadAccumulator(
  { source }: Shader,
  { variables }: Accumulator,
  buffer: string,
  at: string,
  names: readonly string[],
): void {
  let word = 0;
  variables.forEach(({ type }, k) => {
    const [low, high] = [`${buffer}[${at} + ${word}]`, `${buffer}[${at} + ${word + 1}]`];
    source.line(`${names[k]} = ${type === "vec2<u32>" ? `${type}(${low}, ${high})` : bitcast(low, "u32", type)};`);
    word += wordsOf(type);
  });
}

/** Writes the stores of an accumulator's variables. */
export function storeAccumulator(
  { source }: Shader,
  { variables }: Accumulator,
  buffer: string,
  at: string,
  names: readonly string[],
): void {
  let word = 0;
  variables.forEach(({ type }, k) => {
    const parts = type === "vec2<u32>" ? [`${names[k]}.x`, `${names[k]}.y`] : [bitcast(names[k]!, type, "u32")];
    for (const part of parts) source.line(`${buffer}[${at} + ${word++}] = ${part};`);
  });
}
