/**
 * loweredModule: writes the nodes of expressions, operands first, with the functions of the lowering table.
 *
 * With checks it also writes where elements are errors. A select drops the errors of the elements that it does not choose, a movement moves
 * them, and an operation that reads whole operands counts all of them, as `assign` does.
 */
import { UnimplementedError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/eigen";
import { attributesOf, isConstant, isMap, operationName, shownOperand } from "@onebuffer/expression/internal";
import type { Value } from "../text/builder.ts";
import { Builder } from "../text/builder.ts";
import { elementTypeOf } from "../text/tensor-type.ts";
import { inOwnType } from "./casts.ts";
import { Faults } from "./faults.ts";
import type { FaultKind, Site } from "./lowering.ts";
import { computedType } from "./lowering.ts";
import { loweringTable } from "./lowering-table.ts";

/** The expressions of a module. */
export interface ModuleParts {
  readonly roots: readonly ExpressionTree[];
  /** All nodes, operands first. */
  readonly order: readonly ExpressionTree[];
  /** The names of the arguments, in the order in which the leaves are in `order`. */
  readonly argumentNames: readonly string[];
  readonly checks: boolean;
  readonly locations: boolean;
}

/** The body of `main`. */
export interface LoweredModule {
  readonly lines: readonly string[];
  /** The names of the values that are returned: a result per root, then one per check. */
  readonly outputs: readonly string[];
  readonly checks: readonly FaultKind[];
}

/** Writes the nodes. Throws UNIMPLEMENTED for a node that StableHLO cannot express. */
export function loweredModule({ roots, order, argumentNames, checks, locations }: ModuleParts): LoweredModule {
  const b = new Builder();
  const faults = checks ? new Faults(b) : null;
  const values = new Map<ExpressionTree, Value>();
  let leaf = 0;
  order.forEach((node, k) => {
    b.locate(locations ? `${operationName(node)}#${k}` : "");
    const inputs = node.inputs.map((input) => values.get(input) as Value);
    const site: Site = { b, node, inputs, report: (kind, where) => faults?.report(node, kind, where) };
    values.set(node, isMap(node) ? argument(b, node, argumentNames[leaf++] as string) : lowered(site));
    faults?.carry(site, (moved) => lowered({ ...site, ...moved, report: () => undefined }));
  });
  b.locate("");
  const results = roots.map((root) => inOwnType(b, root.dtype, values.get(root) as Value));
  const found = faults?.atRoots(roots) ?? [];
  const outputs = [...results, ...found.map(([, where]) => where)];
  return { lines: b.linesFor(outputs), outputs: outputs.map(({ name }) => name), checks: found.map(([kind]) => kind) };
}

function argument(b: Builder, node: ExpressionTree, name: string): Value {
  const given = { name: `%${name}`, type: { element: elementTypeOf(node.dtype), dims: node.dimensions } };
  return b.convert(given, computedType(node.dtype));
}

function lowered(site: Site): Value {
  const { b, node } = site;
  if (isConstant(node)) {
    return b.constant(computedType(node.dtype), node.dimensions, attributesOf(node, "constant").value);
  }
  const lower = loweringTable[node.op];
  if (lower !== undefined) return lower(site);
  throw new UnimplementedError(`toStableHLO: ${node.op}, of ${shownOperand(node)}, has no form in StableHLO`);
}
