/**
 * BundleWriter: writes TensorFlow's checkpoints of version 2, byte for byte as TensorFlow does for the same tensors in the same order
 * (tensorflow/core/util/tensor_bundle/tensor_bundle.h).
 *
 *     add("b", ...), add("a", ...)   model.ckpt.data-00000-of-00001    bytes of "b" | bytes of "a"
 *     finish()                       model.ckpt.index                  "" header, "a" entry, "b" entry: sorted by their keys
 *
 * Data files have no gaps, so a tensor may begin anywhere; with `alignment` each begins at a multiple of it.
 */
import { dataTypeOf, FailedPreconditionError, InvalidArgumentError, isStatusError } from "@onebuffer/base";
import { checkInteger, checkOptions, checkText, shownValue } from "@onebuffer/base/internal";
import type { ShapeLike, Tensor } from "@onebuffer/core";
import type { BundleEntryProto } from "@onebuffer/proto";
import { TensorShape } from "@onebuffer/shape";
import { encodeTensorNameSlice, TensorSliceSet } from "@onebuffer/slice";
import type { TensorSlice } from "@onebuffer/slice";
import { maskCrc } from "../checksum/crc-mask.ts";
import type { ByteSink } from "../source/byte-sink.ts";
import type { FileSinks } from "../source/file-sinks.ts";
import { closeSink, SinkWriter } from "../source/sink-writer.ts";
import { checkTransfer } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { shownKey } from "../table/compare-bytes.ts";
import { keyBytes, keyText } from "./bundle-index.ts";
import type { CheckpointKey } from "./bundle-index.ts";
import { dataFilename } from "./bundle-names.ts";
import { BundleEntries, writeBundleIndex } from "./bundle-entries.ts";
import { toFileSinks } from "./create-sink.ts";
import type { BundleOutput } from "./create-sink.ts";
import { clonedSlice } from "../tensor/region.ts";
import { encodeStrings } from "./string-elements.ts";
import { encodeVariants } from "./variant-elements.ts";
import { writeElements, writeWithCrc } from "./write-elements.ts";

/**
 * The options of `BundleWriter`.
 *
 * @example
 * const options: BundleWriterOptions = { alignment: 64 };
 * options.alignment; // => 64
 */
export interface BundleWriterOptions extends TransferOptions {
  /**
   * Each tensor begins at a multiple of so many bytes; zeros fill the gaps. 1 by default, which is what TensorFlow's savers use; 64 lets
   * every tensor be viewed in place. TensorFlow reads both.
   */
  readonly alignment?: number;
}

const kMaxAlignment: number = 2 ** 20;

/**
 * Writes a checkpoint with one data file. `mergeBundles` makes one of several.
 *
 * Calls may follow each other without waiting; they are performed in order. If one fails, the files are aborted and every later call
 * fails.
 *
 * @example
 * const made = new MemoryFiles();
 * const writer = new BundleWriter(made, "model.ckpt");
 * using bias = Tensor.from([1, 2, 3]);
 * using rows = Tensor.from([[1, 2, 3]]);
 * await writer.add("bias", bias);
 * await writer.addSlice("kernel", [2, 3], TensorSlice.parse("0,1:-"), rows);
 * await writer.addSlice("kernel", [2, 3], TensorSlice.parse("1,1:-"), rows);
 * await writer.finish();
 * [...made.files].map(([name, bytes]) => [name, bytes.length]); // => [["model.ckpt.data-00000-of-00001", 36], ["model.ckpt.index", 231]]
 * await writer.add("more", bias); // throws FAILED_PRECONDITION
 */
export class BundleWriter {
  readonly prefix: string;
  readonly #files: Required<FileSinks>;
  readonly #options: TransferOptions;
  readonly #alignment: number;
  readonly #entries: BundleEntries = new BundleEntries();
  readonly #sliceSets: Map<string, TensorSliceSet> = new Map();
  #sink: ByteSink | null = null;
  #out: SinkWriter | null = null;
  #state: "open" | "finished" | "failed" = "open";
  /** Why it failed or was aborted. */
  #reason: unknown;
  /** The last call, which the next one waits for. */
  #last: Promise<void> = Promise.resolve();

  /**
   * Makes a writer of the checkpoint `prefix`. The data file is created when the first tensor is added, the index by `finish`, which also
   * commits FileSinks. Throws INVALID_ARGUMENT for wrong arguments.
   */
  constructor(output: BundleOutput, prefix: string, options: BundleWriterOptions = {}) {
    const files = toFileSinks(output);
    checkText(prefix, "the prefix of a checkpoint");
    checkOptions("BundleWriter", options, ["alignment", "signal", "onProgress"]);
    const { alignment = 1, ...transfer } = options;
    checkTransfer(transfer);
    checkInteger(alignment, "an alignment", 1, kMaxAlignment);
    this.prefix = prefix;
    this.#files = files;
    this.#options = transfer;
    this.#alignment = alignment;
  }

  /**
   * Writes a tensor. Throws INVALID_ARGUMENT if the key is empty, begins with a zero byte or was added before, or for variants (see
   * `addVariants`) and resources; FAILED_PRECONDITION after `finish` or a failure; otherwise what the sink throws.
   */
  add(key: CheckpointKey, tensor: Tensor): Promise<void> {
    return this.#enqueueTensor(tensor, (held) => this.#add(nameBytes(key), held, false));
  }

  /**
   * Writes a variant tensor: `serialized` has its shape, and as elements the serialized VariantTensorDataProto messages. Throws as `add`.
   */
  addVariants(key: CheckpointKey, serialized: Tensor<"string">): Promise<void> {
    return this.#enqueueTensor(serialized as Tensor, (held) => this.#add(nameBytes(key), held, true));
  }

  /**
   * Writes a slice of a tensor of `fullShape`. A slice that is all of the tensor is written as `add` does.
   *
   * Throws INVALID_ARGUMENT if the tensor's shape is not the slice's or differs from earlier slices in dtype or full shape, INTERNAL if
   * the slice does not fit the shape or overlaps an earlier one, otherwise as `add`.
   */
  async addSlice(key: CheckpointKey, fullShape: ShapeLike, slice: TensorSlice, tensor: Tensor): Promise<void> {
    const full = TensorShape.sealed(fullShape, 0);
    const part = clonedSlice(slice);
    return this.#enqueueTensor(tensor, (held) => this.#addSlice(nameBytes(key), full, part, held));
  }

  /** Closes the data file and writes the index. Throws FAILED_PRECONDITION if it was called before or a call failed. */
  finish(): Promise<void> {
    return this.#enqueue(async () => {
      await this.#output();
      if (this.#sink !== null) await closeSink(this.#sink, this.#options);
      this.#sink = null;
      const header = { numShards: 1, version: { producer: 1 } };
      await writeBundleIndex(this.#files, this.prefix, header, this.#entries, this.#options);
      await this.#files.commit();
      this.#state = "finished";
    });
  }

  /** Gives up: aborts the data file. Later calls fail. Does nothing after `finish`. */
  async abort(reason?: unknown): Promise<void> {
    await this.#last.catch(() => undefined);
    if (this.#state !== "open") return;
    await this.#fail(reason);
  }

  /** Performs a call with a handle of its own of the tensor, after the calls before it. */
  async #enqueueTensor(tensor: Tensor, act: (tensor: Tensor) => Promise<void>): Promise<void> {
    using held = checkedTensor(tensor).share();
    await this.#enqueue(() => act(held));
  }

  /** Performs a call after the ones before it. */
  async #enqueue(act: () => Promise<void>): Promise<void> {
    const before = this.#last;
    const run = async (): Promise<void> => {
      await before.catch(() => undefined);
      if (this.#state !== "open") throw this.#notOpen();
      try {
        await act();
      } catch (error) {
        await this.#fail(error);
        throw error;
      }
    };
    this.#last = run();
    await this.#last;
  }

  #notOpen(): FailedPreconditionError {
    const why = this.#state === "failed" && isStatusError(this.#reason) ? `: ${this.#reason.message}` : "";
    return new FailedPreconditionError(`BundleWriter of ${shownValue(this.prefix)}: it is ${this.#state}${why}`, { cause: this.#reason });
  }

  async #fail(reason: unknown): Promise<void> {
    this.#state = "failed";
    this.#reason = reason;
    const sink = this.#sink;
    this.#sink = null;
    try {
      await sink?.abort?.(reason);
      await this.#files.abort(reason);
    } catch {
      // The first error is the one that the caller learns.
    }
  }

  async #output(): Promise<SinkWriter> {
    if (this.#out === null) {
      this.#sink = await this.#files.create(dataFilename(this.prefix, 0, 1));
      this.#out = new SinkWriter(this.#sink, 0, this.#options);
    }
    return this.#out;
  }

  async #add(key: Uint8Array<ArrayBufferLike>, tensor: Tensor, asVariants: boolean): Promise<void> {
    const { dtype, shape } = tensor;
    if (asVariants && dtype !== "string") throw new InvalidArgumentError(`addVariants: expected a string tensor, got ${dtype}`);
    if (dtype === "variant" || dtype === "resource") {
      const remedy = dtype === "variant" ? "; addVariants writes serialized ones" : "";
      throw new InvalidArgumentError(`BundleWriter: ${shownKey(key)} is ${dtype}, which cannot be written${remedy}`);
    }
    if (!tensor.isInitialized()) throw new FailedPreconditionError(`BundleWriter: the tensor for ${shownKey(key)} is not initialized`);
    if (this.#entries.has(key)) throw new InvalidArgumentError(`Adding duplicate key: ${shownKey(key)}`);
    const out = await this.#output();
    const offset = out.position;
    const crc = await writeTensor(out, tensor, asVariants, keyText(key));
    this.#entries.set(key, {
      dtype: dataTypeOf(asVariants ? "variant" : dtype),
      shape: shape.asProto(),
      offset,
      size: out.position - offset,
      crc32c: maskCrc(crc),
    });
    const over = out.position % this.#alignment;
    if (over > 0) await out.write(new Uint8Array(this.#alignment - over));
  }

  async #addSlice(key: Uint8Array<ArrayBufferLike>, fullShape: TensorShape, slice: TensorSlice, tensor: Tensor): Promise<void> {
    const shape = slice.sliceTensorShape(fullShape);
    if (!shape.isSameSize(tensor.shape)) {
      throw new InvalidArgumentError(
        `addSlice: slice ${slice.debugString()} of ${fullShape.debugString()} is ${shape.debugString()}, but the tensor is ${tensor.shape.debugString()}`,
      );
    }
    if (shape.isSameSize(fullShape)) return this.#add(key, tensor, false);
    const dtype = dataTypeOf(tensor.dtype);
    const known: BundleEntryProto | undefined = this.#entries.get(key);
    const id = BundleEntries.idOf(key);
    const set = this.#sliceSets.get(id) ?? new TensorSliceSet(fullShape, tensor.dtype);
    if (known !== undefined && (known.slices === undefined || known.dtype !== dtype || !set.shape.isSameSize(fullShape))) {
      throw new InvalidArgumentError(
        `addSlice: ${shownKey(key)} was added before, ${known.slices === undefined ? "whole" : `as slices of ${set.dtype} of ${set.shape.debugString()}`}`,
      );
    }
    set.register(slice, "");
    await this.#add(encodeTensorNameSlice(key, slice), tensor, false);
    this.#sliceSets.set(id, set);
    this.#entries.set(key, { dtype, shape: fullShape.asProto(), slices: [...(known?.slices ?? []), slice.asProto()] });
  }
}

/** Writes a tensor's elements and returns the checksum of the stored bytes, not masked. */
async function writeTensor(out: SinkWriter, tensor: Tensor, asVariants: boolean, name: string): Promise<number> {
  if (tensor.dtype !== "string") return writeWithCrc(out, tensor.tensorData, name);
  const elements = stringElements(tensor as Tensor<"string">);
  if (asVariants) {
    const { bytes, crc } = encodeVariants(elements);
    await out.write(bytes, name);
    return crc;
  }
  const { head, crc } = encodeStrings(elements);
  await out.write(head);
  await writeElements(out, elements, name);
  return crc;
}

function stringElements(tensor: Tensor<"string">): Uint8Array<ArrayBufferLike>[] {
  const map = tensor.flat();
  return Array.from({ length: tensor.numElements }, (_, i) => map.at(i));
}

/** Returns the bytes of a key that can be written: not the header's, nor one of those that readers take for slices. */
function nameBytes(key: CheckpointKey): Uint8Array<ArrayBufferLike> {
  const bytes = keyBytes(key);
  if (bytes.length === 0) throw new InvalidArgumentError("BundleWriter: the empty key is that of the header");
  if (bytes[0] === 0)
    throw new InvalidArgumentError(`BundleWriter: ${shownKey(bytes)}: keys that begin with a zero byte are those of slices`);
  return bytes;
}

function checkedTensor(tensor: Tensor): Tensor {
  if (typeof (tensor as Partial<Tensor> | null | undefined)?.share !== "function")
    throw new InvalidArgumentError(`BundleWriter: expected a Tensor, got ${shownValue(tensor)}`);
  return tensor;
}
