/**
 * node-builtins: the parts of Node that a tensor runtime can use where it happens to run there (no counterpart in TensorFlow).
 *
 * Sources here import nothing from `node:`, so that they load in browsers as they are. Node 20.16 and later hand out their
 * own modules through `process.getBuiltinModule`, found on `globalThis`; where there is no such thing the answer is null
 * and the caller does without. Nothing is imported, bundled or awaited for it.
 *
 * The declarations are structural and say only what is used, so that Node's own objects fit them.
 */

/** A worker as the `worker` event of Node's process hands it over. */
export interface NodeWorker {
  /** Its number, never used twice in a process; -1 once it has ended. */
  readonly threadId: number;
  /** Calls `listener` when the thread has ended, however it did. */
  once(event: "exit", listener: (exitCode: number) => void): unknown;
}

/** `node:worker_threads`. */
export interface NodeWorkerThreads {
  /** Whether this is the process's first thread. */
  readonly isMainThread: boolean;
  /** This thread's number: 0 for the main thread. */
  readonly threadId: number;
  /** A value for every worker started from now on; SharedArrayBuffers and shared memories arrive as themselves. */
  setEnvironmentData(key: string, value: unknown): void;
  /** The value this thread was started with, or has set itself; undefined when there is none. */
  getEnvironmentData(key: string): unknown;
}

/** `node:v8`. */
export interface NodeV8 {
  /** Sets a command-line flag of the engine; the prefix `--no-` unsets it. */
  setFlagsFromString(flags: string): void;
  /** Figures of this thread's heap, in bytes. */
  getHeapStatistics(): { readonly heap_size_limit: number };
}

/** `node:os`. */
export interface NodeOs {
  /** The machine's memory in bytes. */
  totalmem(): number;
}

/** A global object for scripts, as `createContext` made it. */
export type NodeContext = object & { readonly contextBrand?: never };

/** `node:vm`. */
export interface NodeVm {
  /** A script that is ready to run. */
  readonly Script: new (
    code: string,
  ) => { runInContext(context: NodeContext): unknown };
  /** Makes a global object; with `afterEvaluate` its microtasks run at the end of each script. */
  createContext(sandbox: object, options?: { readonly microtaskMode?: "afterEvaluate" }): NodeContext;
  /** Runs `code` in a global object of its own and answers its last value. */
  runInNewContext(code: string): unknown;
}

/** Node's `process`, as far as it is used. */
export interface NodeProcess {
  /** Calls `listener` with every worker this thread starts from now on. */
  on(event: "worker", listener: (worker: NodeWorker) => void): unknown;
  /** One of Node's own modules, or undefined. */
  getBuiltinModule(name: string): unknown;
  /** The bytes of memory that the container or control group leaves the process; missing in Node before 19.6. */
  constrainedMemory?(): number | undefined;
}

/** The modules by name. */
interface NodeBuiltins {
  readonly worker_threads: NodeWorkerThreads;
  readonly os: NodeOs;
  readonly v8: NodeV8;
  readonly vm: NodeVm;
}

/** Node's `process` where it is Node's and young enough to hand out its modules; otherwise null. */
export function nodeProcess(): NodeProcess | null {
  const process = (globalThis as { process?: Partial<NodeProcess> }).process;
  return typeof process?.getBuiltinModule === "function" ? (process as NodeProcess) : null;
}

/**
 * One of Node's own modules; null in a browser, in Node before 20.16, and where the host has no module of that name. It is
 * looked up anew at every call. Never throws.
 */
export function nodeBuiltin<Name extends keyof NodeBuiltins>(name: Name): NodeBuiltins[Name] | null {
  try {
    return (nodeProcess()?.getBuiltinModule(`node:${name}`) as NodeBuiltins[Name] | undefined) ?? null;
  } catch {
    // A host that has the function and refuses to answer it: as if it had not.
    return null;
  }
}
