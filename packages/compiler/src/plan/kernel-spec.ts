/**
 * kernel-spec: the structure of a kernel, without anything that changes from call to call (in Eigen: the template arguments of an
 * instantiation).
 *
 *     structure, in the key       operations, dtypes, access classes, number of loops, which constants are 0, NaN or -0
 *     arguments, with each call   sizes, addresses, strides, constants
 *
 *     argument block   | sizes | target: start, strides | operand 0: start, strides | … | constants, 8 bytes each |
 *
 * Two calls with equal keys run the same machine code.
 */
import type { DType } from "@onebuffer/base";
import { isMap } from "@onebuffer/expression/internal";
import type { ConstantKind } from "@onebuffer/expression/internal";
import { kArgumentBytes, laneWidth, storageBytes } from "@onebuffer/kernels/internal";
import type { AccessClass, KernelForm } from "@onebuffer/kernels/internal";
import type { ProgramNode } from "./program.ts";
import { isMathOp } from "./row-passes.ts";

/** The structure of a kernel. */
export interface KernelSpec {
  readonly form: KernelForm;
  readonly nodes: readonly ProgramNode[];
  readonly result: number;
  /** Further values that are stored, one element per row; their targets are the last accesses. */
  readonly also: readonly number[];
  /** The dtype in which the result is stored: its own, or float32 for a float16 or bfloat16 intermediate result. */
  readonly targetDType: DType;
  readonly target: AccessClass;
  /** The access classes of the operands, then of the further targets. */
  readonly classes: readonly AccessClass[];
  /** For the same accesses: true if the access moves in the loops of a row; for maps, in the innermost loop. */
  readonly varies: readonly boolean[];
  /** The numbers of loops outside of rows and of loops of a row; for maps the row is the innermost loop. */
  readonly outerLoops: number;
  readonly rowLoops: number;
  /** Only for tiles: the rows of a block. Fewer than a vector has elements if the target has no more rows. */
  readonly blockRows?: number;
  /** True if the target gets one value per row. */
  readonly storesRows: boolean;
  /** The kind of each constant. */
  readonly parameters: readonly ConstantKind[];
}

/** Returns the key of a structure. */
export function specKey(spec: KernelSpec): string {
  const { form, nodes, result, also, targetDType, target, classes, varies, outerLoops, rowLoops, blockRows, storesRows, parameters } = spec;
  const body = nodes.map(
    ({ kind, op, dtype, inputs, index, saturate }) => `${kind[0]}${op}:${dtype}(${inputs})${index}${saturate ? "s" : ""}`,
  );
  const flags = `${varies.map(Number).join("")},${outerLoops},${rowLoops},${blockRows ?? ""},${storesRows ? 1 : 0},${parameters.map((kind) => kind[0]).join("")}`;
  // Uses join, because engines keep a concatenation as a tree of its parts, which needs several times the memory of the text.
  return [form, targetDType, target, classes.join(","), flags, [result, ...also].join(","), ...body].join(" ");
}

/** Returns true if access `a` is a ramp, which reads no memory. Access 0 is the target. */
export function isRamp({ nodes }: KernelSpec, a: number): boolean {
  return nodes.some(({ kind, index }) => kind === "ramp" && index === a - 1);
}

/** The byte offsets of a kernel's arguments in the argument block. */
export interface ArgumentLayout {
  /** Sizes of all loops, outermost first. */
  readonly sizes: number;
  /** Per access (0 is the target): its start, followed by its strides in all loops. */
  readonly accesses: readonly number[];
  /** The starts in words: byte offsets divided by 4. */
  readonly starts: readonly number[];
  /** Constants, 8 bytes each. */
  readonly parameters: number;
  /** Words that the kernel's form uses for itself. */
  readonly extra: number;
  readonly bytes: number;
}

/** The number of those words. The forms define which they use (kBufferWord, kCountWord, kAccumulatorWord …). */
const kExtraWords = 8;

/** The layouts by key. Many kernels share few layouts. */
const layouts: Map<string, ArgumentLayout> = new Map();

/** Returns the layout of a structure's arguments. Equal layouts are one object. */
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
 * Returns how many operands and constants a kernel over these sizes may have at least: as many as fit into the argument block besides one
 * target.
 */
export function argumentRoom(dims: readonly number[]): number {
  const loops = Math.max(1, dims.filter((size) => size !== 1).length);
  const perAccess = 4 * (loops + 1);
  return Math.floor((kArgumentBytes - 4 * loops - perAccess - 8 - 4 * kExtraWords) / perAccess);
}

/** Returns the dtypes of the result and of all values except constants and counts, which are accumulated as bytes. */
function dtypesOf({ nodes, result }: KernelSpec): readonly DType[] {
  return nodes.filter(({ kind, op }, i) => op !== "count" && (kind !== "parameter" || i === result)).map(({ dtype }) => dtype);
}

/**
 * Returns the elements per group: enough to fill a vector of the narrowest dtype that is loaded, stored or computed. A constant may be all that
 * a column kernel reduces, and then its accumulators are as wide as it is: those of argmax are narrower than the int64 it stores. Long
 * functions of complex64 numbers are computed for two elements, one vector of float64 for each part, because those of four do not fit into
 * the registers.
 */
export function groupElements(spec: KernelSpec): number {
  const { form, nodes, targetDType } = spec;
  const isPair = (node: ProgramNode): boolean => node.kind !== "load" || !isMap(node) || storageBytes(node.dtype) === 8;
  if (form === "map" && targetDType === "complex64" && nodes.every(isPair) && nodes.some(({ op }) => isMathOp(op))) return 2;
  let narrowest = storageBytes(targetDType);
  for (const { kind, dtype } of nodes) {
    if (kind === "load") narrowest = Math.min(narrowest, storageBytes(dtype));
    else if ((kind !== "parameter" || form === "columns") && dtype !== "bool") narrowest = Math.min(narrowest, laneWidth(dtype));
  }
  return 16 / narrowest;
}

/** Returns the number of vectors of a group's widest value. */
export function groupVectors(spec: KernelSpec): number {
  const widest = dtypesOf(spec).reduce((width, dtype) => Math.max(width, dtype === "bool" ? 1 : laneWidth(dtype)), 1);
  return (groupElements(spec) * widest) / 16;
}
