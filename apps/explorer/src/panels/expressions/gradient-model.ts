/** The gradient of the shown expression with respect to one of its tensors, and the node that is looked at. */
import { constant, Tensor } from "onebuffer";
import { treeOf } from "onebuffer/eigen";
import type { ExpressionTree } from "onebuffer/eigen";
import { gradients } from "onebuffer/gradients";
import gradientLines from "../../../../../packages/expression/dist/gradient-lines.json";
import { errorText } from "../../panel.ts";
import type { PanelState } from "../../panel.ts";
import type { AnyOperand, ComposedCall } from "./build-expression.ts";
import { nodesOf } from "./tree-nodes.ts";

/** The lines of docs/gradients.md by operation. */
const kLines: Readonly<Record<string, string>> = gradientLines;

/** What there is to say about one node. */
export interface NodeReport {
  readonly node: ExpressionTree;
  /** The operation, or the composed one, whose rule the walk takes at the node; "" for leaves. */
  readonly ruleName: string;
  /** The rule in one line; "none" if the gradient ends here, "" for leaves. */
  readonly rule: string;
  /** The composed operation whose rule takes the place of the rules of this part of it; "" for none. */
  readonly partOf: string;
  readonly value: string;
  /** The gradient of the whole expression at the node; "" if no variable is chosen or the node is not in the expression. */
  readonly gradient: string;
}

/** The expression that the gradient is of. */
export interface Shown {
  readonly root: ExpressionTree;
  readonly tensors: ReadonlyMap<string, AnyOperand>;
  readonly composed: ReadonlyMap<ExpressionTree, ComposedCall>;
}

/** The model. */
export class GradientModel {
  #shown: Shown | null = null;
  #forward: ExpressionTree[] = [];
  #nodes: ExpressionTree[] = [];
  /** The name of the tensor; "" for none. */
  variable: string;
  tree: ExpressionTree | null = null;
  error = "";
  report: NodeReport | null = null;

  constructor(variable: string) {
    this.variable = variable;
  }

  /** Takes the expression that is shown from now on; null for none. */
  follow(shown: Shown | null): void {
    this.#shown = shown;
    this.#forward = shown === null ? [] : nodesOf(shown.root);
    this.setVariable(this.variable);
  }

  /** Chooses the tensor of the gradient; "" for none. */
  setVariable(name: string): void {
    this.variable = name;
    this.tree = null;
    this.error = "";
    this.report = null;
    const variable = this.#shown?.tensors.get(name);
    try {
      if (variable !== undefined) this.tree = this.#gradientOf(variable);
      else if (name !== "" && this.#shown !== null) this.error = `there is no tensor ${name}`;
    } catch (error) {
      this.error = errorText(error);
    }
    this.#nodes = this.tree === null ? [] : nodesOf(this.tree);
  }

  /** Returns true if the expression has the node. */
  isForward(node: ExpressionTree): boolean {
    return this.#forward.includes(node);
  }

  /** The nodes of the gradient that the expression has, too: they are computed once if both are assigned together. */
  get shared(): ExpressionTree[] {
    return this.#nodes.filter((node) => this.isForward(node));
  }

  /** Looks at a node of the expression or of its gradient. */
  choose(node: ExpressionTree): void {
    const isForward = this.isForward(node);
    const composed = this.#shown?.composed.get(node);
    const ruleName = node.inputs.length === 0 ? "" : (composed?.name ?? node.op);
    this.report = {
      node,
      ruleName,
      rule: kLines[ruleName] ?? "",
      partOf: isForward ? this.#wholeOf(node) : "",
      value: elementsOf(node),
      gradient: isForward && this.variable !== "" ? this.#gradientAt(node) : "",
    };
  }

  /** The chosen node as a text for the address: its number in the expression or in the gradient, such as e2 or g0; "" for none. */
  get key(): string {
    if (this.report === null) return "";
    const { node } = this.report;
    const at = this.#forward.indexOf(node);
    return at >= 0 ? `e${at}` : `g${this.#nodes.indexOf(node)}`;
  }

  chooseKey(key: string): void {
    const [, where, number] = /^([eg])(\d{1,4})$/.exec(key) ?? [];
    const node = (where === "e" ? this.#forward : this.#nodes)[Number(number)];
    if (node !== undefined) this.choose(node);
  }

  state(): PanelState {
    const { variable, error, tree, report, key } = this;
    return {
      variable,
      error,
      op: tree?.op ?? null,
      dimensions: tree?.dimensions ?? null,
      nodes: this.#nodes.length,
      shared: this.shared.map(({ op }) => op),
      value: tree === null ? "" : elementsOf(tree),
      chosen: report === null ? null : { key, op: report.node.op, ...without(report) },
    };
  }

  /** Returns the gradient of the expression, or of the sum of its elements if it has several. */
  #gradientOf(variable: AnyOperand): ExpressionTree {
    const { dtype, dimensions } = this.#shown!.root;
    const options = dimensions.length === 0 ? {} : { outputGradients: constant(dtype as "float32", 1, dimensions) };
    const [gradient] = gradients(this.#shown!.root as never, [variable] as never, options as never) as readonly AnyOperand[];
    return treeOf(gradient!);
  }

  #gradientAt(node: ExpressionTree): string {
    try {
      return elementsOf(this.#gradientOf(node as unknown as AnyOperand));
    } catch (error) {
      return errorText(error);
    }
  }

  /** Returns the name of the composed operation that a node is inside of. */
  #wholeOf(node: ExpressionTree): string {
    for (const [root, { name, operand }] of this.#shown?.composed ?? []) {
      const parts = nodesOf(root).filter((each) => each !== root && !nodesOf(operand).includes(each));
      if (parts.includes(node)) return name;
    }
    return "";
  }
}

/** Returns a report without its node. */
function without({ ruleName, rule, partOf, value, gradient }: NodeReport): PanelState {
  return { ruleName, rule, partOf, value, gradient };
}

/** Returns the elements of a node as text. */
function elementsOf(node: ExpressionTree): string {
  using elements = Tensor.evaluate(node as unknown as AnyOperand);
  return elements.toString();
}
