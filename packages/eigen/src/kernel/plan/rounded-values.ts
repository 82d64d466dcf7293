/**
 * rounded-values: which values of a program have no more digits than their dtype holds.
 *
 *     load x         float16    rounded: it was stored
 *     mul 0 0        float16    not: inside a program float16 and bfloat16 are float32
 *     maximum 0 2    float16    rounded if both operands are
 *
 * A cast from float16 or bfloat16 is of the rounded value. The lowering puts a rounding, which is a cast to the value's own dtype,
 * before a cast whose operand needs one; most operands of casts are loads and need none.
 */
import type { DType } from "@onebuffer/base";

/** What decides of a value of a program: see ProgramNode. */
export interface ValueOrigin {
  readonly kind: string;
  readonly op: string;
  readonly dtype: DType;
  readonly inputs: readonly number[];
}

/** Operations whose result is one of their operands, or its negative. */
const choices: ReadonlySet<string> = new Set(["neg", "abs", "minimum", "maximum", "min", "max"]);

/** What is known of the values of a list that may still grow. */
export class RoundedValues {
  readonly #nodes: readonly ValueOrigin[];
  readonly #isRounded: boolean[] = [];

  constructor(nodes: readonly ValueOrigin[]) {
    this.#nodes = nodes;
  }

  /**
   * Whether a value is known to be one that `dtype` holds. The stage of a small float is loaded as float32: a value of another dtype
   * than its node in the tree has is not rounded.
   */
  has(dtype: DType, value: number): boolean {
    if (dtype !== "float16" && dtype !== "bfloat16") return true;
    while (this.#isRounded.length <= value) this.#isRounded.push(this.#roundsOrChooses(this.#nodes[this.#isRounded.length]!));
    return this.#nodes[value]!.dtype === dtype && this.#isRounded[value]!;
  }

  /** Whether a value is an element that was read, a constant, the result of a cast, or one of several such values. */
  #roundsOrChooses({ kind, op, dtype, inputs }: ValueOrigin): boolean {
    if (kind === "load" || kind === "parameter" || op === "cast") return true;
    const chosen = op === "select" ? inputs.slice(1) : choices.has(op) ? inputs : [];
    return chosen.length > 0 && chosen.every((input) => this.#nodes[input]!.dtype === dtype && this.#isRounded[input]!);
  }
}
