/**
 * WebGpuDevice: computes assignments on a GPU, through WebGPU (in TensorFlow: a GPU device with its stream; tfjs's WebGPU backend).
 *
 *     out.device(gpu).assign(tree)
 *         structure of the tree ── known: its program       new: plan ── shaders ── pipelines, shared by all sizes
 *         operands  ── GpuMap: its buffer                   map of this process: copied to a buffer
 *         run       ── one submission
 *         results   ── GpuMap: a buffer                     map of this process: copied from one
 */
import type { DType, RawDType, StatusError } from "@onebuffer/base";
import { dtypeSize, InvalidArgumentError, isRawDType, isStatusError, NotFoundError, UnavailableError } from "@onebuffer/base";
import { checkFunction, checkMadeInside, checkObject, checkOptions, kMadeInside, shownValue } from "@onebuffer/base/internal";
import { Tensor } from "@onebuffer/core";
import type { Device, DeviceAssignment, DeviceTransferOptions, ExpressionTree, OperandLike } from "@onebuffer/eigen";
import { holdMemory, treeOf } from "@onebuffer/eigen";
import { BackendDevice, checkedAssignments } from "@onebuffer/eigen/internal";
import { checkTree, isMap, treeOrder } from "@onebuffer/expression/internal";
import { checkSizes } from "@onebuffer/storage/internal";
import { withFallback } from "./cpu-fallback.ts";
import { GpuSession } from "./gpu/gpu-session.ts";
import type { Gpu, GpuBuffer, GpuDevice } from "./gpu/gpu-types.ts";
import { GpuMap } from "./gpu-map.ts";
import type { GpuMapHome } from "./gpu-map.ts";
import { pixelsOf } from "./image/image-source.ts";
import type { GpuCanvas, ImageSource } from "./image/image-source.ts";
import { ImageTransfers } from "./image/image-transfers.ts";
import { explainExpression } from "./plan/explain-expression.ts";
import { explainFallback } from "./plan/explain-plan.ts";
import type { GpuExplanation } from "./plan/explain-plan.ts";
import { contentOf, madeContent } from "./run/gpu-content.ts";
import type { GpuContent } from "./run/gpu-content.ts";
import { probeNumerics } from "./run/numerics.ts";
import type { WebGpuNumerics } from "./run/numerics.ts";
import { WebGpuBackend } from "./run/web-gpu-backend.ts";

/** The programs that are kept. Pipelines are kept apart from them, and serve all sizes. */
const kMostPrograms = 1024;

const kName = "WebGpuDevice";

/**
 * The options of `WebGpuDevice.create`.
 *
 * @example
 * const options: WebGpuOptions = { powerPreference: "high-performance" };
 */
export interface WebGpuOptions {
  /** Which of several GPUs is preferred. */
  readonly powerPreference?: "low-power" | "high-performance";
  /** A device of the program (GPUDevice), which stays its own: it is not destroyed, and not replaced when it is lost. */
  readonly device?: GpuDevice;
  /** The entry to WebGPU, `navigator.gpu` by default. In Node: what the npm package `webgpu` creates. */
  readonly gpu?: Gpu;
  /**
   * What becomes of an expression that the GPU does not compute: "none", the default, refuses it with UNIMPLEMENTED. "cpu" computes it as a whole
   * in this process, as an assignment without a device does: its GpuMaps are copied here, and the result back. `explain` tells which
   * expressions these are.
   */
  readonly fallback?: "none" | "cpu";
}

/** What belongs to one GPUDevice. After a loss there is another one. */
interface Life {
  readonly session: GpuSession;
  readonly device: BackendDevice<GpuContent, null, GpuMap<DType, number>>;
  readonly images: ImageTransfers;
}

/**
 * A device that computes expressions on a GPU, in browsers and wherever else there is WebGPU. `create` makes one.
 *
 * Operands in this process are copied to the GPU at each assignment, and results back; GpuMaps, which `put` and `evaluate` make, stay there.
 * The first expression of a new structure is compiled; others of the same structure are not, whatever their sizes and constants. What
 * the GPU does not compute is refused by name, UNIMPLEMENTED, before anything runs. After a loss of the GPU its maps are gone and calls under
 * way are rejected with UNAVAILABLE; the next call is computed by a new device.
 *
 * @example
 * const soften = async (gpu: WebGpuDevice, x: Tensor<"float32">): Promise<Tensor<"float32">> => {
 *   using rows = await gpu.put(x.matrix());
 *   using result = await gpu.evaluate(rows.softmax());
 *   return result.fetch();
 * };
 */
export class WebGpuDevice implements Device {
  readonly name: string = kName;
  readonly #start: () => Promise<Life>;
  readonly #canReplace: boolean;
  readonly #fallsBack: boolean;
  #life: Life;
  #starting: Promise<Life> | null = null;
  #numerics: WebGpuNumerics;
  #isDisposed = false;
  #hasLost = false;

  /**
   * Finds a GPU and tries its arithmetic.
   *
   * Rejects with NOT_FOUND if there is no WebGPU or no adapter, UNAVAILABLE if the adapter makes no device, INVALID_ARGUMENT for wrong options
   * and for a `gpu` without `requestAdapter`.
   *
   * @example
   * await WebGpuDevice.create({ gpu: { requestAdapter: async () => null } }); // throws NOT_FOUND
   */
  static async create(options: WebGpuOptions = {}): Promise<WebGpuDevice> {
    checkOptions("WebGpuDevice.create", options, ["powerPreference", "device", "gpu", "fallback"]);
    const { powerPreference, device, gpu, fallback } = options;
    if (fallback !== undefined && fallback !== "none" && fallback !== "cpu")
      throw new InvalidArgumentError(`WebGpuDevice.create: fallback is "none" or "cpu", not ${shownValue(fallback)}`);
    if (powerPreference !== undefined && powerPreference !== "low-power" && powerPreference !== "high-performance")
      throw new InvalidArgumentError(
        `WebGpuDevice.create: powerPreference is "low-power" or "high-performance", not ${shownValue(powerPreference)}`,
      );
    if (gpu !== undefined) checkObject(gpu, "a GPU such as navigator.gpu");
    if (device !== undefined) checkDevice(device);
    const start = async (): Promise<GpuSession> =>
      device === undefined ? GpuSession.start(entryOf(gpu), { powerPreference }) : new GpuSession(device, [gpu ?? null], false);
    const session = await start();
    try {
      return new WebGpuDevice(kMadeInside, session, await probeNumerics(session), start, device === undefined, fallback === "cpu");
    } catch (error) {
      session.close(error as StatusError);
      throw error;
    }
  }

  private constructor(
    key: typeof kMadeInside,
    session: GpuSession,
    numerics: WebGpuNumerics,
    start: () => Promise<GpuSession>,
    canReplace: boolean,
    fallsBack: boolean,
  ) {
    checkMadeInside(key, "WebGpuDevice.create makes a WebGpuDevice");
    this.#start = async () => this.#lifeOf(await start());
    this.#numerics = numerics;
    this.#canReplace = canReplace;
    this.#fallsBack = fallsBack;
    this.#life = this.#lifeOf(session);
  }

  /** What the adapter's arithmetic does, found when the device was created. */
  get numerics(): WebGpuNumerics {
    return this.#numerics;
  }

  /** Resolves with the error, UNAVAILABLE, when the GPU that computes now is lost, or the device is disposed. */
  get lost(): Promise<Error> {
    return this.#life.session.lost;
  }

  /** Counts for tests of leaks: buffers made and alive, pipelines and programs that are kept, submissions, copies back to this process. */
  get usage(): {
    readonly buffersMade: number;
    readonly buffers: number;
    readonly pipelines: number;
    readonly programs: number;
    readonly submits: number;
    readonly readBacks: number;
  } {
    const { session, device } = this.#life;
    const { made, live } = session.pool.counts;
    return {
      buffersMade: made,
      buffers: live,
      pipelines: session.pipelines.count,
      programs: device.programCount,
      submits: session.submits,
      readBacks: session.reads,
    };
  }

  /**
   * Computes assignments: see Device. Targets of this process are written when all of their group has been computed. Rejects with UNIMPLEMENTED
   * for what the GPU does not compute, INVALID_ARGUMENT for elements that are errors, RESOURCE_EXHAUSTED, UNAVAILABLE.
   */
  async assign(assignments: readonly DeviceAssignment[]): Promise<void> {
    if (!this.#fallsBack) return this.#assign(assignments);
    const checked = checkedAssignments(assignments);
    const release = holdMemory(checked);
    try {
      // One by one: what is refused must not have been written in part, and may read what the one before has written.
      for (const assignment of checked) await this.#withFallback([assignment], (each) => this.#assign(each));
    } finally {
      release();
    }
  }

  #assign(assignments: readonly DeviceAssignment[]): Promise<void> {
    return this.#with(
      (device) => device.assign(assignments),
      () => assignments.flatMap(({ target, tree }) => [target, tree]),
    );
  }

  /** Computes assignments by one submission, which reads all operands before a target is written: see Device. Rejects as `assign`. */
  async update(assignments: readonly DeviceAssignment[]): Promise<void> {
    return this.#fallsBack ? this.#withFallback(assignments, (all) => this.#update(all)) : this.#update(assignments);
  }

  #update(assignments: readonly DeviceAssignment[]): Promise<void> {
    return this.#with(
      (device) => device.update(assignments),
      () => assignments.flatMap(({ target, tree }) => [target, tree]),
    );
  }

  /**
   * Copies a map or tensor to the GPU. Rejects with INVALID_ARGUMENT for what is none, RESOURCE_EXHAUSTED, UNAVAILABLE, CANCELLED. Copies: every
   * element; once more if the elements are not dense.
   */
  async put<D extends DType, R extends number>(source: OperandLike<D, R>, options: DeviceTransferOptions = {}): Promise<GpuMap<D, R>> {
    const map = await this.#with(
      (device) => device.put(source as unknown as OperandLike<DType, number>, null, options),
      () => [],
    );
    return map as unknown as GpuMap<D, R>;
  }

  /** Computes an expression into a new buffer that stays on the GPU. Rejects as `assign` does. */
  async evaluate<D extends DType, R extends number>(expression: OperandLike<D, R>): Promise<GpuMap<D, R>> {
    if (!this.#fallsBack) return this.#evaluate(expression);
    const tree = checkTree("evaluate", expression);
    const assignment = { target: tree, tree } as unknown as DeviceAssignment;
    return this.#withFallback([assignment], ([each]) => this.#evaluate(each!.tree as unknown as OperandLike<D, R>));
  }

  async #evaluate<D extends DType, R extends number>(expression: OperandLike<D, R>): Promise<GpuMap<D, R>> {
    const map = await this.#with(
      (device) => device.evaluate(expression as unknown as OperandLike<DType, number>),
      () => [checkTree("evaluate", expression)],
    );
    return map as unknown as GpuMap<D, R>;
  }

  /**
   * Returns a map over a buffer of the program, on the device that the program gave to `create`: dense elements in row-major order, from the
   * beginning of the buffer. The buffer needs the usages STORAGE, COPY_SRC and COPY_DST. Assignments to the map write it; the map never
   * destroys it. Copies nothing. Throws INVALID_ARGUMENT for a dtype without bytes, sizes that are none and a buffer that is too small.
   */
  wrap<D extends RawDType, const S extends readonly number[]>(buffer: GpuBuffer, dtype: D, dimensions: S): GpuMap<D, S["length"]> {
    checkObject(buffer, "a GPUBuffer");
    if (!isRawDType(dtype)) throw new InvalidArgumentError(`wrap: elements of ${shownValue(dtype)} have no bytes`);
    const dims = checkSizes(dimensions, "a wrapped buffer");
    const bytes = dims.reduce((product, size) => product * size, dtypeSize(dtype));
    if (!(buffer.size >= bytes) || buffer.size % 4 !== 0)
      throw new InvalidArgumentError(
        `wrap: a buffer of ${shownValue(buffer.size)} bytes does not hold ${dtype} [${dims.join(", ")}] in words`,
      );
    const array = { content: madeContent(buffer, null, null) };
    return this.#life.device.adopt(array, { dtype, dimensions: dims, placement: null }) as unknown as GpuMap<D, S["length"]>;
  }

  /**
   * Copies a picture of a page to the GPU: [height, width, 4] of uint8, red, green, blue and alpha (in tfjs: `browser.fromPixels`). The
   * picture is read before this returns, so a VideoFrame can be closed then. Nothing is copied in this process. Rejects with
   * INVALID_ARGUMENT for what is no picture, one that is not loaded and one of another site; UNIMPLEMENTED outside of browsers;
   * RESOURCE_EXHAUSTED, UNAVAILABLE.
   *
   * @example
   * async function brighter(gpu: WebGpuDevice, frame: ImageSource, canvas: GpuCanvas): Promise<void> {
   *   using picture = await gpu.fromImage(frame);
   *   await gpu.draw(picture.cast("float32").mul(1.5 / 255), canvas);
   * }
   */
  fromImage(image: ImageSource): Promise<GpuMap<"uint8", 3>> {
    return this.#with(
      async (device) => {
        device.check();
        const { content, dimensions } = await this.#life.images.fromImage(image);
        return device.adopt({ content }, { dtype: "uint8", dimensions, placement: null }) as unknown as GpuMap<"uint8", 3>;
      },
      () => [],
    );
  }

  /**
   * Draws an expression to a canvas, which gets its sizes; nothing is copied to this process (in tfjs: `browser.draw`). The expression has
   * [height, width] for grey pixels, or [height, width, 1, 3 or 4]; float32 from 0 to 1 or uint8 from 0 to 255. Alpha is ignored, and NaN
   * is black. Rejects with INVALID_ARGUMENT for other dtypes and sizes, and for a canvas with a context of another kind; as `evaluate`
   * does.
   */
  async draw(picture: OperandLike<DType, number>, canvas: GpuCanvas): Promise<void> {
    const tree = checkTree("draw", picture);
    const pixels = pixelsOf(tree);
    checkObject(canvas, "a canvas");
    if (typeof canvas.getContext !== "function") throw new InvalidArgumentError(`draw: ${shownValue(canvas)} is no canvas`);
    if (!GpuMap.isOne(tree)) {
      using result = await this.evaluate(tree as unknown as OperandLike<DType, number>);
      await this.draw(result, canvas);
      return;
    }
    await this.#with(
      async (device) => {
        device.check();
        const content = contentOf(device.arrayOf(tree));
        await this.#life.images.draw(content, tree.dtype as "float32" | "uint8", pixels, canvas);
      },
      () => [tree],
    );
  }

  /**
   * Describes what `evaluate` of an expression would do: the shaders, their numbers and workgroups. Computes nothing. Throws UNIMPLEMENTED
   * for what the GPU does not compute, unless the device falls back to the CPU: then there is one step, of the form "cpu".
   */
  explain(expression: OperandLike<DType, number>): GpuExplanation {
    const tree = checkTree("explain", expression);
    try {
      return explainExpression(tree);
    } catch (error) {
      if (!this.#fallsBack || !isStatusError(error, "UNIMPLEMENTED")) throw error;
      return explainFallback(tree, treeOrder([tree]).filter(isMap));
    }
  }

  /** Frees all that the device has on the GPU. Calls under way are rejected with CANCELLED; further calls throw FAILED_PRECONDITION. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#life.images.close();
    await this.#life.device.dispose();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #lifeOf(session: GpuSession): Life {
    const home: GpuMapHome = {
      fetch: (map, options) => this.#fetch(map, options, life),
      bufferOf: (map) => contentOf(life.device.arrayOf(map)).buffer,
      get dead() {
        return session.dead;
      },
    };
    const backend = new WebGpuBackend(this.name, session);
    const device = new BackendDevice<GpuContent, null, GpuMap<DType, number>>(
      backend,
      kMostPrograms,
      (parts) => new GpuMap<DType, number>(kMadeInside, home, parts),
    );
    const life: Life = { session, device, images: new ImageTransfers(session) };
    return life;
  }

  /** Calls `work` with the device of the present GPU: of a new one if that was lost. Throws UNAVAILABLE for maps of one that was lost. */
  async #with<T>(
    work: (device: BackendDevice<GpuContent, null, GpuMap<DType, number>>) => Promise<T>,
    trees: () => readonly ExpressionTree[],
  ): Promise<T> {
    if (this.#life.session.dead !== null && this.#canReplace && !this.#isDisposed) await this.#replace();
    if (this.#hasLost) this.#checkLost(trees());
    return work(this.#life.device);
  }

  #withFallback<T>(
    assignments: readonly DeviceAssignment[],
    compute: (assignments: readonly DeviceAssignment[]) => Promise<T>,
  ): Promise<T> {
    return withFallback(assignments, (map) => this.#fetch(map, {}, this.#life), compute);
  }

  async #replace(): Promise<void> {
    this.#hasLost = true;
    this.#starting ??= this.#start();
    try {
      this.#life = await this.#starting;
    } finally {
      this.#starting = null;
    }
    if (this.#isDisposed) await this.#life.device.dispose();
  }

  #checkLost(trees: readonly ExpressionTree[]): void {
    for (const node of treeOrder(trees)) {
      const loss = GpuMap.lossOf(node);
      if (loss !== null) throw new UnavailableError(`the elements of ${String(node)} are gone: ${loss.message}`);
    }
  }

  /** Copies a GpuMap into a new tensor; the map's `fetch`. */
  async #fetch<D extends DType>(map: GpuMap<D, number>, options: DeviceTransferOptions, { device }: Life): Promise<Tensor<D>> {
    const tensor = new Tensor<D>(map.dtype, map.dimensions);
    try {
      await device.fetch(map as never, treeOf(tensor.asOperand() as never), options);
      return tensor;
    } catch (error) {
      tensor.dispose();
      throw error;
    }
  }
}

/** Throws INVALID_ARGUMENT for what is no GPUDevice. */
function checkDevice(device: GpuDevice): void {
  checkObject(device, "a GPUDevice");
  for (const part of [device.limits, device.lost, device.queue]) checkObject(part, "a part of a GPUDevice: its limits, lost or queue");
}

/** Returns the entry to WebGPU. Throws NOT_FOUND where there is none. */
function entryOf(gpu: Gpu | undefined): Gpu {
  const found = gpu ?? (globalThis as { readonly navigator?: { readonly gpu?: Gpu } }).navigator?.gpu;
  if (found === undefined || found === null)
    throw new NotFoundError(
      'there is no WebGPU here: a browser has navigator.gpu on https pages, Node the npm package "webgpu", as { gpu }',
    );
  checkFunction(found.requestAdapter, "a GPU with requestAdapter, as create([]) of the npm package gives one");
  return found;
}
