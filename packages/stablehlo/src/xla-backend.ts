/**
 * XlaBackend: the backend of an XlaDevice. Programs are StableHLO text that JAX compiles in the runner process; an array is a handle, the
 * number that names it there; elements go through shared memory; placements are shardings over the mesh.
 */
import type { DType, StatusError } from "@onebuffer/base";
import { InternalError } from "@onebuffer/base";
import type { DeviceTransferOptions, ExpressionTree, OpName } from "@onebuffer/eigen";
import type { ArraySpec, Backend, BackendArray, BackendProgram, ElementBytes, ProgramSource, Queued } from "@onebuffer/eigen/internal";
import { compileProgram } from "./compile-program.ts";
import { kRequest, words } from "./device/frame.ts";
import { Handles } from "./device/handles.ts";
import type { RunnerProcess } from "./device/runner-process.ts";
import type { SharedMemory } from "./device/shared-memory.ts";
import { Transfers } from "./device/transfers.ts";
import { xlaCapabilities } from "./lowering/xla-capabilities.ts";
import type { Sharding } from "./text/sharding.ts";

/** An array of the runner. Its content is its handle. */
type XlaArray = BackendArray<number>;

/** The runner process as a Backend. Requests are executed in their order, so a handle may be named before the array exists. */
export class XlaBackend implements Backend<number, Sharding> {
  readonly name: string;
  readonly #runner: RunnerProcess;
  readonly #memory: SharedMemory;
  readonly #isGroup: boolean;
  readonly #handles: Handles;
  readonly #transfers: Transfers;
  #lastProgram = 0;

  /** `isGroup` is true if the devices belong to several processes. The backend owns the runner and the memory. */
  constructor(name: string, runner: RunnerProcess, memory: SharedMemory, isGroup: boolean) {
    this.name = name;
    this.#runner = runner;
    this.#memory = memory;
    this.#isGroup = isGroup;
    this.#handles = new Handles(runner);
    this.#transfers = new Transfers(runner, memory, this.#handles);
  }

  get dead(): StatusError | null {
    return this.#runner.dead;
  }

  capabilities(op: OpName, dtype: DType, node: ExpressionTree): true | string {
    return xlaCapabilities(op, dtype, node);
  }

  /** Every device has all of an operand. In a group also of a result, so that each process can read it; else XLA chooses. */
  placement(map: ExpressionTree, use: "operand" | "result"): Sharding | null {
    return use === "operand" || this.#isGroup ? map.dimensions.map(() => null) : null;
  }

  async compile(source: ProgramSource<Sharding>): Promise<BackendProgram<number, Sharding>> {
    const number = ++this.#lastProgram;
    const placements = await compileProgram(this.#runner, number, source);
    return {
      placements,
      run: (operands, results) => this.#runner.request(kRequest.run, this.#runBody(number, operands, results)),
      release: () => this.#runner.post(kRequest.drop, words([number])),
    };
  }

  put(
    array: XlaArray,
    source: ElementBytes,
    { dtype, dimensions, placement }: ArraySpec<Sharding>,
    options: DeviceTransferOptions,
  ): Promise<Queued> {
    array.content = this.#handles.take();
    this.#runner.gather();
    return this.#transfers.send(source, { handle: array.content, dtype, dims: dimensions, sharding: placement }, options);
  }

  async take(array: XlaArray, target: ElementBytes, options: DeviceTransferOptions): Promise<void> {
    await this.#transfers.receive(handleOf(array), target, options);
  }

  release(arrays: readonly XlaArray[]): void {
    this.#handles.free(arrays.map(handleOf));
  }

  close(reason: StatusError): Promise<void> {
    return this.#runner.close(reason).finally(() => this.#memory.close(reason));
  }

  /** The body of the request to run a program: its number, the counts of operands and results, their handles. */
  #runBody(program: number, operands: readonly XlaArray[], results: readonly XlaArray[]): Uint8Array {
    for (const array of results) {
      if (array.content !== null) continue;
      array.content = this.#handles.take();
      // Most new results are taken at once.
      this.#runner.gather();
    }
    const body = words([program, 0, ...operands.map(handleOf), ...results.map(handleOf)]);
    const view = new DataView(body.buffer);
    view.setUint16(4, operands.length, true);
    view.setUint16(6, results.length, true);
    return body;
  }
}

/** Returns the handle of an array. Throws INTERNAL for one that neither a transfer nor a run was asked to make. */
export function handleOf({ content }: XlaArray): number {
  if (content === null) throw new InternalError("XlaDevice: an array without a handle");
  return content;
}
