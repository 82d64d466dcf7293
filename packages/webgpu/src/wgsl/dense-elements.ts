/**
 * denseElements: the loop of shaders that compute each element of a result on its own: an invocation computes four words, 256 words apart, so
 * that the invocations of a workgroup read and write side by side. A word has one element of 4 bytes, two of 2 bytes or four of 1 byte;
 * larger elements are computed one by one.
 *
 *     if (all words of the workgroup exist) { w = first ... w = first + 256 ... w = first + 512 ... w = first + 768 ... } else { rare = true }
 *     if (rare) { for (w = first; w < words; w += 256) ... }
 *
 * A short body is written once for each of the four words, without its code for rare values: where there are such values, the loop computes all
 * four again. On SwiftShader exp of 16 MiB takes half of the time of the loop alone, because that computes both sides of each branch.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { Vector } from "@onebuffer/wasm/internal";
import { storedWords, storeElement } from "./element-memory.ts";
import type { Dispatch, Shader } from "./shader.ts";
import type { WgslSource } from "./wgsl-source.ts";

/** Invocations of a workgroup, and words of each. */
const kInvocations = 256;
const kWords = 4;
/** The most lines of a body that is written four times. That of exp has 26. */
const kShortBody = 100;

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
  const writeWord = (): void => {
    if (perWord === 1) {
      const values = valuesAt("w");
      storeElement(source, target, dtype, address === null ? "w" : address("w"), values);
      return;
    }
    source.line("var word = 0u;");
    source.open(`for (var e = 0; e < ${perWord}; e++) {`);
    source.line(`let i = min(w * ${perWord} + e, ${elements} - 1);`);
    const [bits] = valuesAt("i").flatMap((value) => storedWords(source, dtype, value));
    source.line(`word |= ${bits} << (u32(e) * ${bytes * 8}u);`);
    source.close();
    source.line(`${target}[w] = word;`);
  };
  writeForWords(source, words, writeWord);
  return shader.dispatch(form, kInvocations, Math.ceil(units / (kInvocations * kWords)));
}

/** Writes what `write` writes for each of an invocation's words, whose place it calls `w`. */
function writeForWords(source: WgslSource, words: string, write: () => void): void {
  const { lines, hasRare } = source.ordinaryBlock("rare", write);
  const isShort = lines.length <= kShortBody;
  if (isShort) {
    if (hasRare) source.line("var rare = false;");
    source.open(`if ((group + 1) * ${kInvocations * kWords} <= ${words}) {`);
    for (let k = 0; k < kWords; k++) {
      source.open("{");
      source.line(`let w = first + ${k * kInvocations};`);
      for (const line of lines) source.line(line);
      source.close();
    }
    source.reopen("} else {");
    if (hasRare) {
      source.line("rare = true;");
      source.close();
      source.open("if (rare) {");
    }
  }
  source.open(`for (var w = first; w < min(${words}, first + ${kInvocations * kWords}); w += ${kInvocations}) {`);
  write();
  source.close();
  if (isShort) source.close();
}
