/**
 * From a tree to a function of the flat index: the plain evaluator's whole method. Every node becomes a closure over those of
 * its operands; an element is computed when it is asked for, and an elementwise chain allocates nothing per element.
 *
 *     add([2,3], mul([3], 2))   ->   (i) => fround(a(i) + mul(i % 3))      mul = (i) => fround(b(i) * 2)
 *
 * Reductions, scans, products, orderings and scatters are computed as a whole first (whole-operations.ts). A node that several others
 * read keeps its last value; where they read it in different orders and it is costly, it is computed as a whole, too, or a tree
 * that shares nodes n times over would take 2^n steps.
 */
import type { DType, RawDType } from "@onebuffer/base";
import { FailedPreconditionError } from "@onebuffer/base";
import type { ExpressionTree } from "../expression/op-attributes.ts";
import { attributesOf } from "../expression/op-attributes.ts";
import type { OpNameOf } from "../expression/op-table.ts";
import { opTable } from "../expression/op-table.ts";
import { product } from "../map-geometry.ts";
import type { RawPlaces } from "../raw-places.ts";
import { rowMajorStrides } from "../strided-geometry.ts";
import { castFunction } from "./cast-function.ts";
import { accessTo } from "./element-access.ts";
import { binaryFunction, unaryFunction } from "./element-functions.ts";
import { broadcastMap, indexMap, movementGeometry } from "./index-map.ts";
import { randomValues } from "./random-values.ts";
import { storedValues } from "./stored-values.ts";
import type { Read, Value } from "./values.ts";
import { fitOf, valueKind } from "./values.ts";
import { checkedRow, multiplied, ordered, reduced, scanned, scattered } from "./whole-operations.ts";

/** Operations per element above which a node that is read in several orders is computed as a whole. */
const kCostly = 64;

/** A leaf's memory: what every map class has. */
export interface MapLeaf extends ExpressionTree {
  rawPlaces(): RawPlaces | null;
}

/** A compiled node and what one element of it costs, in operations. */
interface Compiled {
  readonly read: Read;
  readonly cost: number;
}

/** Who reads a node: how many, and whether all of them at their own index. */
interface Use {
  count: number;
  inOrder: boolean;
}

/** The element of a tree at a flat index. Whole operations run now; RESOURCE_EXHAUSTED when they find no room. */
export function compileTree(tree: ExpressionTree): Read {
  const uses = new Map<ExpressionTree, Use>();
  countUses(tree, uses);
  return compile(tree, uses, new Map()).read;
}

function countUses(node: ExpressionTree, uses: Map<ExpressionTree, Use>): void {
  for (const input of node.inputs) {
    const inOrder = isElementwise(node) && sameSizes(input, node);
    const use = uses.get(input);
    if (use === undefined) {
      uses.set(input, { count: 1, inOrder });
      countUses(input, uses);
    } else {
      use.count++;
      use.inOrder &&= inOrder;
    }
  }
}

function isElementwise(node: ExpressionTree): boolean {
  const opClass = opTable[node.op].class;
  return opClass === "unary" || opClass === "binary" || opClass === "ternary";
}

function sameSizes(a: ExpressionTree, b: ExpressionTree): boolean {
  return a.dimensions.length === b.dimensions.length && a.dimensions.every((size, d) => size === b.dimensions[d]);
}

function compile(node: ExpressionTree, uses: ReadonlyMap<ExpressionTree, Use>, done: Map<ExpressionTree, Compiled>): Compiled {
  const known = done.get(node);
  if (known !== undefined) return known;
  const inputs = node.inputs.map((input) => compile(input, uses, done));
  const cost = inputs.reduce((sum, input) => sum + input.cost, 1);
  const made = opTable[node.op].class;
  const isStored = made === "reduction" || made === "scan" || made === "contraction" || made === "ordering" || node.op === "scatter";
  const read = readerOf(
    node,
    inputs.map((input) => input.read),
  );
  const use = uses.get(node);
  const compiled = isStored || made === "leaf" ? { read, cost: 1 } : shared({ read, cost }, node, use);
  done.set(node, compiled);
  return compiled;
}

/** A node that several read. */
function shared({ read, cost }: Compiled, node: ExpressionTree, use: Use | undefined): Compiled {
  if (use === undefined || use.count < 2 || cost < 3) return { read, cost };
  if (!use.inOrder && cost * use.count > kCostly) {
    return { read: storedValues(node.dtype, product(node.dimensions), read).read, cost: 1 };
  }
  return { read: remembering(read), cost: use.inOrder ? Math.ceil(cost / use.count) : cost };
}

/** Keeps the last value: the others ask for the same element right after. */
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
      return generatorReader(node);
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
      return scanned(node, inputs[0] as Read).read;
    case "contraction":
      return multiplied(node, inputs[0] as Read, inputs[1] as Read).read;
    case "ordering":
      return ordered(node, inputs[0] as Read).read;
  }
}

function leafReader(leaf: MapLeaf): Read {
  const places = leaf.rawPlaces();
  if (places === null) throw new FailedPreconditionError(`elements of ${leaf.dtype} do not compute`);
  const { offset, read } = accessTo(places, leaf.dtype as RawDType);
  const at = indexMap({ offset, dims: places.dims, strides: places.strides });
  return at === null ? read : (index) => read(at(index));
}

function generatorReader(node: ExpressionTree): Read {
  if (node.op === "constant") {
    const { value } = attributesOf(node, "constant");
    const held: Value = typeof value === "boolean" ? Number(value) : value;
    return () => held;
  }
  if (node.op === "linspace") {
    const { start, stop } = attributesOf(node, "linspace");
    const last = (node.dimensions[0] as number) - 1;
    const fit = fitOf(node.dtype);
    return (index) => (index === last && last > 0 ? fit(stop) : fit(start + (index * (stop - start)) / Math.max(last, 1)));
  }
  const { axis } = attributesOf(node, "iota");
  const inner = product(node.dimensions.slice(axis + 1));
  const size = node.dimensions[axis] as number;
  const place = (index: number): number => Math.floor(index / inner) % size;
  if (valueKind(node.dtype) === "bigint") return (index) => BigInt(place(index));
  const fit = fitOf(node.dtype);
  return (index) => fit(place(index));
}

function unaryReader(node: ExpressionTree, read: Read): Read {
  const from: DType = (node.inputs[0] as ExpressionTree).dtype;
  const compute =
    node.op === "cast"
      ? castFunction(from, node.dtype, attributesOf(node, "cast").saturate)
      : unaryFunction(node.op as OpNameOf<"unary">, from);
  return (index) => compute(read(index));
}

/** An operand under the sizes it is broadcast to. */
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

function movementReader(node: ExpressionTree, inputs: readonly Read[]): Read {
  const read = inputs[0] as Read;
  if (node.op === "concatenate") return concatenatedReader(node, inputs);
  if (node.op === "gather") return gatheredReader(node, read, inputs[1] as Read);
  if (node.op === "scatter") return scattered(node, read, inputs[1] as Read, inputs[2] as Read).read;
  const geometry = movementGeometry(node);
  const at = geometry === null ? null : indexMap(geometry);
  return at === null ? read : (index) => read(at(index));
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
    const picked = checkedRow(readIndex(position), position, size);
    return read((Math.floor(row / count) * size + picked) * inner + (index % inner));
  };
}
