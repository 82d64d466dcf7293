/**
 * The names of a bundle's files (MetaFilename and DataFilename of tensorflow/core/util/tensor_bundle/naming.h).
 *
 *     model.ckpt.index                  the index
 *     model.ckpt.data-00000-of-00002    the first of two shards
 */

/** Returns the name of the index of the bundle `prefix`. */
export function metaFilename(prefix: string): string {
  return `${prefix}.index`;
}

/** Returns the name of a shard of the bundle `prefix`. */
export function dataFilename(prefix: string, shardId: number, numShards: number): string {
  return `${prefix}.data-${String(shardId).padStart(5, "0")}-of-${String(numShards).padStart(5, "0")}`;
}
