/**
 * Access to the modules of Node, when the library runs in Node (no counterpart in TensorFlow).
 *
 * The sources of this package do not import `node:` modules, so they load unchanged in browsers. Node 20.16 and later give access to their
 * modules through `globalThis.process.getBuiltinModule`. Elsewhere these functions return null and the caller does without.
 *
 * The declarations are structural and contain only the members that are used, so Node's own objects match them.
 */

/** A worker, as the `worker` event of Node's `process` passes it. */
export interface NodeWorker {
  /** The thread's number, never reused in a process; -1 once the thread has ended. */
  readonly threadId: number;
  /** Calls `listener` when the thread has ended, for any reason. */
  once(event: "exit", listener: (exitCode: number) => void): unknown;
}

/** `node:worker_threads`. */
export interface NodeWorkerThreads {
  /** True in the first thread of the process. */
  readonly isMainThread: boolean;
  /** The number of this thread; 0 for the main thread. */
  readonly threadId: number;
  /** Sets a value that every worker started from now on receives. SharedArrayBuffers and shared WebAssembly memories stay shared. */
  setEnvironmentData(key: string, value: unknown): void;
  /** Returns the value that this thread received or has set; undefined if there is none. */
  getEnvironmentData(key: string): unknown;
}

/** `node:v8`. */
export interface NodeV8 {
  /** Sets a command-line flag of the engine. The prefix `--no-` clears a flag. */
  setFlagsFromString(flags: string): void;
  /** Returns the statistics of this thread's heap, in bytes. */
  getHeapStatistics(): { readonly heap_size_limit: number };
}

/** `node:os`. */
export interface NodeOs {
  /** Returns the memory of the machine in bytes. */
  totalmem(): number;
}

/** A context: a global object for scripts, made by `createContext`. */
export type NodeContext = object & { readonly contextBrand?: never };

/** `node:vm`. */
export interface NodeVm {
  /** A compiled script. */
  readonly Script: new (
    code: string,
  ) => { runInContext(context: NodeContext): unknown };
  /** Makes a context. With `afterEvaluate` its microtasks run at the end of each script. */
  createContext(sandbox: object, options?: { readonly microtaskMode?: "afterEvaluate" }): NodeContext;
  /** Runs `code` in a new context and returns its last value. */
  runInNewContext(code: string): unknown;
}

/** The members of Node's `process` that are used. */
export interface NodeProcess {
  /** Calls `listener` with every worker that this thread starts from now on. */
  on(event: "worker", listener: (worker: NodeWorker) => void): unknown;
  /** Returns a module of Node, or undefined. */
  getBuiltinModule(name: string): unknown;
  /** Returns the memory limit of the container or control group in bytes. Missing in Node before 19.6. */
  constrainedMemory?(): number | undefined;
}

/** The modules by name. */
interface NodeBuiltins {
  readonly worker_threads: NodeWorkerThreads;
  readonly os: NodeOs;
  readonly v8: NodeV8;
  readonly vm: NodeVm;
}

/** Returns Node's `process` if it has `getBuiltinModule`; otherwise, as in browsers and in Node before 20.16, null. */
export function nodeProcess(): NodeProcess | null {
  const process = (globalThis as { process?: Partial<NodeProcess> }).process;
  return typeof process?.getBuiltinModule === "function" ? (process as NodeProcess) : null;
}

/**
 * Returns a module of Node. Returns null in browsers, in Node before 20.16, and if the host has no module of that name. The module is
 * looked up at every call. Never throws.
 */
export function nodeBuiltin<Name extends keyof NodeBuiltins>(name: Name): NodeBuiltins[Name] | null {
  try {
    return (nodeProcess()?.getBuiltinModule(`node:${name}`) as NodeBuiltins[Name] | undefined) ?? null;
  } catch {
    // The host has the function, but it throws.
    return null;
  }
}
