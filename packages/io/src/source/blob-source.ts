/** A byte source over a Blob, or the File of a file input or a drop. Only the parts that are read are loaded. */
import { DataLossError, NotFoundError } from "@onebuffer/base";
import type { ByteSource } from "./byte-source.ts";
import { checkSignal } from "./transfer-options.ts";

/** The part of a Blob or File that a reader needs, so that those of every realm and platform do. */
export interface BlobLike {
  readonly size: number;
  slice(start?: number, end?: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** Returns a source over a Blob or File. Reading throws NOT_FOUND or DATA_LOSS if the file behind it was removed or has changed. */
export function blobSource(blob: BlobLike): ByteSource {
  const { name } = blob as { readonly name?: unknown };
  const called = typeof name === "string" ? name : "the Blob";
  return {
    size: blob.size,
    name: called,
    async read(offset, length, signal) {
      checkSignal(signal, called);
      let bytes: Uint8Array<ArrayBuffer>;
      try {
        bytes = new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
      } catch (cause) {
        throw unreadable(called, cause);
      }
      checkSignal(signal, called);
      return bytes;
    },
  };
}

/** A browser refuses to read a file that was removed or changed after it was chosen. */
function unreadable(name: string, cause: unknown): NotFoundError | DataLossError {
  const kind = (cause as { readonly name?: unknown } | null | undefined)?.name;
  if (kind === "NotFoundError") return new NotFoundError(`${name}: the file is not there any more`, { cause });
  return new DataLossError(`${name}: cannot be read; a file that has changed since it was chosen must be chosen again`, { cause });
}
