/**
 * The codec of CheckpointState (tensorflow/python/training/checkpoint_state.proto). The file `checkpoint` of a folder with checkpoints is
 * this message in the text format (`toTextFormat`, `fromTextFormat`).
 */
import type { UnknownField } from "@onebuffer/base";
import { MessageCodec } from "../wire/message-codec.ts";
import { list, one, packed } from "../wire/message-type.ts";

/** tensorflow.CheckpointState as a plain object: which checkpoints a folder has. */
export interface CheckpointStateProto {
  /** The prefix of the latest checkpoint, absolute or relative to the folder. */
  readonly modelCheckpointPath?: string | undefined;
  /** The prefixes of all checkpoints that are kept, the latest last. */
  readonly allModelCheckpointPaths?: readonly string[] | undefined;
  /** When each of them was written, in seconds since 1970. Decoding gives a Float64Array. */
  readonly allModelCheckpointTimestamps?: Float64Array | readonly number[] | undefined;
  /** When the last checkpoint was written that is kept for ever. */
  readonly lastPreservedTimestamp?: number | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/**
 * tensorflow.CheckpointState.
 *
 * @example
 * checkpointStateCodec.encode({ modelCheckpointPath: "c-1" }); // => Uint8Array.of(10, 3, 99, 45, 49)
 */
export const checkpointStateCodec: MessageCodec<CheckpointStateProto> = new MessageCodec("tensorflow.CheckpointState", {
  modelCheckpointPath: one(1, "string"),
  allModelCheckpointPaths: list(2, "string"),
  allModelCheckpointTimestamps: packed(3, "double"),
  lastPreservedTimestamp: one(4, "double"),
});
