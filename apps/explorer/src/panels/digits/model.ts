/** The objects of the panel "From a model to its bytes": a picture, the network, and the level at which it is looked at. */
import { Tensor } from "onebuffer";
import { explain } from "onebuffer/debug";
import type { ExplainedStep } from "onebuffer/debug";
import { treeOf } from "onebuffer/eigen";
import type { ExpressionTree } from "onebuffer/eigen";
import { errorText } from "../../panel.ts";
import type { PanelModel, PanelState, Params } from "../../panel.ts";
import type { AnyOperand } from "../expressions/build-expression.ts";
import { nodesOf } from "../expressions/tree-nodes.ts";
import { planSteps } from "../plan/plan-steps.ts";
import type { PlanStep } from "../plan/plan-steps.ts";
import { kInk, kWeights, loadWeights, probabilitiesOf } from "./network.ts";
import type { WeightName, Weights } from "./network.ts";
import { kDigits } from "./pictures.ts";

/** The levels, from the whole to its bytes. */
export const kLevels = ["model", "operation", "kernel", "bytes"] as const;
export type Level = (typeof kLevels)[number];

const kSide = 8;

/** The model. */
export class Digits implements PanelModel {
  readonly #changed: () => void;
  #weights: Weights | null = null;
  #isDisposed = false;
  /** The expression, made once over the picture's tensor; null until the weights are there. */
  expression: AnyOperand | null = null;
  readonly pixels: Tensor<"float32"> = Tensor.zeros([1, kSide * kSide]);
  level: Level;
  /** The node that is looked at, by its number in the tree. */
  node: number;
  /** The step of the plan that is looked at. */
  step: number;
  /** The tensor whose bytes are shown, and the element in it. */
  weight: WeightName;
  element: number;
  digit: number;
  probabilities: readonly number[] = [];
  error = "";

  constructor(params: Params, changed: () => void) {
    this.#changed = changed;
    this.level = kLevels.find((each) => each === params["level"]) ?? "model";
    this.node = wholeNumber(params["node"], 0);
    this.step = wholeNumber(params["step"], 0);
    this.weight = kWeights.find((each) => each === params["weight"]) ?? "hidden kernel";
    this.element = wholeNumber(params["element"], 0);
    this.digit = Math.min(9, wholeNumber(params["digit"], 3));
    this.#draw(this.digit);
    void this.#load();
  }

  get isReady(): boolean {
    return this.#weights !== null;
  }

  async #load(): Promise<void> {
    try {
      const weights = await loadWeights();
      if (this.#isDisposed) return void disposeAll(weights);
      this.#weights = weights;
      this.expression = probabilitiesOf(this.pixels, weights) as unknown as AnyOperand;
      this.#compute();
    } catch (error) {
      this.error = errorText(error);
    }
    if (!this.#isDisposed) this.#changed();
  }

  #compute(): void {
    const { expression } = this;
    if (expression === null) return;
    using result = Tensor.evaluate(expression);
    this.probabilities = [...(result.flat() as Iterable<number>)];
  }

  /** The tree of the expression, and names of its leaves. */
  get tree(): ExpressionTree | null {
    const { expression } = this;
    return expression === null ? null : treeOf(expression);
  }

  /** Returns the name of the tensor that a leaf reads. */
  nameOf(leaf: ExpressionTree): string {
    const shape = leaf.dimensions.join();
    const names: Readonly<Record<string, string>> = {
      "1,64": "pixels",
      "64,64": "hidden kernel",
      "64": "hidden bias",
      "64,10": "output kernel",
      "10": "output bias",
    };
    return leaf.op === "map" ? (names[shape] ?? "") : "";
  }

  /** The elements of the node that is looked at. */
  get nodeText(): string {
    const node = this.chosenNode;
    if (node === null) return "";
    using elements = Tensor.evaluate(node as unknown as AnyOperand);
    return elements.toString();
  }

  get chosenNode(): ExpressionTree | null {
    const { tree } = this;
    return tree === null ? null : (nodesOf(tree)[this.node] ?? tree);
  }

  /** The steps of the plan, and the chosen one with its listing. */
  get steps(): readonly PlanStep[] {
    const { expression } = this;
    if (expression === null || this.#weights === null) return [];
    const tensors = new Map<string, AnyOperand>();
    for (const leaf of nodesOf(treeOf(expression)))
      if (this.nameOf(leaf) !== "") tensors.set(this.nameOf(leaf), leaf as unknown as AnyOperand);
    return planSteps(expression, explain(expression), tensors);
  }

  get explained(): ExplainedStep | null {
    const { expression } = this;
    return expression === null ? null : (explain(expression).steps[this.step] ?? null);
  }

  /** The tensor whose bytes are shown. */
  get shown(): Tensor<"float32"> | null {
    return this.#weights?.[this.weight] ?? null;
  }

  /** Where the element is: its index, its value, its four bytes, and the address of its tensor in the linear memory. */
  get place(): { readonly value: number; readonly bytes: readonly number[]; readonly at: number; readonly address: number } | null {
    const { shown } = this;
    if (shown === null) return null;
    const element = Math.min(this.element, shown.numElements - 1);
    const { tensorData } = shown;
    const at = element * 4;
    return { value: shown.flat().at(element), bytes: [...tensorData.subarray(at, at + 4)], at, address: tensorData.byteOffset };
  }

  #draw(digit: number): void {
    const map = this.pixels.flat();
    for (const [i, code] of [...kDigits[digit]!].entries()) map.set(i, Number.parseInt(code, 17));
  }

  chooseDigit(digit: number): void {
    this.digit = digit;
    this.#draw(digit);
    this.#compute();
    this.#changed();
  }

  /** Sets a pixel to full ink, or to none if it has some. */
  togglePixel(i: number): void {
    const map = this.pixels.flat();
    map.set(i, map.at(i) > 0 ? 0 : kInk);
    this.#compute();
    this.#changed();
  }

  /** Looks at something at a level. */
  look(changes: Partial<Pick<Digits, "level" | "node" | "step" | "weight" | "element">>): void {
    Object.assign(this, changes);
    this.#changed();
  }

  /** Goes one level deeper: to the step that computes the chosen operation, and to the bytes that the chosen step reads. */
  zoomIn(): void {
    const at = kLevels.indexOf(this.level);
    const { chosenNode, steps } = this;
    if (this.level === "operation" && chosenNode !== null) {
      const step = steps.findIndex(({ nodes }) => nodes.includes(chosenNode));
      // A leaf is computed by no step: the first one that reads it is shown.
      const reader = steps.findIndex(({ tensors }) => tensors.includes(this.nameOf(chosenNode)));
      this.step = Math.max(0, step >= 0 ? step : reader);
    }
    if (this.level === "kernel") {
      const read = kWeights.find((name) => steps[this.step]?.tensors.includes(name));
      if (read !== undefined && read !== this.weight) Object.assign(this, { weight: read, element: 0 });
    }
    this.look({ level: kLevels[at + 1] ?? this.level });
  }

  zoomOut(): void {
    this.look({ level: kLevels[kLevels.indexOf(this.level) - 1] ?? this.level });
  }

  chooseNode(node: ExpressionTree): void {
    const { tree } = this;
    if (tree !== null) this.look({ node: Math.max(0, nodesOf(tree).indexOf(node)) });
  }

  params(): Params {
    const { level, digit, node, step, weight, element } = this;
    return { level, digit: String(digit), node: String(node), step: String(step), weight, element: String(element) };
  }

  state(): PanelState {
    const { level, digit, probabilities, isReady, place, weight, error } = this;
    return {
      level,
      digit,
      isReady,
      pixels: [...(this.pixels.flat() as Iterable<number>)],
      probabilities,
      best: probabilities.indexOf(Math.max(...probabilities)),
      op: this.chosenNode?.op ?? null,
      step: this.step,
      steps: this.steps.map(({ by }) => by),
      weight,
      place,
      busy: isReady || error !== "" ? "" : "loading",
      error,
    };
  }

  dispose(): void {
    this.#isDisposed = true;
    if (this.#weights !== null) disposeAll(this.#weights);
    this.#weights = null;
    this.expression = null;
    this.pixels.dispose();
  }
}

function disposeAll(weights: Weights): void {
  for (const tensor of Object.values(weights)) tensor.dispose();
}

function wholeNumber(text: string | undefined, otherwise: number): number {
  const value = Number(text ?? Number.NaN);
  return Number.isInteger(value) && value >= 0 ? value : otherwise;
}
