/** The expressions that the panel "Threads" runs on a pool. */
import { Tensor } from "onebuffer";
import type { OperandLike } from "onebuffer";

/** The names of the expressions, as they are in the address. */
export const kWorkNames = ["exp", "product", "rows", "sum", "transpose", "running"] as const;
export type WorkName = (typeof kWorkNames)[number];

/** An expression that can be run. */
export interface Work {
  /** What a visitor chooses. */
  readonly title: string;
  /** The expression as a program has it. */
  readonly code: string;
  /** How the work can be divided. */
  readonly note: string;
  /** The sizes of each operand, and of the result. */
  readonly operands: readonly (readonly number[])[];
  readonly result: readonly number[];
  /** Returns the expression over operands of these sizes. */
  make(...tensors: readonly Tensor<"float32">[]): OperandLike<"float32", number>;
}

const square = (size: number): readonly number[] => [size, size];

/** All expressions. The elements are float32. */
export const kWorks: Readonly<Record<WorkName, Work>> = {
  exp: {
    title: "exp(a * b + c), 1000 × 1000",
    code: "a.mul(b).add(c).exp()",
    note: "One kernel with one loop over all elements. Any thread can compute any of them.",
    operands: [square(1000), square(1000), square(1000)],
    result: square(1000),
    make: (a, b, c) => a!.matrix().mul(b!.matrix()).add(c!.matrix()).exp(),
  },
  product: {
    title: "a product of matrices, 512 × 512",
    code: "a.matMul(b)",
    note: "Rows and columns of the result are divided, the sum behind each element never: so its bits stay the same.",
    operands: [square(512), square(512)],
    result: square(512),
    make: (a, b) => a!.matrix().matMul(b!.matrix()),
  },
  rows: {
    title: "sums of rows, 2048 × 2048",
    code: "a.sum([1])",
    note: "Each row is summed by one thread.",
    operands: [square(2048)],
    result: [2048],
    make: (a) => a!.matrix().sum([1]),
  },
  sum: {
    title: "one sum of 2048 × 2048",
    code: "a.sum()",
    note: "Sums of 64 blocks, whatever the number of threads, and then the sum of the 64 in this page.",
    operands: [square(2048)],
    result: [],
    make: (a) => a!.matrix().sum(),
  },
  transpose: {
    title: "a transpose, 1024 × 1024",
    code: "a.transpose()",
    note: "Rows of the result are divided. The work is moving memory, so threads gain less.",
    operands: [square(1024)],
    result: square(1024),
    make: (a) => a!.matrix().transpose(),
  },
  running: {
    title: "running sums, which are not divided",
    code: "a.cumsum(1)",
    note: "The library computes running sums on the calling thread.",
    operands: [square(1000)],
    result: square(1000),
    make: (a) => a!.matrix().cumsum(1),
  },
};

/** Returns the operands of a work: the same random elements each time. */
export const operandsOf = ({ operands }: Work): Tensor<"float32">[] =>
  operands.map((sizes, i) => Tensor.random(sizes, { seed: i + 1, low: -1, high: 1 }) as Tensor<"float32">);
