/** The options of XlaDevice.start, checked, and what the runner answers. */
import { DataLossError, FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { checkInteger, checkObject, checkOptions, checkText, shownValue } from "@onebuffer/base/internal";
import type { AbortSignalLike } from "@onebuffer/eigen";
import { checkTransfer } from "@onebuffer/eigen/internal";
import type { Mesh } from "../text/sharding.ts";
import { checkedMesh, meshSize, shownMesh } from "../text/sharding.ts";
import { kProtocol } from "./frame.ts";

/** The versions of StableHLO between which the texts of this package are understood: their operations exist since the first. */
export const kOldestStableHLO = "1.9.0";
export const kStableHLO = "1.17.0";

/** Seconds in which a runner must have imported JAX and found its devices. A cold disk takes 20 or 30. */
const kStartSeconds = 180;
/** Seconds without a sign of life after which a process of the group counts as dead. */
const kHeartbeatSeconds = 6;

/**
 * A group of processes, each with a program and an XlaDevice of its own, that compute together (jax.distributed). All run the same calls in
 * the same order.
 *
 * @example
 * const processes: XlaProcesses = { coordinator: "10.0.0.1:9911", count: 4, index: 0 };
 */
export interface XlaProcesses {
  /** Host and port at which process 0 listens; all others must reach it. */
  readonly coordinator: string;
  /** The number of processes. */
  readonly count: number;
  /** The number of this process, from 0. */
  readonly index: number;
  /**
   * Seconds that the processes wait for each other at the start; default 120. After 5 of them the program warns (`process.emitWarning`) whom
   * it waits for. The option `signal` of the start ends the waiting.
   */
  readonly joinSeconds?: number;
  /** Seconds without a sign of life after which a process counts as dead; default 6. */
  readonly heartbeatSeconds?: number;
}

/**
 * Options of XlaDevice.start.
 *
 * @example
 * const options: XlaDeviceOptions = { platform: "cpu", devices: 8, mesh: { data: 8 } };
 */
export interface XlaDeviceOptions {
  /** The Python interpreter that has JAX; default python3 or python of PATH. */
  readonly python?: string;
  /** The platform: "cpu", "cuda", "rocm", "tpu"; default the best one that JAX finds. */
  readonly platform?: string;
  /** The number of devices of this process; on a CPU that many virtual ones. Default all. */
  readonly devices?: number;
  /** The axes of the mesh in which all devices are arranged, row-major; default one axis "devices". */
  readonly mesh?: Mesh;
  /** The group that this process belongs to; default none. */
  readonly processes?: XlaProcesses;
  /** The folder of the files of shared memory, and the most bytes that they may have; default /dev/shm and no limit but its free space. */
  readonly sharedMemory?: { readonly folder?: string; readonly bytes?: number };
  /** The most compiled programs that are kept, some megabytes each; the least recently used is dropped first. Default 256. */
  readonly programs?: number;
  /** Seconds that the start may take; default 180, and with `processes` the time to wait for them in addition. */
  readonly startSeconds?: number;
  /** An AbortSignal that ends the start with CANCELLED. */
  readonly signal?: AbortSignalLike;
}

/**
 * A device of the mesh.
 *
 * @example
 * const device: XlaDeviceInfo = { id: 0, process: 0, kind: "cpu" };
 */
export interface XlaDeviceInfo {
  readonly id: number;
  /** The process of the group that has it. */
  readonly process: number;
  /** The name of the hardware. */
  readonly kind: string;
}

/**
 * The programs on the other side.
 *
 * @example
 * const found = (versions: XlaVersions): string => `JAX ${versions.jax} with StableHLO ${versions.stablehlo}`;
 */
export interface XlaVersions {
  readonly python: string;
  readonly jax: string;
  readonly jaxlib: string;
  readonly stablehlo: string;
}

/** What the runner says about itself. */
export interface RunnerInfo {
  readonly versions: XlaVersions;
  readonly platform: string;
  readonly processes: number;
  readonly mesh: Mesh;
  readonly devices: readonly XlaDeviceInfo[];
}

/** Checks the options. Throws INVALID_ARGUMENT, CANCELLED for a signal that is aborted already. */
export function checkStart(options: XlaDeviceOptions): void {
  const call = "XlaDevice.start";
  checkOptions(call, options, ["python", "platform", "devices", "mesh", "processes", "sharedMemory", "programs", "startSeconds", "signal"]);
  const { python, platform, devices, mesh, processes, sharedMemory, programs, startSeconds } = options;
  if (python !== undefined) checkText(python, "a path of Python");
  if (platform !== undefined) checkText(platform, "a platform");
  if (devices !== undefined) checkInteger(devices, "a number of devices", 1, 4096);
  if (programs !== undefined) checkInteger(programs, "a number of programs", 1);
  if (startSeconds !== undefined) checkInteger(startSeconds, "seconds", 1, 86_400);
  if (processes !== undefined) checkProcesses(processes);
  if (sharedMemory !== undefined) {
    checkOptions("sharedMemory", sharedMemory, ["folder", "bytes"]);
    if (sharedMemory.folder !== undefined) checkText(sharedMemory.folder, "a folder");
    if (sharedMemory.bytes !== undefined) checkInteger(sharedMemory.bytes, "bytes of shared memory", 4096);
  }
  if (mesh !== undefined) {
    const size = meshSize(checkedMesh(mesh));
    const hosts = processes?.count ?? 1;
    if (size % hosts !== 0) throw new InvalidArgumentError(`${call}: a mesh of ${size} devices cannot be divided over ${hosts} processes`);
    const expected = devices === undefined ? size : devices * hosts;
    if (size !== expected)
      throw new InvalidArgumentError(`${call}: the mesh ${shownMesh(mesh)} has ${size} devices, the option devices gives ${expected}`);
  }
  checkTransfer(call, options.signal === undefined ? {} : { signal: options.signal });
}

function checkProcesses(processes: XlaProcesses): void {
  checkOptions("processes", processes, ["coordinator", "count", "index", "joinSeconds", "heartbeatSeconds"]);
  const { coordinator, count, index, joinSeconds = 1, heartbeatSeconds = 1 } = processes;
  checkText(coordinator, "the coordinator's host:port");
  if (!/^\S+:\d{1,5}$/.test(coordinator)) throw new InvalidArgumentError(`processes: ${shownValue(coordinator)} is not host:port`);
  checkInteger(count, "a number of processes", 1, 100_000);
  checkInteger(index, "the number of this process", 0, count - 1);
  checkInteger(joinSeconds, "joinSeconds", 1, 86_400);
  checkInteger(heartbeatSeconds, "heartbeatSeconds", 1, 86_400);
}

/** Returns the body of the request that starts a runner, and the milliseconds after which its answer is late. */
export function startRequest(options: XlaDeviceOptions): { readonly body: object; readonly ms: number } {
  const { platform = null, devices, mesh, processes, startSeconds = kStartSeconds } = options;
  const axes = mesh === undefined ? null : Object.entries(mesh);
  const ofMesh = mesh === undefined ? null : meshSize(mesh) / (processes?.count ?? 1);
  const { joinSeconds = 120, heartbeatSeconds = kHeartbeatSeconds } = processes ?? {};
  const group = processes === undefined ? null : { ...processes, joinSeconds, heartbeatSeconds };
  return {
    body: { protocol: kProtocol, platform, devices: devices ?? ofMesh, mesh: axes, processes: group },
    ms: 1000 * (startSeconds + (group === null ? 0 : joinSeconds)),
  };
}

/**
 * Returns what a runner has answered. Throws FAILED_PRECONDITION if its StableHLO does not understand the texts of this package, and DATA_LOSS
 * if the answer has another form.
 */
export function runnerInfo(body: Uint8Array): RunnerInfo {
  let answer: RunnerAnswer;
  try {
    answer = JSON.parse(Buffer.from(body).toString()) as RunnerAnswer;
    checkObject(answer, "an answer");
    checkObject(answer.stablehlo, "versions");
    for (const list of [answer.mesh, answer.devices]) if (!Array.isArray(list)) throw new InvalidArgumentError("no list");
    for (const text of [answer.stablehlo.current, answer.stablehlo.minimum, answer.platform]) checkText(text, "a text");
  } catch (cause) {
    throw new DataLossError("XlaDevice: the runner's first answer is not readable", { cause });
  }
  const { python, jax, jaxlib, stablehlo, platform, processes, mesh, devices } = answer;
  if (answer.protocol !== kProtocol)
    throw new FailedPreconditionError(`XlaDevice: the runner speaks protocol ${shownValue(answer.protocol)}, not ${kProtocol}`);
  checkVersions(jax, stablehlo);
  return { versions: { python, jax, jaxlib, stablehlo: stablehlo.current }, platform, processes, mesh: Object.fromEntries(mesh), devices };
}

interface RunnerAnswer {
  readonly protocol: unknown;
  readonly python: string;
  readonly jax: string;
  readonly jaxlib: string;
  readonly stablehlo: { readonly current: string; readonly minimum: string };
  readonly platform: string;
  readonly processes: number;
  readonly mesh: readonly (readonly [string, number])[];
  readonly devices: readonly XlaDeviceInfo[];
}

function checkVersions(jax: string, { current, minimum }: RunnerAnswer["stablehlo"]): void {
  if (isOlder(current, kOldestStableHLO))
    throw new FailedPreconditionError(
      `XlaDevice: JAX ${jax} has StableHLO ${current}, expressions are written in ${kOldestStableHLO} or newer: install a newer JAX`,
    );
  if (isOlder(kStableHLO, minimum))
    throw new FailedPreconditionError(
      `XlaDevice: JAX ${jax} reads StableHLO from ${minimum} on, expressions are written in ${kStableHLO}: install a newer onebuffer, or an older JAX`,
    );
}

/** Compares versions such as 1.13.7 by their numbers. */
function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(".").map(Number)) as [number[], number[]];
  for (let k = 0; k < 3; k++) {
    const [x, y] = [a[k] ?? 0, b[k] ?? 0];
    if (x !== y) return !(x >= y);
  }
  return false;
}
