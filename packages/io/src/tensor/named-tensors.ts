/** NamedTensors: the tensors of a file by name, disposed together. */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError, NotFoundError } from "@onebuffer/base";
import { argumentError, checkText, isArray, nearestName, shownValue } from "@onebuffer/base/internal";
import { disposeAll } from "@onebuffer/allocator/internal";
import type { Tensor } from "@onebuffer/core";
import { checkTensor } from "./tensors-by-name.ts";

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

  /** Returns the tensor of a name, which stays here. Throws NOT_FOUND if there is none, INVALID_ARGUMENT if it has another dtype. */
  tensor<D extends DType = DType>(name: string, dtype?: D): Tensor<D> {
    const tensor = this.get(name);
    if (tensor === undefined) throw missingError(name, this.keys());
    if (dtype !== undefined) checkDType(name, tensor.dtype, dtype);
    return tensor as Tensor as Tensor<D>;
  }

  /** Returns the tensor of a name and removes it from here: the caller disposes it. Throws what `tensor` throws. */
  take<D extends DType = DType>(name: string, dtype?: D): Tensor<D> {
    const tensor = this.tensor(name, dtype);
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
