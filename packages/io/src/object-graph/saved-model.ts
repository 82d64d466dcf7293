/**
 * The weights of a SavedModel folder (tensorflow/cc/saved_model/reader.h).
 *
 *     saved_model.pb                            the functions, which onebuffer does not read
 *     variables/variables.index                 a checkpoint: the weights, and for a model of TensorFlow 2 the object graph
 *     variables/variables.data-00000-of-00001
 */
import { isStatusError, NotFoundError } from "@onebuffer/base";
import { checkText, shownValue } from "@onebuffer/base/internal";
import { BundleReader } from "../checkpoint/bundle-reader.ts";
import type { BundleReaderOptions } from "../checkpoint/lookup-options.ts";
import type { FileSetInput } from "../source/to-file-set.ts";
import { toFileSet } from "../source/to-file-set.ts";

const kModelFiles = ["saved_model.pb", "saved_model.pbtxt"];

/**
 * Opens the variables of the SavedModel in `folder` of `files`; "" is the set of files itself. `ObjectGraph.read` of the result gives the
 * objects of a model of TensorFlow 2.
 *
 * Throws NOT_FOUND if there is no SavedModel, or one without variables; otherwise as `BundleReader.open`.
 *
 * @example
 * const made = new MemoryFiles();
 * using w = Tensor.from([1, 2]);
 * await writeCheckpoint(made, "m/variables/variables", { w });
 * const reader = await openSavedModel(made.files, "m");
 * using tensor = await reader.lookup((await ObjectGraph.read(reader)).checkpointKey("w"));
 * tensor.toArray(); // => [1, 2]
 * await openSavedModel(made.files); // throws NOT_FOUND
 */
export async function openSavedModel(files: FileSetInput, folder: string = "", options: BundleReaderOptions = {}): Promise<BundleReader> {
  checkText(folder, "the folder of a SavedModel");
  const set = toFileSet(files);
  const base = folder === "" || folder.endsWith("/") ? folder : `${folder}/`;
  const named = base === "" ? "" : ` ${shownValue(base)}`;
  try {
    return await BundleReader.open(set, `${base}variables/variables`, options);
  } catch (error) {
    if (!isStatusError(error, "NOT_FOUND")) throw error;
    for (const name of kModelFiles) {
      const isThere = await set.open(`${base}${name}`).then(
        () => true,
        () => false,
      );
      if (isThere) throw new NotFoundError(`the SavedModel${named} has no variables`, { cause: error });
    }
    throw new NotFoundError(`no SavedModel${named}: neither saved_model.pb nor variables/variables.index`, { cause: error });
  }
}
