/**
 * product-code: writes the functions that multiply panels (Eigen's gebp_kernel, general block times panel).
 *
 *     for each panel of B           `depth` x NR elements, in the first-level cache
 *       for each panel of A         MR x `depth` elements
 *         MR x NR sums in registers:  sum += (one element of A in all lanes) * (a vector of B)
 *         store them in C, or add them to C
 *
 * There are three functions per height of a panel. `product` reads packed panels of A, `direct` rows of A where they are:
 *
 *     product   a00 a10 a20 a30 | a01 a11 a21 a31 | …    one address that advances
 *     direct    a00 a01 …  a10 a11 …                     an address per row
 *     onward    a00 a10 a20 a30   a01 a11 a21 a31   …    one address that advances by any distance: packed, or a transposed matrix
 *
 * All read B at any distance from one k to the next, so B may be packed or be a matrix with adjacent columns. `onward` multiplies one panel of
 * A, and sums which are not new begin with the elements of C: a few k now and more later give the bits of all at once.
 */
import type { CodeWriter, MemoryInstruction, PlainInstruction, WasmFunction, WasmModule } from "@onebuffer/wasm/internal";
import type { BlockShape } from "./block-shape.ts";

/** The instructions of a dtype's lanes and elements. */
export interface Arithmetic {
  readonly mul: PlainInstruction;
  readonly add: PlainInstruction;
  /** Multiply-add in one instruction, where the engine has it. */
  readonly madd: PlainInstruction | null;
  readonly load: MemoryInstruction;
  readonly store: MemoryInstruction;
  readonly addOne: PlainInstruction;
}

/**
 * The numbers that products are called with: A, and the bytes from one of its rows to the next (of `onward` from one k to the next; `product`
 * does not use them); B, and the bytes
 * from one k to the next and from one panel to the next; the target, and the bytes of its rows; the numbers of panels, the number of k, and
 * 1 to add to the target instead of storing.
 */
export type ProductRun = (
  a: number,
  aRow: number,
  b: number,
  bStep: number,
  bPanel: number,
  c: number,
  cRow: number,
  aPanels: number,
  bPanels: number,
  depth: number,
  adds: 0 | 1,
) => number;

const kParams = {
  a: "i32",
  aRow: "i32",
  b: "i32",
  bStep: "i32",
  bPanel: "i32",
  c: "i32",
  cRow: "i32",
  aPanels: "i32",
  bPanels: "i32",
  depth: "i32",
  adds: "i32",
} as const;

/** The locals of the loop over k. */
interface ProductLocals {
  /** The addresses in A: of each row, or one for a panel. */
  readonly rows: readonly number[];
  /** The bytes from one k to the next in a panel that is not packed; null for packed panels and for rows. */
  readonly aStep: number | null;
  readonly right: number;
  readonly bStep: number;
  readonly x: number;
  readonly y: readonly number[];
  /** Sums by row, then vector. */
  readonly sums: readonly (readonly number[])[];
}

/** The functions of a height of panels, by how they read A, and whether sums begin with the elements of C if they are added to it. */
export type ProductName = "product" | "direct" | "onward";

/** Writes `productN`, `directN` or `onwardN`: all panels of A, of N rows each, times all panels of B. */
export function writeProduct(module: WasmModule, height: number, shape: BlockShape, arithmetic: Arithmetic, name: ProductName): void {
  const target = module.function(`${name}${height}`, kParams, ["i32"]);
  const isDirect = name === "direct";
  const { a, aRow, b, bStep, bPanel, c, cRow, aPanels, bPanels, depth, adds } = target.paramsOf(kParams);
  const [left, row, panel, k] = (["left", "row", "panel", "k"] as const).map((name) => target.local("i32", name)) as [
    number,
    number,
    number,
    number,
  ];
  const rows = isDirect ? Array.from({ length: height }, (_, r) => target.local("i32", `row${r}`)) : [left];
  const locals = productLocals(target, height, shape, rows, name === "onward" ? aRow : null, bStep);
  const code = target.body;
  const columns = code.loop();
  code.get(a).set(left).get(c).set(row).get(aPanels).set(panel);
  const panels = code.loop();
  code.get(b).set(locals.right);
  if (isDirect) {
    rows.forEach((each) => code.get(left).set(each).addLocal(left, aRow));
  }
  for (const sum of locals.sums.flat()) code.i32(0).op("i32x4.splat").set(sum);
  if (name === "onward") {
    const from = target.local("i32", "from");
    code.get(row).set(from).get(adds).if();
    eachSum(code, locals, from, cRow, (sum, at) => code.get(from).memory("v128.load", at).set(sum));
    code.end();
  }
  writeSteps(code, shape, arithmetic, locals, depth, k);
  const store = (sum: number, at: number): CodeWriter => code.get(row).get(sum).memory("v128.store", at);
  if (name === "onward") eachSum(code, locals, row, cRow, store);
  else {
    const add = (sum: number, at: number): CodeWriter =>
      code.get(row).get(row).memory("v128.load", at).get(sum).op(arithmetic.add).memory("v128.store", at);
    code.get(adds).if();
    eachSum(code, locals, row, cRow, add);
    code.else();
    eachSum(code, locals, row, cRow, store);
    code.end();
  }
  code.countDown(panel, panels);
  code.addLocal(b, bPanel);
  code.addTo(c, shape.columns * shape.itemBytes);
  code.countDown(bPanels, columns);
  code.i32(0);
}

function productLocals(
  target: WasmFunction,
  height: number,
  { vectors }: BlockShape,
  rows: readonly number[],
  aStep: number | null,
  bStep: number,
): ProductLocals {
  const right = target.local("i32", "right");
  const x = target.local("v128", "x");
  const y = Array.from({ length: vectors }, (_, v) => target.local("v128", `y${v}`));
  const sums = Array.from({ length: height }, (_row, r) => Array.from({ length: vectors }, (_, v) => target.local("v128", `sum${r}${v}`)));
  return { rows, aStep, right, bStep, x, y, sums };
}

/** Writes the loop over k: `unroll` steps at a time, then the remaining ones. */
function writeSteps(code: CodeWriter, shape: BlockShape, arithmetic: Arithmetic, locals: ProductLocals, depth: number, k: number): void {
  const { unroll } = shape;
  const counts = unroll === 1 ? [1] : [unroll, 1];
  for (const copies of counts) {
    const none = code.block();
    code.get(depth);
    if (unroll > 1 && copies === 1) code.i32(unroll - 1).op("i32.and");
    if (copies > 1) code.i32(Math.log2(unroll)).op("i32.shr_u");
    code.tee(k).op("i32.eqz").brIf(none);
    writeLoop(code, shape, arithmetic, locals, k, copies);
    code.end();
  }
}

/** Writes a loop that runs `k` times over `copies` steps each. */
function writeLoop(
  code: CodeWriter,
  { itemBytes }: BlockShape,
  { madd, mul, add }: Arithmetic,
  { rows, aStep, right, bStep, x, y, sums }: ProductLocals,
  k: number,
  copies: number,
): void {
  const splat = itemBytes === 8 ? "v128.load64_splat" : "v128.load32_splat";
  const height = sums.length;
  const isDirect = rows.length > 1;
  const again = code.loop();
  for (let copy = 0; copy < copies; copy++) {
    y.forEach((each, v) =>
      code
        .get(right)
        .memory("v128.load", v * 16)
        .set(each),
    );
    code.addLocal(right, bStep);
    sums.forEach((ofRow, r) => {
      const offset = (isDirect ? copy : aStep === null ? copy * height + r : r) * itemBytes;
      code
        .get(rows[isDirect ? r : 0]!)
        .memory(splat, offset)
        .set(x);
      ofRow.forEach((sum, v) => {
        if (madd !== null) code.get(x).get(y[v]!).get(sum).op(madd).set(sum);
        else code.get(sum).get(x).get(y[v]!).op(mul).op(add).set(sum);
      });
    });
    if (aStep !== null) code.addLocal(rows[0]!, aStep);
  }
  if (aStep === null) for (const row of rows) code.addTo(row, copies * (isDirect ? 1 : height) * itemBytes);
  code.countDown(k, again);
}

/** Writes code for each sum and its offset in bytes, row by row; `row` is advanced to the next rows. */
function eachSum(code: CodeWriter, { sums }: ProductLocals, row: number, cRow: number, write: (sum: number, offset: number) => void): void {
  for (const vectors of sums) {
    vectors.forEach((sum, v) => write(sum, v * 16));
    code.addLocal(row, cRow);
  }
}
