/**
 * GpuProgram: a plan with its pipelines and uniform numbers on a device, and its runs.
 *
 * A run allocates the results and scratch memory, encodes the commands and submits them before it returns. Each result gets a new buffer, so
 * no run writes what it reads. Scratch memory goes back to the pool behind its last reader: the queue runs in order.
 */
import type { BackendProgram } from "@onebuffer/eigen/internal";
import type { PooledBuffer } from "../gpu/buffer-pool.ts";
import type { GpuSession } from "../gpu/gpu-session.ts";
import { kElementUsage, kUsage } from "../gpu/gpu-types.ts";
import type { GpuBuffer, GpuEncoder, GpuPass } from "../gpu/gpu-types.ts";
import type { Pipeline } from "../gpu/pipelines.ts";
import type { GpuPlan, GpuStep } from "../step/gpu-plan.ts";
import type { Dispatch } from "../wgsl/shader.ts";
import type { GpuArray, GpuContent } from "./gpu-content.ts";
import { contentOf, madeContent } from "./gpu-content.ts";

/** Uniform numbers of a dispatch begin at multiples of so many bytes: the most that an adapter may ask for. */
const kUniformAlignment = 256;

/** Finds the element that a run has marked as an error, and throws its error. */
export type ErrorFinder = (operands: readonly GpuContent[]) => Promise<never>;

/** The buffers of a run by the slots of its plan. */
interface RunMemory {
  readonly buffers: readonly GpuBuffer[];
  readonly results: readonly PooledBuffer[];
  readonly flag: PooledBuffer | null;
}

/** The bindings of a dispatch to certain buffers. */
interface BoundGroup {
  readonly buffers: readonly GpuBuffer[];
  readonly group: object;
}

/** How many bindings of a step are kept: a result alternates between two buffers, and so do its readers. */
const kMostGroups = 4;

/** A compiled program. */
export class GpuProgram implements BackendProgram<GpuContent, null> {
  readonly placements: readonly null[];
  readonly #session: GpuSession;
  readonly #plan: GpuPlan;
  /** The pipeline of each step; null for steps that are not dispatches. */
  readonly #pipelines: readonly (Pipeline | null)[];
  /** The uniform numbers of all steps; null before the first run. */
  #uniforms: PooledBuffer | null = null;
  readonly #uniformBytes: number;
  /** Where the uniform numbers of each step begin. */
  readonly #offsets: readonly number[];
  readonly #findError: ErrorFinder;
  /** For each step the bindings that were used last. */
  #groups: BoundGroup[][] = [];
  /** For each step the scratch slots that no later step uses. */
  readonly #lastUses: readonly (readonly number[])[];

  private constructor(
    session: GpuSession,
    plan: GpuPlan,
    results: number,
    pipelines: readonly (Pipeline | null)[],
    findError: ErrorFinder,
  ) {
    this.placements = Array.from({ length: results }, () => null);
    this.#session = session;
    this.#plan = plan;
    this.#pipelines = pipelines;
    this.#findError = findError;
    this.#lastUses = lastUses(plan);
    const { bytes, offsets } = uniformPlaces(plan.steps);
    this.#offsets = offsets;
    this.#uniformBytes = bytes;
  }

  /** Compiles the shaders of a plan with `results` results. */
  static async compile(session: GpuSession, plan: GpuPlan, results: number, findError: ErrorFinder): Promise<GpuProgram> {
    const pipelines = plan.steps.map((step) => (step.kind === "dispatch" ? session.pipelines.get(step) : null));
    return new GpuProgram(session, plan, results, await Promise.all(pipelines), findError);
  }

  run(operands: readonly GpuArray[], results: readonly GpuArray[]): Promise<unknown> {
    const session = this.#session;
    const read = operands.map(contentOf);
    this.#writeUniforms();
    const encoder = session.encoder();
    const memory = this.#encode(encoder, read);
    const { flag } = memory;
    const mayFail = flag !== null || read.some(({ pending }) => pending !== null);
    const kept = results.map(({ content }, k) => this.#writeInPlace(encoder, content, memory.results[k]!, k, mayFail));
    const pendings = [session.pool.whether(), ...read.map(({ pending }) => pending)];
    session.submit(encoder);
    const asRead = (content: GpuContent): GpuContent => {
      const before = kept[results.findIndex((result) => result.content === content)];
      return before === null || before === undefined ? content : madeContent(before.buffer, before, null);
    };
    const checks = flag === null ? null : this.#check(flag, read.map(asRead));
    if (checks !== null) for (const content of read) content.checks = Promise.allSettled([content.checks, checks]).then(() => {});
    const open = [...pendings, checks].filter((pending) => pending !== null);
    const pending = open.length === 0 ? null : Promise.all(open).then(() => {});
    pending?.catch(() => {});
    const settle = this.#swap(results, memory.results, kept, pending);
    if (pending === null) return Promise.resolve();
    return pending.finally(settle);
  }

  /**
   * Copies a result into a buffer of the program, if the array has one. Returns a copy of the elements that were there, to which they return
   * if the run is found to be wrong; null if there is none.
   */
  #writeInPlace(encoder: GpuEncoder, content: GpuContent | null, own: PooledBuffer, k: number, mayFail: boolean): PooledBuffer | null {
    if (content?.pooled !== null) return null;
    const bytes = this.#resultBytes(k);
    const before = mayFail ? this.#session.pool.take(bytes, kElementUsage) : null;
    if (before !== null) encoder.copyBufferToBuffer(content.buffer, 0, before.buffer, 0, bytes);
    encoder.copyBufferToBuffer(own.buffer, 0, content.buffer, 0, bytes);
    return before;
  }

  /** Copies elements back into a buffer of the program. */
  #restore(content: GpuContent, before: PooledBuffer, k: number): void {
    if (this.#session.dead !== null) return;
    const encoder = this.#session.encoder();
    encoder.copyBufferToBuffer(before.buffer, 0, content.buffer, 0, this.#resultBytes(k));
    this.#session.submit(encoder);
  }

  release(): void {
    if (this.#uniforms !== null) this.#session.pool.give(this.#uniforms);
  }

  /** Writes the uniform numbers for the first run, and again if there was no memory for them then. */
  #writeUniforms(): void {
    const before = this.#uniforms;
    if (this.#uniformBytes === 0 || before?.isBroken === false) return;
    const { pool, device } = this.#session;
    if (before !== null) pool.drop(before);
    this.#groups = [];
    this.#uniforms = pool.take(this.#uniformBytes, kUsage.uniform | kUsage.copyTarget);
    const words = new Int32Array(this.#uniformBytes / 4);
    this.#plan.steps.forEach((step, k) => step.kind === "dispatch" && words.set(step.words, this.#offsets[k]! / 4));
    device.queue.writeBuffer(this.#uniforms.buffer as never, 0, words as never, 0, words.length);
  }

  /** Encodes the steps. Returns the buffers of the slots. */
  #encode(encoder: GpuEncoder, operands: readonly GpuContent[]): RunMemory {
    const { pool } = this.#session;
    const pooled: (PooledBuffer | null)[] = [];
    const results: PooledBuffer[] = [];
    const buffers: GpuBuffer[] = [];
    this.#plan.slots.forEach(({ role, index, bytes }, slot) => {
      if (role === "leaf") buffers[slot] = operands[index]!.buffer;
      else if (role === "result") buffers[slot] = (results[index] = pool.take(bytes, kElementUsage)).buffer;
    });
    const bufferOf = (slot: number): GpuBuffer => {
      const known = buffers[slot];
      if (known !== undefined) return known;
      const taken = pool.take(this.#plan.slots[slot]!.bytes, kElementUsage);
      pooled[slot] = taken;
      return (buffers[slot] = taken.buffer);
    };
    let pass: GpuPass | null = null;
    this.#plan.steps.forEach((step, k) => {
      if (step.kind === "dispatch") {
        pass ??= encoder.beginComputePass();
        this.#dispatch(pass, step, k, step.slots.map(bufferOf));
      } else {
        pass?.end();
        pass = null;
        copyOrClear(encoder, step, step.slots.map(bufferOf), this.#plan);
      }
      for (const slot of this.#lastUses[k]!) pool.give(pooled[slot]!, Infinity);
    });
    (pass as GpuPass | null)?.end();
    return { buffers, results, flag: this.#plan.flag < 0 ? null : pooled[this.#plan.flag]! };
  }

  #dispatch(pass: GpuPass, step: Dispatch, k: number, buffers: readonly GpuBuffer[]): void {
    const { pipeline, layout } = this.#pipelines[k]!;
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.#group(step, k, layout, buffers));
    pass.dispatchWorkgroups(...step.groups);
  }

  /** Returns the bindings of a dispatch. The pool gives the same few buffers again and again, so the last bindings are kept. */
  #group(step: Dispatch, k: number, layout: object, buffers: readonly GpuBuffer[]): object {
    const kept = (this.#groups[k] ??= []);
    const same = kept.find((each) => each.buffers.every((buffer, b) => buffer === buffers[b]));
    if (same !== undefined) return same.group;
    const uniform = { buffer: this.#uniforms!.buffer, offset: this.#offsets[k]!, size: step.words.byteLength };
    const entries = [
      { binding: 0, resource: uniform },
      ...buffers.map((buffer, b) => ({ binding: b + 1, resource: { buffer, size: this.#plan.slots[step.slots[b]!]!.bytes } })),
    ];
    const group = this.#session.device.createBindGroup({ layout, entries } as never);
    kept.push({ buffers, group });
    if (kept.length > kMostGroups) kept.shift();
    return group;
  }

  #resultBytes(index: number): number {
    return this.#plan.slots.find((slot) => slot.role === "result" && slot.index === index)!.bytes;
  }

  /**
   * Gives the arrays their new contents. Returns what to do when the run has been found to be right or wrong: the old buffers are freed, or
   * come back.
   */
  #swap(
    arrays: readonly GpuArray[],
    results: readonly PooledBuffer[],
    kept: readonly (PooledBuffer | null)[],
    pending: Promise<void> | null,
  ): () => void {
    const { pool } = this.#session;
    const changes = arrays.map((array, k) => {
      const own = results[k]!;
      const before = array.content;
      if (before !== null && before.pooled === null) {
        pool.give(own);
        before.pending = pending;
        return { array, before, after: before };
      }
      const after = madeContent(own.buffer, own, pending);
      array.content = after;
      return { array, before, after };
    });
    let isRight = pending === null;
    pending?.then(
      () => (isRight = true),
      () => {},
    );
    const settle = (): void => {
      for (const [k, { array, before, after }] of changes.entries()) {
        if (before === null) continue;
        const copy = kept[k]!;
        if (before === after) {
          // A later run may have written the buffer.
          const isLast = before.pending === pending;
          if (!isRight && isLast && copy !== null) this.#restore(before, copy, k);
          if (isLast) before.pending = null;
          if (copy !== null) pool.give(copy);
        } else if (isRight || array.content !== after) {
          // Another run may look for its error there.
          const give = (): void => pool.give(before.pooled!);
          if (before.checks === null) give();
          else void before.checks.then(give);
        } else {
          array.content = before;
          pool.give(after.pooled!);
        }
      }
    };
    if (pending === null) settle();
    return settle;
  }

  /** Reads the flag of a run. Rejects with the error of an element if a shader has set it. */
  async #check(flag: PooledBuffer, operands: readonly GpuContent[]): Promise<void> {
    const word = new Uint8Array(4);
    try {
      await this.#session.read(flag.buffer, 4, () => word);
    } finally {
      this.#session.pool.give(flag);
    }
    if (word[0] !== 0) await this.#findError(operands);
  }
}

/** Encodes a step that is no dispatch. */
function copyOrClear(encoder: GpuEncoder, step: Exclude<GpuStep, Dispatch>, buffers: readonly GpuBuffer[], plan: GpuPlan): void {
  if (step.kind === "clear") encoder.clearBuffer(buffers[0]!, 0, plan.slots[step.slots[0]]!.bytes);
  else encoder.copyBufferToBuffer(buffers[0]!, step.from, buffers[1]!, step.to, step.bytes);
}

/** Returns where the uniform numbers of each step begin, and the bytes of all. */
function uniformPlaces(steps: readonly GpuStep[]): { readonly bytes: number; readonly offsets: readonly number[] } {
  let bytes = 0;
  const offsets = steps.map((step) => {
    const at = bytes;
    if (step.kind === "dispatch") bytes += Math.ceil(step.words.byteLength / kUniformAlignment) * kUniformAlignment;
    return at;
  });
  return { bytes, offsets };
}

/** Returns for each step the scratch slots that it is the last one to use. */
function lastUses({ slots, steps }: GpuPlan): readonly (readonly number[])[] {
  const last = new Map<number, number>();
  steps.forEach((step, k) => {
    for (const slot of step.slots) if (slots[slot]!.role === "scratch") last.set(slot, k);
  });
  const uses = steps.map((): number[] => []);
  for (const [slot, k] of last) uses[k]!.push(slot);
  return uses;
}
