/**
 * scope: disposes of many handles together at the end of a callback, as C++ destroys the locals of a block.
 *
 * `using` disposes of one handle at the end of its block. A scope disposes of any number of handles, made anywhere in its callback
 * or in functions that it calls, synchronous or not, except those that the callback returns:
 *
 *     scope((keep) => {        keep(a)  keep(b)  keep(c)  return [b]  |  ends: c, a (the last kept first), b goes to the caller
 *     })
 *
 * Only the `keep` function refers to the scope. There is no stack of scopes and no global state, so asynchronous scopes may
 * interleave. Handles that were not passed to `keep` are left alone (tfjs's `tidy` tracks everything that is made, which is why it
 * cannot be asynchronous).
 */
import { checkCallback, shownValue } from "@onebuffer/base/internal";
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";

/** The platform's SuppressedError, which Node 20 does not have. */
interface SuppressedErrorLike extends Error {
  error: unknown;
  suppressed: unknown;
}
type SuppressedErrorConstructor = new (error: unknown, suppressed: unknown, message?: string) => SuppressedErrorLike;

/**
 * The function that a scope passes to its callback: registers anything that has `Symbol.dispose` (a Tensor, a RefCountPtr, an
 * NpyArray) and returns it. Null and undefined are returned unchanged, as `using` accepts them. A handle that is kept twice is
 * disposed of once.
 *
 * Throws INVALID_ARGUMENT for a value that cannot be disposed. After the scope's end it disposes its argument at once and throws
 * FAILED_PRECONDITION.
 *
 * @example
 * const twice = (keep: Keep, t: Tensor<"float32">): Tensor<"float32"> => keep(concat([t, t]));
 * scope((keep) => twice(keep, keep(Tensor.arange(2))).toArray()); // => [0, 1, 0, 1]
 */
export type Keep = <T extends Disposable | null | undefined>(resource: T) => T;

/**
 * Runs `callback`, then disposes of everything it kept, the last kept first, except its result: kept handles that it returns, alone
 * or anywhere in arrays and plain objects, are the caller's. For an asynchronous callback it returns a promise, and the scope ends
 * when the callback's promise is settled.
 *
 * If the callback throws or rejects, everything it kept is disposed and the error is rethrown. If a disposer throws, the others
 * still run, and its error is thrown; if there was an error before it, both are wrapped in a SuppressedError, as with `using`
 * (`error` is the later, `suppressed` the earlier). If a disposer throws, the result is disposed too. Copies: never.
 *
 * @example
 * using sum = scope((keep) => {
 *   const rows = keep(Tensor.from([[1, 2], [3, 4]]));
 *   const [first, second] = [keep(rows.subSlice(0)), keep(rows.subSlice(1))];
 *   return keep(Tensor.from([first.vec().at(0) + second.vec().at(0), first.vec().at(1) + second.vec().at(1)]));
 * });
 * sum.toArray(); // => [4, 6]
 * (await scope(async (keep) => keep(Tensor.zeros([2])).numElements)); // => 2
 * scope((keep) => keep(Tensor.zeros([2])).matrix()); // throws INVALID_ARGUMENT
 */
export function scope(callback: (keep: Keep) => never): never;
/**
 * As above, for a callback that returns a promise: the scope ends when the promise is settled.
 *
 * @example
 * const sum = scope(async (keep) => keep(Tensor.ones([2])).numElements);
 * (await sum); // => 2
 */
export function scope<R>(callback: (keep: Keep) => PromiseLike<R>): Promise<R>;
/**
 * As above, for a callback that returns its result: kept handles in it are the caller's, and the others are disposed of.
 *
 * @example
 * using row = scope((keep) => keep(Tensor.ones([2, 3])).subSlice(0));
 * row.toArray(); // => [1, 1, 1]
 */
export function scope<R>(callback: (keep: Keep) => R): R;
export function scope(callback: (keep: Keep) => unknown): unknown {
  checkCallback(callback, "a callback");
  const kept = new KeptResources();
  let result: unknown;
  let isAsync: boolean;
  try {
    result = callback(kept.keep);
    isAsync = isThenable(result);
  } catch (error) {
    return kept.fail(error);
  }
  return isAsync ? settle(kept, result as PromiseLike<unknown>) : kept.finish(result);
}

/** Ends the scope of an asynchronous callback when its promise is settled. */
async function settle(kept: KeptResources, promise: PromiseLike<unknown>): Promise<unknown> {
  let result: unknown;
  try {
    result = await promise;
  } catch (error) {
    return kept.fail(error);
  }
  return kept.finish(result);
}

/** The resources that one scope has to dispose of. */
class KeptResources {
  /** The resources in the order they were kept; null after the scope's end. */
  #resources: Set<Disposable> | null = new Set();

  /** The function that the callback is given. */
  readonly keep: Keep = (resource) => {
    if (resource === null || resource === undefined) return resource;
    if (typeof (resource as Partial<Disposable>)[Symbol.dispose] !== "function")
      throw new InvalidArgumentError(`keep: ${shownValue(resource)} has no method [Symbol.dispose]`);
    const resources = this.#resources;
    if (resources === null) throw tooLate(resource);
    resources.add(resource);
    return resource;
  };

  /**
   * Ends the scope of a callback that returned `result`: disposes of everything that `result` does not hold, or of everything if
   * that throws.
   */
  finish(result: unknown): unknown {
    const resources = this.#end();
    let returned: ReadonlySet<Disposable>;
    try {
      returned = heldBy(result, resources);
    } catch (error) {
      throw disposedReversed(resources, { error }).error;
    }
    const others = [...resources].filter((each) => !returned.has(each));
    const failure = disposedReversed(others, null);
    if (failure === null) return result;
    throw disposedReversed(returned, failure).error;
  }

  /** Ends the scope of a callback that threw. */
  fail(error: unknown): never {
    throw disposedReversed(this.#end(), { error }).error;
  }

  #end(): Set<Disposable> {
    const resources = this.#resources ?? new Set();
    this.#resources = null;
    return resources;
  }
}

/** A caught error in a box, because the error itself may be undefined. */
interface Failure {
  readonly error: unknown;
}

/** Disposes of all resources, the last first. Returns the last failure, each one suppressing the one before it. */
function disposedReversed(resources: Iterable<Disposable>, failure: Failure): Failure;
function disposedReversed(resources: Iterable<Disposable>, failure: Failure | null): Failure | null;
function disposedReversed(resources: Iterable<Disposable>, failure: Failure | null): Failure | null {
  let last = failure;
  for (const resource of [...resources].reverse()) {
    try {
      resource[Symbol.dispose]();
    } catch (error) {
      last = { error: last === null ? error : suppressing(error, last.error) };
    }
  }
  return last;
}

/** Disposes of a resource kept after the scope's end. Returns the error to throw, with the disposer's own error as its cause. */
function tooLate(resource: Disposable): FailedPreconditionError {
  const text = `keep(${shownValue(resource)}) after the end of its scope: it was disposed at once`;
  try {
    resource[Symbol.dispose]();
  } catch (cause) {
    return new FailedPreconditionError(`${text}, which failed`, { cause });
  }
  return new FailedPreconditionError(text);
}

/** Returns those of `resources` that `result` is or holds, at any depth in arrays and plain objects. Stops once all are found. */
function heldBy(result: unknown, resources: ReadonlySet<Disposable>): Set<Disposable> {
  const found = new Set<Disposable>();
  const seen = new Set<object>();
  const waiting: unknown[] = [result];
  while (waiting.length > 0 && found.size < resources.size) {
    const value = waiting.pop();
    if (!isObject(value) || seen.has(value)) continue;
    seen.add(value);
    if (resources.has(value as Disposable)) found.add(value as Disposable);
    if (Array.isArray(value) || isPlain(value)) for (const each of Object.values(value)) if (isObject(each)) waiting.push(each);
  }
  // In the order they were kept.
  return new Set([...resources].filter((each) => found.has(each)));
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** Returns true for an object literal of any realm and for an object without a prototype. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "hasOwnProperty"));
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof (value as Partial<PromiseLike<unknown>>).then === "function";
}

/** Returns a SuppressedError, or an Error with its name and fields if the platform has none, as compiled `using` makes it. */
function suppressing(error: unknown, suppressed: unknown): SuppressedErrorLike {
  const text = "An error was suppressed during disposal";
  const constructor = (globalThis as { readonly SuppressedError?: SuppressedErrorConstructor }).SuppressedError;
  if (constructor !== undefined) return new constructor(error, suppressed, text);
  const made = new Error(text) as SuppressedErrorLike;
  made.name = "SuppressedError";
  made.error = error;
  made.suppressed = suppressed;
  return made;
}
