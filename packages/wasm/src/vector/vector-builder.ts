/**
 * VectorBuilder: generates straight-line SIMD code from a graph of vectors. For Eigen's packet math, the C++ compiler does this.
 *
 *     emit(4, () => store(exp(load(a)), out))      the code for elements i..i+15, as four copies of four lanes
 *
 * `emit` runs a function that loads, computes, stores and assigns, and then writes the code of all stores and assignments. A node that is
 * used once stays on the stack; other nodes get a local, which is reused after their last use. Each value is computed for all copies
 * before the next value, so that independent instructions are adjacent. Constants are set once, in the prologue of the function,
 * because engines would load them again in each pass of a loop. The caller writes pointers, loops and remainders; this file generates
 * no branches except for `when` and `guard`.
 */
import { InternalError } from "@onebuffer/base";
import type { WasmFunction } from "../assembler/assembler.ts";
import type { Callable, CodeWriter } from "../assembler/assembler-code.ts";
import type { MemoryLaneInstruction, PlainInstruction } from "../assembler/assembler-instructions.ts";
import { instructionsByName } from "../assembler/assembler-instructions.ts";
import type { VectorKind, VectorLoad, VectorNode, VectorRegion, VectorSource } from "./vector.ts";
import { kByLane, laneBytes, shapeOf, Vector } from "./vector.ts";
import { VectorSchedule } from "./vector-schedule.ts";

/** The options of a VectorBuilder. */
export interface VectorBuilderOptions {
  /** True if relaxed SIMD instructions may be used; the engine must have them. The last bit of results then depends on the machine. */
  readonly relaxed?: boolean;
}

/** Registers that keep their values between calls of `emit`, one for each copy: accumulators and other loop-carried values. */
export interface VectorVariable {
  readonly kind: VectorKind;
  /** The local of each copy. */
  readonly locals: readonly number[];
}

const scratch = new DataView(new ArrayBuffer(16));
const scratchWords = new Int32Array(scratch.buffer);

/** Writes lanes of `kind` to the scratch bytes, repeating `values` if there are fewer than lanes. */
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

/** Writes SIMD code into the body and the prologue of one function. */
export class VectorBuilder implements VectorSource {
  readonly target: WasmFunction;
  readonly relaxed: boolean;
  readonly #code: CodeWriter;
  /** The locals of constants by their bits, and the nodes of constants in the current `emit`. */
  readonly #constantLocals = new Map<string, number>();
  readonly #leaves = new Map<string, Vector>();
  /** Nodes of the current `emit` by instruction and arguments, one map for each open region. */
  #known: Map<number, Vector>[] = [];
  /** The innermost open `when`, and those around it. */
  #region: VectorRegion | null = null;
  readonly #open: VectorRegion[] = [];
  #schedule: VectorSchedule | null = null;
  /** True if the current `emit` has a `leave`, so that `guard` is possible. */
  #isGuarded = false;
  #nextId = 0;
  /** Locals that can be reused. */
  readonly #freeLocals: number[] = [];

  constructor(target: WasmFunction, options: VectorBuilderOptions = {}) {
    this.target = target;
    this.relaxed = options.relaxed === true;
    this.#code = target.body;
  }

  /**
   * Writes the code of all stores and assignments that `write` makes, for `copies` copies side by side. Vectors made inside are valid until
   * `emit` ends. `leave` writes a branch to other code, which is taken if a value exceeds the limit of a `guard`; nothing has been
   * stored or assigned at that point. Throws INTERNAL inside another `emit`.
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

  /** Throws INTERNAL for a vector of another builder or of a `when` that has ended. */
  #checkUsable(vector: Vector): void {
    const isOpen = vector.region === null || vector.region === this.#region || this.#open.includes(vector.region);
    if (vector.source !== this || !isOpen) throw new InternalError("a vector is used where it has no value");
  }

  /** Returns the schedule for a store, an assignment or a guard of `value`. Throws INTERNAL inside `when`, where these are not allowed. */
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

  /**
   * Returns a vector with `value` in all lanes. It is a local that the prologue sets. A constant that is first used inside `when`, whose
   * code seldom runs, is pushed in place.
   */
  constant(kind: VectorKind, value: number | bigint): Vector {
    return this.constants(kind, [value]);
  }

  /** Returns a vector with a value for each lane. `values` are repeated if there are fewer than lanes. */
  constants(kind: VectorKind, values: readonly (number | bigint)[]): Vector {
    fillScratch(kind, values);
    const key = scratchWords.join();
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

  /** Returns the value of a v128 local of the caller. It is the same for all copies, and nothing in this `emit` may assign it. */
  fromLocal(kind: VectorKind, local: number): Vector {
    return this.#node(kind, { type: "local", locals: [local] });
  }

  /**
   * Returns a scalar local (i32 for integers of up to 32 bits, i64, f32 or f64) in all lanes. Each copy has `step` more than the one before;
   * a step other than 0 needs a local of 32 bits.
   */
  splat(kind: VectorKind, local: number, step: number = 0): Vector {
    return this.#node(kind, { type: "splat", name: `${shapeOf(kind)}.splat`, local, step });
  }

  /** Loads 16 bytes at `pointer` (an i32 local) + `offset`. Each copy reads `step` bytes after the one before. */
  load(kind: VectorKind, pointer: number, offset: number = 0, step: number = 16): Vector {
    return this.loadWith("v128.load", kind, pointer, offset, step);
  }

  /** Loads one element into all lanes. With the default `step` of 0 all copies read the same element. */
  loadSplat(kind: VectorKind, pointer: number, offset: number = 0, step: number = 0): Vector {
    const bits = (laneBytes[kind] * 8) as 8 | 16 | 32 | 64;
    return this.loadWith(`v128.load${bits}_splat`, kind, pointer, offset, step);
  }

  /** Loads one element into lane 0; the other lanes are unspecified. For remainders. */
  loadOne(kind: VectorKind, pointer: number, offset: number = 0, step: number = laneBytes[kind]): Vector {
    const bits = (laneBytes[kind] * 8) as 8 | 16 | 32 | 64;
    return this.loadWith(bits < 32 ? `v128.load${bits as 8 | 16}_splat` : `v128.load${bits as 32 | 64}_zero`, kind, pointer, offset, step);
  }

  /** Loads with any load instruction. */
  loadWith(instruction: VectorLoad, kind: VectorKind, pointer: number, offset: number, step: number): Vector {
    return this.#node(kind, { type: "load", instruction, pointer, offset, step });
  }

  /** Returns `into` with lane `lane` loaded from memory. */
  loadLane(into: Vector, lane: number, pointer: number, offset: number = 0, step: number = 16): Vector {
    const bits = (laneBytes[into.kind] * 8) as 8 | 16 | 32 | 64;
    return this.#node(into.kind, { type: "load-lane", instruction: `v128.load${bits}_lane`, args: [into], lane, pointer, offset, step });
  }

  /** Stores 16 bytes. Loads that were made before this call run before the store. */
  store(value: Vector, pointer: number, offset: number = 0, step: number = 16): void {
    this.#effects(value).store({ value, lane: null, pointer, offset, step });
  }

  /** Stores one lane. */
  storeLane(value: Vector, lane: number, pointer: number, offset: number = 0, step: number = laneBytes[value.kind]): void {
    const bits = (laneBytes[value.kind] * 8) as 8 | 16 | 32 | 64;
    const name: MemoryLaneInstruction = `v128.store${bits}_lane`;
    this.#effects(value).store({ value, lane: { name, lane }, pointer, offset, step });
  }

  /** Returns new registers that keep their values between calls of `emit`. They are zero at first. */
  variable(kind: VectorKind, copies: number, name: string = "v"): VectorVariable {
    return { kind, locals: Array.from({ length: copies }, () => this.target.local("v128", name)) };
  }

  /** Returns the value of a variable: copy u reads register u, or register 0 if there is only one. After `assign` it is the new value. */
  read(variable: VectorVariable): Vector {
    const assigned = this.#active().assigned(variable.locals);
    if (assigned !== undefined) return assigned;
    return this.#node(variable.kind, { type: "local", locals: variable.locals });
  }

  /** Assigns a variable at the end of the `emit`. Vectors that were read before keep the old value. Throws INTERNAL for another kind. */
  assign(variable: VectorVariable, value: Vector): void {
    if (value.kind !== variable.kind) throw new InternalError(`a variable is ${variable.kind}, its new value ${value.kind}`);
    this.#effects(value).assign(variable.locals, value);
  }

  /** Returns the result of any instruction on vectors, and a constant shift if it has one (or kByLane), as a vector of kind `kind`. */
  instruction(kind: VectorKind, name: PlainInstruction, args: readonly Vector[], shift: number | null = null): Vector {
    const opcode = instructionsByName.get(name);
    if (opcode === undefined) throw new InternalError(`${kind} has no instruction ${name}`);
    // Equal instructions are one node. A key of 9 bits of opcode and three times 13 bits of node number is exact in a double (48 bits).
    const first = args[0]!.id;
    const second = args.length > 1 ? args[1]!.id : shift === null ? 0 : shift + 1;
    const third = args.length > 2 ? args[2]!.id : shift === kByLane ? 8191 : 0;
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

  /** Applies a scalar instruction of 64-bit integers to both lanes. It traps where the scalar instruction traps. */
  longs(name: PlainInstruction, a: Vector, b: Vector): Vector {
    return this.#scalars(a.kind, name, a, b);
  }

  /** Calls a function (f64, f64) -> f64 of the module for both lanes of two f64x2. Throws INTERNAL for other kinds. */
  calls(target: Callable, a: Vector, b: Vector): Vector {
    if (a.kind !== "f64x2" || b.kind !== "f64x2") throw new InternalError(`calls are of f64x2, not of ${a.kind} and ${b.kind}`);
    return this.#scalars("f64x2", target, a, b);
  }

  /** Makes a node of two scalar operations. Each operand is listed twice, because it is read once per lane, and so it gets a local. */
  #scalars(kind: VectorKind, what: PlainInstruction | Callable, a: Vector, b: Vector): Vector {
    return this.#node(kind, { type: "scalars", what, args: [a, b, a, b] });
  }

  /** Returns bytes of `a` (0 to 15) and of `b` (16 to 31) in a new order. */
  shuffle(kind: VectorKind, a: Vector, b: Vector, bytes: readonly number[]): Vector {
    return this.#node(kind, { type: "shuffle", args: [a, b], lanes: bytes });
  }

  /**
   * Returns the result of `then` if any bit of `mask` is set, otherwise `otherwise`. The code of `then` is skipped by a branch if no bit
   * is set, so this suits code that is seldom needed. If any bit is set, all lanes get the result of `then`, so it must be correct in the
   * other lanes, too; select between the two if need be. Throws INTERNAL if the two have different kinds.
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
    if (region.result.kind !== otherwise.kind)
      throw new InternalError(`the two results of when are ${region.result.kind} and ${otherwise.kind}`);
    schedule.capture(region);
    return this.#node(otherwise.kind, { type: "when", args: [otherwise, mask], region });
  }

  /**
   * Requests that other code (the `leave` of emit) handles each group in which a lane of `value` (u32x4 or u64x2) is above `limit`.
   * Returns true if it will; then the results of this code for such groups do not matter. Returns false if there is no other code, and
   * inside `when`. One test serves all copies and lanes, so a guard is cheaper than `when`, and no values need to be selected.
   *
   * Throws INTERNAL for another kind, and for a limit that is not an unsigned 32-bit integer.
   */
  guard(value: Vector, limit: number): boolean {
    if (!this.#isGuarded || this.#region !== null) return false;
    if (value.kind !== "u32x4" && value.kind !== "u64x2") throw new InternalError(`a guard must be u32x4 or u64x2, not ${value.kind}`);
    if (limit >>> 0 !== limit) throw new InternalError(`a guard's limit must be an unsigned 32-bit integer, not ${limit}`);
    this.#effects(value).guard(value, limit);
    return true;
  }
}
