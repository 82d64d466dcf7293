/** Makes a byte source of whatever a caller has: bytes, a Blob or File, a source. */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { blobSource } from "./blob-source.ts";
import type { BlobLike } from "./blob-source.ts";
import type { ByteSource } from "./byte-source.ts";
import type { BytesInput } from "./bytes-input.ts";
import { memorySource } from "./memory-source.ts";

/**
 * What readers take: a buffer or a view of one, a Blob or File, or a ByteSource, of which `httpSource` and, in `onebuffer/node`,
 * `fileSource` make one.
 *
 * @example
 * const inputs: SourceInput[] = [new Uint8Array(4), new Blob(["1234"]), await httpSource("data:,1234", { wholeUpTo: 4 })];
 * inputs.map((input) => toByteSource(input).size); // => [4, 4, 4]
 */
export type SourceInput = BytesInput | BlobLike | ByteSource;

/**
 * Returns `input` as a byte source. A ByteSource is returned as it is; bytes are not copied.
 *
 * Throws INVALID_ARGUMENT for anything else, also for a path or an address: see `fileSource` of `onebuffer/node` and `httpSource`.
 *
 * @example
 * const source = toByteSource(Uint8Array.of(1, 2, 3, 4));
 * [source.size, await source.read(1, 2)]; // => [4, Uint8Array.of(2, 3)]
 * toByteSource(new Blob(["abc"])).size; // => 3
 * toByteSource("model.npz" as never); // throws INVALID_ARGUMENT
 */
export function toByteSource(input: SourceInput): ByteSource {
  if (typeof input === "string") throw new InvalidArgumentError(textAdvice(input));
  if (isBytes(input)) return memorySource(input);
  if (typeof input === "object" && input !== null) {
    const { size, read, slice } = membersOf(input);
    const isSize = Number.isSafeInteger(size) && (size as number) >= 0;
    if (typeof read === "function" && isSize) return input as ByteSource;
    if (typeof slice === "function" && isSize) return blobSource(input as BlobLike);
    if (typeof read === "function") throw new InvalidArgumentError(`a ByteSource needs an integer size from 0, got ${shownValue(size)}`);
  }
  throw new InvalidArgumentError(`expected bytes, a Blob or a ByteSource { size, read }, got ${shownValue(input)}`);
}

/** True for buffers and views of any realm. */
function isBytes(input: unknown): input is BytesInput {
  if (ArrayBuffer.isView(input)) return true;
  if (typeof input !== "object" || input === null) return false;
  // A Proxy throws here if its target is revoked.
  const tag = attempt(() => Object.prototype.toString.call(input));
  return tag === "[object ArrayBuffer]" || tag === "[object SharedArrayBuffer]";
}

function membersOf(input: object): { readonly size?: unknown; readonly read?: unknown; readonly slice?: unknown } {
  return (
    attempt(() => {
      const { size, read, slice } = input as { readonly size?: unknown; readonly read?: unknown; readonly slice?: unknown };
      return { size, read, slice };
    }) ?? {}
  );
}

/** Returns the result of `act`, or undefined if it throws, as reading a revoked Proxy does. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

function textAdvice(text: string): string {
  const shown = shownValue(text);
  if (/^(https?|data|blob):/i.test(text)) return `expected a source, got the address ${shown}: give await httpSource(${shown})`;
  return `expected a source, got the string ${shown}: for a path give fileSource(${shown}) of onebuffer/node, for an address await httpSource(${shown})`;
}
