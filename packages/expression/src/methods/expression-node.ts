/**
 * ExpressionNode: the class that implements Expression. A node holds an operation, its operands, and dtype and sizes of the result.
 *
 *     op  inputs  attributes  dtype  dimensions  depth  code        assigned in this order, never changed afterwards
 *     plan  number                                                  what walks over trees have kept of the node, which programs do not see
 *     deferred                                                      operands that are made when they are first read; the list is then null
 *     shown                                                         what programs see of the lists: frozen copies, null until one is read
 *
 * Nodes are immutable. The lists are stored in fields of other names, and programs see frozen copies of them through getters, which make them
 * the first time: programs make nodes in loops that take nanoseconds per iteration, and Object.freeze would take longer than everything else.
 * The lists themselves stay as they are, because engines read a list that may be frozen or not more slowly: with frozen lists a kept plan of
 * four operations on one element took 170 ns in place of 112. Attributes are frozen where they are. Functions that make the fields must
 * copy arrays that come from a caller.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { defineAdvice, defineInspection, defineNumberAdvice, definePropertyAdvice } from "@onebuffer/base/internal";
import { product } from "@onebuffer/storage/internal";
import { shownCall } from "../inference/broadcast-dims.ts";
import { CompositeBase } from "./composite-base.ts";
import { deferredNode } from "./deferred-node.ts";
import type { MakeNode } from "./deferred-node.ts";
import { flatClass } from "./flat-class.ts";
import type { Expression } from "../tree/expression.ts";
import { codedDTypes, codeOf, kCode, kDTypeBits, kPlan } from "../tree/node-code.ts";
import { kDeferred } from "../tree/deferred-inputs.ts";
import type { DeferredInputs } from "../tree/deferred-inputs.ts";
import { kNumber } from "../tree/node-numbers.ts";
import type { ExpressionFields, ExpressionTree, OpAttributes } from "../tree/op-attributes.ts";
import { noAttributes } from "../tree/op-attributes.ts";
import { operationName } from "../tree/custom-record.ts";
import { treeText } from "../tree/tree-text.ts";
import type { TreeTextLimits } from "../tree/tree-text.ts";
import type { OpName } from "../tree/op-table.ts";

/** The maximal depth of a tree. Without it, a program that adds up and never assigns would fail only when memory runs out. */
export const kMaxDepth = 100_000;

/** How much of a tree consoles show. */
const kShown: TreeTextLimits = { levels: 5, characters: 200 };

/** Frozen copies of a node's lists; `inputs` is null if the operands are deferred. */
interface ShownLists {
  readonly inputs: readonly ExpressionTree[] | null;
  readonly dimensions: readonly number[];
}

/** All methods, and how they make nodes: what expressions and maps have in common. */
export abstract class NodeMethods extends CompositeBase {
  protected override makeNode(fields: ExpressionFields): ExpressionTree {
    return makeExpression(fields);
  }

  protected override makeElementwise(
    op: OpName,
    inputs: readonly ExpressionTree[],
    dimensions: readonly number[],
    depth: number,
    code: number,
  ): ExpressionTree {
    return makeElementwise(op, inputs, dimensions, depth, code);
  }

  protected override makeDeferred(
    name: string,
    from: readonly ExpressionTree[],
    numbers: readonly number[],
    make: () => ExpressionTree,
  ): this {
    return makeDeferred(name, from, numbers, make) as this;
  }
}

/** The implementation of Expression. */
class ExpressionNode extends flatClass(NodeMethods) {
  declare readonly op: OpName;
  declare readonly rawInputs: readonly ExpressionTree[] | null;
  declare readonly rawAttributes: OpAttributes;
  declare readonly dtype: DType;
  declare readonly rawDimensions: readonly number[];
  declare readonly depth: number;
  declare readonly [kCode]: number;
  declare [kPlan]: object | null;
  declare shown: ShownLists | null;
  declare [kNumber]: number;
  declare readonly [kDeferred]: DeferredInputs | null;

  /** Takes one argument per field: an object to pass them in would cost as much as the node. */
  constructor(
    op: OpName,
    inputs: readonly ExpressionTree[] | null,
    attributes: OpAttributes,
    dtype: DType,
    dimensions: readonly number[],
    depth: number,
    code: number,
    deferred: DeferredInputs | null,
  ) {
    super();
    if (depth > kMaxDepth) throw depthError(op, inputs ?? deferred!.from);
    this.op = op;
    this.rawInputs = inputs;
    this.rawAttributes = attributes;
    this.dtype = dtype;
    this.rawDimensions = dimensions;
    this.depth = depth;
    this[kCode] = code;
    this[kPlan] = null;
    this.shown = null;
    this[kNumber] = 0;
    this[kDeferred] = deferred;
  }

  get inputs(): readonly ExpressionTree[] {
    return shownLists(this).inputs ?? this[kDeferred]!.inputs;
  }

  get attributes(): OpAttributes {
    shownLists(this);
    return this.rawAttributes;
  }

  get dimensions(): readonly number[] {
    return shownLists(this).dimensions;
  }

  /** The number of dimensions. */
  get rank(): number {
    return this.rawDimensions.length;
  }

  /** The number of elements. */
  get size(): number {
    return product(this.rawDimensions);
  }

  static {
    const readers = ["at", "toArray"];
    defineAdvice(this.prototype, readers, (_, name) => `an expression has no elements for ${name}: evaluate(expression).${name}(…)`);
    defineNumberAdvice(this.prototype, "an expression is not a number: item(expression) computes the value of one with a single element");
    definePropertyAdvice(this.prototype, ["data"], () => "an expression has no data: evaluate(expression).data is the elements");
    defineAdvice(this.prototype, ["item"], () => "an expression has no elements for item: item(expression) computes its one element");
    defineAdvice(this.prototype, ["dispose"], () => "an expression owns nothing and is not disposed; dispose of the tensors");
    defineInspection(this.prototype, (node, inside) => (inside ? node.toString() : `${node.toString()}\n${treeText(node, kShown)}`));
  }

  /** Formats the node: `Expression<add, float32, [2, 3]>`. */
  override toString(): string {
    return `Expression<${operationName(this)}, ${this.dtype}, [${this.dimensions.join(", ")}]>`;
  }
}

/** Returns what programs see of the lists of a node; the first time makes the copies, and freezes the attributes and the lists in them. */
function shownLists(node: ExpressionNode): ShownLists {
  if (node.shown !== null) return node.shown;
  const { rawInputs, rawAttributes, rawDimensions } = node;
  for (const part of [rawAttributes, ...Object.values(rawAttributes)]) Object.freeze(part);
  const shown = { inputs: rawInputs && Object.freeze([...rawInputs]), dimensions: Object.freeze([...rawDimensions]) };
  // A program may have frozen the node itself, which then remembers nothing.
  if (!Object.isFrozen(node)) node.shown = shown;
  return shown;
}

/** Makes the error for a tree that is too deep. Outside the constructor, so that the constructor is small enough to be inlined. */
function depthError(op: OpName, inputs: readonly ExpressionTree[]): InvalidArgumentError {
  return new InvalidArgumentError(`${shownCall(op, inputs)}: more than ${kMaxDepth} operations deep, assign intermediate results`);
}

/** Returns a node with these fields, which must be inferred and checked. Throws INVALID_ARGUMENT if the tree is deeper than kMaxDepth. */
export function makeExpression<D extends DType, R extends number>(fields: ExpressionFields): ExpressionTree & Expression<D, R> {
  const { op, inputs, attributes, dtype, dimensions } = fields;
  let depth = 0;
  for (let k = 0; k < inputs.length; k++) if (inputs[k]!.depth >= depth) depth = inputs[k]!.depth + 1;
  const node: unknown = new ExpressionNode(op, inputs, attributes, dtype, dimensions, depth, codeOf(op, dtype, attributes), null);
  return node as ExpressionTree & Expression<D, R>;
}

/** Returns a node of an elementwise operation without attributes; `code` includes the dtype. Throws as `makeExpression` does. */
export function makeElementwise(
  op: OpName,
  inputs: readonly ExpressionTree[],
  dimensions: readonly number[],
  depth: number,
  code: number,
): ExpressionTree {
  return new ExpressionNode(op, inputs, noAttributes, codedDTypes[code & kDTypeBits] as DType, dimensions, depth, code, null);
}

const withDeferred: MakeNode = (deferred, { op, attributes, dtype, dimensions, code }, depth) =>
  new ExpressionNode(op, null, attributes, dtype, dimensions, depth, code, deferred);

/**
 * Returns the result of a call of `name`, which `make` makes of `from` and `numbers`, as one node whose operands are made when they are first
 * read (deferred-node.ts). Throws what `make` throws, and INVALID_ARGUMENT if the tree is deeper than kMaxDepth.
 */
export function makeDeferred(
  name: string,
  from: readonly ExpressionTree[],
  numbers: readonly number[],
  make: () => ExpressionTree,
): ExpressionTree {
  return deferredNode(withDeferred, name, from, numbers, make);
}
