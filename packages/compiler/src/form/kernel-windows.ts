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
import { lanesOf, spread } from "@onebuffer/kernels/internal";
import type { Lanes } from "@onebuffer/kernels/internal";
import { Accumulators } from "./accumulators.ts";
import type { ColumnFold } from "./column-folds.ts";
import { isHeavy, writeElements } from "./kernel-map.ts";
import type { Cursor, GroupPlace, KernelWriter } from "./kernel-writer.ts";
import { isFloatMaximum, windowFold } from "./window-folds.ts";
import { WindowMaximum } from "./window-maximum.ts";
import { groupVectors } from "../plan/kernel-spec.ts";
import type { ReduceOp } from "../plan/program.ts";

/** The most vectors that one step combines: more are longer than a line of the cache. */
const kMostVectors = 8;
/** The most of a float maximum, which has its sums besides (window-maximum.ts). */
const kMostOfMaximum = 6;
/** The most where several operands move, as in a depthwise convolution: engines that load ahead need a register for each vector of each. */
const kMostOfSeveral = 4;

/** Writes a window kernel. The program's result must be its only reduction, and one that has a fold. */
export function writeWindowsKernel(writer: KernelWriter): void {
  const { spec } = writer;
  const { op, inputs, dtype } = spec.nodes[spec.result]!;
  const input = inputs[0]!;
  const fold = windowFold(op as ReduceOp, spec.nodes[input]!.dtype, dtype);
  const isMaximum = isFloatMaximum(op as ReduceOp, spec.nodes[input]!.dtype);
  const [, ...operands] = writer.moving();
  const most = operands.length > 1 ? kMostOfSeveral : isMaximum ? kMostOfMaximum : kMostVectors;
  writeElements(writer, spec.outerLoops - 1, {
    copies: isHeavy(spec) ? 1 : Math.max(1, Math.floor(most / groupVectors(spec))),
    group: (copies, place, _remaining, out) => {
      const cursors = operands.map(({ access }) => ({ access, pointer: place.pointers[access - 1]![0]! }));
      writeGroup({ writer, fold, isMaximum, input, copies, place, cursors }, out);
    },
  });
}

/** The groups that are combined: how, the reduced value, the number of groups, their places, and the operands that move. */
interface WindowGroup {
  readonly writer: KernelWriter;
  readonly fold: ColumnFold;
  readonly isMaximum: boolean;
  readonly input: number;
  readonly copies: number;
  readonly place: GroupPlace;
  readonly cursors: readonly Cursor[];
}

/** Writes code that combines the elements of windows and stores the results. */
function writeGroup({ writer, fold, isMaximum, input, copies, place, cursors }: WindowGroup, out: readonly number[]): void {
  const { builder, elements, spec } = writer;
  const context = { builder, elements, copies, shared: false, count: () => builder.constant("f64x2", 0) };
  const window = new Accumulators(context, fold.kind, "window");
  const read = (): Lanes => lanesOf(window.variables.map((_, i) => window.read(i)));
  const eachElement = (combine: (value: Lanes) => void): void =>
    writer.loops(
      spec.outerLoops,
      spec.outerLoops + spec.rowLoops,
      () => writer.emit(copies, place, () => combine(writer.value(input))),
      cursors,
    );
  const combineAll = (): void => {
    writer.emit(copies, null, () => window.set(() => builder.constant(fold.kind, fold.neutral)));
    eachElement((value) => {
      const vectors = spread(fold.accumulate(read(), fold.rows([value])), elements);
      window.set((i) => vectors[i]!);
    });
  };
  const finished = (): Lanes => fold.finish(read(), writer.count());
  if (isMaximum) writeMaximum({ writer, copies, eachElement, combineAll, finished }, new WindowMaximum(context, window), window);
  else combineAll();
  writer.emit(copies, null, () => {
    writer.substitute(spec.result, isMaximum ? read() : finished());
    writer.store(spec.result, out, spec.target === "strided");
  });
}

/** How a group is combined exactly. */
interface ExactGroup {
  readonly writer: KernelWriter;
  readonly copies: number;
  readonly eachElement: (combine: (value: Lanes) => void) => void;
  readonly combineAll: () => void;
  readonly finished: () => Lanes;
}

/** Writes code that leaves the largest elements in `window`: those of the quick way, or where that may be wrong the exact ones. */
function writeMaximum({ writer, copies, eachElement, combineAll, finished }: ExactGroup, quick: WindowMaximum, window: Accumulators): void {
  writer.emit(copies, null, () => quick.reset());
  eachElement((value) => quick.add(value));
  writer.emit(copies, null, () => quick.noteSuspects());
  const { code } = writer;
  quick.pushIsSuspect(code);
  code.if();
  combineAll();
  writer.emit(copies, null, () => {
    const { vectors } = finished();
    window.set((i) => vectors[i]!);
  });
  code.end();
}
