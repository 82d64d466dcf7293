/** The pieces of a file of any format, as far as they can be told: those of a damaged file, too. */
import type { ByteSource, FormatName } from "onebuffer/io";
import { openNpz, openSafetensors } from "onebuffer/io";
import type { Region } from "../messages.ts";
import { npyRegions, safetensorsRegions, zipRegions } from "./array-anatomy.ts";
import { kTensorProto, protoRegions } from "./proto-anatomy.ts";
import { tableRegions } from "./table-anatomy.ts";

/** The most bytes of a file that are drawn as regions of a table or a message. */
const kMostBytes = 64 * 2 ** 20;
const kStartBytes = 2 ** 16;

/** Returns the regions of a file; none for a format that has no pieces to show here. */
export async function fileRegions(source: ByteSource, format: FormatName | null): Promise<Region[]> {
  const { size } = source;
  const start = await source.read(0, Math.min(size, kStartBytes));
  if (format === "npy") return npyRegions(start, size);
  if (format === "npz") {
    const file = await openNpz(source).catch(() => null);
    return file === null ? [] : zipRegions(size, file.members.values());
  }
  // The index of a model is JSON: it does not begin with a length, whose last byte is 0.
  if (format === "safetensors") return start[7] === 0 || size < 8 ? await safetensorsPieces(source, start) : [];
  if (format === "TFRecord" || size > kMostBytes) return [];
  const all = size <= start.length ? start : await source.read(0, size);
  if (format === "checkpoint" || format === "checkpoint v1") return tableRegions(all, format === "checkpoint");
  return protoRegions(all, 0, kTensorProto);
}

async function safetensorsPieces(source: ByteSource, start: Uint8Array): Promise<Region[]> {
  const file = await openSafetensors(source).catch(() => null);
  return safetensorsRegions(start, source.size, file?.entries.values() ?? []);
}
