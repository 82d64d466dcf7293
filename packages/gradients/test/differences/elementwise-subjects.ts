// A subject for each elementwise operation with a gradient, made of its record: a new operation is compared without a line here.
import { opNames, opTable } from "@onebuffer/eigen";
import type { OpName } from "@onebuffer/eigen";
import { records } from "@onebuffer/eigen/test/operation-records";
import type { AnyOpRecord } from "@onebuffer/expression/src/ops/op-record";
import { constant } from "@onebuffer/eigen";
import type { Built, OperandSpec, Subject } from "./subject.ts";
import { isDifferentiable, of } from "./subject.ts";

type Range = readonly [number, number];

/** Returns the range of operands of an operation on one operand: inside its domain, apart from the ends; null for any. */
function rangeOf(domain: AnyOpRecord["domain"]): Range | null {
  if (typeof domain === "string" || domain.low < -2) return null;
  return [domain.low + 0.2, Math.min(domain.high - 0.2, domain.low + 2.5)];
}

/** The ranges of both operands by the domain of the second. */
const binaryRanges: Readonly<Record<string, readonly [Range | null, Range | null]>> = {
  all: [null, null],
  divisor: [null, [0.3, 1.7]],
  exponent: [
    [0.3, 2],
    [-1.5, 2],
  ],
  moderate: [
    [0.3, 2],
    [0.4, 2],
  ],
};

const takes = (op: OpName, dtype: "float64" | "complex128"): boolean => opTable[op].dtypes.includes(dtype);

const spec = (dims: readonly number[], range: Range | null, dtype: OperandSpec["dtype"]): OperandSpec => ({
  ...of(dims, range ?? undefined),
  ...(dtype !== undefined && { dtype }),
});

function unarySubjects(op: OpName, dtype: "float64" | "complex128"): Subject[] {
  const range = rangeOf(records[op]!.domain);
  return [[3, 4], [0, 2], [1]].map((dims) => ({
    name: `${op} ${dtype} [${dims}]`,
    operands: [spec(dims, range, dtype)],
    make: (x) => x[op](),
  }));
}

const binarySizes: readonly (readonly [readonly number[], readonly number[]])[] = [
  [
    [2, 3],
    [2, 3],
  ],
  [[3, 1], [4]],
  [[], [2, 2]],
  [
    [2, 1, 2],
    [1, 3, 1],
  ],
  [
    [0, 2],
    [1, 2],
  ],
];

function binarySubjects(op: OpName, dtype: "float64" | "complex128"): Subject[] {
  const { domain } = records[op]!;
  if (domain === "order") return orderSubjects(op);
  // The second operand only chooses a direction.
  if (op === "nextAfter") return [{ name: op, operands: [of([3])], make: (x) => x[op](constant("float64", 9, [3])) }];
  const [first, second] = binaryRanges[domain as string]!;
  return binarySizes.map(([a, b]) => ({
    name: `${op} ${dtype} [${a}] [${b}]`,
    operands: [spec(a, first, dtype), spec(b, second, dtype)],
    make: (x, z) => x[op](z),
  }));
}

/** The first operand is a whole number. */
const orderSubjects = (op: OpName): Subject[] =>
  [0, 1, 3].map((order) => ({
    name: `${op} of order ${order}`,
    operands: [of([3, 2], [0.6, 2])],
    make: (z: Built) => (constant("float64", order, [3, 1]) as Built)[op](z),
  }));

/** The operations whose gradient is 0 for a dtype: they end the way there. */
export const flat: readonly string[] = ["sign float64"];

/** The subjects of all elementwise operations with a gradient. */
export const elementwiseSubjects: readonly Subject[] = [...opNames("unary"), ...opNames("binary")]
  .filter((op) => records[op] !== undefined && isDifferentiable(op))
  .flatMap((op) =>
    (["float64", "complex128"] as const)
      .filter((dtype) => takes(op, dtype) && !flat.includes(`${op} ${dtype}`))
      .flatMap((dtype) => (records[op]!.class === "unary" ? unarySubjects(op, dtype) : binarySubjects(op, dtype))),
  );
