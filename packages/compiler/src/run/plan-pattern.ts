/**
 * plan-pattern: an expression that a kept plan was found for, without its maps and constants. Another expression of the same pattern has
 * the same plan (in XLA: the same HLO module, hence the same executable).
 *
 *     sum(mul(a, b), [0])      sum [] {axes: [0], keepDims: false}
 *                                └ mul [1000]
 *                                    ├ map 0 [1000] float32       compared with a node: its code, sizes and attributes
 *                                    └ map 1 [1000] float32
 *
 * To compare takes a fraction of the time of a description by numbers (plan-numbers.ts) and its look-up.
 */
import { opTable } from "@onebuffer/expression";
import { compositions } from "../plan/plain-nodes.ts";
import { attributesOf, isConstant, kCode, kConstantCodes, kNoCode, kOperationCodes } from "@onebuffer/expression/internal";
import type { CodedTree } from "@onebuffer/expression/internal";
import { sameSizes } from "@onebuffer/storage/internal";
import type { Parameter } from "../plan/program.ts";
import { isSameConstant } from "../plan/constant-index.ts";
import { startOf } from "../plan/map-address.ts";
import type { DenseMap } from "../plan/map-address.ts";

/** The deepest pattern, and the most maps of one: patterns are made and compared by recursion. Larger expressions are described by numbers. */
const kMaxPattern = 64;

/** The pattern of a node. */
export interface PlanPattern {
  readonly code: number;
  readonly dimensions: readonly number[];
  readonly attributes: object;
  readonly inputs: readonly PlanPattern[];
  /**
   * The index of a map among the maps, or of a constant among the constants; equal ones count once. Of an operation that is used several
   * times, its index among those; -1 of others.
   */
  index: number;
  /** True for the second and later uses of an operation. */
  readonly isAgain: boolean;
  /** True if the elements of a map are the target's. */
  readonly isTarget: boolean;
}

/** What the open parts of a plan are in one expression. */
export interface MatchedParts {
  /** The target's address. */
  target: number;
  /** The addresses of the maps. */
  readonly starts: number[];
  numMaps: number;
  readonly constants: Parameter[];
  numConstants: number;
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
  const operations = new Map<CodedTree, PlanPattern>();
  let numShared = 0;
  const patternAt = (node: CodedTree): PlanPattern | null => {
    const code = node[kCode];
    const inputs = node.rawInputs!;
    const attributes = attributesOf(node, node.op);
    const leaf = { code, dimensions: node.rawDimensions!, attributes, inputs: [], index: -1, isAgain: false, isTarget: false };
    if (code >= 0 && code < kConstantCodes) {
      const index = maps.indexOf(node);
      return { ...leaf, index, isTarget: isTarget(index) };
    }
    if (isConstant(node) && code >= 0) {
      const { value } = attributesOf(node, "constant");
      return { ...leaf, index: constants.findIndex((each) => isSameConstant(each, node.dtype, value)) };
    }
    const first = operations.get(node);
    if (first !== undefined) {
      if (first.index < 0) first.index = numShared++;
      return { ...leaf, index: first.index, isAgain: true };
    }
    if (
      !(code >= kOperationCodes || code < kNoCode) ||
      (inputs.length === 0 && (opTable[node.op].class !== "generator" || compositions[node.op] !== undefined))
    )
      return null;
    const patterns = inputs.map(patternAt);
    if (patterns.includes(null)) return null;
    const pattern = { ...leaf, inputs: patterns as PlanPattern[] };
    operations.set(node, pattern);
    return pattern;
  };
  return patternAt(tree);
}

/** Returns true if an expression has a pattern. `parts` then has the addresses of its maps and its constants. */
export function matches(pattern: PlanPattern, node: CodedTree, parts: MatchedParts): boolean {
  const { code, index, inputs } = pattern;
  if (pattern.isAgain) return parts.shared[index] === node;
  if (node[kCode] !== code || !sameSizes(node.rawDimensions!, pattern.dimensions)) return false;
  if (code >= 0 && code < kOperationCodes)
    return code < kConstantCodes ? matchMap(pattern, node as DenseMap, parts) : matchConstant(index, node, parts);
  const operands = node.rawInputs!;
  if (operands.length !== inputs.length || !sameAttributes(attributesOf(node, node.op), pattern.attributes)) return false;
  for (let k = 0; k < inputs.length; k++) if (!matches(inputs[k]!, operands[k]!, parts)) return false;
  if (index >= 0) parts.shared[index] = node;
  return true;
}

function matchMap({ code, index, isTarget }: PlanPattern, map: DenseMap, parts: MatchedParts): boolean {
  const start = startOf(map, code);
  if (start < 0 || (start === parts.target) !== isTarget) return false;
  if (index < parts.numMaps) return parts.starts[index] === start;
  parts.starts[parts.numMaps++] = start;
  return true;
}

function matchConstant(index: number, node: CodedTree, parts: MatchedParts): boolean {
  const { dtype } = node;
  const { value } = attributesOf(node, "constant");
  if (index < parts.numConstants) return isSameConstant(parts.constants[index]!, dtype, value);
  parts.constants[parts.numConstants++] = { dtype, value };
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
