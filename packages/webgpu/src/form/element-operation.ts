/**
 * elementOperation: writes one elementwise operation of a program. The operations of the kernels are written by their own code
 * (compiler/form/lane-ops.ts); those whose code there needs more than one lane, or floats of 64 bits, have a form here.
 */
import type { DType } from "@onebuffer/base";
import { UnimplementedError } from "@onebuffer/base";
import { divisions, isFloat } from "@onebuffer/expression/internal";
import type { Division } from "@onebuffer/expression/internal";
import { uniform, writeOperation } from "@onebuffer/compiler/internal";
import type { Lanes, LaneOperation } from "@onebuffer/compiler/internal";
import type { Vector } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";
import { laneKind } from "../wgsl/element-memory.ts";
import { typeOf } from "../wgsl/wgsl-kinds.ts";
import type { WgslFunction } from "../wgsl/wgsl-functions.ts";
import type { WgslSource } from "../wgsl/wgsl-source.ts";
import { castLane } from "./lane-casts.ts";

/** An operation of a program: its name, its dtypes and its operands. */
export interface ElementOperation {
  readonly op: LaneOperation["op"];
  readonly dtype: DType;
  readonly inputs: readonly Vector[];
  readonly inputDTypes: readonly DType[];
  readonly saturate: boolean;
}

/** What takes the condition of elements that are errors, such as a division of integers by 0. */
export type InvalidReport = (condition: string) => void;

/** Functions of floats whose kernels compute in float64, and what computes them here. */
const kOwnFunctions: Readonly<Partial<Record<string, WgslFunction>>> = {
  sin: "f_sin",
  cos: "f_cos",
  tan: "f_tan",
  rsqrt: "f_rsqrt",
  pow: "f_pow",
};

/** Writes an operation and returns its value. Throws UNIMPLEMENTED if it has no form. */
export function elementOperation(source: WgslSource, operation: ElementOperation, reportInvalid: InvalidReport): Vector {
  const { op, dtype, inputs, inputDTypes, saturate } = operation;
  const decisive = inputDTypes[0]!;
  if (op === "cast") return castLane(source, inputs[0]!, decisive, dtype, saturate);
  if (op === "select") return selected(source, inputs as readonly [Vector, Vector, Vector], dtype);
  const division = divisions[op];
  if (division !== undefined && !isFloat(decisive)) return divided(source, division, operation, reportInvalid);
  if (dtype === "float64" || decisive === "float64") throw new UnimplementedError("WGSL has no floats of 64 bits");
  const own = division?.gives === "remainder" ? (division.rounds === "down" ? "f_mod" : "f_rem") : kOwnFunctions[op];
  if (isFloat(decisive) && own !== undefined) {
    const args = inputs.map((input) => source.text(input, "f32x4"));
    return source.value("f32x4", `${source.uses(own)}(${args.join(", ")})`);
  }
  if (!isFloat(decisive) && decisive !== "bool" && laneBytes[laneKind(decisive)] !== 4)
    throw new UnimplementedError(`it has no form for lanes of ${decisive}`);
  // Of one invocation every value is one lane: the same for all elements that the invocation computes.
  const lanes = inputs.map((vector) => uniform(vector));
  const known = inputs.map(() => null);
  const context = {
    builder: source,
    reportInvalid: (mask: Lanes): void => reportInvalid(source.condition(mask.vectors[0]!)),
    remainder: (): never => source.calls(),
  };
  return writeOperation(context, { op, dtype, inputs: lanes, inputDTypes, saturate, round: true, known }).vectors[0]!;
}

/** Selects by a condition. Lanes of any width are selected as they are. */
function selected(source: WgslSource, [mask, then, otherwise]: readonly [Vector, Vector, Vector], dtype: DType): Vector {
  const condition = source.condition(mask);
  if (dtype === "bool") return source.mask(`select(${source.condition(otherwise)}, ${source.condition(then)}, ${condition})`);
  const kind = laneKind(dtype);
  return source.value(kind, `select(${source.text(otherwise, kind)}, ${source.text(then, kind)}, ${condition})`);
}

/**
 * Divides integers of up to 32 bits. WGSL gives x for x / 0 and for the least integer divided by -1, and 0 for the remainders. Divisors of 0
 * are reported as invalid.
 */
function divided(
  source: WgslSource,
  { gives, rounds }: Division,
  { inputs, inputDTypes }: ElementOperation,
  reportInvalid: InvalidReport,
): Vector {
  const kind = laneKind(inputDTypes[0]!);
  if (laneBytes[kind] !== 4) throw new UnimplementedError(`it has no form for lanes of ${inputDTypes[0]}`);
  const [x, y] = inputs.map((vector) => source.text(source.value(kind, source.text(vector, kind)))) as [string, string];
  reportInvalid(`${y} == ${typeOf(kind)}(0)`);
  const isCorrected = rounds === "down" && typeOf(kind) === "i32";
  if (!isCorrected) return source.value(kind, `${x} ${gives === "quotient" ? "/" : "%"} ${y}`);
  const remainder = source.text(source.value(kind, `${x} % ${y}`));
  // The floor is one less than the truncated quotient where the remainder is not 0 and differs from the divisor in sign.
  const below = `${remainder} != 0 && (${remainder} ^ ${y}) < 0`;
  return gives === "quotient"
    ? source.value(kind, `${x} / ${y} - select(0i, 1i, ${below})`)
    : source.value(kind, `${remainder} + select(0i, ${y}, ${below})`);
}
