/**
 * kernel-rows: kernels for reductions over the innermost loops, fused with the operations before and after them. Eigen cannot
 * fuse these: it evaluates reductions into temporaries, and TensorFlow's softmax is a kernel written by hand.
 *
 *     outer loops
 *       values of the row
 *       pass 1 .. n      loop over the row and accumulate; then compute the results and the values that depend on them
 *       the last pass    loop over the row and store; or store one value per row
 *
 * A row of up to some thousand elements stays in the first-level cache from pass to pass.
 */
import type { Engine } from "@onebuffer/wasm/internal";
import { kindOf, lanesOf, spread } from "@onebuffer/kernels/internal";
import type { Lanes } from "@onebuffer/kernels/internal";
import { copiesFor } from "./kernel-map.ts";
import type { GroupPlace, KernelWriter } from "./kernel-writer.ts";
import { groupVectors } from "../plan/kernel-spec.ts";
import { levels } from "../plan/program.ts";
import type { ReduceOp } from "../plan/program.ts";
import { accumulatorsOf, isFloatExtreme, makeReducer } from "./reducers.ts";
import type { Reducer } from "./accumulators.ts";
import { isMathOp, rowBuffers, rowPasses } from "../plan/row-passes.ts";
import type { RowPass } from "../plan/row-passes.ts";
import { writeRowLoop } from "./row-loop.ts";
import type { RowLoop } from "./row-loop.ts";

/**
 * The most accumulators that are kept in registers at once. A reduction with one accumulator per vector uses only kFewAccumulators: then one
 * turn of the loop reads one cache line, few rows have groups left over, and the other values of the body stay in registers, too. Extremes of
 * floats wait for each other's results for longer: with kFewAccumulators those of 10,000 elements take a quarter more time.
 */
const kAccumulators = 8;
const kFewAccumulators = 4;

/** Word offset in the form's part of the argument block: the address of the first row buffer; the others follow. Before it is the count. */
export const kBufferWord = 2;

/** Writes a row kernel. */
export function writeRowsKernel(writer: KernelWriter, engine: Engine): void {
  const { spec } = writer;
  const passes = rowPasses(spec.nodes, writer.levels, spec.result);
  const rows = new RowsWriter(writer, passes, engine);
  writer.loops(0, spec.outerLoops, () => {
    writer.keep((i) => writer.levels[i] === levels.row && spec.nodes[i]!.pass === 0);
    passes.forEach((pass, p) => {
      if (pass.reductions.length > 0) rows.reduce(pass, p + 1);
    });
    if (spec.storesRows) rows.storeValue();
    else rows.storeRow();
  });
}

/** Writes the parts of a row kernel. */
class RowsWriter {
  readonly #writer: KernelWriter;
  readonly #engine: Engine;
  readonly #passes: readonly RowPass[];
  /** The row buffers, and for each a local with its current address. */
  readonly #buffers: ReturnType<typeof rowBuffers>;
  readonly #pointers: readonly number[];

  constructor(writer: KernelWriter, passes: readonly RowPass[], engine: Engine) {
    this.#writer = writer;
    this.#engine = engine;
    this.#passes = passes;
    this.#buffers = rowBuffers(writer.spec.nodes, passes);
    this.#pointers = this.#buffers.map(({ value }) => writer.local(`row${value}`));
  }

  /** Returns the accesses that move along the row and that the values `roots` need, besides values in row buffers. */
  #moving(roots: readonly number[], stored: ReadonlySet<number>): number[] {
    const { spec, levels: valueLevels } = this.#writer;
    const found = new Set<number>();
    const seen = new Set<number>();
    const visit = (i: number): void => {
      if (seen.has(i) || valueLevels[i] !== levels.element) return;
      seen.add(i);
      const { kind, index, inputs } = spec.nodes[i]!;
      if (stored.has(i)) return;
      if (kind === "load" || kind === "ramp") found.add(index + 1);
      inputs.forEach(visit);
    };
    roots.forEach(visit);
    return [...found].sort((a, b) => a - b);
  }

  /** Returns the values that passes before `p` have stored in row buffers. */
  #storedBefore(p: number): Set<number> {
    return new Set(this.#passes.slice(0, p).flatMap(({ stores }) => stores));
  }

  /** Writes the loops over a row: its outer loops, then the innermost one. */
  #run(p: number, row: Pick<RowLoop, "copies" | "stores" | "moving" | "block" | "group">): void {
    const writer = this.#writer;
    const { layout, spec } = writer;
    const used = this.#buffers.flatMap(({ value }, b) =>
      this.#passes.slice(0, p + 1).some(({ stores }) => stores.includes(value)) ? [b] : [],
    );
    for (const b of used) writer.argument(layout.extra + 4 * (kBufferWord + b)).set(this.#pointers[b]!);
    const buffers = used.map((b) => ({ pointer: this.#pointers[b]!, bytesPerElement: this.#buffers[b]!.bytesPerElement }));
    const loop = spec.outerLoops + spec.rowLoops - 1;
    writer.loops(spec.outerLoops, loop, () => writeRowLoop(writer, { ...row, loop, buffers }));
  }

  /** Makes values that were stored before pass `p` load from their row buffers. */
  #loadFromBuffers(p: number): void {
    const { builder, elements, spec } = this.#writer;
    const stored = this.#storedBefore(p);
    this.#buffers.forEach(({ value, bytesPerElement }, b) => {
      if (!stored.has(value)) return;
      const bytes = elements * bytesPerElement;
      const kind = kindOf(spec.nodes[value]!.dtype);
      this.#writer.substitute(
        value,
        lanesOf(Array.from({ length: bytes / 16 }, (_, i) => builder.load(kind, this.#pointers[b]!, 16 * i, bytes))),
      );
    });
  }

  /** Stores values in their row buffers. */
  #storeInBuffers(stores: readonly number[]): void {
    const { builder, elements } = this.#writer;
    for (const value of stores) {
      const b = this.#buffers.findIndex((buffer) => buffer.value === value);
      const bytes = elements * this.#buffers[b]!.bytesPerElement;
      // A value that is the same for a whole group fills the group, because the loads read all of it.
      spread(this.#writer.value(value), elements).forEach((vector, i) => builder.store(vector, this.#pointers[b]!, 16 * i, bytes));
    }
  }

  /** Writes one pass, which completes its reductions. */
  reduce(pass: RowPass, number: number): void {
    const writer = this.#writer;
    const { reductions, stores } = pass;
    const inputs = reductions.map((i) => writer.spec.nodes[i]!.inputs[0]!);
    const isExpensive = stores.length > 0 || inputs.some((input) => this.#isExpensive(input));
    const reducers = this.#accumulate(pass, number, inputs, isExpensive);
    writer.emit(1, null, () => {
      reducers.forEach((reducer, n) => writer.keepValue(reductions[n]!, reducer.finish()));
    });
    const { nodes } = writer.spec;
    writer.keep((i) => writer.levels[i] === levels.row && nodes[i]!.kind !== "reduce" && nodes[i]!.pass <= number);
  }

  /**
   * Writes the loop over the row that accumulates. Returns the reducers, still to be finished. `isExpensive` values take many
   * registers to compute.
   */
  #accumulate(pass: RowPass, number: number, inputs: readonly number[], isExpensive: boolean): Reducer[] {
    const writer = this.#writer;
    const { builder, elements, spec } = writer;
    const nodes = pass.reductions.map((i) => spec.nodes[i]!);
    const perCopy = nodes.reduce((sum, { op }, n) => sum + accumulatorsOf(op as ReduceOp, spec.nodes[inputs[n]!]!.dtype), 0);
    const isShort = perCopy === 1 && nodes.every(({ op }, n) => !isFloatExtreme(op as ReduceOp, spec.nodes[inputs[n]!]!.dtype));
    const light = Math.floor((isShort ? kFewAccumulators : kAccumulators) / (perCopy * groupVectors(spec)));
    const copies = Math.max(1, isExpensive ? Math.min(light, copiesFor(spec, this.#engine)) : light);
    const reducers = nodes.map(({ op, dtype }, n): Reducer => {
      const context = { builder, elements, copies, shared: isExpensive, count: () => writer.count() };
      return makeReducer(op as ReduceOp, dtype, spec.nodes[inputs[n]!]!.dtype, context);
    });
    writer.emit(copies, null, () => {
      for (const reducer of reducers) reducer.reset();
    });
    writer.emit(1, null, () => {
      for (const reducer of reducers) reducer.resetTotals?.();
    });
    const blockElements = Math.min(...reducers.map((reducer) => reducer.blockElements ?? Infinity));
    const flush = (): void => {
      writer.emit(1, null, () => {
        for (const reducer of reducers) reducer.flush?.();
      });
    };
    const remaining = writer.local("rest");
    const p = number - 1;
    const group: RowLoop["group"] = (now, place, left) => {
      if (left !== null) writer.code.least(left, elements).set(remaining);
      // Expensive values are first computed into registers. Then the copies use the shared accumulators one after the other.
      const held = isExpensive ? this.#hold(now, place, p, inputs, pass.stores) : null;
      writer.emit(now, place, () => {
        const mask = maskSource(writer, left === null ? null : remaining);
        if (held === null) this.#loadFromBuffers(p);
        reducers.forEach((reducer, n) => {
          reducer.add(held === null ? writer.value(inputs[n]!) : held[n]!.read(), mask);
        });
        if (held === null) this.#storeInBuffers(pass.stores);
      });
      writer.emit(1, null, () => {
        for (const reducer of reducers) reducer.advance?.(now);
      });
    };
    // A row whose values are also stored, or reduced otherwise, is read to its end.
    const [only] = reducers.length === 1 && pass.stores.length === 0 ? reducers : [];
    const undecided = only?.undecided === undefined ? null : (): void => only.undecided!(writer.code);
    const block = Number.isFinite(blockElements)
      ? { elements: blockElements, firstElements: only?.firstElements ?? blockElements, undecided, write: flush }
      : null;
    this.#run(p, { copies, moving: this.#moving(inputs, this.#storedBefore(p)), stores: false, block, group });
    return reducers;
  }

  /** Computes values of a group into registers, and stores those of `stores` in their row buffers. */
  #hold(copies: number, place: GroupPlace, p: number, inputs: readonly number[], stores: readonly number[]): { read(): Lanes }[] {
    const writer = this.#writer;
    const { builder } = writer;
    const held: { read(): Lanes }[] = [];
    writer.emit(copies, place, () => {
      this.#loadFromBuffers(p);
      for (const input of inputs) {
        const { vectors, uniform } = writer.value(input);
        const variables = vectors.map((vector) => builder.variable(vector.kind, copies, "value"));
        vectors.forEach((vector, i) => builder.assign(variables[i]!, vector));
        held.push({ read: () => ({ vectors: variables.map((variable) => builder.read(variable)), uniform }) });
      }
      this.#storeInBuffers(stores);
    });
    return held;
  }

  /** Returns true if computing a value takes many registers. */
  #isExpensive(i: number): boolean {
    const { spec, levels: valueLevels } = this.#writer;
    if (valueLevels[i] !== levels.element) return false;
    const { op, inputs } = spec.nodes[i]!;
    return isMathOp(op) || inputs.some((input) => this.#isExpensive(input));
  }

  /** Stores the one value of the row, or one value for each result. */
  storeValue(): void {
    const writer = this.#writer;
    const { result, also } = writer.spec;
    writer.emit(1, null, () => {
      writer.store(result, [writer.cursors[0]!.pointer], true);
      also.forEach((i, k) => writer.store(i, [writer.alsoCursor(k).pointer], true));
    });
  }

  /** Writes the last pass, which stores a value for each element. */
  storeRow(): void {
    const writer = this.#writer;
    const { spec } = writer;
    const p = this.#passes.length - 1;
    const moving = [0, ...this.#moving([spec.result], this.#storedBefore(p))];
    const group: RowLoop["group"] = (copies, place, _remaining, out) => {
      writer.emit(copies, place, () => {
        this.#loadFromBuffers(p);
        writer.store(spec.result, out, spec.target === "strided");
      });
    };
    this.#run(p, { copies: copiesFor(spec, this.#engine), moving, stores: true, block: null, group });
  }
}

/**
 * Returns a function that makes masks of the first `remaining` elements of a group, for lanes of a given width in bytes. The function
 * returns null if the group is known to be whole.
 */
function maskSource(writer: KernelWriter, remaining: number | null): (width: number) => Lanes | null {
  const made = new Map<number, Lanes>();
  return (width) => {
    if (remaining === null) return null;
    const mask = made.get(width) ?? writer.firstLanes(remaining, width);
    made.set(width, mask);
    return mask;
  };
}
