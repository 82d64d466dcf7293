/** Files of NumPy and safetensors as TensorFiles. */
import { isStatusError } from "@onebuffer/base";
import { openNpz, openSafetensors, openSafetensorsModel } from "@onebuffer/io";
import type { NpzFile, SafetensorsFile, SafetensorsModel, TransferOptions } from "@onebuffer/io";
import { directoryFiles, fileSource, readAhead } from "@onebuffer/io/node";
import type { Tensor } from "@onebuffer/core";
import { npyTensor } from "./npy-tensor.ts";
import type { NpyBytes } from "./npy-tensor.ts";
import { fileOfSlots } from "./slots.ts";
import type { StoredTensor, TensorFile, TensorInfo, TensorSlot } from "./tensor-file.ts";

/** Opens an .npy file. Its tensor has the name "". */
export async function openNpyFile(path: string, transfer: TransferOptions): Promise<TensorFile> {
  const source = fileSource(path);
  try {
    return fileOfSlots("npy", [await npyTensor("", source, null, transfer)], [], () => source.close());
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Opens an .npz file. Members that are no arrays are notes. */
export async function openNpzFile(path: string, transfer: TransferOptions): Promise<TensorFile> {
  const source = fileSource(path);
  try {
    const npz = await openNpz(source, transfer);
    const unchecked = await openNpz(source, { ...transfer, verifyChecksums: false });
    const slots: TensorSlot[] = [];
    const notes: string[] = [];
    for (const name of npz.names) {
      try {
        slots.push(await npzSlot(npz, unchecked, name, transfer));
      } catch (error) {
        if (!isStatusError(error, "UNIMPLEMENTED") && !isStatusError(error, "INVALID_ARGUMENT")) throw error;
        notes.push(`${name}: ${error.code}: ${error.message}`);
      }
    }
    for (const member of npz.members.keys()) if (!member.endsWith(".npy")) notes.push(`${member} is not an array`);
    return fileOfSlots("npz", slots, notes, () => source.close());
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Returns the slot of an array. `unchecked` is the same file, whose checksums are not verified. */
async function npzSlot(npz: NpzFile, unchecked: NpzFile, name: string, transfer: TransferOptions): Promise<TensorSlot> {
  const member = `${name}.npy`;
  const size = npz.members.get(member)?.size ?? 0;
  let whole: Promise<Uint8Array<ArrayBufferLike>> | undefined;
  const source: NpyBytes = {
    size,
    name: member,
    read: async (offset, length) => (await (whole ??= unchecked.bytes(member))).subarray(offset, offset + length),
  };
  const slot = await npyTensor(name, source, "ok", transfer);
  whole = undefined;
  return {
    ...slot,
    tensor: async (options) =>
      slot.dtype === "string" ? await slot.tensor(options) : ((await npz.tensor(name, { ...options, boolBytes: "keep" })) as Tensor),
    async stored(options): Promise<StoredTensor> {
      const { bytes } = await slot.stored(options);
      whole = undefined;
      return { bytes, crc: (await isIntact(npz.bytes(member, options))) ? "ok" : "bad" };
    },
  };
}

/** Returns false if a read throws DATA_LOSS. */
export async function isIntact(read: Promise<unknown>): Promise<boolean> {
  try {
    await read;
    return true;
  } catch (error) {
    if (isStatusError(error, "DATA_LOSS")) return false;
    throw error;
  }
}

/** Opens a safetensors file. */
export async function openSafetensorsFile(path: string, transfer: TransferOptions): Promise<TensorFile> {
  const source = fileSource(path);
  try {
    // Tensors are read one by one, in their order: small ones are read together.
    const file = await openSafetensors(readAhead(source), transfer);
    const infos = Array.from(file.entries.values(), infoOf);
    const notes = Array.from(file.metadata, ([name, value]) => `metadata ${name}: ${value}`);
    return safetensors(file, infos, notes, () => source.close());
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Opens the model of an index file such as `model.safetensors.index.json`. */
export async function openSafetensorsIndex(folder: string, name: string, transfer: TransferOptions): Promise<TensorFile> {
  const files = directoryFiles(folder);
  try {
    const model = await openSafetensorsModel(files, { name, ...transfer });
    const infos: TensorInfo[] = [];
    for (const tensor of model.names) infos.push(infoOf(await model.entry(tensor, transfer)));
    const shards = new Set(model.weightMap.values()).size;
    return safetensors(model, infos, [`${shards} files`], () => files.close());
  } catch (error) {
    files.close();
    throw error;
  }
}

function safetensors(
  file: SafetensorsFile | SafetensorsModel,
  infos: readonly TensorInfo[],
  notes: readonly string[],
  close: () => void,
): TensorFile {
  return {
    format: "safetensors",
    hasChecksums: false,
    infos,
    notes,
    close,
    tensor: async (name, transfer) => (await file.tensor(name, { ...transfer, boolBytes: "keep" })) as Tensor,
    stored: async (name, transfer) => ({ bytes: await file.bytes(name, transfer), crc: null }),
  };
}

const infoOf = (entry: ReturnType<SafetensorsFile["entry"]>): TensorInfo => ({
  name: entry.name,
  dtype: entry.dtype ?? entry.type,
  shape: entry.shape,
  bytes: entry.byteLength,
});
