/**
 * kernel-map: elementwise kernels (Eigen's TensorExecutor with vectorization).
 *
 *     outer loops           as many as the nest has
 *       values of the row   operands that do not change in the innermost loop, and the values computed from them alone
 *       main loop           several groups at once, as many as suit the body and the engine
 *       singles             one group at a time, by code for all values; a partial last group goes into the tail buffer
 *       tail                copies the elements of the tail buffer to the target, one by one
 */
import { kArgumentBytes } from "../plan/scratch.ts";
import type { KernelMemory } from "./kernel-writer.ts";
import { KernelWriter } from "./kernel-writer.ts";
import { groupVectors } from "../plan/kernel-spec.ts";
import { isBig, isFloat } from "../../expression/tree/dtype-groups.ts";
import type { KernelSpec } from "../plan/kernel-spec.ts";
import type { Engine } from "@onebuffer/wasm/internal";
import { levels } from "../plan/program.ts";
import { writeRowLoop } from "./row-loop.ts";

/** Elementary functions that are one polynomial: long, but with few live values at a time. */
const powerOps = "exp expNonPositive exp2 expm1 tanh".split(" ");

/** Elementary functions with more live values. */
const longOps = "log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh sigmoid erf pow rsqrt".split(" ");

/** Operations that take dozens of instructions. */
export const heavyOps: ReadonlySet<string> = new Set([...powerOps, ...longOps]);

/** Writes an elementwise kernel. */
export function writeMapKernel(spec: KernelSpec, memory: KernelMemory, engine: Engine): KernelWriter {
  const writer = new KernelWriter(spec, memory, engine.relaxed);
  const { code } = writer;
  const inner = spec.outerLoops;
  const tail = writer.local("tail");
  code.get(writer.args).i32(kArgumentBytes).op("i32.add").set(tail);
  writer.begin();
  writer.loops(0, inner, () => {
    writer.keep((i) => writer.levels[i] === levels.row);
    const moving = [0, ...spec.classes.flatMap((_, k) => (spec.varies[k] === true ? [k + 1] : []))];
    const left = writeRowLoop(
      writer,
      {
        loop: inner,
        copies: copiesFor(spec, engine),
        masked: false,
        mayLeave: isHeavy(spec) || isStoredAsHalf(spec) || hasGuards(spec),
        moving,
        buffers: [],
        group: (copies, place, _remaining, out, leave) => {
          writer.emit(copies, place, () => writer.store(spec.result, out, spec.target === "strided"), leave);
        },
      },
      tail,
    );
    writeTail(writer, left, tail, () => writer.size(inner), inner);
  });
  writer.end();
  return writer;
}

/**
 * Writes code that moves the elements of a partial group from the tail buffer to the end of the target's row. `size` pushes the
 * length of the row. `left` is the local that writeRowLoop returns.
 */
export function writeTail(writer: KernelWriter, left: number, tail: number, size: () => void, loop: number): void {
  const { code, elements } = writer;
  const bytes = writer.itemBytes(0);
  const to = writer.local("to");
  const count = writer.local("rest");
  const from = writer.local("from");
  // For a partial group, left is the number of its elements minus `elements`; otherwise it is 0.
  code.get(left).if();
  code.get(left).i32(elements).op("i32.add").set(count);
  // to = out + (size - count) * stride
  code.get(writer.cursors[0]!.pointer);
  size();
  code.get(count).op("i32.sub");
  writer.stride(0, loop).op("i32.mul").op("i32.add").set(to);
  code.get(tail).set(from);
  const again = code.loop();
  code.get(to).get(from);
  if (bytes === 16) code.memory("v128.load", 0).memory("v128.store", 0);
  else if (bytes === 8) code.memory("i64.load", 0).memory("i64.store", 0);
  else if (bytes === 4) code.memory("i32.load", 0).memory("i32.store", 0);
  else if (bytes === 2) code.memory("i32.load16_u", 0).memory("i32.store16", 0);
  else code.memory("i32.load8_u", 0).memory("i32.store8", 0);
  writer.addTo(to, () => writer.stride(0, loop));
  writer.addTo(from, () => code.i32(bytes));
  code.get(count).i32(1).op("i32.sub").tee(count).brIf(again).end();
  code.end();
}

/** Returns true if a kernel's body has such an operation. */
export function isHeavy({ nodes }: KernelSpec): boolean {
  return nodes.some(({ op }) => heavyOps.has(op));
}

/** Returns true if the result is rounded to 16 bits when it is stored. */
function isStoredAsHalf({ targetDType }: KernelSpec): boolean {
  return targetDType === "float16" || targetDType === "bfloat16";
}

/** Returns how many groups the main loop computes at once. */
export function copiesFor(spec: KernelSpec, { unroll }: Engine): number {
  const isLong = spec.nodes.some(({ op }) => longOps.includes(op));
  // Parts of complex64 numbers that are computed in float64 would not fit into the registers.
  const light = spec.targetDType === "complex64" ? unroll.light / groupVectors(spec) : unroll.light;
  const vectors = isLong ? unroll.long : isHeavy(spec) ? unroll.powers : light;
  return Math.max(1, Math.floor(vectors / groupVectors(spec)));
}

/** Returns true if a body computes remainders of float64, or casts between floats and integers of 64 bits: they have guarded fast paths. */
function hasGuards({ nodes }: KernelSpec): boolean {
  return nodes.some(({ op, dtype, inputs }) => {
    if (op === "cast") return isBig(dtype) ? isFloat(nodes[inputs[0]!]!.dtype) : isFloat(dtype) && isBig(nodes[inputs[0]!]!.dtype);
    return (op === "mod" || op === "truncateMod") && dtype === "float64";
  });
}
