/** The objects of the panel "Expressions": named tensors, one expression over them, and how it is computed. */
import { Tensor } from "onebuffer";
import { assignByReference, explain, kernelCounts } from "onebuffer/debug";
import type { Explanation } from "onebuffer/debug";
import { treeOf } from "onebuffer/eigen";
import type { ExpressionTree } from "onebuffer/eigen";
import { errorText } from "../../panel.ts";
import type { PanelModel, PanelState, Params } from "../../panel.ts";
import { buildExpression, composedCalls, materializer } from "./build-expression.ts";
import type { AnyOperand } from "./build-expression.ts";
import { GradientModel } from "./gradient-model.ts";
import { kDTypes, NamedTensors } from "./named-tensors.ts";
import type { TensorDType } from "./named-tensors.ts";
import { ExpressionError, parseExpression } from "./parse-expression.ts";
import type { Node } from "./parse-expression.ts";

/** How long one of the three ways is measured, at least. */
const kMeasureMs = 60;

/** Expressions to begin with. */
export const kPresets: readonly (readonly [label: string, text: string, tensors?: string])[] = [
  ["one kernel of four operations", "(x - y) * 2 + abs(x)"],
  ["softmax", "softmax(x)"],
  ["standard scores", "(x - x.mean(1, true)) / x.std(1, true)"],
  ["a layer", "relu(x @ w + b)", "x: 128, 256; w: 256, 64; b: 64"],
  ["a transposed operand", "x + transpose(z)", "x: 512, 512; z: 512, 512"],
  ["column sums", "square(x - y).sum(0)"],
];
const kTensors = "x: 256, 1024; y: 256, 1024";

/** The three ways to compute the expression. */
export const kWays = ["fused", "one call at a time", "plain JavaScript"] as const;
export type Way = (typeof kWays)[number];

/** The model. */
export class Expressions implements PanelModel {
  readonly #changed: () => void;
  readonly #tensors = new NamedTensors();
  #node: Node | null = null;
  #operand: AnyOperand | null = null;
  #result: Tensor | null = null;
  #measuring = 0;
  readonly gradient: GradientModel;
  text = "";
  tensorsText = "";
  dtype: TensorDType;
  error = "";
  /** The place of the error in the text; -1 if it has none. */
  errorAt = -1;
  tensorsError = "";
  explanation: Explanation | null = null;
  /** The least time of each way in milliseconds; empty until measured. */
  times: Partial<Record<Way, number>> = {};
  isMeasuring = false;

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    this.dtype = kDTypes.find((each) => each === params["dtype"]) ?? "float32";
    this.gradient = new GradientModel(params["variable"] ?? "");
    this.#setTensors(params["tensors"] ?? kTensors);
    this.#setText(params["text"] ?? kPresets[0]![1]);
    this.gradient.chooseKey(params["node"] ?? "");
  }

  get isStale(): boolean {
    return this.error !== "" || this.tensorsError !== "";
  }

  get tree(): ExpressionTree | null {
    return this.#operand === null ? null : treeOf(this.#operand);
  }

  /** The name of the tensor that a leaf reads; "" for none. */
  nameOf(node: ExpressionTree): string {
    for (const [name, operand] of this.#tensors.operands) if (treeOf(operand) === node) return name;
    return "";
  }

  get resultText(): string {
    return this.#result === null ? "" : this.#result.toString();
  }

  get resultShape(): string {
    return this.#result === null ? "" : `${this.#result.dtype}${this.#result.shape.debugString()}`;
  }

  setText(text: string): void {
    this.#setText(text);
    this.#changed();
  }

  setTensors(text: string): void {
    this.#setTensors(text);
    this.#setText(this.text);
    this.#changed();
  }

  setDType(dtype: TensorDType): void {
    this.dtype = dtype;
    this.#setTensors(this.tensorsText);
    this.#setText(this.text);
    this.#changed();
  }

  /** The names of the tensors. */
  get names(): string[] {
    return this.#tensors.names;
  }

  /** Shows the gradient with respect to a tensor; "" for none. */
  setVariable(name: string): void {
    this.gradient.setVariable(name);
    this.#changed();
  }

  /** Looks at a node of the expression or of its gradient. */
  chooseNode(node: ExpressionTree): void {
    this.gradient.choose(node);
    this.#changed();
  }

  choose([, text, tensors = kTensors]: (typeof kPresets)[number]): void {
    this.#setTensors(tensors);
    this.#setText(text);
    this.#changed();
  }

  /** Measures the three ways, a pause between them, so that the page stays alive. */
  async measure(): Promise<void> {
    const serial = ++this.#measuring;
    const [operand, node] = [this.#operand, this.#node];
    if (operand === null || node === null) return;
    this.isMeasuring = true;
    this.times = {};
    this.#changed();
    for (const way of kWays) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (serial !== this.#measuring) return;
      this.times[way] = leastTime(() => this.#run(way, operand, node));
      this.#changed();
    }
    this.isMeasuring = false;
    this.#changed();
  }

  #run(way: Way, operand: AnyOperand, node: Node): void {
    const result = this.#result!;
    if (way === "fused") result.assign(operand);
    else if (way === "plain JavaScript") assignByReference(result.asOperand(), operand);
    else {
      const { each, made } = materializer();
      try {
        buildExpression(node, this.#tensors.operands, each);
      } finally {
        for (const tensor of made) tensor.dispose();
      }
    }
  }

  #setText(text: string): void {
    this.text = text;
    this.#measuring++;
    this.isMeasuring = false;
    this.times = {};
    try {
      const node = parseExpression(text);
      const { each, composed } = composedCalls();
      const operand = buildExpression(node, this.#tensors.operands, each);
      const explanation = explain(operand);
      const result = Tensor.evaluate(operand);
      this.#result?.dispose();
      this.#result = result;
      this.#node = node;
      this.#operand = operand;
      this.explanation = explanation;
      this.gradient.follow({ root: treeOf(operand), tensors: this.#tensors.operands, composed });
      this.error = "";
      this.errorAt = -1;
    } catch (error) {
      this.error = error instanceof ExpressionError ? error.message : errorText(error);
      this.errorAt = error instanceof ExpressionError ? error.at : -1;
    }
  }

  /** Reads a list such as `x: 256, 1024; b: 1024` and makes the tensors, with random elements. */
  #setTensors(text: string): void {
    this.tensorsText = text;
    try {
      this.#tensors.set(text, this.dtype);
      this.#forget();
      this.tensorsError = "";
    } catch (error) {
      this.tensorsError = errorText(error);
    }
  }

  /** Forgets what is over tensors that are gone. */
  #forget(): void {
    this.#operand = null;
    this.explanation = null;
    this.gradient.follow(null);
  }

  params(): Params {
    const { variable, key } = this.gradient;
    return {
      text: this.text,
      tensors: this.tensorsText,
      ...(this.dtype === "float32" ? {} : { dtype: this.dtype }),
      ...(variable === "" ? {} : { variable }),
      ...(key === "" ? {} : { node: key }),
    };
  }

  state(): PanelState {
    const { text, error, errorAt, explanation, times, tree } = this;
    return {
      text,
      error: error || this.tensorsError,
      errorAt,
      op: tree?.op ?? null,
      dtype: tree?.dtype ?? null,
      dimensions: tree?.dimensions ?? null,
      steps:
        explanation?.steps.map(({ by, loops, bytes, flops, listing }) => ({
          by,
          loops,
          bytes,
          flops,
          lines: listing.split("\n").length,
        })) ?? [],
      bytes: explanation?.bytes ?? 0,
      flops: explanation?.flops ?? 0,
      first: this.#result === null || this.#result.numElements === 0 ? null : this.#result.flat().at(0),
      result: this.resultShape,
      gradient: this.gradient.state(),
      times: { ...times },
      isMeasuring: this.isMeasuring,
      kernels: kernelCounts(),
    };
  }

  dispose(): void {
    this.#measuring++;
    this.#result?.dispose();
    this.#tensors.dispose();
    this.#forget();
  }
}

/** Runs a function for kMeasureMs or once, whichever is longer, and returns the least time of a run in milliseconds. */
function leastTime(run: () => void): number {
  const end = performance.now() + kMeasureMs;
  let least = Infinity;
  let repeat = 1;
  do {
    const start = performance.now();
    for (let i = 0; i < repeat; i++) run();
    const took = performance.now() - start;
    least = Math.min(least, took / repeat);
    // The clock of a page may have steps of 0.1 ms: short runs are measured together.
    if (took < 2) repeat = Math.min(4096, repeat * 4);
  } while (performance.now() < end);
  return least;
}
