/** The objects of the panel "One operation, many kernels": an operation, and what computes it on each dtype in each place. */
import { Tensor } from "onebuffer";
import type { RawDType } from "onebuffer";
import { explain } from "onebuffer/debug";
import { opNames, opTable } from "onebuffer/eigen";
import type { OpName } from "onebuffer/eigen";
import { toStableHLO } from "onebuffer/stablehlo";
import { errorText } from "../../panel.ts";
import type { PanelModel, PanelState, Params } from "../../panel.ts";
import { isConstantOrBroadcast, operationsIn } from "../../parts/module-operations.ts";
import type { AnyOperand } from "../expressions/build-expression.ts";
import { kAskedDTypes } from "./asked-dtypes.ts";

const kElements = 1000;

/** The operations to choose from: those of one and two operands, and reductions. */
export const kOperations: readonly OpName[] = [...opNames("unary"), ...opNames("binary"), ...opNames("reduction")].filter(
  (name) => name !== "cast",
);

/** What computes an operation on a dtype. */
export interface KernelChoice {
  readonly dtype: RawDType;
  /** True if the record of the operation lists the dtype. */
  readonly isRegistered: boolean;
  /** The form of the kernel here; "" if the operation is refused. */
  readonly kernel: string;
  /** The lines of WebAssembly of the kernel. */
  readonly lines: number;
  readonly result: string;
  /** The operations of StableHLO, or why there are none. */
  readonly xla: string;
  readonly hasXla: boolean;
  /** Why it is refused here. */
  readonly refusal: string;
}

/** Returns the call of an operation as an expression. */
function callOf(name: OpName, operand: AnyOperand): AnyOperand {
  const method = (operand as unknown as Record<string, ((...others: unknown[]) => AnyOperand) | undefined>)[name];
  if (method === undefined) throw new RangeError(`${name} is no method of ${operand.dtype}`);
  return opTable[name].class === "binary" ? method.call(operand, operand) : method.call(operand);
}

/** The model. */
export class KernelChoices implements PanelModel {
  readonly #changed: () => void;
  op: OpName;
  choices: readonly KernelChoice[] = [];

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    this.op = kOperations.find((name) => name === params["op"]) ?? "sin";
    this.choices = kAskedDTypes.map((dtype) => this.#choice(dtype));
  }

  setOp(op: OpName): void {
    this.op = op;
    this.choices = kAskedDTypes.map((dtype) => this.#choice(dtype));
    this.#changed();
  }

  /** Makes a tensor of the dtype and asks every place about the operation on it. */
  #choice(dtype: RawDType): KernelChoice {
    const { op } = this;
    const isRegistered = opTable[op].dtypes.includes(dtype);
    using tensor = Tensor.zeros([kElements], { dtype: dtype as "float32" });
    const none = { dtype, isRegistered, kernel: "", lines: 0, result: "", xla: "", hasXla: false };
    try {
      const call = callOf(op, tensor.asOperand());
      const [step] = explain(call).steps;
      const lines = step === undefined || step.listing === "" ? 0 : step.listing.trimEnd().split("\n").length;
      return { ...none, kernel: step?.by ?? "", lines, result: call.dtype, refusal: "", ...xlaOf(call) };
    } catch (error) {
      return { ...none, refusal: errorText(error) };
    }
  }

  params(): Params {
    return { op: this.op };
  }

  state(): PanelState {
    return { op: this.op, class: opTable[this.op].class, choices: this.choices };
  }

  dispose(): void {}
}

/** Returns the operations of StableHLO that an expression is written with. */
function xlaOf(call: AnyOperand): { readonly xla: string; readonly hasXla: boolean } {
  try {
    const { text } = toStableHLO([call as never], { locations: false });
    const names = [...new Set(operationsIn(text).filter((name) => !isConstantOrBroadcast(name)))];
    return { xla: names.slice(0, 3).join(", ") + (names.length > 3 ? ", …" : ""), hasXla: true };
  } catch (error) {
    return { xla: errorText(error), hasXla: false };
  }
}
