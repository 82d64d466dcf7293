/**
 * kernel-writer: the parts that all kernels have in common: arguments, pointers, loops around rows, and values that are computed
 * once per call or row (the part of an Eigen executor besides the functor).
 *
 *     run(arguments):
 *       constants of the call
 *       for each outer loop          pointers move by their strides
 *         constants of the row
 *         the row                    by the form: kernel-map, kernel-rows, …
 *
 * Values of the call and of the row are kept in variables. Values of elements are computed where they are needed, once in each
 * `emit`.
 */
import type { DType } from "@onebuffer/base";
import { laneBytes, VectorBuilder, WasmModule } from "@onebuffer/wasm/internal";
import type { Callable, CodeWriter, Vector, VectorKind, VectorVariable, WasmFunction } from "@onebuffer/wasm/internal";
import { constantKind, isCast, parts as partNumbers } from "@onebuffer/expression/internal";
import {
  castLanes,
  kArgumentBytes,
  kindOf,
  lanesOf,
  loadContiguous,
  loadPairs,
  loadRows,
  loadRowSplats,
  loadScattered,
  loadScatteredPairs,
  loadTransposed,
  loadUniform,
  loadUniformPair,
  loadWidePairs,
  maskKindOf,
  maskOfWidth,
  storageBytes,
  storeContiguous,
  storeNarrowPairs,
  storePairs,
  storeScattered,
  storeScatteredPairs,
  uniform,
  vectorsFor,
  vectorsOf,
} from "@onebuffer/kernels/internal";
import type { AccessClass, Lanes, Parts } from "@onebuffer/kernels/internal";
import { writeOperation } from "./lane-ops.ts";
import type { LaneContext } from "./lane-ops.ts";
import { argumentLayout, groupElements } from "../plan/kernel-spec.ts";
import type { ArgumentLayout, KernelSpec } from "../plan/kernel-spec.ts";
import { levels, valueLevels } from "../plan/program.ts";
import type { KernelOp, ProgramNode } from "../plan/program.ts";
import { writeRemainderFunction } from "./remainder-function.ts";

/** The size of the memory that kernels import, in pages. */
export interface KernelMemory {
  readonly pages: number;
  readonly shared: boolean;
}

/** The number of an access in the layout, and the local with its current address. */
export interface Cursor {
  readonly access: number;
  readonly pointer: number;
}

/** How element values are currently loaded: pointers to the elements, rows or columns of the group, for each operand. */
export interface GroupPlace {
  /** For each operand its pointer, or its pointers. */
  readonly pointers: readonly (readonly number[])[];
  /** If the group is a block of a tile rather than a run of elements: the rows of the block. Otherwise 0. */
  readonly blockRows: number;
  /**
   * An i32 local with the number of elements that are left: at least 1, possibly more than a group has. Null if the group is
   * known to be whole.
   */
  readonly remaining: number | null;
}

/** The most groups that any loop computes at once. */
export const kMaxCopies = 8;

/** Writes the code of one kernel. */
export class KernelWriter implements LaneContext {
  readonly spec: KernelSpec;
  readonly layout: ArgumentLayout;
  readonly module: WasmModule;
  readonly target: WasmFunction;
  readonly code: CodeWriter;
  readonly builder: VectorBuilder;
  readonly args: number;
  readonly elements: number;
  readonly levels: readonly number[];
  /** One cursor per access, the target's first. */
  readonly cursors: readonly Cursor[];
  /** Locals for words of the argument block, by byte offset. */
  readonly #arguments: Map<number, number> = new Map();
  /** The variables of values of the call and the row, and of results of reductions. */
  readonly #kept: (VectorVariable | undefined)[] = [];
  #invalid: VectorVariable | null = null;
  #tail = -1;
  #remainder: Callable | null = null;
  #values: (Lanes | undefined)[] = [];
  /** The parts of complex operands that are loaded already, by operand. */
  #pairs: (Parts | undefined)[] = [];
  #widePairs: (Parts | undefined)[] = [];
  #place: GroupPlace | null = null;

  constructor(spec: KernelSpec, memory: KernelMemory, relaxed: boolean) {
    this.spec = spec;
    this.layout = argumentLayout(spec);
    this.module = new WasmModule({ module: "k", name: "m", initial: memory.pages, maximum: memory.pages, shared: memory.shared });
    this.target = this.module.function("run", { arguments: "i32" }, ["i32"]);
    this.code = this.target.body;
    this.builder = new VectorBuilder(this.target, { relaxed });
    this.args = this.target.param("arguments");
    this.elements = groupElements(spec);
    this.levels = valueLevels(spec.nodes, spec.varies);
    this.cursors = Array.from({ length: spec.classes.length + 1 }, (_, access) => ({
      access,
      pointer: this.target.local("i32", access === 0 ? "out" : `in${access - 1}`),
    }));
  }

  /** The dtype that the result is stored as. */
  get resultDType(): DType {
    return this.spec.targetDType;
  }

  #node(i: number): ProgramNode {
    return this.spec.nodes[i]!;
  }

  /** Returns a new i32 local. */
  local(name: string): number {
    return this.target.local("i32", name);
  }

  /** Pushes a word of the argument block. The word is kept in a local, because engines cannot know that no store changes it in memory. */
  argument(offset: number): CodeWriter {
    let local = this.#arguments.get(offset);
    if (local === undefined) {
      local = this.local(`word${offset / 4}`);
      this.#arguments.set(offset, local);
      this.target.prologue.get(this.args).memory("i32.load", offset).set(local);
    }
    return this.code.get(local);
  }

  /** Pushes the size of a loop. */
  size(loop: number): CodeWriter {
    return this.argument(this.layout.sizes + 4 * loop);
  }

  /** Pushes the stride of an access in a loop. */
  stride(access: number, loop: number): CodeWriter {
    return this.argument(this.layout.accesses[access]! + 4 * (1 + loop));
  }

  /** Adds the number that `push` pushes to a local. */
  addTo(local: number, push: () => void): void {
    this.code.get(local);
    push();
    this.code.op("i32.add").set(local);
  }

  /** A local with the address of the tail buffer, which takes the results of a partial group. */
  get tail(): number {
    if (this.#tail < 0) {
      this.#tail = this.local("tail");
      this.target.prologue.get(this.args).i32(kArgumentBytes).op("i32.add").set(this.#tail);
    }
    return this.#tail;
  }

  /** Loads the number of elements of a row or column, as f64: the first words of the form's part of the argument block. */
  count(): Vector {
    return this.builder.loadSplat("f64x2", this.args, this.layout.extra);
  }

  /** Writes the start of the function: pointers, and constants of the call. */
  begin(): void {
    for (const { access, pointer } of this.cursors) this.argument(this.layout.accesses[access]!).set(pointer);
    this.keep((i) => this.levels[i] === levels.call);
  }

  /** Writes the end of the function, which returns nonzero if some element may be invalid. */
  end(): void {
    if (this.#invalid === null) this.code.i32(0);
    else {
      const [first, ...others] = this.#invalid.locals;
      this.code.get(first!);
      for (const local of others) this.code.get(local).op("v128.or");
      this.code.op("v128.any_true");
    }
  }

  /** Returns the module's remainder function, which is written when it is first needed. */
  remainder(): Callable {
    this.#remainder ??= writeRemainderFunction(this.module);
    return this.#remainder;
  }

  /** Records the set lanes of a mask as elements that may be invalid. */
  reportInvalid(mask: Lanes): void {
    this.#invalid ??= this.builder.variable("i32x4", kMaxCopies, "suspect");
    const { builder } = this;
    let all: Vector = builder.read(this.#invalid);
    for (const vector of this.#withinRow(mask)) all = all.or(vector);
    builder.assign(this.#invalid, all);
  }

  /** Returns a mask without the lanes beyond the end of the row: values that a load has read beyond the end cannot be invalid. */
  #withinRow(mask: Lanes): readonly Vector[] {
    const remaining = this.#place?.remaining ?? null;
    if (remaining === null || mask.uniform) return mask.vectors;
    const lanes = this.firstLanes(remaining, laneBytes[mask.vectors[0]!.kind], "i32x4");
    return mask.vectors.map((vector, i) => vector.and(lanes.vectors[i]!));
  }

  /**
   * Returns the mask of the first lanes of a group, as many as the local `remaining` says, for lanes of a width in bytes. Lanes of `kind`
   * are compared with the local, which must fit into them.
   */
  firstLanes(remaining: number, width: number, kind: VectorKind = maskKindOf(Math.min(width, 4))): Lanes {
    const { builder, elements } = this;
    const lanes = 16 / laneBytes[kind];
    const count = builder.splat(kind, remaining);
    const numbers = (i: number): number[] => Array.from({ length: lanes }, (_, lane) => i * lanes + lane);
    return maskOfWidth(lanesOf(vectorsOf(kind, elements, (i) => builder.constants(kind, numbers(i)).lt(count))), width);
  }

  /** Returns the cursors that move along the row: the target's, and those of operands that vary. */
  moving(): readonly Cursor[] {
    return this.cursors.filter(({ access }) => access === 0 || this.spec.varies[access - 1] === true);
  }

  /** Writes `body`, after which the pointers of these cursors get their former values back. */
  restoring(cursors: readonly Cursor[], body: () => void): void {
    const { code } = this;
    const saved = cursors.map(({ pointer, access }) => {
      const copy = this.local(`start${access}`);
      code.get(pointer).set(copy);
      return copy;
    });
    body();
    cursors.forEach(({ pointer }, a) => code.get(saved[a]!).set(pointer));
  }

  /** Writes the loops from `loop` to `end` around `body`, in which the cursors move. Afterwards their pointers have their former values. */
  loops(loop: number, end: number, body: () => void, cursors: readonly Cursor[] = this.cursors): void {
    if (loop === end) {
      body();
      return;
    }
    const { code } = this;
    const count = this.local(`count${loop}`);
    this.restoring(cursors, () => {
      this.size(loop).set(count);
      const again = code.loop();
      this.loops(loop + 1, end, body, cursors);
      for (const { access, pointer } of cursors) this.addTo(pointer, () => this.stride(access, loop));
      code.countDown(count, again);
    });
  }

  /** Computes the chosen values that later code needs, and keeps them in variables. */
  keep(chosen: (i: number) => boolean): void {
    const { nodes } = this.spec;
    const isNew = (i: number): boolean => chosen(i) && this.#kept[i] === undefined && nodes[i]!.op !== "complex";
    const needed = nodes.map((_, i) => i).filter((i) => isNew(i) && this.#isNeededLater(i, chosen));
    if (needed.length === 0) return;
    this.emit(1, null, () => {
      const vectors = needed.map((i) => this.value(i).vectors[0]!);
      needed.forEach((i, n) => {
        this.#kept[i] = this.builder.variable(vectors[n]!.kind, 1, `v${i}`);
        this.builder.assign(this.#kept[i]!, vectors[n]!);
      });
    });
  }

  /** Returns true if a value is a result, or if a value outside the chosen ones uses it. */
  #isNeededLater(i: number, chosen: (i: number) => boolean): boolean {
    const { result, also } = this.spec;
    const isLater = (op: string, user: number): boolean => op === "complex" || !chosen(user);
    return i === result || also.includes(i) || this.spec.nodes.some(({ op, inputs }, user) => inputs.includes(i) && isLater(op, user));
  }

  /** Keeps the result of a reduction in a variable. */
  keepValue(i: number, value: Lanes): void {
    const vector = value.vectors[0]!;
    this.#kept[i] = this.builder.variable(vector.kind, 1, `v${i}`);
    this.builder.assign(this.#kept[i]!, vector);
  }

  /** Writes straight-line code, in which `value` is valid. With `leave`, the code may branch there before it has stored anything. */
  emit(copies: number, place: GroupPlace | null, write: () => void, leave: (() => void) | null = null): void {
    this.moveTo(place);
    this.builder.emit(copies, write, leave);
  }

  /** From here on in this `emit`, `value` returns values of other elements. */
  moveTo(place: GroupPlace | null): void {
    this.#values = [];
    this.#pairs = [];
    this.#widePairs = [];
    this.#place = place;
  }

  /** Replaces a value until the end of the `emit`, for instance by one from a row buffer. */
  substitute(i: number, value: Lanes): void {
    this.#values[i] = value;
  }

  /** Returns the value of a node. Valid only inside `emit`. */
  value(i: number): Lanes {
    const known = this.#values[i];
    if (known !== undefined) return known;
    const kept = this.#kept[i];
    const made = kept !== undefined ? uniform(this.builder.fromLocal(kept.kind, kept.locals[0]!)) : this.#make(this.#node(i), i);
    this.#values[i] = made;
    return made;
  }

  #make(node: ProgramNode, i: number): Lanes {
    if (node.kind === "parameter") return this.#parameter(node);
    if (node.kind === "literal") return uniform(this.builder.constant(kindOf(node.dtype), node.index));
    const part = partNumbers[node.op];
    if (part !== undefined) return this.#parts(node, i)[part];
    if (node.kind === "load") return this.#load(node, i);
    if (node.kind === "ramp") return this.#ramp(node, i);
    const wide = this.#widePart(node);
    if (wide !== null) return wide;
    const inputs = node.inputs.map((input) => this.value(input));
    const inputDTypes = node.inputs.map((input) => this.#node(input).dtype);
    const known = node.inputs.map((input) => {
      const { kind, index } = this.#node(input);
      return kind === "parameter" ? this.spec.parameters[index]! : kind === "literal" ? constantKind(index) : null;
    });
    const round = !this.#isRoundedByStore(i);
    const operation = { op: node.op as KernelOp, dtype: node.dtype, inputs, inputDTypes, saturate: node.saturate, round, known };
    return this.#fit(writeOperation(this, operation));
  }

  /** Returns a value without vectors beyond the group: a group of a map may fill only half a vector of a narrow dtype. */
  #fit(value: Lanes): Lanes {
    if (this.spec.form !== "map") return value;
    const needed = vectorsFor(value.vectors[0]!.kind, this.elements);
    return value.uniform || value.vectors.length <= needed ? value : lanesOf(value.vectors.slice(0, needed));
  }

  /** Returns the value of a node that is a part of a complex64 operand as float64; null for other nodes. */
  #widePart(node: ProgramNode): Lanes | null {
    const { inputs, dtype, saturate } = node;
    const from = isCast(node) && dtype === "float64" && !saturate ? this.#node(inputs[0]!) : null;
    const part = from === null ? undefined : partNumbers[from.op];
    if (from === null || part === undefined || from.dtype !== "float32") return null;
    if (this.#place === null || this.levels[inputs[0]!] !== levels.element) return null;
    if (this.spec.classes[from.index] === "broadcast") return null;
    const parts = (this.#widePairs[from.index] ??= loadWidePairs(this.builder, this.#place.pointers[from.index]!, this.elements));
    return parts[part];
  }

  /** Returns true if a value is only stored in the target, and storing rounds it. */
  #isRoundedByStore(i: number): boolean {
    const { nodes, result, targetDType } = this.spec;
    return i === result && nodes[i]!.dtype === targetDType && !nodes.some(({ inputs }) => inputs.includes(i));
  }

  #parameter({ dtype, index }: ProgramNode): Lanes {
    const kind = kindOf(dtype);
    const vector = this.builder.loadSplat(dtype === "bool" ? "u8x16" : kind, this.args, this.layout.parameters + 8 * index);
    return uniform(dtype === "bool" ? vector.ne(0) : vector);
  }

  /** Returns the class of an operand's elements in a group and the pointers to them. What is the same for a row is broadcast. */
  #elementsOf(index: number, i: number): { readonly kind: AccessClass; readonly pointers: readonly number[]; readonly blockRows: number } {
    const place = this.levels[i] === levels.element ? this.#place : null;
    if (place === null) return { kind: "broadcast", pointers: [this.cursors[index + 1]!.pointer], blockRows: 0 };
    return { kind: this.spec.classes[index]!, pointers: place.pointers[index]!, blockRows: place.blockRows };
  }

  #load({ dtype, index }: ProgramNode, i: number): Lanes {
    const { builder, elements } = this;
    const { kind, pointers, blockRows } = this.#elementsOf(index, i);
    if (blockRows > 0 && kind === "transposed") return lanesOf(loadTransposed(builder, dtype, pointers).vectors.slice(0, blockRows));
    if (blockRows > 0) return kind === "contiguous" ? loadRows(builder, dtype, pointers) : loadRowSplats(builder, dtype, pointers);
    if (kind === "broadcast") return loadUniform(builder, dtype, pointers[0]!);
    return kind === "contiguous" ? loadContiguous(builder, dtype, pointers[0]!, elements) : loadScattered(builder, dtype, pointers);
  }

  /** Returns the parts of a complex operand, which are loaded once. */
  #parts({ dtype, index }: ProgramNode, i: number): Parts {
    return (this.#pairs[index] ??= this.#loadPair(dtype, index, i));
  }

  #loadPair(dtype: DType, index: number, i: number): Parts {
    const { builder, elements } = this;
    const { kind, pointers } = this.#elementsOf(index, i);
    if (kind === "broadcast") return loadUniformPair(builder, dtype, pointers[0]!);
    return kind === "contiguous" ? loadPairs(builder, dtype, pointers[0]!, elements) : loadScatteredPairs(builder, dtype, pointers);
  }

  /** Stores a value as adjacent elements, or one element per pointer. The parts of a complex value are stored as pairs. */
  store(i: number, pointers: readonly number[], isScattered: boolean): void {
    const { builder, elements, resultDType } = this;
    const { op, inputs } = this.#node(i);
    const narrowed = inputs.map((input) => this.#node(input)).filter((part) => isCast(part) && part.dtype === "float32");
    if (op === "complex" && narrowed.length === 2 && !isScattered) {
      const parts = narrowed.map((part) => this.value(part.inputs[0]!)) as unknown as Parts;
      if (parts.every((part) => !part.uniform && part.vectors[0]!.kind === "f64x2")) {
        storeNarrowPairs(builder, parts, pointers[0]!);
        return;
      }
    }
    if (op === "complex") {
      const parts = [this.value(inputs[0]!), this.value(inputs[1]!)] as const;
      if (isScattered) storeScatteredPairs(builder, parts, pointers);
      else storePairs(builder, parts, pointers[0]!, elements);
    } else if (isScattered) storeScattered(builder, this.value(i), resultDType, pointers);
    else storeContiguous(builder, this.value(i), resultDType, pointers[0]!, elements);
  }

  /** Returns the values of an iota. Its pointers are its values; those of class "ramp" are consecutive. */
  #ramp({ dtype, index }: ProgramNode, i: number): Lanes {
    const { builder, elements } = this;
    const { kind, pointers } = this.#elementsOf(index, i);
    const at = (pointer: number, step: number = 0): Vector => builder.splat("i32x4", pointer, step);
    // float16 and bfloat16 values are float32 until they are stored or cast.
    const cast = (value: Lanes): Lanes => castLanes(value, "int32", dtype, false, false);
    if (kind === "broadcast") return cast(uniform(at(pointers[0]!)));
    const four = ([a, b, c = a, d = b]: readonly Vector[]): Vector =>
      a!.lanes(b!, [0, 4, 0, 4]).lanes(c!.lanes(d!, [0, 4, 0, 4]), [0, 1, 4, 5]);
    const vectors: Vector[] = [];
    for (let k = 0; k < elements; k += 4) {
      if (pointers.length === 1) vectors.push(at(pointers[0]!, elements).add(builder.constants("i32x4", [k, k + 1, k + 2, k + 3])));
      // A group of two 8-byte elements is half a vector of int32; the other half is ignored.
      else vectors.push(four(pointers.slice(k, k + 4).map(at)));
    }
    return lanesOf(cast(lanesOf(vectors)).vectors.slice(0, vectorsFor(kindOf(dtype), elements)));
  }

  /** Returns the cursor of the k-th further result. */
  alsoCursor(k: number): Cursor {
    const { classes, also } = this.spec;
    return this.cursors[1 + classes.length - also.length + k]!;
  }

  /** Returns the bytes that an element of an access takes in memory; 1 for a ramp. */
  itemBytes(access: number): number {
    if (access === 0) return storageBytes(this.resultDType);
    const load = this.spec.nodes.find(({ kind, index }) => (kind === "load" || kind === "ramp") && index === access - 1);
    if (load === undefined || load.kind === "ramp") return 1;
    return storageBytes(load.dtype) * (partNumbers[load.op] === undefined ? 1 : 2);
  }
}
