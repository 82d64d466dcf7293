/**
 * denseElements: the loop of shaders that compute each element of a result on its own: an invocation computes four words, 256 words apart, so
 * that the invocations of a workgroup read and write side by side. A word has one element of 4 bytes, two of 2 bytes or four of 1 byte;
 * larger elements are computed one by one.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { Vector } from "@onebuffer/wasm/internal";
import { storedWords, storeElement } from "./element-memory.ts";
import type { Dispatch, Shader } from "./shader.ts";

/** Invocations of a workgroup, and words of each. */
const kInvocations = 256;
const kWords = 4;

/** The elements of a loop: their name for explain, the name of their buffer, their dtype there, and how many they are. */
export interface DenseElements {
  readonly form: string;
  readonly target: string;
  readonly dtype: DType;
  readonly count: number;
}

/** Writes the value of the element whose place in the loop has a name: two parts of a complex one. */
type ValuesAt = (place: string) => readonly Vector[];

/**
 * Writes the loop that stores all elements of a buffer, and returns the shader's dispatch. With `address`, which returns the index at which the
 * element is stored, each is stored alone.
 */
export function denseElements(
  shader: Shader,
  { form, target, dtype, count }: DenseElements,
  valuesAt: ValuesAt,
  address: ((place: string) => string) | null = null,
): Dispatch {
  const { source } = shader;
  const bytes = dtypeSize(dtype);
  const perWord = bytes < 4 && address === null ? 4 / bytes : 1;
  const units = Math.ceil(count / perWord);
  const [elements, words] = [shader.word(count), shader.word(units)];
  source.line(`let first = group * ${kInvocations * kWords} + t;`);
  source.open(`for (var w = first; w < min(${words}, first + ${kInvocations * kWords}); w += ${kInvocations}) {`);
  if (perWord === 1) {
    const values = valuesAt("w");
    storeElement(source, target, dtype, address === null ? "w" : address("w"), values);
  } else {
    source.line("var word = 0u;");
    source.open(`for (var e = 0; e < ${perWord}; e++) {`);
    source.line(`let i = min(w * ${perWord} + e, ${elements} - 1);`);
    const [bits] = valuesAt("i").flatMap((value) => storedWords(source, dtype, value));
    source.line(`word |= ${bits} << (u32(e) * ${bytes * 8}u);`);
    source.close();
    source.line(`${target}[w] = word;`);
  }
  source.close();
  return shader.dispatch(form, kInvocations, Math.ceil(units / (kInvocations * kWords)));
}
