/**
 * piece-copy: copies pieces of maps, of stages and of constants to their places in a result, each piece as blocks of runs of bytes.
 *
 *     pad of [64, 64] by 1     a [64, 64] to the middle of [66, 66]      one block of 64 runs
 *                              two rows and two columns of a constant    four blocks, read from the same bytes
 *
 * The blocks are found once; a kept plan copies them again with other addresses.
 */
import { dtypeSize } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { evaluateInto } from "@onebuffer/evaluator/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { kArgumentBytes, kBlockWords, noteRun, piecesKernel, runUnit, scratchBlock } from "@onebuffer/kernels/internal";
import type { Access, RunUnit } from "@onebuffer/kernels/internal";
import { plainConstant } from "../plan/plain-nodes.ts";
import type { Parameter } from "../plan/program.ts";

import type { WholeStep } from "../array-loops/whole-step.ts";

/** The last bytes of the argument block hold the elements of a constant. */
const kFillBytes = 1024;
const kFillWord: number = (kArgumentBytes - kFillBytes) / 4;
/** The most blocks of one call, and of all pieces. */
const kMaxAtOnce: number = Math.floor(kFillWord / kBlockWords);
const kMaxBlocks = 65536;

/** A piece: where its elements are, and where they go. A piece of a constant has no source. */
export interface PiecePlaces {
  readonly from: RawPlaces | null;
  readonly to: RawPlaces;
}

/** Blocks that one kernel copies by one call. */
interface BlockCall {
  readonly kernel: (table: number, count: number) => number;
  /** For each block the access of its target, and that of its source; -1 for a constant. */
  readonly targets: readonly number[];
  readonly sources: readonly number[];
  /** The words of the blocks as the kernel reads them, with distances from the starts of the pieces in place of addresses. */
  readonly words: Int32Array;
}

interface Loop {
  size: number;
  from: number;
  to: number;
}

/** Copies pieces of one dtype. */
export class PieceCopy implements WholeStep {
  readonly isSure = true;
  readonly #calls: readonly BlockCall[];
  readonly #dtype: DType;
  #filled: readonly unknown[] = [];
  #fillWords: Int32Array | null = null;

  /** The words of the longest run of a constant; 0 without constants. */
  readonly #numFillWords: number;

  private constructor(calls: readonly BlockCall[], dtype: DType) {
    this.#calls = calls;
    this.#dtype = dtype;
    const runs = calls.flatMap(({ sources, words }) => sources.map((from, b) => (from < 0 ? words[(b + 1) * kBlockWords - 1]! : 0)));
    this.#numFillWords = (runs.reduce((a, b) => Math.max(a, b), 0) + 3) >> 2;
  }

  /** Returns the copy of these pieces; null if they have too many blocks or the engine refuses a kernel. All constants are the same. */
  static of(pieces: readonly PiecePlaces[], dtype: DType): PieceCopy | null {
    const groups: BlockGroups = new Map();
    let numBlocks = 0;
    for (let piece = 0; piece < pieces.length; piece++) {
      numBlocks += addBlocks(pieces[piece]!, piece, groups);
      if (numBlocks > kMaxBlocks) return null;
    }
    const calls: BlockCall[] = [];
    for (const [unit, { targets, sources, words }] of groups) {
      const kernel = piecesKernel(unit);
      if (kernel === null) return null;
      for (let first = 0; first < targets.length; first += kMaxAtOnce) {
        const end = first + kMaxAtOnce;
        const some = Int32Array.from(words.slice(first * kBlockWords, end * kBlockWords));
        calls.push({ kernel, targets: targets.slice(first, end), sources: sources.slice(first, end), words: some });
      }
    }
    return new PieceCopy(calls, dtype);
  }

  /** Copies the pieces. Their accesses follow each other, two for each piece: the target's, then the source's. */
  run(accesses: readonly Access[], constant: readonly Parameter[]): boolean {
    const { address, words } = scratchBlock();
    const fillAddress = address + 4 * kFillWord;
    if (this.#numFillWords > 0) this.#fill(constant, words);
    const calls = this.#calls;
    for (let c = 0; c < calls.length; c++) {
      const { kernel, targets, sources, words: image } = calls[c]!;
      for (let i = 0; i < image.length; i++) words[i] = image[i] as number;
      for (let b = 0, w = 0; b < targets.length; b++, w += kBlockWords) {
        const source = sources[b] as number;
        words[w]! += source < 0 ? fillAddress : accesses[source]!.start;
        words[w + 1]! += accesses[targets[b] as number]!.start;
      }
      noteRun();
      kernel(address, targets.length);
    }
    return true;
  }

  /** Writes the elements of a constant into the argument block. A complex one has two parts. */
  #fill(parts: readonly Parameter[], words: Int32Array): void {
    if (this.#fillWords === null || parts.some(({ value }, k) => !Object.is(value, this.#filled[k]))) {
      const buffer = new ArrayBuffer(kFillBytes);
      const itemBytes = dtypeSize(this.#dtype);
      const dims = [kFillBytes / itemBytes];
      this.#filled = parts.map(({ value }) => value);
      const value = parts.length > 1 ? this.#filled : this.#filled[0];
      evaluateInto({ buffer, byteOffset: 0, itemBytes, dims, strides: [1] }, filler(this.#dtype, value, dims));
      this.#fillWords = new Int32Array(buffer);
    }
    const fill = this.#fillWords;
    for (let w = 0; w < this.#numFillWords; w++) words[kFillWord + w] = fill[w] as number;
  }
}

const filler = (dtype: DType, value: unknown, dimensions: readonly number[]): ReturnType<typeof plainConstant> => ({
  ...plainConstant(dtype, value as number),
  dimensions,
});

/** The blocks that runs of one unit are copied in. */
interface BlockGroup {
  readonly targets: number[];
  readonly sources: number[];
  readonly words: number[];
}

/** Blocks by the unit of their runs. */
type BlockGroups = Map<RunUnit, BlockGroup>;

/** Adds the blocks of a piece and returns their number. The elements of a run are adjacent on both sides. */
function addBlocks({ from, to }: PiecePlaces, piece: number, groups: BlockGroups): number {
  const { dims, itemBytes } = to;
  const loops: Loop[] = [{ size: itemBytes, from: 1, to: 1 }];
  for (let d = dims.length - 1; d >= 0; d--) {
    const size = dims[d] as number;
    if (size === 1) continue;
    const loop = { size, from: (from?.strides[d] ?? 0) * itemBytes, to: (to.strides[d] as number) * itemBytes };
    const inner = loops[0]!;
    const isOne = (from === null || loop.from === inner.size * inner.from) && loop.to === inner.size * inner.to;
    if (isOne) inner.size *= size;
    else loops.unshift(loop);
  }
  const { size: run } = loops.pop()!;
  const add = (outer: readonly Loop[], offset: number, bytes: number): number => {
    const unit = runUnit(bytes);
    let group = groups.get(unit);
    if (group === undefined) groups.set(unit, (group = { targets: [], sources: [], words: [] }));
    const before = group.targets.length;
    addLoops(outer, 0, offset, bytes, 2 * piece, from === null ? -1 : 2 * piece + 1, group);
    return group.targets.length - before;
  };
  if (from !== null || run <= kFillBytes) return add(loops, 0, run);
  const chunks = Math.floor(run / kFillBytes);
  const whole = add([...loops, { size: chunks, from: 0, to: kFillBytes }], 0, kFillBytes);
  return whole + (run > chunks * kFillBytes ? add(loops, chunks * kFillBytes, run - chunks * kFillBytes) : 0);
}

const kOnce: Loop = { size: 1, from: 0, to: 0 };

/** A block has two loops: blocks of a piece with more follow each other. */
function addLoops(loops: readonly Loop[], from: number, to: number, run: number, target: number, source: number, group: BlockGroup): void {
  if (loops.length > 2) {
    const [first, ...rest] = loops as [Loop, ...Loop[]];
    if (group.targets.length > kMaxBlocks) return;
    for (let k = 0; k < first.size; k++) addLoops(rest, from + k * first.from, to + k * first.to, run, target, source, group);
    return;
  }
  const outer = loops.length === 2 ? loops[0]! : kOnce;
  const inner = loops.at(-1) ?? kOnce;
  group.targets.push(target);
  group.sources.push(source);
  group.words.push(from, to, outer.size, outer.from, outer.to, inner.size, inner.from, inner.to, run);
}
