/**
 * kernel-plan: turns a program over given memory into kernel calls: the form of the kernel, its loops and its
 * arguments (the part of Eigen's TensorExecutor that depends on sizes).
 *
 *     elementwise, an operand runs across    tile kernel, and map kernels for the edges
 *     elementwise                            map kernel
 *     reductions along the memory            row kernel
 *     one reduction across the memory        column kernel; several reductions are first split into programs of one each
 *
 * A call that would read outside the linear memory is refused, even if only unused lanes would be read. Then the
 * evaluator computes the expression.
 */
import type { DType } from "@onebuffer/base";
import { constantKind, parts, placeOps } from "@onebuffer/expression/internal";
import { linearMemory } from "@onebuffer/wasm";
import { markUsed } from "./kernel-cache.ts";
import type { KernelCache, Kernel } from "./kernel-cache.ts";
import { kColumnBytes } from "../form/kernel-columns.ts";
import { kBufferWord } from "../form/kernel-rows.ts";
import { kMostInWindow } from "../form/window-folds.ts";
import { product } from "@onebuffer/storage/internal";
import { argumentRoom } from "../plan/kernel-spec.ts";
import type { KernelSpec } from "../plan/kernel-spec.ts";
import { writeParameters } from "./kernel-parameters.ts";
import type { Lowered } from "../plan/lowering.ts";
import { withOrderedBits } from "../form/ordered-bits.ts";
import type { Parameter, Program } from "../plan/program.ts";
import { isMathOp } from "../plan/row-passes.ts";
import { loopsOfParts, nanosecondsOfCall, partsOfCall } from "../split/call-parts.ts";
import { laneBytes } from "@onebuffer/wasm/internal";
import {
  acrossRows,
  fallBack,
  kArgumentBytes,
  kindOf,
  kRowBytes,
  kShortRow,
  kTailBytes,
  loopNest,
  nestPart,
  noteRun,
  reductionNest,
  runsAcrossRows,
  scratchBlock,
  storageBytes,
  takeScratch,
  tiledNest,
  withScratch,
  workSplitter,
} from "@onebuffer/kernels/internal";
import type { Access, AccessClass, KernelForm, LoopNest, PoolModule, ScratchBlock, WorkSplitter } from "@onebuffer/kernels/internal";

/** One run of one kernel: its structure and its loops. */
export interface KernelCall extends KernelRun {
  readonly spec: KernelSpec;
}

/** The part of a call that is needed to run it once the kernel exists. */
export interface KernelRun {
  readonly spec: Pick<KernelSpec, "form" | "classes" | "outerLoops">;
  readonly nest: LoopNest;
  /** The words of the argument block, of which only the starts and constants change from run to run; absent if others may change, too. */
  readonly image?: Int32Array | null;
}

/** Rows with fewer than kShortPeriod elements are processed several at a time where possible, in rows of about kPeriodElements elements. */
const kShortPeriod = 48;
const kPeriodElements = 768;
/** Rows with fewer elements leave most of a vector unused. */
const kLeastRow = 3;
/** How many bytes beyond a period a kernel may read, because it loads whole groups of lanes. */
const kScratchSlack = 256;

/** Returns the calls for one result or several, in order. Returns null if the program must first be lowered without fused reductions. */
export function planCalls(
  lowered: Lowered,
  targets: readonly Access[],
  targetDType: DType,
  starts: readonly number[],
): readonly KernelCall[] | null {
  const { program, storesRows } = lowered;
  const { dims, axes, operands } = program;
  const sources = operands.map(({ itemBytes, strides }, k): Access => ({ start: starts[k] as number, itemBytes, strides }));
  const accesses = [targets[0]!, ...sources, ...targets.slice(1)];
  if (axes.length === 0) return planMaps(lowered, loopNest(dims, accesses), targetDType);
  const ordered = program.nodes.some(({ kind, op }) => kind === "reduce" && placeOps.has(op));
  const { nest, keptLoops } = reductionNest(dims, axes, accesses, ordered);
  const across = keptLoops > 0 && runsAcross(nest, keptLoops, operands.length);
  if (!across) return [{ spec: specOf(lowered, nest, "rows", targetDType, keptLoops), nest }];
  const isOnly = targets.length === 1 && isOneReduction(program);
  if (!isOnly && isShortFunction(lowered, nest, keptLoops)) {
    return [{ spec: specOf(lowered, nest, "rows", targetDType, keptLoops), nest }];
  }
  if (!storesRows || !isOnly) return null;
  const spec = specOf(lowered, nest, "columns", targetDType, keptLoops);
  return [{ spec: isWindow(spec, nest) ? { ...spec, form: "windows" } : spec, nest }];
}

/** Returns true if the reduction of a column kernel has few elements, which lie side by side. */
function isWindow({ nodes, result, classes, outerLoops }: KernelSpec, { sizes }: LoopNest): boolean {
  const { kind, op } = nodes[result]!;
  const isFolded = kind === "reduce" && !placeOps.has(op);
  const isDense = classes.every((each) => each === "contiguous" || each === "broadcast");
  return isFolded && isDense && product(sizes.slice(outerLoops)) <= kMostInWindow;
}

/** Returns true if a program's result is a reduction, or one of each part of a complex number, and there are no other reductions. */
export function isOneReduction({ nodes, result }: Program): boolean {
  const { op, inputs } = nodes[result]!;
  const results = op === "complex" ? inputs : [result];
  return results.every((i) => nodes[i]!.kind === "reduce") && nodes.every(({ kind }, i) => kind !== "reduce" || results.includes(i));
}

/**
 * Returns true for rows that are short but dense, and an elementary function of their elements, as in softmax. A row that is not a whole
 * number of vectors then costs less than several kernels.
 */
function isShortFunction({ program, storesRows }: Lowered, { sizes, accesses }: LoopNest, keptLoops: number): boolean {
  const isDense = accesses.every(({ itemBytes, strides }) => strides.at(-1) === itemBytes || strides.at(-1) === 0);
  return (
    !storesRows && isDense && sizes.length === keptLoops + 1 && sizes.at(-1)! >= kLeastRow && program.nodes.some(({ op }) => isMathOp(op))
  );
}

/** Returns true if the operands' memory runs along the kept loops rather than along the rows. */
function runsAcross(nest: LoopNest, keptLoops: number, operands: number): boolean {
  const finest = (from: number, to: number): number => {
    let least = Infinity;
    for (const { strides } of nest.accesses.slice(1, 1 + operands)) {
      for (let loop = from; loop < to; loop++) {
        const stride = Math.abs(strides[loop] as number);
        if (stride !== 0) least = Math.min(least, stride);
      }
    }
    return least;
  };
  const loops = nest.sizes.length;
  const rowSize = product(nest.sizes.slice(keptLoops));
  if (rowSize < kShortRow && (nest.sizes[keptLoops - 1] as number) >= 4 * kShortRow) return true;
  const [kept, row] = [finest(0, keptLoops), finest(keptLoops, loops)];
  // If some operands run along the rows and others across them, as in a product of matrices, this chooses the
  // direction in which no operand has to be gathered.
  const gathers = (loop: number): boolean =>
    nest.accesses.slice(1).some(({ itemBytes, strides }) => strides[loop] !== 0 && strides[loop] !== itemBytes);
  return kept === row ? gathers(loops - 1) && !gathers(keptLoops - 1) : kept < row;
}

/** Returns the structure of the kernel for a nest. */
function specOf(
  lowered: Lowered,
  nest: LoopNest,
  form: KernelForm,
  targetDType: DType,
  keptLoops: number,
  classes?: readonly AccessClass[],
): KernelSpec {
  const { program, storesRows } = lowered;
  const { nodes, result, also, parameters, operands } = program;
  const loops = nest.sizes.length;
  // The first loop of a row. A row of a map is the innermost loop; of a tile the last two loops; of columns the
  // innermost kept loop and the reduced loops; otherwise the reduced loops.
  const rowStart = form === "map" ? loops - 1 : form === "tile" ? loops - 2 : runsAcrossRows(form) ? keptLoops - 1 : keptLoops;
  const inner = runsAcrossRows(form) ? keptLoops - 1 : loops - 1;
  const own = classes ?? nest.accesses.map((access, a) => classAt(access, inner, a, a > 0 && operands[a - 1]?.source === null, form));
  return withOrderedBits({
    form,
    nodes,
    result,
    also,
    targetDType,
    target: own[0]!,
    classes: own.slice(1),
    varies: nest.accesses.slice(1).map(({ strides }) => strides.slice(rowStart).some((stride) => stride !== 0)),
    outerLoops: form === "map" || form === "tile" ? loops - 1 : keptLoops,
    rowLoops: form === "map" || form === "tile" ? 1 : loops - keptLoops,
    ...(form === "tile" ? { blockRows: Math.min(16 / nest.accesses[0]!.itemBytes, nest.sizes[loops - 2]!) } : {}),
    storesRows,
    parameters: parameters.map(({ value }) => constantKind(value)),
  });
}

/** Returns the class of access `a` in a loop. An operand of columns that is contiguous along the reduced loop is transposed. */
function classAt({ itemBytes, strides }: Access, loop: number, a: number, isRamp: boolean, form: KernelForm): AccessClass {
  const stride = strides[loop] as number;
  if (stride === 0) return "broadcast";
  if (stride === itemBytes) return isRamp ? "ramp" : "contiguous";
  return form === "columns" && a > 0 && !isRamp && strides.at(-1) === itemBytes ? "transposed" : "strided";
}

/** Returns one map kernel, or a tile kernel and map kernels for the edges that do not fill whole blocks. */
function planMaps(lowered: Lowered, nest: LoopNest, targetDType: DType): readonly KernelCall[] {
  const tiled = tileable(lowered, targetDType) ? tiledNest(nest) : null;
  const map = (part: LoopNest): KernelCall[] =>
    part.sizes.includes(0) ? [] : [{ spec: specOf(lowered, part, "map", targetDType, 0), nest: part }];
  if (tiled === null) {
    const hasRoom = nest.accesses.length + lowered.program.parameters.length < argumentRoom([...nest.sizes, 2]);
    return (hasRoom ? acrossRows(nest) : [nest]).flatMap(map);
  }
  const { itemBytes } = nest.accesses[0]!;
  const edge = 16 / itemBytes;
  const rows = tiled.nest.sizes.length - 2;
  const columns = rows + 1;
  const whole = (loop: number): number => Math.floor((tiled.nest.sizes[loop] as number) / edge) * edge;
  // Fewer rows than a block has are blocks with fewer rows.
  const [numRows, numColumns] = [whole(rows) || tiled.nest.sizes[rows]!, whole(columns)];
  if (numColumns === 0) return map(nest);
  const blocks = nestPart(nestPart(tiled.nest, rows, 0, numRows), columns, 0, numColumns);
  const right = nestPart(nestPart(tiled.nest, rows, 0, numRows), columns, numColumns, tiled.nest.sizes[columns] as number);
  const below = nestPart(tiled.nest, rows, numRows, tiled.nest.sizes[rows] as number);
  return [{ spec: specOf(lowered, blocks, "tile", targetDType, 0, tiled.classes), nest: blocks }, ...map(right), ...map(below)];
}

/**
 * A loop nest with short rows, merged into long ones. Rows are short because some operands start again with each row
 * (such as a mean per color). Those operands are repeated in scratch memory until they fill one period. A ramp has no
 * memory to repeat: a nest with one keeps its short rows.
 */
export interface Period {
  /** The nests with `rows` rows merged into one: one nest for the whole periods, and one for the remaining rows. */
  readonly nests: readonly LoopNest[];
  /** The accesses to repeat, the bytes of one of their rows, and the scratch address of the copies. */
  readonly copies: readonly { readonly access: number; readonly from: number; readonly to: number; readonly bytes: number }[];
  readonly rows: number;
}

/** Returns a function that returns true for an access whose rows follow each other. */
function mergesWithin({ sizes }: LoopNest): (access: Access) => boolean {
  const inner = sizes.length - 1;
  return ({ strides }) => strides[inner - 1] === (sizes[inner] as number) * (strides[inner] as number);
}

/** Returns true if the rows of a nest are short and can be merged. */
function hasPeriod({ nest, spec }: KernelRun): boolean {
  const inner = nest.sizes.length - 1;
  if (spec.form !== "map" || inner < 1) return false;
  if ((nest.sizes[inner] as number) >= kShortPeriod || (nest.sizes[inner - 1] as number) < kShortRow) return false;
  // True if the elements of a row are adjacent in memory and all rows are the same.
  const isPeriodic = ({ strides }: Access, a: number): boolean =>
    a > 0 && spec.classes[a - 1] === "contiguous" && strides.slice(0, inner).every((stride) => stride === 0);
  const merges = mergesWithin(nest);
  return nest.accesses.every((access, a) => merges(access) || isPeriodic(access, a));
}

/**
 * Returns the period for a nest, with scratch memory for its periodic operands. Returns null if rows are long or the
 * other operands do not merge.
 */
function periodOf(call: KernelRun): Period | null {
  if (!hasPeriod(call)) return null;
  const { nest } = call;
  const inner = nest.sizes.length - 1;
  const columns = nest.sizes[inner] as number;
  const all = nest.sizes[inner - 1] as number;
  const rows = Math.min(all, Math.ceil(kPeriodElements / columns / 16) * 16);
  const merges = mergesWithin(nest);
  const copies = nest.accesses.flatMap((access, a) => {
    if (merges(access)) return [];
    const bytes = columns * access.itemBytes;
    return [{ access: a, from: access.start, to: takeScratch(bytes * rows + kScratchSlack), bytes }];
  });
  const part = (first: number, count: number, perRow: number): LoopNest => ({
    sizes: [...nest.sizes.slice(0, inner - 1), count, perRow * columns],
    accesses: nest.accesses.map(({ start, itemBytes, strides }, a) => {
      const copy = copies.find(({ access }) => access === a);
      const step = strides[inner - 1] as number;
      return {
        start: copy?.to ?? start + first * step,
        itemBytes,
        strides: [...strides.slice(0, inner - 1), copy === undefined ? step * perRow : 0, strides[inner] as number],
      };
    }),
  });
  const whole = Math.floor(all / rows);
  const nests = [part(0, whole, rows), ...(all > whole * rows ? [part(whole * rows, 1, all - whole * rows)] : [])];
  return { nests, copies, rows };
}

/** Fills scratch memory with copies of the periodic operands. */
function fillPeriods({ copies, rows }: Period): void {
  for (const { from, to, bytes } of copies) {
    const all = new Uint8Array(linearMemory().buffer, to, bytes * rows);
    all.set(new Uint8Array(linearMemory().buffer, from, bytes));
    for (let done = bytes; done < all.length; done *= 2) all.copyWithin(done, 0, Math.min(done, all.length - done));
  }
}

/** Returns true if all values have lanes of one width, in memory and in registers, and no value is a ramp or a part of a complex number. */
function tileable({ program }: Lowered, targetDType: DType): boolean {
  const bytes = storageBytes(targetDType);
  return (
    laneBytes[kindOf(targetDType)] === bytes &&
    program.nodes.every(({ kind, op, dtype }) => {
      if (kind === "ramp" || op in parts) return false;
      if (kind === "load") return storageBytes(dtype) === bytes && laneBytes[kindOf(dtype)] === bytes;
      return dtype === "bool" || laneBytes[kindOf(dtype)] === bytes;
    })
  );
}

/** Returns true if a call stays within the memory, including the lanes that whole groups read beyond the end. */
export function staysInside(call: KernelCall, elements: number, memoryBytes: number): boolean {
  return call.nest.accesses.every(({ start, itemBytes }, a) => {
    if (a > 0 && itemBytes === 1 && start < 65536) return true;
    const [low, end] = accessReach(call, a, elements);
    return start + low >= 0 && start + end <= memoryBytes;
  });
}

/** Returns the range of bytes that an access of a call may touch, relative to its start. Loads of adjacent elements read whole groups of lanes. */
export function accessReach({ nest, spec }: KernelRun, a: number, elements: number): readonly [low: number, end: number] {
  const inner = runsAcrossRows(spec.form) ? spec.outerLoops - 1 : nest.sizes.length - 1;
  const { itemBytes, strides } = nest.accesses[a]!;
  const isGrouped = a > 0 && spec.classes[a - 1] === "contiguous";
  let low = 0;
  let high = 0;
  for (let loop = 0; loop < nest.sizes.length; loop++) {
    const size = nest.sizes[loop] as number;
    const steps = (isGrouped && loop === inner ? Math.ceil(size / elements) * elements : size) - 1;
    const reach = steps * (strides[loop] as number);
    if (reach < 0) low += reach;
    else high += reach;
  }
  return [low, high + Math.max(itemBytes, 16)];
}

/** Runs a kernel on a call's loops. Returns true if some element may be invalid. */
export function runCall(kernel: Kernel, call: KernelRun, parameters: readonly Parameter[]): boolean {
  if (call.image != null) {
    const splitter = workSplitter();
    if (splitter === null) return runImage(kernel, call.nest, call.image, parameters);
    if (!splitter.divides(kernel, nanosecondsOfCall(kernel.nanoseconds, call))) {
      const mayBeInvalid = runImage(kernel, call.nest, call.image, parameters);
      splitter.ranWhole();
      return mayBeInvalid;
    }
  }
  return withScratch(() => {
    const period = periodOf(call);
    if (period === null) return runNest(kernel, call, parameters);
    fillPeriods(period);
    let mayBeInvalid = false;
    for (const nest of period.nests) mayBeInvalid = runNest(kernel, { spec: call.spec, nest }, parameters) || mayBeInvalid;
    return mayBeInvalid;
  });
}

/** Writes the arguments of a call and runs the kernel, or parts of it on several threads. Returns true if some element may be invalid. */
function runNest(kernel: Kernel, call: KernelRun, parameters: readonly Parameter[]): boolean {
  const splitter = workSplitter();
  if (splitter?.divides(kernel, nanosecondsOfCall(kernel.nanoseconds, call)) === true) {
    const parts = partsOfCall(splitter, call);
    if (parts.length > 1) return runParts(splitter, kernel, call, parts, parameters);
  }
  writeArguments(kernel, call, scratchBlock());
  const mayBeInvalid = runWritten(kernel, parameters);
  splitter?.ranWhole();
  return mayBeInvalid;
}

/** Runs the parts of a call on the threads of a pool. Returns true if some element may be invalid. */
function runParts(
  splitter: WorkSplitter,
  kernel: Kernel,
  call: KernelRun,
  parts: readonly LoopNest[],
  parameters: readonly Parameter[],
): boolean {
  const module = poolModuleOf(kernel);
  for (const nest of parts) {
    const block = splitter.begin();
    writeArguments(kernel, { spec: call.spec, nest }, block);
    writeParameters(block.view, kernel.layout.parameters, parameters);
    splitter.call(module, "run", block.address);
  }
  markUsed(kernel);
  noteRun();
  return splitter.run(!writesOperands(call), () => loopsOfParts(call, parts));
}

/** The modules that threads of a pool get, by kernels. */
const poolModules: WeakMap<Kernel, PoolModule> = new WeakMap();

function poolModuleOf(kernel: Kernel): PoolModule {
  let module = poolModules.get(kernel);
  if (module === undefined) {
    module = {
      bytes: () => kernel.bytes,
      get functions() {
        return { run: kernel.run! };
      },
    };
    poolModules.set(kernel, module);
  }
  return module;
}

/** Returns true if an operand begins where the target does: such an operand is updated in place. */
function writesOperands({ nest: { accesses } }: KernelRun): boolean {
  return accesses.some(({ start }, a) => a > 0 && start === accesses[0]!.start);
}

/** Runs a call whose arguments are known but for the starts and constants. Returns true if some element may be invalid. */
function runImage(kernel: Kernel, { accesses }: LoopNest, image: Int32Array, parameters: readonly Parameter[]): boolean {
  const { words } = scratchBlock();
  const { starts } = kernel.layout;
  for (let i = 0; i < image.length; i++) words[i] = image[i] as number;
  for (let a = 0; a < accesses.length; a++) words[starts[a] as number] = accesses[a]!.start;
  return runWritten(kernel, parameters);
}

/** Writes the constants and runs the kernel on the arguments in the block. */
function runWritten(kernel: Kernel, parameters: readonly Parameter[]): boolean {
  const { address, view } = scratchBlock();
  writeParameters(view, kernel.layout.parameters, parameters);
  noteRun();
  markUsed(kernel);
  return kernel.run!(address) !== 0;
}

/** Returns the argument block of a call as it is at every run except for starts and constants; null if it differs from run to run. */
export function argumentImage(kernel: Kernel, call: KernelRun): Int32Array | null {
  if (hasPeriod(call)) return null;
  return withScratch(() => {
    return writeArguments(kernel, call, scratchBlock()) ? scratchBlock().words.slice(0, kernel.layout.bytes / 4) : null;
  });
}

/** Writes the arguments of a call except for the constants into a block. Returns false if they contain the address of scratch memory. */
function writeArguments(kernel: Kernel, call: KernelRun, block: ScratchBlock): boolean {
  const { nest, spec } = call;
  const { accesses } = kernel.layout;
  const { words } = block;
  const loops = nest.sizes.length;
  for (let loop = 0; loop < loops; loop++) words[loop] = nest.sizes[loop] as number;
  for (let a = 0; a < nest.accesses.length; a++) {
    const { start, strides } = nest.accesses[a]!;
    const first = (accesses[a] as number) / 4;
    words[first] = start;
    for (let loop = 0; loop < loops; loop++) words[first + 1 + loop] = strides[loop] as number;
  }
  return spec.form === "map" || spec.form === "tile" || writeExtra(kernel, call, block);
}

/**
 * Writes the extra words of row and column kernels: the number of reduced elements and the addresses of buffers. Returns false if the
 * buffers are on the scratch stack.
 */
function writeExtra(kernel: Kernel, { nest, spec }: KernelRun, block: ScratchBlock): boolean {
  const { words, view } = block;
  const { extra } = kernel.layout;
  const inner = nest.sizes.length - 1;
  let outer = 1;
  for (let loop = spec.outerLoops; loop < inner; loop++) outer *= nest.sizes[loop] as number;
  view.setFloat64(extra, outer * (nest.sizes[inner] as number), true);
  if (spec.form === "windows") return true;
  const firstBuffer = extra / 4 + kBufferWord;
  if (spec.form === "columns") {
    words[firstBuffer] = rowMemory(block, kColumnBytes);
    return kColumnBytes <= kRowBytes;
  }
  const { buffers } = kernel;
  const elements = outer * Math.ceil((nest.sizes[inner] as number) / kernel.elements) * kernel.elements;
  const sizeOf = (b: number): number => Math.ceil(((buffers[b] as number) * elements) / 256) * 256;
  let numBytes = 0;
  for (let b = 0; b < buffers.length; b++) numBytes += sizeOf(b);
  let offset = rowMemory(block, numBytes);
  for (let b = 0; b < buffers.length; b++) {
    words[firstBuffer + b] = offset;
    offset += sizeOf(b);
  }
  return numBytes <= kRowBytes;
}

/** Returns the address of memory for rows: in the block's row part if `numBytes` fit there, otherwise on the scratch stack. */
function rowMemory({ address }: ScratchBlock, numBytes: number): number {
  return numBytes <= kRowBytes ? address + kArgumentBytes + kTailBytes : takeScratch(numBytes);
}

/** Returns the kernels of a plan, to be run at once. Returns null if the engine refuses one or if a call would leave the memory. */
export function kernelsOf(calls: readonly KernelCall[], cache: KernelCache, memoryBytes: number): Kernel[] | null {
  const kernels: Kernel[] = [];
  cache.makeRoom();
  for (const call of calls) {
    const kernel = cache.get(call.spec);
    if (kernel === null) return null;
    if (!staysInside(call, kernel.elements, memoryBytes)) {
      fallBack("an operand ends too close to the end of the linear memory");
      return null;
    }
    kernels.push(kernel);
  }
  return kernels;
}
