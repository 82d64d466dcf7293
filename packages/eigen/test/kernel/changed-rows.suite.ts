// Scatters into their own operand, and updates of few rows of a table: only the rows that indices name are read and written.
import { expect, test } from "@jest/globals";
import { assignTogether, constant, tensorMap, updateTogether } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { isLong, stopwatch } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaMap, Dice } from "./kernel-subjects.ts";

/** The expressions here are built from tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const kWidth = 8;

function integers(dice: Dice, dims: readonly number[], dtype: string = "float32", most: number = 9): Any {
  const map = arenaMap(dtype as "float32", dims as number[]) as Any;
  const { data } = map;
  for (let i = 0; i < data.length; i++) data[i] = dice.below(most);
  return map;
}

/** Computes an assignment to a table by the evaluator and by kernels: planned, found again, and bound. */
function check(table: Any, expression: Any): void {
  const [before, expected] = [table.data.slice(), arenaMap(table.dtype, table.dimensions) as Any];
  assignByReference(expected, expression);
  for (let k = 0; k < 4; k++) {
    table.data.set(before);
    table.assign(expression);
    expect(table.toArray()).toEqual(expected.toArray());
  }
}

const subtractions: readonly [string, (table: Any, rows: Any) => Any][] = [
  ["subtracted", (table, rows) => table.sub(rows)],
  ["times a number", (table, rows) => table.sub(rows.mul(0.5))],
  ["a number times them", (table, rows) => table.sub(constant("float32", 4).cast(table.dtype).mul(rows))],
  ["times a negative number", (table, rows) => table.sub(rows.mul(-2))],
  ["times a number in memory", (table, rows) => table.sub(rows.mul(table.at(0, 0)))],
  ["added", (table, rows) => table.add(rows)],
  ["subtracted from", (table, rows) => rows.sub(table)],
  ["subtracted and used again", (table, rows) => table.sub(rows).add(rows)],
];

test.each(subtractions.map(([name, make], k) => [name, make, k] as const))("rows %s", (_, make, k) => {
  const dice = new Dice(5);
  for (const dtype of ["float32", "float64"] as const) {
    // One of the numbers to which the rows are added for each dtype, by turns.
    for (const zero of isLong ? [0, 1] : [(k + Number(dtype === "float64")) % 2]) {
      const table = integers(dice, [20, kWidth], dtype);
      const [indices, rows] = [integers(dice, [12], "int32", 20), integers(dice, [12, kWidth], dtype)];
      const zeros = constant(dtype, zero, [20, kWidth]) as Any;
      // The rows come from memory, from other elements, and from the table itself.
      for (const each of [rows, rows.add(1), (table as Any).gather(indices, 0).mul(2)]) {
        check(table, make(table, zeros.scatter(indices, each, 0, { reduction: "add" })));
      }
    }
  }
});

test("rows times numbers of which some change all rows", () => {
  const dice = new Dice(9);
  const [table, rows, indices] = [integers(dice, [20, kWidth]), integers(dice, [3, kWidth]), integers(dice, [3], "int32", 20)];
  table.data.fill(-0, 0, 100);
  const zeros = constant("float32", 0, [20, kWidth]) as Any;
  for (const factor of [0.5, -0.5, 2, Infinity, 3])
    check(table, table.sub(zeros.scatter(indices, rows, 0, { reduction: "add" }).mul(factor)));
});

test.each(["float32", "float16", "int32", "int8", "bool", "complex64"])("a scatter of %s into its operand", (dtype) => {
  const dice = new Dice(6);
  const map = (dims: number[]): Any =>
    dtype === "complex64" ? integers(dice, [...dims.slice(0, -1), dims.at(-1)! * 2]) : integers(dice, dims, dtype, 2);
  const tableOf = (): Any => {
    const values = map([20, kWidth]);
    return dtype === "complex64" ? tensorMap("complex64", values.data, [20, kWidth]) : values;
  };
  for (const reduction of dtype === "bool" ? ["update"] : dtype === "complex64" ? ["update", "add"] : ["update", "add", "max"]) {
    const [table, rows] = [tableOf(), tableOf()];
    const indices = integers(dice, [20], "int32", 20);
    check(table, table.scatter(indices, rows, 0, { reduction }));
    check(table, table.scatter(indices, table, 0, { reduction }));
    check(table, table.scatter(integers(dice, [kWidth], "int32", kWidth), rows, 1, { reduction }));
  }
});

test("indices and updates in the memory of the table", () => {
  const table = integers(new Dice(7), [64], "int32", 16);
  const part = (from: number): Any => tensorMap("int32", table.data.subarray(from, from + 16), [16]);
  for (const [indices, updates] of [
    [0, 16],
    [8, 40],
    [3, 3],
  ] as const) {
    check(table, table.scatter(part(indices), part(updates), 0));
    check(table, table.scatter(part(indices).mod(16), part(updates), 0, { reduction: "add" }));
  }
});

test("an index outside a table changes nothing", () => {
  const dice = new Dice(8);
  const [table, rows, other] = [integers(dice, [20, kWidth]), integers(dice, [3, kWidth]), integers(dice, [kWidth])];
  const indices = tensorMap("int32", Int32Array.of(1, 2, 3), [3]);
  const pairs = [
    [other, other.add(1)],
    [table, table.sub((constant("float32", 0, [20, kWidth]) as Any).scatter(indices, rows, 0, { reduction: "add" }))],
  ] as Any;
  for (let k = 0; k < 3; k++) updateTogether(pairs);
  indices.set(1, 20);
  const before = table.toArray();
  for (let k = 0; k < 3; k++) expect(() => updateTogether(pairs)).toThrow("indices[1] = 20 is not in [0, 20)");
  expect(table.toArray()).toEqual(before);
});

/** The fastest of several runs, in milliseconds. */
function fastest(run: () => void): number {
  let best = Infinity;
  for (let k = 0; k < (isLong ? 30 : 8); k++) {
    const milliseconds = stopwatch();
    run();
    best = Math.min(best, milliseconds());
  }
  return best;
}

test("an update of some rows does not take longer in a larger table, and no plan from the second step on", () => {
  const step = (rows: number): (() => void) => {
    const dice = new Dice(9);
    // Drawing the elements of the larger tables would take longer than the updates.
    const [table, second] = [0, 1].map((value) => {
      const map = arenaMap("float32", [rows, 64]) as Any;
      map.data.fill(value);
      return map;
    });
    const indices = integers(dice, [64], "int32", 64);
    const change = second.gather(indices, 0).add(table.gather(indices, 0));
    const updated = (map: Any): Any =>
      map.sub((constant("float32", 0, [rows, 64]) as Any).scatter(indices, change, 0, { reduction: "add" }).mul(0.001));
    const pairs = [table, second].map((map) => [map, updated(map)]) as Any;
    return () => updateTogether(pairs);
  };
  // Both tables and what came before them are in half of the memory for maps of tests, which starts over when it is full.
  const [small, large] = [step(256), step(isLong ? 30_000 : 4_096)];
  for (let k = 0; k < 2; k++) for (const run of [small, large]) run();
  const { planned } = kernelCounts();
  // A pass over the larger tables takes a hundred times as long as the rows.
  expect(fastest(large)).toBeLessThan(8 * fastest(small) + 0.05);
  expect(kernelCounts().planned).toBe(planned);
});

test("a group of assignments reads rows as they were before or after, by its order", () => {
  const dice = new Dice(10);
  const [table, out] = [integers(dice, [20, kWidth]), arenaMap("float32", [20, kWidth]) as Any];
  const indices = integers(dice, [5], "int32", 20);
  const changed = table.scatter(indices, integers(dice, [5, kWidth]), 0, { reduction: "add" });
  for (let k = 0; k < 3; k++) {
    const before = table.toArray();
    assignTogether([
      [out, table.mul(2)],
      [table, changed],
    ]);
    expect(out.toArray()).toEqual(before.map((row: number[]) => row.map((value) => 2 * value)));
    assignTogether([
      [table, changed],
      [out, table.mul(2)],
    ]);
    expect(out.toArray()).toEqual(table.toArray().map((row: number[]) => row.map((value) => 2 * value)));
  }
});
