/**
 * LoopNest: the loops that a kernel runs, and how each operand moves through memory in them (in Eigen: TensorBlockMapper,
 * tensor_block.h, which decides which block of the output is evaluated next).
 *
 *     [64, 8, 16] = a [64, 8, 16] + bias [8, 16] * scale [64, 1, 1]        two loops; one of 8192 without bias and scale
 *
 *     sizes      [64, 128]                 outermost first, none of them 1
 *     strides    target [512, 4]           bytes per step of each loop
 *                a      [512, 4]           contiguous: the innermost stride is the element size
 *                bias   [0, 4]             contiguous too; the same row again and again
 *                scale  [4, 0]             broadcast: one value for the whole innermost loop
 *
 * Elementwise work may run in any order. The target's memory decides it: the target's fastest loop becomes the innermost, and loops that
 * walk the target backwards are reversed. Adjacent loops that all accesses walk as one are merged. Nothing here
 * knows dtypes or instructions, and nothing here reads memory.
 */

/**
 * How an access steps in the innermost loop. A transposed operand is contiguous in the loop before it. The values of a ramp are consecutive
 * integers; other iotas are broadcast or strided.
 */
export type AccessClass = "contiguous" | "broadcast" | "strided" | "transposed" | "ramp";

/**
 * The form of a kernel's loops. map: elements to elements. tile: the same in square blocks. rows: reductions over the innermost loops.
 * columns: reductions over other loops; windows: the same of a few elements.
 */
export type KernelForm = "map" | "tile" | "rows" | "columns" | "windows";

/** Returns true if the innermost loop of a form is the last one of its result. The loops behind it are reduced. */
export const runsAcrossRows = (form: KernelForm): boolean => form === "columns" || form === "windows";

/** One operand, or the target: the byte address of its first element, bytes per element, and bytes per step of each loop. */
export interface Access {
  readonly start: number;
  readonly itemBytes: number;
  readonly strides: readonly number[];
}

/** Loops, outermost first, and the accesses in them; the target is access 0. */
export interface LoopNest {
  readonly sizes: readonly number[];
  readonly accesses: readonly Access[];
}

/** The edge of the register blocks in which transposed operands are processed, in elements of 4 bytes. */
export const kTileEdge = 4;

/** Rows from this length on are tiled even if there are only two or three of them. Shorter ones do not pay for a second kernel for the edges. */
const kLongRow = 256;

/** Rows shorter than this are not vectorized along the row if the other loops are longer: lanes then go across the rows. */
export const kShortRow = 16;

/** The most bytes of a row of the target that is computed across the rows, if its elements had at least four bytes. */
const kTargetBytes = 32;
/** Rows of an operand with as many bytes are gathered as vectors, at once. */
const kVectorBytes = 16;
/** The rows of a block: the next column finds their lines in the cache. */
const kBlockRows = 1024;

/** A loop during the construction of a nest: its size, and the stride of each access. */
interface Loop {
  size: number;
  strides: number[];
}

/**
 * Returns the nest over `dims` with as few loops as possible, in the target's order. A size of 0 anywhere gives one loop of 0. No
 * dimensions, or only sizes of 1, give one loop of 1.
 */
export function loopNest(dims: readonly number[], accesses: readonly Access[]): LoopNest {
  if (dims.includes(0)) return { sizes: [0], accesses: accesses.map((access) => ({ ...access, strides: [0] })) };
  const starts = accesses.map(({ start }) => start);
  const loops: Loop[] = [];
  for (let d = 0; d < dims.length; d++) {
    const size = dims[d] as number;
    if (size !== 1) loops.push({ size, strides: accesses.map(({ strides }) => strides[d] as number) });
  }
  for (const loop of loops) makeForward(loop, starts);
  loops.sort((a, b) => Math.abs(b.strides[0] as number) - Math.abs(a.strides[0] as number));
  mergeLoops(loops);
  if (loops.length === 0) loops.push({ size: 1, strides: accesses.map(({ itemBytes }) => itemBytes) });
  return nestOf(loops, accesses, starts);
}

/** Reverses a loop that walks the target backwards (or the first operand that moves, if the target does not move). */
function makeForward(loop: Loop, starts: number[]): void {
  const leader = loop.strides.find((stride) => stride !== 0) ?? 0;
  if (leader >= 0) return;
  for (let k = 0; k < starts.length; k++) {
    const stride = loop.strides[k] as number;
    starts[k] = (starts[k] as number) + (loop.size - 1) * stride;
    loop.strides[k] = 0 - stride;
  }
}

/** Merges adjacent loops that all accesses walk as one. */
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

/** The fewest elements of a row, and of the loop along which the operands are, for which the order of the operands pays. */
const kLeastRowsAcross = 16;
const kLeastAlong = 8;

/** The loops of a reduction, those of the result first, and how many of them are loops of the result. */
export interface ReductionNest {
  readonly nest: LoopNest;
  readonly keptLoops: number;
}

/**
 * Returns the nest of a reduction over `axes` of `dims`. Access 0 is the target; if it gets one value per row, its strides along the axes
 * are 0. The loops of the result come first, ordered by the target's strides. The loops of the row are ordered by the strides of the first
 * access that moves in them, starting with the target. With `ordered`, row loops are not reversed, because indices in the row count
 * (argmax). There is at least one row loop.
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
    if (!isRow || !ordered) makeForward(loop, starts);
    (isRow ? row : kept).push(loop);
  }
  const leader = (loop: Loop): number => Math.abs(loop.strides.find((stride) => stride !== 0) ?? 0);
  kept.sort((a, b) => leader(b) - leader(a));
  row.sort((a, b) => leader(b) - leader(a));
  const rowSize = row.reduce((count, { size }) => count * size, 1);
  if (rowSize >= kLeastRowsAcross) endAlongOperands(kept, accesses);
  mergeLoops(kept);
  mergeLoops(row);
  if (row.length === 0) row.push({ size: 1, strides: accesses.map(({ itemBytes }) => itemBytes) });
  return { nest: nestOf([...kept, ...row], accesses, starts), keptLoops: kept.length };
}

/**
 * Moves the loop of the result along which all operands are adjacent to the end, if none is along the loop that is there: many elements are
 * read for each that is stored. So do the gradients of depthwise filters, [channels, window], of images whose channels are last.
 */
function endAlongOperands(kept: Loop[], accesses: readonly Access[]): void {
  const inner = kept.at(-1);
  const operands = accesses.map((_, a) => a).slice(1);
  const isAlong = ({ strides }: Loop, a: number): boolean => strides[a] === accesses[a]!.itemBytes;
  if (inner === undefined || operands.some((a) => isAlong(inner, a))) return;
  const along = kept.findIndex((loop) => {
    const isDense = operands.every((a) => isAlong(loop, a) || loop.strides[a] === 0);
    return loop.size >= kLeastAlong && isDense && operands.some((a) => isAlong(loop, a));
  });
  if (along >= 0) kept.push(...kept.splice(along, 1));
}

/** Returns the class of one access in the innermost loop, which is never "transposed". */
export function accessClass({ itemBytes, strides }: Access): AccessClass {
  const inner = strides.at(-1) ?? itemBytes;
  if (inner === itemBytes) return "contiguous";
  if (inner === 0) return "broadcast";
  return "strided";
}

/** Returns the classes of all accesses, the target's first. */
export function accessClasses({ accesses }: LoopNest): AccessClass[] {
  return accesses.map(accessClass);
}

/**
 * Returns the nest with the loop along which transposed operands are contiguous moved next to the innermost loop, and the classes of its
 * accesses. Returns null if no operand is contiguous along another loop than the target, if some operand is contiguous along neither loop,
 * or if the loops are too short for tiles.
 */
export function tiledNest(nest: LoopNest): { nest: LoopNest; classes: AccessClass[] } | null {
  const last = nest.sizes.length - 1;
  const target = nest.accesses[0] as Access;
  if (last < 1 || target.strides[last] !== target.itemBytes || (nest.sizes[last] as number) < kTileEdge) return null;
  const minimum = (nest.sizes[last] as number) < kLongRow ? kTileEdge : 2;
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

/**
 * Returns a nest of a map as it is, or, where its rows are a few elements that are not adjacent in some operand, as blocks whose innermost
 * loop goes across the rows, and the remaining rows; one of the two may be empty. A call of the innermost loop costs as much as some ten
 * elements.
 *
 *     rgb [9000, 3] of bgr [9000, 3]        [8, 3, 1024] and [1, 3, 808]: one color of 1,024 pixels at a time
 *     rgb [9000, 3] of planes [3, 9000]     likewise, and the elements of a plane are adjacent
 */
export function acrossRows(nest: LoopNest): readonly LoopNest[] {
  const { sizes, accesses } = nest;
  const [rows, columns] = sizes.slice(-2) as [number, number];
  const pays = ({ itemBytes, strides }: Access): boolean => {
    const [step, own] = strides.slice(-2) as [number, number];
    return own !== 0 && own !== itemBytes && (step === itemBytes || columns * itemBytes < kVectorBytes);
  };
  const isShort = sizes.length > 1 && columns * Math.max(4, accesses[0]!.itemBytes) <= kTargetBytes && rows >= 8 * columns;
  if (!isShort || !accesses.some(pays)) return [nest];
  const part = (first: number, count: number, size: number): LoopNest => ({
    sizes: [...sizes.slice(0, -2), count, columns, size],
    accesses: accesses.map(({ start, itemBytes, strides }) => {
      const [step, own] = strides.slice(-2) as [number, number];
      return { start: start + first * step, itemBytes, strides: [...strides.slice(0, -2), step * size, own, step] };
    }),
  });
  const rest = rows % kBlockRows;
  return [part(0, (rows - rest) / kBlockRows, kBlockRows), part(rows - rest, 1, rest)];
}

/** Returns the nest with loop `from` moved to position `to`. */
function withLoopAt(nest: LoopNest, from: number, to: number): LoopNest {
  const move = (list: readonly number[]): number[] => {
    const moved = list.slice();
    moved.splice(to, 0, ...moved.splice(from, 1));
    return moved;
  };
  return { sizes: move(nest.sizes), accesses: nest.accesses.map((access) => ({ ...access, strides: move(access.strides) })) };
}

/** Returns the part of a nest in which loop `loop` goes from `begin` to `end`. */
export function nestPart(nest: LoopNest, loop: number, begin: number, end: number): LoopNest {
  return {
    sizes: nest.sizes.with(loop, end - begin),
    accesses: nest.accesses.map((access) => ({ ...access, start: access.start + begin * (access.strides[loop] as number) })),
  };
}

/** Returns the lowest byte of an access over loops of `sizes`, and the byte behind the highest. */
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
