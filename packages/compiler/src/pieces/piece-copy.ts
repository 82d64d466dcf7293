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
import { kBlockWords, piecesKernel, runUnit } from "./pieces-kernel.ts";
import type { RunUnit } from "./pieces-kernel.ts";
import { noteRun } from "../form/kernel-events.ts";
import type { Access } from "../plan/loop-nest.ts";
import { plainConstant } from "../plan/plain-nodes.ts";
import type { Parameter } from "../plan/program.ts";
import { kArgumentBytes, scratchBlock } from "../plan/scratch.ts";

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

/** Blocks that one kernel copies by one call. Those of a constant are apart. */
interface BlockCall {
  readonly kernel: (table: number, count: number) => number;
  readonly isFill: boolean;
  /** The piece of each block. */
  readonly pieces: readonly number[];
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
  #filled: unknown = undefined;
  #fillWords: Int32Array | null = null;

  private constructor(calls: readonly BlockCall[], dtype: DType) {
    this.#calls = calls;
    this.#dtype = dtype;
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
    for (const [key, group] of groups) {
      const kernel = piecesKernel((key < 0 ? -1 - key : key) as RunUnit);
      if (kernel === null) return null;
      for (let first = 0; first < group.pieces.length; first += kMaxAtOnce) {
        const words = Int32Array.from(group.words.slice(first * kBlockWords, (first + kMaxAtOnce) * kBlockWords));
        calls.push({ kernel, isFill: key < 0, pieces: group.pieces.slice(first, first + kMaxAtOnce), words });
      }
    }
    return new PieceCopy(calls, dtype);
  }

  /** Copies the pieces. Their accesses follow each other, two for each piece: the target's, then the source's. */
  run(accesses: readonly Access[], [constant]: readonly Parameter[]): boolean {
    const { address, words } = scratchBlock();
    for (const { kernel, isFill, pieces, words: image } of this.#calls) {
      for (let i = 0; i < image.length; i++) words[i] = image[i] as number;
      if (isFill) this.#fill(constant!, words);
      for (let b = 0, w = 0; b < pieces.length; b++, w += kBlockWords) {
        const piece = pieces[b] as number;
        words[w + 1]! += accesses[2 * piece]!.start;
        words[w]! += isFill ? address + 4 * kFillWord : accesses[2 * piece + 1]!.start;
      }
      noteRun();
      kernel(address, pieces.length);
    }
    return true;
  }

  /** Writes the elements of a constant into the argument block. */
  #fill({ value }: Parameter, words: Int32Array): void {
    if (this.#fillWords === null || !Object.is(value, this.#filled)) {
      const buffer = new ArrayBuffer(kFillBytes);
      const itemBytes = dtypeSize(this.#dtype);
      const dims = [kFillBytes / itemBytes];
      evaluateInto({ buffer, byteOffset: 0, itemBytes, dims, strides: [1] }, filler(this.#dtype, value, dims));
      this.#fillWords = new Int32Array(buffer);
      this.#filled = value;
    }
    words.set(this.#fillWords, kFillWord);
  }
}

const filler = (dtype: DType, value: unknown, dimensions: readonly number[]): ReturnType<typeof plainConstant> => ({
  ...plainConstant(dtype, value as number),
  dimensions,
});

/** Blocks by the unit of their runs, or by -1 - the unit if they are read from a constant. */
type BlockGroups = Map<number, { readonly pieces: number[]; readonly words: number[] }>;

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
    const key = from === null ? -1 - unit : unit;
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { pieces: [], words: [] }));
    const before = group.pieces.length;
    addLoops(outer, 0, offset, bytes, piece, group);
    return group.pieces.length - before;
  };
  if (from !== null || run <= kFillBytes) return add(loops, 0, run);
  const chunks = Math.floor(run / kFillBytes);
  const whole = add([...loops, { size: chunks, from: 0, to: kFillBytes }], 0, kFillBytes);
  return whole + (run > chunks * kFillBytes ? add(loops, chunks * kFillBytes, run - chunks * kFillBytes) : 0);
}

const kOnce: Loop = { size: 1, from: 0, to: 0 };

/** A block has two loops: blocks of a piece with more follow each other. */
function addLoops(
  loops: readonly Loop[],
  from: number,
  to: number,
  run: number,
  piece: number,
  group: { readonly pieces: number[]; readonly words: number[] },
): void {
  if (loops.length > 2) {
    const [first, ...rest] = loops as [Loop, ...Loop[]];
    if (group.pieces.length > kMaxBlocks) return;
    for (let k = 0; k < first.size; k++) addLoops(rest, from + k * first.from, to + k * first.to, run, piece, group);
    return;
  }
  const outer = loops.length === 2 ? loops[0]! : kOnce;
  const inner = loops.at(-1) ?? kOnce;
  group.pieces.push(piece);
  group.words.push(from, to, outer.size, outer.from, outer.to, inner.size, inner.from, inner.to, run);
}
