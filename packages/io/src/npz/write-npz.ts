/** Writes .npz files as np.savez and np.savez_compressed do. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, isArray, shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import { countCopied } from "@onebuffer/allocator/internal";
import { extendCrc32 } from "../checksum/crc32.ts";
import { deflateChunks } from "../compress/deflate.ts";
import { checkVoidTypes, npyParts } from "../npy/write-npy.ts";
import type { NpyWriteOptions } from "../npy/write-npy.ts";
import { concatBytes } from "../source/concat-bytes.ts";
import { newBytes } from "../source/new-bytes.ts";
import { writeToSink } from "../source/sink-writer.ts";
import type { SinkWriter } from "../source/sink-writer.ts";
import type { SinkOutput } from "../source/to-byte-sink.ts";
import type { AbortSignalLike, TransferOptions } from "../source/transfer-options.ts";
import { sharedTensors } from "../tensor/shared-tensors.ts";
import { checkTensor, namedEntries } from "../tensor/tensors-by-name.ts";
import type { TensorsByName } from "../tensor/tensors-by-name.ts";
import { directoryBytes, kMostNameBytes, localHeader, nameBytes } from "./zip-writer.ts";
import type { WrittenMember } from "./zip-writer.ts";

/**
 * The options of `writeNpz`.
 *
 * @example
 * using zeros = Tensor.zeros([1000]);
 * const options: NpzWriteOptions = { compressed: true };
 * (await writeNpz({ zeros }, options)).length < 1000; // => true
 */
export interface NpzWriteOptions extends NpyWriteOptions {
  /** True to deflate the members, as np.savez_compressed does, through the platform's CompressionStream. False by default. */
  readonly compressed?: boolean;
}

/**
 * The arrays to write: by name in a Map or an object, or in a list, where they are called arr_0, arr_1, …, as np.savez calls them.
 *
 * @example
 * using a = Tensor.from([1, 2, 3]);
 * const arrays: NpzArrays = [a, a];
 * NpzFile.fromBytes(await writeNpz(arrays)).names; // => ["arr_0", "arr_1"]
 */
export type NpzArrays<M = Record<string, Tensor>> = TensorsByName<M> | readonly Tensor[];

/** A member before it is written: the parts of its .npy file. */
interface Pending {
  readonly name: string;
  readonly tensor: Tensor;
  readonly parts: readonly Uint8Array<ArrayBufferLike>[];
  readonly size: number;
}

/**
 * Returns the bytes of an .npz file with these arrays. Stored, they are the bytes of np.savez; deflated, they differ from those of
 * np.savez_compressed where the platform's deflate does.
 *
 * Throws UNIMPLEMENTED for a dtype that NumPy lacks, FAILED_PRECONDITION if a tensor is disposed, INVALID_ARGUMENT for a name with a NUL, that
 * is not Unicode or that takes more than 65,531 bytes in UTF-8, and for a tensor of more than 64 dimensions. Copies: the elements, once;
 * `saveNpz` copies none.
 *
 * @example
 * using weights = Tensor.from([[1, 2], [3, 4]]);
 * const bytes = await writeNpz({ weights });
 * using tensors = await readNpz(bytes);
 * tensors.tensor("weights").toArray(); // => [[1, 2], [3, 4]]
 */
export async function writeNpz<M>(arrays: NpzArrays<M>, options: NpzWriteOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  checkWriteOptions("writeNpz", options);
  const members = pendingMembers("writeNpz", arrays as NpzArrays, options);
  using _ = sharedTensors(members);
  // The size of a stored file is known, so that one without room is refused before its checksums are computed.
  const whole = options.compressed === true ? null : newBytes(storedBytes(members), "npz");
  const pieces: Uint8Array<ArrayBufferLike>[] = [];
  let length = 0;
  const write = async (bytes: Uint8Array<ArrayBufferLike>): Promise<void> => {
    if (whole === null) pieces.push(bytes);
    else whole.set(bytes, length);
    length += bytes.length;
  };
  await writeZip(members, options, write, () => length, undefined);
  countCopied(members.reduce((sum, { parts }) => sum + (parts[1]?.length ?? 0), 0));
  return whole ?? concatBytes(pieces);
}

/**
 * Writes an .npz file to a sink: the bytes of `writeNpz`, without a copy of stored data. A deflated member is in memory, compressed, before it is
 * written, because its size stands before it. Ends the sink. Returns the size of the file.
 *
 * Throws what `writeNpz` throws, CANCELLED, and the errors of the sink; the sink is then aborted. Progress knows the size of the
 * file if the members are stored; `totalBytes` is 0 if they are deflated.
 *
 * @example
 * using weights = Tensor.from([1, 2, 3]);
 * const sink = new ChunkSink();
 * const size = await saveNpz({ weights }, sink);
 * sink.toBytes().length === size; // => true
 */
export async function saveNpz<M>(
  arrays: NpzArrays<M>,
  output: SinkOutput,
  options: NpzWriteOptions & TransferOptions = {},
): Promise<number> {
  checkWriteOptions("saveNpz", options, ["signal", "onProgress"]);
  const members = pendingMembers("saveNpz", arrays as NpzArrays, options);
  using _ = sharedTensors(members);
  return await writeToSink(output, options.compressed === true ? 0 : storedBytes(members), options, async (writer: SinkWriter) => {
    await writeZip(
      members,
      options,
      (bytes, name) => writer.write(bytes, name),
      () => writer.position,
      options.signal,
    );
    return writer.position;
  });
}

/** Returns the bytes of the file if its members are stored. */
function storedBytes(members: readonly Pending[]): number {
  let end = 0;
  const placed = members.map(({ name, size }) => {
    const member: WrittenMember = { name, method: 0, crc32: 0, compressedSize: size, size };
    const start = end;
    end += localHeader(member).length + size;
    return [member, start] as const;
  });
  return end + directoryBytes(placed, end).length;
}

/** Writes the members and the directory. */
async function writeZip(
  members: readonly Pending[],
  { compressed = false }: NpzWriteOptions,
  write: (bytes: Uint8Array<ArrayBufferLike>, name?: string) => Promise<void>,
  position: () => number,
  signal: AbortSignalLike | undefined,
): Promise<void> {
  const written: (readonly [WrittenMember, number])[] = [];
  for (const { name, parts, size } of members) {
    const data = compressed ? await deflated(parts, name, signal) : parts;
    const member: WrittenMember = {
      name,
      method: compressed ? 8 : 0,
      crc32: parts.reduce((crc, part) => extendCrc32(part, crc), 0),
      compressedSize: data.reduce((sum, { length }) => sum + length, 0),
      size,
    };
    written.push([member, position()]);
    await write(localHeader(member));
    for (const [i, part] of data.entries()) await (i === data.length - 1 ? write(part, name) : write(part));
  }
  await write(directoryBytes(written, position()));
}

async function deflated(
  parts: readonly Uint8Array<ArrayBufferLike>[],
  name: string,
  signal: AbortSignalLike | undefined,
): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of deflateChunks(parts, "deflate-raw", { what: `npz: member ${shownValue(name)}`, signal })) pieces.push(piece);
  return pieces;
}

/** Names the tensors of a list. Checks each at once: a list may have a billion holes. */
function numbered(call: string, list: readonly unknown[]): ReadonlyMap<string, Tensor> {
  const named = new Map<string, Tensor>();
  for (let i = 0; i < list.length; i++) {
    checkTensor(call, `arr_${i}`, list[i]);
    named.set(`arr_${i}`, list[i] as Tensor);
  }
  return named;
}

/** Checks the arrays, before anything is written. */
function pendingMembers(call: string, arrays: NpzArrays, options: NpyWriteOptions): Pending[] {
  const input = isArray(arrays) ? numbered(call, arrays) : (arrays as TensorsByName);
  return namedEntries(call, input, "a Map, an object or a list of tensors").map(([name, tensor]) => {
    checkTensor(call, name, tensor);
    if (name.includes("\0")) throw new InvalidArgumentError(`${call}: the name ${shownValue(name)} has a NUL`);
    const member = `${name}.npy`;
    const bytes = nameBytes(member);
    if (bytes > kMostNameBytes) {
      throw new InvalidArgumentError(
        `${call}: the name ${shownValue(name)} takes ${bytes} bytes with .npy, and a zip's names at most ${kMostNameBytes}`,
      );
    }
    const { header, data } = npyParts(tensor, options, `npz: tensor ${shownValue(name)}`);
    return { name: member, tensor, parts: [header, data], size: header.length + data.length };
  });
}

function checkWriteOptions(call: string, options: NpzWriteOptions, more: readonly string[] = []): void {
  checkOptions(call, options, ["compressed", "voidTypes", ...more]);
  checkVoidTypes(call, options);
  const { compressed } = options;
  if (compressed !== undefined && typeof compressed !== "boolean")
    throw new InvalidArgumentError(`${call}: compressed is true or false, got ${shownValue(compressed)}`);
}
