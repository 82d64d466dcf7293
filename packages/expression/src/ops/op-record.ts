/**
 * op-record: the facts about an elementwise operation, from which everything else is derived (in TensorFlow: REGISTER_OP, its kernels'
 * registrations, its api_def and its tests together).
 *
 * A family is a file of close operations. It exports their records, which only the generator of derived files, tests and tools read, and
 * their references, which only the evaluator runs, and their gradients. Operations that are computed in a few steps of others have formulas,
 * too. Users' bundles hold what they use of these, and what is generated, and none of the records.
 */
import type { Complex, DType } from "@onebuffer/base";
import type { ElementValue } from "../formulas/element-value.ts";
import type { FormulaValue } from "../formulas/formula-value.ts";
import type { BinaryGradient, UnaryGradient } from "../tree/gradient-rule.ts";

/** The dtypes that an operation accepts, in the words of docs/expressions.md. */
export type DTypeWords =
  | "numbers"
  | "reals"
  | "floats"
  | "float32, float64"
  | "floats, complex"
  | "integers"
  | "complex"
  | "bool"
  | "numbers, bool";

/**
 * The cost of an operation on floats. `light`: an instruction or a few. `slow`: an instruction that takes several cycles, such as a division.
 * `function`: a polynomial of many terms. `short function`: a single polynomial with few values alive at a time.
 */
export type Cost = "light" | "slow" | "function" | "short function";

/**
 * The arguments for which an operation of one operand is compared with other libraries: all floats, or those of a range. Outside the
 * range results are infinite, 0 or NaN everywhere.
 */
export type UnaryDomain = "all" | { readonly low: number; readonly high: number };

/**
 * The second operands for which an operation of two operands is compared. `all`: any; `moderate`: no huge floats; `divisor`: no integer 0;
 * `exponent`: no huge floats, integers from 0 to 8; `count`: a shift's, also outside the number of bits;
 * `order`: no huge floats, after whole numbers from 0 to 8.
 */
export type BinaryDomain = "all" | "moderate" | "divisor" | "exponent" | "count" | "order";

/**
 * How tests bound the result of inexact float operands: not at all (`unknown`), by the results at the ends of their intervals (`monotonic`),
 * also unless the last operand may be 0 (`divisor`, `pole`), the base of a power may be (`power`), the operands may be equal (`equality`) or
 * one may be infinite (`classes`); by the slope, which is at most 1 (`slope`; `wave`: in a range of 2), or by that of a square, of the square
 * of a difference, of a hyperbolic cosine or of a tangent.
 */
export type InexactRule =
  | "monotonic"
  | "unknown"
  | "divisor"
  | "pole"
  | "power"
  | "equality"
  | "classes"
  | "slope"
  | "wave"
  | "square"
  | "difference"
  | "cosh"
  | "tan";

/** The facts about one operation. */
export interface OpRecord<C extends "unary" | "binary", W extends DTypeWords> {
  /** The number of operands. */
  readonly class: C;
  /** The dtypes of the first operand. A second operand has the same dtype. */
  readonly dtypes: W;
  /** The dtype of the result: the operands', bool, uint8, or the operands' or its real part's. */
  readonly result: "same" | "bool" | "uint8" | "real";
  readonly cost: Cost;
  /** True if some integers are invalid operands, for which the evaluator throws. */
  readonly raises: boolean;
  /** The doc comment of the method. */
  readonly comment: string;
  /**
   * Exact, rounded once, or the largest error in units in the last place: of float32, of float64. A third number is the least size whose
   * unit counts: results between their zeros and that size are within so many units of it.
   */
  readonly accuracy: "exact" | "rounded" | readonly [float32: number, float64: number, least?: number];
  /** The last cell of its row in docs/expressions.md. */
  readonly edgeCases: string;
  /** True if kernels and evaluator give the same bits for complex numbers. */
  readonly exactOnComplex: boolean;
  readonly inexact: InexactRule;
  readonly domain: C extends "unary" ? UnaryDomain : BinaryDomain;
  /** Its name below `tf`; null if TensorFlow has none. */
  readonly tensorflow: string | null;
  /**
   * Python functions of NumPy, in the names of tools/interop/numpy_exact.py and numpy_wide.py. `exact` has the same bits as ours; `wide`
   * computes in extended precision, of operands in it. Null if there is none.
   */
  readonly numpy: { readonly exact: string | null; readonly wide: string | null };
  /** The units within which interop finds float32, if they are fewer than `accuracy` states. */
  readonly units: number | null;
  /**
   * The units of XLA's function on processors: of float32, of float64; null if its bits are determined. A third number is the units of the
   * modulus for complex numbers, if they are more than 4.
   */
  readonly xla: readonly [number, number, number?] | null;
}

/** The operations of a family: class and dtypes of each. */
type Family = Readonly<Record<string, readonly ["unary" | "binary", DTypeWords]>>;

/** The records of a family. `X`: facts that only operations of this family have. */
export type OpRecords<F extends Family, X = unknown> = { readonly [K in keyof F]: OpRecord<F[K][0], F[K][1]> & X };

/** The fact of operations that return one of two numbers by their order. */
export interface ExtremeFacts {
  readonly extreme: "largest" | "smallest";
}

/** The fact of operations on complex numbers: the number of the part that they return, null for both. */
export interface PartFacts {
  readonly part: 0 | 1 | null;
}

/**
 * The fact of operations that divide numbers: how the quotient of integers, and for `down` that of floats too, is rounded, and whether the
 * result is the quotient or the remainder. Null for other functions in which a division occurs.
 */
export interface DivisionFacts {
  readonly division: { readonly rounds: "to zero" | "down"; readonly gives: "quotient" | "remainder" } | null;
}

/** The record of any operation. */
export type AnyOpRecord = (OpRecord<"unary", DTypeWords> | OpRecord<"binary", DTypeWords>) &
  Partial<ExtremeFacts & PartFacts & DivisionFacts>;

/** The dtype for which a reference computes, and the dtype's arithmetic. */
export interface ScalarContext {
  readonly dtype: DType;
  /** The size of an element. */
  readonly bits: number;
  /** Rounds a float, or wraps an integer of up to 32 bits, to the dtype. */
  round(x: number): number;
  /** Wraps an integer of 64 bits. */
  wrap(x: bigint): bigint;
  /** Throws INVALID_ARGUMENT. */
  refuse(message: string): never;
}

/** An operation on values of one kind. Its result is rounded or wrapped to the dtype afterwards; comparisons return 0 or 1. */
type Scalar<C, T, R> = C extends "unary" ? (x: T, at: ScalarContext) => R : (x: T, y: T, at: ScalarContext) => R;

/** The functions by kind of value. Floats are computed in float64, `integer` has up to 32 bits, `big` 64; booleans are 0 or 1. */
interface Scalars<C> {
  readonly float: Scalar<C, number, number>;
  readonly integer: Scalar<C, number, number>;
  readonly big: Scalar<C, bigint, bigint | number>;
  readonly complex: Scalar<C, Complex, Complex | number>;
  readonly bool: Scalar<C, number, number>;
}

/** The kinds of values of each group of dtypes. */
interface KindsOf {
  readonly numbers: "float" | "integer" | "big" | "complex";
  readonly reals: "float" | "integer" | "big";
  readonly floats: "float";
  readonly "float32, float64": "float";
  readonly "floats, complex": "float" | "complex";
  readonly integers: "integer" | "big";
  readonly complex: "complex";
  readonly bool: "bool";
  readonly "numbers, bool": keyof Scalars<"unary">;
}

/** The evaluator's functions of a family: one for each kind of value that an operation accepts. */
export type References<F extends Family> = { readonly [K in keyof F]: Pick<Scalars<F[K][0]>, KindsOf[F[K][1]]> };

/**
 * An operation on real numbers as a formula of other operations: kernels and StableHLO compute its steps, each rounded or wrapped to the
 * dtype. An operation without a formula has a vector program (packages/wasm/src/math, form/lane-ops.ts of the compiler) and a lowering.
 */
export type ElementFormula = (x: ElementValue, y: ElementValue) => FormulaValue;

/** The functions of any operation. */
export type AnyReference = Partial<Scalars<"unary">> | Partial<Scalars<"binary">>;

/** The gradients of a family (in TensorFlow: RegisterGradient): a missing one does not compile. "none" says that there is none. */
export type Gradients<F extends Family> = {
  readonly [K in keyof F]: "none" | (F[K][0] extends "unary" ? UnaryGradient : BinaryGradient);
};
