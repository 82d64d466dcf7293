// Products in blocks over operands that are reshaped across each other's dimensions, and over small integers: those are computed in wider ones, and
// bytes in pairs.
import { expect, test } from "@jest/globals";
import { computed, filler, reference } from "./filled-maps.ts";
import { arenaMap } from "./kernel-subjects.ts";

/** The expressions of these tests are built by tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const fill = filler(23, 0, 11);
const inside = (dims: readonly number[], dtype: string = "int32"): Any => fill(arenaMap(dtype as "int32", dims));

const agrees = (expression: Any): void => expect(computed(expression)).toEqual(reference(expression));

test("an operand is reshaped across the dimensions of its memory", () => {
  const b = inside([60, 32]);
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
      const a = inside(transposeA ? [70, 33] : [33, 70], dtype);
      const b = inside(transposeB ? [29, 70] : [70, 29], dtype);
      agrees(a.matMul(b, { transposeA, transposeB }));
      if (dtype.endsWith("8")) agrees(a.matMul(b, { transposeA, transposeB, outputType: "int32" }));
    }
});

test.each(["int32", "uint32", "float32", "float64"])("products of bytes that are cast to %s before", (dtype) => {
  for (const byte of ["int8", "uint8"])
    agrees(
      inside([33, 70], byte)
        .cast(dtype)
        .matMul(inside([70, 29], byte).cast(dtype)),
    );
  // Only one of them is of bytes.
  agrees(
    inside([33, 70], "int8")
      .cast(dtype)
      .matMul(inside([70, 29], "int16").cast(dtype)),
  );
});
