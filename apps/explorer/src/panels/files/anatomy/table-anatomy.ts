/** A table file, such as the index of a checkpoint, as regions: data blocks, entries, restart points, checksums, footer. */
import { crc32c, maskCrc } from "onebuffer/io";
import type { Region } from "../messages.ts";
import { kBundleEntry, kBundleHeader, protoRegions } from "./proto-anatomy.ts";
import { region, textOf, uint32, varint } from "./region.ts";

const kFooterBytes = 48;
const kTrailerBytes = 5;
const kMagic = "57fb808b247547db";
const kMostEntries = 300;

interface Handle {
  readonly offset: number;
  readonly size: number;
}

/** True if bytes end as a table does. */
function isTable(bytes: Uint8Array): boolean {
  return bytes.length >= kFooterBytes && hex(bytes.subarray(bytes.length - 8)) === kMagic;
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the regions of a table in order of the file. The values of the index of a checkpoint of version 2 are drawn as messages. */
export function tableRegions(bytes: Uint8Array, isBundle: boolean): Region[] {
  const footerAt = bytes.length - kFooterBytes;
  if (footerAt < 0) return [region("too short for a footer", 0, bytes.length, "", [], true)];
  const metaindex = handleAt(bytes, footerAt);
  const index = metaindex === null ? null : handleAt(bytes, metaindex.next);
  const isMagic = isTable(bytes);
  const footer = region("footer", footerAt, kFooterBytes, "where the two index blocks are", [
    ...(metaindex === null ? [] : [region("metaindex block", footerAt, metaindex.next - footerAt, shown(metaindex.handle))]),
    ...(metaindex === null || index === null
      ? []
      : [region("index block", metaindex.next, index.next - metaindex.next, shown(index.handle))]),
    region("magic number", bytes.length - 8, 8, isMagic ? "an sstable" : "not that of an sstable", [], !isMagic),
  ]);
  if (metaindex === null || index === null || !isInside(index.handle, footerAt)) return [{ ...footer, isWrong: true }];
  const blocks = handlesIn(bytes, index.handle).filter((handle) => isInside(handle, footerAt));
  const regions = blocks.map((handle, i) => blockRegion(`data block ${i}`, bytes, handle, isBundle));
  if (isInside(metaindex.handle, footerAt)) regions.push(blockRegion("metaindex block", bytes, metaindex.handle, false));
  regions.push(blockRegion("index block: the last key and the place of each data block", bytes, index.handle, false));
  return [...regions.sort((a, b) => a.offset - b.offset), footer];
}

const shown = ({ offset, size }: Handle): string => `${size} bytes at ${offset}`;
const isInside = ({ offset, size }: Handle, limit: number): boolean => offset + size + kTrailerBytes <= limit;

function handleAt(bytes: Uint8Array, at: number): { readonly handle: Handle; readonly next: number } | null {
  const offset = varint(bytes, at);
  const size = offset === null ? null : varint(bytes, offset.next);
  return offset === null || size === null ? null : { handle: { offset: offset.value, size: size.value }, next: size.next };
}

interface Entry {
  readonly at: number;
  readonly keyAt: number;
  readonly valueAt: number;
  readonly end: number;
  readonly shared: number;
  readonly key: Uint8Array;
}

/** Returns the entries of a block, and the offset of its restart points. */
function entriesOf(
  bytes: Uint8Array,
  { offset, size }: Handle,
): { readonly entries: readonly Entry[]; readonly restartsAt: number; readonly isWhole: boolean } {
  const end = offset + size;
  const count = size < 4 ? 0 : uint32(bytes, end - 4);
  const restartsAt = end - 4 - 4 * count;
  const entries: Entry[] = [];
  let key: Uint8Array = new Uint8Array();
  let at = offset;
  while (at < restartsAt) {
    const shared = varint(bytes, at);
    const unshared = shared === null ? null : varint(bytes, shared.next);
    const length = unshared === null ? null : varint(bytes, unshared.next);
    if (shared === null || unshared === null || length === null) break;
    const valueAt = length.next + unshared.value;
    if (shared.value > key.length || valueAt + length.value > restartsAt) break;
    key = Uint8Array.of(...key.subarray(0, shared.value), ...bytes.subarray(length.next, valueAt));
    entries.push({ at, keyAt: length.next, valueAt, end: valueAt + length.value, shared: shared.value, key });
    at = valueAt + length.value;
  }
  return { entries, restartsAt, isWhole: at === restartsAt };
}

function handlesIn(bytes: Uint8Array, index: Handle): Handle[] {
  return entriesOf(bytes, index).entries.flatMap(({ valueAt }) => handleAt(bytes, valueAt)?.handle ?? []);
}

function blockRegion(name: string, bytes: Uint8Array, handle: Handle, hasTensors: boolean): Region {
  const { offset, size } = handle;
  const end = offset + size;
  const type = bytes[end]!;
  const stored = uint32(bytes, end + 1);
  const calculated = maskCrc(crc32c(bytes.subarray(offset, end + 1)));
  const isDamaged = stored !== calculated;
  const trailer = region("trailer", end, kTrailerBytes, `compression ${type}, crc32c ${isDamaged ? "does not match" : "matches"}`, [
    region("compression", end, 1, type === 0 ? "none" : type === 1 ? "snappy" : `unknown: ${type}`),
    region("masked crc32c", end + 1, 4, isDamaged ? `${stored}, calculated ${calculated}` : String(stored), [], isDamaged),
  ]);
  if (type !== 0)
    return region(name, offset, size + kTrailerBytes, "compressed", [region("compressed bytes", offset, size), trailer], isDamaged);
  const { entries, restartsAt, isWhole } = entriesOf(bytes, handle);
  const children = entries.slice(0, kMostEntries).map((entry) => entryRegion(bytes, entry, hasTensors));
  const last = entries[kMostEntries];
  if (last !== undefined) children.push(region(`${entries.length - kMostEntries} more entries`, last.at, restartsAt - last.at));
  if (!isWhole) {
    const from = entries.at(-1)?.end ?? offset;
    children.push(region("not an entry", from, Math.max(0, restartsAt - from), "", [], true));
  }
  if (restartsAt >= offset && restartsAt < end) {
    const points = Array.from({ length: (end - 4 - restartsAt) / 4 }, (_, i) => uint32(bytes, restartsAt + 4 * i));
    children.push(
      region(
        "restart points",
        restartsAt,
        end - restartsAt,
        `${points.length}: entries whose keys are whole, at ${points.slice(0, 8).join(", ")}`,
      ),
    );
  }
  return region(name, offset, size + kTrailerBytes, `${entries.length} entries`, [...children, trailer], isDamaged);
}

function entryRegion(bytes: Uint8Array, { at, keyAt, valueAt, end, shared, key }: Entry, hasTensors: boolean): Region {
  const value = bytes.subarray(valueAt, end);
  const names = key.length === 0 ? kBundleHeader : kBundleEntry;
  return region(key.length === 0 && hasTensors ? "the empty key: the header" : textOf(key), at, end - at, "", [
    region("shared key bytes, own key bytes, value bytes", at, keyAt - at, `${shared}, ${valueAt - keyAt}, ${end - valueAt}`),
    region("own part of the key", keyAt, valueAt - keyAt, textOf(bytes.subarray(keyAt, valueAt))),
    region("value", valueAt, end - valueAt, "", hasTensors ? protoRegions(value, valueAt, names) : []),
  ]);
}
