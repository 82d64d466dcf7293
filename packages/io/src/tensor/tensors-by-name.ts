/** The input of writers: tensors by name, in a Map or an object. */
import { InvalidArgumentError } from "@onebuffer/base";
import { argumentError, checkArray, checkObject, checkText, isArray, shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import { isTree, shownOperand } from "@onebuffer/expression/internal";
import { isTensor } from "@onebuffer/core/internal";

/**
 * The tensors to write: a Map, which readSafetensors returns, or an object, whose type may be an interface. `M` is the type of the object.
 *
 * @example
 * using bias = Tensor.zeros([3]);
 * const tensors: TensorsByName = { bias };
 * writeSafetensors(tensors).length; // => 84
 */
export type TensorsByName<M = Record<string, Tensor>> = ReadonlyMap<string, Tensor> | { readonly [K in keyof M]: Tensor };

const kHalfPair = /\p{Surrogate}/u;

/**
 * Returns the entries of a Map or of an object's own properties. Throws INVALID_ARGUMENT for another value, or for a name that is not a
 * string or not Unicode.
 */
export function namedEntries<T>(call: string, input: ReadonlyMap<string, T> | Readonly<Record<string, T>>, what: string): [string, T][] {
  checkObject(input, what);
  if (isTensor(input))
    throw new InvalidArgumentError(`${call}: expected ${what}, got a tensor without a name: ${call}({ name: tensor }, …)`);
  if (isArray(input) || ArrayBuffer.isView(input)) throw argumentError(what, input);
  const isMap = typeof (input as ReadonlyMap<string, T>)[Symbol.iterator] === "function";
  const entries: [string, T][] = [];
  for (const entry of isMap ? (input as ReadonlyMap<string, T>) : Object.entries(input)) {
    // Whatever is iterated is checked at once: an iterable that is no Map may be long.
    if (!isArray(entry)) throw argumentError(what, input);
    const [name, value] = entry as readonly [string, T];
    checkNamedText(call, "a name", name);
    checkUnicode(call, `the name ${shownValue(name)}`, name);
    entries.push([name, value]);
  }
  return entries;
}

/** Throws INVALID_ARGUMENT unless the value is a text. */
export function checkNamedText(call: string, what: string, value: unknown): void {
  if (typeof value !== "string") throw new InvalidArgumentError(`${call}: expected a text as ${what}, got ${shownValue(value)}`);
}

/** Throws INVALID_ARGUMENT unless the value is a list of texts. Checks each at once: a list may have a billion holes. */
export function checkNames(names: readonly string[]): void {
  checkArray(names, "a list of names");
  for (let i = 0; i < names.length; i++) checkText(names[i], `name ${i} as a text`);
}

/** Throws INVALID_ARGUMENT unless the value is a tensor, of any copy of the library. */
export function checkTensor(call: string, name: string, value: unknown): void {
  if (isTensor(value)) return;
  const got = isTree(value) ? `${shownOperand(value)}: tensorOf(map or expression) makes a tensor` : shownValue(value);
  throw new InvalidArgumentError(`${call}: expected a tensor for ${shownValue(name)}, got ${got}`);
}

/** Throws INVALID_ARGUMENT if a text has half a surrogate pair, which UTF-8 cannot encode. */
export function checkUnicode(call: string, what: string, text: string): void {
  if (kHalfPair.test(text)) throw new InvalidArgumentError(`${call}: ${what} has half a surrogate pair`);
}
