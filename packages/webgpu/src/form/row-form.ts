/**
 * The forms of programs with reductions. Those with few long rows have another one (block-form.ts).
 *
 *     rows      16 or 64 invocations of a workgroup compute a row: each adds up every 16th or 64th element, then they join in a fixed tree.
 *               The order of a sum, and so its bits, does not depend on the adapter
 *     lines     an invocation computes a row, element by element: for short rows, and for rows whose neighbors are adjacent in memory
 *
 * A program is computed in passes: the reductions of a pass need those of the passes before. The last loop stores elements, if the result
 * has any per element.
 */
import { dtypeSize } from "@onebuffer/base";
import { laneKind, loadElement, storeElement } from "../wgsl/element-memory.ts";
import type { Dispatch } from "../wgsl/shader.ts";
import { programShader, storeResult } from "./program-shader.ts";
import type { ProgramLoops, ProgramShader, ProgramStep } from "./program-shader.ts";
import { declareReductions, joinInvocations, kWorkgroup, passesOf, rowReductions } from "./row-reductions.ts";
import type { RowReduction } from "./row-reductions.ts";

/** Rows with at most so many elements are computed by one invocation each. */
const kShortRow = 32;
/** Rows with at most so many elements are computed by 16 invocations each, four rows in a workgroup; longer ones by a workgroup each. */
const kMediumRow = 2048;
const kFewSharers = 16;
/** So many rows side by side are computed by one invocation each if their elements are not adjacent in memory. */
const kManyRows = 1024;

/** Returns true if an invocation computes a whole row. */
function isByLines({ nest, keptLoops, rows, columns }: ProgramLoops): boolean {
  if (columns <= kShortRow) return true;
  const reads = nest.accesses.slice(1).filter(({ strides }) => strides.slice(keptLoops).some((stride) => stride !== 0));
  const isAcross = reads.some(({ strides, itemBytes }) => Math.abs(strides.at(-1)!) > itemBytes);
  return isAcross && rows >= kManyRows;
}

/** Returns the dispatch of a program with reductions. */
export function rowDispatch(step: ProgramStep, loops: ProgramLoops): Dispatch {
  if (isByLines(loops)) return new RowShader(step, loops, 1).lines();
  return new RowShader(step, loops, loops.columns <= kMediumRow ? kFewSharers : kWorkgroup).rows();
}

/** The shader of a program with reductions. */
class RowShader {
  readonly #step: ProgramStep;
  readonly #loops: ProgramLoops;
  readonly #made: ProgramShader;
  /** The invocations that share a row. */
  readonly #sharers: number;
  readonly #columns: string;
  readonly #rowCount: string;

  constructor(step: ProgramStep, loops: ProgramLoops, sharers: number) {
    this.#step = step;
    this.#loops = loops;
    this.#sharers = sharers;
    this.#made = programShader(step, loops, false);
    this.#columns = this.#made.shader.word(loops.columns);
    this.#rowCount = this.#made.shader.word(loops.rows);
  }

  /** A workgroup for one row or several ones. Invocations behind the last row meet the barriers, too, and have no elements. */
  rows(): Dispatch {
    const { source } = this.#made.shader;
    source.line(`let place_in_rows = thread / ${this.#sharers};`);
    source.line(`let is_row = place_in_rows < ${this.#rowCount};`);
    source.line(`let row = min(place_in_rows, ${this.#rowCount} - 1);`);
    source.line(`let lane = t % ${this.#sharers};`);
    source.line(`let end = select(0, ${this.#columns}, is_row);`);
    this.#row();
    return this.#made.shader.dispatch("rows", kWorkgroup, Math.ceil((this.#loops.rows * this.#sharers) / kWorkgroup));
  }

  /** An invocation per row. */
  lines(): Dispatch {
    const { source } = this.#made.shader;
    source.line("let row = thread;");
    source.line(`if (row >= ${this.#rowCount}) { return; }`);
    this.#row();
    return this.#made.shader.dispatch("lines", kWorkgroup, Math.ceil(this.#loops.rows / kWorkgroup));
  }

  #row(): void {
    const { space, values, program, shader, target } = this.#made;
    const coordinates = space.coordinates("row", 0, this.#loops.keptLoops);
    values.beginRow(coordinates);
    const reductions = rowReductions(program);
    const address = (inside: readonly string[]): string => {
      const row = space.address(0, coordinates);
      return inside.length === 0 ? row : space.address(0, inside, this.#loops.keptLoops, row);
    };
    const kept = this.#keptValue();
    const passes = passesOf(reductions);
    for (let pass = 1; pass <= passes; pass++) {
      const own = reductions.filter((reduction) => reduction.pass === pass);
      this.#pass(own, (inside) => {
        if (kept !== null && pass === passes) storeElement(shader.source, target, "float32", address(inside), [values.value(kept)]);
      });
    }
    values.prepare([program.result]);
    if (!this.#step.lowered.storesRows) {
      this.#elements((inside) => {
        if (kept !== null) values.set(kept, loadElement(shader.source, target, "float32", address(inside)));
        storeResult(this.#made, this.#step.dtype, address(inside));
      });
      return;
    }
    if (this.#sharers > 1) shader.source.open("if (is_row && lane == 0) {");
    storeResult(this.#made, this.#step.dtype, address([]));
    if (this.#sharers > 1) shader.source.close();
  }

  /**
   * Returns the value of the last pass of the reductions that is kept where the element of the result will be, such as the power of a softmax;
   * null if none is. The invocation that stores an element is the one that has kept its value.
   */
  #keptValue(): number | null {
    const { program, values } = this.#made;
    const { lowered, dtype } = this.#step;
    if (lowered.storesRows || dtypeSize(dtype) !== 4) return null;
    return values.keptValues().find((node) => laneKind(program.nodes[node]!.dtype) === "f32x4") ?? null;
  }

  /** Writes the loop over the elements of the row. */
  #elements(write: (coordinates: readonly string[]) => void): void {
    const { space, values, shader } = this.#made;
    const [first, end] = this.#sharers > 1 ? ["lane", "end"] : ["0", this.#columns];
    shader.source.open(`for (var j = ${first}; j < ${end}; j += ${this.#sharers}) {`);
    const coordinates = space.coordinates("j", this.#loops.keptLoops, space.sizes.length);
    values.beginElement(coordinates);
    write(coordinates);
    values.endElement();
    shader.source.close();
  }

  /** Writes the reductions of one pass, and what else `then` does with each of its elements. */
  #pass(reductions: readonly RowReduction[], then: (coordinates: readonly string[]) => void): void {
    const { values, shader } = this.#made;
    const { source } = shader;
    values.prepare(reductions.map(({ input }) => input));
    declareReductions(shader, reductions);
    this.#elements((inside) => {
      for (const { accumulator, names, input } of reductions) accumulator.add(source, names, values.value(input), "j");
      then(inside);
    });
    if (this.#sharers > 1) joinInvocations(shader, reductions, this.#sharers);
    for (const { node, accumulator, names } of reductions) values.set(node, accumulator.finish(source, names, this.#columns));
  }
}

/** Returns true if the result of a program with reductions is added to words that must be 0 before. */
export function needsClear({ dtype }: Pick<ProgramStep, "dtype">): boolean {
  return dtypeSize(dtype) < 4;
}
