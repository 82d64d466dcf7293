/**
 * BackendDevice: a device over a Backend. It checks assignments, refuses by name what the backend lacks, groups assignments into programs,
 * keeps programs by structure, and counts the arrays that stay.
 *
 *     out.device(d).assign(tree)
 *         independent groups ── each: structure of its trees ── known: its program     new: capabilities, then compile
 *         operands  ── DeviceMap: its array         map of this process: put into an array that is freed afterwards
 *         run       ── queued behind the operands
 *         results   ── DeviceMap: its array         map of this process: taken
 */
import type { DType } from "@onebuffer/base";
import { CancelledError, InvalidArgumentError, isStatusError } from "@onebuffer/base";
import { checkOptions, kMadeInside, shownValue } from "@onebuffer/base/internal";
import type { ArraySpec, Backend, BackendArray, BackendProgram } from "../backend/backend.ts";
import { checkCapabilities } from "../backend/capabilities.ts";
import { DeviceArray } from "../backend/device-array.ts";
import { DeviceLife } from "../backend/device-life.ts";
import { ElementBytes } from "../backend/element-bytes.ts";
import { KeptPrograms } from "../backend/kept-programs.ts";
import { KeptStructures } from "../backend/structure-key.ts";
import { abortable, checkTransfer, kNoTransferOptions } from "../backend/transfer-options.ts";
import type { DeviceTransferOptions } from "../backend/transfer-options.ts";
import { checkedAssignments } from "../device/checked-assignments.ts";
import { holdMaps } from "../device/hold-memory.ts";
import { checkTree, isMap } from "@onebuffer/expression/internal";
import type { Device, DeviceAssignment, ExpressionTree, OperandLike } from "@onebuffer/expression";
import { DeviceMap } from "./device-map.ts";
import type { DeviceMapParts } from "./device-map.ts";
import { independentGroups } from "./independent-groups.ts";

/** Where the result of an expression goes. */
interface Result<Content, Placement> {
  readonly array: BackendArray<Content>;
  readonly placement: Placement | null;
  /** The placement as a text. */
  readonly placementKey: string;
  /** The map of this process that takes the elements, or null for an array that stays. */
  readonly map: ExpressionTree | null;
}

/** A group of expressions that one program computes. */
interface Step<Content, Placement> {
  readonly key: string;
  readonly trees: readonly ExpressionTree[];
  readonly leaves: readonly ExpressionTree[];
  /** The array of each leaf that is a DeviceMap; null for a map of this process. */
  readonly arrays: readonly (BackendArray<Content> | null)[];
  readonly results: readonly Result<Content, Placement>[];
}

/** Makes the map of an array. */
type MapMaker<Content, Placement, M> = (parts: DeviceMapParts<DType, Content, Placement>) => M;

/** A device whose arrays live in a backend. It owns the backend, and `M` is the class of its maps. */
export class BackendDevice<Content, Placement, M extends DeviceMap<DType, number> = DeviceMap<DType, number>> implements Device {
  readonly name: string;
  readonly #backend: Backend<Content, Placement>;
  readonly #life: DeviceLife;
  readonly #programs: KeptPrograms<Content, Placement>;
  readonly #structures: KeptStructures = new KeptStructures();
  readonly #makeMap: MapMaker<Content, Placement, M>;
  /** The calls of the backend's memory under way, and all that ever began: see `#withMemory`. */
  #underWay = 0;
  #begun = 0;

  /** `programs` is the number of compiled programs that are kept; `makeMap` makes the maps of arrays, by default DeviceMaps. */
  constructor(
    backend: Backend<Content, Placement>,
    programs: number,
    makeMap: MapMaker<Content, Placement, M> = (parts) => new DeviceMap(kMadeInside, parts) as M,
  ) {
    this.name = backend.name;
    this.#backend = backend;
    this.#life = new DeviceLife(backend.name);
    this.#programs = new KeptPrograms(programs, (program) => this.#isGone || program.release());
    this.#makeMap = makeMap;
  }

  /** The number of compiled programs that are kept. */
  get programCount(): number {
    return this.#programs.size;
  }

  /** Throws FAILED_PRECONDITION if the device is disposed, and the backend's error if that has died. */
  check(): void {
    this.#life.check();
    const { dead } = this.#backend;
    if (dead !== null) throw dead;
  }

  /**
   * Computes assignments: see Device. What the backend cannot compute is refused before anything is sent or run. Targets of this process
   * are written when all of their group has been computed; a target whose memory was freed meanwhile is an error.
   */
  async assign(assignments: readonly DeviceAssignment[]): Promise<void> {
    const checked = checkedAssignments(assignments);
    await this.#assignGroups(checked, independentGroups(checked));
  }

  /** Computes assignments by one program, which reads all operands before a target is written: see Device. Rejects as `assign`. */
  async update(assignments: readonly DeviceAssignment[]): Promise<void> {
    const checked = checkedAssignments(assignments);
    await this.#assignGroups(checked, checked.length === 0 ? [] : [checked]);
  }

  /** Computes `all`, which are in groups, one group after the other. */
  async #assignGroups(all: readonly DeviceAssignment[], groups: readonly (readonly DeviceAssignment[])[]): Promise<void> {
    this.check();
    const steps = groups.map((group) =>
      this.#step(
        group.map(({ tree }) => tree),
        group.map(({ target }) => this.#resultFor(target)),
      ),
    );
    const release = holdMaps([...all.map(({ target }) => target), ...steps.flatMap(({ leaves }) => leaves)]);
    try {
      for (const step of steps) await this.#compute(step);
    } finally {
      release();
    }
  }

  /**
   * Copies a map or tensor to the backend. Rejects with INVALID_ARGUMENT for what is none, UNIMPLEMENTED for a dtype that the backend lacks,
   * CANCELLED, and the backend's errors. Copies: every element; once more if the elements are not dense.
   */
  async put(source: OperandLike<DType, number>, placement: Placement | null = null, options: DeviceTransferOptions = {}): Promise<M> {
    const map = checkTree("put", source);
    if (!isMap(map) || DeviceMap.is(map))
      throw new InvalidArgumentError(`put: ${shownValue(source)} is not a map or tensor, evaluate() takes expressions`);
    checkOptions("put", options, ["signal", "onProgress"]);
    checkTransfer("put", options);
    this.check();
    checkCapabilities(this.#backend, [map]);
    const spec = placement === null ? this.#specOf(map) : { dtype: map.dtype, dimensions: map.dimensions, placement };
    const release = holdMaps([map]);
    const array: BackendArray<Content> = { content: null };
    const work = this.#withMemory(async () => {
      this.#empty([array]);
      await (await this.#put(array, map, spec, options)).done;
    }).finally(release);
    return this.#finished(array, spec, abortable("put", options.signal, work), work);
  }

  /** Computes an expression into a new array that stays in the backend, which chooses its placement if that is null. Rejects as `assign`. */
  async evaluate(expression: OperandLike<DType, number>, placement: Placement | null = null): Promise<M> {
    const tree = checkTree("evaluate", expression);
    this.check();
    const array: BackendArray<Content> = { content: null };
    const step = this.#step([tree], [{ array, placement, placementKey: JSON.stringify(placement), map: null }]);
    const release = holdMaps(step.leaves);
    try {
      const [chosen] = await this.#compute(step);
      return this.#mapOf(array, { dtype: tree.dtype, dimensions: tree.dimensions, placement: placement ?? chosen ?? null });
    } catch (error) {
      this.release([array]);
      throw error;
    } finally {
      release();
    }
  }

  /** Copies the elements of a DeviceMap to a map of this process of the same dtype and sizes. Rejects as `put` does. */
  async fetch(from: DeviceMap<DType, number>, to: ExpressionTree, options: DeviceTransferOptions = {}): Promise<void> {
    checkOptions("fetch", options, ["signal", "onProgress"]);
    checkTransfer("fetch", options);
    this.check();
    const array = this.arrayOf(from);
    const release = holdMaps([to, from as unknown as ExpressionTree]);
    const work = this.#withMemory(() => this.#take(array, to, options));
    await abortable("fetch", options.signal, work.finally(release));
  }

  /** Returns a map of an array that the backend has made by itself: its content is there already. */
  adopt(array: BackendArray<Content>, spec: ArraySpec<Placement>): M {
    this.check();
    return this.#mapOf(array, spec);
  }

  /** Returns the array of a map of this device. Throws FAILED_PRECONDITION for a disposed map, and for one of another device. */
  arrayOf(map: DeviceMap<DType, number>): BackendArray<Content> {
    return DeviceMap.arrayOf(map, this) as BackendArray<Content>;
  }

  /** Frees arrays that no call uses any more; called by maps and by calls that have ended. Does nothing once the backend has ended. */
  release(arrays: readonly BackendArray<Content>[]): void {
    const held = arrays.filter(({ content }) => content !== null);
    if (held.length > 0 && !this.#isGone) this.#backend.release(held);
  }

  /** Frees arrays that can then be made again. */
  #empty(arrays: readonly BackendArray<Content>[]): void {
    this.release(arrays);
    for (const array of arrays) array.content = null;
  }

  /** Ends the backend. Calls under way are rejected with CANCELLED. Further calls have no effect. */
  dispose(): Promise<void> {
    return this.#life.end(() => this.#backend.close(this.#cancelled()));
  }

  #cancelled(): CancelledError {
    return new CancelledError(`${this.name} was disposed`);
  }

  /** Throws the error of a call under way if the backend has died or been closed meanwhile: it is not called any more then. */
  #checkOpen(): void {
    if (this.#isGone) throw this.#backend.dead ?? this.#cancelled();
  }

  /** True if everything that the backend had is freed. */
  get #isGone(): boolean {
    return this.#life.isOver || this.#backend.dead !== null;
  }

  /** Plans a group. Throws what checkCapabilities throws if its program is new. */
  #step(trees: readonly ExpressionTree[], results: readonly Result<Content, Placement>[]): Step<Content, Placement> {
    const { key, leaves } = this.#structures.of(
      trees,
      results.map(({ placementKey }) => placementKey),
      placementKeyOf,
    );
    if (!this.#programs.has(key)) checkCapabilities(this.#backend, trees);
    // Now, because a map may be disposed while the call goes on; its array is held.
    const arrays = leaves.map((leaf) => (DeviceMap.is(leaf) ? this.arrayOf(leaf) : null));
    return { key, trees, leaves, arrays, results };
  }

  /** Compiles a group if necessary, runs it, and takes its results. Returns the placements of the results. */
  #compute(step: Step<Content, Placement>): Promise<readonly (Placement | null)[]> {
    return this.#withMemory(() =>
      this.#programs.use(
        step.key,
        () => this.#compile(step),
        (program) => this.#run(program, step),
      ),
    );
  }

  /**
   * Calls `work`, and once more if there was no memory for it and the backend has freed some. A second call has a later place in the queue,
   * so it is made only if no other call was under way: one that overlaps may have read what the first call did not write, or have
   * written what it reads.
   */
  async #withMemory<T>(work: () => Promise<T>): Promise<T> {
    const wasAlone = this.#underWay++ === 0;
    const begun = ++this.#begun;
    try {
      return await this.#reclaiming(work);
    } catch (error) {
      const isAlone = wasAlone && this.#begun === begun && !this.#isGone;
      if (!isAlone || !isStatusError(error, "RESOURCE_EXHAUSTED") || this.#backend.reclaim === undefined) throw error;
      return await this.#reclaiming(work);
    } finally {
      this.#underWay--;
    }
  }

  /** Calls `work`; if there was no memory for it, the backend frees what it keeps before the promise is rejected. */
  async #reclaiming<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isStatusError(error, "RESOURCE_EXHAUSTED") && !this.#isGone) await this.#backend.reclaim?.();
      throw error;
    }
  }

  async #compile({ trees, leaves, results }: Step<Content, Placement>): Promise<BackendProgram<Content, Placement>> {
    this.#checkOpen();
    return this.#backend.compile({
      trees,
      leaves,
      operands: leaves.map((leaf) => this.#specOf(leaf)),
      results: trees.map(({ dtype, dimensions }, k) => ({ dtype, dimensions, placement: results[k]?.placement ?? null })),
    });
  }

  /** Queues the operands, the run and the transfers of its results, then waits for all. */
  async #run(
    program: BackendProgram<Content, Placement>,
    { leaves, arrays, results }: Step<Content, Placement>,
  ): Promise<readonly (Placement | null)[]> {
    const temporary: BackendArray<Content>[] = [];
    const calls: Promise<unknown>[] = [];
    try {
      const operands: BackendArray<Content>[] = [];
      for (let k = 0; k < leaves.length; k++) {
        let array = arrays[k] ?? null;
        if (array === null) {
          array = { content: null };
          temporary.push(array);
          const { done } = await this.#put(array, leaves[k]!, this.#specOf(leaves[k]!), kNoTransferOptions);
          calls.push(done);
        }
        operands.push(array);
      }
      this.#checkOpen();
      for (const { array, map } of results) if (map !== null) temporary.push(array);
      calls.push(program.run(operands, results.map(kArrayOf)));
      for (const { array, map } of results) if (map !== null) calls.push(this.#take(array, map, kNoTransferOptions));
      if (calls.length === 1) await calls[0];
      else throwFirst(await Promise.allSettled(calls));
      return program.placements;
    } finally {
      if (temporary.length > 0) {
        // An array is released when no call uses it any more.
        await Promise.allSettled(calls);
        this.#empty(temporary);
      }
    }
  }

  async #put(
    array: BackendArray<Content>,
    map: ExpressionTree,
    spec: ArraySpec<Placement>,
    options: DeviceTransferOptions,
  ): Promise<{ readonly done: Promise<unknown> }> {
    this.#checkOpen();
    const { done } = await this.#backend.put(array, new ElementBytes(map, true), spec, options);
    done.catch(() => {});
    return { done };
  }

  async #take(array: BackendArray<Content>, map: ExpressionTree, options: DeviceTransferOptions): Promise<void> {
    const target = new ElementBytes(map, false);
    await this.#backend.take(array, target, options);
    target.store();
  }

  /** Returns the map of a new array once `waiting` is fulfilled. Otherwise frees the array when `work` has settled. */
  async #finished(array: BackendArray<Content>, spec: ArraySpec<Placement>, waiting: Promise<unknown>, work: Promise<unknown>): Promise<M> {
    try {
      await waiting;
    } catch (error) {
      const free = (): void => this.release([array]);
      void work.then(free, free);
      throw error;
    }
    return this.#mapOf(array, spec);
  }

  #mapOf(array: BackendArray<Content>, spec: ArraySpec<Placement>): M {
    return this.#makeMap({ ...spec, home: this, counted: new DeviceArray(this, array) });
  }

  /** Where the result for a target goes. */
  #resultFor(target: ExpressionTree): Result<Content, Placement> {
    if (DeviceMap.is(target)) {
      const placement = DeviceMap.placementOf(target) as Placement | null;
      return { array: this.arrayOf(target), placement, placementKey: DeviceMap.placementKeyOf(target), map: null };
    }
    const placement = this.#placement(target, "result");
    return { array: { content: null }, placement, placementKey: JSON.stringify(placement), map: target };
  }

  /** Returns how the array of a leaf is placed. */
  #specOf(leaf: ExpressionTree): ArraySpec<Placement> {
    const placement = DeviceMap.is(leaf) ? (DeviceMap.placementOf(leaf) as Placement | null) : this.#placement(leaf, "operand");
    return { dtype: leaf.dtype, dimensions: leaf.dimensions, placement };
  }

  #placement(map: ExpressionTree, use: "operand" | "result"): Placement | null {
    return this.#backend.placement?.(map, use) ?? null;
  }
}

const kArrayOf = <Content>({ array }: { readonly array: BackendArray<Content> }): BackendArray<Content> => array;

/** Throws the error of the first call that failed. */
function throwFirst(answers: readonly PromiseSettledResult<unknown>[]): void {
  const failed = answers.find(({ status }) => status === "rejected");
  if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
}

/** Returns the placement of a map as a text, "" for one of this process. */
const placementKeyOf = (leaf: ExpressionTree): string => (DeviceMap.is(leaf) ? DeviceMap.placementKeyOf(leaf) : "");
