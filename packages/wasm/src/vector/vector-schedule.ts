/**
 * VectorSchedule: turns the nodes, stores and assignments of one `emit` into instructions and locals.
 *
 *     uses       the number of times a live node is an operand; dead nodes are never written
 *     head       a node with a local for each copy: used twice or more, used inside a `when`, or the root of a large tree
 *     tree       the nodes between heads, whose values stay on the stack
 *
 * Stores are written in order. Before each come the heads that it needs and the loads that were made before it, so that a kernel may
 * store to the memory it reads. Assignments come last and all at once: until then every variable has its old value. A local that is no
 * longer needed is reused by later values. Guards are tested after all values are computed and before anything is stored, so that
 * the code that takes over finds memory and variables unchanged.
 */
import type { WasmFunction } from "../assembler/assembler.ts";
import type { CodeWriter } from "../assembler/assembler-code.ts";
import type { MemoryLaneInstruction } from "../assembler/assembler-instructions.ts";
import { kByLane } from "./vector.ts";
import type { Vector, VectorRegion } from "./vector.ts";

/** A write to memory. */
export interface VectorStore {
  readonly value: Vector;
  /** The instruction and the lane if only one lane is stored, otherwise null. */
  readonly lane: { readonly name: MemoryLaneInstruction; readonly lane: number } | null;
  readonly pointer: number;
  readonly offset: number;
  readonly step: number;
}

/** Values of one kind that must not be above a limit. */
interface VectorGuard {
  readonly kind: "u32x4" | "u64x2";
  readonly limit: number;
  readonly values: Vector[];
}

const kNone: readonly Vector[] = [];
/** The largest number of nodes in a tree. Larger trees make smaller code; smaller trees let the copies run in parallel. */
const kMaxTree = 12;

/** Returns the operands of a node. */
function operands({ node }: Vector): readonly Vector[] {
  return "args" in node ? node.args : kNone;
}

/** Returns true if a node is a local or a constant, which needs no local of its own. */
function isLeaf({ node }: Vector): boolean {
  return node.type === "local" || node.type === "bits";
}

/** Collects the nodes and effects of one `emit` and writes their code. */
export class VectorSchedule {
  readonly #target: WasmFunction;
  readonly #code: CodeWriter;
  readonly #freeLocals: number[];
  readonly #copies: number;
  readonly #nodes: Vector[] = [];
  /** The guards: one entry for each limit and lane width. */
  readonly #guards: VectorGuard[] = [];
  readonly #stores: { readonly store: VectorStore; readonly after: number }[] = [];
  /** The new values of variables, by the variable's locals. */
  readonly #assigned = new Map<readonly number[], Vector>();
  /** For each node: its number of uses by live nodes, true if it is a head, its local for each copy, its remaining uses for each copy. */
  readonly #uses: number[] = [];
  readonly #isHead: boolean[] = [];
  readonly #locals: (number[] | undefined)[] = [];
  readonly #usesLeft: (number[] | undefined)[] = [];
  /** The loads that have been written. */
  readonly #loaded: Set<number> = new Set();
  /** The range of copies being written: all of them, or one inside a `when`. */
  #from = 0;
  #to: number;

  constructor(target: WasmFunction, code: CodeWriter, freeLocals: number[], copies: number) {
    this.#target = target;
    this.#code = code;
    this.#freeLocals = freeLocals;
    this.#copies = copies;
    this.#to = copies;
  }

  /** Adds a node. Its id is the number of nodes before it. */
  add(vector: Vector): void {
    this.#nodes.push(vector);
    this.#uses.push(0);
    this.#isHead.push(false);
    this.#locals.push(undefined);
    this.#usesLeft.push(undefined);
  }

  /** Adds a store, after the earlier ones. */
  store(store: VectorStore): void {
    this.#stores.push({ store, after: this.#nodes.length });
  }

  /** Sets the new value of a variable, replacing an earlier one. */
  assign(locals: readonly number[], value: Vector): void {
    this.#assigned.set(locals, value);
  }

  /** Adds a value, u32x4 or u64x2, to the guards. */
  guard(value: Vector, limit: number): void {
    const kind = value.kind as VectorGuard["kind"];
    const known = this.#guards.find((guard) => guard.kind === kind && guard.limit === limit);
    if (known === undefined) this.#guards.push({ kind, limit, values: [value] });
    else known.values.push(value);
  }

  /** Returns the new value of a variable, or undefined if it was not assigned. */
  assigned(locals: readonly number[]): Vector | undefined {
    return this.#assigned.get(locals);
  }

  /** Records which values from outside the code of a `when` uses. */
  capture(region: VectorRegion): void {
    const note = (vector: Vector): void => {
      if (vector.region !== region && !isLeaf(vector)) region.captured.set(vector.id, vector);
    };
    note(region.result!);
    for (const vector of this.#nodes) {
      if (vector.region !== region) continue;
      operands(vector).forEach(note);
      if (vector.node.type === "when") vector.node.region.captured.forEach(note);
    }
  }

  /** Writes the code. `leave` writes the branch to other code, and is needed if there are guards. */
  run(leave: (() => void) | null): void {
    for (const { values } of this.#guards) values.forEach((value) => this.#use(value));
    for (const { store } of this.#stores) this.#use(store.value);
    for (const value of this.#assigned.values()) this.#use(value);
    this.#chooseHeads();
    if (leave !== null && this.#guards.length > 0) this.#writeGuards(leave);
    for (const { store, after } of this.#stores) {
      this.#prepare(store.value);
      this.#finishLoads(after, store.value);
      for (let copy = 0; copy < this.#copies; copy++) {
        this.#code.get(store.pointer);
        this.#push(store.value, copy);
        const offset = store.offset + copy * store.step;
        if (store.lane === null) this.#code.memory("v128.store", offset);
        else this.#code.memoryLane(store.lane.name, store.lane.lane, offset);
      }
    }
    for (const value of this.#assigned.values()) this.#prepare(value);
    // Pushes all new values before it sets the first variable.
    const variables = [...this.#assigned.keys()].reverse();
    for (let copy = 0; copy < this.#copies; copy++) {
      for (const value of this.#assigned.values()) this.#push(value, copy);
      for (const locals of variables) this.#code.set(locals[copy]!);
    }
  }

  /**
   * Computes everything that is stored or assigned, and then writes a branch that leaves if a value is above its limit.
   *
   *     u64x2     value | low high | low high |      is above the limit if its low word is above L or its high word is above 0
   *               limit |   L   0  |   L   0  |
   *
   * Because a limit has 32 bits, lanes of both widths are compared as 32-bit words, and the maximum of all values is taken word by word.
   */
  #writeGuards(leave: () => void): void {
    for (const value of [...this.#stores.map(({ store }) => store.value), ...this.#assigned.values()]) {
      if (!isLeaf(value)) this.#isHead[value.id] = true;
      this.#prepare(value);
    }
    let isFirst = true;
    for (const { kind, limit, values } of this.#guards) {
      values.forEach((value) => this.#prepare(value));
      this.#pushLargest(values);
      if (kind === "u32x4") this.#code.i32(limit | 0).op("i32x4.splat");
      else this.#code.i64(BigInt(limit)).op("i64x2.splat");
      this.#code.op("i32x4.gt_u");
      if (!isFirst) this.#code.op("v128.or");
      isFirst = false;
    }
    this.#code.op("v128.any_true").if();
    leave();
    this.#code.end();
  }

  /** Pushes the maximum of all copies of the values, word by word in 32-bit words. */
  #pushLargest(values: readonly Vector[]): void {
    let isFirst = true;
    for (let copy = 0; copy < this.#copies; copy++) {
      for (const value of values) {
        this.#push(value, copy);
        if (!isFirst) this.#code.op("i32x4.max_u");
        isFirst = false;
      }
    }
  }

  /** Counts a use of a node; if it is the first, also counts the uses of its operands. */
  #use(vector: Vector): void {
    if (++this.#uses[vector.id]! > 1) return;
    for (const each of operands(vector)) this.#use(each);
    if (vector.node.type === "when") this.#use(vector.node.region.result!);
  }

  /** Decides which live nodes are heads. */
  #chooseHeads(): void {
    const sizes: number[] = [];
    for (const vector of this.#nodes) {
      sizes.push(0);
      const { id, node } = vector;
      const uses = this.#uses[id]!;
      if (uses === 0 || isLeaf(vector)) continue;
      let size = 1;
      for (const each of operands(vector)) size += sizes[each.id]!;
      const isHead = uses > 1 || size >= kMaxTree || node.type === "when" || this.#isHead[id] === true;
      this.#isHead[id] = isHead;
      sizes[id] = isHead ? 0 : size;
      if (node.type === "when") for (const each of node.region.captured.keys()) this.#isHead[each] = true;
    }
  }

  /** Writes the heads that `vector` needs, including itself, for the copies being written. */
  #prepare(vector: Vector): void {
    const { id, node } = vector;
    if (isLeaf(vector) || this.#locals[id]?.[this.#from] !== undefined) return;
    for (const each of operands(vector)) this.#prepare(each);
    if (node.type === "when") for (const each of node.region.captured.values()) if (this.#uses[each.id]! > 0) this.#prepare(each);
    if (this.#isHead[id]) this.#writeHead(vector);
  }

  /** Computes a node into a local for each copy being written. */
  #writeHead(vector: Vector): void {
    const locals = (this.#locals[vector.id] ??= []);
    const left = (this.#usesLeft[vector.id] ??= []);
    for (let copy = this.#from; copy < this.#to; copy++) {
      const local = vector.node.type === "when" ? this.#writeWhen(vector, copy) : this.#writeTree(vector, copy);
      locals[copy] = local;
      left[copy] = this.#uses[vector.id]!;
    }
  }

  #writeTree(vector: Vector, copy: number): number {
    this.#pushTree(vector, copy);
    const local = this.#takeLocal();
    this.#code.set(local);
    return local;
  }

  /** Writes `local = otherwise; if (any bit of mask) local = result` and returns the local. */
  #writeWhen(vector: Vector, copy: number): number {
    if (vector.node.type !== "when") return -1;
    const { args, region } = vector.node;
    this.#push(args[0]!, copy);
    const local = this.#takeLocal();
    this.#code.set(local);
    this.#push(args[1]!, copy);
    this.#code.op("v128.any_true").if();
    const [from, to] = [this.#from, this.#to];
    this.#from = copy;
    this.#to = copy + 1;
    this.#prepare(region.result!);
    this.#push(region.result!, copy);
    this.#code.set(local).end();
    this.#from = from;
    this.#to = to;
    return local;
  }

  #takeLocal(): number {
    return this.#freeLocals.pop() ?? this.#target.local("v128");
  }

  /** Pushes a value from its local, or by computing it if it has none. */
  #push(vector: Vector, copy: number): void {
    const local = this.#locals[vector.id]?.[copy];
    if (local === undefined) {
      this.#pushTree(vector, copy);
      return;
    }
    this.#code.get(local);
    const left = this.#usesLeft[vector.id]!;
    left[copy]!--;
    if (left[copy] === 0) this.#freeLocals.push(local);
  }

  #pushTree(vector: Vector, copy: number): void {
    const { node } = vector;
    const code = this.#code;
    switch (node.type) {
      case "local":
        code.get(node.locals.length === 1 ? node.locals[0]! : node.locals[copy]!);
        break;
      case "bits":
        code.v128(node.bytes);
        break;
      case "splat":
        code.get(node.local);
        if (copy * node.step !== 0) code.i32(copy * node.step).op("i32.add");
        code.op(node.name);
        break;
      case "load":
        this.#loaded.add(vector.id);
        code.get(node.pointer).memory(node.instruction, node.offset + copy * node.step);
        break;
      case "load-lane": {
        this.#loaded.add(vector.id);
        code.get(node.pointer);
        this.#push(node.args[0]!, copy);
        code.memoryLane(node.instruction, node.lane, node.offset + copy * node.step);
        break;
      }
      case "scalars":
        this.#pushScalars(vector, copy);
        break;
      case "shuffle":
        for (const each of node.args) this.#push(each, copy);
        code.shuffle(node.lanes);
        break;
      case "instruction":
        for (const each of node.args) this.#push(each, copy);
        if (node.shift === kByLane) code.lane("i32x4.extract_lane", 0);
        else if (node.shift !== null) code.i32(node.shift);
        code.op(node.name);
        break;
      case "when":
        code.get(this.#locals[vector.id]![copy]!);
        break;
    }
  }

  /** Pushes a vector of two lanes, each computed by a scalar instruction or a call. */
  #pushScalars({ kind, node }: Vector, copy: number): void {
    if (node.type !== "scalars") return;
    const code = this.#code;
    const shape = kind === "f64x2" ? "f64x2" : "i64x2";
    const [a, b, againA, againB] = node.args as readonly [Vector, Vector, Vector, Vector];
    const pushLane = (value: Vector, lane: number): void => {
      this.#push(value, copy);
      code.lane(`${shape}.extract_lane`, lane);
    };
    const apply = (): unknown => (typeof node.what === "string" ? code.op(node.what) : code.call(node.what));
    pushLane(a, 0);
    pushLane(b, 0);
    apply();
    code.op(`${shape}.splat`);
    pushLane(againA, 1);
    pushLane(againB, 1);
    apply();
    code.lane(`${shape}.replace_lane`, 1);
  }

  /** Loads into locals those live loads among the first `count` nodes that were not written yet and are not in the tree of `value`. */
  #finishLoads(count: number, value: Vector): void {
    if (this.#stores.length === 1 && this.#assigned.size === 0) return;
    const own = new Set<number>();
    const visit = (vector: Vector): void => {
      if (this.#isHead[vector.id]) return;
      own.add(vector.id);
      operands(vector).forEach(visit);
    };
    visit(value);
    for (let i = 0; i < count; i++) {
      const vector = this.#nodes[i]!;
      const isLoad = vector.node.type === "load" || vector.node.type === "load-lane";
      if (!isLoad || vector.region !== null || this.#uses[i] === 0 || this.#loaded.has(i) || own.has(i)) continue;
      this.#isHead[i] = true;
      this.#prepare(vector);
    }
  }
}
