/**
 * subtracted-rows: finds an update of few rows of a table: a scatter of zeros that is subtracted, as in the step of an embedding (TensorFlow's
 * IndexedSlices and ResourceSparseApplyGradientDescent).
 *
 *     table - rate * scatter(0, indices, g, add)      scatter(table, indices, -(rate * g), add): only the rows that indices name change
 */
import type { ExpressionTree } from "@onebuffer/expression";
import { attributesOf, isConstant, isMap } from "@onebuffer/expression/internal";
import { sameSizes } from "@onebuffer/storage/internal";
import { attributesIf } from "../plan/attributes-if.ts";
import { plainNode, treeNode } from "../plan/plain-nodes.ts";

/** Returns the scatter that adds rows to the map from which a tree subtracts them; null for other trees. */
export function subtractedRows({ op, inputs, dtype, dimensions }: ExpressionTree): ExpressionTree | null {
  if (op !== "sub" || (dtype !== "float32" && dtype !== "float64")) return null;
  const [map, change] = inputs as readonly [ExpressionTree, ExpressionTree];
  if (!isMap(map) || !sameSizes(map.dimensions, dimensions)) return null;
  const [factor, scatter] = change.op === "mul" ? change.inputs.toSorted((a, b) => a.inputs.length - b.inputs.length) : [null, change];
  if (attributesIf(scatter!, "scatter")?.reduction !== "add" || (factor !== null && !isPositive(factor!))) return null;
  const [zeros, indices, rows] = scatter!.inputs as readonly [ExpressionTree, ExpressionTree, ExpressionTree];
  if (!isConstant(zeros) || attributesOf(zeros, "constant").value !== 0 || !sameSizes(scatter!.dimensions, dimensions)) return null;
  const scaled = factor == null ? rows : plainNode("mul", dtype, rows, factor);
  return treeNode("scatter", [map, indices, plainNode("neg", dtype, scaled)], dimensions, scatter!.attributes, dtype);
}

/** Returns true for a positive constant: with other factors, a row that no index names could change, for 0 times infinity is NaN. */
function isPositive(node: ExpressionTree): boolean {
  if (!isConstant(node) || node.dimensions.length > 0) return false;
  const { value } = attributesOf(node, "constant");
  return typeof value === "number" && value > 0 && value < Infinity;
}
