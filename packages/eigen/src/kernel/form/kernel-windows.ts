/**
 * kernel-windows: kernels for reductions of a few elements over outer loops, as of the windows of an image with its channels last.
 *
 *     for each loop of the result          the places of windows
 *       for some channels at once          a few vectors
 *         for each element of the window   combined with registers
 *         store the results
 *
 * Windows overlap, so their elements are read again from the first-level cache. Longer columns go through kernel-columns.ts, which reads
 * memory in order.
 */
import { InternalError } from "@onebuffer/base";
import type { Engine } from "@onebuffer/wasm/internal";
import { Accumulators } from "./accumulators.ts";
import { isHeavy, writeTail } from "./kernel-map.ts";
import { KernelWriter } from "./kernel-writer.ts";
import type { GroupPlace, KernelMemory } from "./kernel-writer.ts";
import { kColumnCountWord } from "./kernel-columns.ts";
import { writeRowLoop } from "./row-loop.ts";
import { spread } from "./lane-memory.ts";
import { windowFold } from "./window-folds.ts";
import type { WindowFold } from "./window-folds.ts";
import { groupVectors } from "../plan/kernel-spec.ts";
import type { KernelSpec } from "../plan/kernel-spec.ts";
import { lanesOf } from "../plan/lanes.ts";
import { levels } from "../plan/program.ts";
import type { ReduceOp } from "../plan/program.ts";
import { kArgumentBytes } from "../plan/scratch.ts";

/** The registers for vectors that are combined. The others hold the vectors that are read. */
const kRegisters = 12;
/** The most vectors that one step combines: more are longer than a line of the cache. */
const kMostVectors = 8;

/** Writes a window kernel. The program's result must be its only reduction. Throws INTERNAL if it is not one that has a fold. */
export function writeWindowsKernel(spec: KernelSpec, memory: KernelMemory, engine: Engine): KernelWriter {
  const writer = new KernelWriter(spec, memory, engine.relaxed);
  const { kind, op, inputs, dtype } = spec.nodes[spec.result]!;
  const input = inputs[0]!;
  const fold = kind === "reduce" ? windowFold(op as ReduceOp, spec.nodes[input]!.dtype, dtype) : null;
  if (fold === null) throw new InternalError(`a window kernel cannot compute ${op}`);
  const { code } = writer;
  const inner = spec.outerLoops - 1;
  const tail = writer.local("tail");
  code.get(writer.args).i32(kArgumentBytes).op("i32.add").set(tail);
  const varying = spec.classes.flatMap((_, k) => (spec.varies[k] === true ? [k] : []));
  writer.begin();
  writer.loops(0, inner, () => {
    writer.keep((i) => writer.levels[i] === levels.row && spec.nodes[i]!.kind !== "reduce");
    const left = writeRowLoop(
      writer,
      {
        loop: inner,
        copies: copiesFor(spec, fold),
        masked: false,
        moving: [0, ...varying.map((k) => k + 1)],
        buffers: [],
        group: (copies, place, _remaining, out) => writeGroup({ writer, fold, input, copies, place, varying }, out),
      },
      tail,
    );
    writeTail(writer, left, tail, () => writer.size(inner), inner);
  });
  writer.end();
  return writer;
}

/** Returns how many groups are combined at once. */
function copiesFor(spec: KernelSpec, { registers }: WindowFold): number {
  if (isHeavy(spec)) return 1;
  const vectors = Math.min(kMostVectors, Math.floor(kRegisters / registers.length));
  return Math.max(1, Math.floor(vectors / groupVectors(spec)));
}

/** The groups that are combined: the reduced value, the number of groups, their places, and the operands that move. */
interface WindowGroup {
  readonly writer: KernelWriter;
  readonly fold: WindowFold;
  readonly input: number;
  readonly copies: number;
  readonly place: GroupPlace;
  readonly varying: readonly number[];
}

/** Writes code that combines the elements of windows and stores the results. */
function writeGroup({ writer, fold, input, copies, place, varying }: WindowGroup, out: readonly number[]): void {
  const { builder, elements, spec, layout } = writer;
  const context = { builder, elements, copies, shared: false, count: () => builder.constant("f64x2", 0) };
  const all = fold.registers.map(({ kind }, r) => new Accumulators(context, kind, `window${r}.`));
  const read = (register: Accumulators) => lanesOf(register.variables.map((_, i) => register.read(i)));
  writer.emit(copies, null, () => {
    all.forEach((register, r) => register.set(() => builder.constant(register.kind, fold.registers[r]!.neutral)));
  });
  writeLoops(writer, place, varying, spec.outerLoops, () => {
    writer.emit(copies, place, () => {
      const value = writer.value(input);
      all.forEach((register, r) => {
        const vectors = spread(fold.accumulate(r, read(register), value), elements);
        register.set((i) => vectors[i]!);
      });
    });
  });
  writer.emit(copies, null, () => {
    const count = builder.loadSplat("f64x2", writer.args, layout.extra + 4 * kColumnCountWord);
    writer.substitute(spec.result, fold.finish(all.map(read), count));
    writer.store(spec.result, out, spec.target === "strided");
  });
}

/** Writes the loops over the elements of a window around `body`. Afterwards the pointers have their former values. */
function writeLoops(writer: KernelWriter, place: GroupPlace, varying: readonly number[], loop: number, body: () => void): void {
  const { code, spec } = writer;
  if (loop === spec.outerLoops + spec.rowLoops) {
    body();
    return;
  }
  const count = writer.local(`window${loop}`);
  const pointers = varying.map((k) => ({ k, pointer: place.pointers[k]![0]!, saved: writer.local(`window${loop}.${k}`) }));
  for (const { pointer, saved } of pointers) code.get(pointer).set(saved);
  writer.size(loop).set(count);
  const again = code.loop();
  writeLoops(writer, place, varying, loop + 1, body);
  for (const { k, pointer } of pointers) writer.addTo(pointer, () => writer.stride(k + 1, loop));
  code.countDown(count, again);
  for (const { pointer, saved } of pointers) code.get(saved).set(pointer);
}
