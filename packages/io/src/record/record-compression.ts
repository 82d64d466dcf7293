/** The compression of a TFRecord file: the whole file is one gzip or zlib stream. */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { CompressionFormat } from "../compress/transform-chunks.ts";

/**
 * TensorFlow's names of the compression of a TFRecord file: none, gzip (RFC 1952), zlib (RFC 1950).
 *
 * @example
 * const compression: TFRecordCompression = "GZIP";
 * const sink = new ChunkSink();
 * await new TFRecordWriter(sink, { compression }).close();
 * sink.toBytes()[0]; // => 0x1f
 */
export type TFRecordCompression = "" | "GZIP" | "ZLIB";

/** Returns the platform's name of a compression, or null for none. Throws INVALID_ARGUMENT for an unknown one. */
export function formatOf(compression: TFRecordCompression | undefined): CompressionFormat | null {
  if (compression === undefined || compression === "") return null;
  if (compression === "GZIP") return "gzip";
  if (compression === "ZLIB") return "deflate";
  throw new InvalidArgumentError(`compression is "", "GZIP" or "ZLIB", got ${shownValue(compression)}`);
}
