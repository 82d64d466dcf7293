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
import { evaluateInto } from "../../evaluator/evaluate-into.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
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
const kMaxBlocks = 256;

/** A piece: where its elements are, and where they go. A piece of a constant has no source. */
export interface PiecePlaces {
  readonly from: RawPlaces | null;
  readonly to: RawPlaces;
}

/** A block: words as the kernel reads them, with distances from the starts of its piece in place of addresses. */
interface Block {
  readonly piece: number;
  readonly words: readonly number[];
}

/** Blocks that one kernel copies by one call. Those of a constant are apart. */
interface BlockCall {
  readonly kernel: (table: number, count: number) => number;
  readonly isFill: boolean;
  readonly blocks: readonly Block[];
  readonly words: Int32Array;
}

interface Loop {
  size: number;
  from: number;
  to: number;
}

/** Copies pieces of one dtype. */
export class PieceCopy implements WholeStep {
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
    const groups = new Map<string, Block[]>();
    let numBlocks = 0;
    for (const [piece, { from, to }] of pieces.entries()) {
      for (const words of blocksOf(from, to)) {
        if (++numBlocks > kMaxBlocks) return null;
        const key = `${runUnit(words.at(-1)!)} ${from === null}`;
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [{ piece, words }]);
        else group.push({ piece, words });
      }
    }
    const calls: BlockCall[] = [];
    for (const [key, all] of groups) {
      const unit = Number.parseInt(key, 10) as RunUnit;
      const kernel = piecesKernel(unit);
      if (kernel === null) return null;
      for (let first = 0; first < all.length; first += kMaxAtOnce) {
        const blocks = all.slice(first, first + kMaxAtOnce);
        calls.push({ kernel, isFill: key.endsWith("true"), blocks, words: Int32Array.from(blocks.flatMap(({ words }) => words)) });
      }
    }
    return new PieceCopy(calls, dtype);
  }

  /** Copies the pieces. Their accesses follow each other, two for each piece: the target's, then the source's. */
  run(accesses: readonly Access[], [constant]: readonly Parameter[]): boolean {
    const { address, words } = scratchBlock();
    for (const { kernel, isFill, blocks, words: image } of this.#calls) {
      for (let i = 0; i < image.length; i++) words[i] = image[i] as number;
      if (isFill) this.#fill(constant!, words);
      for (let b = 0, w = 0; b < blocks.length; b++, w += kBlockWords) {
        const { piece } = blocks[b]!;
        words[w + 1]! += accesses[2 * piece]!.start;
        words[w]! += isFill ? address + 4 * kFillWord : accesses[2 * piece + 1]!.start;
      }
      noteRun();
      kernel(address, blocks.length);
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

/** Returns the blocks of a piece. The elements of a run are adjacent on both sides. */
function* blocksOf(from: RawPlaces | null, to: RawPlaces): Generator<number[]> {
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
  if (from !== null || run <= kFillBytes) yield* blocksOfLoops(loops, 0, 0, run);
  else {
    const chunks = Math.floor(run / kFillBytes);
    yield* blocksOfLoops([...loops, { size: chunks, from: 0, to: kFillBytes }], 0, 0, kFillBytes);
    if (run > chunks * kFillBytes) yield* blocksOfLoops(loops, 0, chunks * kFillBytes, run - chunks * kFillBytes);
  }
}

/** A block has two loops: blocks of a piece with more follow each other. */
function* blocksOfLoops(loops: readonly Loop[], from: number, to: number, run: number): Generator<number[]> {
  if (loops.length > 2) {
    const [outer, ...rest] = loops as [Loop, ...Loop[]];
    for (let k = 0; k < outer.size; k++) yield* blocksOfLoops(rest, from + k * outer.from, to + k * outer.to, run);
    return;
  }
  const once = { size: 1, from: 0, to: 0 };
  const [outer, inner] = loops.length === 2 ? loops : [once, loops[0] ?? once];
  yield [from, to, outer!.size, outer!.from, outer!.to, inner!.size, inner!.from, inner!.to, run];
}
