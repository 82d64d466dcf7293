// Groups of assignments: several nodes of a random tree, which have parts in common, are stored at once, in new memory at any place or, as an
// update, in the memory of leaves that others read.
import { assignTogether, updateTogether } from "@onebuffer/eigen";
import { Dice } from "../kernel/kernel-subjects.ts";
import { product } from "../row-major.ts";
import type { Built } from "./build-tree.ts";
import { buildTree, wholeMap } from "./build-tree.ts";
import type { Expected } from "./compare-tree.ts";
import { expectedOf, firstDifference } from "./compare-tree.ts";
import { growTree, scattered } from "./grow-tree.ts";
import { randomPlace } from "./random-leaf.ts";
import type { LeafSpec, TreeSpec } from "./tree-spec.ts";

/** What a group gave: agreement, an error of an element, or a difference. */
export interface GroupVerdict {
  readonly kind: "agrees" | "refused" | "differs";
  readonly detail: string;
}

/** Returns the elements that are expected, read at once: the memory that they depend on will be written. */
function held({ dtype, dims, value, error }: Expected): Expected {
  const places = Array.from({ length: product(dims) }, (_, k) => k);
  const [values, errors] = [places.map(value), places.map(error)];
  return { dtype, dims, value: (k) => values[k], error: (k) => errors[k]! };
}

/** Returns a leaf in which a result may be stored, and which is in no other pair; null if there is none. */
function leafFor(root: Built, { nodes }: TreeSpec, operands: readonly Built[], used: ReadonlySet<Built>): Built | null {
  const fits = (operand: Built, i: number): boolean =>
    nodes[i]?.kind === "leaf" &&
    !used.has(operand) &&
    operand.dtype === root.dtype &&
    String(operand.dimensions) === String(root.dimensions) &&
    !(nodes[i] as LeafSpec).views.some(([method]) => method === "broadcast");
  return operands.find(fits) ?? null;
}

/** Checks the group with an index, for a seed: three times, of which the last ones use what is kept. */
export function checkGroup(seed: number, index: number): GroupVerdict {
  const spec = growTree(seed, index);
  const { operands } = buildTree(spec);
  const dice = new Dice(scattered(seed + 1, index));
  const computed = operands.filter((_, i) => spec.nodes[i]?.kind === "operation");
  const roots = Array.from({ length: 2 + dice.below(3) }, () => dice.pick(computed));
  let expected: readonly Expected[];
  try {
    expected = roots.map((root) => held(expectedOf(root, root.dimensions)));
  } catch (error) {
    if ((error as { code?: unknown }).code !== "INVALID_ARGUMENT") throw error;
    return { kind: "refused", detail: "" };
  }
  const isUpdate = dice.below(2) === 0;
  const used = new Set<Built>();
  const checks: (() => boolean)[] = [];
  const targets = roots.map((root) => {
    const leaf = isUpdate && dice.below(2) === 0 ? leafFor(root, spec, operands, used) : null;
    if (leaf !== null) return used.add(leaf) && leaf;
    const { map, isWhole } = wholeMap(root.dtype, root.dimensions, randomPlace(dice, 3), null);
    checks.push(isWhole);
    return map;
  });
  const before = [...used].map((leaf) => [leaf, [...leaf]] as const);
  const pairs = targets.map((target, t) => [target, roots[t]] as const) as never;
  for (const who of ["at first", "again", "by the kept plan"]) {
    for (const [leaf, elements] of before) leaf.copyFrom(elements);
    try {
      if (isUpdate) updateTogether(pairs);
      else assignTogether(pairs);
    } catch (error) {
      return { kind: "differs", detail: `${who}: throws ${(error as Error).stack}` };
    }
    const differences = targets.map((target, t) => firstDifference([...target], expected[t]!));
    const t = differences.findIndex((difference) => difference !== null);
    if (t >= 0) return { kind: "differs", detail: `${who}: result ${t} of ${roots.map(({ op }) => op)}: ${differences[t]}` };
    if (!checks.every((isWhole) => isWhole())) return { kind: "differs", detail: `${who}: bytes next to a target were written` };
  }
  return { kind: "agrees", detail: "" };
}
