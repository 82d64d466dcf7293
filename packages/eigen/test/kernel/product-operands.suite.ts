// Products in blocks over operands that are reshaped across each other's dimensions, and over small integers: those are computed in wider ones, and
// bytes in pairs.
import { expect, test } from "@jest/globals";
import { explain } from "@onebuffer/compiler/internal";
import { assignByReference } from "@onebuffer/eigen/internal";
import { tensorMap } from "@onebuffer/eigen";
import { isLong } from "@onebuffer/test-support";
import { listDifference } from "./difference.ts";
import { computed, filler, reference } from "./filled-maps.ts";
import { arenaMap, elementsOf } from "./kernel-subjects.ts";

/** The expressions of these tests are built by tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const fill = filler(23, 0, 11);
const inside = (dims: readonly number[], dtype: string = "int32"): Any => fill(arenaMap(dtype as "int32", dims));

const agrees = (expression: Any): void => expect(listDifference(computed(expression), reference(expression))).toBeNull();

/** Sizes of several panels and an incomplete one; the inner one is of several unrolled steps, and half of it is odd. */
const [kRows, kInner, kColumns] = isLong ? [33, 70, 29] : [17, 38, 21];

test("an operand is reshaped across the dimensions of its memory", () => {
  const b = inside([60, isLong ? 32 : 12]);
  for (const [rows, columns] of [[40, 60], [60, 40], [30, 80], [48, 50]] as const) // biome-ignore format: one line
    agrees(inside([rows, columns]).transpose().reshape([40, 60]).matMul(b));
});

test("both operands' batches are reshaped, with cuts at different places", () => {
  const a = inside([3, 2, 20, 24]).shuffle([1, 0, 2, 3]).reshape([6, 20, 24]);
  const b = inside([2, 3, 24, 18]).shuffle([1, 0, 2, 3]).reshape([6, 24, 18]);
  for (const expression of [a.matMul(b), a.matMul(inside([6, 24, 18])), inside([6, 20, 24]).matMul(b)]) agrees(expression);
});

test.each(["int8", "uint8", "int16", "uint16"])("products of %s, of every order of their memory", (dtype) => {
  for (const transposeA of [false, true])
    for (const transposeB of [false, true]) {
      const a = inside(transposeA ? [kInner, kRows] : [kRows, kInner], dtype);
      const b = inside(transposeB ? [kColumns, kInner] : [kInner, kColumns], dtype);
      agrees(a.matMul(b, { transposeA, transposeB }));
      if (dtype.endsWith("8")) agrees(a.matMul(b, { transposeA, transposeB, outputType: "int32" }));
    }
});

test.each(["int32", "uint32", "float32", "float64"])("products of bytes that are cast to %s before", (dtype) => {
  for (const byte of ["int8", "uint8"])
    agrees(
      inside([kRows, kInner], byte)
        .cast(dtype)
        .matMul(inside([kInner, kColumns], byte).cast(dtype)),
    );
  // Only one of them is of bytes.
  agrees(
    inside([kRows, kInner], "int8")
      .cast(dtype)
      .matMul(inside([kInner, kColumns], "int16").cast(dtype)),
  );
});

const waysOf = (expression: Any): string[] => explain(expression).steps.map(({ by }) => by);

test("both operands are one map of small integers", () => {
  for (const dtype of ["int16", "int8"]) {
    const x = inside([24, 24], dtype);
    agrees(x.matMul(x));
  }
});

test("bytes are multiplied as pairs, also into bytes", () => {
  const product = inside([24, 17], "int8").matMul(inside([17, 20], "int8"));
  expect(explain(product).steps.map(({ listing }) => listing)).toContainEqual(expect.stringContaining("dot_i16x8_s"));
});

test("outer products, and products of few lines or of little work, are not computed in blocks", () => {
  const isInBlocks = (rows: number, inner: number, columns: number): boolean =>
    waysOf(inside([rows, inner], "float32").matMul(inside([inner, columns], "float32"))).includes("contraction");
  for (const [rows, inner, columns] of [[32, 2, 32], [4, 32, 40], [40, 32, 4], [8, 8, 8]] as const) // biome-ignore format: one line
    expect([rows, inner, columns, isInBlocks(rows, inner, columns)]).toEqual([rows, inner, columns, true]);
  for (const [rows, inner, columns] of [[32, 1, 32], [3, 32, 40], [40, 32, 3], [7, 8, 9]] as const) // biome-ignore format: one line
    expect([rows, inner, columns, isInBlocks(rows, inner, columns)]).toEqual([rows, inner, columns, false]);
});

test("k in two parts of one operand: the other one is cut as well, and both are read where they are", () => {
  const rows = inside([6, 9, 4]).shuffle([1, 2, 0]).reshape([9, 24]);
  const columns = inside([6, 9, 4]).shuffle([2, 0, 1]).reshape([24, 9]);
  for (const product of [inside([8, 24]).matMul(columns), rows.matMul(inside([24, 8]))]) {
    expect(waysOf(product)).toEqual(["contraction"]);
    agrees(product);
  }
});

test("a product is added to its target only where the sum's other operand is the target", () => {
  const [a, b] = [inside([16, 8]), inside([8, 16])];
  const elsewhere = (byteOffset: number): Any =>
    tensorMap("int32", new Int32Array(new ArrayBuffer(byteOffset + 1024), byteOffset, 256).fill(9), [16, 16]);
  const others: readonly [string, (target: Any) => Any][] = [
    ["the target", (target) => target],
    ["the target, turned", (target) => target.strided().transpose()],
    ["the target's first column, as a row", (target) => target.strided(":, 0")],
    ["the target's first row", (target) => target.strided("0")],
    ["the same place of other memory", ({ data: { byteOffset } }) => elsewhere(byteOffset)],
  ];
  for (const make of [() => arenaMap("int32", [16, 16]), () => tensorMap("int32", new Int32Array(256), [16, 16])])
    for (const [name, other] of others) {
      const results = [(out: Any, sum: Any) => out.assign(sum), assignByReference as Any].map((assign) => {
        const target = make() as Any;
        target.copyFrom(Array.from({ length: 256 }, (_, n) => (n * 7) % 31));
        assign(target, other(target).add(a.matMul(b)));
        return [name, elementsOf(target)];
      });
      expect(results[0]).toEqual(results[1]);
    }
});

test("a product that is repeated along the batch of a sum is added to each of its matrices", () => {
  const [a, b] = [inside([1, 8, 8]), inside([1, 8, 8])];
  const [target, wanted] = [0, 1].map(() => arenaMap("int32", [3, 8, 8]) as Any) as [Any, Any];
  for (const map of [target, wanted]) map.assign(5);
  target.assign(target.add(a.matMul(b)));
  assignByReference(wanted, wanted.add(a.matMul(b)));
  expect(elementsOf(target)).toEqual(elementsOf(wanted));
});
