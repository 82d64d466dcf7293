/** Makes zip files part by part for tests, so that each field can be wrong. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipPart {
  readonly name: string | Uint8Array;
  readonly data: Uint8Array;
  readonly method?: number;
  readonly flags?: number;
  /** Overrides of the directory's fields. */
  readonly crc?: number;
  readonly size?: number;
  readonly compressedSize?: number;
  readonly offset?: number;
  /** The extra field of the directory. */
  readonly extra?: Uint8Array;
  /** Overrides of the member's own header. */
  readonly localName?: string;
  readonly localMagic?: number;
  readonly localExtra?: Uint8Array;
  /** The length of the extra field that the member's own header tells. */
  readonly localExtraLength?: number;
}

export interface ZipOptions {
  readonly prefix?: Uint8Array;
  readonly comment?: Uint8Array;
  /** Overrides of the end record. */
  readonly entries?: number;
  readonly directoryBytes?: number;
  readonly directoryOffset?: number;
  /** Writes a zip64 record and locator, and ffff and ffffffff into the end record. */
  readonly zip64?: boolean;
  readonly disk?: number;
}

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
const joined = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.concat(parts));

/** Returns little-endian integers: [bytes, value] each. */
function fields(...values: readonly (readonly [number, number])[]): Uint8Array {
  const out: number[] = [];
  for (const [bytes, value] of values) {
    let rest = value;
    for (let i = 0; i < bytes; i++) {
      out.push(rest % 256);
      rest = Math.floor(rest / 256);
    }
  }
  return Uint8Array.from(out);
}

export function zipFile(parts: readonly ZipPart[], options: ZipOptions = {}): Uint8Array<ArrayBuffer> {
  const { prefix = new Uint8Array(0), comment = new Uint8Array(0), disk = 0 } = options;
  const body: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const part of parts) {
    const { data, method = 0, flags = 0, extra = new Uint8Array(0), localExtra = new Uint8Array(0), localMagic = 0x04034b50 } = part;
    const name = typeof part.name === "string" ? latin1(part.name) : part.name;
    const localName = part.localName === undefined ? name : latin1(part.localName);
    const stored = method === 8 ? new Uint8Array(deflateRawSync(data)) : data;
    const local = fields([4, localMagic], [2, 20], [2, flags], [2, method], [4, 0], [4, 0], [4, 0xffffffff], [4, 0xffffffff]);
    const whole = joined([
      local,
      fields([2, localName.length], [2, part.localExtraLength ?? localExtra.length]),
      localName,
      localExtra,
      stored,
    ]);
    body.push(whole);
    directory.push(
      fields([4, 0x02014b50], [2, 20], [2, 20], [2, flags], [2, method], [4, 0], [4, part.crc ?? crc32(data)]),
      fields([4, part.compressedSize ?? stored.length], [4, part.size ?? data.length], [2, name.length], [2, extra.length]),
      fields([2, 0], [2, 0], [2, 0], [4, 0], [4, part.offset ?? at]),
      name,
      extra,
    );
    at += whole.length;
  }
  const central = joined(directory);
  const { entries = parts.length, directoryBytes = central.length, directoryOffset = at } = options;
  const end: Uint8Array[] = [];
  if (options.zip64 === true) {
    end.push(
      fields(
        [4, 0x06064b50],
        [8, 44],
        [2, 45],
        [2, 45],
        [4, 0],
        [4, 0],
        [8, entries],
        [8, entries],
        [8, directoryBytes],
        [8, directoryOffset],
      ),
    );
    end.push(fields([4, 0x07064b50], [4, 0], [8, at + central.length], [4, 1]));
    end.push(fields([4, 0x06054b50], [2, 0], [2, 0], [2, 0xffff], [2, 0xffff], [4, 0xffffffff], [4, 0xffffffff]));
  } else {
    end.push(fields([4, 0x06054b50], [2, disk], [2, disk], [2, entries], [2, entries], [4, directoryBytes], [4, directoryOffset]));
  }
  return joined([prefix, ...body, central, ...end, fields([2, comment.length]), comment]);
}
