/** The objects of the panel "On a GPU": one expression, its kernels and its shaders, and its elements from a thread, a pool and a GPU. */
import { explain } from "onebuffer/debug";
import type { ExplainedStep } from "onebuffer/debug";
import { treeOf } from "onebuffer/eigen";
import { WebGpuDevice } from "onebuffer/webgpu";
import type { GpuExplainedStep, WebGpuNumerics } from "onebuffer/webgpu";
import { engine } from "@onebuffer/wasm/internal";
import { explainExpression } from "@onebuffer/webgpu/internal";
import { errorText } from "../../panel.ts";
import type { PanelModel, PanelState, Params } from "../../panel.ts";
import { Computation } from "../../parts/computation.ts";
import { linesOf } from "../../parts/listing.tsx";
import type { AnyOperand } from "../expressions/build-expression.ts";
import type { Example } from "../expressions/expression-fields.tsx";
import { TypedExpression } from "../expressions/typed-expression.ts";
import { computeInPlaces } from "../where/compute-in-places.ts";
import { compareElements } from "./compare-elements.ts";
import type { Comparison } from "./compare-elements.ts";

/** Expressions to begin with. */
export const kExamples: readonly Example[] = [
  ["functions", "tanh(x) * exp(y)", "x: 256, 256; y: 256, 256"],
  ["softmax", "softmax(x)", "x: 64, 1000"],
  ["a layer", "relu(x @ w + b)", "x: 64, 128; w: 128, 64; b: 64"],
  ["places of the largest", "argmax(x, 1)", "x: 64, 1000"],
  ["an order", "sort(x, 1)", "x: 64, 1000"],
  ["not for a GPU", "exp(cast(x, float64))", "x: 64, 64"],
];

/** What a place computed, compared with one thread. */
export interface PlaceResult extends Comparison {
  readonly name: string;
  /** Milliseconds of the fastest run; on a GPU with the copies of all operands and of the result. */
  readonly time: number;
}

/** The shaders of an expression, or why it has none. */
export interface Shaders {
  readonly steps: readonly GpuExplainedStep[];
  readonly refusal: string;
}

/** Whether this browser has a GPU for pages. */
export type Search = "looking" | "found" | "none";

/** The model. */
export class OnGpu implements PanelModel {
  readonly #changed: () => void;
  readonly typed: TypedExpression;
  readonly computation: Computation;
  #gpu: WebGpuDevice | null = null;
  search: Search = "looking";
  /** Why there is no GPU. */
  missing = "";
  results: readonly PlaceResult[] = [];
  #shaders: { readonly operand: AnyOperand; readonly shaders: Shaders } | null = null;
  #isDisposed = false;

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    this.computation = new Computation(changed);
    this.typed = new TypedExpression(params["text"] ?? kExamples[0]![1], params["tensors"] ?? kExamples[0]![2]);
    void this.#find();
  }

  get isStale(): boolean {
    return this.typed.isStale;
  }

  /** What the arithmetic of the GPU does; null without one. */
  get numerics(): WebGpuNumerics | null {
    return this.#gpu?.numerics ?? null;
  }

  /** True if the kernels here use relaxed SIMD, by which a product and a sum may be rounded once. */
  get isRelaxed(): boolean {
    return engine().relaxed;
  }

  /** The kernels of one thread. */
  get kernels(): readonly ExplainedStep[] {
    const { operand } = this.typed;
    return operand === null ? [] : explain(operand).steps;
  }

  /** The shaders. They are written with or without a GPU, once for each expression. */
  get shaders(): Shaders {
    const { operand } = this.typed;
    if (operand === null) return { steps: [], refusal: "" };
    if (this.#shaders?.operand !== operand) this.#shaders = { operand, shaders: shadersOf(operand) };
    return this.#shaders.shaders;
  }

  /** The expression or its tensors have changed. */
  changed(): void {
    this.results = [];
    this.#changed();
  }

  async #find(): Promise<void> {
    let found: WebGpuDevice | null = null;
    try {
      found = await WebGpuDevice.create();
    } catch (error) {
      this.missing = errorText(error);
    }
    if (this.#isDisposed) {
      await found?.dispose();
      return;
    }
    this.#gpu = found;
    this.search = found === null ? "none" : "found";
    this.#changed();
  }

  /** Computes the expression in all places and compares the elements. */
  async compute(): Promise<void> {
    const { operand } = this.typed;
    if (operand === null) return;
    await this.computation.run(async () => {
      const gpu = this.#gpu === null || this.shaders.refusal !== "" ? [] : [{ name: "the GPU", device: this.#gpu }];
      const results = await computeInPlaces(operand, gpu, ({ name, time, out }, alone) => ({ name, time, ...compareElements(alone, out) }));
      if (this.typed.operand === operand) this.results = results;
    });
  }

  params(): Params {
    return { text: this.typed.text, tensors: this.typed.tensorsText };
  }

  state(): PanelState {
    const { typed, search, missing, numerics, isRelaxed, kernels, results, computation } = this;
    const { steps, refusal } = this.shaders;
    return {
      text: typed.text,
      busy: search === "looking" ? search : "",
      search,
      missing,
      numerics,
      isRelaxed,
      kernels: kernels.map(({ by, listing }) => ({ by, lines: linesOf(listing).length })),
      shaders: steps.map(({ form, wgsl }) => ({ form, lines: linesOf(wgsl).length })),
      refusal,
      results,
      isRunning: computation.isRunning,
      error: typed.error || typed.tensorsError || computation.error,
    };
  }

  dispose(): void {
    this.#isDisposed = true;
    this.computation.dispose();
    this.typed.dispose();
    void this.#gpu?.dispose();
  }
}

function shadersOf(operand: AnyOperand): Shaders {
  try {
    return { steps: explainExpression(treeOf(operand)).steps, refusal: "" };
  } catch (error) {
    return { steps: [], refusal: errorText(error) };
  }
}
