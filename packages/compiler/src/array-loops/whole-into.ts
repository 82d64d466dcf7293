/**
 * whole-into: computes operations that need their operands as a whole, by the kernels and loops of this folder (TensorFlow's own
 * kernels for them are loops, too).
 *
 *     operands    dense maps in the linear memory are read where they are; other operands become stages
 *     target      written in place if it is dense and nothing is read from it; otherwise the result is moved there
 *
 * A gather of few rows reads a table outside the linear memory where it is.
 *
 * Random elements are made by a kernel of their own and by kernels over its words (random-into.ts). Scans, orderings and
 * additions of float16 and bfloat16 run on stages of float32 and are rounded when the result is moved.
 */
import { dtypeSize } from "@onebuffer/base";
import type { DType, TypedArray } from "@onebuffer/base";
import { overlapWith } from "@onebuffer/evaluator/internal";
import {
  attributesOf,
  combinations,
  fieldsOf,
  inputsOf,
  isComplexDType,
  isElementwise,
  isMap,
  movementReads,
  placeOps,
  sizesOf,
} from "@onebuffer/expression/internal";
import type { CombiningOp } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { opTable } from "@onebuffer/expression";
import { copyPlaces, mayOverlap, product, sameSizes } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import {
  countedRows,
  countingScratch,
  countRows,
  hasPhilox,
  rowsKernel,
  rowSorter,
  sortsByNetwork,
  selectPlaces,
  selectRows,
  selectScratch,
  sortScratch,
  suitsCounting,
  suitsSelection,
  takeScratch,
} from "@onebuffer/kernels/internal";
import type { Access, RowOrder } from "@onebuffer/kernels/internal";
import { attributesIf } from "../plan/attributes-if.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import { stageDType } from "../plan/kernel-support.ts";
import { leafOf } from "../plan/tree-parts.ts";
import { customKernel } from "./custom-kernel.ts";
import { denseAddress, denseArray } from "./dense-array.ts";
import { gatherRows } from "./gathered-rows.ts";
import { gatherStep, isCounting, numbersOfRows, rowsOf, scatterKernel, scatterStep } from "./moved-rows.ts";
import { randomInto } from "./random-into.ts";
import { lineScan, multiplyLines, withNeighborAxes } from "./scanned-lines.ts";
import type { WholeStep } from "./whole-step.ts";
import type { WholeWork } from "./whole-work.ts";

/** Returns true if an operation is computed by the loops of this folder. */
export function isWhole(node: ExpressionTree): boolean {
  const { op, dtype } = node;
  const reads = readsOf(node);
  const operand = inputsOf(node)[0];
  switch (opTable[op].class) {
    case "reduction":
      return multiplies(op) && isComplexDType(dtype) && !sizesOf(operand!).includes(0) && attributesOf(node, "prod").axes.length > 0;
    case "scan":
    case "ordering":
    case "random":
    case "custom":
      return true;
    default:
      return reads === "updates" || (reads === "indices" && readsEnough(operand!, product(sizesOf(node))));
  }
}

/** Returns where a movement reads its elements: for a gather in rows that `indices` name, for a scatter from `updates`. */
const readsOf = ({ op }: ExpressionTree): string | undefined => (movementReads as Readonly<Partial<Record<string, string>>>)[op];

/** Returns true for products over axes. */
const multiplies = (op: string): boolean => (combinations as Readonly<Partial<Record<string, CombiningOp>>>)[op] === "mul";

/**
 * How many elements may be computed although the result does not need them. From a larger computed table, the evaluator picks few
 * rows one by one, which takes as long as kernels take for this many times as many elements.
 */
const kSpareElements = 4096;
const kSpareShare = 16;
/** How many operations deep a table is searched for one that the evaluator computes completely. */
const kSearchedDepth = 6;

/** Returns true if an operand is computed as a whole: it is not much larger than the result, or the evaluator computes all of it, too. */
function readsEnough(operand: ExpressionTree, elements: number): boolean {
  if (isMap(operand) && denseArray(leafPlaces(operand), operand.dtype) !== null) return true;
  return product(operand.dimensions) <= kSpareElements + kSpareShare * elements || !isPicked(operand, kSearchedDepth);
}

/** Returns true if the evaluator computes single elements of a node: a leaf, or elementwise operations and movements of such nodes. */
function isPicked(node: ExpressionTree, depth: number): boolean {
  const inputs = inputsOf(node);
  if (inputs.length === 0 || depth === 0) return true;
  return (isElementwise(node) || readsOf(node) !== undefined) && inputs.every((input) => isPicked(input, depth - 1));
}

/**
 * Computes an operation into memory of a dtype. Returns false if the engine refuses the kernel for random elements, a scan or a scatter;
 * the target may then have been written. Throws INVALID_ARGUMENT if an index is outside its axis.
 */
export function wholeInto(places: RawPlaces, dtype: DType, tree: ExpressionTree, work: WholeWork): boolean {
  if (opTable[tree.op].class === "random") {
    if (!hasPhilox()) return false;
    randomInto(places, dtype, tree, work);
    return true;
  }
  const held = movesBits(tree) ? tree.dtype : stageDType(tree.dtype);
  const isHere =
    held === dtype && denseAddress(places) !== null && (overlapWith(places, tree) === "apart" || changesRows(places, dtype, tree));
  if (isHere) return runLoops(tree, places, held, work);
  const scratch = work.scratch(sizesOf(tree), held);
  if (!runLoops(tree, scratch, held, work)) return false;
  const result = leafOf({ dtype: held }, scratch);
  work.compute(
    places,
    dtype,
    held === dtype ? result : { ...fieldsOf(tree), op: "cast", inputs: [result], attributes: { saturate: false }, dtype },
  );
  return true;
}

/** Returns true for a scatter that changes rows of its first operand where that is: in the target. The other rows are not touched. */
export function changesRows(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  const [first, ...others] = inputsOf(tree);
  if (readsOf(tree) !== "updates" || addressHere(first!, dtype) !== places.byteOffset || denseAddress(places) === null) return false;
  return (movesBits(tree) || stageDType(dtype) === dtype) && others.every((node) => !isMap(node) || !mayOverlap(leafPlaces(node), places));
}

/**
 * Returns true if the operation only moves elements of maps. Operands that are computed stay float32 until they are stored if
 * their dtype is smaller.
 */
function movesBits(tree: ExpressionTree): boolean {
  const reads = readsOf(tree);
  const moves = reads === "indices" || (reads === "updates" && attributesOf(tree, "scatter").reduction === "update");
  return moves && inputsOf(tree).every((input, k) => k === 1 || isMap(input));
}

/** Runs an operation's loops into dense elements at `places`. Returns false if the engine refuses the kernel. */
function runLoops(tree: ExpressionTree, places: RawPlaces, held: DType, work: WholeWork): boolean {
  const kind = opTable[tree.op].class;
  if (kind === "movement") return moveRows(tree, places, held, work);
  if (kind === "reduction") return multiplyLines(tree, addressOf(withNeighborAxes(tree), held, work), places.byteOffset);
  const loops = lineLoops(tree, held);
  if (loops === null) return false;
  const from = inputsOf(tree).map((input, k) => {
    const dtype = kind === "custom" ? input.dtype : stageDType(input.dtype);
    const isThere = kind !== "custom" && k === 0 && dtype === held && sameSizes(sizesOf(input), sizesOf(tree));
    if (!isThere || addressHere(input, dtype) !== null) return addressOf(input, dtype, work);
    // What becomes as many elements of its dtype is computed where they go.
    work.compute(places, held, input);
    return places.byteOffset;
  });
  return loops(places.byteOffset, from);
}

/** Loops from dense elements at addresses to others. They return false if the engine refuses a kernel. */
type LineLoops = (to: number, from: readonly number[]) => boolean;

/** Returns the loops of a scan, an ordering or an operation whose record the node carries; null if there are none. */
function lineLoops(tree: ExpressionTree, held: DType): LineLoops | null {
  const kind = opTable[tree.op].class;
  if (kind === "custom") return customKernel(tree);
  if (kind === "ordering") return ordering(tree);
  const scan = lineScan(tree, held);
  return (
    scan &&
    ((to, [from, ...others]) => {
      scan(from!, to, others);
      return true;
    })
  );
}

/** Returns the loops of an ordering of rows. The result may have only the first elements of each row. Returns null as `lineLoops` does. */
function ordering(tree: ExpressionTree): LineLoops | null {
  const first = inputsOf(tree)[0]!;
  const dtype = stageDType(first.dtype);
  const [width, kept] = [sizesOf(first).at(-1)!, sizesOf(tree).at(-1)!];
  const rows = product(sizesOf(tree)) / kept;
  const selected = attributesIf(tree, "nthElements");
  if (selected !== null) return (to, [from]) => selectPlaces(dtype, from!, to, { rows, width }, selected.places);
  const order = { rows, width, kept, descending: attributesOf(tree, "sort").descending };
  const hasPlaces = placeOps.has(tree.op);
  const selects = suitsSelection(order) && !sortsByNetwork(dtype, hasPlaces, order);
  if (!selects && !hasPlaces && suitsCounting(dtype, order)) {
    return (to, [from]) => countedRows(dtype, from!, to, order, takeScratch(countingScratch(dtype, order)));
  }
  const numBytes = Math.max(sortScratch(dtype, width, hasPlaces), selectScratch(order));
  if (selects) return (to, [from]) => selectOrSort(dtype, hasPlaces, from!, to, order, takeScratch(numBytes));
  const sort = rowSorter(dtype, hasPlaces, order);
  return sort && ((to, [from]) => sort(from!, to, rows, takeScratch(numBytes)));
}

/** Selects the first elements of rows, and sorts the rows in which that takes long. Returns false if the engine refuses the kernel. */
function selectOrSort(dtype: DType, hasPlaces: boolean, from: number, to: number, order: RowOrder, scratch: number): boolean {
  const { rows, width, kept } = order;
  const [step, stored] = [width * dtypeSize(dtype), kept * (hasPlaces ? 4 : dtypeSize(dtype))];
  for (let row = 0; row < rows; row++) {
    row += selectRows(dtype, hasPlaces, from + row * step, to + row * stored, { ...order, rows: rows - row }, scratch);
    if (row < rows && !rowSorter(dtype, hasPlaces, order)?.(from + row * step, to + row * stored, 1, scratch)) return false;
  }
  return true;
}

/**
 * Returns true for an operation that `addressStep` may have a step for: a scan, an ordering or a scatter of elements as they are stored, a
 * gather, or one whose record the node carries. Of several operands of float16 one may be a stage of float32: the other one is then widened at each run.
 */
export function hasAddressStep(node: ExpressionTree): boolean {
  const kind = opTable[node.op].class;
  const isLines = kind === "scan" || kind === "ordering" || readsOf(node) === "updates";
  return readsOf(node) === "indices" || kind === "custom" || (isLines && inputsOf(node).every(({ dtype }) => stageDType(dtype) === dtype));
}

/** Returns such an operation as a step that depends only on addresses, if it reads maps and stores where they are; otherwise null. */
export function addressStep(tree: ExpressionTree, dtype: DType, places: readonly RawPlaces[]): WholeStep | null {
  if (!hasAddressStep(tree) || dtype !== tree.dtype || places.some((each) => denseAddress(each) === null)) return null;
  const reads = readsOf(tree);
  if (reads === "updates") return scatterStep(tree, dtype);
  if (reads === "indices") return gatherStep(tree, dtype);
  const loops = lineLoops(tree, dtype);
  return loops && { run: ([to, ...from]) => loops(to!.start, from.map(startOf)) };
}

const startOf = ({ start }: Access): number => start;

/** Runs a gather or scatter. The indices are checked before anything is written. */
function moveRows(tree: ExpressionTree, places: RawPlaces, held: DType, work: WholeWork): boolean {
  const [first, indices, updates] = inputsOf(tree) as readonly [ExpressionTree, ExpressionTree, ExpressionTree];
  const rows = rowsOf(tree, held);
  const { count } = rows;
  const isGather = readsOf(tree) === "indices";
  const kernel = isFar(first, tree) ? null : isGather ? rowsKernel(null, held, rows, false) : scatterKernel(tree, held, rows);
  const numbersOf = kernel === null ? null : numbersOfRows(tree);
  if (kernel === null || numbersOf === null) {
    if (!isGather) return false;
    const [table, list] = [arrayOf(first, held, work), arrayOf(indices, indices.dtype, work)];
    const to = denseArray(places, held);
    if (to !== null) gatherRows(tree, table, list, to);
    else {
      const stage = work.scratch(sizesOf(tree), held);
      gatherRows(tree, table, list, denseArray(stage, held)!);
      copyPlaces(stage, places);
    }
    return true;
  }
  const numbers = numbersOf(addressOf(indices, indices.dtype, work), rows);
  const isThere = addressHere(first, held) === places.byteOffset;
  if (isGather) kernel(places.byteOffset, addressOf(first, held, work), numbers, rows);
  else if (isCounting(tree, held)) {
    if (!isThere) work.compute(places, held, first);
    if (!countRows(numbers, count, rows.size, places.byteOffset)) return false;
  } else {
    const stream = addressOf(updates, held, work);
    if (!isThere) work.compute(places, held, first);
    kernel(stream, places.byteOffset, numbers, rows);
  }
  return true;
}

/** Returns true if a gather reads its operand where it is, outside the linear memory, because it needs only a small part of it. */
function isFar(operand: ExpressionTree, { dimensions }: ExpressionTree): boolean {
  if (!isMap(operand) || product(operand.dimensions) <= kSpareElements + 4 * product(dimensions)) return false;
  return denseAddress(leafPlaces(operand)) === null;
}

/** Returns the address of an operand's elements as a dtype where they are; null if they are not dense in the linear memory. */
function addressHere(operand: ExpressionTree, dtype: DType): number | null {
  return isMap(operand) && operand.dtype === dtype ? denseAddress(leafPlaces(operand)) : null;
}

/** Returns the address of an operand's elements as a dtype: where they are, or on a stage. */
function addressOf(operand: ExpressionTree, dtype: DType, work: WholeWork): number {
  const here = addressHere(operand, dtype);
  if (here !== null) return here;
  const stage = work.scratch(operand.dimensions, dtype);
  work.compute(stage, dtype, operand);
  return stage.byteOffset;
}

/** Returns an operand's elements as an array of a dtype: over the operand's own memory if possible, otherwise over a stage. */
function arrayOf(operand: ExpressionTree, dtype: DType, work: WholeWork): TypedArray {
  const here = isMap(operand) && operand.dtype === dtype ? denseArray(leafPlaces(operand), dtype) : null;
  if (here !== null) return here;
  const stage = work.scratch(operand.dimensions, dtype);
  work.compute(stage, dtype, operand);
  return denseArray(stage, dtype)!;
}
