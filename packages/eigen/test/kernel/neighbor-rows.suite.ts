// The result of a row or a column depends on that row or column alone. Tests reductions, products of matrices and expressions of
// them, with rare elements in other rows and columns. Movements copy every bit of an element.
import { expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { assignByReference } from "@onebuffer/eigen/internal";
import { opNames, opTable } from "@onebuffer/eigen";
import type { OpName } from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import { isComplexDType } from "@onebuffer/expression/src/tree/dtype-groups";
import { hasKernel } from "@onebuffer/compiler/src/plan/kernel-support";
import { arenaMap } from "./kernel-subjects.ts";
import { opCases } from "../expression/op-cases.ts";
import { bitsIn, bitsOf, rareElements } from "./rare-elements.ts";
import type { Bits, BitsArray } from "./rare-elements.ts";
import { wrapping } from "../wrapping.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** Returns the bits of a map in the linear memory, without copying. */
function bitsOfMap(map: Any): BitsArray {
  return bitsIn(map.data.buffer, map.data.byteOffset, map.size, map.dtype);
}

const hex = (bits: Bits): string => `0x${bits.toString(16)}`;

/** Independent rows (axis 1) or columns (axis 0): how many, and their length. */
interface Lines {
  readonly count: number;
  readonly length: number;
  readonly axis: 0 | 1;
}

const shapes: readonly Lines[] = [
  { count: 19, length: 37, axis: 1 },
  { count: 21, length: 37, axis: 0 },
  { count: 37, length: 3, axis: 1 },
  { count: 3, length: 35, axis: 0 },
  { count: 5, length: 700, axis: 1 },
] as const;
/** Returns one of the first two shapes, by turns, so that each test has rows and columns; all shapes in `npm run long`. */
const shapesOf = (turn: number): readonly Lines[] => (isLong ? shapes : [shapes[turn % 2]!]);

/** Returns a line of ordinary elements with a rare one in it. */
function lineOf(dtype: RawDType, length: number, k: number, rare: Bits): Bits[] {
  const isFloat = dtype.includes("float");
  const values = Array.from({ length }, (_, i) => {
    if (dtype === "bool") return (i + k) % 3 === 0;
    if (isFloat) return 0.5 + ((i * 7 + k * 3) % 16) / 16;
    const integer = 1 + ((i * 5 + k) % 4);
    return dtype === "int64" || dtype === "uint64" ? BigInt(integer) : integer;
  });
  const bits = bitsOf(dtype, values);
  bits[(k * 7) % length] = rare;
  return bits;
}

/** Returns a description of the first line whose result changes with the other lines, or null if there is none. */
function wrongLine(dtype: RawDType, lines: Lines, build: (x: Any, axis: 0 | 1) => Any): string | null {
  const { count, length, axis } = lines;
  const x = arenaMap(dtype, axis === 1 ? [count, length] : [length, count]) as Any;
  const expr = build(x, axis);
  const out = arenaMap(expr.dtype, expr.dimensions) as Any;
  const [from, to] = [bitsOfMap(x), bitsOfMap(out)];
  const put = (line: number, bits: readonly Bits[]): void =>
    bits.forEach((value, i) => (from[axis === 1 ? line * length + i : i * count + line] = value as never));
  const perLine = out.size / count;
  const place = (line: number, i: number): number => (axis === 1 ? line * perLine + i : i * count + line);
  const rare = rareElements(dtype);
  // All rare elements, or as many as there are lines, evenly picked from the list; of those, every second one fills all lines in turn.
  const step = isLong ? 1 : Math.ceil(rare.length / count);
  for (let first = 0; first < rare.length; first += count * step) {
    const drawn = Array.from({ length: count }, (_, k) => lineOf(dtype, length, k, rare[(first + k * step) % rare.length]!));
    drawn.forEach((bits, line) => put(line, bits));
    out.assign(expr);
    const together = to.slice();
    for (let k = 0; k < count; k += isLong ? 1 : 2) {
      for (let line = 0; line < count; line++) put(line, drawn[k]!);
      out.assign(expr);
      for (let at = 0; at < out.size; at++) {
        const [line, i] = axis === 1 ? [Math.floor(at / perLine), at % perLine] : [at % count, Math.floor(at / count)];
        const wanted = together[place(k, i)]!;
        const other = `${hex(to[at]!)} in line ${line} among equal lines`;
        if (to[at] !== wanted) return `line ${k} of ${count}x${length} over ${axis}: ${hex(wanted)} at ${i}, but ${other}`;
      }
    }
  }
  return null;
}

const reductions = opNames("reduction");
test.each(reductions)("%s of a line does not depend on other lines", (op) => {
  const supported = opTable[op].dtypes.filter((dtype) => hasKernel(op, dtype) && !isComplexDType(dtype));
  // A third of the dtypes, of each reduction others; all of them in `npm run long`.
  const found = supported
    .filter((_, k) => isLong || (k + reductions.indexOf(op)) % Math.min(3, supported.length) === 0)
    .flatMap((dtype, turn) =>
      shapesOf(turn).map((lines) => [
        dtype,
        wrongLine(dtype as RawDType, lines, (x, axis) => x[op](op.startsWith("arg") ? axis : [axis], wrapping(op))),
      ]),
    );
  expect(found.filter(([, what]) => what !== null)).toEqual([]);
});

test("matMul of a line does not depend on other lines", () => {
  const supported = opTable.matMul.dtypes.filter((dtype) => hasKernel("matMul", dtype) && !isComplexDType(dtype));
  const found = sampled(supported, 3).flatMap((dtype, turn) =>
    shapesOf(turn).map((lines) => {
      const other = arenaMap(dtype as RawDType, lines.axis === 1 ? [lines.length, 5] : [5, lines.length]) as Any;
      bitsOfMap(other).set(
        lineOf(
          dtype as RawDType,
          other.size,
          1,
          bitsOf(dtype as RawDType, [dtype.endsWith("64") && dtype.includes("int") ? 1n : 1])[0]!,
        ) as never,
      );
      return [dtype, wrongLine(dtype as RawDType, lines, (x, axis) => (axis === 1 ? x.matMul(other) : other.matMul(x)))];
    }),
  );
  expect(found.filter(([, what]) => what !== null)).toEqual([]);
});

test.each<[string, (x: Any, axis: 0 | 1) => Any]>([
  ["softmax", (x, axis) => x.softmax(axis)],
  ["logSoftmax", (x, axis) => x.logSoftmax(axis)],
  ["logSumExp", (x, axis) => x.logSumExp([axis])],
  ["l2Normalize", (x, axis) => x.l2Normalize([axis])],
  ["variance", (x, axis) => x.variance([axis])],
  ["sum of sin of mod", (x, axis) => x.mod(0.7).sin().sum([axis])],
])("%s of a line does not depend on other lines", (name, build) => {
  // Two of the dtypes by turns; all of them in `npm run long`.
  for (const [turn, dtype] of (["float32", "float64", "float16", "bfloat16"] as const).entries())
    if (isLong || (turn + name.length) % 2 === 0)
      for (const lines of shapesOf(turn)) expect([dtype, wrongLine(dtype, lines, build)]).toEqual([dtype, null]);
});

const movements = opCases.filter(
  ({ op, dtype }) => opTable[op].class === "movement" && dtype !== "complex128" && hasKernel("neg", dtype === "bool" ? "int8" : dtype),
);
const unsigned = { 1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64" } as const;

test.each([...new Set(movements.map(({ op }) => op))])("%s copies every bit", (op: OpName) => {
  for (const { dtype, build } of movements.filter((each) => each.op === op)) {
    const rare = rareElements(dtype);
    const plain = unsigned[dtypeSize(dtype) as 1 | 2 | 4 | 8];
    const filled = (as: RawDType) => (_: RawDType, dims: readonly number[], place: number) => {
      const map = arenaMap(as, dims) as Any;
      bitsOfMap(map).forEach((_value, i, bits) => (bits[i] = rare[(i + place * 11) % rare.length] as never));
      return map;
    };
    for (const dims of [
      [17, 19],
      [5, 3, 7],
    ]) {
      const expr = build(filled(dtype), dims) as Any;
      const out = arenaMap(expr.dtype, expr.dimensions) as Any;
      out.assign(expr);
      const same = opCases.find((each) => each.op === op && each.dtype === plain)!.build(filled(plain), dims);
      const wanted = arenaMap(plain, expr.dimensions) as Any;
      assignByReference(wanted, same);
      expect([dtype, dims, [...bitsOfMap(out)]]).toEqual([dtype, dims, [...bitsOfMap(wanted)]]);
    }
  }
});
