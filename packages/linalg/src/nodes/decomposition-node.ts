/**
 * decomposition-node: a decomposition of a batch of matrices as one node with a packed result, of which the parts are slices.
 *
 *     qr of [..., m, n]  ->  [..., m k + k n]        Q, and R behind it
 *
 * So it is computed once, however many parts are read. Kernels and the reference run the same algorithms (decompose/), on the arithmetic of
 * kernels in the linear memory or on plain loops.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { kernelOfPart } from "@onebuffer/eigen/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { isComplexDType, makeCustomCall, partAlong, reshaped, shownCall, sizesOf } from "@onebuffer/expression/internal";
import type { CustomCall, CustomKernel, CustomRecord, CustomValue, GradientValue } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import { linalgPart } from "../batch/loaded-kernels.ts";
import type { Arithmetic } from "../dense/arithmetic.ts";
import { PlainArithmetic } from "../dense/plain-arithmetic.ts";
import type { Steps } from "../dense/steps.ts";
import { finished } from "../dense/steps.ts";
import type { DenseMatrix, Numbers, Part } from "../decompose/packed-matrices.ts";
import { numbersAt, storeParts } from "../decompose/packed-matrices.ts";
import { matrixDTypes, matrixSizes } from "../batch/matrix-sizes.ts";
import { shownMatrix } from "../batch/shown-matrix.ts";

/** The sizes of a part of the result of one matrix. */
export type PartSizes = readonly number[];

/** A decomposition. `A` is the type of its attributes. */
export interface Decomposition<A extends object> extends Pick<CustomRecord<A>, "name" | "tensorflow" | "numpy" | "gradient" | "stableHLO"> {
  /** Returns the dtype of the result. */
  readonly resultDType: (dtype: DType) => DType;
  /** Returns the sizes of the parts, for matrices of some sizes. */
  readonly parts: (rows: number, columns: number, attributes: A) => readonly PartSizes[];
  /** The number of operations for one matrix of real numbers. */
  readonly flops: (rows: number, columns: number, attributes: A) => number;
  /** Decomposes one matrix, in steps. Memory that it takes is released afterwards. Throws INVALID_ARGUMENT; `at` describes the matrix in messages. */
  readonly run: (by: Arithmetic, matrix: DenseMatrix, attributes: A, at: string) => Steps<readonly Part[]>;
}

/** The record of an operation that is computed in steps, too. */
export interface StepwiseRecord<A extends object = object> extends CustomRecord<A> {
  /** Computes the elements of the result, which are written at the end, from those of the operand. */
  steps(by: Arithmetic, call: CustomCall<A>, from: Numbers, to: Numbers): Steps<void>;
}

/** Returns true for records of decompositions. */
export const isStepwise = (record: CustomRecord): record is StepwiseRecord => "steps" in record;

/** Returns the record of a decomposition. */
export function decompositionRecord<A extends object>(made: Decomposition<A>): StepwiseRecord<A> {
  const { name, tensorflow, numpy, gradient, stableHLO } = made;
  return {
    name,
    dtypes: matrixDTypes,
    tensorflow,
    numpy,
    infer([matrix], attributes) {
      const { batch, rows, columns } = matrixSizes(sizesOf(matrix!));
      return { dtype: made.resultDType(matrix!.dtype), dimensions: [...batch, lengthOf(made.parts(rows, columns, attributes))] };
    },
    flops({ inputs: [input], attributes }) {
      const { count, rows, columns } = matrixSizes(input!.dimensions);
      return count * made.flops(rows, columns, attributes) * (isComplexDType(input!.dtype) ? 4 : 1);
    },
    evaluate(call, [read], write) {
      const [from, to] = [numbersOf(read!, call.inputs[0]!), new Float64Array(product(call.dimensions) * numbersPer(call.dtype))];
      finished(decomposeBatch(new PlainArithmetic(), made, call, from, to));
      const isComplex = isComplexDType(call.dtype);
      for (let i = 0; i < product(call.dimensions); i++) write(i, isComplex ? [to[2 * i]!, to[2 * i + 1]!] : to[i]!);
    },
    kernel: (call) => kernelOfPart(linalgPart, ({ arithmetic }) => kernelBy(arithmetic(), made, call)),
    steps: (by, call, from, to) => decomposeBatch(by, made, call, from, to),
    gradient,
    stableHLO,
  };
}

/** Returns the parts of a decomposition's node for matrices. Throws INVALID_ARGUMENT, with the function that was called, for too many elements. */
export function partsOf<A extends object>(
  call: string,
  made: Decomposition<A>,
  record: CustomRecord<A>,
  matrix: ExpressionTree,
  attributes: A,
): GradientValue[] {
  const { batch, rows, columns } = matrixSizes(sizesOf(matrix));
  const parts = made.parts(rows, columns, attributes);
  checkCount(call, matrix, parts);
  const packed = makeCustomCall(record, [matrix], attributes) as ExpressionTree as GradientValue;
  return slicesOf(packed, batch, parts);
}

/** Throws INVALID_ARGUMENT if the packed parts of all matrices have more elements than a number counts. */
function checkCount(call: string, matrix: ExpressionTree, parts: readonly PartSizes[]): void {
  const { batch, count } = matrixSizes(sizesOf(matrix));
  if (count * lengthOf(parts) <= Number.MAX_SAFE_INTEGER) return;
  const shown = parts.map((sizes) => `[${[...batch, ...sizes].join(", ")}]`);
  const list = `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
  throw new InvalidArgumentError(`${shownCall(call, [matrix])}: the result, of parts ${list}, has more than 2^53 - 1 elements`);
}

/** Returns the parts of a packed result as slices of it. */
export function slicesOf(packed: GradientValue, batch: readonly number[], parts: readonly PartSizes[]): GradientValue[] {
  let begin = 0;
  return parts.map((sizes) => {
    const end = begin + product(sizes);
    const part = partAlong(packed, batch.length, begin, end);
    begin = end;
    return reshaped(part, [...batch, ...sizes]);
  });
}

const lengthOf = (parts: readonly PartSizes[]): number => parts.reduce((sum, sizes) => sum + product(sizes), 0);

const numbersPer = (dtype: DType): number => (isComplexDType(dtype) ? 2 : 1);

/** Returns an operand's elements as numbers, two for each complex one. */
function numbersOf(read: (index: number) => CustomValue, { dtype, dimensions }: CustomCall["inputs"][number]): Float64Array {
  const count = product(dimensions);
  if (!isComplexDType(dtype)) return Float64Array.from({ length: count }, (_, i) => read(i) as number);
  const numbers = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) numbers.set(read(i) as readonly [number, number], 2 * i);
  return numbers;
}

/** Returns the kernel by an arithmetic; null if the engine refuses that. */
function kernelBy<A extends object>(arithmetic: Arithmetic | null, made: Decomposition<A>, call: CustomCall<A>): CustomKernel | null {
  if (arithmetic === null) return null;
  const input = call.inputs[0]!;
  return (target, [from]) => {
    const [read, write] = [numbersAt(input.dtype, from!, input.dimensions), numbersAt(call.dtype, target, call.dimensions)];
    finished(decomposeBatch(arithmetic, made, call, read, write));
    return true;
  };
}

/** Decomposes each matrix, in steps. The target of several is written when all are decomposed, because one may end in an error. */
function* decomposeBatch<A extends object>(
  by: Arithmetic,
  made: Decomposition<A>,
  call: CustomCall<A>,
  from: Numbers,
  target: Numbers,
): Steps<void> {
  const { dtype, inputs, attributes } = call;
  const input = inputs[0]!;
  const { batch, count, rows, columns } = matrixSizes(input.dimensions);
  const isComplex = isComplexDType(input.dtype);
  const results = count > 1 ? target.slice() : target;
  const length = rows * columns * numbersPer(input.dtype);
  let to = 0;
  for (let m = 0; m < count; m++) {
    const mark = by.mark();
    try {
      const matrix = { numbers: from, first: m * length, rows, columns, isComplex };
      const parts = yield* made.run(by, matrix, attributes, shownMatrix(batch, m));
      to = storeParts(by, parts, results, to, isComplexDType(dtype));
    } finally {
      by.release(mark);
    }
  }
  if (results !== target) target.set(results);
}
