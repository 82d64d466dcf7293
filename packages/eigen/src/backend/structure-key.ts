/**
 * structureOf: a text that two expressions share exactly if one compiled program computes both (XLA's compilation cache has the same key:
 * the computation without its arguments). Maps count by dtype, sizes, placement and by which of them are the same map.
 */
import type { ExpressionTree } from "@onebuffer/expression";
import { isMap, operationName, treeOrder } from "@onebuffer/expression/internal";

/** The structure of expressions and the maps that they read, in the order of treeOrder. */
export interface Structure {
  readonly key: string;
  readonly leaves: readonly ExpressionTree[];
}

/** Returns the structure of expressions. `placeOf` returns the placement of a map as a text. */
export function structureOf(roots: readonly ExpressionTree[], placeOf: (leaf: ExpressionTree) => string): Structure {
  const order = treeOrder(roots);
  const numbers = new Map<ExpressionTree, number>();
  const leaves: ExpressionTree[] = [];
  let key = "";
  for (const node of order) {
    numbers.set(node, numbers.size);
    const { dtype, dimensions } = node;
    key += `${operationName(node)} ${dtype} ${dimensions.join()}`;
    if (isMap(node)) {
      leaves.push(node);
      key += `@${placeOf(node)}`;
    } else {
      key += attributesText(node.attributes);
      for (const input of node.inputs) key += ` ${numbers.get(input)}`;
    }
    key += "\n";
  }
  for (const root of roots) key += `>${numbers.get(root)}`;
  return { key, leaves };
}

/** What was found for expressions and the placements of their results. */
interface Kept extends Structure {
  readonly roots: readonly ExpressionTree[];
  /** The placements of the results, one text each. */
  readonly placements: readonly string[];
}

/**
 * The structures of expressions that are computed again and again, such as the step of a training, so that only the first call walks through
 * them. Expressions do not change, and a structure is forgotten with the first of its expressions.
 */
export class KeptStructures {
  readonly #kept: WeakMap<ExpressionTree, Kept> = new WeakMap();

  /** Returns the structure of at least one expression; the placements of the results are part of its key. */
  of(roots: readonly ExpressionTree[], placements: readonly string[], placeOf: (leaf: ExpressionTree) => string): Structure {
    const first = roots[0]!;
    const kept = this.#kept.get(first);
    if (kept !== undefined && isSameList(kept.roots, roots) && isSameList(kept.placements, placements)) return kept;
    const { key, leaves } = structureOf(roots, placeOf);
    const made = { roots, placements, leaves, key: [key, ...placements].join(";") };
    this.#kept.set(first, made);
    return made;
  }
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, k) => each === b[k]);
}

/** Returns an operation's attributes as a text: numbers, bigints, booleans, null and lists of these, and the record that a node may carry. */
function attributesText(attributes: object): string {
  let text = "";
  for (const name in attributes) {
    const value = (attributes as Readonly<Record<string, unknown>>)[name];
    text += ` ${name}=${name === "record" ? recordNumber(value as object) : valueText(value)}`;
  }
  return text;
}

const recordNumbers = new WeakMap<object, number>();
let numRecords = 0;

/** Returns the number of a record: two records are different operations even if their names are equal. */
function recordNumber(record: object): number {
  const known = recordNumbers.get(record);
  if (known !== undefined) return known;
  recordNumbers.set(record, numRecords);
  return numRecords++;
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join()}]`;
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "object" && value !== null) return `{${attributesText(value)}}`;
  return Object.is(value, -0) ? "-0" : String(value);
}
