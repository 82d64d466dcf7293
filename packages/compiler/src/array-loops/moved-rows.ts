/**
 * moved-rows: gather and scatter of dense rows by their kernel (kernels/arrays/rows-kernel.ts), as steps that depend only on addresses.
 *
 *     scatter(table, indices, updates)     the table is copied to the target, unless it is there; then its rows are changed by the updates
 *     scatter(table, indices, 1)           of numbers of 32 bits, added: indices are counted, and no updates are read
 */
import { dtypeSize, InternalError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { attributesOf, inputsOf, isComplexDType, isConstant, partDType, sizesOf } from "@onebuffer/expression/internal";
import { countRows, rowNumbers, rowsKernel, scatterCombinations } from "@onebuffer/kernels/internal";
import type { Rows } from "@onebuffer/kernels/internal";
import { product } from "@onebuffer/storage/internal";
import { linearMemory } from "@onebuffer/wasm";
import { attributesIf } from "../plan/attributes-if.ts";
import type { WholeStep } from "./whole-step.ts";

/** Returns how a gather or scatter divides its first operand, whose elements have a dtype. */
export function rowsOf(tree: ExpressionTree, held: DType): Rows {
  const { axis } = tree.attributes as { readonly axis: number };
  const [first, indices] = inputsOf(tree) as readonly [ExpressionTree, ExpressionTree];
  const sizes = sizesOf(first);
  return {
    outer: product(sizes.slice(0, axis)),
    size: sizes[axis] as number,
    run: product(sizes.slice(axis + 1)) * dtypeSize(held),
    count: product(sizesOf(indices)),
  };
}

/** Returns true for a scatter that adds 1 to numbers of 32 bits. It does not read its updates. */
export function isCounting(tree: ExpressionTree, held: DType): boolean {
  const scatter = attributesIf(tree, "scatter");
  if (scatter?.reduction !== "add" || (held !== "int32" && held !== "uint32")) return false;
  const [first, , updates] = inputsOf(tree) as readonly [ExpressionTree, ExpressionTree, ExpressionTree];
  const isOne = isConstant(updates) && attributesOf(updates, "constant").value === 1;
  return isOne && sizesOf(first).length === 1;
}

/** Returns the function that checks the indices of a gather or scatter; null if the engine refuses its kernel. */
export function numbersOfRows(tree: ExpressionTree): ReturnType<typeof rowNumbers> {
  const { op } = tree as { readonly op: "gather" | "scatter" };
  return rowNumbers(op, inputsOf(tree)[1]!.dtype, attributesIf(tree, "scatter")?.skips ?? "none");
}

/** Returns the kernel of a scatter; null if the engine refuses it, and for products of complex numbers, which have none. */
export function scatterKernel(tree: ExpressionTree, held: DType, rows: Rows): ReturnType<typeof rowsKernel> {
  const { reduction, skips } = attributesOf(tree, "scatter");
  const isProduct = reduction !== null && scatterCombinations[reduction] === "mul";
  return isProduct && isComplexDType(held) ? null : rowsKernel(reduction, partDType(held), rows, skips !== "none");
}

/** Returns a gather of maps as a step; null if the engine refuses a kernel. */
export function gatherStep(tree: ExpressionTree, dtype: DType): WholeStep | null {
  const rows = rowsOf(tree, dtype);
  const kernel = rowsKernel(null, dtype, rows, false);
  const numbersOf = numbersOfRows(tree);
  if (kernel === null || numbersOf === null) return null;
  return {
    run([to, table, indices]) {
      kernel(to!.start, table!.start, numbersOf(indices!.start, rows), rows);
      return true;
    },
  };
}

/** Returns a scatter of maps as a step; null if the engine refuses a kernel. The indices are checked before anything is written. */
export function scatterStep(tree: ExpressionTree, dtype: DType): WholeStep | null {
  const rows = rowsOf(tree, dtype);
  const kernel = scatterKernel(tree, dtype, rows);
  const numbersOf = numbersOfRows(tree);
  if (kernel === null || numbersOf === null) return null;
  const bytes = rows.outer * rows.size * rows.run;
  return {
    isSure: true,
    // Of a scatter that counted when the plan was made, the constant is a parameter: another expression of this plan may add another one.
    run([to, table, indices, updates], [added]) {
      const numbers = numbersOf(indices!.start, rows);
      const [start, from] = [to!.start, table!.start];
      if (from !== start) new Uint8Array(linearMemory().buffer).copyWithin(start, from, from + bytes);
      if (added === undefined) kernel(updates!.start, start, numbers, rows);
      else if (added.value !== 1) addCounts(numbers, rows, start, added.value as number);
      else if (!countRows(numbers, rows.count, rows.size, start))
        throw new InternalError("the kernel of counts that ran before is refused");
      return true;
    },
  };
}

/** Adds a number to 32-bit counters at any address for each row number. Numbers of skipped indices are beyond the counters. */
function addCounts(numbers: number, { size, count }: Rows, counters: number, added: number): void {
  const memory = new DataView(linearMemory().buffer);
  for (let i = 0; i < count; i++) {
    const number = memory.getUint32(numbers + 4 * i, true);
    if (number >= size) continue;
    const at = counters + 4 * number;
    memory.setInt32(at, memory.getInt32(at, true) + added, true);
  }
}
