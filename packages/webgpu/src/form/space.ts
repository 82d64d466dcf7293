/**
 * Space: the index space of a program's shader: where each operand is bound, and its address by coordinates.
 *
 * Numbers are words of the uniform buffer. A stride of 0 or 1 is part of the text instead: the loops of one structure have the same ones
 * in most calls, and addresses are shorter by them.
 */
import type { Program } from "@onebuffer/compiler/internal";
import type { Access, LoopNest } from "@onebuffer/kernels/internal";
import type { Shader } from "../wgsl/shader.ts";

/** Returns the bytes of the unit in which an operand's places are counted: its elements; a ramp's are numbers. */
function unitOf(program: Program, k: number): number {
  const { source, itemBytes } = program.operands[k]!;
  return source === null ? 1 : itemBytes;
}

/** The addresses of one shader. */
export class Space {
  readonly sizes: readonly number[];
  readonly #shader: Shader;
  /** The sizes of the loops, as texts. */
  readonly #sizeTexts: readonly string[];
  /** For each access, the target first: the text of its start, and those of its strides, "" for 0. */
  readonly #starts: readonly string[];
  readonly #strides: readonly (readonly string[])[];

  constructor(shader: Shader, program: Program, { sizes, accesses }: LoopNest, targetBytes: number) {
    this.#shader = shader;
    this.sizes = sizes;
    this.#sizeTexts = sizes.map((size) => shader.word(size));
    const units = accesses.map((_, a) => (a === 0 ? targetBytes : unitOf(program, a - 1)));
    this.#starts = accesses.map(({ start }, a) => this.#number(start / units[a]!));
    this.#strides = accesses.map(({ strides }, a) => strides.map((stride) => this.#number(stride / units[a]!)));
  }

  /** Returns a number as a text: "" for 0, "1" for 1, else a word of the uniform buffer. */
  #number(value: number): string {
    return value === 0 ? "" : value === 1 ? "1" : this.#shader.word(value);
  }

  /** Writes the coordinates of the loops from `from` to `to` - 1 of an index that counts them. Returns their names. */
  coordinates(index: string, from: number, to: number): string[] {
    const { source } = this.#shader;
    const names: string[] = [];
    let rest = index;
    for (let loop = to - 1; loop > from; loop--) {
      const size = this.#sizeTexts[loop]!;
      names.unshift(source.text(source.value("i32x4", `${rest} % ${size}`)));
      rest = source.text(source.value("i32x4", `${rest} / ${size}`));
    }
    if (to > from) names.unshift(rest);
    return names;
  }

  /** Returns the address of an access: the target is access 0, operand k access k + 1. */
  address(access: number, coordinates: readonly string[], from: number = 0, first: string = this.#starts[access]!): string {
    const parts = first === "" ? [] : [first];
    coordinates.forEach((name, k) => {
      const stride = this.#strides[access]![from + k]!;
      if (stride !== "") parts.push(stride === "1" ? name : `${name} * ${stride}`);
    });
    return parts.length === 0 ? "0i" : parts.join(" + ");
  }

  /** Returns true if an access moves in a loop from `from` on. */
  static moves({ strides }: Access, from: number): boolean {
    return strides.some((stride, loop) => loop >= from && stride !== 0);
  }
}
