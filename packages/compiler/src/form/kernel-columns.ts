/**
 * kernel-columns: kernels for reductions over outer loops that keep the innermost loop (Eigen's OuterReducer).
 *
 *     x x x x x x x x     kRows rows (x) are combined in registers, and the result is combined with a row of accumulators (a)
 *     x x x x x x x x     in the first-level cache; so memory is read in order and only once
 *     x x x x x x x x
 *     ---------------     columns are processed in chunks of kColumnChunk, whose accumulators fit the cache
 *     a a a a a a a a
 *
 * Sums and products of float32 are accumulated as float64. Sums first add up kRows rows as float32. The parts of complex numbers are two
 * reductions with two rows of accumulators.
 */
import type { DType } from "@onebuffer/base";
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { columnFold } from "./column-folds.ts";
import type { ColumnFold } from "./column-folds.ts";
import { neutralOfExtreme } from "./folds.ts";
import { isHeavy } from "./kernel-map.ts";
import type { KernelWriter } from "./kernel-writer.ts";
import { RowPlace, scatterPointers, writeTail } from "./row-loop.ts";
import { levels } from "../plan/program.ts";
import type { ReduceOp } from "../plan/program.ts";
import { extremes, isComplexDType } from "@onebuffer/expression/internal";
import { laneBytes } from "@onebuffer/wasm/internal";
import {
  castLanes,
  kindOf,
  lanesOf,
  loadTransposed,
  maskKindOf,
  resizeIntegers,
  spread,
  uniform,
  vectorsOf,
} from "@onebuffer/kernels/internal";
import type { Lanes } from "@onebuffer/kernels/internal";

/** The number of columns of a chunk: 16 KiB of float64 accumulators. */
export const kColumnChunk = 2048;
/** The bytes of the accumulators: per column up to 8 for the value and 8 for the row number of argmax and argmin; 1024 are spare. */
export const kColumnBytes: number = kColumnChunk * 16 + 1024;
/** The byte offset of the row numbers, or of the imaginary parts, in the accumulators. */
const kPlacesOffset = kColumnChunk * 8 + 512;
/** The number of rows that are combined in registers. */
const kRows = 8;
/** The most values that rows have in common for all columns and that stay in registers. */
const kMostAlike = 8;

/** Word offset in the form's part of the argument block: the address of the accumulators. The count of a column's elements is before it. */
export const kAccumulatorWord = 2;

/** Writes a column kernel. The program's result must be a reduction, or one of each part of a complex number, and there are no others. */
export function writeColumnsKernel(writer: KernelWriter): void {
  const { spec } = writer;
  const columns = new ColumnsWriter(writer);
  writer.loops(0, spec.outerLoops - 1, () => {
    writer.keep((i) => writer.levels[i] === levels.row && spec.nodes[i]!.kind !== "reduce");
    columns.writeChunks();
  });
}

/** Writes the parts of a column kernel. */
class ColumnsWriter {
  readonly #writer: KernelWriter;
  /** Without a fold: true for argmax, false for argmin. */
  readonly #isMax: boolean;
  /** The reduced values: one, or the parts of a complex number. */
  readonly #inputs: readonly number[];
  readonly #inputDType: DType;
  readonly #fold: ColumnFold | null;
  /** A local: the number of columns in the current chunk. */
  readonly #chunk: number;
  /** A local: the address of the current group's accumulators. */
  readonly #at: number;
  /** A local: the number of the current row, for argmax and argmin. */
  readonly #row: number;

  constructor(writer: KernelWriter) {
    const { nodes, result } = writer.spec;
    const root = nodes[result]!;
    const reductions = root.op === "complex" ? root.inputs.map((input) => nodes[input]!) : [root];
    const op = reductions[0]!.op as ReduceOp;
    this.#writer = writer;
    this.#isMax = extremes[op] === "largest";
    this.#inputs = reductions.map(({ inputs }) => inputs[0]!);
    this.#inputDType = nodes[this.#inputs[0]!]!.dtype;
    this.#fold = columnFold(op, this.#inputDType, reductions[0]!.dtype);
    this.#chunk = writer.local("chunk");
    this.#at = writer.local("accumulators");
    this.#row = writer.local("row");
  }

  /** The vector kind of the accumulated values. For argmax and argmin its lanes have at least 4 bytes. */
  get #valueKind(): VectorKind {
    const kind = kindOf(this.#inputDType);
    if (this.#fold !== null) return this.#fold.kind;
    return laneBytes[kind] < 4 ? (kind[0] === "u" ? "u32x4" : "i32x4") : kind;
  }

  /** The vector kind of the row numbers of argmax and argmin: integers as wide as the values. */
  get #placeKind(): VectorKind {
    return maskKindOf(laneBytes[this.#valueKind]);
  }

  /** The number of bytes of a group's accumulated values. */
  get #groupBytes(): number {
    return this.#writer.elements * laneBytes[this.#valueKind];
  }

  #loadLanes(kind: VectorKind, offset: number): Lanes {
    const { builder, elements } = this.#writer;
    return lanesOf(vectorsOf(kind, elements, (i) => builder.load(kind, this.#at, offset + 16 * i, 0)));
  }

  #storeLanes(lanes: readonly Vector[], offset: number): void {
    lanes.forEach((vector, i) => this.#writer.builder.store(vector, this.#at, offset + 16 * i, 0));
  }

  /**
   * Writes a loop over the accumulators of the chunk, one group at a time. `body` writes the loop's body; its argument is the local that
   * holds the number of remaining columns. `step` writes code that advances other pointers to the next group. With `part` the loop stops
   * before a partial last group, for which `part` is written instead. Returns that local.
   */
  #eachGroup(body: (left: number) => void, step: () => void, part: ((left: number) => void) | null = null): number {
    const { code, elements, layout } = this.#writer;
    const left = this.#writer.local("left");
    this.#writer.argument(layout.extra + 4 * kAccumulatorWord).set(this.#at);
    code.get(this.#chunk).set(left);
    code.whileAtLeast(left, part === null ? 1 : elements, elements, () => {
      body(left);
      step();
      code.addTo(this.#at, this.#groupBytes);
    });
    if (part !== null) {
      code.get(left).if();
      part(left);
      code.end();
    }
    return left;
  }

  /** Writes the code that reduces all columns, chunk by chunk. */
  writeChunks(): void {
    const { code, cursors, spec } = this.#writer;
    const writer = this.#writer;
    const inner = spec.outerLoops - 1;
    const left = writer.local("columns");
    writer.restoring(cursors, () => {
      writer.size(inner).set(left);
      code.whileAtLeast(left, 1, kColumnChunk, () => {
        code.least(left, kColumnChunk).set(this.#chunk).i32(0).set(this.#row);
        this.#reset();
        writer.loops(spec.outerLoops, spec.outerLoops + spec.rowLoops - 1, () => this.#accumulateRows());
        this.#finish();
        for (const { access, pointer } of cursors) {
          writer.addTo(pointer, () => writer.stride(access, inner).get(this.#chunk).op("i32.mul"));
        }
      });
    });
  }

  /** Writes code that sets the accumulators of the chunk to the neutral value, and the row numbers to 0. */
  #reset(): void {
    const { builder } = this.#writer;
    const write = (): void => {
      this.#writer.emit(1, null, () => {
        const neutral = builder.constant(this.#valueKind, this.#neutral());
        const vectors = spread({ vectors: [neutral], uniform: true }, this.#writer.elements);
        this.#inputs.forEach((_, part) => this.#storeLanes(vectors, part * kPlacesOffset));
        if (this.#fold !== null) return;
        const zero = builder.constant(this.#placeKind, 0);
        this.#storeLanes(
          vectors.map(() => zero),
          kPlacesOffset,
        );
      });
    };
    this.#eachGroup(write, () => {});
  }

  /** Returns the value that the accumulators start with. */
  #neutral(): number | bigint {
    if (this.#fold !== null) return this.#fold.neutral;
    return neutralOfExtreme(this.#valueKind, this.#isMax);
  }

  /** Writes the innermost reduced loop: it takes kRows rows at a time, except in heavy programs, and the remaining rows one by one. */
  #accumulateRows(): void {
    const { code, spec, cursors } = this.#writer;
    const writer = this.#writer;
    const loop = spec.outerLoops + spec.rowLoops - 1;
    const left = writer.local("rows");
    writer.restoring(cursors, () => {
      writer.size(loop).set(left);
      for (const rows of this.#fold === null || isHeavy(spec) ? [1] : [kRows, 1]) {
        code.whileAtLeast(left, rows, rows, () => {
          this.#step(rows, loop);
          for (const { access, pointer } of cursors) writer.addTo(pointer, () => writer.stride(access, loop).i32(rows).op("i32.mul"));
          code.addTo(this.#row, rows);
        });
      }
    });
  }

  /** Writes code that combines `rows` rows with the accumulators of the chunk. */
  #step(rows: number, loop: number): void {
    const writer = this.#writer;
    const [, ...operands] = writer.moving();
    const moving = operands.map(({ access }) => access);
    const single = rows === 1 ? moving : moving.filter((access) => !this.#isBlock(access));
    const places = Array.from({ length: rows }, (_, r) => new RowPlace(writer, writer.spec.outerLoops - 1, r === 0 ? moving : single));
    places.forEach((place, r) => place.start(places[r - 1], loop));
    const alike = this.#loadAlike(places);
    const body = (remaining: number, isPartial: boolean = false): void => {
      for (const place of places) {
        place.scatter();
        if (isPartial) place.endAt(remaining, false);
      }
      writer.emit(1, null, () => {
        const blocks = rows === 1 ? [] : this.#loadBlocks(places[0]!);
        const values = places.map((place, r): Lanes[] => {
          writer.moveTo(place.place(remaining));
          blocks.forEach((block, i) => writer.substitute(i, block[r]!));
          for (const { node, kind, local } of alike[r]!) writer.substitute(node, uniform(writer.builder.fromLocal(kind, local)));
          return this.#inputs.map((input) => writer.value(input));
        });
        const fold = this.#fold;
        if (fold === null) this.#accumulatePlaces(values[0]![0]!);
        else
          this.#inputs.forEach((_, part) =>
            this.#accumulateValues(
              fold,
              values.map((each) => each[part]!),
              part * kPlacesOffset,
            ),
          );
      });
    };
    const advance = (): void => {
      for (const place of places) place.advance(1);
    };
    this.#eachGroup(body, advance, places[0]!.isScattered ? (remaining) => body(remaining, true) : null);
  }

  /**
   * Loads the elements that all columns of a row have in common, as those of A in a product of one row, before the columns: for each row the
   * loads and the locals that hold them. Only as many as stay in registers.
   */
  #loadAlike(places: readonly RowPlace[]): { readonly node: number; readonly kind: VectorKind; readonly local: number }[][] {
    const writer = this.#writer;
    const { nodes, classes } = writer.spec;
    const loads = nodes.flatMap(({ kind, dtype, index }, i) =>
      kind === "load" && classes[index] === "broadcast" && !isComplexDType(dtype) ? [i] : [],
    );
    if (loads.length * places.length > kMostAlike) return places.map(() => []);
    return places.map((place) => {
      const made: { node: number; kind: VectorKind; local: number }[] = [];
      writer.emit(1, place.place(null), () => {
        for (const node of loads) {
          const { vectors } = writer.value(node);
          const { kind } = vectors[0]!;
          const variable = writer.builder.variable(kind, 1, "alike");
          writer.builder.assign(variable, vectors[0]!);
          made.push({ node, kind, local: variable.locals[0]! });
        }
      });
      return made;
    });
  }

  /** Returns true if kRows elements of each column of a group, which are adjacent, are square blocks. */
  #isBlock(access: number): boolean {
    const { spec, elements } = this.#writer;
    const isSquare = elements * this.#writer.itemBytes(access) === 16 && kRows % elements === 0;
    return spec.classes[access - 1] === "transposed" && isSquare;
  }

  /** Loads the blocks of kRows rows, and transposes them. Returns for each node that is such a load its rows. */
  #loadBlocks(place: RowPlace): Lanes[][] {
    const { builder, elements, spec } = this.#writer;
    const blocks: Lanes[][] = [];
    spec.nodes.forEach(({ kind, dtype, index }, i) => {
      if (kind !== "load" || !this.#isBlock(index + 1)) return;
      blocks[i] = [];
      for (let row = 0; row < kRows; row += elements) {
        const { vectors } = loadTransposed(builder, dtype, place.pointers[index + 1]!, (16 * row) / elements);
        const perRow = vectors.length / elements;
        for (let v = 0; v < vectors.length; v += perRow) blocks[i]!.push(lanesOf(vectors.slice(v, v + perRow)));
      }
    });
    return blocks;
  }

  /** Combines a group of several rows with its accumulators at an offset. */
  #accumulateValues(fold: ColumnFold, values: readonly Lanes[], offset: number): void {
    const updated = fold.accumulate(this.#loadLanes(fold.kind, offset), fold.rows(values));
    this.#storeLanes(updated.vectors, offset);
  }

  /** Updates the best values of a group and their row numbers, for argmax and argmin. */
  #accumulatePlaces(value: Lanes): void {
    const { builder, elements } = this.#writer;
    const kind = this.#valueKind;
    const wide = laneBytes[value.vectors[0]!.kind] < laneBytes[kind] ? resizeIntegers(value, kind) : value;
    const vectors = spread(wide, elements);
    const best = this.#loadLanes(kind, 0).vectors;
    const found = this.#loadLanes(this.#placeKind, kPlacesOffset).vectors;
    const word = builder.splat("i32x4", this.#row);
    const row = laneBytes[kind] === 8 ? word.extendLow() : word;
    const wins = vectors.map((vector, i) => (this.#isMax ? vector.gt(best[i]!) : vector.lt(best[i]!)));
    this.#storeLanes(
      wins.map((win, i) => win.select(vectors[i]!, best[i]!)),
      0,
    );
    this.#storeLanes(
      wins.map((win, i) => win.select(row, found[i]!)),
      kPlacesOffset,
    );
  }

  /** Writes code that stores the results of the chunk in the target. */
  #finish(): void {
    const { code, spec, elements } = this.#writer;
    const writer = this.#writer;
    const inner = spec.outerLoops - 1;
    const isStrided = spec.target === "strided";
    const out = Array.from({ length: isStrided ? elements : 1 }, (_, e) => writer.local(`out.${e}`));
    const stride = writer.local("outStride");
    code.get(writer.cursors[0]!.pointer).set(out[0]!);
    writer.stride(0, inner).set(stride);
    const body = (remaining: number): void => {
      code.get(remaining).i32(elements).op("i32.lt_s").if();
      code.get(writer.tail).set(out[0]!).i32(writer.itemBytes(0)).set(stride).end();
      scatterPointers(writer, [{ pointers: out, stride: () => code.get(stride) }]);
      writer.emit(1, null, () => {
        const { nodes, result } = spec;
        const reductions = nodes[result]!.op === "complex" ? nodes[result]!.inputs : [result];
        reductions.forEach((i, part) => writer.substitute(i, this.#result(writer.count(), part * kPlacesOffset)));
        writer.store(result, out, isStrided);
      });
    };
    const left = this.#eachGroup(body, () => {
      if (isStrided) code.get(out.at(-1)!).get(stride).op("i32.add").set(out[0]!);
      else code.addTo(out[0]!, elements * writer.itemBytes(0));
    });
    writeTail(writer, left, () => code.get(this.#chunk), inner);
  }

  /** Returns the results of a group from the accumulators at an offset. `count` holds the number of elements of a column. */
  #result(count: Vector, offset: number): Lanes {
    if (this.#fold !== null) return this.#fold.finish(this.#loadLanes(this.#fold.kind, offset), count);
    const places = this.#loadLanes(this.#placeKind, kPlacesOffset);
    return castLanes(places, laneBytes[this.#placeKind] === 8 ? "int64" : "int32", this.#writer.resultDType, false);
  }
}
