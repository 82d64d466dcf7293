// What is compared with differences: functions of operands of given sizes, and how the operands lie in memory.
import type { DType } from "@onebuffer/base";
import { tensorMap } from "@onebuffer/eigen";
import type { ExpressionTree, OpName } from "@onebuffer/eigen";
import { hasGradient } from "@onebuffer/expression/internal";
import { checkGradients } from "@onebuffer/gradients";
import type { CheckGradientsOptions } from "@onebuffer/gradients";
import { Dice } from "@onebuffer/eigen/test/kernel/kernel-subjects";
import { product } from "@onebuffer/eigen/test/row-major";

/** A map, a view or an expression. Untyped, because static types cannot follow what is known only at run time. */
export type Built = ReturnType<typeof JSON.parse>;

/**
 * An operand: its sizes, and the range of its elements. Without a range they are from -1.4 to 1.4, and at least 0.1 from multiples of 1/2,
 * where some operations have kinks.
 */
export interface OperandSpec {
  readonly dims: readonly number[];
  readonly range?: readonly [low: number, high: number];
  readonly dtype?: "float64" | "complex128";
}

/** A function of operands whose gradients are compared with differences. */
export interface Subject {
  readonly name: string;
  readonly operands: readonly OperandSpec[];
  readonly make: (...operands: Built[]) => Built;
  readonly options?: CheckGradientsOptions;
}

/** Returns true if an operation has a gradient. */
export const isDifferentiable = (op: OpName): boolean => hasGradient({ op } as ExpressionTree);

/** Returns an operand of these sizes. */
export const of = (dims: readonly number[], range?: readonly [number, number]): OperandSpec => ({ dims, ...(range && { range }) });

/** How an operand lies in memory: the sizes of the whole memory, and the view of a map of it. */
interface Layout {
  readonly name: string;
  readonly whole: (dims: readonly number[]) => readonly number[];
  readonly view: (whole: Built, dims: readonly number[]) => Built;
}

const reversedOrder = (dims: readonly number[]): number[] => dims.map((_, d) => dims.length - 1 - d);

/** The layouts. */
export const layouts: readonly Layout[] = [
  { name: "dense", whole: (dims) => dims, view: (whole) => whole },
  {
    name: "every other",
    whole: (dims) => dims.map((size) => 2 * size + 1),
    view: (whole, dims) => (dims.length === 0 ? whole : whole.strided(dims.map(() => "1::2").join(", "))),
  },
  {
    name: "backwards",
    whole: (dims) => dims,
    view: (whole, dims) => (dims.length === 0 ? whole : whole.strided(dims.map(() => "::-1").join(", "))),
  },
  { name: "transposed", whole: (dims) => dims.toReversed(), view: (whole, dims) => whole.strided().transpose(reversedOrder(dims)) },
  { name: "column", whole: (dims) => [...dims, 3], view: (whole, dims) => whole.strided().chip(1, dims.length) },
  {
    name: "every other, backwards",
    whole: (dims) => dims.map((size) => 2 * size),
    view: (whole, dims) => (dims.length === 0 ? whole : whole.strided(dims.map(() => "::-2").join(", "))),
  },
];

function element(dice: Dice, range: OperandSpec["range"]): number {
  if (range !== undefined) return range[0] + dice.unit() * (range[1] - range[0]);
  return (dice.below(6) - 3) / 2 + 0.1 + 0.3 * dice.unit();
}

/** An operand in memory: the map of all its memory, and the view that the function gets. */
export interface Laid {
  readonly whole: Built;
  readonly view: Built;
}

/** Returns operands of a subject in a layout. */
export function laid(operands: readonly OperandSpec[], layout: Layout, seed: number): readonly Laid[] {
  const dice = new Dice(seed);
  return operands.map(({ dims, range, dtype = "float64" }) => {
    const sizes = layout.whole(dims);
    const slots = product(sizes) * (dtype === "complex128" ? 2 : 1);
    const array = Float64Array.from({ length: slots }, () => element(dice, range));
    const whole: Built = tensorMap(dtype as DType as "float64", array, sizes);
    return { whole, view: layout.view(whole, dims) };
  });
}

/** Compares the gradients of a subject with differences: for the views, and for the whole memory that they are parts of. */
export function checkSubject({ name, operands, make, options }: Subject, layout: Layout, seed: number): void {
  const each = laid(operands, layout, seed);
  const views = each.map(({ view }) => view);
  const wholes = each.map(({ whole }) => whole);
  const y = make(...views);
  // A view without elements reads nothing of its memory, which is no variable then.
  const isEmpty = operands.some(({ dims }) => dims.includes(0));
  const used = isEmpty ? { ...options, unconnected: "zero" as const } : options;
  try {
    for (const xs of layout.name === "dense" || isEmpty ? [views] : [views, wholes]) checkGradients(y, xs, used);
  } catch (error) {
    throw new Error(`${name}, ${layout.name}: ${(error as Error).message}`, { cause: error });
  }
}
