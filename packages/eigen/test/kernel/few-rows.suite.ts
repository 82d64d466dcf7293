// Products with few rows read a large B where it is; those with more rows pack it (kernels/products/few-rows.ts). Both add in the same order, so
// a row has the same bits however many rows are multiplied with it. What surrounds the operands is NaN, and what surrounds the result stays.
// Few rows of a transposed matrix are read where they are, too, unless the elements of one k are far from those of the next.
import { expect, test } from "@jest/globals";
import { tensorMap } from "@onebuffer/eigen";
import { arenaArray, Dice } from "./kernel-subjects.ts";

/** `npm run long` compares more products. */
const kRounds = process.env["ONEBUFFER_LONG"] === undefined ? 3 : 400;

/** The maps here have dtypes from a table, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** The most elements of a map: [290, 530] and what surrounds it. */
const kMost = 292 * 536;
type Role = "many" | "few" | "b" | "all" | "some";
const memories = new Map<string, Any>();

/** Returns memory for the maps of a role, which has them one after the other: tests share a region, which these maps would soon fill. */
function memoryOf(dtype: "float32" | "float64", role: Role): Any {
  const known = memories.get(dtype + role);
  if (known !== undefined) return known;
  const made = arenaArray(dtype, kMost, kMost * 8);
  memories.set(dtype + role, made);
  return made;
}

/** Returns a view of these sizes within a larger map whose other elements are `around`, and that map. */
function within(
  dtype: "float32" | "float64",
  role: Role,
  [rows, columns]: readonly [number, number],
  gap: number,
  around: number,
): [Any, Any] {
  const dims = [rows + 2, columns + gap + 1] as const;
  const elements = memoryOf(dtype, role)
    .subarray(0, dims[0] * dims[1])
    .fill(around);
  const map = tensorMap(dtype, elements, dims) as Any;
  return [map.strided(`1:${rows + 1}, 1:${columns + 1}`), map];
}

test.each(["float32", "float64"] as const)("a row of a %s product has the same bits among few rows and among many", (dtype) => {
  const dice = new Dice(dtype.length * 31 + 7);
  for (let turn = 0; turn < kRounds; turn++) {
    // One block of k has at most 288. The first product has two blocks of which the second is shorter.
    const [rows, inner] = turn === 0 ? [5, 289] : [dice.pick([4, 5, 7, 8, 11, 15, 16, 17, 18]), dice.pick([2, 7, 8, 9, 33, 255, 257, 290])];
    const columns = dice.pick([130, 136, 255, 256, 264, 511, 512, 513, 530]);
    const [gap, adds] = [dice.below(5), dice.below(2) === 1];
    const [many] = within(dtype, "many", [40, inner], gap, Number.NaN);
    // Every other product has a transposed factor, of which the elements of the next k are near or far.
    const apart = dice.pick([gap, gap, 200]);
    const [few] =
      turn % 2 === 0 ? within(dtype, "few", [inner, rows], apart, Number.NaN) : within(dtype, "few", [rows, inner], gap, Number.NaN);
    const ofFew = turn % 2 === 0 ? few.transpose() : few;
    const [b] = within(dtype, "b", [inner, columns], gap, Number.NaN);
    for (let i = 0; i < 40; i++) for (let k = 0; k < inner; k++) many.set(i, k, dice.unit() - 0.5);
    for (let i = 0; i < rows; i++) for (let k = 0; k < inner; k++) ofFew.set(i, k, many.at(i, k));
    for (let k = 0; k < inner; k++) for (let j = 0; j < columns; j++) b.set(k, j, dice.unit() - 0.5);
    const [all] = within(dtype, "all", [40, columns], gap, 1);
    const [some, target] = within(dtype, "some", [rows, columns], gap, 1);
    all.assign(adds ? all.add(many.matMul(b)) : many.matMul(b));
    some.assign(adds ? some.add(ofFew.matMul(b)) : ofFew.matMul(b));
    const shown = { turn, rows, inner, columns, gap, apart, adds };
    let different = 0;
    for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) if (!Object.is(some.at(i, j), all.at(i, j))) different++;
    expect({ ...shown, different }).toEqual({ ...shown, different: 0 });
    let outside = 0;
    for (let i = 0; i < rows + 2; i++) {
      for (let j = 0; j < columns + gap + 1; j++) {
        const isInside = i > 0 && i <= rows && j > 0 && j <= columns;
        if (!isInside && target.at(i, j) !== 1) outside++;
      }
    }
    expect({ ...shown, outside }).toEqual({ ...shown, outside: 0 });
    let error = 0;
    for (let j = 0; j < columns; j += 7) {
      let sum = adds ? 1 : 0;
      for (let k = 0; k < inner; k++) sum += ofFew.at(rows - 1, k) * b.at(k, j);
      error = Math.max(error, Math.abs(sum - some.at(rows - 1, j)));
    }
    expect(error).toBeLessThan(1e-4);
  }
});
