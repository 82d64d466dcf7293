// Lists of sizes for tests of TensorShape, also of what is no list of sizes.
import { TensorShape } from "@onebuffer/shape";

/** The largest size of a dimension. */
export const kHuge = 2 ** 53 - 1;

/** Returns the sizes of `n` dimensions of size 1. */
export const ones = (n: number): number[] => new Array<number>(n).fill(1);

/** Makes a shape of what the types may forbid. */
export const loose = (dims: unknown): TensorShape => new TensorShape(dims as number[]);
