/**
 * region: decides which nodes of a tree one kernel computes together, before the tree is lowered (in XLA: instruction fusion).
 *
 *     add(e, reverse(e))      e is read in two ways       e is stored first: a stage
 *     sub(x, mean(x))         x is read in one way        everything is one kernel
 *
 * A node belongs to the region if all its users do and all of them read it under the same geometry. Any other node becomes a stage
 * unless it is cheap; a cheap node is computed again wherever it is read. So no expensive node is in two regions, or twice in one, and
 * all regions of an assignment together are at most a constant factor larger than its tree.
 *
 * A square root, a division or an elementary function of few elements that rows repeat is a stage, too: the kernel would compute it for each
 * row.
 *
 * The size of a region is limited too: kernels of thousands of operations are slow to compile and run out of registers, and the
 * argument block has space for some hundred operands.
 */
import { isComplexDType, isStrideMove } from "@onebuffer/expression/internal";
import { product, sameSizes } from "@onebuffer/storage/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { isOwnRow, movedKey, reducedAxes } from "./lowering-moves.ts";
import type { Moves } from "./lowering-moves.ts";
import { argumentRoom } from "./kernel-spec.ts";
import { isMathOp, isSlowOp } from "./row-passes.ts";
import { kPlainOperands, operandsOf } from "./sharing.ts";
import type { NodeKind, Sharing } from "./sharing.ts";

/** From kEnoughOperations on, a region ends at the next node to which all further nodes lead; kMaxOperations is the hard limit. */
const kEnoughOperations = 128;
const kMaxOperations = 192;
const kComplexMath = 24;
const kComplexArithmetic = 4;
/** The most reductions of a region, and the most that depend on each other: each of those needs a pass over the row. */
const kMaxReductions = 16;
const kMaxPasses = 6;
/** The most movements between a region's result and a node. */
const kMaxMoves = 16;

/** Slow operations on elements that are repeated at least so many times, and so many elements more than they are, are stored first. */
const kLeastRepeated = 4;
const kLeastSaved = 4096;

/** The index space in which all values of a program live, and the axes of its rows. */
export interface Space {
  readonly dims: readonly number[];
  readonly axes: readonly number[];
  /** The only reduction that may be fused; null if all may. */
  readonly only: ExpressionTree | null;
}

/** A result of a region, and the movements between it and the space. */
export interface RegionRoot {
  readonly node: ExpressionTree;
  readonly moves: Moves | null;
}

/** A decided region. */
export interface Region {
  /** Nodes that are computed into memory first. */
  readonly staged: ReadonlySet<ExpressionTree>;
  /** The number of reductions that the region computes. */
  readonly reductions: number;
}

/** The region of a plain tree (see Sharing.isPlain): nothing is staged. */
const kPlainRegion: Region = { staged: new Set(), reductions: 0 };

/** A node that the walk has reached. */
interface Demand {
  readonly node: ExpressionTree;
  readonly kind: NodeKind;
  /** The different movements under which the node is read. */
  readonly views: (Moves | null)[];
  /** The number of its users in the region that the walk has visited. */
  users: number;
  /** True if a user may be computed in another region too. */
  isOpen: boolean;
  /** The number of reductions above the node that depend on each other. */
  passes: number;
  /** The number of views that have been passed on to the node's operands. */
  done: number;
}

/** Returns true if a reduction has the sizes and axes of the space, and its result is read by its own row only. */
export function fitsRow(node: ExpressionTree, moves: Moves | null, { dims, axes, only }: Space): boolean {
  const from = node.inputs[0]!.dimensions;
  if (axes.length === 0 || (only ?? node) !== node || !sameSizes(from, dims) || !sameSizes(reducedAxes(node), axes)) return false;
  return isOwnRow(node.dimensions, moves, dims, axes);
}

/** Decides the region of these results in a space. */
export function regionOf(roots: readonly RegionRoot[], space: Space, sharing: Sharing): Region {
  const isPlain = sharing.isPlain && kPlainOperands <= argumentRoom(space.dims) && !roots.some(({ node }) => hasRepeated(node, space));
  return isPlain ? kPlainRegion : new RegionWalk(roots, space, sharing).region();
}

/** Returns true for a slow operation of few elements that the kernels of a space would compute again for each row. */
function isRepeated({ op, dimensions }: ExpressionTree, { dims, axes }: Space): boolean {
  if (!isSlowOp(op)) return false;
  const [own, all] = [product(dimensions), product(dims)];
  if (own * kLeastRepeated > all || all - own < kLeastSaved) return false;
  // What is the same along a row is computed once for it, unless the rows run across the memory.
  const isAlongRows = axes.length === 0 || axes.includes(dims.length - 1);
  return !isAlongRows || (dimensions.at(-1) ?? 1) > 1;
}

/** Returns true if a tree that uses only leaves more than once has such an operation. */
function hasRepeated(root: ExpressionTree, space: Space): boolean {
  const nodes = [root];
  for (const node of nodes) {
    if (isRepeated(node, space)) return true;
    nodes.push(...node.inputs);
  }
  return false;
}

/** Returns true if a movement has more elements than its operand. */
function expands(node: ExpressionTree): boolean {
  return isStrideMove(node) && product(node.dimensions) > product(node.inputs[0]!.dimensions);
}

/**
 * Returns the nodes that are stored before the plain evaluator computes `root`: those that are also used outside its tree. Nodes that only
 * this tree uses several times are left to the evaluator, which handles them itself (evaluator/compile-tree.ts).
 */
export function evaluatedRegion(root: ExpressionTree, sharing: Sharing): ReadonlySet<ExpressionTree> {
  const staged = new Set<ExpressionTree>();
  const users = new Map<ExpressionTree, number>();
  const waiting = new Set<ExpressionTree>();
  const taken = [root];
  for (;;) {
    let node = taken.pop();
    // No node is left whose users are all known: the waiting nodes have users elsewhere.
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
      users.set(input, isOpen ? -Infinity : count);
      waiting.add(input);
      if (count !== sharing.usesOf(input) || isOpen) continue;
      waiting.delete(input);
      taken.push(input);
    }
  }
}

/** Returns how many operations of a region a node counts as: those on complex numbers are several on their parts. */
function operationsOf({ op, inputs }: ExpressionTree): number {
  return isComplexDType(inputs.at(-1)!.dtype) ? (isMathOp(op) ? kComplexMath : kComplexArithmetic) : 1;
}

/** One walk from the results down. Visits nodes whose users are all known first, then nodes that have other users too. */
class RegionWalk {
  readonly #space: Space;
  readonly #sharing: Sharing;
  readonly #roots: ReadonlySet<ExpressionTree>;
  readonly #staged: Set<ExpressionTree> = new Set();
  readonly #demands: Map<ExpressionTree, Demand> = new Map();
  /** Demands whose users are all in the region. */
  readonly #closed: Demand[] = [];
  /** Demands that are not decided yet; leaves are not among them. */
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

  /** Notes that `user` reads a node under the movements. */
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
      this.#operands += operandsOf(node);
      if (demand.kind !== "leaf") this.#waiting.add(demand);
    }
    const isClosed = user !== null && !demand.isOpen && demand.kind !== "leaf" && demand.users === this.#sharing.usesOf(node);
    if (isClosed) this.#closed.push(demand);
  }

  /** Takes a node into the region or stages it. */
  #decide(demand: Demand): void {
    this.#waiting.delete(demand);
    const { node } = demand;
    if (this.#staged.has(node) || demand.done === demand.views.length) return;
    if (this.#belongs(demand)) this.#take(demand);
    else this.#staged.add(node);
  }

  /** Returns true if a node is computed in the region. */
  #belongs(demand: Demand): boolean {
    const { node, kind, views } = demand;
    const isReduced = kind === "reduction";
    if (kind === "stored" || kind === "leaf") return false;
    const rows = isReduced ? views.filter((moves) => fitsRow(node, moves, this.#space)).length : 0;
    if (isReduced && rows === 0) return false;
    if (this.#isRepeated(demand)) return false;
    const isOneView = isReduced ? rows === views.length : this.#isOneView(demand);
    if (this.#roots.has(node)) {
      demand.isOpen = !isOneView;
      return true;
    }
    if (demand.isOpen || demand.users < this.#sharing.usesOf(node) || !isOneView) {
      demand.isOpen = true;
      // The operand of a broadcast is stored, not the repeated elements.
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

  /** Returns true for a slow operation on few elements, unless it reads what the region computes of the same row. */
  #isRepeated({ node, kind, views }: Demand): boolean {
    if (kind !== "elementwise" || this.#roots.has(node) || !isRepeated(node, this.#space)) return false;
    const { dims, axes } = this.#space;
    return this.#sharing.reductionOf(node) === null || !views.some((moves) => isOwnRow(node.dimensions, moves, dims, axes));
  }

  /** Returns true if all movements under which a node is read give the same geometry. */
  #isOneView({ node, views }: Demand): boolean {
    if (views.length === 1) return true;
    const key = movedKey(node.dimensions, views[0]!);
    return key !== null && views.every((moves) => movedKey(node.dimensions, moves) === key);
  }

  /** Takes a node into the region and reaches its operands, once for each view if the views differ. */
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
        this.#operations += operationsOf(node);
        for (const input of node.inputs) this.#reach(input, moves.spread(node, input, view), demand);
      }
      demand.done = v + 1;
    }
    demand.done = views.length;
  }
}
