/**
 * Transfers: elements of maps to arrays of the runner and back, through slots of shared memory.
 *
 *     a slot for the whole array    write, "put": the array on the devices may be the slot itself
 *     no room for one               "begin", then "fill" per piece of the staging segment
 */
import { checkSignal } from "@onebuffer/eigen/internal";
import type { DeviceTransferOptions } from "@onebuffer/eigen";
import type { ElementBytes, Queued } from "@onebuffer/eigen/internal";
import type { Sharding } from "../text/sharding.ts";
import { kRequest } from "./frame.ts";
import type { Handles } from "./handles.ts";
import type { RunnerProcess } from "./runner-process.ts";
import type { SharedMemory } from "./shared-memory.ts";

/** Bytes that are copied between two turns of the event loop: one or two milliseconds. */
const kTurnBytes = 8 * 2 ** 20;

/** An array as the runner is to make it. */
interface ArrayHeader {
  readonly handle: number;
  readonly dtype: string;
  readonly dims: readonly number[];
  readonly sharding: Sharding | null;
}

/** Copies elements to and from one runner. */
export class Transfers {
  readonly #runner: RunnerProcess;
  readonly #memory: SharedMemory;
  readonly #handles: Handles;

  constructor(runner: RunnerProcess, memory: SharedMemory, handles: Handles) {
    this.#runner = runner;
    this.#memory = memory;
    this.#handles = handles;
  }

  /**
   * Copies elements and requests an array of them. Resolves when the elements are copied; `done` when the array is there. Small arrays are
   * copied before the call returns, if there is a slot. After an error the caller frees the handle.
   */
  async send(source: ElementBytes, header: ArrayHeader, options: DeviceTransferOptions): Promise<Queued> {
    const slot = this.#memory.takeNow(source.total) ?? (await this.#memory.take(source.total));
    if (slot === null) {
      await this.#sendPieces(source, header, options);
      return { done: Promise.resolve() };
    }
    try {
      await inTurns(source.total, source.total, 0, options, (at, count) => this.#memory.write(slot, at, source.view(at, count)));
    } catch (error) {
      this.#memory.free(slot);
      throw error;
    }
    const { segment, offset, number } = slot;
    const done = this.#runner.requestJson(kRequest.put, { ...header, segment: segment.number, offset, bytes: source.total, slot: number });
    done.catch(() => {});
    return { done };
  }

  async #sendPieces(source: ElementBytes, header: ArrayHeader, options: DeviceTransferOptions): Promise<void> {
    const { total } = source;
    await this.#runner.requestJson(kRequest.begin, header);
    for (let begin = 0; begin < total; ) {
      begin += await this.#memory.staged(async (slot) => {
        const bytes = Math.min(slot.bytes, total - begin);
        await inTurns(bytes, total, begin, options, (at, count) => this.#memory.write(slot, at, source.view(begin + at, count)));
        const piece = { at: begin, segment: slot.segment.number, offset: 0, bytes, last: begin + bytes === total };
        await this.#runner.requestJson(kRequest.fill, { handle: header.handle, ...piece });
        return bytes;
      });
    }
  }

  /** Copies an array to a target. The request is sent before the call returns if there is a slot for the elements. */
  async receive(handle: number, target: ElementBytes, options: DeviceTransferOptions): Promise<void> {
    const { total } = target;
    const slot = this.#memory.takeNow(total) ?? (await this.#memory.take(total));
    if (slot === null) return this.#receivePieces(handle, target, options);
    try {
      const { segment, offset } = slot;
      await this.#runner.requestJson(kRequest.fetch, { handle, at: 0, segment: segment.number, offset, bytes: total });
      await inTurns(total, total, 0, options, (at, count) => this.#memory.read(slot, at, target.view(at, count)));
    } finally {
      this.#memory.free(slot);
    }
  }

  /** Receives pieces under a handle of its own: the array's handle may get a new array between two pieces. */
  async #receivePieces(handle: number, target: ElementBytes, options: DeviceTransferOptions): Promise<void> {
    const { total } = target;
    const own = this.#handles.take();
    try {
      await this.#runner.requestJson(kRequest.share, { handle, as: own });
      for (let begin = 0; begin < total; ) {
        begin += await this.#memory.staged(async (slot) => {
          const bytes = Math.min(slot.bytes, total - begin);
          await this.#runner.requestJson(kRequest.fetch, { handle: own, at: begin, segment: slot.segment.number, offset: 0, bytes });
          await inTurns(bytes, total, begin, options, (at, count) => this.#memory.read(slot, at, target.view(begin + at, count)));
          return bytes;
        });
      }
    } finally {
      this.#handles.free([own]);
    }
  }
}

/** Calls `copy` for parts of `bytes` bytes, with turns of the event loop in between. `begin` of the `total` bytes were copied before. */
async function inTurns(
  bytes: number,
  total: number,
  begin: number,
  { signal, onProgress }: DeviceTransferOptions,
  copy: (at: number, count: number) => void,
): Promise<void> {
  for (let at = 0; at < bytes; ) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve));
    checkSignal("the transfer", signal);
    const count = Math.min(kTurnBytes, bytes - at);
    copy(at, count);
    at += count;
    onProgress?.({ bytes: begin + at, totalBytes: total });
  }
}
