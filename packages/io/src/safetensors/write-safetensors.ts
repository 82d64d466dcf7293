/** Writes safetensors files: to bytes in memory, or to a sink. */
import { checkOptions } from "@onebuffer/base/internal";
import { countCopied } from "@onebuffer/allocator/internal";
import { newBytes } from "../source/new-bytes.ts";
import { writeToSink } from "../source/sink-writer.ts";
import type { SinkOutput } from "../source/to-byte-sink.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { layOut, storedBytes } from "./safetensors-writer.ts";
import type { MetadataInput } from "./safetensors-writer.ts";
import { sharedTensors } from "../tensor/shared-tensors.ts";
import type { TensorsByName } from "../tensor/tensors-by-name.ts";

/**
 * The options of `writeSafetensors`.
 *
 * @example
 * const options: SafetensorsWriteOptions = { metadata: { format: "pt" } };
 * using tensors = readSafetensors(writeSafetensors({}, options));
 * tensors.size; // => 0
 */
export interface SafetensorsWriteOptions {
  /** Texts by name, written first, in this order. */
  readonly metadata?: MetadataInput;
}

/**
 * Returns the bytes of a safetensors file with these tensors: the bytes that the reference's `save` writes for them.
 *
 * Throws UNIMPLEMENTED for a dtype that the format lacks (complex128, string, int4, …), FAILED_PRECONDITION if a tensor is disposed or not
 * initialized, INVALID_ARGUMENT for names and metadata that are not Unicode. Copies: the elements, once; `saveSafetensors` copies none.
 *
 * @example
 * using weights = Tensor.from([[1, 2], [3, 4]]);
 * const bytes = writeSafetensors({ weights }, { metadata: { format: "pt" } });
 * new TextDecoder().decode(bytes.subarray(8, 50)); // => '{"__metadata__":{"format":"pt"},"weights":'
 * using tensors = readSafetensors(bytes);
 * tensors.tensor("weights").toArray(); // => [[1, 2], [3, 4]]
 */
export function writeSafetensors<M>(tensors: TensorsByName<M>, options: SafetensorsWriteOptions = {}): Uint8Array<ArrayBuffer> {
  checkOptions("writeSafetensors", options, ["metadata"]);
  const layout = layOut("writeSafetensors", tensors as TensorsByName, options.metadata);
  const bytes = newBytes(layout.totalBytes, "safetensors");
  bytes.set(layout.header);
  let at = layout.header.length;
  for (const placed of layout.tensors) {
    bytes.set(storedBytes(placed, placed.tensor), at);
    at += placed.byteLength;
  }
  countCopied(bytes.length - layout.header.length);
  return bytes;
}

/**
 * Writes a safetensors file to a sink: the bytes of `writeSafetensors`, the tensors' own bytes uncopied. Ends the sink.
 *
 * Throws what `writeSafetensors` throws, CANCELLED, and the errors of the sink; the sink is then aborted. Returns the size of the file.
 *
 * @example
 * using weights = Tensor.from([1, 2, 3]);
 * const sink = new ChunkSink();
 * await saveSafetensors({ weights }, sink); // => 84
 * sink.toBytes().length; // => 84
 */
export async function saveSafetensors<M>(
  tensors: TensorsByName<M>,
  output: SinkOutput,
  options: SafetensorsWriteOptions & TransferOptions = {},
): Promise<number> {
  checkOptions("saveSafetensors", options, ["metadata", "signal", "onProgress"]);
  const layout = layOut("saveSafetensors", tensors as TensorsByName, options.metadata);
  using held = sharedTensors(layout.tensors);
  return await writeToSink(output, layout.totalBytes, options, async (writer) => {
    await writer.write(layout.header);
    for (const placed of layout.tensors) await writer.write(storedBytes(placed, held.tensor(placed.name)), placed.name);
    return writer.position;
  });
}
