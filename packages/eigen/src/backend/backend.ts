/**
 * Backend: the contract between this package and what computes in memory of its own: another process, a cluster, a GPU (in PJRT: PjRtClient
 * with its buffers and executables; in TensorFlow: a device's allocator and kernels). These are types only.
 *
 *     BackendDevice      checks assignments, groups them, keeps programs by structure, counts arrays
 *       capabilities     asked for each node of the expressions, before anything is compiled, sent or run
 *       compile          expressions of one structure -> a program; the elements of their maps differ from run to run
 *       put              the elements of a map of this process -> an array
 *       program.run      arrays -> arrays
 *       take             an array -> the elements of a map of this process
 *       release          arrays that nothing uses any more
 *       close            everything else
 *
 * **Order.** A backend executes what it was asked to in the order of the calls, as a queue does. A call may return before it is executed:
 * the device runs a program as soon as its operands are queued, and takes results as soon as the run is. So an operation on an array
 * whose own operation failed fails, too, and touches no target.
 *
 * **Errors.** Every promise is rejected with a StatusError: UNIMPLEMENTED for what the backend does not have, INVALID_ARGUMENT for
 * elements that are errors, RESOURCE_EXHAUSTED if there is no memory, UNAVAILABLE once the backend has died.
 */
import type { DType, StatusError } from "@onebuffer/base";
import type { ExpressionTree, OpName } from "@onebuffer/expression";
import type { ElementBytes } from "./element-bytes.ts";
import type { DeviceTransferOptions } from "./transfer-options.ts";

/**
 * An array of a backend. The device makes the object, empty, and counts its uses. The backend alone reads and writes `content`: what the
 * array is there, such as a number or a GPUBuffer, at the latest once the call that makes the array has settled. A run may replace the content
 * of an array that has one. The device only looks whether there is one, and then releases the array once.
 */
export interface BackendArray<Content> {
  content: Content | null;
}

/**
 * An array as a program is compiled for it. `placement` says where in the backend its elements are, as a JSON value: a sharding over
 * devices. It is null if the backend may choose, or has one place only.
 */
export interface ArraySpec<Placement> {
  readonly dtype: DType;
  readonly dimensions: readonly number[];
  readonly placement: Placement | null;
}

/** What is compiled: expressions, the maps that they read, each once, in the order of `treeOrder`, and how operands and results are placed. */
export interface ProgramSource<Placement> {
  readonly trees: readonly ExpressionTree[];
  /** The maps. Only their dtypes and dimensions may be used: the program runs with other maps, too. */
  readonly leaves: readonly ExpressionTree[];
  readonly operands: readonly ArraySpec<Placement>[];
  readonly results: readonly ArraySpec<Placement>[];
}

/** A compiled program: one submission for a group of assignments. */
export interface BackendProgram<Content, Placement> {
  /** The placement of each result; null if it has none. */
  readonly placements: readonly (Placement | null)[];
  /**
   * Queues a run before it returns. Resolves when the results exist. `results` are distinct arrays, which get the new contents; one of them
   * may be an operand, whose old elements are read. After a rejection the results are as they were before the run.
   */
  run(operands: readonly BackendArray<Content>[], results: readonly BackendArray<Content>[]): Promise<unknown>;
  /** Frees the program. Called once, when no run is under way. Never throws. */
  release(): void;
}

/** A transfer to the backend whose elements have been read, and that has its place in the queue. */
export interface Queued {
  /** Settles when the array exists, or cannot. */
  readonly done: Promise<unknown>;
}

/**
 * What computes in memory of its own. `Content` is what an array is there, `Placement` where its elements may be.
 *
 * A BackendDevice is its only caller, and guarantees:
 * - `compile` gets only nodes for which `capabilities` returned true;
 * - an array that has a content is released exactly once, after the last call with it has settled;
 * - after `close` has been called, or while `dead` is an error, no other method is called: what is left then belongs to the backend.
 */
export interface Backend<Content, Placement = null> {
  /** The name of the device in messages, for example "XlaDevice(cpu x 8)". */
  readonly name: string;
  /** The error of all further calls once the backend has died, for example because its process ended or the GPU was lost; else null. */
  readonly dead: StatusError | null;
  /**
   * Returns true if the backend computes an operation on a dtype, or else the reason why it does not, as the end of a sentence: "it has no
   * form in StableHLO". `dtype` is that of the operand that decides, as in the op table: of the first operand, or of the chosen operands of
   * `select`; without operands it is that of the result. The operation "map" asks for arrays of a dtype. The other dtypes and the
   * attributes are in `node`. Computes nothing, and returns the same for the same operation, dtypes and attributes.
   */
  capabilities(op: OpName, dtype: DType, node: ExpressionTree): true | string;
  /**
   * The placement of a map of this process when it is an operand, or of a result that is taken, where the program names none. A backend
   * without it uses null.
   */
  placement?(map: ExpressionTree, use: "operand" | "result"): Placement | null;
  /** Compiles a program. Rejects with UNIMPLEMENTED if the whole is impossible although each node is possible. */
  compile(source: ProgramSource<Placement>): Promise<BackendProgram<Content, Placement>>;
  /**
   * Copies elements to an empty array. Resolves once the elements have been read and the array can be named in other calls. A backend
   * that has to wait may read `source` in parts; it looks at `options.signal` between them and reports each part to `options.onProgress`.
   */
  put(array: BackendArray<Content>, source: ElementBytes, spec: ArraySpec<Placement>, options: DeviceTransferOptions): Promise<Queued>;
  /**
   * Copies all elements of an array to `target`, in parts if the backend likes. It waits for the run that computes the array. If that run
   * fails, it is rejected, and has not touched `target`.
   */
  take(array: BackendArray<Content>, target: ElementBytes, options: DeviceTransferOptions): Promise<unknown>;
  /** Frees arrays. Never throws. */
  release(arrays: readonly BackendArray<Content>[]): void;
  /**
   * Frees memory that is only kept for later use, after a call was rejected with RESOURCE_EXHAUSTED, which is then made once more. A backend
   * that keeps nothing has no such method. Never rejects.
   */
  reclaim?(): Promise<void>;
  /** Ends the backend and frees all that it has. Calls under way are rejected with `reason`. */
  close(reason: StatusError): Promise<void>;
}
