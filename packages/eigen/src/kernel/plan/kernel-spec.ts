/**
 * kernel-spec: the structure of a kernel, and nothing that changes from call to call (the key under which Eigen's
 * templates would be instantiated).
 *
 *     structure, in the key       operations, dtypes, access classes, number of loops, which constants are 0 or NaN
 *     arguments, with each call   sizes, addresses, strides, constants
 *
 *     argument block   | sizes | target: start, strides | operand 0: start, strides | … | constants, 8 bytes each |
 *
 * Two calls with equal keys run the same machine code.
 */
import type { DType } from "@onebuffer/base";
import type { ConstantKind } from "../../expression/tree/node-code.ts";
import type { AccessClass } from "./loop-nest.ts";
import { laneWidth, storageBytes } from "./lanes.ts";
import type { ProgramNode } from "./program.ts";
import { kArgumentBytes } from "./scratch.ts";

/** map: elements to elements; tile: the same in square blocks; rows: reductions over the innermost loops; columns: over others. */
export type KernelForm = "map" | "tile" | "rows" | "columns";

/** The structure of a kernel. */
export interface KernelSpec {
  readonly form: KernelForm;
  readonly nodes: readonly ProgramNode[];
  readonly result: number;
  /** Further values that are stored, one per row; their targets are the last accesses. */
  readonly also: readonly number[];
  /** What the result is stored as: its dtype, or float32 for a float16 that is only an intermediate result. */
  readonly targetDType: DType;
  readonly target: AccessClass;
  /** Per operand, then per further target. */
  readonly classes: readonly AccessClass[];
  /** Likewise whether it moves in the loops of a row; for maps, in the innermost loop. */
  readonly varies: readonly boolean[];
  /** Loops outside of rows, and loops of rows; for maps the row is the innermost loop. */
  readonly outerLoops: number;
  readonly rowLoops: number;
  /** Whether the target gets one value per row. */
  readonly storesRows: boolean;
  /** What is known of each constant. */
  readonly parameters: readonly ConstantKind[];
}

/** The key of a structure. */
export function specKey(spec: KernelSpec): string {
  const { form, nodes, result, also, targetDType, target, classes, varies, outerLoops, rowLoops, storesRows, parameters } = spec;
  const body = nodes.map(
    ({ kind, op, dtype, inputs, index, saturate }) => `${kind[0]}${op}:${dtype}(${inputs})${index}${saturate ? "s" : ""}`,
  );
  const flags = `${varies.map(Number).join("")},${outerLoops},${rowLoops},${storesRows ? 1 : 0},${parameters.map((kind) => kind[0]).join("")}`;
  // By join: engines keep a concatenation as a tree of its parts, which takes several times as much as the text.
  return [form, targetDType, target, classes.join(","), flags, [result, ...also].join(","), ...body].join(" ");
}

/** Whether access `a` counts places instead of reading memory; access 0 is the target. */
export function isRamp({ nodes }: KernelSpec, a: number): boolean {
  return nodes.some(({ kind, index }) => kind === "ramp" && index === a - 1);
}

/** Where a kernel finds its arguments: byte offsets in the argument block. */
export interface ArgumentLayout {
  /** Sizes of all loops, outermost first. */
  readonly sizes: number;
  /** Of access a (0 the target): its start, then its strides in all loops. */
  readonly accesses: readonly number[];
  /** The starts as words: byte offsets divided by 4. */
  readonly starts: readonly number[];
  /** Constants, 8 bytes each. */
  readonly parameters: number;
  /** Further words of the form's own. */
  readonly extra: number;
  readonly bytes: number;
}

/** Words that forms may use for themselves: see `kExtraWords` in their files. */
const kExtraWords = 8;

/** Layouts are few, and kernels that keep them are many. */
const layouts: Map<string, ArgumentLayout> = new Map();

/** The layout of a structure's arguments: one object for all that have it. */
export function argumentLayout({ classes, outerLoops, rowLoops, parameters }: KernelSpec): ArgumentLayout {
  const loops = outerLoops + rowLoops;
  const key = `${loops} ${classes.length} ${parameters.length}`;
  let layout = layouts.get(key);
  if (layout === undefined) layouts.set(key, (layout = makeLayout(loops, classes.length + 1, parameters.length)));
  return layout;
}

function makeLayout(loops: number, numAccesses: number, constants: number): ArgumentLayout {
  const accesses = Array.from({ length: numAccesses }, (_, a) => 4 * (loops + a * (loops + 1)));
  const parameters = Math.ceil((loops + numAccesses * (loops + 1)) / 2) * 8;
  const extra = parameters + 8 * constants;
  return { sizes: 0, accesses, starts: accesses.map((offset) => offset / 4), parameters, extra, bytes: extra + 4 * kExtraWords };
}

/**
 * How many operands and constants a kernel over these sizes may have at least: as many as the argument block has room for, one target
 * taken off.
 */
export function argumentRoom(dims: readonly number[]): number {
  const loops = Math.max(1, dims.filter((size) => size !== 1).length);
  const perAccess = 4 * (loops + 1);
  return Math.floor((kArgumentBytes - 4 * loops - perAccess - 8 - 4 * kExtraWords) / perAccess);
}

/** The dtypes of the loads, the result and all values between that are computed per element. */
function dtypesOf({ nodes, result }: KernelSpec): readonly DType[] {
  return nodes.filter(({ kind }, i) => kind !== "parameter" || i === result).map(({ dtype }) => dtype);
}

/** Elements per group: enough to fill a vector in the narrowest dtype that is loaded, stored or computed with. */
export function groupElements(spec: KernelSpec): number {
  const { nodes, targetDType } = spec;
  let narrowest = storageBytes(targetDType);
  for (const { kind, dtype } of nodes) {
    if (kind === "load") narrowest = Math.min(narrowest, storageBytes(dtype));
    else if (kind !== "parameter" && dtype !== "bool") narrowest = Math.min(narrowest, laneWidth(dtype));
  }
  return 16 / narrowest;
}

/** Vectors that the widest value of a group takes. */
export function groupVectors(spec: KernelSpec): number {
  const widest = dtypesOf(spec).reduce((width, dtype) => Math.max(width, dtype === "bool" ? 1 : laneWidth(dtype)), 1);
  return (groupElements(spec) * widest) / 16;
}
