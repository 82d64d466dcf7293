// For every operation of the op table and every dtype it accepts: an expression over operands of requested sizes. Tests that must cover all
// operations iterate over these cases.
import type { DType, RawDType } from "@onebuffer/base";
import { arraySlots, typedArrayConstructor } from "@onebuffer/base";
import {
  concatenate,
  constant,
  extractPatches,
  iota,
  linspace,
  nthElements,
  opNames,
  opTable,
  select,
  statelessNormal,
  statelessUniform,
  tensorMap,
} from "@onebuffer/eigen";
import { markedCumsum, scaledCumsum } from "@onebuffer/expression/internal";
import type { Expression, OpName, Operand, TensorMap } from "@onebuffer/eigen";
import { wrapping } from "../wrapping.ts";

type Any = Operand<DType, number>;
type Methods = Readonly<Record<string, (...args: unknown[]) => Expression<DType, number>>>;

/** Makes an operand of a dtype and sizes; `place` is the index of the operand in its operation. */
export type MakeOperand = (dtype: RawDType, dims: readonly number[], place: number) => Any;

/** One operation for one dtype. */
export interface OpCase {
  readonly op: OpName;
  readonly dtype: RawDType;
  /** Builds the operation. The operands' sizes are derived from `dims`, which must have at least one dimension, and fit each other. */
  build(make: MakeOperand, dims: readonly number[]): Any;
}

/** Calls the method `op` of an operand. */
const call = (operand: Any, op: string, ...args: unknown[]): Any => {
  const methods = operand as unknown as Methods;
  return (methods[op] as (...all: unknown[]) => Any).call(operand, ...args);
};

/** Returns `count` indices within [0, size); none if `size` is 0. */
function indices(size: number, count: number): TensorMap<"int32", 1> {
  const list = Int32Array.from({ length: size === 0 ? 0 : count }, (_, k) => (k * 7 + 3) % size);
  return tensorMap("int32", list, [list.length]);
}

/** Builds an operation for a dtype. */
type Build = (make: MakeOperand, dims: readonly number[], dtype: RawDType) => Any;

/** Three operands of one dtype. */
const three = (make: MakeOperand, dims: readonly number[], dtype: RawDType): readonly [never, never, never] =>
  [0, 1, 2].map((k) => make(dtype, dims, k)) as unknown as readonly [never, never, never];

const special: Partial<Record<OpName, Build>> = {
  map: (make, dims, dtype) => make(dtype, dims, 0),
  constant: (_, dims, dtype) => constant(dtype, (dtype === "bool" ? true : 1) as never, dims),
  iota: (_, dims, dtype) => iota(dtype as "int32", dims, dims.length - 1),
  linspace: (_, dims, dtype) => linspace(dtype as "float32", -1, 2.5, 1 + dims.reduce((a, b) => a * b, 1)),
  randomUniform: (_, dims, dtype) => statelessUniform(dtype as "float32", dims, [1, 2]),
  randomNormal: (_, dims, dtype) => statelessNormal(dtype as "float32", dims, [1, 2]),
  randomUniformInt: (_, dims, dtype) => statelessUniform(dtype as "int32", dims, [1, 2]),
  cast: (make, dims, dtype) => call(make(dtype, dims, 0), "cast", "float32"),
  select: (make, dims, dtype) =>
    select(make("bool", dims, 0) as Operand<"bool", number>, make(dtype, dims, 1), make(dtype, dims.slice(1), 2)),
  reshape: (make, dims, dtype) => call(call(make(dtype, dims, 0), "shuffle"), "reshape", [dims.reduce((a, b) => a * b, 1), 1]),
  shuffle: (make, dims, dtype) => call(make(dtype, dims, 0), "shuffle"),
  slice: (make, dims, dtype) => call(call(make(dtype, dims, 0), "shuffle"), "slice", [null, null, -1]),
  chip: (make, dims, dtype) => call(call(make(dtype, [...dims.slice(0, -1), 2], 0), "shuffle"), "chip", 1, 0),
  reverse: (make, dims, dtype) => call(call(make(dtype, dims, 0), "shuffle"), "reverse"),
  broadcast: (make, dims, dtype) => call(call(make(dtype, dims, 0), "shuffle"), "broadcast", [2, ...dims.toReversed()]),
  extractPatches: (make, dims, dtype) => {
    const size = Math.max(dims.at(-1) as number, 1);
    return extractPatches(make(dtype, dims.with(-1, size), 0), [Math.min(size, 2)], { axes: [-1] });
  },
  concatenate: (make, dims, dtype) => concatenate([make(dtype, dims, 0), make(dtype, dims.with(-1, 2), 1), make(dtype, dims, 2)], -1),
  gather: (make, dims, dtype) => call(make(dtype, dims, 0), "gather", indices(dims[0] as number, 4)),
  scatter: (make, dims, dtype) => {
    const list = indices(dims[0] as number, 2);
    return call(make(dtype, dims, 0), "scatter", list, make(dtype, dims.with(0, list.size), 1));
  },
  scaledCumsum: (make, dims, dtype) => scaledCumsum(...three(make, dims, dtype), 0, { reverse: true }) as never,
  markedCumsum: (make, dims, dtype) => markedCumsum(...three(make, dims, dtype), 0, { reverse: true }) as never,
  nthElements: (make, dims, dtype) => {
    const size = Math.max(dims.at(-1) as number, 1);
    return nthElements(make(dtype, dims.with(-1, size), 0) as Operand<"int8", number>, [size >> 1]);
  },
  matMul: (make, dims, dtype) => call(make(dtype, [2, ...dims.slice(-1)], 0), "matMul", make(dtype, [dims.at(-1) as number, 3], 1)),
};

const byClass: Partial<Record<string, (op: OpName) => Build>> = {
  unary: (op) => (make, dims, dtype) => call(make(dtype, dims, 0), op),
  binary: (op) => (make, dims, dtype) => call(make(dtype, dims, 0), op, make(dtype, dims.slice(1), 1)),
  reduction: (op) => (make, dims, dtype) =>
    op === "argmax" || op === "argmin"
      ? call(make(dtype, dims.with(0, Math.max(dims[0] as number, 1)), 0), op, 0)
      : call(make(dtype, dims, 0), op, [dims.length - 1], wrapping(op)),
  scan: (op) => (make, dims, dtype) => call(make(dtype, dims, 0), op, 0, { reverse: true, ...wrapping(op) }),
  ordering: (op) => (make, dims, dtype) => call(make(dtype, dims, 0), op),
};

function caseOf(op: OpName, dtype: RawDType): OpCase {
  const build = special[op] ?? byClass[opTable[op].class]?.(op);
  if (build === undefined) throw new Error(`no case for ${op}`);
  return { op, dtype, build: (make, dims) => build(make, dims, dtype) };
}

/** The cases of every operation for every dtype that it accepts. */
export const opCases: readonly OpCase[] = opNames().flatMap((op) => opTable[op].dtypes.map((dtype) => caseOf(op, dtype as RawDType)));

/** Makes a map of elements that every operation accepts: no 0 and no negative integers, which divisors and exponents must not be. */
export function smallElements(dtype: RawDType, dims: readonly number[], place: number): TensorMap<DType, number> {
  const slots = arraySlots(dtype);
  const count = dims.reduce((a, b) => a * b, 1);
  const map = tensorMap(dtype as DType, new (typedArrayConstructor(dtype))(count * slots) as never, dims);
  let k = place;
  map.copyFrom(Array.from({ length: count }, () => elementOf(dtype, 1 + (k++ % 3))) as never);
  return map;
}

function elementOf(dtype: RawDType, value: number): unknown {
  if (dtype === "bool") return value > 1;
  if (dtype === "int64" || dtype === "uint64") return BigInt(value);
  if (dtype === "complex64" || dtype === "complex128") return [value / 4, -value];
  // int2 cannot represent 2 and 3.
  if (dtype === "int2") return 1;
  return /^float|^bfloat/.test(dtype) ? value / 4 : value;
}
