/**
 * The form "map" of programs without reductions: an invocation computes four words of the result, 256 words apart, so that the invocations of a
 * workgroup read and write side by side. A word has one element of 4 bytes, two of 2 bytes or four of 1 byte; larger elements are computed
 * one by one.
 */
import { dtypeSize } from "@onebuffer/base";
import { storedWords } from "../wgsl/element-memory.ts";
import type { Dispatch } from "../wgsl/shader.ts";
import { programShader, storedDType, storeResult } from "./program-shader.ts";
import type { ProgramLoops, ProgramStep } from "./program-shader.ts";

/** Invocations of a workgroup, and words of each. */
const kInvocations = 256;
const kWords = 4;

/** Returns the dispatch of a program without reductions. */
export function mapDispatch(step: ProgramStep, loops: ProgramLoops): Dispatch {
  const { dtype, part } = step;
  const made = programShader(step, loops, part === null);
  const { shader, space, values, program, target } = made;
  const { source } = shader;
  const bytes = dtypeSize(dtype);
  const perWord = bytes < 4 && part === null ? 4 / bytes : 1;
  const units = Math.ceil(loops.rows / perWord);
  const [elements, count] = [shader.word(loops.rows), shader.word(units)];
  values.beginRow([]);
  values.prepare([program.result]);
  source.line(`let first = group * ${kInvocations * kWords} + t;`);
  source.open(`for (var w = first; w < min(${count}, first + ${kInvocations * kWords}); w += ${kInvocations}) {`);
  if (perWord === 1) {
    const coordinates = space.coordinates("w", 0, space.sizes.length);
    values.beginElement(coordinates);
    storeResult(made, dtype, part === null ? "w" : space.address(0, coordinates));
  } else {
    source.line("var word = 0u;");
    source.open(`for (var e = 0; e < ${perWord}; e++) {`);
    source.line(`let i = min(w * ${perWord} + e, ${elements} - 1);`);
    values.beginElement(space.coordinates("i", 0, space.sizes.length));
    const [bits] = values.parts(program.result).flatMap((value) => storedWords(source, storedDType(program, dtype), value));
    source.line(`word |= ${bits} << (u32(e) * ${bytes * 8}u);`);
    source.close();
    source.line(`${target}[w] = word;`);
  }
  values.endElement();
  source.close();
  return shader.dispatch("map", kInvocations, Math.ceil(units / (kInvocations * kWords)));
}
