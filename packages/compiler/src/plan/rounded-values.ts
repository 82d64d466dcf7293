/**
 * rounded-values: finds out which values of a program are exactly representable in their dtype.
 *
 *     load x         float16    rounded: it was stored
 *     mul 0 0        float16    not rounded: inside a program float16 and bfloat16 values are float32
 *     maximum 0 2    float16    rounded if both operands are
 *
 * A cast from float16 or bfloat16 must see the rounded value. The lowering inserts a rounding, which is a cast to the value's own dtype,
 * before such a cast, unless its operand is known to be rounded. Most operands of casts are loads and need no rounding.
 */
import { isCast, isSelection } from "@onebuffer/expression/internal";
import type { DType } from "@onebuffer/base";

/** The fields of a ProgramNode that decide whether its value is rounded. */
export interface ValueOrigin {
  readonly kind: string;
  readonly op: string;
  readonly dtype: DType;
  readonly inputs: readonly number[];
}

/** Operations whose result is one of their operands, its negative or its absolute value. */
const choices: ReadonlySet<string> = new Set(["neg", "abs", "minimum", "maximum", "min", "max"]);

/** Answers for the values of a list that may still grow. */
export class RoundedValues {
  readonly #nodes: readonly ValueOrigin[];
  readonly #isRounded: boolean[] = [];

  constructor(nodes: readonly ValueOrigin[]) {
    this.#nodes = nodes;
  }

  /**
   * Returns true if a value is known to be representable in `dtype`. The stage of a small float is loaded as float32: then the value's
   * dtype differs from `dtype`, its node's dtype in the tree, and it is not rounded.
   */
  has(dtype: DType, value: number): boolean {
    if (dtype !== "float16" && dtype !== "bfloat16") return true;
    while (this.#isRounded.length <= value) this.#isRounded.push(this.#roundsOrChooses(this.#nodes[this.#isRounded.length]!));
    return this.#nodes[value]!.dtype === dtype && this.#isRounded[value]!;
  }

  /** Returns true for loads, constants and casts, and for operations that choose among rounded values. */
  #roundsOrChooses(value: ValueOrigin): boolean {
    const { kind, op, dtype, inputs } = value;
    if (kind === "load" || kind === "parameter" || isCast(value)) return true;
    const chosen = isSelection(value) ? inputs.slice(1) : choices.has(op) ? inputs : [];
    return chosen.length > 0 && chosen.every((input) => this.#nodes[input]!.dtype === dtype && this.#isRounded[input]!);
  }
}
