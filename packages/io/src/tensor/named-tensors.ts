/** NamedTensors: the tensors of a file by name, disposed together. */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError, NotFoundError } from "@onebuffer/base";
import { argumentError, checkOptions, checkText, isArray, nearestName, shownValue, warnOldForm } from "@onebuffer/base/internal";
import { disposeAll } from "@onebuffer/allocator/internal";
import type { Tensor } from "@onebuffer/core";
import { checkTensor } from "./tensors-by-name.ts";

/**
 * The options of `tensor` and `take`.
 *
 * @example
 * const options: NamedTensorOptions<"float32"> = { dtype: "float32" };
 * options.dtype; // => "float32"
 */
export interface NamedTensorOptions<D extends DType = DType> {
  /** The dtype that the tensor must have; any by default. */
  readonly dtype?: D;
}

/**
 * A Map from names to tensors. `dispose` (or `using`) disposes all of them. A Map, because a file may have a tensor called `__proto__`.
 *
 * A tensor that shall live longer is taken out with `take`, or kept by `share()`.
 *
 * @example
 * using weights = Tensor.from([1, 2]);
 * using tensors: NamedTensors = readSafetensors(writeSafetensors({ weights, bias: weights }));
 * [...tensors.keys()]; // => ["bias", "weights"]
 * tensors.tensor("bias").toArray(); // => [1, 2]
 * tensors.metadata.size; // => 0
 * using kept = tensors.take("weights"); // stays when the others are disposed
 * tensors.size; // => 1
 */
export class NamedTensors extends Map<string, Tensor> {
  /** The texts that the file has beside its tensors, by their keys: those of a safetensors file; empty for other files. */
  readonly metadata: Map<string, string> = new Map();

  /** Takes over the handles of the tensors. Throws INVALID_ARGUMENT, and takes over none, if an entry is not a name and a tensor. */
  constructor(entries: Iterable<readonly [name: string, tensor: Tensor]> = []) {
    super();
    if (typeof entries !== "object" || entries === null || ArrayBuffer.isView(entries) || typeof entries[Symbol.iterator] !== "function")
      throw argumentError("a list or a Map of names and tensors", entries);
    for (const entry of entries) {
      if (!isArray(entry)) throw argumentError("a name and a tensor", entry);
      const [name, tensor] = entry as readonly [string, Tensor];
      checkText(name, "the name of a tensor");
      checkTensor("NamedTensors", name, tensor);
      this.set(name, tensor);
    }
  }

  /**
   * Returns the tensor of a name, which stays here. Throws NOT_FOUND if there is none, INVALID_ARGUMENT if it has another dtype than the
   * option `dtype`; with it, the result's type has the dtype.
   *
   * @example
   * using tensors = new NamedTensors([["bias", Tensor.from([1, 2])]]);
   * tensors.tensor("bias", { dtype: "float32" }).toArray(); // => [1, 2]
   * tensors.tensor("bias", { dtype: "int32" }); // throws INVALID_ARGUMENT
   */
  tensor<D extends DType = DType>(name: string, options?: NamedTensorOptions<D>): Tensor<D> {
    const tensor = this.get(name);
    if (tensor === undefined) throw missingError(name, this.keys());
    const dtype = options === undefined ? undefined : dtypeOption(options);
    if (dtype !== undefined) checkDType(name, tensor.dtype, dtype);
    return tensor as Tensor as Tensor<D>;
  }

  /**
   * Returns the tensor of a name and removes it from here: the caller disposes it. Throws what `tensor` throws.
   *
   * @example
   * using tensors = new NamedTensors([["bias", Tensor.from([1, 2])]]);
   * using bias = tensors.take("bias", { dtype: "float32" });
   * tensors.size; // => 0
   */
  take<D extends DType = DType>(name: string, options?: NamedTensorOptions<D>): Tensor<D> {
    const tensor = this.tensor(name, options);
    this.delete(name);
    return tensor;
  }

  /** Disposes all tensors; a second call does nothing. */
  dispose(): void {
    disposeAll([...this.values()]);
  }

  /** `using tensors = …` disposes at the end of the block. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** Returns the option of `tensor` and `take`; the dtype itself is the old form. */
function dtypeOption(options: NamedTensorOptions | DType): DType | undefined {
  if (typeof options === "string") {
    warnOldForm(`tensor(name, "${options}") of NamedTensors`, `tensor(name, { dtype: "${options}" })`);
    return options;
  }
  checkOptions("tensor", options, ["dtype"]);
  return options.dtype;
}

/** The most names that a message lists. */
const kMostNames = 5;

/** Returns the error for a name that a file does not have; `what` is what has names there. */
export function missingError(name: string, names: Iterable<string>, what: string = "tensor"): NotFoundError {
  const all = [...names];
  const nearest = all.length === 0 ? "" : `, did you mean ${shownValue(nearestName(String(name), all))}?`;
  const listed = all.slice(0, kMostNames).map(shownValue).join(", ");
  const rest = all.length > kMostNames ? ", …" : "";
  return new NotFoundError(
    `no ${what} ${shownValue(name)}${nearest} There are ${all.length}${all.length === 0 ? "" : `: ${listed}${rest}`}`,
  );
}

/** Throws INVALID_ARGUMENT unless a tensor has the dtype that the caller wants. */
export function checkDType(name: string, dtype: DType, wanted: unknown): void {
  if (dtype !== wanted) throw new InvalidArgumentError(`tensor ${shownValue(name)} has ${dtype}, expected ${shownValue(wanted)}`);
}
