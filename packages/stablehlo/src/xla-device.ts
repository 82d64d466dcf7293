/**
 * XlaDevice: computes assignments on JAX's PJRT, on any number of devices and hosts (in TensorFlow: XLA's PjRt device behind tf.function's
 * jit_compile).
 *
 *     out.device(xla).assign(tree)
 *         structure of the tree ── known: its program       new: toStableHLO ── compiled once by the runner
 *         operands  ── XlaMap: its handle                   map of this process: copied to a slot of shared memory
 *         run       ── the runner waits for the results
 *         results   ── XlaMap: stay on the devices          map of this process: copied from a slot
 */
import type { DType } from "@onebuffer/base";
import {
  CancelledError,
  dtypeSize,
  FailedPreconditionError,
  InvalidArgumentError,
  isRawDType,
  UnavailableError,
  UnimplementedError,
} from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";
import { checkMadeInside, kMadeInside, checkOptions, shownValue } from "@onebuffer/base/internal";
import { Tensor } from "@onebuffer/core";
import type { Device, DeviceAssignment, ExpressionTree, OperandLike, RawPlaces } from "@onebuffer/eigen";
import { holdMemory, treeOf } from "@onebuffer/eigen";
import { checkTree, leafPlaces } from "@onebuffer/eigen/internal";
import { DeviceArray } from "./device/device-array.ts";
import { kRequest, words } from "./device/frame.ts";
import { Handles } from "./device/handles.ts";
import { independentGroups } from "./device/independent-groups.ts";
import { runnerPath } from "./device/runner-path.ts";
import { RunnerProcess } from "./device/runner-process.ts";
import { SharedMemory } from "./device/shared-memory.ts";
import type { Slot } from "./device/shared-memory.ts";
import { fullSharding } from "./device/shardings.ts";
import { checkStart, runnerInfo, startRequest } from "./device/start-options.ts";
import type { RunnerInfo, XlaDeviceInfo, XlaDeviceOptions, XlaVersions } from "./device/start-options.ts";
import { structureOf } from "./device/structure-key.ts";
import { abortable, checkTransfer } from "./device/transfer-options.ts";
import type { XlaTransferOptions } from "./device/transfer-options.ts";
import { Transfers } from "./device/transfers.ts";
import { XlaMap } from "./device/xla-map.ts";
import type { XlaMapHome, XlaShard } from "./device/xla-map.ts";
import type { Mesh, Sharding } from "./text/sharding.ts";
import { XlaPrograms } from "./xla-programs.ts";
import type { XlaProgram } from "./xla-programs.ts";

/** The programs that are kept by default. */
const kMostPrograms = 256;

/** Where the result of an expression goes: an array of the runner, or a map of this process. */
interface Destination {
  readonly handle: number;
  readonly sharding: Sharding | null;
  /** The map of this process, or null for an array that stays. */
  readonly map: ExpressionTree | null;
}

/**
 * A device that computes expressions with XLA, in a Python process with JAX that it starts and ends. `start` makes one.
 *
 * Operands in this process are copied to the devices at each assignment, and results back; XlaMaps, which `put` and `evaluate` make, stay
 * there. The first assignment of an expression of a new structure is compiled, which takes some 50 ms; later ones of any values are not.
 * Each promise is rejected with UNAVAILABLE once the Python process has ended, and with RESOURCE_EXHAUSTED if a device has no memory.
 * Element errors (a division of integers by 0, an index out of range) are INVALID_ARGUMENT, as in `assign`. docs/cluster.md has more.
 *
 * @example
 * const step = async (xla: XlaDevice, x: Tensor<"float32">, out: Tensor<"float32">): Promise<void> => {
 *   using rows = await xla.put(x.matrix(), ["devices"]); // each device gets as many rows
 *   await out.device(xla).assign(rows.matMul(rows.transpose()));
 * };
 */
export class XlaDevice implements Device {
  /** The platform and the number of devices, `XlaDevice(cpu x 8)`. */
  readonly name: string;
  /** The mesh in which the devices are arranged. */
  readonly mesh: Mesh;
  /** The devices in the order of the mesh, of all processes of the group. */
  readonly devices: readonly XlaDeviceInfo[];
  /** The versions of the programs on the other side. */
  readonly versions: XlaVersions;
  readonly #runner: RunnerProcess;
  readonly #memory: SharedMemory;
  readonly #transfers: Transfers;
  readonly #programs: XlaPrograms;
  readonly #isGroup: boolean;
  readonly #handles: Handles;
  /** What XlaMaps call. */
  readonly #home: XlaMapHome;
  #disposed: Promise<void> | null = null;

  /**
   * Starts a Python process and finds its devices, which takes a second or two. Nothing is installed.
   *
   * Rejects with NOT_FOUND if there is no Python, FAILED_PRECONDITION if it has no JAX, one of another time, or other devices than those
   * asked for; UNIMPLEMENTED on Windows; UNAVAILABLE if the process ends or is late; CANCELLED if the signal is aborted; INVALID_ARGUMENT
   * for wrong options.
   *
   * @example
   * await XlaDevice.start({ python: "/no/such/python" }); // throws NOT_FOUND
   * await XlaDevice.start({ devices: 0 }); // throws INVALID_ARGUMENT
   */
  static start(options: XlaDeviceOptions = {}): Promise<XlaDevice> {
    return startDevice(options, runnerPath, (...parts) => new XlaDevice(kMadeInside, ...parts));
  }

  private constructor(key: typeof kMadeInside, runner: RunnerProcess, memory: SharedMemory, info: RunnerInfo, programs: number) {
    checkMadeInside(key, "XlaDevice.start makes an XlaDevice");
    this.#runner = runner;
    this.#memory = memory;
    this.#handles = new Handles(runner);
    this.#transfers = new Transfers(runner, memory, this.#handles);
    this.#programs = new XlaPrograms(runner, programs);
    this.#isGroup = info.processes > 1;
    this.name = `XlaDevice(${info.platform} x ${info.devices.length})`;
    this.mesh = Object.freeze(info.mesh);
    this.devices = info.devices;
    this.versions = info.versions;
    this.#home = {
      name: this.name,
      fetch: (map, options) => this.#fetch(map, options),
      shardsOf: (map) => this.#shardsOf(map),
      freeArray: (handle) => this.#handles.free([handle]),
    };
  }

  /** The number of the Python process. */
  get pid(): number | undefined {
    return this.#runner.pid;
  }

  /** Counts for tests of leaks: programs of the runner, slots of shared memory in use, bytes of shared memory. */
  get usage(): { readonly programs: number; readonly slots: number; readonly sharedBytes: number } {
    return { programs: this.#programs.size, slots: this.#memory.slotCount, sharedBytes: this.#memory.bytes };
  }

  /**
   * Computes assignments: see Device. Targets of this process are written when all has been computed; a target whose memory was freed
   * meanwhile is an error.
   */
  async assign(assignments: readonly DeviceAssignment[]): Promise<void> {
    this.#checkAlive();
    // Throws INVALID_ARGUMENT for anything but a list of assignments.
    const release = holdMemory(assignments);
    try {
      for (const group of assignments.length === 1 ? [assignments] : independentGroups(assignments)) {
        const trees = group.map(({ tree }) => tree);
        await this.#compute(trees, (k) => this.#destination((group[k] as DeviceAssignment).target));
      }
    } finally {
      release();
    }
  }

  /**
   * Copies a map or tensor to the devices. The sharding says how its dimensions are divided over the axes of the mesh: `["x"]` divides the
   * rows over axis x, `[null, "x"]` the columns; by default every device has all.
   *
   * Rejects with INVALID_ARGUMENT for a sharding that does not fit, RESOURCE_EXHAUSTED, UNAVAILABLE, CANCELLED. Copies: every element, once;
   * twice if the elements are not dense, or if shared memory is short.
   */
  async put<D extends DType, R extends number>(
    source: OperandLike<D, R>,
    sharding: Sharding = [],
    options: XlaTransferOptions = {},
  ): Promise<XlaMap<D, R>> {
    const map = checkTree("put", source);
    if (map.op !== "map" || XlaMap.is(map))
      throw new InvalidArgumentError(`put: ${shownValue(source)} is not a map or tensor, evaluate() takes expressions`);
    checkOptions("put", options, ["signal", "onProgress"]);
    checkTransfer("put", options);
    this.#checkAlive();
    if (!isRawDType(map.dtype)) throw new InvalidArgumentError(`put: elements of ${map.dtype} do not compute`);
    const full = fullSharding("put", sharding, map.dimensions, this.mesh);
    const release = holdMemory([{ target: map, places: leafPlaces(map), tree: map }]);
    const handle = this.#handles.take();
    try {
      const { done } = await this.#transfers.send(map, handle, full, options);
      await abortable("put", options.signal, done);
    } catch (error) {
      this.#handles.free([handle]);
      throw error;
    } finally {
      release();
    }
    return this.#mapOf(map as never, handle, full);
  }

  /**
   * Computes an expression into a new array that stays on the devices. Without a sharding XLA chooses one.
   *
   * Rejects as `assign` does, and with INVALID_ARGUMENT for a sharding that does not fit.
   */
  async evaluate<D extends DType, R extends number>(
    expression: OperandLike<D, R>,
    sharding: Sharding | null = null,
  ): Promise<XlaMap<D, R>> {
    const tree = checkTree("evaluate", expression);
    this.#checkAlive();
    const wanted = sharding === null ? null : fullSharding("evaluate", sharding, tree.dimensions, this.mesh);
    const release = holdMemory([{ target: tree, places: kNoPlaces, tree }]);
    const handle = this.#handles.take();
    try {
      const { shardings } = await this.#compute([tree], () => ({ handle, sharding: wanted, map: null }));
      return this.#mapOf(treeOf(expression as never) as never, handle, wanted ?? shardings[0] ?? tree.dimensions.map(() => null));
    } catch (error) {
      this.#handles.free([handle]);
      throw error;
    } finally {
      release();
    }
  }

  /**
   * Ends the Python process and closes the shared memory; nothing is left of either. Calls under way are rejected with CANCELLED. All
   * processes of a group are disposed together.
   */
  dispose(): Promise<void> {
    const reason = new CancelledError(`${this.name} was disposed`);
    this.#disposed ??= this.#runner.close(reason).finally(() => this.#memory.close(reason));
    return this.#disposed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /** Copies an XlaMap into a new tensor; the map's `fetch`. */
  async #fetch<D extends DType>(map: XlaMap<D, number>, options: XlaTransferOptions): Promise<Tensor<D>> {
    checkOptions("fetch", options, ["signal", "onProgress"]);
    checkTransfer("fetch", options);
    this.#checkAlive();
    const handle = XlaMap.handleOf(map as never, this.#home);
    const release = holdMemory([{ target: map as never, places: kNoPlaces, tree: map as never }]);
    const tensor = new Tensor<D>(map.dtype, map.dimensions);
    try {
      const work = this.#transfers.receive(handle, treeOf(tensor.asOperand() as never), options).finally(release);
      await abortable("fetch", options.signal, work);
      return tensor;
    } catch (error) {
      tensor.dispose();
      throw error;
    }
  }

  /** Returns the shards of an XlaMap that this process has; the map's `shards`. */
  async #shardsOf(map: XlaMap<DType, number>): Promise<readonly XlaShard[]> {
    this.#checkAlive();
    const answer = await this.#runner.requestJson(kRequest.shards, { handle: XlaMap.handleOf(map, this.#home) });
    return (JSON.parse(Buffer.from(answer).toString()) as { readonly shards: readonly XlaShard[] }).shards;
  }

  /** Compiles the expressions if necessary, runs them, and delivers their results. */
  async #compute(trees: readonly ExpressionTree[], destinationOf: (k: number) => Destination): Promise<XlaProgram> {
    const destinations = trees.map((_, k) => destinationOf(k));
    const temporary: number[] = [];
    try {
      const structure = structureOf(trees, (leaf) => (XlaMap.is(leaf) ? JSON.stringify(leaf.sharding) : ""));
      const { leaves } = structure;
      // Now, because a map may be disposed while the call goes on; its array is held.
      const residents = leaves.map((leaf) => (XlaMap.is(leaf) ? XlaMap.handleOf(leaf, this.#home) : 0));
      const key = structure.key + destinations.map(({ sharding }) => JSON.stringify(sharding)).join(";");
      const program = this.#programs.find(key) ?? (await this.#programs.compile(key, this.#sourceOf(trees, leaves, destinations)));
      const sent: Promise<unknown>[] = [];
      const handles: number[] = [];
      for (const [k, leaf] of leaves.entries()) {
        const handle = (residents[k] as number) || this.#handles.take();
        handles.push(handle);
        if (residents[k] !== 0) continue;
        temporary.push(handle);
        sent.push((await this.#transfers.send(leaf, handle, replicated(leaf))).done);
      }
      for (const { handle, map } of destinations) {
        handles.push(handle);
        if (map !== null) temporary.push(handle);
      }
      await this.#run(program, handles, leaves.length, destinations, sent);
      return program;
    } finally {
      this.#handles.free(temporary);
    }
  }

  /** Requests the run and, in the same piece, those results for which there is a slot. */
  async #run(
    program: XlaProgram,
    handles: readonly number[],
    inputs: number,
    destinations: readonly Destination[],
    sent: readonly Promise<unknown>[],
  ): Promise<void> {
    const body = runBody(program.number, handles, inputs);
    const hosts = destinations.filter(({ map }) => map !== null);
    if (hosts.length === 0) {
      const run = this.#runner.request(kRequest.run, body);
      if (sent.length === 0) await run;
      else await Promise.all([...sent, run]);
      return;
    }
    const slots: (Slot | null)[] = [];
    const fetched: Promise<unknown>[] = [];
    const run = this.#runner.together(() => {
      const running = this.#runner.request(kRequest.run, body);
      for (const { handle, map } of hosts) {
        const slot = this.#transfers.slotFor(bytesOf(map as ExpressionTree));
        slots.push(slot);
        fetched.push(slot === null ? Promise.resolve() : this.#transfers.requestWhole(handle, slot));
      }
      return running;
    });
    // The slots are free once their requests are answered, whatever the answers are.
    const answers = await Promise.allSettled([...sent, run, ...fetched]);
    const failed = answers.find((answer) => answer.status === "rejected");
    if (failed !== undefined) {
      for (const slot of slots) if (slot !== null) this.#transfers.giveBack(slot);
      throw (failed as PromiseRejectedResult).reason as StatusError;
    }
    for (const [k, { handle, map }] of hosts.entries()) {
      const slot = slots[k] as Slot | null;
      if (slot === null) await this.#transfers.receive(handle, map as ExpressionTree);
      else await this.#transfers.readWhole(slot, map as ExpressionTree);
    }
  }

  #sourceOf(
    trees: readonly ExpressionTree[],
    leaves: readonly ExpressionTree[],
    destinations: readonly Destination[],
  ): Parameters<XlaPrograms["compile"]>[1] {
    return {
      trees,
      leaves,
      leafShardings: leaves.map((leaf) => (XlaMap.is(leaf) ? leaf.sharding : replicated(leaf))),
      resultShardings: destinations.map(({ sharding }) => sharding),
    };
  }

  /** Where the result for a target goes. In a group, one for this process is computed on all devices, so that each process can read it. */
  #destination(target: ExpressionTree): Destination {
    if (XlaMap.is(target)) return { handle: XlaMap.handleOf(target, this.#home), sharding: target.sharding, map: null };
    return { handle: this.#handles.take(), sharding: this.#isGroup ? replicated(target) : null, map: target };
  }

  #mapOf<D extends DType, R extends number>(
    tree: { readonly dtype: D; readonly dimensions: readonly number[] },
    handle: number,
    sharding: Sharding,
  ): XlaMap<D, R> {
    return new XlaMap<D, R>(kMadeInside, this.#home, new DeviceArray(this.#home, handle), tree.dtype, [...tree.dimensions], sharding);
  }

  #checkAlive(): void {
    if (this.#disposed !== null) throw new FailedPreconditionError(`${this.name} was disposed`);
    if (this.#runner.dead !== null) throw this.#runner.dead;
  }
}

/** Of an expression that is evaluated into a new array. */
const kNoPlaces = null as unknown as RawPlaces;

const replicated = ({ dimensions }: ExpressionTree): Sharding => dimensions.map(() => null);

const bytesOf = ({ dtype, dimensions }: ExpressionTree): number => dimensions.reduce((product, size) => product * size, dtypeSize(dtype));

/** The body of the request to run a program: its number, the counts of arguments and results, their handles. */
function runBody(program: number, handles: readonly number[], inputs: number): Uint8Array {
  const body = words([program, 0, ...handles]);
  const view = new DataView(body.buffer);
  view.setUint16(4, inputs, true);
  view.setUint16(6, handles.length - inputs, true);
  return body;
}

/** Starts the runner at `path` and makes a device of it with `make`. */
export async function startDevice(
  options: XlaDeviceOptions,
  path: () => string,
  make: (runner: RunnerProcess, memory: SharedMemory, info: RunnerInfo, programs: number) => XlaDevice,
): Promise<XlaDevice> {
  checkStart(options);
  if (process.platform === "win32")
    throw new UnimplementedError("XlaDevice needs Linux or macOS: run it in the Windows Subsystem for Linux");
  const { python, sharedMemory, signal } = options;
  const { body, ms } = startRequest(options);
  const runner = await RunnerProcess.start(python === undefined ? ["python3", "python"] : [python], [path()]);
  const memory = new SharedMemory(runner, sharedMemory?.folder, sharedMemory?.bytes ?? Infinity);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new UnavailableError(`XlaDevice: the runner was not ready after ${ms / 1000} s`);
    timer = setTimeout(reject, ms, error);
  });
  try {
    const answer = await abortable("XlaDevice.start", signal, Promise.race([runner.requestJson(kRequest.start, body), late]));
    const info = runnerInfo(answer);
    await memory.open();
    runner.onDead = (error) => memory.close(error);
    return make(runner, memory, info, options.programs ?? kMostPrograms);
  } catch (error) {
    memory.close(error as StatusError);
    await runner.abandon(error as StatusError);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
