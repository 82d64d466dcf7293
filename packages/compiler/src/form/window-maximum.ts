/**
 * window-maximum: the largest float of a window in two instructions per element, where the exact fold takes four (folds.ts).
 *
 *     largest = pmax(largest, x)     ignores x if it is NaN, and keeps the first of zeros with different signs
 *     sum = sum + x                  is NaN if an x is, and if infinities of both signs are
 *
 * The largest is right unless the sum is NaN or it is -0, which a later +0 should have replaced: then the exact fold combines the elements.
 */
import type { CodeWriter, Vector, VectorKind, VectorVariable } from "@onebuffer/wasm/internal";
import { spread } from "@onebuffer/kernels/internal";
import type { Lanes } from "@onebuffer/kernels/internal";
import type { Accumulators } from "./accumulators.ts";
import type { ReducerContext } from "./accumulators.ts";

/** So many sums are added to in turn: one per copy takes registers that the largest elements need, and one for all waits for itself. */
const kSums = 3;

/** The accumulators of the largest elements. */
export class WindowMaximum {
  readonly #context: ReducerContext;
  readonly #largest: Accumulators;
  readonly #sums: readonly VectorVariable[];
  readonly #suspects: VectorVariable;

  /** The largest elements are in `window`, whose kind is that of the elements. */
  constructor(context: ReducerContext, window: Accumulators) {
    const { builder, copies } = context;
    this.#context = context;
    this.#largest = window;
    this.#sums = window.variables.map(() => inTurn(builder.variable(window.kind, Math.min(kSums, copies), "sum"), copies));
    this.#suspects = builder.variable("i32x4", copies, "suspects");
  }

  /** Sets the first values. Valid in an `emit` of all copies. */
  reset(): void {
    const { builder } = this.#context;
    this.#largest.set(() => builder.constant(this.#largest.kind, -Infinity));
    for (const sum of this.#sums) builder.assign(sum, builder.constant(sum.kind, 0));
  }

  /** Combines a group of elements. Valid in an `emit` of all copies. */
  add(value: Lanes): void {
    const { builder, elements } = this.#context;
    const vectors = spread(value, elements);
    this.#largest.set((i) => this.#largest.read(i).pmax(vectors[i]!));
    this.#sums.forEach((sum, i) => builder.assign(sum, builder.read(sum).add(vectors[i]!)));
  }

  /** Notes the lanes that may be wrong. Valid in an `emit` of all copies. */
  noteSuspects(): void {
    const { builder } = this.#context;
    const masks = this.#sums.flatMap((sum, i) => {
      const total = builder.read(sum);
      return [total.ne(total).as("i32x4"), isNegativeZero(this.#largest.read(i)).as("i32x4")];
    });
    builder.assign(
      this.#suspects,
      masks.reduce((all, mask) => all.or(mask)),
    );
  }

  /** Pushes 0 if no lane that was noted may be wrong, otherwise another number. */
  pushIsSuspect(code: CodeWriter): void {
    const [first, ...others] = this.#suspects.locals;
    code.get(first!);
    for (const local of others) code.get(local).op("v128.or");
    code.op("v128.any_true");
  }
}

/** Returns a variable whose copies use its locals in turn. */
function inTurn({ kind, locals }: VectorVariable, copies: number): VectorVariable {
  return { kind, locals: Array.from({ length: copies }, (_, copy) => locals[copy % locals.length]!) };
}

/** The bits of -0 by the kind of the float. */
const negativeZero: Readonly<Partial<Record<VectorKind, readonly [kind: VectorKind, bits: number | bigint]>>> = {
  f32x4: ["i32x4", -(2 ** 31)],
  f64x2: ["i64x2", -(2n ** 63n)],
};

function isNegativeZero(value: Vector): Vector {
  const [kind, bits] = negativeZero[value.kind]!;
  return value.as(kind).eq(bits);
}
