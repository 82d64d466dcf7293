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

/** Where an accumulator is in memory: a buffer, and the index of its first word. */
export interface AccumulatorPlace {
  readonly buffer: string;
  readonly at: string;
}

/** Returns the words of each variable. */
function wordTexts({ variables }: Accumulator, { buffer, at }: AccumulatorPlace): string[][] {
  let word = 0;
  return variables.map(({ type }) => Array.from({ length: wordsOf(type) }, () => `${buffer}[${at} + ${word++}]`));
}

/** Writes the loads of an accumulator's variables. */
export function loadAccumulator({ source }: Shader, accumulator: Accumulator, from: AccumulatorPlace, names: readonly string[]): void {
  const texts = wordTexts(accumulator, from);
  accumulator.variables.forEach(({ type }, k) => {
    const words = texts[k]!;
    source.line(`${names[k]} = ${words.length > 1 ? `${type}(${words.join(", ")})` : bitcast(words[0]!, "u32", type)};`);
  });
}

/** Writes the stores of an accumulator's variables. */
export function storeAccumulator({ source }: Shader, accumulator: Accumulator, to: AccumulatorPlace, names: readonly string[]): void {
  const texts = wordTexts(accumulator, to);
  accumulator.variables.forEach(({ type }, k) => {
    const words = texts[k]!;
    const parts = words.length > 1 ? [`${names[k]}.x`, `${names[k]}.y`] : [bitcast(names[k]!, type, "u32")];
    parts.forEach((part, n) => source.line(`${words[n]} = ${part};`));
  });
}
