/**
 * The operations in which one element depends on many elements of the operand. Each is computed completely, into stored values.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { attributesOf, combinations, customCallOf, isFloat, recordOf, reducedAxes } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import type { OpNameOf } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import { linesAlong } from "./axis-walk.ts";
import { accumulationOf, binaryFunction } from "./element-functions.ts";
import { broadcastMap } from "./index-map.ts";
import { argsortRows, nthOfRows, sortRows } from "./orderings.ts";
import type { OrderedRows } from "./orderings.ts";
import { identityOf, reducerOf } from "./reductions.ts";
import type { StoredValues } from "./stored-values.ts";
import { storeFor, storedValues } from "./stored-values.ts";
import type { Read, Value } from "./values.ts";
import { roundTo, smallValue } from "./values.ts";

/** Computes a reduction over axes. */
export function reduced(node: ExpressionTree, read: Read): StoredValues {
  const op = node.op as OpNameOf<"reduction">;
  const operand = node.inputs[0] as ExpressionTree;
  const axes = reducedAxes(node);
  const { lines, count, first, along } = linesAlong(operand.dimensions, axes);
  // A reduction over no axes copies its operand, which keeps the sign of zeros.
  if (axes.length === 0) return storedValues(node.dtype, lines, read);
  const reduce = reducerOf(op, operand.dtype, node.dtype);
  const out = storeFor(node.dtype, lines);
  for (let n = 0; n < lines; n++) {
    const start = first(n);
    out.write(
      n,
      reduce((k) => read(start + along(k)), count),
    );
  }
  return out;
}

/** Computes a scan along an axis. Sums and products of floats and complex numbers accumulate in float64 and are rounded when written. */
export function scanned(node: ExpressionTree, read: Read): StoredValues {
  const op = node.op as OpNameOf<"scan">;
  const { axis, exclusive, reverse } = attributesOf(node, op);
  const { lines, count, first, along } = linesAlong(node.dimensions, [axis]);
  const start = identityOf(combinations[op], node.dtype);
  const { wide, rounded } = accumulationOf(node.dtype);
  const combine = binaryFunction(combinations[op], wide);
  const out = storeFor(node.dtype, product(node.dimensions));
  for (let n = 0; n < lines; n++) {
    const line = first(n);
    let total = start;
    for (let k = 0; k < count; k++) {
      const place = line + along(reverse ? count - 1 - k : k);
      const before = total;
      total = combine(total, read(place));
      out.write(place, rounded(exclusive ? before : total));
    }
  }
  return out;
}

/** What a scan of three operands gives of its total at a place, and what becomes of the total. */
interface TotalRules {
  gives(total: Value, place: number): Value;
  after(total: Value, place: number): Value;
}

/** The rules by operation. A factor of 0 gives 0, whatever the total was. */
const totalRules: Readonly<
  Record<OpNameOf<"scan"> & ("scaledCumsum" | "markedCumsum"), (dtype: DType, zero: Value, second: Read, third: Read) => TotalRules>
> = {
  scaledCumsum(dtype, zero, factor, weight) {
    const mul = binaryFunction("mul", accumulationOf(dtype).wide);
    const isZero = (value: Value): boolean => (Array.isArray(value) ? value : [value]).every((part) => part === 0);
    return {
      gives: (total, place) => mul(total, weight(place)),
      after: (total, place) => (isZero(factor(place)) ? zero : mul(total, factor(place))),
    };
  },
  markedCumsum: (_, zero, x, z) => ({
    gives: (total, place) => (x(place) === z(place) ? total : zero),
    after: (total, place) => (x(place) === z(place) ? zero : total),
  }),
};

/** Computes a scan of three operands. It accumulates in float64 and is rounded when written. */
export function scanOfThree(node: ExpressionTree, [read, second, third]: readonly Read[]): StoredValues {
  const op = node.op as keyof typeof totalRules;
  const { axis, exclusive, reverse } = attributesOf(node, op);
  const { lines, count, first, along } = linesAlong(node.dimensions, [axis]);
  const { wide, rounded } = accumulationOf(node.dtype);
  const add = binaryFunction("add", wide);
  const zero = identityOf("add", node.dtype);
  const { gives, after } = totalRules[op](node.dtype, zero, second!, third!);
  const out = storeFor(node.dtype, product(node.dimensions));
  for (let n = 0; n < lines; n++) {
    let total = zero;
    for (let k = 0; k < count; k++) {
      const place = first(n) + along(reverse ? count - 1 - k : k);
      if (!exclusive) total = add(total, read!(place));
      out.write(place, rounded(gives(total, place)));
      total = after(total, place);
      if (exclusive) total = add(total, read!(place));
    }
  }
  return out;
}

/** Computes a matrix product. Floats are summed in float64 and rounded once. */
export function multiplied(node: ExpressionTree, readA: Read, readB: Read): StoredValues {
  const [a, b] = node.inputs as readonly [ExpressionTree, ExpressionTree];
  const { transposeA, transposeB } = attributesOf(node, "matMul");
  const [rows, columns] = node.dimensions.slice(-2) as [number, number];
  const inner = a.dimensions.at(transposeA ? -2 : -1) as number;
  const batch = node.dimensions.slice(0, -2);
  const left = storedValues(a.dtype, product(a.dimensions), readA);
  const right = storedValues(b.dtype, product(b.dimensions), readB);
  const mapA = broadcastMap(a.dimensions.slice(0, -2), batch);
  const mapB = broadcastMap(b.dimensions.slice(0, -2), batch);
  const [rowA, stepA] = transposeA ? [1, rows] : [inner, 1];
  const [columnB, stepB] = transposeB ? [inner, 1] : [1, columns];
  const dot = dotOf(node.dtype, left.read, right.read);
  const out = storeFor(node.dtype, product(node.dimensions));
  for (let n = 0; n < product(batch); n++) {
    const baseA = (mapA === null ? n : mapA(n)) * rows * inner;
    const baseB = (mapB === null ? n : mapB(n)) * inner * columns;
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        out.write((n * rows + i) * columns + j, dot(baseA + i * rowA, stepA, baseB + j * columnB, stepB, inner));
      }
    }
  }
  return out;
}

/** Returns the dot product of `count` elements that start at `a` and `b` and are `stepA` and `stepB` apart. */
type Dot = (a: number, stepA: number, b: number, stepB: number, count: number) => Value;

function dotOf(dtype: ExpressionTree["dtype"], left: Read, right: Read): Dot {
  if (isFloat(dtype)) {
    const round = roundTo(dtype);
    return (a, stepA, b, stepB, count) => {
      let sum = 0;
      for (let k = 0; k < count; k++) sum += (left(a + k * stepA) as number) * (right(b + k * stepB) as number);
      return round(sum);
    };
  }
  const { wide, rounded } = accumulationOf(dtype);
  const add = binaryFunction("add", wide);
  const mul = binaryFunction("mul", wide);
  const zero = smallValue(dtype, 0);
  return (a, stepA, b, stepB, count) => {
    let sum = zero;
    for (let k = 0; k < count; k++) sum = add(sum, mul(left(a + k * stepA), right(b + k * stepB)));
    return rounded(sum);
  };
}

/** Writes the rows of an ordering. */
const rowsOf: Readonly<Record<OpNameOf<"ordering">, (node: ExpressionTree, read: Read, rows: OrderedRows, out: StoredValues) => void>> = {
  sort: (node, read, rows, out) => sortRows(read, rows, attributesOf(node, "sort").descending, out),
  argsort: (node, read, rows, out) => argsortRows(read, rows, attributesOf(node, "argsort").descending, out),
  nthElements: (node, read, rows, out) => nthOfRows(read, rows, attributesOf(node, "nthElements").places, out),
};

/** Sorts the last axis, computes the indices that sort it, or picks sorted elements. The result may have only the first of them (topK). */
export function ordered(node: ExpressionTree, read: Read): StoredValues {
  const count = product(node.dimensions);
  const [width, kept] = [node.inputs[0]!.dimensions.at(-1) as number, node.dimensions.at(-1) as number];
  const out = storeFor(node.dtype, count);
  const rows = { rows: kept === 0 ? 0 : count / kept, width, kept };
  rowsOf[node.op as OpNameOf<"ordering">](node, read, rows, out);
  return out;
}

/** Returns an index of an axis as a number. Throws INVALID_ARGUMENT, with the operation and TensorFlow's message, if it is outside [0, size). */
export function checkedRow(op: "gather" | "scatter", value: Value, position: number, size: number): number {
  const row = Number(value as number | bigint);
  if (!(row >= 0 && row < size)) throw new InvalidArgumentError(`${op}: indices[${position}] = ${row} is not in [0, ${size})`);
  return row;
}

/** Computes a scatter: replaces rows or combines them with updates, one update after the other. */
export function scattered(node: ExpressionTree, read: Read, readIndex: Read, readUpdate: Read): StoredValues {
  const [operand, indices] = node.inputs as readonly [ExpressionTree, ExpressionTree];
  const { axis, reduction, skips } = attributesOf(node, "scatter");
  const dims = operand.dimensions;
  const size = dims[axis] as number;
  const inner = product(dims.slice(axis + 1));
  const outer = product(dims.slice(0, axis));
  // Where rows have no elements, no index is checked: a result without elements is not computed at all.
  const count = product(dims) === 0 ? 0 : (indices.dimensions[0] as number);
  const names = { add: "add", mul: "mul", min: "minimum", max: "maximum" } as const;
  const combine = reduction === "update" ? null : binaryFunction(names[reduction], node.dtype);
  const out = storedValues(node.dtype, product(dims), read);
  for (let j = 0; j < count; j++) {
    const index = readIndex(j);
    if ((skips === "negative" && (index as number) < 0) || (skips === "large" && (index as number) >= size)) continue;
    const row = checkedRow("scatter", index, j, size);
    for (let o = 0; o < outer; o++) {
      for (let k = 0; k < inner; k++) {
        const place = (o * size + row) * inner + k;
        const update = readUpdate((o * count + j) * inner + k);
        out.write(place, combine === null ? update : combine(out.read(place), update));
      }
    }
  }
  return out;
}

/** Computes an operation whose record the node carries. It may read each element of its operands often. */
export function customValues(node: ExpressionTree, inputs: readonly Read[]): StoredValues {
  const operands = node.inputs.map(({ dtype, dimensions }, k) => storedValues(dtype, product(dimensions), inputs[k] as Read).read);
  const out = storeFor(node.dtype, product(node.dimensions));
  recordOf(node).evaluate(customCallOf(node), operands, out.write);
  return out;
}
