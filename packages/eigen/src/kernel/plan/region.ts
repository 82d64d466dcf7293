/**
 * region: which nodes of a tree one kernel computes together, decided before it is lowered (XLA's counterpart is instruction fusion).
 *
 *     add(e, reverse(e))      e is read in two ways       e is stored first: a stage
 *     sub(x, mean(x))         x is read in one way        all of it is one kernel
 *
 * A node is part of the region if all its users are, and all of them read it under the same geometry. Another node becomes a stage
 * unless it is cheap: then it is computed again wherever it is read. So no expensive node is in two regions, or twice in one, and
 * the regions of an assignment are together no larger than a multiple of its tree.
 *
 * A region is also limited in size: kernels of thousands of operations are slow to compile and run out of registers, and the
 * argument block has room for some hundred operands.
 */
import { sameSizes } from "../../geometry/same-sizes.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { product } from "../../geometry/map-geometry.ts";
import { isOwnRow, movedKey, reducedAxes } from "./lowering-moves.ts";
import type { Moves } from "./lowering-moves.ts";
import { argumentRoom } from "./kernel-spec.ts";
import { kLinspaceOperands, kPlainOperands } from "./sharing.ts";
import type { NodeKind, Sharing } from "./sharing.ts";

/** Operations of a region from which on it ends at the next node that all further ones lead to, and the most there are. */
const kEnoughOperations = 128;
const kMaxOperations = 192;
/** Reductions of a region, and how many of them may follow each other: each needs a pass over the row. */
const kMaxReductions = 16;
const kMaxPasses = 6;
/** Movements between a region's result and a node. */
const kMaxMoves = 16;

/** The indices that all values of a program live in, and the axes of its rows. */
export interface Space {
  readonly dims: readonly number[];
  readonly axes: readonly number[];
  /** The one reduction that may be fused; null if all may. */
  readonly only: ExpressionTree | null;
}

/** A result of a region, and what lies between it and the space. */
export interface RegionRoot {
  readonly node: ExpressionTree;
  readonly moves: Moves | null;
}

/** A decided region. */
export interface Region {
  /** Nodes that are stored first. */
  readonly staged: ReadonlySet<ExpressionTree>;
  /** How many reductions it computes. */
  readonly reductions: number;
}

/** The region of a tree that needs no decisions. */
const kPlainRegion: Region = { staged: new Set(), reductions: 0 };

/** A node that the region has reached. */
interface Demand {
  readonly node: ExpressionTree;
  readonly kind: NodeKind;
  /** The different ways in which it is read. */
  readonly views: (Moves | null)[];
  /** How many of its users in the region have been seen. */
  users: number;
  /** Whether a user may be computed somewhere else, too. */
  isOpen: boolean;
  /** Reductions above it that follow each other. */
  passes: number;
  /** How many of the views have been passed on to its operands. */
  done: number;
}

/** Whether a reduction's sizes and axes are those of the space, and its result is that of the own row. */
export function fitsRow(node: ExpressionTree, moves: Moves | null, { dims, axes, only }: Space): boolean {
  const from = node.inputs[0]!.dimensions;
  if (axes.length === 0 || (only ?? node) !== node || !sameSizes(from, dims) || !sameSizes(reducedAxes(node), axes)) return false;
  return isOwnRow(node.dimensions, moves, dims, axes);
}

/** The region of these results in a space. */
export function regionOf(roots: readonly RegionRoot[], space: Space, sharing: Sharing): Region {
  return sharing.isPlain && kPlainOperands <= argumentRoom(space.dims) ? kPlainRegion : new RegionWalk(roots, space, sharing).region();
}

/** Whether a movement has more elements than its operand. */
function expands(node: ExpressionTree): boolean {
  return node.op === "broadcast" && product(node.dimensions) > product(node.inputs[0]!.dimensions);
}

/**
 * The nodes below a result of the plain evaluator that are stored first: those that are used elsewhere, too. It has its own ways to
 * deal with what is used several times by itself.
 */
export function evaluatedRegion(root: ExpressionTree, sharing: Sharing): ReadonlySet<ExpressionTree> {
  const staged = new Set<ExpressionTree>();
  const users = new Map<ExpressionTree, number>();
  const waiting = new Set<ExpressionTree>();
  const taken = [root];
  for (;;) {
    let node = taken.pop();
    // Only nodes are left that have users elsewhere.
    const isOpen = node === undefined;
    for (const next of waiting) {
      if (node !== undefined) break;
      waiting.delete(next);
      if (sharing.isCheap(next)) node = next;
      else staged.add(next);
    }
    if (node === undefined) return staged;
    for (const input of node.inputs) {
      if (sharing.kindOf(input) === "leaf" || staged.has(input)) continue;
      const count = (users.get(input) ?? 0) + 1;
      users.set(input, isOpen ? Number.NEGATIVE_INFINITY : count);
      waiting.add(input);
      if (count !== sharing.usesOf(input) || isOpen) continue;
      waiting.delete(input);
      taken.push(input);
    }
  }
}

/** One walk from the results down. Nodes whose users are all known come first; then those that others use, too. */
class RegionWalk {
  readonly #space: Space;
  readonly #sharing: Sharing;
  readonly #roots: ReadonlySet<ExpressionTree>;
  readonly #staged: Set<ExpressionTree> = new Set();
  readonly #demands: Map<ExpressionTree, Demand> = new Map();
  /** Demands all of whose users are in the region. */
  readonly #closed: Demand[] = [];
  /** Nodes that are neither decided nor leaves. */
  readonly #waiting: Set<Demand> = new Set();
  readonly #maxOperands: number;
  #operands = 0;
  #operations = 0;
  #reductions = 0;

  constructor(roots: readonly RegionRoot[], space: Space, sharing: Sharing) {
    this.#space = space;
    this.#sharing = sharing;
    this.#roots = new Set(roots.map(({ node }) => node));
    this.#maxOperands = argumentRoom(space.dims) - roots.length;
    for (const { node, moves } of roots) this.#reach(node, moves, null);
  }

  region(): Region {
    for (const node of this.#roots) this.#closed.push(this.#demands.get(node)!);
    for (;;) {
      const demand = this.#closed.pop() ?? this.#firstWaiting();
      if (demand === null) return { staged: this.#staged, reductions: this.#reductions };
      this.#decide(demand);
    }
  }

  #firstWaiting(): Demand | null {
    for (const demand of this.#waiting) return demand;
    return null;
  }

  /** Notes that `user` reads a node under the moves. */
  #reach(node: ExpressionTree, moves: Moves | null, user: Demand | null): void {
    let demand = this.#demands.get(node);
    if (demand === undefined) {
      demand = { node, kind: this.#sharing.kindOf(node), views: [], users: 0, isOpen: false, passes: 0, done: 0 };
      this.#demands.set(node, demand);
    }
    if (user === null || user.done === 0) demand.users++;
    demand.isOpen ||= user?.isOpen === true;
    demand.passes = Math.max(demand.passes, (user?.passes ?? 0) + (user?.kind === "reduction" ? 1 : 0));
    if (!demand.views.includes(moves)) {
      demand.views.push(moves);
      this.#operands += node.op === "linspace" ? kLinspaceOperands : 1;
      if (demand.kind !== "leaf") this.#waiting.add(demand);
    }
    const isClosed = user !== null && !demand.isOpen && demand.kind !== "leaf" && demand.users === this.#sharing.usesOf(node);
    if (isClosed) this.#closed.push(demand);
  }

  #decide(demand: Demand): void {
    this.#waiting.delete(demand);
    const { node } = demand;
    if (this.#staged.has(node) || demand.done === demand.views.length) return;
    if (this.#belongs(demand)) this.#take(demand);
    else this.#staged.add(node);
  }

  /** Whether a node is computed in the region. */
  #belongs(demand: Demand): boolean {
    const { node, kind, views } = demand;
    const isReduced = kind === "reduction";
    if (kind === "stored" || kind === "leaf") return false;
    const rows = isReduced ? views.filter((moves) => fitsRow(node, moves, this.#space)).length : 0;
    if (isReduced && rows === 0) return false;
    const isOneView = isReduced ? rows === views.length : this.#isOneView(demand);
    if (this.#roots.has(node)) {
      demand.isOpen = !isOneView;
      return true;
    }
    if (demand.isOpen || demand.users < this.#sharing.usesOf(node) || !isOneView) {
      demand.isOpen = true;
      // What a broadcast repeats is stored, not the repeated elements.
      if (!this.#sharing.isCheap(node) && !expands(node)) return false;
    } else if (!this.#sharing.isCheap(node)) {
      if (this.#waiting.size === 0 && this.#operations >= kEnoughOperations) return false;
      if (kind === "movement" && (views[0]?.length ?? 0) >= kMaxMoves) return false;
      if (views[0]?.reshapes === true && kind === "elementwise" && movedKey(node.dimensions, views[0]) === null) return false;
    }
    if (isReduced && (this.#reductions >= kMaxReductions || demand.passes >= kMaxPasses)) return false;
    const fresh = views.length - demand.done;
    if (this.#operands + fresh * (node.inputs.length - 1) > this.#maxOperands) return false;
    return kind === "movement" || this.#operations + fresh <= kMaxOperations;
  }

  /** Whether all ways in which a node is read come to the same. */
  #isOneView({ node, views }: Demand): boolean {
    if (views.length === 1) return true;
    const key = movedKey(node.dimensions, views[0]!);
    return key !== null && views.every((moves) => movedKey(node.dimensions, moves) === key);
  }

  /** Takes a node into the region, and goes on to its operands: in all ways in which it is read, if they differ. */
  #take(demand: Demand): void {
    const { node, kind, views } = demand;
    const { moves } = this.#sharing;
    const isReduced = kind === "reduction";
    this.#operands -= views.length - demand.done;
    if (isReduced && demand.done === 0) this.#reductions++;
    const different = isReduced || !demand.isOpen ? 1 : views.length;
    for (let v = demand.done; v < different; v++) {
      const view = views[v]!;
      if (isReduced) this.#reach(node.inputs[0]!, null, demand);
      else if (kind === "movement") this.#reach(node.inputs[0]!, moves.before(node, view), demand);
      else if (kind === "same") this.#reach(node.inputs[0]!, view, demand);
      else {
        this.#operations++;
        for (const input of node.inputs) this.#reach(input, moves.spread(node, input, view), demand);
      }
      demand.done = v + 1;
    }
    demand.done = views.length;
  }
}
