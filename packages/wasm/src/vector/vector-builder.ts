/**
 * vector-builder: straight-line SIMD code from a graph of vectors (the part of a compiler behind Eigen's packet math).
 *
 *     emit(4, () => store(exp(load(a)), out))      the code for elements i..i+15, as four copies of four lanes
 *
 * `emit` runs a function that loads, computes, stores and assigns, and then writes the code of what has an effect: nodes
 * that are used once stay on the stack of the machine, the others get a local, taken again after the last use. Each value
 * is made for all copies in turn before the next, so that independent work lies side by side. Constants are set once, in
 * the prologue of the function: engines would make them anew inside a loop. Pointers, loops and remainders are the
 * caller's; this file does not branch but for `when` and `guard`.
 */
import { InternalError } from "@onebuffer/base";
import type { WasmFunction } from "../assembler/assembler.ts";
import type { Callable, CodeWriter } from "../assembler/assembler-code.ts";
import type { MemoryLaneInstruction, PlainInstruction } from "../assembler/assembler-instructions.ts";
import { instructionsByName } from "../assembler/assembler-instructions.ts";
import type { VectorKind, VectorLoad, VectorNode, VectorRegion, VectorSource } from "./vector.ts";
import { laneBytes, Vector } from "./vector.ts";
import { VectorSchedule } from "./vector-schedule.ts";

/** How code is made. */
export interface VectorBuilderOptions {
  /** Relaxed SIMD instructions may be used (the engine has been asked). Results then depend on the machine in the last bit. */
  readonly relaxed?: boolean;
}

/** Registers that live across `emit`s, one for each copy: accumulators, values carried around a loop. */
export interface VectorVariable {
  readonly kind: VectorKind;
  /** The locals, copy 0 first. */
  readonly locals: readonly number[];
}

const scratch = new DataView(new ArrayBuffer(16));

/** Writes lanes of `kind` to the scratch bytes. */
function fillScratch(kind: VectorKind, values: readonly (number | bigint)[]): void {
  const size = laneBytes[kind];
  for (let lane = 0; lane < 16 / size; lane++) {
    const value = values[lane % values.length]!;
    const at = lane * size;
    if (kind === "f32x4") scratch.setFloat32(at, Number(value), true);
    else if (kind === "f64x2") scratch.setFloat64(at, Number(value), true);
    else if (size === 8) scratch.setBigInt64(at, BigInt.asIntN(64, BigInt(value)), true);
    else if (size === 4) scratch.setInt32(at, Number(value), true);
    else if (size === 2) scratch.setInt16(at, Number(value), true);
    else scratch.setInt8(at, Number(value));
  }
}

const kSplats: Readonly<Record<VectorKind, PlainInstruction>> = {
  f32x4: "f32x4.splat",
  f64x2: "f64x2.splat",
  i8x16: "i8x16.splat",
  u8x16: "i8x16.splat",
  i16x8: "i16x8.splat",
  u16x8: "i16x8.splat",
  i32x4: "i32x4.splat",
  u32x4: "i32x4.splat",
  i64x2: "i64x2.splat",
  u64x2: "i64x2.splat",
};

const kWidening = {
  i16x8: "v128.load8x8_s",
  u16x8: "v128.load8x8_u",
  i32x4: "v128.load16x4_s",
  u32x4: "v128.load16x4_u",
  i64x2: "v128.load32x2_s",
  u64x2: "v128.load32x2_u",
} as const;

/** Writes SIMD code into one function. */
export class VectorBuilder implements VectorSource {
  readonly target: WasmFunction;
  readonly relaxed: boolean;
  readonly #code: CodeWriter;
  /** Constants of the prologue by their bits, and the same as nodes of the current `emit`. */
  readonly #constantLocals = new Map<string, number>();
  readonly #leaves = new Map<string, Vector>();
  /** Nodes of the current `emit` by instruction and arguments, one map for each open region. */
  #known: Map<number, Vector>[] = [];
  /** The innermost open region, and those around it. */
  #region: VectorRegion | null = null;
  readonly #open: VectorRegion[] = [];
  #schedule: VectorSchedule | null = null;
  /** Whether this `emit` may leave a group to other code. */
  #isGuarded = false;
  #nextId = 0;
  /** Locals that no value needs any more. */
  readonly #freeLocals: number[] = [];

  constructor(target: WasmFunction, options: VectorBuilderOptions = {}) {
    this.target = target;
    this.relaxed = options.relaxed === true;
    this.#code = target.body;
  }

  /**
   * Writes the code of what `write` stores and assigns, `copies` times side by side. Vectors made inside are good until it
   * ends. With `leave`, code that `guard` speaks of branches away there, and nothing has been stored or assigned. Throws
   * INTERNAL when one `emit` is inside another.
   */
  emit(copies: number, write: () => void, leave: (() => void) | null = null): void {
    if (this.#schedule !== null) throw new InternalError("emit inside emit");
    this.#isGuarded = leave !== null;
    this.#schedule = new VectorSchedule(this.target, this.#code, this.#freeLocals, copies);
    this.#known = [new Map()];
    this.#leaves.clear();
    this.#nextId = 0;
    try {
      write();
      this.#schedule.run(leave);
    } finally {
      this.#schedule = null;
    }
  }

  /** Throws INTERNAL for a vector of another builder, or of a `when` that has ended. */
  #checkUsable(vector: Vector): void {
    const isOpen = vector.region === null || vector.region === this.#region || this.#open.includes(vector.region);
    if (vector.source !== this || !isOpen) throw new InternalError("a vector is used where it has no value");
  }

  /** The schedule, for an effect on `value`. Effects are not conditional. */
  #effects(value: Vector): VectorSchedule {
    if (this.#region !== null) throw new InternalError("a store or an assignment inside when");
    this.#checkUsable(value);
    return this.#active();
  }

  #active(): VectorSchedule {
    if (this.#schedule === null) throw new InternalError("vectors are made inside emit");
    return this.#schedule;
  }

  #node(kind: VectorKind, node: VectorNode, region: VectorRegion | null = this.#region): Vector {
    if ("args" in node) for (const each of node.args) this.#checkUsable(each);
    const made = new Vector(this, this.#nextId++, kind, node, region);
    this.#active().add(made);
    return made;
  }

  /** All lanes `value`: from a local that the prologue sets; inside `when`, which is rare, in place. */
  constant(kind: VectorKind, value: number | bigint): Vector {
    return this.constants(kind, [value]);
  }

  /** Lanes with values of their own, repeated when there are fewer than lanes. */
  constants(kind: VectorKind, values: readonly (number | bigint)[]): Vector {
    fillScratch(kind, values);
    const low = scratch.getBigUint64(0, true);
    const high = scratch.getBigUint64(8, true);
    const key = `${low},${high}`;
    const known = this.#leaves.get(key);
    if (known !== undefined && (known.region === null || known.region === this.#region)) return known.as(kind);
    let local = this.#constantLocals.get(key);
    if (local === undefined && this.#region !== null)
      return this.#node(kind, { type: "bits", bytes: new Uint8Array(scratch.buffer.slice(0)) });
    if (local === undefined) {
      local = this.target.local("v128", "constant");
      this.#constantLocals.set(key, local);
      this.target.prologue.v128(new Uint8Array(scratch.buffer)).set(local);
    }
    const made = this.#node(kind, { type: "local", locals: [local] }, null);
    this.#leaves.set(key, made);
    return made;
  }

  /** A v128 local of the caller's, the same for all copies, that nothing in this `emit` assigns. */
  fromLocal(kind: VectorKind, local: number): Vector {
    return this.#node(kind, { type: "local", locals: [local] });
  }

  /** A scalar local (i32 for integers of up to 32 bits, i64, f32 or f64) in all lanes. */
  splat(kind: VectorKind, local: number): Vector {
    return this.#node(kind, { type: "splat", name: kSplats[kind], local });
  }

  /** 16 bytes at `pointer` (an i32 local) + `offset`; each copy is `step` bytes behind the one before. */
  load(kind: VectorKind, pointer: number, offset: number = 0, step: number = 16): Vector {
    return this.loadWith("v128.load", kind, pointer, offset, step);
  }

  /** One element in all lanes. Copies read the same one unless `step` says otherwise. */
  loadSplat(kind: VectorKind, pointer: number, offset: number = 0, step: number = 0): Vector {
    const bits = (laneBytes[kind] * 8) as 8 | 16 | 32 | 64;
    return this.loadWith(`v128.load${bits}_splat`, kind, pointer, offset, step);
  }

  /** 8 bytes with elements of half the width of `kind`, each made as wide as its lanes. */
  loadWiden(kind: keyof typeof kWidening, pointer: number, offset: number = 0, step: number = 8): Vector {
    return this.loadWith(kWidening[kind], kind, pointer, offset, step);
  }

  /** One element, in lane 0; what the other lanes hold is not said. For remainders. */
  loadOne(kind: VectorKind, pointer: number, offset: number = 0, step: number = laneBytes[kind]): Vector {
    const bits = (laneBytes[kind] * 8) as 8 | 16 | 32 | 64;
    return this.loadWith(bits < 32 ? `v128.load${bits as 8 | 16}_splat` : `v128.load${bits as 32 | 64}_zero`, kind, pointer, offset, step);
  }

  /** Any load instruction. */
  loadWith(instruction: VectorLoad, kind: VectorKind, pointer: number, offset: number, step: number): Vector {
    return this.#node(kind, { type: "load", instruction, pointer, offset, step });
  }

  /** `into` with lane `lane` read from memory. */
  loadLane(into: Vector, lane: number, pointer: number, offset: number = 0, step: number = 16): Vector {
    const bits = (laneBytes[into.kind] * 8) as 8 | 16 | 32 | 64;
    return this.#node(into.kind, { type: "load-lane", instruction: `v128.load${bits}_lane`, args: [into], lane, pointer, offset, step });
  }

  /** Writes 16 bytes. Loads written before it in the function are done before it. */
  store(value: Vector, pointer: number, offset: number = 0, step: number = 16): void {
    this.#effects(value).store({ value, lane: null, pointer, offset, step });
  }

  /** Writes one lane. */
  storeLane(value: Vector, lane: number, pointer: number, offset: number = 0, step: number = laneBytes[value.kind]): void {
    const bits = (laneBytes[value.kind] * 8) as 8 | 16 | 32 | 64;
    const name: MemoryLaneInstruction = `v128.store${bits}_lane`;
    this.#effects(value).store({ value, lane: { name, lane }, pointer, offset, step });
  }

  /** New registers that keep their values across `emit`s, zero at first. */
  variable(kind: VectorKind, copies: number, name: string = "v"): VectorVariable {
    return { kind, locals: Array.from({ length: copies }, () => this.target.local("v128", name)) };
  }

  /** What a variable holds: copy u has register u (or register 0 when there is only that). After `assign` it is the new value. */
  read(variable: VectorVariable): Vector {
    const assigned = this.#active().assigned(variable.locals);
    if (assigned !== undefined) return assigned;
    return this.#node(variable.kind, { type: "local", locals: variable.locals });
  }

  /** Gives a variable a new value at the end of the `emit`; what was read before stays the old one. */
  assign(variable: VectorVariable, value: Vector): void {
    if (value.kind !== variable.kind) throw new InternalError(`a variable is ${variable.kind}, its new value ${value.kind}`);
    this.#effects(value).assign(variable.locals, value);
  }

  /** The result of any instruction that takes vectors (and a shift fixed in the code), of the kind that is named. */
  instruction(kind: VectorKind, name: PlainInstruction, args: readonly Vector[], shift: number | null = null): Vector {
    const opcode = instructionsByName.get(name);
    if (opcode === undefined) throw new InternalError(`${kind} has no instruction ${name}`);
    // Equal instructions are one node: up to 2^9 instructions and 2^13 nodes make a key that a double holds exactly.
    const first = args[0]!.id;
    const second = args.length > 1 ? args[1]!.id : shift === null ? 0 : shift + 1;
    const third = args.length > 2 ? args[2]!.id : 0;
    const key = (((opcode.opcode & 0x1ff) * 8192 + first) * 8192 + second) * 8192 + third;
    if (this.#nextId < 8192) {
      for (const scope of this.#known) {
        const known = scope.get(key);
        if (known !== undefined) return known.as(kind);
      }
    }
    const made = this.#node(kind, { type: "instruction", name, args, shift });
    this.#known.at(-1)!.set(key, made);
    return made;
  }

  /** A scalar instruction of 64-bit integers on both lanes. What traps as a scalar traps. */
  longs(name: PlainInstruction, a: Vector, b: Vector): Vector {
    return this.#scalars(a.kind, name, a, b);
  }

  /** A function (f64, f64) -> f64 of the module, called for both lanes of two f64x2. */
  calls(target: Callable, a: Vector, b: Vector): Vector {
    if (a.kind !== "f64x2" || b.kind !== "f64x2") throw new InternalError(`calls are of f64x2, not of ${a.kind} and ${b.kind}`);
    return this.#scalars("f64x2", target, a, b);
  }

  /** Each operand is read twice, once for each lane, and so has a local. */
  #scalars(kind: VectorKind, what: PlainInstruction | Callable, a: Vector, b: Vector): Vector {
    return this.#node(kind, { type: "scalars", what, args: [a, b, a, b] });
  }

  /** Bytes of `a` (0 to 15) and `b` (16 to 31) in a new order. */
  shuffle(kind: VectorKind, a: Vector, b: Vector, bytes: readonly number[]): Vector {
    return this.#node(kind, { type: "shuffle", args: [a, b], lanes: bytes });
  }

  /**
   * What `then` answers where some lane of `mask` has a bit set, otherwise `otherwise`: a branch around code that is
   * seldom needed. All lanes get the value of `then`, so it must be right (or selected) in lanes without a bit, too.
   */
  when(mask: Vector, otherwise: Vector, then: () => Vector): Vector {
    const outer = this.#region;
    const region: VectorRegion = { result: null, captured: new Map() };
    if (outer !== null) this.#open.push(outer);
    this.#region = region;
    this.#known.push(new Map());
    const schedule = this.#active();
    try {
      region.result = then();
    } finally {
      this.#known.pop();
      if (outer !== null) this.#open.pop();
      this.#region = outer;
    }
    if (region.result.kind !== otherwise.kind) throw new InternalError(`when answers ${region.result.kind}, otherwise ${otherwise.kind}`);
    schedule.capture(region);
    return this.#node(otherwise.kind, { type: "when", args: [otherwise, mask], region });
  }

  /**
   * Asks for groups in which a lane of `value` (u32x4 or u64x2) is above `limit` to be left to other code. If it answers true, they are,
   * and what this code makes of them does not matter; false means that there is no other code. One test serves all copies and lanes:
   * it is cheaper than `when`, and the values behind it need no selecting. Throws INTERNAL for another kind, and for a limit that is no
   * unsigned 32-bit integer.
   */
  guard(value: Vector, limit: number): boolean {
    if (!this.#isGuarded || this.#region !== null) return false;
    if (value.kind !== "u32x4" && value.kind !== "u64x2") throw new InternalError(`a guard is u32x4 or u64x2, not ${value.kind}`);
    if (limit >>> 0 !== limit) throw new InternalError(`a guard's limit is an unsigned 32-bit integer, not ${limit}`);
    this.#effects(value).guard(value, limit);
    return true;
  }
}
