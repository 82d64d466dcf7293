/**
 * Shader: one compute shader that is being written: the words of its uniform buffer, its storage buffers and its body.
 *
 *     const shader = new Shader();
 *     const n = shader.word(1000);                        a number that is not part of the text
 *     const x = shader.buffer(slot, "read");              "b0": an array of words
 *     const y = shader.buffer(target, "write");
 *     shader.source.open(`if (thread < ${n}) {`);
 *     shader.source.line(`${y}[thread] = ${x}[thread];`);
 *     shader.source.close();
 *     shader.dispatch("copy", 256, Math.ceil(1000 / 256))
 *
 * In the body `group` is the number of the workgroup, `t` that of the invocation in it, both i32, and `thread` is group * size + t. `zero` is
 * a u32 of 0 that no compiler knows.
 */
import type { BufferAccess, ShaderCode } from "../gpu/pipelines.ts";
import { functionTexts } from "./wgsl-functions.ts";
import { WgslSource } from "./wgsl-source.ts";

/** The most workgroups of one dimension of a dispatch. */
const kMostGroups = 65535;

/** A shader with the numbers of its uniform buffer, the memory that it is bound to, and its workgroups. */
export interface Dispatch extends ShaderCode {
  readonly kind: "dispatch";
  /** What it is, for explain: "map", "rows". */
  readonly form: string;
  readonly words: Int32Array;
  /** The numbers of the memory that is bound to the storage buffers. */
  readonly slots: readonly number[];
  readonly groups: readonly [x: number, y: number, z: number];
}

/** A storage buffer of a shader. */
interface Bound {
  readonly slot: number;
  readonly access: BufferAccess;
}

/** The types of storage buffers. */
const kTypes: Readonly<Record<BufferAccess, string>> = {
  read: "read> : array<u32>",
  write: "read_write> : array<u32>",
  add: "read_write> : array<atomic<u32>>",
};

/** A compute shader that is being written. */
export class Shader {
  readonly source: WgslSource = new WgslSource();
  /** The first two words are the unknown zero, and the number of workgroups in x. */
  readonly #words: number[] = [0, 1];
  readonly #buffers: Bound[] = [];
  readonly #declarations: string[] = [];

  /** Adds a number of 32 bits to the uniform buffer, and returns its text, of type i32. */
  word(value: number): string {
    const at = this.#words.push(value | 0) - 1;
    return `p[${at >> 2}][${at & 3}]`;
  }

  /** Binds the memory of a slot, and returns the name of the buffer. The same slot is bound once. */
  buffer(slot: number, access: BufferAccess): string {
    let at = this.#buffers.findIndex((bound) => bound.slot === slot);
    if (at < 0) at = this.#buffers.push({ slot, access }) - 1;
    return `b${at}`;
  }

  /** Adds a declaration outside of the function, such as an array in workgroup memory. */
  declare(text: string): void {
    this.#declarations.push(text);
  }

  /** Returns the dispatch of the shader by workgroups of `size` invocations. */
  dispatch(form: string, size: number, groups: number): Dispatch {
    const x = Math.min(groups, kMostGroups);
    this.#words[1] = x;
    const words = new Int32Array(Math.ceil(this.#words.length / 4) * 4);
    words.set(this.#words);
    const code = [
      `@group(0) @binding(0) var<uniform> p: array<vec4<i32>, ${words.length / 4}>;`,
      ...this.#buffers.map(({ access }, k) => `@group(0) @binding(${k + 1}) var<storage, ${kTypes[access].replace(" :", ` b${k}:`)};`),
      "var<private> zero: u32;",
      ...this.#declarations,
      ...functionTexts(this.source.functions),
      `@compute @workgroup_size(${size})`,
      "fn main(@builtin(workgroup_id) place: vec3<u32>, @builtin(local_invocation_index) invocation: u32) {",
      "  zero = u32(p[0][0]);",
      "  let group = i32(place.x) + i32(place.y) * p[0][1];",
      "  let t = i32(invocation);",
      `  let thread = group * ${size} + t;`,
      ...this.source.lines,
      "}",
    ].join("\n");
    return {
      kind: "dispatch",
      form,
      code,
      accesses: this.#buffers.map(({ access }) => access),
      words,
      slots: this.#buffers.map(({ slot }) => slot),
      groups: [x, Math.ceil(groups / x), 1],
    };
  }
}
