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
import { UnavailableError, UnimplementedError } from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";
import { checkMadeInside, kMadeInside } from "@onebuffer/base/internal";
import { Tensor } from "@onebuffer/core";
import type { Device, DeviceAssignment, DeviceTransferOptions, OperandLike } from "@onebuffer/eigen";
import { treeOf } from "@onebuffer/eigen";
import { abortable, BackendDevice } from "@onebuffer/eigen/internal";
import { checkTree } from "@onebuffer/expression/internal";
import { answeredList } from "./device/answered-list.ts";
import { kRequest } from "./device/frame.ts";
import { runnerPath } from "./device/runner-path.ts";
import { RunnerProcess } from "./device/runner-process.ts";
import { SharedMemory } from "./device/shared-memory.ts";
import { fullSharding } from "./device/shardings.ts";
import { checkStart, runnerInfo, startRequest } from "./device/start-options.ts";
import type { RunnerInfo, XlaDeviceInfo, XlaDeviceOptions, XlaVersions } from "./device/start-options.ts";
import { XlaMap } from "./device/xla-map.ts";
import type { XlaMapHome, XlaShard } from "./device/xla-map.ts";
import type { Mesh, Sharding } from "./text/sharding.ts";
import { handleOf, XlaBackend } from "./xla-backend.ts";

/** The programs that are kept by default. */
const kMostPrograms = 256;

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
  readonly #device: BackendDevice<number, Sharding, XlaMap<DType, number>>;

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
    this.name = `XlaDevice(${info.platform} x ${info.devices.length})`;
    this.mesh = Object.freeze(info.mesh);
    this.devices = info.devices;
    this.versions = info.versions;
    const home: XlaMapHome = { fetch: (map, options) => this.#fetch(map, options), shardsOf: (map) => this.#shardsOf(map) };
    const backend = new XlaBackend(this.name, runner, memory, info.processes > 1);
    this.#device = new BackendDevice(backend, programs, (parts) => new XlaMap<DType, number>(kMadeInside, home, parts));
  }

  /** The number of the Python process. */
  get pid(): number | undefined {
    return this.#runner.pid;
  }

  /** Counts for tests of leaks: programs of the runner, slots of shared memory in use, bytes of shared memory. */
  get usage(): { readonly programs: number; readonly slots: number; readonly sharedBytes: number } {
    return { programs: this.#device.programCount, slots: this.#memory.slotCount, sharedBytes: this.#memory.bytes };
  }

  /**
   * Computes assignments: see Device. Targets of this process are written when all has been computed; a target whose memory was freed
   * meanwhile is an error.
   */
  assign(assignments: readonly DeviceAssignment[]): Promise<void> {
    return this.#device.assign(assignments);
  }

  /**
   * Computes assignments by one program, which reads all operands before a target is written: see Device, and `updateTogether`, which calls
   * it. So a training step is one message to the Python process and one back. Rejects and copies as `assign` does.
   */
  update(assignments: readonly DeviceAssignment[]): Promise<void> {
    return this.#device.update(assignments);
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
    options: DeviceTransferOptions = {},
  ): Promise<XlaMap<D, R>> {
    const { dimensions } = checkTree("put", source);
    const full = fullSharding("put", sharding, dimensions, this.mesh);
    return (await this.#device.put(source, full, options)) as unknown as XlaMap<D, R>;
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
    const { dimensions } = checkTree("evaluate", expression);
    const wanted = sharding === null ? null : fullSharding("evaluate", sharding, dimensions, this.mesh);
    return (await this.#device.evaluate(expression, wanted)) as unknown as XlaMap<D, R>;
  }

  /**
   * Ends the Python process and closes the shared memory; nothing is left of either. Calls under way are rejected with CANCELLED. All
   * processes of a group are disposed together.
   */
  dispose(): Promise<void> {
    return this.#device.dispose();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /** Copies an XlaMap into a new tensor; the map's `fetch`. */
  async #fetch<D extends DType>(map: XlaMap<D, number>, options: DeviceTransferOptions): Promise<Tensor<D>> {
    const tensor = new Tensor<D>(map.dtype, map.dimensions);
    try {
      await this.#device.fetch(map as never, treeOf(tensor.asOperand() as never), options);
      return tensor;
    } catch (error) {
      tensor.dispose();
      throw error;
    }
  }

  /** Returns the shards of an XlaMap that this process has; the map's `shards`. */
  async #shardsOf(map: XlaMap<DType, number>): Promise<readonly XlaShard[]> {
    this.#device.check();
    const answer = await this.#runner.requestJson(kRequest.shards, { handle: handleOf(this.#device.arrayOf(map)) });
    return answeredList<XlaShard>(answer, "shards");
  }
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
