/** Opens what is not named by a file of its own: a folder, and the prefix of a checkpoint. */
import { isStatusError, NotFoundError } from "@onebuffer/base";
import { latestCheckpoint } from "../object-graph/checkpoint-state.ts";
import { openSavedModel } from "../object-graph/saved-model.ts";
import { kIndexName } from "../safetensors/model-index.ts";
import type { FileSet } from "../source/file-set.ts";
import { signalOf } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { metaFilename } from "../checkpoint/bundle-names.ts";
import { bundleReaderStore, openBundleStore, prefixOfDataFile } from "./checkpoint-format.ts";
import { openFirstVersionStore } from "./checkpoint-v1-format.ts";
import { fileOrNull } from "../source/named-file.ts";
import { openSafetensorsModelStore } from "./safetensors-format.ts";
import type { StoreReader } from "./checked-store.ts";

/** The name of a safetensors model in one file. */
const kModelName = "model.safetensors";

/**
 * Opens the model of a folder: in safetensors, or the checkpoint that the file `checkpoint` names, or the variables of a SavedModel. Throws
 * NOT_FOUND if there is none.
 */
export async function openFolder(files: FileSet, options: TransferOptions): Promise<StoreReader> {
  for (const name of [kIndexName, kModelName])
    if ((await fileOrNull(files, name, options.signal)) !== null) return await openSafetensorsModelStore(files, options);
  const latest = await latestOrNull(files, options);
  if (latest !== null) return await openPrefix(files, latest, options);
  try {
    return await bundleReaderStore(await openSavedModel(files, "", signalOf(options)), files);
  } catch (error) {
    if (!isStatusError(error, "NOT_FOUND")) throw error;
    const others = `no file \`checkpoint\` that names a checkpoint in it, no ${kModelName}, no ${kIndexName}`;
    throw new NotFoundError(`the folder has no model: ${others}, and ${error.message}`, { cause: error });
  }
}

/** Returns the prefix that the file `checkpoint` names; null also if that file cannot be read: the folder may have a SavedModel beside it. */
async function latestOrNull(files: FileSet, options: TransferOptions): Promise<string | null> {
  try {
    return await latestCheckpoint(files, signalOf(options));
  } catch (error) {
    if (isStatusError(error) && error.code !== "CANCELLED") return null;
    throw error;
  }
}

/** Opens the checkpoint of a prefix, or of the name of one of its data files. Throws NOT_FOUND if there is none of either version. */
export async function openPrefix(files: FileSet, name: string, options: TransferOptions): Promise<StoreReader> {
  const prefix = prefixOfDataFile(name) ?? name;
  if ((await fileOrNull(files, metaFilename(prefix), options.signal)) !== null) return await openBundleStore(files, prefix, options);
  try {
    return await openFirstVersionStore(files, prefix, options);
  } catch (error) {
    if (!isStatusError(error, "NOT_FOUND")) throw error;
    throw new NotFoundError("no such file, and no checkpoint of this name", { cause: error });
  }
}
