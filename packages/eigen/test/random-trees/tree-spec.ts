// The specification of a random tree as plain data: leaves with their elements and memory layout, operations by name, and the target. It
// can be built (build-tree.ts), shrunk (shrink-tree.ts) and printed as a program (print-tree.ts).
import type { RawDType, TypedArray } from "@onebuffer/base";

/** A method call: the method's name and its arguments. */
export type Call = readonly [method: string, ...args: unknown[]];

/** The memory of a leaf: in the linear memory ("arena"), in an array of its own ("outside"), or at an odd byte of either. */
export type Place = "arena" | "outside" | "unaligned" | "unaligned outside";

/** A leaf. `dims` are the sizes of its whole memory; `views` are the method calls that make the operand from a map of it. */
export interface LeafSpec {
  readonly kind: "leaf";
  readonly dtype: RawDType;
  readonly dims: readonly number[];
  readonly data: TypedArray;
  readonly views: readonly Call[];
  readonly place: Place;
}

/** An operation on earlier nodes: `inputs[0].op(...other inputs, ...args)`, or a function of that name. */
export interface OperationSpec {
  readonly kind: "operation";
  readonly op: string;
  readonly inputs: readonly number[];
  readonly args: readonly unknown[];
}

/** A leaf or an operation. */
export type NodeSpec = LeafSpec | OperationSpec;

/** The target: views of a new map of sizes `dims`, or of the memory of a leaf, which the result then overwrites. */
export interface TargetSpec {
  readonly leaf: number | null;
  /** The memory of a new map; in the linear memory if none is named. */
  readonly place?: Place;
  readonly dims: readonly number[];
  readonly views: readonly Call[];
}

/** A tree. Every node comes after its inputs, and the last node is the root. */
export interface TreeSpec {
  readonly nodes: readonly NodeSpec[];
  readonly target: TargetSpec;
}

/** Returns the inputs of a node. */
export const inputsOf = (node: NodeSpec): readonly number[] => (node.kind === "leaf" ? [] : node.inputs);

/** Returns the tree without the nodes that neither the root nor the target needs. */
export function pruned({ nodes, target }: TreeSpec): TreeSpec {
  const needed = new Set<number>([nodes.length - 1]);
  if (target.leaf !== null) needed.add(target.leaf);
  for (let i = nodes.length - 1; i >= 0; i--) if (needed.has(i)) for (const input of inputsOf(nodes[i] as NodeSpec)) needed.add(input);
  const places = [...needed].sort((a, b) => a - b);
  const moved = (i: number): number => places.indexOf(i);
  return {
    nodes: places.map((i) => {
      const node = nodes[i] as NodeSpec;
      return node.kind === "leaf" ? node : { ...node, inputs: node.inputs.map(moved) };
    }),
    target: target.leaf === null ? target : { ...target, leaf: moved(target.leaf) },
  };
}
