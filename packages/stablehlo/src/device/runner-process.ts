/**
 * RunnerProcess: a Python process that executes requests (in TensorFlow: a worker behind a session's gRPC channel).
 *
 * The two processes share a pair of connected sockets, so there is neither an address nor a file for others to find, and each notices
 * at once when the other one ends. Requests are answered in their order. After the end of the process, or the first bytes that are no
 * frame, every request fails with the same error.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import {
  DataLossError,
  FailedPreconditionError,
  InternalError,
  InvalidArgumentError,
  NotFoundError,
  StatusError,
  UnavailableError,
} from "@onebuffer/base";
import type { StatusCode } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { Frame } from "./frame.ts";
import { FrameReader, kRequest, kStatus, requestFrame, wordsOf } from "./frame.ts";

/** Milliseconds that a runner may take to end before it is killed. */
const kEndMs = 3000;
/** Milliseconds between the end of the socket and that of the process, in which its exit status and last words arrive. */
const kLastWordsMs = 1000;
/** A line of the runner for the person who runs the program. */
const kSays = /^onebuffer says: (.*)\n/gm;
/** What JAX prints about a process of the group that it has lost, and its number. */
const kLostPeer = /unhealthy[^:]*:\s*(?:\S*task:)?(\d+)|heartbeat|coordination service/i;

/** Returns why a runner ended, if the cause is another process of its group, else "". */
function lostPeer(printed: string): string {
  const found = kLostPeer.exec(printed);
  if (found === null) return "";
  return ` because ${found[1] === undefined ? "another process" : `process ${found[1]}`} of its group has ended or cannot be reached`;
}

/** How much of what the runner prints is kept for messages. */
const kKeptText = 4096;

const kCodes: ReadonlySet<unknown> = new Set<StatusCode>([
  "CANCELLED",
  "INVALID_ARGUMENT",
  "NOT_FOUND",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "DATA_LOSS",
  "UNAVAILABLE",
]);

/** A request that was sent. */
interface Pending {
  readonly resolve: (body: Uint8Array) => void;
  readonly reject: (error: StatusError) => void;
}

/** A running process and the requests that it has not answered. */
export class RunnerProcess {
  /** Called with the numbers of slots of shared memory that nothing reads any more. */
  onReleased: (slots: readonly number[]) => void = () => {};
  /** Called once, when no further request can succeed. */
  onDead: (error: StatusError) => void = () => {};
  readonly #child: ChildProcess;
  readonly #socket: Socket;
  readonly #frames: FrameReader = new FrameReader();
  readonly #pending: Map<number, Pending> = new Map();
  readonly #exit: Promise<string>;
  #lastId = 0;
  #printed = "";
  #dead: StatusError | null = null;
  #closing = false;
  #isGathering = false;

  /**
   * Starts the first of the commands that exists. Rejects with NOT_FOUND if none does.
   */
  static async start(commands: readonly string[], args: readonly string[]): Promise<RunnerProcess> {
    for (const command of commands) {
      const child = spawned(command, args);
      const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
        child.once("spawn", () => resolve(null));
        child.once("error", resolve);
      });
      if (error === null) return new RunnerProcess(child);
      if (error.code !== "ENOENT")
        throw new FailedPreconditionError(`${shownValue(command)} cannot be run: ${error.message}`, { cause: error });
    }
    const tried = commands.map((command) => shownValue(command)).join(" and ");
    throw new NotFoundError(`no Python was found as ${tried}: install Python with JAX, or name one with the option python`);
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#socket = child.stdio[3] as Socket;
    this.#exit = new Promise((resolve) => {
      child.once("exit", (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
    });
    child.on("error", () => {});
    child.stderr?.on("data", (bytes: Uint8Array) => {
      const text = Buffer.from(bytes).toString();
      for (const [, said] of text.matchAll(kSays)) process.emitWarning(said as string, "XlaDeviceWarning");
      this.#printed = (this.#printed + text.replace(kSays, "")).slice(-kKeptText);
    });
    this.#socket.on("data", (chunk: Uint8Array) => this.#receive(chunk));
    this.#socket.on("error", () => void this.#ended());
    this.#socket.on("close", () => void this.#ended());
    void this.#exit.then(() => this.#ended());
    this.#keepAwake(false);
    (child.stderr as Socket | null)?.unref();
    child.unref();
  }

  /** The number of the process. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The error of all further requests, or null as long as there can be some. */
  get dead(): StatusError | null {
    return this.#dead;
  }

  /**
   * Sends a request and returns the body of its answer. Rejects with the error that the runner answers with, with UNAVAILABLE if the
   * process ends, and with DATA_LOSS if it sends bytes that are no frame.
   */
  request(kind: number, ...parts: readonly Uint8Array[]): Promise<Uint8Array> {
    if (this.#dead !== null) return Promise.reject(this.#dead);
    const id = (this.#lastId = (this.#lastId % 0xffffffff) + 1);
    return new Promise((resolve, reject) => {
      if (this.#pending.size === 0) this.#keepAwake(true);
      this.#pending.set(id, { resolve, reject });
      this.#socket.write(requestFrame(id, kind, parts));
    });
  }

  /** Sends a request whose body is JSON. */
  requestJson(kind: number, body: unknown, ...parts: readonly Uint8Array[]): Promise<Uint8Array> {
    return this.request(kind, Buffer.from(JSON.stringify(body)), ...parts);
  }

  /** Sends a request whose answer does not matter: it frees something, which the end of the process does, too. */
  post(kind: number, ...parts: readonly Uint8Array[]): void {
    this.request(kind, ...parts).catch(() => {});
  }

  /** Has the requests from now to the end of this turn sent in one piece. For a single request it takes longer than it saves. */
  gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      this.#socket.uncork();
    });
  }

  /** Ends the process, at the latest after a few seconds, and fails the requests that it has not answered with `reason`. */
  async close(reason: StatusError): Promise<void> {
    this.#closing = true;
    this.#child.ref();
    const stopped = this.#dead === null ? this.request(kRequest.stop).catch(() => {}) : Promise.resolve();
    const killer = setTimeout(() => this.#child.kill("SIGKILL"), kEndMs);
    void stopped.then(() => this.#socket.end());
    await this.#exit;
    clearTimeout(killer);
    this.#fail(reason);
    this.#socket.destroy();
    this.#child.stderr?.destroy();
  }

  /** Kills the process at once and fails all requests with `reason`. */
  kill(reason: StatusError): void {
    this.#fail(reason);
    this.#child.kill("SIGKILL");
    this.#socket.destroy();
  }

  /** Kills the process at once, fails all requests with `reason`, and waits for its end. */
  async abandon(reason: StatusError): Promise<void> {
    this.kill(reason);
    this.#child.ref();
    await this.#exit;
  }

  #receive(chunk: Uint8Array): void {
    if (this.#dead !== null) return;
    try {
      for (const frame of this.#frames.read(chunk)) this.#answer(frame);
    } catch (error) {
      this.kill(error as StatusError);
    }
  }

  #answer({ id, status, body }: Frame): void {
    if (id === 0 && status === kStatus.released) return this.onReleased(wordsOf(body));
    const pending = this.#pending.get(id);
    if (pending === undefined || (status !== kStatus.done && status !== kStatus.error))
      throw new DataLossError(`the runner answered request ${id}, which it was not asked, with status ${status}`);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#keepAwake(false);
    if (status === kStatus.done) pending.resolve(body);
    else pending.reject(answeredError(body));
  }

  /** The process or its socket has ended: fails all requests with the reason. */
  async #ended(): Promise<void> {
    if (this.#dead !== null || this.#closing) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<string>((resolve) => (timer = setTimeout(resolve, kLastWordsMs, "its connection ended")));
    const how = await Promise.race([this.#exit, late]);
    clearTimeout(timer);
    // What it printed last may still be on its way.
    await new Promise((resolve) => setTimeout(resolve, 20));
    const printed = this.#printed.trim();
    const cause = `the runner of XlaDevice ended${lostPeer(printed)} (${how})`;
    this.kill(new UnavailableError(printed === "" ? cause : `${cause}; it printed: ${printed}`));
  }

  #fail(error: StatusError): void {
    if (this.#dead !== null) return;
    this.#dead = error;
    this.#keepAwake(false);
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.onDead(error);
  }

  /** A program that waits for an answer goes on running; one that has forgotten the device can end. */
  #keepAwake(isWaiting: boolean): void {
    if (isWaiting) this.#socket.ref();
    else this.#socket.unref();
  }
}

/** Starts a process with a socket as file descriptor 3. Throws INVALID_ARGUMENT for a command that cannot be one. */
function spawned(command: string, args: readonly string[]): ChildProcess {
  try {
    return spawn(command, args, { stdio: ["ignore", "ignore", "pipe", "pipe"] });
  } catch (cause) {
    throw new InvalidArgumentError(`${shownValue(command)} is not a command`, { cause });
  }
}

/** Returns the StatusError of an answer with status 1. */
function answeredError(body: Uint8Array): StatusError {
  try {
    const { code, message } = JSON.parse(Buffer.from(body).toString()) as { readonly code: unknown; readonly message: unknown };
    if (kCodes.has(code)) return new StatusError(code as StatusCode, `XlaDevice: ${String(message)}`);
  } catch {
    // Falls through: an error without a code.
  }
  return new InternalError("XlaDevice: the runner answered with an error that is not readable");
}
