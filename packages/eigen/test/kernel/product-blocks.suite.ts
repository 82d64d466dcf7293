// Products in blocks, computed by the kernels themselves: the sizes of blocks, the scratch memory that they take, parts of a product, and pairs
// of bytes. The elements are small integers, so that every sum is exact.
import { expect, test } from "@jest/globals";
import type { DType, TypedArray } from "@onebuffer/base";
import { blockRows, contractionDType } from "@onebuffer/kernels/src/products/block-shape";
import type { BlockShape } from "@onebuffer/kernels/src/products/block-shape";
import { Contraction } from "@onebuffer/kernels/src/products/contract";
import type { ProductPart } from "@onebuffer/kernels/src/products/contract";
import { fewRowsColumns } from "@onebuffer/kernels/src/products/few-rows";
import { compileGebp } from "@onebuffer/kernels/src/products/gebp-kernel";
import type { GebpKernel } from "@onebuffer/kernels/src/products/gebp-kernel";
import { scratchMark, takeScratch, withScratch } from "@onebuffer/kernels/src/calls/scratch";
import { linearMemory } from "@onebuffer/wasm";
import { addStridedProduct } from "@onebuffer/kernels/internal";
import { arenaArray, Dice } from "./kernel-subjects.ts";

const kFour: BlockShape = { itemBytes: 4, rows: 4, vectors: 2, columns: 8, unroll: 1 };
const kSix: BlockShape = { ...kFour, rows: 6 };

test("blocks of A fill the second-level cache, but for few k in rows that share its places", () => {
  expect(blockRows(4, 4, 64, 10_000, 1000)).toBe(512);
  expect(blockRows(4, 4, 64, 10, 1000)).toBe(12);
  for (const [depth, rowStride, rows] of [[32, 1024, 8], [33, 1024, 992], [32, 1028, 1024]] as const) // biome-ignore format: one line
    expect([depth, rowStride, blockRows(4, 4, depth, 10_000, rowStride)]).toEqual([depth, rowStride, rows]);
});

test("few rows read no more columns at a time than eight rows of them fit into the first-level cache", () => {
  expect([fewRowsColumns(4, 100), fewRowsColumns(4, 10_000), fewRowsColumns(8, 10_000)]).toEqual([100, 512, 256]);
});

test("the dtypes of products in blocks", () => {
  const of = (...dtypes: DType[]) => dtypes.map(contractionDType);
  for (const dtype of ["float32", "float64", "int32", "uint32", "int64", "uint64"] as const) expect(contractionDType(dtype)).toBe(dtype);
  expect(of("float16", "bfloat16")).toEqual(["float32", "float32"]);
  expect(of("int8", "int16", "uint8", "uint16")).toEqual(["int32", "int32", "uint32", "uint32"]);
  expect(of("bool", "complex64", "complex128")).toEqual([null, null, null]);
});

/** A matrix in the linear memory: element [i, j] is `data[i * row + j * column]`. */
interface Matrix {
  readonly data: TypedArray;
  readonly row: number;
  readonly column: number;
}

/** Returns a matrix at strides, with random elements also behind its end. */
function matrix(dtype: DType, rows: number, columns: number, [row, column]: readonly [number, number], dice: Dice): Matrix {
  const data = arenaArray(dtype as "float32", rows * row + columns * column) as Float32Array;
  for (let n = 0; n < data.length; n++) data[n] = dice.below(9) + 1;
  return { data, row, column };
}

/** Returns the products of A and B in a target with rows `rowC` apart, which had these elements before. */
function multiplied(a: Matrix, b: Matrix, [rows, inner, columns]: readonly number[], rowC: number, before: ArrayLike<number>): number[] {
  const [wanted, left, right] = [before, a.data, b.data].map((elements) => Float64Array.from(elements as ArrayLike<number>)) as [
    ...[Float64Array, Float64Array, Float64Array],
  ];
  for (let i = 0; i < rows!; i++)
    for (let k = 0; k < inner!; k++) {
      const factor = left[i * a.row + k * a.column]!;
      for (let j = 0; j < columns!; j++) wanted[i * rowC + j]! += factor * right[k * b.row + j * b.column]!;
    }
  return Array.from(wanted);
}

/** Returns what multiplies A by B into rows `rowC` elements apart, and adds to them if `adds` is true. */
function contractionOf(kernel: GebpKernel, a: Matrix, b: Matrix, [rows, inner, columns]: readonly number[], rowC: number, adds: boolean) {
  const loop = (size: number, { data }: Matrix, stride: number) => ({ sizes: [size], strides: [stride * data.BYTES_PER_ELEMENT] });
  const loops = {
    rows: loop(rows!, a, a.row),
    columns: loop(columns!, b, b.column),
    innerA: loop(inner!, a, a.column),
    innerB: loop(inner!, b, b.row),
    rowStride: rowC * 4,
  };
  return new Contraction(kernel, loops, adds);
}

/** Returns dense operands of float32 for a product, with rows of B and C `apart` elements apart. */
function operands([rows, inner, columns]: readonly number[], apart: number): readonly [a: Matrix, b: Matrix, c: Float32Array] {
  const dice = new Dice(rows! + columns!);
  const c = arenaArray("float32", rows! * apart) as Float32Array;
  return [matrix("float32", rows!, inner!, [inner!, 1], dice), matrix("float32", inner!, columns!, [apart, 1], dice), c.fill(0)];
}

const kGuardBytes = 1 << 16;

test.each<[string, BlockShape, readonly number[], number]>(
  [kFour, kSix].flatMap((shape) => [
    [`two blocks of k, packed, in panels of ${shape.rows}`, shape, [20, 300, 267], 267],
    [`few rows, a power of two apart, in panels of ${shape.rows}`, shape, [16, 20, 523], 1024],
    [`few k in rows that are a power of two apart, in panels of ${shape.rows}`, shape, [40, 9, 260], 512],
    [`very long rows, in panels of ${shape.rows}`, shape, [4, 3, 4200], 4200],
  ]),
)("%s: the scratch memory is large enough", (_, shape, sizes, apart) => {
  const kernel = compileGebp("float32", null, shape)!;
  const [a, b, c] = operands(sizes, apart);
  const contraction = contractionOf(kernel, a, b, sizes, apart, false);
  // All of it is on the stack, and right behind it are bytes that stay.
  withScratch(() => takeScratch(1 << 21));
  contraction.take();
  const guard = new Uint8Array(linearMemory().buffer, takeScratch(kGuardBytes), kGuardBytes).fill(0x5a);
  contraction.run(a.data.byteOffset, b.data.byteOffset, c.byteOffset);
  contraction.release();
  expect(guard.findIndex((byte) => byte !== 0x5a)).toBe(-1);
  expect(Array.from(c)).toEqual(multiplied(a, b, sizes, apart, new Float32Array(c.length)));
});

test("scratch memory: none if nothing is packed, and no more for more rows", () => {
  const kernel = compileGebp("float32", null, kFour)!;
  const taken = (sizes: readonly number[]): readonly number[] => {
    const [a, b] = operands([8, sizes[1]!, sizes[2]!], sizes[2]!);
    const contraction = contractionOf(kernel, a, b, sizes, sizes[2]!, false);
    contraction.take();
    const mark = scratchMark();
    contraction.release();
    return [mark[0] - scratchMark()[0], mark[1] - scratchMark()[1]];
  };
  expect(taken([24, 16, 16])).toEqual([0, 0]);
  expect(taken([23, 16, 16])).not.toEqual([0, 0]);
  withScratch(() => takeScratch(1 << 21));
  expect(taken([20_000, 300, 264])).toEqual(taken([1000, 300, 264]));
});

test.each([false, true])("few rows in parts, each by itself: adds is %s", (adds) => {
  const sizes = [16, 30, 523];
  for (const shape of [kFour, kSix]) {
    const kernel = compileGebp("float32", null, shape)!;
    const [a, b, c] = operands(sizes, 524);
    const before = c.map((__, n) => n % 7);
    c.set(before);
    const parts: ProductPart[] = [0, 12].flatMap((row) =>
      [0, 256].map((column) => ({ row, rows: row === 0 ? 12 : 4, column, columns: column === 0 ? 256 : 267 })),
    );
    for (const part of parts)
      withScratch(() => {
        const contraction = contractionOf(kernel, a, b, sizes, 524, adds);
        contraction.takeFor(part);
        contraction.runPart(a.data.byteOffset, b.data.byteOffset, c.byteOffset, part);
      });
    const from = adds ? before : before.map((value, n) => (n % 524 === 523 ? value : 0));
    expect(Array.from(c)).toEqual(multiplied(a, b, sizes, 524, from));
  }
});

test.each([["int8", "uint8"] as const, ["uint8", "int8"] as const])(
  "pairs of %s and %s, from every order of their memory",
  (left, right) => {
    const kernel = compileGebp("int32", [left, right], kFour);
    expect(kernel).not.toBeNull();
    const dice = new Dice(left.length);
    // An odd number of elements has a last pair that is not whole. With four rows or columns, elements of k can be four bytes apart.
    for (const sizes of [[4, 33, 4], [7, 32, 9], [12, 17, 20]] as const) // biome-ignore format: one line
      for (const turnedA of [false, true])
        for (const turnedB of [false, true]) {
          const [rows, inner, columns] = sizes;
          const a = matrix(left, rows, inner, turnedA ? [1, rows] : [inner, 1], dice);
          const b = matrix(right, inner, columns, turnedB ? [1, inner] : [columns, 1], dice);
          const c = arenaArray("int32", rows * columns) as Int32Array;
          const contraction = contractionOf(kernel!, a, b, sizes, columns, false);
          contraction.take();
          contraction.run(a.data.byteOffset, b.data.byteOffset, c.byteOffset);
          contraction.release();
          const where = [...sizes, turnedA, turnedB];
          expect([where, Array.from(c)]).toEqual([where, multiplied(a, b, sizes, columns, new Int32Array(c.length))]);
        }
  },
);

test("a product of float64 is added to columns at strides", () => {
  const dice = new Dice(3);
  const [m, n, k, ld] = [9, 7, 11, 12];
  const [a, b] = [matrix("float64", m, k, [1, m + 2], dice), matrix("float64", k, n, [n + 1, 1], dice)];
  const c = arenaArray("float64", n * ld) as Float64Array;
  for (let at = 0; at < c.length; at++) c[at] = at;
  // The target is by columns: its transposed matrix is the product of the transposed operands.
  const turned = (x: Matrix): Matrix => ({ data: x.data, row: x.column, column: x.row });
  const wanted = multiplied(turned(b), turned(a), [n, k, m], ld, c);
  const place = ({ data, row, column }: Matrix) => ({ at: data.byteOffset / 8, row, column });
  expect(addStridedProduct(m, n, k, place(a), place(b), c.byteOffset / 8, ld)).toBe(true);
  expect(Array.from(c)).toEqual(wanted);
});
