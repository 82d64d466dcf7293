/**
 * gebp-kernel: compiles the functions of products of a dtype (Eigen's gebp_kernel and its packing).
 *
 * One module per dtype has everything: packing (pack-panels.ts), products (product-code.ts) and the copies of partial blocks. It is compiled
 * when the first product of the dtype is computed. Strides and sizes are arguments, so no product needs a module of its own.
 */
import { linearMemory } from "@onebuffer/wasm";
import { engine, instantiateNow, moduleText, WasmModule } from "@onebuffer/wasm/internal";
import type { MemoryInstruction, PlainInstruction, WasmExports } from "@onebuffer/wasm/internal";
import { fallBack, noteKernel } from "../calls/kernel-events.ts";
import type { PoolModule, WorkSplitter } from "../calls/work-splitter.ts";
import type { BlockShape, ContractionDType } from "./block-shape.ts";
import { blockShape, panelHeights } from "./block-shape.ts";
import { writePackBytes } from "./pack-bytes.ts";
import type { ByteDType } from "./pack-bytes.ts";
import { writePackAcross, writePackAlong, writePackAny } from "./pack-panels.ts";
import type { PackRun } from "./pack-panels.ts";
import { writeProduct } from "./product-code.ts";
import type { Arithmetic, ProductName, ProductRun } from "./product-code.ts";
import { kindOf } from "../lanes/lanes.ts";

/** The numbers that copies are called with: dense rows of `fromStride` bytes, the target, and the part to copy. */
type CopyRun = (from: number, fromStride: number, to: number, toStride: number, rows: number, columns: number) => number;

/** The functions that pack panels of one number of lines. */
export interface Packing {
  readonly along: PackRun;
  readonly across: PackRun;
  readonly any: PackRun;
}

/** The functions for panels of A of one height. */
export interface PanelKernel {
  readonly height: number;
  readonly pack: Packing;
  /** Multiplies packed panels of A. */
  readonly product: ProductRun;
  /** Multiplies rows of A where they are, with adjacent elements of k; null for bytes, which are always packed. */
  readonly direct: ProductRun | null;
  /** Multiplies packed panels of A, and begins with the elements of the target instead of adding to them; null for bytes. */
  readonly onward: ProductRun | null;
}

/** The compiled functions of a dtype. */
export interface GebpKernel {
  readonly shape: BlockShape;
  /** The module, from which threads of a pool compile the functions again. */
  readonly module: PoolModule;
  /** One per height of panels. */
  readonly left: readonly PanelKernel[];
  readonly packRight: Packing;
  /** The bytes of an element of the operands, and how many of them one packed element has. */
  readonly sourceBytes: number;
  readonly perElement: 1 | 2;
  /** Copies a part of a block, or adds it. */
  readonly copyPart: CopyRun;
  readonly addPart: CopyRun;
}

function arithmeticOf(dtype: ContractionDType): Arithmetic {
  // The prefixes of the instructions on lanes and on elements. Unsigned integers have those of signed ones.
  const lanes = kindOf(dtype).replace("u", "i") as "f32x4" | "f64x2" | "i32x4" | "i64x2";
  const element = lanes.slice(0, 3) as "f32" | "f64" | "i32" | "i64";
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
  const kernel = compileGebp(dtype, bytes, blockShape(dtype));
  kernels.set(key, kernel);
  return kernel;
}

/** Compiles the functions for a shape of blocks; returns null if the engine refuses. */
export function compileGebp(dtype: ContractionDType, bytes: ByteOperands, shape: BlockShape): GebpKernel | null {
  const { memory, buffer, isShared: shared } = linearMemory();
  const code = (): Uint8Array<ArrayBuffer> => writeGebp(dtype, bytes, shape, buffer.byteLength / 65536, shared).toBytes();
  try {
    const functions = instantiateNow(code(), { k: { m: memory } });
    noteKernel(`contraction ${bytes ?? dtype}`);
    return kernelOf({ bytes: code, functions }, functions, shape, bytes === null ? null : 1);
  } catch (error) {
    fallBack(`the engine refused a kernel: ${String(error)}`);
    return null;
  }
}

/** Returns the kernel of a module, with these functions in the place of its own. */
function kernelOf(module: PoolModule, run: WasmExports, shape: BlockShape, sourceBytes: 1 | null): GebpKernel {
  const packing = (lines: number): Packing => ({
    along: run[`packAlong${lines}`] as PackRun,
    across: run[`packAcross${lines}`] as PackRun,
    any: run[`packAny${lines}`] as PackRun,
  });
  return {
    shape,
    module,
    left: panelHeights(shape).map((height) => ({
      height,
      pack: packing(height),
      product: run[`product${height}`] as ProductRun,
      direct: sourceBytes === null ? (run[`direct${height}`] as ProductRun) : null,
      onward: sourceBytes === null ? (run[`onward${height}`] as ProductRun) : null,
    })),
    packRight: packing(shape.columns),
    sourceBytes: sourceBytes ?? shape.itemBytes,
    perElement: sourceBytes === null ? 1 : 2,
    copyPart: run["copyPart"] as CopyRun,
    addPart: run["addPart"] as CopyRun,
  };
}

/** Returns the same kernel, except that calls of its functions are added to the current part of `splitter`. */
export function recordingKernel({ module, shape, perElement }: GebpKernel, splitter: WorkSplitter): GebpKernel {
  const record = (name: string) => [
    name,
    (...args: number[]): number => {
      splitter.call(module, name, ...args);
      return 0;
    },
  ];
  const functions = Object.fromEntries(Object.keys(module.functions).map(record)) as WasmExports;
  return kernelOf(module, functions, shape, perElement === 1 ? null : 1);
}

/** Returns the kernel's code as text, for `explain`. */
export function gebpListing(dtype: ContractionDType, bytes: ByteOperands): string {
  return moduleText(writeGebp(dtype, bytes, blockShape(dtype), 65536, true));
}

const kProductNames: readonly ProductName[] = ["product", "direct", "onward"];

function writeGebp(dtype: ContractionDType, bytes: ByteOperands, shape: BlockShape, pages: number, shared: boolean): WasmModule {
  const module = new WasmModule({ module: "k", name: "m", initial: pages, maximum: pages, shared });
  const arithmetic = bytes === null ? arithmeticOf(dtype) : { ...arithmeticOf(dtype), mul: "i32x4.dot_i16x8_s" as const };
  if (bytes !== null) [shape.rows, shape.columns].forEach((lines, k) => writePackBytes(module, lines, bytes[k]!));
  else {
    for (const lines of new Set([...panelHeights(shape), shape.columns])) {
      writePackAlong(module, lines, shape.itemBytes);
      writePackAcross(module, lines, shape.itemBytes);
      writePackAny(module, lines, shape.itemBytes);
    }
  }
  for (const height of panelHeights(shape)) {
    for (const name of kProductNames) if (name === "product" || bytes === null) writeProduct(module, height, shape, arithmetic, name);
  }
  writeCopy(module, "copyPart", shape, arithmetic, false);
  writeCopy(module, "addPart", shape, arithmetic, true);
  return module;
}

const kCopyParams = { from: "i32", fromStride: "i32", to: "i32", toStride: "i32", rows: "i32", columns: "i32" } as const;

/** Writes the copy of a part of a block, vector by vector and then element by element, or the addition of that part. */
function writeCopy(module: WasmModule, name: string, { itemBytes }: BlockShape, arithmetic: Arithmetic, adds: boolean): void {
  const target = module.function(name, kCopyParams, ["i32"]);
  const { from, fromStride, to, toStride, rows, columns } = target.paramsOf(kCopyParams);
  const source = target.local("i32", "source");
  const place = target.local("i32", "place");
  const column = target.local("i32", "column");
  const code = target.body;
  const lanes = 16 / itemBytes;
  const copy = (load: MemoryInstruction, add: PlainInstruction, store: MemoryInstruction, bytes: number): void => {
    code.get(place);
    if (adds) code.get(place).memory(load).get(source).memory(load).op(add);
    else code.get(source).memory(load);
    code.memory(store);
    code.addTo(source, bytes);
    code.addTo(place, bytes);
  };
  const eachRow = code.loop();
  code.get(from).set(source).get(to).set(place).get(columns).set(column);
  code.whileAtLeast(column, lanes, lanes, () => copy("v128.load", arithmetic.add, "v128.store", 16));
  code.whileAtLeast(column, 1, 1, () => copy(arithmetic.load, arithmetic.addOne, arithmetic.store, itemBytes));
  code.addLocal(from, fromStride).addLocal(to, toStride).countDown(rows, eachRow);
  code.i32(0);
}
