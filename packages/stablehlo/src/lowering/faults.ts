/**
 * Faults: where the elements of each node are errors, as i1 values, while a module with checks is written.
 *
 *     a.div(b)                              an error where b is 0
 *     select(b.equal(0), 0, a.div(b))       none: the condition chooses the other operand there
 *     a.div(b).reverse()                    moved like the elements
 *     a.div(b).sum()                        all elements are read, so an error anywhere counts
 */
import type { ExpressionTree } from "@onebuffer/eigen";
import { opTable } from "@onebuffer/eigen";
import { movementReads } from "@onebuffer/expression/internal";
import type { OpNameOf } from "@onebuffer/expression/internal";
import type { Builder, Value } from "../text/builder.ts";
import type { FaultKind, Site } from "./lowering.ts";

/** What a movement moves instead of its operands. */
export type Moved = Pick<Site, "inputs">;

type Places = Map<FaultKind, Value>;

/** The errors of all nodes of a module. */
export class Faults {
  readonly #b: Builder;
  readonly #byNode: Map<ExpressionTree, Places> = new Map();
  /** Errors that count whatever happens to the elements afterwards, as scalars. */
  readonly #certain: Places = new Map();

  constructor(b: Builder) {
    this.#b = b;
  }

  /** Notes elements of a node that are errors. */
  report(node: ExpressionTree, kind: FaultKind, where: Value): void {
    const places = this.#byNode.get(node) ?? new Map<FaultKind, Value>();
    this.#byNode.set(node, places);
    this.#join(places, kind, where);
  }

  /** Derives a node's errors from those of its operands. `move` writes the node for other operands. */
  carry(site: Site, move: (moved: Moved) => Value): void {
    const { node } = site;
    if (node.inputs.every((input) => !this.#byNode.has(input))) return;
    switch (opTable[node.op].class) {
      case "unary":
      case "binary":
        return this.#carryAll(node);
      case "ternary":
        return this.#carryChosen(site);
      case "movement":
        return this.#carryThrough(site, move);
      default:
        return this.#settle(node.inputs);
    }
  }

  /** Returns the kinds of errors that the roots have, each with a scalar. */
  atRoots(roots: readonly ExpressionTree[]): [FaultKind, Value][] {
    for (const root of roots) for (const [kind, where] of this.#byNode.get(root) ?? []) this.#join(this.#certain, kind, this.#any(where));
    return [...this.#certain];
  }

  #join(places: Places, kind: FaultKind, where: Value): void {
    const known = places.get(kind);
    places.set(kind, known === undefined ? where : this.#b.or(known, where));
  }

  #any(where: Value): Value {
    const axes = where.type.dims.map((_, d) => d);
    if (axes.length === 0) return where;
    const none = this.#b.constant("i1", [], false);
    return this.#b.reduce([where], [none], axes, (inner, [p, q]) => [inner.or(p as Value, q as Value)])[0] as Value;
  }

  #carryAll(node: ExpressionTree): void {
    for (const input of new Set(node.inputs))
      for (const [kind, where] of this.#byNode.get(input) ?? []) this.report(node, kind, this.#b.broadcast(where, node.dimensions));
  }

  #carryChosen({ node, inputs }: Site): void {
    const [condition, then, otherwise] = node.inputs as readonly [ExpressionTree, ExpressionTree, ExpressionTree];
    const chosen = this.#b.broadcast(inputs[0] as Value, node.dimensions);
    const report = (from: ExpressionTree, where: (errors: Value) => Value): void => {
      for (const [kind, errors] of this.#byNode.get(from) ?? []) this.report(node, kind, where(this.#b.broadcast(errors, node.dimensions)));
    };
    report(condition, (errors) => errors);
    report(then, (errors) => this.#b.and(errors, chosen));
    report(otherwise, (errors) => this.#b.and(errors, this.#b.not(chosen)));
  }

  #carryThrough(site: Site, move: (moved: Moved) => Value): void {
    const { node } = site;
    switch (movementReads[node.op as OpNameOf<"movement">]) {
      case "indices":
        return this.#carryGathered(site, move);
      case "updates":
        return this.#settle(node.inputs);
      default:
        return this.#carryMoved(site, move);
    }
  }

  #carryMoved({ node }: Site, move: (moved: Moved) => Value): void {
    const kinds = new Set(node.inputs.flatMap((input) => [...(this.#byNode.get(input)?.keys() ?? [])]));
    for (const kind of kinds) {
      const inputs = node.inputs.map((input) => this.#byNode.get(input)?.get(kind) ?? this.#b.constant("i1", input.dimensions, false));
      this.report(node, kind, move({ inputs }));
    }
  }

  /** Moves the errors of the rows that are read, and counts all errors of the indices. */
  #carryGathered({ node, inputs }: Site, move: (moved: Moved) => Value): void {
    const [rows, indices] = node.inputs as readonly [ExpressionTree, ExpressionTree];
    for (const [kind, where] of this.#byNode.get(rows) ?? []) this.report(node, kind, move({ inputs: [where, inputs[1] as Value] }));
    this.#settle([indices]);
  }

  /** Counts every error of some operands. */
  #settle(operands: readonly ExpressionTree[]): void {
    for (const input of new Set(operands))
      for (const [kind, where] of this.#byNode.get(input) ?? []) this.#join(this.#certain, kind, this.#any(where));
  }
}
