/**
 * elementOperation: writes one elementwise operation of a program. The operations of the kernels are written by their own code
 * (compiler/form/lane-ops.ts); those whose code there needs more than one lane, or floats of 64 bits, have a form here.
 */
import type { DType } from "@onebuffer/base";
import { isStatusError, UnimplementedError } from "@onebuffer/base";
import { divisions, isCast, isFloat, isSelection } from "@onebuffer/expression/internal";
import type { Division } from "@onebuffer/expression/internal";
import { writeOperation } from "@onebuffer/compiler/internal";
import type { LaneOperation } from "@onebuffer/compiler/internal";
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";
import { uniform } from "@onebuffer/kernels/internal";
import type { Lanes } from "@onebuffer/kernels/internal";
import { laneKind } from "../wgsl/element-memory.ts";
import { noForm } from "../wgsl/no-form.ts";
import { typeOf, wrapped } from "../wgsl/wgsl-kinds.ts";
import type { WgslFunction } from "../wgsl/wgsl-functions.ts";
import type { WgslSource } from "../wgsl/wgsl-source.ts";
import { castLane } from "./lane-casts.ts";
import { longOperation } from "./long-operation.ts";

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

/** The operations that are not written by the code of the kernels, by their operands. */
const kOwnForms: Readonly<Record<"bool" | "float" | "integer", Partial<Record<ElementOperation["op"], typeof kernelOperation>>>> = {
  bool: { equal: ofConditions("=="), notEqual: ofConditions("!=") },
  // Kernels compute these in float64.
  float: {
    sin: called("f_sin"),
    cos: called("f_cos"),
    tan: called("f_tan"),
    rsqrt: called("f_rsqrt"),
    pow: called("f_pow"),
    mod: called("f_mod"),
    truncateMod: called("f_rem"),
  },
  integer: { populationCount: countedBits },
};

/** Writes an operation and returns its value. Throws UNIMPLEMENTED if it has no form. */
export function elementOperation(source: WgslSource, operation: ElementOperation, reportInvalid: InvalidReport): Vector {
  const { op, dtype, inputs, inputDTypes, saturate } = operation;
  const decisive = inputDTypes[0]!;
  if (isCast(operation)) return castLane(source, inputs[0]!, decisive, dtype, saturate);
  if (isSelection(operation)) return selected(source, inputs as readonly [Vector, Vector, Vector], dtype);
  if (dtype === "float64" || decisive === "float64") throw new UnimplementedError("WGSL has no floats of 64 bits");
  const group = decisive === "bool" ? "bool" : isFloat(decisive) ? "float" : "integer";
  const form = kOwnForms[group][op] ?? (group === "integer" ? integerOperation : kernelOperation);
  return form(source, operation, reportInvalid);
}

/** Writes an operation by the code of the kernels. */
function kernelOperation(
  source: WgslSource,
  { op, dtype, inputs, inputDTypes, saturate }: ElementOperation,
  reportInvalid: InvalidReport,
): Vector {
  // Of one invocation every value is one lane: the same for all elements that the invocation computes.
  const lanes = inputs.map((vector) => uniform(vector));
  const known = inputs.map(() => null);
  const context = {
    builder: source,
    reportInvalid: (mask: Lanes): void => reportInvalid(source.condition(mask.vectors[0]!)),
    remainder: (): never => source.calls(),
  };
  try {
    return writeOperation(context, { op, dtype, inputs: lanes, inputDTypes, saturate, round: true, known }).vectors[0]!;
  } catch (error) {
    // The source names an instruction that it has no form of.
    throw isStatusError(error, "UNIMPLEMENTED") ? noForm(op, inputDTypes[0]!) : error;
  }
}

/** Returns the form of a comparison of truth values, which are conditions here. */
function ofConditions(operator: string): typeof kernelOperation {
  return (source, { inputs }) => source.mask(inputs.map((input) => source.condition(input)).join(` ${operator} `));
}

/** Returns the form of a function of floats. */
function called(name: WgslFunction): typeof kernelOperation {
  return (source, { inputs }) => {
    const args = inputs.map((input) => source.text(input, "f32x4"));
    return source.value("f32x4", `${source.uses(name)}(${args.join(", ")})`);
  };
}

/** Writes an operation of integers. Those of 8 and 16 bits are computed as words, of which the result has the lowest bits. */
function integerOperation(source: WgslSource, operation: ElementOperation, reportInvalid: InvalidReport): Vector {
  const { op, dtype, inputs, inputDTypes } = operation;
  const own = inputDTypes[0]!;
  const kind = laneKind(own);
  if (laneBytes[kind] === 8) {
    const made = longOperation(source, op, inputs, own);
    if (made === null) throw noForm(op, own);
    return made;
  }
  const division = divisions[op];
  const write = (words: ElementOperation): Vector =>
    division === undefined ? kernelOperation(source, words, reportInvalid) : divided(source, division, words, reportInvalid);
  if (laneBytes[kind] === 4) return write(operation);
  const word = typeOf(kind) === "u32" ? "uint32" : "int32";
  const words = inputs.map((input) => source.named(laneKind(word), source.text(input, kind)));
  if (op === "leftShift" || op === "rightShift") words[1] = shiftCount(source, words[1]!, kind);
  const made = write({ ...operation, dtype: dtype === own ? word : dtype, inputs: words, inputDTypes: words.map(() => word) });
  return dtype === own ? source.value(kind, wrapped(source.text(made, laneKind(word)), kind)) : made;
}

/** Returns the count of a shift of small integers within their bits, as kernels clamp it. */
function shiftCount(source: WgslSource, count: Vector, kind: VectorKind): Vector {
  const [type, most] = [typeOf(kind), laneBytes[kind] * 8 - 1];
  return source.value(count.kind, `clamp(${source.text(count)}, ${type}(0), ${type}(${most}))`);
}

/** Counts the bits that are set. */
function countedBits(source: WgslSource, { inputs, inputDTypes }: ElementOperation): Vector {
  const kind = laneKind(inputDTypes[0]!);
  const text = source.text(inputs[0]!, kind);
  if (laneBytes[kind] === 8) return source.value("u8x16", `countOneBits(${text}.x) + countOneBits(${text}.y)`);
  const bits = laneBytes[kind] === 4 ? text : `(${text} & ${typeOf(kind)}(${2 ** (laneBytes[kind] * 8) - 1}))`;
  return source.value("u8x16", `countOneBits(${typeOf(kind) === "u32" ? bits : `bitcast<u32>(${bits})`})`);
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
