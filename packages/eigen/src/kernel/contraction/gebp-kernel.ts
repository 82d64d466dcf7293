/**
 * gebp-kernel: writes and compiles the functions that multiply packed panels (Eigen's gebp_kernel, general block times panel).
 *
 *     for each panel of B           `depth` x NR elements, in the first-level cache
 *       for each panel of A         MR x `depth` elements
 *         MR x NR sums in registers:  sum += (one element of A in all lanes) * (a vector of B)
 *         store them in C, or add them to C
 *
 * One module per dtype has everything: packing, products and the copies of partial blocks. It is compiled when the first product of the
 * dtype is computed. Strides and sizes are arguments, so no product needs a module of its own.
 */
import { linearMemory } from "@onebuffer/wasm";
import { engine, instantiateNow, moduleText, WasmModule } from "@onebuffer/wasm/internal";
import type { CodeWriter, MemoryInstruction, PlainInstruction, WasmFunction } from "@onebuffer/wasm/internal";
import { fallBack, noteKernel } from "../form/kernel-events.ts";
import type { BlockShape, ContractionDType } from "./block-shape.ts";
import { blockShape } from "./block-shape.ts";
import { writePackBytes } from "./pack-bytes.ts";
import type { ByteDType } from "./pack-bytes.ts";
import { writePackAcross, writePackAlong, writePackAny } from "./pack-panels.ts";
import type { PackRun } from "./pack-panels.ts";

/** The numbers that products are called with: packed panels, the target, and their counts. */
type ProductRun = (a: number, b: number, c: number, rowStride: number, aPanels: number, bPanels: number, depth: number) => number;
/** The numbers that copies are called with: dense rows of `fromStride` bytes, the target, and the part to copy. */
type CopyRun = (from: number, fromStride: number, to: number, toStride: number, rows: number, columns: number) => number;

/** The functions that pack panels of one number of lines. */
export interface Packing {
  readonly along: PackRun;
  readonly across: PackRun;
  readonly any: PackRun;
}

/** The compiled functions of a dtype. */
export interface GebpKernel {
  readonly shape: BlockShape;
  readonly packLeft: Packing;
  readonly packRight: Packing;
  /** The bytes of an element of the operands, and how many of them one packed element has. */
  readonly sourceBytes: number;
  readonly perElement: 1 | 2;
  /** Stores a block of C. */
  readonly store: ProductRun;
  /** Adds to a block of C. */
  readonly add: ProductRun;
  /** Copies a part of a block, or adds it. */
  readonly copyPart: CopyRun;
  readonly addPart: CopyRun;
}

/** The instructions of a dtype's lanes and elements. */
interface Arithmetic {
  readonly mul: PlainInstruction;
  readonly add: PlainInstruction;
  /** Multiply-add in one instruction, where the engine has it. */
  readonly madd: PlainInstruction | null;
  readonly load: MemoryInstruction;
  readonly store: MemoryInstruction;
  readonly addOne: PlainInstruction;
}

/** The prefix of the instructions on the lanes and on the elements of a dtype. */
const kLanes: Readonly<
  Record<ContractionDType, readonly [lanes: "f32x4" | "f64x2" | "i32x4" | "i64x2", element: "f32" | "f64" | "i32" | "i64"]>
> = {
  float32: ["f32x4", "f32"],
  float64: ["f64x2", "f64"],
  int32: ["i32x4", "i32"],
  uint32: ["i32x4", "i32"],
  int64: ["i64x2", "i64"],
  uint64: ["i64x2", "i64"],
};

function arithmeticOf(dtype: ContractionDType): Arithmetic {
  const [lanes, element] = kLanes[dtype];
  const hasMadd = engine().relaxed && (lanes === "f32x4" || lanes === "f64x2");
  return {
    mul: `${lanes}.mul`,
    add: `${lanes}.add`,
    madd: hasMadd ? `${lanes}.relaxed_madd` : null,
    load: `${element}.load`,
    store: `${element}.store`,
    addOne: `${element}.add`,
  };
}

/** The dtypes of both operands if they are bytes; null if the operands have the dtype that they are multiplied in. */
export type ByteOperands = readonly [ByteDType, ByteDType] | null;

/** The kernels by dtypes; null if the engine refused one. */
const kernels: Map<string, GebpKernel | null> = new Map();

/** Returns the kernel of a dtype, compiled at the first call; null if the engine refuses it. Products of bytes are int32 or uint32. */
export function gebpKernel(dtype: ContractionDType, bytes: ByteOperands): GebpKernel | null {
  const key = String(bytes ?? dtype);
  const known = kernels.get(key);
  if (known !== undefined) return known;
  const kernel = compiled(dtype, bytes);
  kernels.set(key, kernel);
  return kernel;
}

function compiled(dtype: ContractionDType, bytes: ByteOperands): GebpKernel | null {
  const { memory, buffer } = linearMemory();
  const shared = Object.prototype.toString.call(buffer) === "[object SharedArrayBuffer]";
  try {
    const run = instantiateNow(writeGebp(dtype, bytes, buffer.byteLength / 65536, shared).toBytes(), { k: { m: memory } });
    noteKernel(`contraction ${bytes ?? dtype}`);
    const shape = blockShape(dtype);
    const packing = (lines: number): Packing => ({
      along: run[`packAlong${lines}`] as PackRun,
      across: run[`packAcross${lines}`] as PackRun,
      any: run[`packAny${lines}`] as PackRun,
    });
    return {
      shape,
      packLeft: packing(shape.rows),
      packRight: packing(shape.columns),
      sourceBytes: bytes === null ? shape.itemBytes : 1,
      perElement: bytes === null ? 1 : 2,
      store: run["store"] as ProductRun,
      add: run["add"] as ProductRun,
      copyPart: run["copyPart"] as CopyRun,
      addPart: run["addPart"] as CopyRun,
    };
  } catch (error) {
    fallBack(`the engine refused a kernel: ${String(error)}`);
    return null;
  }
}

/** Returns the kernel's code as text, for `explain`. */
export function gebpListing(dtype: ContractionDType, bytes: ByteOperands): string {
  return moduleText(writeGebp(dtype, bytes, 65536, true));
}

function writeGebp(dtype: ContractionDType, bytes: ByteOperands, pages: number, shared: boolean): WasmModule {
  const module = new WasmModule({ module: "k", name: "m", initial: pages, maximum: pages, shared });
  const shape = blockShape(dtype);
  const arithmetic = bytes === null ? arithmeticOf(dtype) : { ...arithmeticOf(dtype), mul: "i32x4.dot_i16x8_s" as const };
  if (bytes !== null) [shape.rows, shape.columns].forEach((lines, k) => writePackBytes(module, lines, bytes[k]!));
  else {
    for (const lines of new Set([shape.rows, shape.columns])) {
      writePackAlong(module, lines, shape.itemBytes);
      writePackAcross(module, lines, shape.itemBytes);
      writePackAny(module, lines, shape.itemBytes);
    }
  }
  writeProduct(module, "store", shape, arithmetic, false);
  writeProduct(module, "add", shape, arithmetic, true);
  writeCopy(module, "copyPart", shape, arithmetic, false);
  writeCopy(module, "addPart", shape, arithmetic, true);
  return module;
}

const kProductParams = { a: "i32", b: "i32", c: "i32", rowStride: "i32", aPanels: "i32", bPanels: "i32", depth: "i32" } as const;

/** The locals of a product: addresses within the panels, and the registers. */
interface ProductLocals {
  readonly a: number;
  readonly b: number;
  readonly left: number;
  readonly right: readonly number[];
  /** Sums by row, then vector. */
  readonly sums: readonly (readonly number[])[];
}

/** Writes a product of all panels of A with all panels of B, stored in C or added to it. */
function writeProduct(module: WasmModule, name: string, shape: BlockShape, arithmetic: Arithmetic, adds: boolean): void {
  const target = module.function(name, kProductParams, ["i32"]);
  const { a, b, c, rowStride, aPanels, bPanels, depth } = target.paramsOf(kProductParams);
  const panel = target.local("i32", "panel");
  const row = target.local("i32", "row");
  const k = target.local("i32", "k");
  const left = target.local("i32", "left");
  const locals = productLocals(target, shape, left);
  const code = target.body;
  const columns = code.loop();
  code.get(a).set(left).get(c).set(row).get(aPanels).set(panel);
  const rows = code.loop();
  code.get(b).set(locals.b);
  for (const sum of locals.sums.flat()) code.i32(0).op("i32x4.splat").set(sum);
  writeSteps(code, shape, arithmetic, locals, depth, k);
  writeSums(code, shape, arithmetic, locals, row, rowStride, adds);
  code.countDown(panel, rows);
  code.get(locals.b).set(b);
  code.addTo(c, shape.columns * shape.itemBytes);
  code.countDown(bPanels, columns);
  code.i32(0);
}

function productLocals(target: WasmFunction, { rows, vectors }: BlockShape, a: number): ProductLocals {
  const b = target.local("i32", "right");
  const left = target.local("v128", "x");
  const right = Array.from({ length: vectors }, (_, v) => target.local("v128", `y${v}`));
  const sums = Array.from({ length: rows }, (_row, r) => Array.from({ length: vectors }, (_, v) => target.local("v128", `sum${r}${v}`)));
  return { a, b, left, right, sums };
}

/** Writes the loop over k: `unroll` steps at a time, then the remaining ones. */
function writeSteps(code: CodeWriter, shape: BlockShape, arithmetic: Arithmetic, locals: ProductLocals, depth: number, k: number): void {
  const { unroll } = shape;
  if (unroll === 1) {
    code.get(depth).set(k);
    writeLoop(code, shape, arithmetic, locals, k, 1);
    return;
  }
  const shift = Math.log2(unroll);
  const noWhole = code.block();
  code.get(depth).i32(shift).op("i32.shr_u").tee(k).op("i32.eqz").brIf(noWhole);
  writeLoop(code, shape, arithmetic, locals, k, unroll);
  code.end();
  const noRest = code.block();
  code
    .get(depth)
    .i32(unroll - 1)
    .op("i32.and")
    .tee(k)
    .op("i32.eqz")
    .brIf(noRest);
  writeLoop(code, shape, arithmetic, locals, k, 1);
  code.end();
}

/** Writes a loop that runs `k` times over `copies` steps each. */
function writeLoop(
  code: CodeWriter,
  { rows, vectors, columns, itemBytes }: BlockShape,
  arithmetic: Arithmetic,
  { a, b, left, right, sums }: ProductLocals,
  k: number,
  copies: number,
): void {
  const splat = itemBytes === 8 ? "v128.load64_splat" : "v128.load32_splat";
  const again = code.loop();
  for (let copy = 0; copy < copies; copy++) {
    for (let v = 0; v < vectors; v++)
      code
        .get(b)
        .memory("v128.load", copy * columns * itemBytes + v * 16)
        .set(right[v]!);
    for (let r = 0; r < rows; r++) {
      code
        .get(a)
        .memory(splat, (copy * rows + r) * itemBytes)
        .set(left);
      for (let v = 0; v < vectors; v++) {
        const sum = sums[r]![v]!;
        if (arithmetic.madd !== null) code.get(left).get(right[v]!).get(sum).op(arithmetic.madd).set(sum);
        else code.get(sum).get(left).get(right[v]!).op(arithmetic.mul).op(arithmetic.add).set(sum);
      }
    }
  }
  code.addTo(a, copies * rows * itemBytes);
  code.addTo(b, copies * columns * itemBytes);
  code.countDown(k, again);
}

/** Writes the stores of the sums, row by row; `row` is advanced to the next rows. */
function writeSums(
  code: CodeWriter,
  { vectors }: BlockShape,
  arithmetic: Arithmetic,
  { sums }: ProductLocals,
  row: number,
  rowStride: number,
  adds: boolean,
): void {
  for (const sum of sums) {
    for (let v = 0; v < vectors; v++) {
      code.get(row);
      if (adds)
        code
          .get(row)
          .memory("v128.load", v * 16)
          .get(sum[v]!)
          .op(arithmetic.add);
      else code.get(sum[v]!);
      code.memory("v128.store", v * 16);
    }
    code.get(row).get(rowStride).op("i32.add").set(row);
  }
}

const kCopyParams = { from: "i32", fromStride: "i32", to: "i32", toStride: "i32", rows: "i32", columns: "i32" } as const;

/** Writes the copy of a part of a block, element by element, or the addition of that part. */
function writeCopy(module: WasmModule, name: string, { itemBytes }: BlockShape, arithmetic: Arithmetic, adds: boolean): void {
  const target = module.function(name, kCopyParams, ["i32"]);
  const { from, fromStride, to, toStride, rows, columns } = target.paramsOf(kCopyParams);
  const source = target.local("i32", "source");
  const place = target.local("i32", "place");
  const column = target.local("i32", "column");
  const code = target.body;
  const eachRow = code.loop();
  code.get(from).set(source).get(to).set(place).get(columns).set(column);
  const eachColumn = code.loop();
  code.get(place);
  if (adds) code.get(place).memory(arithmetic.load).get(source).memory(arithmetic.load).op(arithmetic.addOne);
  else code.get(source).memory(arithmetic.load);
  code.memory(arithmetic.store);
  code.addTo(source, itemBytes);
  code.addTo(place, itemBytes);
  code.countDown(column, eachColumn);
  code.get(from).get(fromStride).op("i32.add").set(from);
  code.get(to).get(toStride).op("i32.add").set(to);
  code.countDown(rows, eachRow);
  code.i32(0);
}
