/** The objects of the panel "Where it is computed": one expression on one thread, on a pool, as XLA's text, and on a device of its own memory. */
import type { Tensor } from "onebuffer";
import { explain } from "onebuffer/debug";
import { treeOf } from "onebuffer/eigen";
import { toStableHLO } from "onebuffer/stablehlo";
import { BackendDevice } from "@onebuffer/eigen/internal";
import { errorText } from "../../panel.ts";
import type { PanelModel, PanelState, Params } from "../../panel.ts";
import { Computation } from "../../parts/computation.ts";
import { operationsIn } from "../../parts/module-operations.ts";
import { productOf } from "../../parts/number-text.ts";
import type { AnyOperand } from "../expressions/build-expression.ts";
import type { Example } from "../expressions/expression-fields.tsx";
import { TypedExpression } from "../expressions/typed-expression.ts";
import { computeInPlaces, newTensor } from "./compute-in-places.ts";
import { PageBackend } from "./page-backend.ts";
import type { BackendCall } from "./page-backend.ts";

/** Expressions to begin with. */
export const kExamples: readonly Example[] = [
  ["a layer", "relu(x @ w + b)", "x: 64, 128; w: 128, 32; b: 32"],
  ["elementwise", "exp(x * y + 1)", "x: 128, 128; y: 128, 128"],
  ["softmax", "softmax(x)", "x: 64, 256"],
  ["a sum", "(x - y).square().sum()", "x: 128, 128; y: 128, 128"],
];

/** What a place gave. */
export interface PlaceResult {
  readonly name: string;
  /** Milliseconds of the fastest run. */
  readonly time: number;
  /** True if the bytes are those of one thread. */
  readonly isSame: boolean;
}

/** The module of an expression, and its operations by name. */
export interface XlaText {
  readonly text: string;
  readonly operations: readonly (readonly [name: string, count: number])[];
  readonly error: string;
}

/** The model. */
export class Where implements PanelModel {
  readonly #changed: () => void;
  readonly typed: TypedExpression;
  readonly computation: Computation;
  /** The tensor that stays on the device; "" for none. */
  kept: string;
  results: readonly PlaceResult[] = [];
  calls: readonly BackendCall[] = [];

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    this.computation = new Computation(changed);
    this.typed = new TypedExpression(params["text"] ?? kExamples[0]![1], params["tensors"] ?? kExamples[0]![2]);
    this.kept = params["kept"] ?? "";
  }

  get isStale(): boolean {
    return this.typed.isStale;
  }

  /** The expression or its tensors have changed. */
  changed(): void {
    this.results = [];
    this.calls = [];
    this.#changed();
  }

  /** The steps of one thread. */
  get steps(): readonly string[] {
    const { operand } = this.typed;
    return operand === null ? [] : explain(operand).steps.map(({ by }) => by);
  }

  /** The StableHLO text. */
  get xla(): XlaText {
    const { operand, tensors } = this.typed;
    if (operand === null) return { text: "", operations: [], error: "" };
    try {
      const names = new Map([...tensors].map(([name, each]) => [each as unknown, name]));
      const { text } = toStableHLO([operand as never], {
        name: "expression",
        locations: false,
        leaves: (leaf) => ({ name: names.get(leaf) ?? "tensor" }),
      });
      const counts = new Map<string, number>();
      for (const name of operationsIn(text)) counts.set(name, (counts.get(name) ?? 0) + 1);
      return { text, operations: [...counts], error: "" };
    } catch (error) {
      return { text: "", operations: [], error: errorText(error) };
    }
  }

  /** Keeps a tensor on the device between calls; "" for none. */
  keep(name: string): void {
    this.kept = name;
    this.calls = [];
    this.#changed();
  }

  /** Computes the expression in all places. */
  async compute(): Promise<void> {
    const { operand } = this.typed;
    if (operand === null) return;
    await this.computation.run(async () => {
      this.results = await computeInPlaces(operand, [], ({ name, time, out }, alone) => ({ name, time, isSame: sameBytes(alone, out) }));
    });
  }

  /** Calls the expression twice on the device in this page, and lists the transfers. */
  async transfer(): Promise<void> {
    const { typed, kept } = this;
    const { operand } = typed;
    if (operand === null) return;
    await this.computation.run(async () => {
      const backend = new PageBackend();
      const device = new BackendDevice(backend, 8);
      try {
        using out = newTensor(operand);
        const there = typed.tensors.get(kept);
        const map = there === undefined ? null : await device.put(there as never);
        const expression = map === null ? operand : typed.over(new Map([[kept, map as unknown as AnyOperand]]));
        for (let call = 0; call < 2; call++) await out.device(device).assign(expression as never);
        map?.dispose();
        this.calls = [...backend.calls];
      } finally {
        await device.dispose();
      }
    });
  }

  params(): Params {
    return { text: this.typed.text, tensors: this.typed.tensorsText, ...(this.kept === "" ? {} : { kept: this.kept }) };
  }

  state(): PanelState {
    const { typed, steps, xla, kept, results, calls } = this;
    const { isRunning } = this.computation;
    const error = typed.error || typed.tensorsError || this.computation.error;
    const tensors = [...typed.tensors].map(([name, each]) => [name, bytesOfOperand(each)] as const);
    return { text: typed.text, tensors, steps, operations: xla.operations, xlaError: xla.error, kept, results, calls, isRunning, error };
  }

  dispose(): void {
    this.computation.dispose();
    this.typed.dispose();
  }
}

/** The bytes of a float32 tensor. */
const bytesOfOperand = (operand: AnyOperand): number => 4 * productOf(treeOf(operand).dimensions);

function sameBytes(a: Tensor<"float32">, b: Tensor<"float32">): boolean {
  const [left, right] = [a.tensorData, b.tensorData];
  return left.length === right.length && left.every((byte: number, i: number) => byte === right[i]);
}
