/** Makes a byte sink of whatever a caller has: a sink, a WritableStream, a stream of Node, an object with `write`. */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { ByteSink } from "./byte-sink.ts";

/** The part of a WritableStream that a writer needs. */
export interface WritableStreamLike {
  getWriter(): {
    readonly ready: Promise<unknown>;
    write(bytes: Uint8Array<ArrayBuffer>): Promise<unknown>;
    close(): Promise<unknown>;
    abort(reason?: unknown): Promise<unknown>;
  };
}

/** The part of a stream of Node that a writer needs. */
export interface NodeWritableLike {
  write(bytes: Uint8Array<ArrayBuffer>, done: (error?: Error | null) => void): boolean;
  end(done: (error?: Error | null) => void): unknown;
  destroy(error?: Error): unknown;
  readonly destroyed?: boolean;
  once(event: "error" | "close", listener: (error: Error) => void): unknown;
}

/** A sink of which only `write` is needed. */
export interface WriteOnlySink {
  write(bytes: Uint8Array<ArrayBufferLike>): void | Promise<void>;
  close?(): void | Promise<void>;
  abort?(reason: unknown): void | Promise<void>;
}

/**
 * What writers write to: a ByteSink such as ChunkSink or, in `onebuffer/node`, `fileSink`; a WritableStream; a writable stream of Node; an
 * object with a `write` method.
 *
 * @example
 * const sizes: number[] = [];
 * const output: SinkOutput = { write: (bytes: Uint8Array) => void sizes.push(bytes.length) };
 * await toByteSink(output).write(new Uint8Array(5));
 * sizes; // => [5]
 */
export type SinkOutput = ByteSink | WritableStreamLike | NodeWritableLike | WriteOnlySink;

/**
 * Returns `output` as a byte sink. A ByteSink is returned as it is. Streams get copies, because they may pass their chunks on after a
 * write has ended.
 *
 * Throws INVALID_ARGUMENT for anything else, FAILED_PRECONDITION if a WritableStream is locked.
 *
 * @example
 * const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
 * const sink = toByteSink(writable);
 * void sink.write(Uint8Array.of(1, 2));
 * (await readable.getReader().read()).value; // => Uint8Array.of(1, 2)
 * toByteSink("out.npy" as never); // throws INVALID_ARGUMENT
 */
export function toByteSink(output: SinkOutput): ByteSink {
  const found = typeof output === "object" && output !== null ? methodsOf(output) : {};
  if (found.getWriter) return streamSink(output as WritableStreamLike);
  if (found.write && found.end && found.once) return nodeSink(output as NodeWritableLike);
  if (found.write && found.close) return output as ByteSink;
  if (!found.write) {
    const advice = typeof output === "string" ? "; for a path give fileSink(path) of onebuffer/node" : "";
    throw new InvalidArgumentError(`expected a ByteSink { write, close } or a writable stream, got ${shownValue(output)}${advice}`);
  }
  const { write, abort } = output as WriteOnlySink;
  const sink: ByteSink = { write: (bytes) => write.call(output, bytes), close: () => undefined };
  return abort === undefined ? sink : { ...sink, abort: (reason) => abort.call(output, reason) };
}

type MethodName = "write" | "close" | "end" | "once" | "getWriter";

/** Returns which methods an object has. */
function methodsOf(output: object): Partial<Record<MethodName, boolean>> {
  const found: Partial<Record<MethodName, boolean>> = {};
  for (const name of ["write", "close", "end", "once", "getWriter"] as const) {
    try {
      found[name] = typeof (output as Record<string, unknown>)[name] === "function";
    } catch {
      // A revoked Proxy has no methods.
    }
  }
  return found;
}

function streamSink(stream: WritableStreamLike): ByteSink {
  let writer: ReturnType<WritableStreamLike["getWriter"]>;
  try {
    writer = stream.getWriter();
  } catch (cause) {
    throw new InvalidArgumentError("the WritableStream is locked: something else writes to it", { cause });
  }
  let calls = 0;
  const counted = async (act: () => Promise<unknown>): Promise<void> => {
    calls++;
    try {
      await act();
    } finally {
      calls--;
    }
  };
  return {
    write: (bytes) =>
      counted(async () => {
        await writer.ready;
        await writer.write(new Uint8Array(bytes));
      }),
    close: () => counted(() => writer.close()),
    async abort(reason) {
      const isBusy = calls > 0;
      const aborted = writer.abort(reason);
      // A stream aborts after the write that is under way, which may never end.
      if (isBusy) aborted.catch(() => undefined);
      else await aborted;
    },
  };
}

function nodeSink(stream: NodeWritableLike): ByteSink {
  let failure: Error | null = null;
  let closing: ((error: Error) => void) | null = null;
  const fail = (error: Error): Error => {
    failure ??= error;
    closing?.(failure);
    return failure;
  };
  stream.once("error", fail);
  // A stream that is destroyed without an error does not call the function of `end`.
  stream.once("close", () => fail(new FailedPreconditionError("the stream was closed before all was written")));
  return {
    write(bytes) {
      return new Promise((resolve, reject) => {
        stream.write(new Uint8Array(bytes), (error) => (error === undefined || error === null ? resolve() : reject(error)));
      });
    },
    close() {
      return new Promise((resolve, reject) => {
        if (stream.destroyed === true) fail(new FailedPreconditionError("the stream is closed"));
        if (failure !== null) return reject(failure);
        closing = reject;
        stream.end((error) => (error === undefined || error === null ? resolve() : reject(error)));
      });
    },
    abort() {
      stream.destroy();
    },
  };
}
