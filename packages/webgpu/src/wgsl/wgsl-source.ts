/**
 * WgslSource: a VectorSource that writes WGSL in place of WebAssembly. One invocation computes one lane: an f32x4 is an f32, an i32x4 an i32,
 * and a mask is a condition. So the math functions and element operations, which are written once on Vector, become WGSL with the same
 * operations in the same order.
 *
 *     x.mul(x).add(1)        let v0 = v * v;   let v1 = keep(v0 + 0x800000p-23f);
 *
 * The source holds the lines of a function body. `open` and `close` enclose blocks; a value that was computed in a block is not found again
 * outside of it.
 */
import { InternalError, UnimplementedError } from "@onebuffer/base";
import type { Vector as VectorOf, VectorKind, VectorNode, VectorSource } from "@onebuffer/wasm/internal";
import { Vector } from "@onebuffer/wasm/internal";
import { instructionOf } from "./instructions.ts";
import type { WgslFunction } from "./wgsl-functions.ts";
import { reinterpreted, typeOf } from "./wgsl-kinds.ts";
import { literal } from "./wgsl-literals.ts";

/** What the source knows of a vector: the kind in which it was computed, its name or literal, and the condition if it is a mask. */
interface Value {
  readonly kind: VectorKind;
  readonly text: string;
  readonly condition: string | null;
}

/** Vectors of this source are known by their numbers. */
const kNode: VectorNode = { type: "local", locals: [] };

/** The body of a shader's function. */
export class WgslSource implements VectorSource {
  readonly relaxed = false;
  /** The lines that were written. */
  readonly lines: string[] = [];
  /** The functions that the lines call. */
  readonly functions: Set<WgslFunction> = new Set();
  readonly #values: Value[] = [];
  /** Vectors by kind and text, for each open block. */
  readonly #known: Map<string, Vector>[] = [new Map()];
  #names = 0;
  /** The variable that is set for rare values while there is no code for them; null while there is. */
  #rare: { readonly name: string; isSet: boolean } | null = null;

  /** Returns a name that no other value has. */
  name(prefix: string): string {
    return `${prefix}${this.#names++}`;
  }

  /** Adds a line. */
  line(text: string): void {
    this.lines.push("  ".repeat(this.#known.length) + text);
  }

  /** Begins a block, such as `if (x) {`. */
  open(text: string): void {
    this.line(text);
    this.#known.push(new Map());
  }

  /** Ends a block. `text` is the closing brace, and what follows it. */
  close(text: string = "}"): void {
    this.#known.pop();
    this.line(text);
  }

  /** Ends a block and begins another one: `} else {`. */
  reopen(text: string): void {
    this.close(text);
    this.#known.push(new Map());
  }

  /** Returns the lines that `write` writes as a block, without indentation, in place of adding them. */
  block(write: () => void): readonly string[] {
    const first = this.lines.length;
    this.#known.push(new Map());
    const indent = 2 * this.#known.length;
    write();
    this.#known.pop();
    return this.lines.splice(first).map((line) => line.slice(indent));
  }

  /**
   * Returns the lines of a block without the code for rare values, which are wrong for those: the variable `rare`, a bool, is set where there are
   * some. `hasRare` is false if there is no such code.
   */
  ordinaryBlock(rare: string, write: () => void): { readonly lines: readonly string[]; readonly hasRare: boolean } {
    this.#rare = { name: rare, isSet: false };
    const lines = this.block(write);
    const hasRare = this.#rare.isSet;
    this.#rare = null;
    return { lines, hasRare };
  }

  /** Records that the lines call a function, and returns its name. */
  uses(name: WgslFunction): string {
    this.functions.add(name);
    return name;
  }

  /** Returns a vector of an expression, which a line computes once. */
  value(kind: VectorKind, text: string): VectorOf {
    return this.#once(`${kind} ${text}`, () => {
      const name = this.name("v");
      this.line(`let ${name} = ${text};`);
      return this.named(kind, name);
    });
  }

  /** Returns a mask of a condition, which a line computes once. */
  mask(condition: string): VectorOf {
    return this.#once(`mask ${condition}`, () => {
      const name = this.name("c");
      this.line(`let ${name} = ${condition};`);
      return this.#make({ kind: "i32x4", text: `select(0i, -1i, ${name})`, condition: name });
    });
  }

  /** Returns a vector that is a name or a literal already. */
  named(kind: VectorKind, text: string): VectorOf {
    return this.#make({ kind, text, condition: null });
  }

  /** Returns the expression of a vector, read as a kind. */
  text(vector: VectorOf, kind: VectorKind = vector.kind): string {
    const value = this.#valueOf(vector);
    if (value.condition === null) return reinterpreted(value.text, value.kind, kind);
    const type = typeOf(kind);
    if (type === "vec2<u32>") return `vec2<u32>(select(0u, 0xffffffffu, ${value.condition}))`;
    return reinterpreted(value.text, "i32x4", type === "i32" ? "i32x4" : type === "u32" ? kind : "f32x4");
  }

  /** The condition of a mask; null for a vector that is not known to be one. */
  conditionOf(vector: VectorOf): string | null {
    return this.#valueOf(vector).condition;
  }

  /** Returns a vector as a condition: true where its bits are not 0. */
  condition(vector: VectorOf): string {
    const value = this.#valueOf(vector);
    if (value.condition !== null) return value.condition;
    if (typeOf(value.kind) === "vec2<u32>") return `any(${value.text} != vec2<u32>())`;
    return typeOf(value.kind) === "f32" ? `(bitcast<u32>(${value.text}) != 0u)` : `(${value.text} != ${literal(value.kind, 0)})`;
  }

  constant(kind: VectorKind, value: number | bigint): VectorOf {
    return this.named(kind, literal(kind, value));
  }

  constants(kind: VectorKind, values: readonly (number | bigint)[]): VectorOf {
    return this.constant(kind, values[0]!);
  }

  instruction(kind: VectorKind, name: string, args: readonly VectorOf[], shift: number | null = null): VectorOf {
    const made = instructionOf(this, kind, name, args, shift);
    if (made === null) throw new UnimplementedError(`WGSL has no form of ${name}`);
    return made;
  }

  longs(name: string): never {
    throw new UnimplementedError(`WGSL has no form of ${name}`);
  }

  calls(): never {
    throw new UnimplementedError("WGSL has no floats of 64 bits");
  }

  shuffle(kind: VectorKind): never {
    throw new UnimplementedError(`WGSL has no form of a shuffle of ${kind}`);
  }

  guard(): false {
    return false;
  }

  /** Writes a branch: `then` is code for rare values. */
  when(mask: VectorOf, otherwise: VectorOf, then: () => VectorOf): VectorOf {
    if (this.#rare !== null) {
      this.#rare.isSet = true;
      this.line(`${this.#rare.name} = ${this.#rare.name} | ${this.condition(mask)};`);
      return otherwise;
    }
    const name = this.name("r");
    this.line(`var ${name} = ${this.text(otherwise)};`);
    this.open(`if (${this.condition(mask)}) {`);
    this.line(`${name} = ${this.text(then(), otherwise.kind)};`);
    this.close();
    return this.named(otherwise.kind, name);
  }

  #once(key: string, make: () => VectorOf): VectorOf {
    for (const scope of this.#known) {
      const known = scope.get(key);
      if (known !== undefined) return known;
    }
    const made = make();
    this.#known.at(-1)!.set(key, made);
    return made;
  }

  #make(value: Value): VectorOf {
    return new Vector(this, this.#values.push(value) - 1, value.kind, kNode, null);
  }

  #valueOf({ id, source }: VectorOf): Value {
    const value = this.#values[id];
    if (value === undefined || source !== this) throw new InternalError("WebGPU: a vector of another shader");
    return value;
  }
}
