/**
 * packed-matrices: matrices of the dense rows that operands and results have, as matrices by columns of float64, and back.
 *
 *     complex64 [2, 2]    re im re im | re im re im        ->    a plane of real parts and one of imaginary parts, each column by column
 *
 * float32 is computed in float64 and rounded once, when it is stored.
 */
import type { DType } from "@onebuffer/base";
import { isComplexDType } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import { linearMemory } from "@onebuffer/wasm";
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { planesOf, takeMatrix } from "../dense/matrix.ts";

/** The numbers of operands and results. */
export type Numbers = Float32Array<ArrayBufferLike> | Float64Array<ArrayBufferLike>;

/** Returns the numbers of dense elements at an address of the linear memory. */
export function numbersAt(dtype: DType, address: number, dimensions: readonly number[]): Numbers {
  const length = product(dimensions) * (isComplexDType(dtype) ? 2 : 1);
  const { buffer } = linearMemory();
  return dtype === "float64" || dtype === "complex128"
    ? new Float64Array(buffer, address, length)
    : new Float32Array(buffer, address, length);
}

/** One matrix of an operand: rows of numbers from `first` on, two numbers per element if it is complex. */
export interface DenseMatrix {
  readonly numbers: Numbers;
  readonly first: number;
  readonly rows: number;
  readonly columns: number;
  readonly isComplex: boolean;
}

/** A part of a result: a matrix, or a list of real numbers. */
export type Part = { readonly matrix: Matrix; readonly rows: number; readonly columns: number } | { readonly values: Float64Array };

/** Returns the place of numbers of float64 that are in the memory of an arithmetic; null for others. */
function placeOf({ memory }: Arithmetic, numbers: Numbers): number | null {
  return numbers.buffer === memory.buffer && numbers.BYTES_PER_ELEMENT === 8 ? numbers.byteOffset / 8 : null;
}

/** So many rows are moved at a time: lines of a cache of each column are then read and written once. */
const kTile = 8;

/** Returns a matrix times a factor, or its conjugate transpose, in memory that is taken. */
export function loadMatrix(
  by: Arithmetic,
  { numbers, first, rows, columns, isComplex }: DenseMatrix,
  adjoint: boolean,
  factor: number,
): Matrix {
  const made = adjoint ? takeMatrix(by, columns, rows, isComplex) : takeMatrix(by, rows, columns, isComplex);
  const [rowStep, columnStep] = adjoint ? [made.ld, 1] : [1, made.ld];
  const at = placeOf(by, numbers);
  if (at !== null && !isComplex && !adjoint && factor === 1) {
    by.toRows(columns, rows, at + first, columns, made.at, made.ld);
    return made;
  }
  const step = isComplex ? 2 : 1;
  const { memory } = by;
  planesOf(made).forEach((plane, p) => {
    const sign = p === 1 && adjoint ? -factor : factor;
    for (let begin = 0; begin < rows; begin += kTile) {
      const end = Math.min(begin + kTile, rows);
      for (let j = 0; j < columns; j++) {
        let at = first + (begin * columns + j) * step + p;
        let to = plane + begin * rowStep + j * columnStep;
        for (let i = begin; i < end; i++, at += columns * step, to += rowStep) memory[to] = numbers[at]! * sign;
      }
    }
  });
  return made;
}

/** Returns the largest magnitude of a part of an element, of the whole matrix or of its lower triangle; NaN if one is NaN. */
export function largestMagnitude({ numbers, first, rows, columns, isComplex }: DenseMatrix, isLower: boolean): number {
  const step = isComplex ? 2 : 1;
  let most = 0;
  for (let i = 0; i < rows; i++) {
    const start = first + i * columns * step;
    const end = start + (isLower ? i + 1 : columns) * step;
    for (let at = start; at < end; at++) {
      const size = Math.abs(numbers[at]!);
      if (!(size <= most)) most = size;
      if (size !== size) return NaN;
    }
  }
  return most;
}

/** Returns a power of two near the inverse of a magnitude, by which elements become moderate without rounding; 1 for 0 and for what is not finite. */
export function scaleFor(magnitude: number): number {
  if (magnitude === 0 || !Number.isFinite(magnitude)) return 1;
  return 2 ** -Math.max(-1000, Math.min(1000, Math.floor(Math.log2(magnitude))));
}

/** Writes parts one behind the other from `first` on, and returns the number behind the last. */
export function storeParts(by: Arithmetic, parts: readonly Part[], numbers: Numbers, first: number, isComplex: boolean): number {
  const { memory } = by;
  const step = isComplex ? 2 : 1;
  const place = isComplex ? null : placeOf(by, numbers);
  let at = first;
  for (const part of parts) {
    if ("values" in part) {
      for (const value of part.values) {
        numbers[at] = value;
        if (isComplex) numbers[at + 1] = 0;
        at += step;
      }
      continue;
    }
    const { matrix, rows, columns } = part;
    if (place !== null) {
      by.toRows(rows, columns, matrix.at, matrix.ld, place + at, columns);
      at += rows * columns;
      continue;
    }
    for (let begin = 0; begin < rows; begin += kTile) {
      const end = Math.min(begin + kTile, rows);
      for (let j = 0; j < columns; j++) {
        let to = at + (begin * columns + j) * step;
        for (let i = begin, from = matrix.at + begin + j * matrix.ld; i < end; i++, to += columns * step, from++) {
          numbers[to] = memory[from]!;
          if (isComplex) numbers[to + 1] = matrix.plane === 0 ? 0 : memory[from + matrix.plane]!;
        }
      }
    }
    at += rows * columns * step;
  }
  return at;
}
