/**
 * The form of programs with few long rows: a workgroup computes a block of a row, whose size is fixed, so that sums have one order everywhere.
 *
 *     blocks    for each pass: the reductions of each block
 *     joins     what the blocks of a row have is joined, a workgroup per row
 *     rows      at the end the elements of each block, or one element per row, from the reductions of all passes
 *
 *     row of 40,000 elements      blocks 0 … 16383, … 32767, … 39999      three sums; their sum
 */
import type { StepWriter } from "../step/step-writer.ts";
import { Shader } from "../wgsl/shader.ts";
import type { Dispatch } from "../wgsl/shader.ts";
import { accumulatorWords, declareAccumulator, loadAccumulator, storeAccumulator } from "./accumulator-memory.ts";
import type { AccumulatorPlace } from "./accumulator-memory.ts";
import { programShader, storeResult } from "./program-shader.ts";
import type { ProgramLoops, ProgramShader, ProgramStep } from "./program-shader.ts";
import { declareReductions, joinInvocations, kWorkgroup, passesOf, rowReductions } from "./row-reductions.ts";
import type { RowReduction } from "./row-reductions.ts";

/** The elements of a block. The order of a sum, and so its bits, must not depend on the adapter. */
const kBlock = 16384;
/** Rows with more elements are computed in blocks, if they are not more than kFewRows: those fill a GPU with a workgroup each. */
const kLongRow = 32768;
const kFewRows = 64;

/** Returns true if rows are computed in blocks. */
export function isByBlocks({ rows, columns }: ProgramLoops): boolean {
  return columns > kLongRow && rows <= kFewRows;
}

/** Adds the dispatches of a program whose rows are computed in blocks. Beside the program's buffers and its target they bind one. */
export function writeBlocks(writer: StepWriter, step: ProgramStep, loops: ProgramLoops): void {
  new BlockShaders(writer, step, loops).write();
}

/** Groups of accumulators in memory: the slot, the words of a group, and the word in it at which each reduction begins. */
interface Kept {
  readonly slot: number;
  readonly words: number;
  readonly offsets: ReadonlyMap<RowReduction, number>;
}

/** Takes memory for so many groups of reductions. */
function kept(writer: StepWriter, reductions: readonly RowReduction[], groups: number): Kept {
  const offsets = new Map<RowReduction, number>();
  let words = 0;
  for (const reduction of reductions) {
    offsets.set(reduction, words);
    words += accumulatorWords(reduction.accumulator);
  }
  return { slot: writer.scratch(groups * words * 4), words, offsets };
}

/** The shaders of one program. */
class BlockShaders {
  readonly #writer: StepWriter;
  readonly #step: ProgramStep;
  readonly #loops: ProgramLoops;
  readonly #blocks: number;
  readonly #reductions: readonly RowReduction[];
  /** The reductions of each row over all of its elements. */
  readonly #whole: Kept;

  constructor(writer: StepWriter, step: ProgramStep, loops: ProgramLoops) {
    this.#writer = writer;
    this.#step = step;
    this.#loops = loops;
    this.#blocks = Math.ceil(loops.columns / kBlock);
    this.#reductions = rowReductions(step.lowered.program);
    this.#whole = kept(writer, this.#reductions, loops.rows);
  }

  write(): void {
    for (let pass = 1; pass <= passesOf(this.#reductions); pass++) {
      const own = this.#reductions.filter((reduction) => reduction.pass === pass);
      const parts = kept(this.#writer, own, this.#loops.rows * this.#blocks);
      this.#writer.dispatch(this.#partsDispatch(own, parts, pass));
      this.#writer.dispatch(this.#joinDispatch(own, parts));
    }
    this.#writer.dispatch(this.#step.lowered.storesRows ? this.#rowDispatch() : this.#elementDispatch());
  }

  /** The reductions of one pass over each block. */
  #partsDispatch(reductions: readonly RowReduction[], parts: Kept, pass: number): Dispatch {
    const made = programShader({ ...this.#step, target: parts.slot }, this.#loops, true);
    const { shader, values } = made;
    const { source } = shader;
    this.#beginBlock(made, pass);
    values.prepare(reductions.map(({ input }) => input));
    declareReductions(shader, reductions);
    this.#elements(made, () => {
      for (const { accumulator, names, input } of reductions) accumulator.add(source, names, values.value(input), "j");
    });
    joinInvocations(shader, reductions, kWorkgroup);
    storeGroup(shader, reductions, parts, made.target);
    return shader.dispatch("blocks", kWorkgroup, this.#loops.rows * this.#blocks);
  }

  /** The reductions of each row from those of its blocks. */
  #joinDispatch(reductions: readonly RowReduction[], parts: Kept): Dispatch {
    const shader = new Shader();
    const { source } = shader;
    const [whole, from] = [shader.buffer(this.#whole.slot, "write"), shader.buffer(parts.slot, "read")];
    const blocks = shader.word(this.#blocks);
    source.line(`if (group >= ${shader.word(this.#loops.rows)}) { return; }`);
    declareReductions(shader, reductions);
    source.open(`for (var b = t; b < ${blocks}; b += ${kWorkgroup}) {`);
    for (const reduction of reductions) {
      const { accumulator, names } = reduction;
      const others = names.map((name) => `o_${name}`);
      declareAccumulator(shader, accumulator, others);
      loadAccumulator(shader, accumulator, placeOf(reduction, parts, from, `(group * ${blocks} + b)`), others);
      accumulator.join(source, names, others);
    }
    source.close();
    joinInvocations(shader, reductions, kWorkgroup);
    storeGroup(shader, reductions, this.#whole, whole);
    return shader.dispatch("joins", kWorkgroup, this.#loops.rows);
  }

  /** The elements of each block. */
  #elementDispatch(): Dispatch {
    const made = programShader(this.#step, this.#loops, false);
    const { space, values, program, shader } = made;
    const row = this.#beginBlock(made, Infinity);
    values.prepare([program.result]);
    this.#elements(made, (inside) => storeResult(made, this.#step.dtype, space.address(0, inside, this.#loops.keptLoops, row)));
    return shader.dispatch("rows", kWorkgroup, this.#loops.rows * this.#blocks);
  }

  /** One element per row: an invocation computes it. */
  #rowDispatch(): Dispatch {
    const made = programShader(this.#step, this.#loops, false);
    const { shader } = made;
    shader.source.line("let row = thread;");
    shader.source.line(`if (row >= ${shader.word(this.#loops.rows)}) { return; }`);
    storeResult(made, this.#step.dtype, this.#beginRow(made, Infinity));
    return shader.dispatch("lines", kWorkgroup, Math.ceil(this.#loops.rows / kWorkgroup));
  }

  /** Begins the block of a workgroup, and its row. Returns the address of the row in the result. */
  #beginBlock(made: ProgramShader, pass: number): string {
    const { source } = made.shader;
    const blocks = made.shader.word(this.#blocks);
    source.line(`let row = group / ${blocks};`);
    source.line(`if (row >= ${made.shader.word(this.#loops.rows)}) { return; }`);
    source.line(`let start = group % ${blocks} * ${kBlock};`);
    return this.#beginRow(made, pass);
  }

  /** Begins a row with its reductions of the passes before `pass`. Returns the address of the row in the result. */
  #beginRow({ shader, space, values }: ProgramShader, pass: number): string {
    const { source } = shader;
    const coordinates = space.coordinates("row", 0, this.#loops.keptLoops);
    values.beginRow(coordinates);
    const known = this.#reductions.filter((reduction) => reduction.pass < pass);
    if (known.length > 0) {
      const columns = shader.word(this.#loops.columns);
      const whole = shader.buffer(this.#whole.slot, "read");
      declareReductions(shader, known);
      for (const reduction of known) {
        const { node, accumulator, names } = reduction;
        loadAccumulator(shader, accumulator, placeOf(reduction, this.#whole, whole, "row"), names);
        values.set(node, accumulator.finish(source, names, columns));
      }
    }
    return space.address(0, coordinates);
  }

  /** Writes the loop over the elements of the block. */
  #elements({ shader, space, values }: ProgramShader, write: (coordinates: readonly string[]) => void): void {
    const end = `min(${shader.word(this.#loops.columns)}, start + ${kBlock})`;
    shader.source.open(`for (var j = start + t; j < ${end}; j += ${kWorkgroup}) {`);
    const coordinates = space.coordinates("j", this.#loops.keptLoops, space.sizes.length);
    values.beginElement(coordinates);
    write(coordinates);
    values.endElement();
    shader.source.close();
  }
}

/** Returns where a reduction is in a group of the memory, whose buffer is given. */
function placeOf(reduction: RowReduction, { words, offsets }: Kept, buffer: string, group: string): AccumulatorPlace {
  return { buffer, at: `${group} * ${words} + ${offsets.get(reduction)}` };
}

/** Writes the stores of reductions by one invocation: those of a workgroup are in the group of its number. */
function storeGroup(shader: Shader, reductions: readonly RowReduction[], memory: Kept, buffer: string): void {
  shader.source.open("if (t == 0) {");
  for (const reduction of reductions)
    storeAccumulator(shader, reduction.accumulator, placeOf(reduction, memory, buffer, "group"), reduction.names);
  shader.source.close();
}
