/**
 * plan-pattern: an expression that a kept plan was found for, without its maps and constants. Another expression of the same pattern has
 * the same plan (in XLA: the same HLO module, hence the same executable).
 *
 *     sum(mul(a, b), [0])      sum [] {axes: [0], keepDims: false}
 *                                └ mul [1000]
 *                                    ├ map 0 [1000] float32       compared with a node: its code, sizes and attributes
 *                                    └ map 1 [1000] float32
 *
 * To compare takes a fraction of the time of a description by numbers (plan-numbers.ts) and its look-up. A node that has yet to make its
 * operands is compared by what it makes them from (deferred-inputs.ts), and does not make them.
 */
import type { DType } from "@onebuffer/base";
import { opTable } from "@onebuffer/expression";
import type { ExpressionTree } from "@onebuffer/expression";
import { compositions } from "../plan/plain-nodes.ts";
import {
  attributesOf,
  deferredInputs,
  isConstant,
  kCode,
  kConstantCodes,
  kNoCode,
  kOperationCodes,
  treeOrder,
} from "@onebuffer/expression/internal";
import type { CodedTree, DeferredInputs } from "@onebuffer/expression/internal";
import { sameSizes } from "@onebuffer/storage/internal";
import type { Staging } from "../places/staging.ts";
import type { Parameter } from "../plan/program.ts";
import { isSameConstant } from "../plan/constant-index.ts";
import type { DenseMap } from "../plan/map-address.ts";

/** The deepest pattern, and the most maps of one: patterns are made and compared by recursion. Larger expressions are described by numbers. */
const kMaxPattern = 64;

/** The pattern of a node. */
export interface PlanPattern {
  readonly code: number;
  readonly dimensions: readonly number[];
  readonly attributes: object;
  /** The patterns of the operands, or of what they are made from. */
  readonly inputs: readonly PlanPattern[];
  /**
   * The index of a map among the maps, or of a constant among the constants; equal ones count once. Of an operation that is used several
   * times, its index among those; -1 of others.
   */
  index: number;
  /** True for the second and later uses of a map, a constant or an operation. */
  readonly isAgain: boolean;
  /** True if the elements of a map are the target's. */
  readonly isTarget: boolean;
  /** How operands are made that nothing has read yet; null if they were there. */
  readonly deferred: Making | null;
}

/** How operands are made, and the patterns of the constants that they have besides those of what they are made from. */
interface Making extends Pick<DeferredInputs, "name" | "numbers"> {
  readonly constants: readonly ConstantPattern[];
}

/** A constant that all expressions of a pattern have. */
interface ConstantPattern extends Pick<PlanPattern, "index" | "isAgain"> {
  readonly parameter: Parameter;
}

/** What the open parts of a plan are in one expression. */
export interface MatchedParts {
  /** The target's address. */
  target: number;
  /** The addresses of the maps. */
  readonly starts: number[];
  readonly constants: Parameter[];
  /** Where maps outside the linear memory will be. */
  readonly staging: Staging;
  /** The operations that are used several times. */
  readonly shared: (CodedTree | null)[];
}

/**
 * Returns the pattern of an expression with these maps and constants. Returns null if there is none: if the expression is large, a map
 * has strides, or an operation other than iota makes elements.
 */
export function patternOf(
  tree: CodedTree,
  maps: readonly (object | null)[],
  constants: readonly Parameter[],
  isTarget: (map: number) => boolean,
): PlanPattern | null {
  if (tree.depth > kMaxPattern || maps.length > kMaxPattern) return null;
  return new PatternMaker(maps, constants, isTarget).at(tree);
}

/** Makes the pattern of an expression. */
class PatternMaker {
  readonly #maps: readonly (object | null)[];
  readonly #constants: readonly Parameter[];
  readonly #isTarget: (map: number) => boolean;
  readonly #operations: Map<ExpressionTree, PlanPattern> = new Map();
  /** The maps and constants that have been met. */
  readonly #met: Set<object> = new Set();
  #numShared = 0;

  constructor(maps: readonly (object | null)[], constants: readonly Parameter[], isTarget: (map: number) => boolean) {
    this.#maps = maps;
    this.#constants = constants;
    this.#isTarget = isTarget;
  }

  /** Returns the pattern of a node; null if there is none. */
  at(node: CodedTree): PlanPattern | null {
    const code = node[kCode];
    const attributes = attributesOf(node, node.op);
    const alone = {
      code,
      dimensions: node.rawDimensions!,
      attributes,
      inputs: [],
      index: -1,
      isAgain: false,
      isTarget: false,
      deferred: null,
    };
    if (code >= 0 && code < kConstantCodes) {
      const index = this.#maps.indexOf(node);
      return index < 0 ? null : { ...alone, index, isAgain: this.#isAgain(node), isTarget: this.#isTarget(index) };
    }
    if (isConstant(node) && code >= 0) return { ...alone, ...this.#constant(node) };
    const first = this.#operations.get(node);
    if (first !== undefined) {
      if (first.index < 0) first.index = this.#numShared++;
      return { ...alone, index: first.index, isAgain: true };
    }
    if (!(code >= kOperationCodes || code < kNoCode)) return null;
    const deferred = deferredInputs(node);
    const operands = (deferred?.from ?? node.rawInputs!) as readonly CodedTree[];
    if (operands.length === 0 && (opTable[node.op].class !== "generator" || compositions[node.op] !== undefined)) return null;
    // In the order of `matches`, for `isAgain`.
    const making = deferred === null ? null : this.#making(deferred);
    const inputs = operands.map((operand) => this.at(operand));
    if (inputs.includes(null)) return null;
    const pattern = { ...alone, inputs: inputs as PlanPattern[], deferred: making };
    this.#operations.set(node, pattern);
    return pattern;
  }

  #isAgain(met: object): boolean {
    const isAgain = this.#met.has(met);
    this.#met.add(met);
    return isAgain;
  }

  #constant(node: ExpressionTree): ConstantPattern {
    const { value } = attributesOf(node, "constant");
    const index = this.#constants.findIndex((each) => isSameConstant(each, node.dtype, value));
    const listed = this.#constants[index]!;
    return { index, isAgain: this.#isAgain(listed), parameter: listed };
  }

  #making({ name, numbers, from, inputs }: DeferredInputs): Making {
    const made = treeOrder(inputs, new Set(from)).filter((node) => isConstant(node) && !from.includes(node));
    return { name, numbers, constants: made.map((node) => this.#constant(node)) };
  }
}

/** Returns true if an expression has a pattern. `parts` then has the addresses of its maps and its constants. */
export function matches(pattern: PlanPattern, node: CodedTree, parts: MatchedParts): boolean {
  const { code, index, inputs, deferred } = pattern;
  const isOperation = !(code >= 0 && code < kOperationCodes);
  if (isOperation && pattern.isAgain) return parts.shared[index] === node;
  if (node[kCode] !== code || !sameSizes(node.rawDimensions!, pattern.dimensions)) return false;
  if (!isOperation) return code < kConstantCodes ? matchMap(pattern, node as DenseMap, parts) : matchConstant(pattern, node, parts);
  const operands = deferred === null ? node.rawInputs! : operandsAsMade(deferred, node, parts);
  if (operands === null || operands.length !== inputs.length || !sameAttributes(attributesOf(node, node.op), pattern.attributes))
    return false;
  for (let k = 0; k < inputs.length; k++) if (!matches(inputs[k]!, operands[k]!, parts)) return false;
  if (index >= 0) parts.shared[index] = node;
  return true;
}

/** Returns what the operands of a node are made from if they are made like those of the pattern; otherwise null. */
function operandsAsMade({ name, numbers, constants }: Making, node: CodedTree, parts: MatchedParts): readonly CodedTree[] | null {
  const deferred = deferredInputs(node);
  if (deferred === null || deferred.name !== name || !sameSizes(deferred.numbers, numbers)) return null;
  for (let k = 0; k < constants.length; k++) {
    const constant = constants[k]!;
    const { dtype, value } = constant.parameter;
    if (!takeConstant(constant, dtype, value, parts)) return null;
  }
  return deferred.from as readonly CodedTree[];
}

function matchMap({ code, index, isTarget, isAgain }: PlanPattern, map: DenseMap, { target, starts, staging }: MatchedParts): boolean {
  const start = staging.reach(map, code);
  if (start < 0 || (start === target) !== isTarget) return false;
  if (isAgain) return starts[index] === start;
  starts[index] = start;
  return true;
}

function matchConstant(pattern: PlanPattern, node: CodedTree, parts: MatchedParts): boolean {
  return takeConstant(pattern, node.dtype, attributesOf(node, "constant").value, parts);
}

/** Lists a constant the first time. Returns false if it is not the one that is listed. */
function takeConstant(
  { index, isAgain }: Pick<PlanPattern, "index" | "isAgain">,
  dtype: DType,
  value: Parameter["value"],
  { constants }: MatchedParts,
): boolean {
  if (isAgain) return isSameConstant(constants[index]!, dtype, value);
  constants[index] = { dtype, value };
  return true;
}

/** Returns true if the attributes of two nodes of one operation are equal. */
function sameAttributes(a: object, b: object): boolean {
  if (a === b) return true;
  for (const key in a) {
    const x = (a as Record<string, unknown>)[key];
    const y = (b as Record<string, unknown>)[key];
    if (x !== y && !(Array.isArray(x) && Array.isArray(y) && sameSizes(x, y))) return false;
  }
  return true;
}
