/**
 * Compiles a tree to a function of the flat index. This is how the plain evaluator works: every node becomes a closure over the closures
 * of its operands. An element is computed when it is read, and an elementwise chain allocates nothing per element.
 *
 *     add([2,3], mul([3], 2))   ->   (i) => fround(a(i) + mul(i % 3))      mul = (i) => fround(b(i) * 2)
 *
 * Reductions, scans, products, orderings and scatters are computed completely first (whole-operations.ts). A node that several others
 * read remembers its last value. If they read it in different orders and it is expensive, it is computed completely too: otherwise a tree
 * that shares nodes n times over would take 2^n steps. In a chain of nodes, every 200th is computed completely, because the closures call
 * each other and the call stack is limited.
 */
import { product, rowMajorStrides, sameSizes } from "@onebuffer/storage/internal";
import type { DType, RawDType } from "@onebuffer/base";
import { FailedPreconditionError } from "@onebuffer/base";
import { attributesOf, isCast, isElementwise, movementReads, treeOrder } from "@onebuffer/expression/internal";
import type { MovementReads, OpNameOf } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { opTable } from "@onebuffer/expression";
import type { RawPlaces } from "@onebuffer/storage";
import { castFunction } from "./cast-function.ts";
import { accessTo } from "./element-access.ts";
import { binaryFunction, unaryFunction } from "./element-functions.ts";
import { broadcastMap, indexMap, movementGeometry } from "./index-map.ts";
import { randomValues } from "./random-values.ts";
import { storedValues } from "./stored-values.ts";
import type { Read, Value } from "./values.ts";
import { roundTo, valueKind } from "./values.ts";
import { checkedRow, customValues, multiplied, ordered, reduced, scanned, scanOfThree, scattered } from "./whole-operations.ts";

/** Operations per element above which a node that is read in several orders is computed completely. */
const kCostly = 64;
/** The maximal depth of closures that call each other for one element. */
const kMaxHeight = 200;

/** A leaf: a map, with access to its memory. */
export interface MapLeaf extends ExpressionTree {
  rawPlaces(): RawPlaces | null;
}

/** A compiled node. `cost` is the number of operations for one element, `height` the depth of closures that call each other for it. */
interface Compiled {
  readonly read: Read;
  readonly cost: number;
  readonly height: number;
}

/** The uses of a node: their number, and whether all of them read it at their own index. */
interface Use {
  count: number;
  inOrder: boolean;
}

/**
 * Returns the function from a flat index to the element of a tree. Computes whole operations (reductions, products …) now. Throws
 * RESOURCE_EXHAUSTED if their results cannot be allocated, and INVALID_ARGUMENT for errors in their elements.
 */
export function compileTree(tree: ExpressionTree): Read {
  const order = treeOrder([tree]);
  const uses = usesOf(order);
  const done = new Map<ExpressionTree, Compiled>();
  const left = new Map<ExpressionTree, number>();
  for (const node of order) {
    done.set(
      node,
      compile(
        node,
        node.inputs.map((input) => done.get(input) as Compiled),
        uses.get(node),
      ),
    );
    left.set(node, uses.get(node)?.count ?? 0);
    // Release a node after its last user is compiled: only the closures of its users then keep it and its stored elements.
    for (const input of node.inputs) {
      const users = (left.get(input) as number) - 1;
      left.set(input, users);
      if (users === 0) done.delete(input);
    }
  }
  return (done.get(tree) as Compiled).read;
}

function usesOf(order: readonly ExpressionTree[]): Map<ExpressionTree, Use> {
  const uses = new Map<ExpressionTree, Use>();
  for (const node of order) {
    for (const input of node.inputs) {
      const inOrder = isElementwise(node) && sameSizes(input.dimensions, node.dimensions);
      const use = uses.get(input);
      if (use === undefined) uses.set(input, { count: 1, inOrder });
      else {
        use.count++;
        use.inOrder &&= inOrder;
      }
    }
  }
  return uses;
}

function compile(node: ExpressionTree, inputs: readonly Compiled[], use: Use | undefined): Compiled {
  const cost = inputs.reduce((sum, input) => sum + input.cost, 1);
  const height = inputs.reduce((most, input) => Math.max(most, input.height), 0) + 1;
  const made = opTable[node.op].class;
  const isStored =
    made === "reduction" ||
    made === "scan" ||
    made === "contraction" ||
    made === "ordering" ||
    made === "custom" ||
    (made === "movement" && readsOf(node) === "updates");
  const read = readerOf(
    node,
    inputs.map((input) => input.read),
  );
  if (isStored || made === "leaf") return { read, cost: 1, height: 1 };
  return height < kMaxHeight ? shared({ read, cost, height }, node, use) : stored(node, read);
}

/** Makes a node remember its last value, or computes it completely, if several others read it. */
function shared(compiled: Compiled, node: ExpressionTree, use: Use | undefined): Compiled {
  const { read, cost, height } = compiled;
  if (use === undefined || use.count < 2 || cost < 3) return compiled;
  if (!use.inOrder && cost * use.count > kCostly) return stored(node, read);
  return { read: remembering(read), cost: use.inOrder ? Math.ceil(cost / use.count) : cost, height };
}

/** Computes a node completely. */
function stored({ dtype, dimensions }: ExpressionTree, read: Read): Compiled {
  return { read: storedValues(dtype, product(dimensions), read).read, cost: 1, height: 1 };
}

/** Remembers the last value: the other users ask for the same element right after the first. */
function remembering(read: Read): Read {
  let last = -1;
  let value: Value = 0;
  return (index) => {
    if (index === last) return value;
    value = read(index);
    last = index;
    return value;
  };
}

function readerOf(node: ExpressionTree, inputs: readonly Read[]): Read {
  switch (opTable[node.op].class) {
    case "leaf":
      return leafReader(node as MapLeaf);
    case "generator":
      return generatorReaders[node.op as OpNameOf<"generator">](node);
    case "random":
      return randomValues(node);
    case "unary":
      return unaryReader(node, inputs[0] as Read);
    case "binary":
      return binaryReader(node, inputs);
    case "ternary":
      return selectReader(node, inputs);
    case "movement":
      return movementReader(node, inputs);
    case "reduction":
      return reduced(node, inputs[0] as Read).read;
    case "scan":
      return (inputs.length > 1 ? scanOfThree(node, inputs) : scanned(node, inputs[0] as Read)).read;
    case "contraction":
      return multiplied(node, inputs[0] as Read, inputs[1] as Read).read;
    case "ordering":
      return ordered(node, inputs[0] as Read).read;
    case "custom":
      return customValues(node, inputs).read;
  }
}

function leafReader(leaf: MapLeaf): Read {
  const places = leaf.rawPlaces();
  if (places === null) throw new FailedPreconditionError(`elements of ${leaf.dtype} do not compute`);
  const { offset, read } = accessTo(places, leaf.dtype as RawDType);
  const at = indexMap({ offset, dims: places.dims, strides: places.strides });
  return at === null ? read : (index) => read(at(index));
}

/** The readers of the elements that are a function of their place. */
const generatorReaders: Readonly<Record<OpNameOf<"generator">, (node: ExpressionTree) => Read>> = {
  constant(node) {
    const { value } = attributesOf(node, "constant");
    const held: Value = typeof value === "boolean" ? Number(value) : value;
    return () => held;
  },
  linspace(node) {
    const { start, stop } = attributesOf(node, "linspace");
    const last = (node.dimensions[0] as number) - 1;
    const round = roundTo(node.dtype);
    return (index) => (index === last && last > 0 ? round(stop) : round(start + (index * (stop - start)) / Math.max(last, 1)));
  },
  iota(node) {
    const { axis } = attributesOf(node, "iota");
    const inner = product(node.dimensions.slice(axis + 1));
    const size = node.dimensions[axis] as number;
    const place = (index: number): number => Math.floor(index / inner) % size;
    if (valueKind(node.dtype) === "bigint") return (index) => BigInt(place(index));
    const round = roundTo(node.dtype);
    return (index) => round(place(index));
  },
};

function unaryReader(node: ExpressionTree, read: Read): Read {
  const from: DType = (node.inputs[0] as ExpressionTree).dtype;
  const compute = isCast(node)
    ? castFunction(from, node.dtype, attributesOf(node, "cast").saturate)
    : unaryFunction(node.op as OpNameOf<"unary">, from);
  return (index) => compute(read(index));
}

/** Returns the reader of operand k with the sizes of the node, to which it is broadcast. */
function broadcastReader(node: ExpressionTree, k: number, inputs: readonly Read[]): Read {
  const read = inputs[k] as Read;
  const at = broadcastMap((node.inputs[k] as ExpressionTree).dimensions, node.dimensions);
  return at === null ? read : (index) => read(at(index));
}

function binaryReader(node: ExpressionTree, inputs: readonly Read[]): Read {
  const left = broadcastReader(node, 0, inputs);
  const right = broadcastReader(node, 1, inputs);
  const compute = binaryFunction(node.op as OpNameOf<"binary">, (node.inputs[0] as ExpressionTree).dtype);
  return (index) => compute(left(index), right(index));
}

function selectReader(node: ExpressionTree, inputs: readonly Read[]): Read {
  const condition = broadcastReader(node, 0, inputs);
  const then = broadcastReader(node, 1, inputs);
  const otherwise = broadcastReader(node, 2, inputs);
  return (index) => (condition(index) === 0 ? otherwise(index) : then(index));
}

/** Returns where a movement reads its elements. */
function readsOf({ op }: ExpressionTree): MovementReads {
  return movementReads[op as OpNameOf<"movement">];
}

function movementReader(node: ExpressionTree, inputs: readonly Read[]): Read {
  const read = inputs[0] as Read;
  switch (readsOf(node)) {
    case "operands":
      return concatenatedReader(node, inputs);
    case "indices":
      return gatheredReader(node, read, inputs[1] as Read);
    case "updates":
      return scattered(node, read, inputs[1] as Read, inputs[2] as Read).read;
    case "strides": {
      const at = indexMap(movementGeometry(node));
      return at === null ? read : (index) => read(at(index));
    }
  }
}

function concatenatedReader(node: ExpressionTree, inputs: readonly Read[]): Read {
  const { axis } = attributesOf(node, "concatenate");
  const inner = product(node.dimensions.slice(axis + 1));
  const widths = node.inputs.map((input) => (input.dimensions[axis] as number) * inner);
  const width = (node.dimensions[axis] as number) * inner;
  return (index) => {
    const row = Math.floor(index / width);
    let place = index - row * width;
    let k = 0;
    while (place >= (widths[k] as number)) place -= widths[k++] as number;
    return (inputs[k] as Read)(row * (widths[k] as number) + place);
  };
}

function gatheredReader(node: ExpressionTree, read: Read, readIndex: Read): Read {
  const [operand, indices] = node.inputs as readonly [ExpressionTree, ExpressionTree];
  const { axis } = attributesOf(node, "gather");
  const size = operand.dimensions[axis] as number;
  const count = product(indices.dimensions);
  const inner = rowMajorStrides(operand.dimensions)[axis] as number;
  return (index) => {
    const row = Math.floor(index / inner);
    const position = row % count;
    const picked = checkedRow("gather", readIndex(position), position, size);
    return read((Math.floor(row / count) * size + picked) * inner + (index % inner));
  };
}
