/**
 * LoopNest: the loops that a kernel runs, and how each operand moves through memory under them (Eigen's counterpart is
 * TensorBlockMapper, tensor_block.h: which block of the output is evaluated next).
 *
 *     [64, 8, 16] += contiguous, per row, broadcast        one loop of 8192, or two when an operand breaks the run
 *
 *     sizes      [64, 128]                 outermost first, none of them 1
 *     strides    target [512, 4]           bytes per step of each loop
 *                a      [512, 4]           contiguous: the innermost stride is the element size
 *                bias   [0, 4]             contiguous, too; the same row again and again
 *                scale  [4, 0]             broadcast: one value for the whole innermost loop
 *
 * The order of the loops is free because elementwise work has no order: the target's memory decides, its fastest loop is
 * the innermost, loops that walk it backwards are turned round. Loops that step alike for everybody become one. Nothing here
 * knows dtypes or instructions; nothing here reads memory.
 */

/** How an operand steps in the innermost loop; for transposed ones the loop before it is the contiguous one. */
export type AccessClass = "contiguous" | "broadcast" | "strided" | "transposed";

/** One operand, or the target: byte address of its first element, bytes per element and per step of each loop. */
export interface Access {
  readonly start: number;
  readonly itemBytes: number;
  readonly strides: readonly number[];
}

/** Loops, outermost first, and the accesses under them; the target is access 0. */
export interface LoopNest {
  readonly sizes: readonly number[];
  readonly accesses: readonly Access[];
}

/** The edge of the register blocks that transposed operands are taken in, in elements of 4 bytes. */
export const kTileEdge = 4;

/** Rows shorter than this are no rows if the other loops are longer: then lanes go across them. */
export const kShortRow = 16;

/** A loop while the nest is being put in order: its size and everybody's stride. */
interface Loop {
  size: number;
  strides: number[];
}

/**
 * The nest over `dims` in as few loops as there can be, in the target's order. A size of 0 anywhere gives one loop of 0; no
 * dimension, or only sizes of 1, one loop of 1.
 */
export function loopNest(dims: readonly number[], accesses: readonly Access[]): LoopNest {
  if (dims.includes(0)) return { sizes: [0], accesses: accesses.map((access) => ({ ...access, strides: [0] })) };
  const starts = accesses.map(({ start }) => start);
  const loops: Loop[] = [];
  for (let d = 0; d < dims.length; d++) {
    const size = dims[d] as number;
    if (size !== 1) loops.push({ size, strides: accesses.map(({ strides }) => strides[d] as number) });
  }
  for (const loop of loops) turn(loop, starts);
  loops.sort((a, b) => Math.abs(b.strides[0] as number) - Math.abs(a.strides[0] as number));
  mergeLoops(loops);
  if (loops.length === 0) loops.push({ size: 1, strides: accesses.map(({ itemBytes }) => itemBytes) });
  return nestOf(loops, accesses, starts);
}

/** Turns a loop that walks the target (or, where the target stands still, its first moving operand) backwards. */
function turn(loop: Loop, starts: number[]): void {
  const leader = loop.strides.find((stride) => stride !== 0) ?? 0;
  if (leader >= 0) return;
  for (let k = 0; k < starts.length; k++) {
    const stride = loop.strides[k] as number;
    starts[k] = (starts[k] as number) + (loop.size - 1) * stride;
    loop.strides[k] = 0 - stride;
  }
}

/** Makes one of neighbours that step alike for everybody. */
function mergeLoops(loops: Loop[]): void {
  for (let k = loops.length - 2; k >= 0; k--) {
    const outer = loops[k] as Loop;
    const inner = loops[k + 1] as Loop;
    if (!outer.strides.every((stride, a) => stride === inner.size * (inner.strides[a] as number))) continue;
    loops.splice(k, 2, { size: outer.size * inner.size, strides: inner.strides });
  }
}

function nestOf(loops: readonly Loop[], accesses: readonly Access[], starts: readonly number[]): LoopNest {
  return {
    sizes: loops.map(({ size }) => size),
    accesses: accesses.map(({ itemBytes }, a) => ({
      start: starts[a] as number,
      itemBytes,
      strides: loops.map(({ strides }) => strides[a] as number),
    })),
  };
}

/** The loops of a reduction: those of its result, then those of a row; how many there are of each. */
export interface ReductionNest {
  readonly nest: LoopNest;
  readonly keptLoops: number;
}

/**
 * The nest of a reduction over `axes` of `dims`. Access 0 is the target; where it gets one value per row its strides along the
 * axes are 0. Kept loops come first, ordered by the target; the row's are ordered by whoever moves in them, the target
 * before the operands. `ordered` rows are never turned round: places in them count. There is at least one loop for a row.
 */
export function reductionNest(
  dims: readonly number[],
  axes: readonly number[],
  accesses: readonly Access[],
  ordered: boolean,
): ReductionNest {
  const starts = accesses.map(({ start }) => start);
  const kept: Loop[] = [];
  const row: Loop[] = [];
  for (let d = 0; d < dims.length; d++) {
    const size = dims[d] as number;
    if (size === 1) continue;
    const loop = { size, strides: accesses.map(({ strides }) => strides[d] as number) };
    const isRow = axes.includes(d);
    if (!isRow || !ordered) turn(loop, starts);
    (isRow ? row : kept).push(loop);
  }
  const leader = (loop: Loop): number => Math.abs(loop.strides.find((stride) => stride !== 0) ?? 0);
  kept.sort((a, b) => leader(b) - leader(a));
  row.sort((a, b) => leader(b) - leader(a));
  mergeLoops(kept);
  mergeLoops(row);
  if (row.length === 0) row.push({ size: 1, strides: accesses.map(({ itemBytes }) => itemBytes) });
  return { nest: nestOf([...kept, ...row], accesses, starts), keptLoops: kept.length };
}

/** The class of one access: see AccessClass. */
export function accessClass({ itemBytes, strides }: Access): AccessClass {
  const inner = strides.at(-1) ?? itemBytes;
  if (inner === itemBytes) return "contiguous";
  if (inner === 0) return "broadcast";
  return "strided";
}

/** The classes of all accesses, the target's first. */
export function accessClasses({ accesses }: LoopNest): AccessClass[] {
  return accesses.map(accessClass);
}

/**
 * The nest with a loop of transposed operands brought next to the innermost one, and the classes to run it with; null if
 * no operand runs along another loop than the target, if one runs along neither, or if the loops are too short for tiles.
 */
export function tiledNest(nest: LoopNest, minimum: number = kTileEdge): { nest: LoopNest; classes: AccessClass[] } | null {
  const last = nest.sizes.length - 1;
  const target = nest.accesses[0] as Access;
  if (last < 1 || target.strides[last] !== target.itemBytes || (nest.sizes[last] as number) < minimum) return null;
  for (let a = 1; a < nest.accesses.length; a++) {
    const access = nest.accesses[a] as Access;
    if (accessClass(access) !== "strided") continue;
    const along = access.strides.findIndex((stride, d) => d < last && stride === access.itemBytes && (nest.sizes[d] as number) >= minimum);
    if (along < 0) continue;
    const tiled = withLoopAt(nest, along, last - 1);
    const classes = tiled.accesses.map((other, k): AccessClass => {
      const own = accessClass(other);
      return k > 0 && own === "strided" && other.strides[last - 1] === other.itemBytes ? "transposed" : own;
    });
    return classes.includes("strided") ? null : { nest: tiled, classes };
  }
  return null;
}

/** The nest with loop `from` moved to place `to`. */
function withLoopAt(nest: LoopNest, from: number, to: number): LoopNest {
  const move = (list: readonly number[]): number[] => {
    const moved = list.slice();
    moved.splice(to, 0, ...moved.splice(from, 1));
    return moved;
  };
  return { sizes: move(nest.sizes), accesses: nest.accesses.map((access) => ({ ...access, strides: move(access.strides) })) };
}

/** The part of a nest where loop `loop` goes from `begin` to `end`. */
export function nestPart(nest: LoopNest, loop: number, begin: number, end: number): LoopNest {
  return {
    sizes: nest.sizes.with(loop, end - begin),
    accesses: nest.accesses.map((access) => ({ ...access, start: access.start + begin * (access.strides[loop] as number) })),
  };
}

/** The lowest byte of an access and the one behind the highest, in `sizes` steps. */
export function accessRange({ start, itemBytes, strides }: Access, sizes: readonly number[]): readonly [low: number, end: number] {
  let low = start;
  let high = start;
  for (let d = 0; d < sizes.length; d++) {
    const reach = ((sizes[d] as number) - 1) * (strides[d] as number);
    if (reach < 0) low += reach;
    else high += reach;
  }
  return [low, high + itemBytes];
}
