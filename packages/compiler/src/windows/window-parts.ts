/**
 * window-parts: reductions over the windows of a padded map, in parts that read the map where it is: without the padding where that changes
 * nothing, otherwise with padded edges.
 */
import type { ExpressionTree } from "@onebuffer/expression";
import { clippedWindows } from "./clipped-windows.ts";
import { paddedEdges } from "./padded-edges.ts";

/**
 * Returns a reduction over windows of a padded map as a concatenation of parts that read the map itself, or as one such part, if the padding is
 * the same for all windows; null for other trees.
 */
export const windowParts = (tree: ExpressionTree): ExpressionTree | null => clippedWindows(tree) ?? paddedEdges(tree);
