/**
 * The file "checkpoint" of a folder: which checkpoints the folder has, and which is the latest (tensorflow/python/checkpoint:
 * checkpoint_management.py).
 *
 *     model_checkpoint_path: "ckpt-3"              the latest
 *     all_model_checkpoint_paths: "ckpt-2"         all that are kept, the latest last
 *     all_model_checkpoint_paths: "ckpt-3"
 *     all_model_checkpoint_timestamps: 1795246880.2260857
 *     all_model_checkpoint_timestamps: 1795246880.2311912
 */
import { DataLossError, InvalidArgumentError, ResourceExhaustedError } from "@onebuffer/base";
import { checkArray, checkNumber, checkOptions, checkText } from "@onebuffer/base/internal";
import { decodeUtf8, encodeUtf8 } from "@onebuffer/storage/internal";
import type { CheckpointStateProto } from "@onebuffer/proto";
import { checkpointStateCodec, fromTextFormat, toTextFormat } from "@onebuffer/proto";
import type { BundleOutput } from "../checkpoint/create-sink.ts";
import { toFileSinks } from "../checkpoint/create-sink.ts";
import { metaFilename } from "../checkpoint/bundle-names.ts";
import { checkedRead } from "../source/checked-read.ts";
import { fileOrNull } from "../source/named-file.ts";
import { writeToSink } from "../source/sink-writer.ts";
import type { FileSetInput } from "../source/to-file-set.ts";
import { toFileSet } from "../source/to-file-set.ts";
import { checkTransfer } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { writeAndCommit } from "../source/write-and-commit.ts";

const kStateFile = "checkpoint";
/** A state of 10,000 checkpoints with paths of 100 characters has about 1 MB. */
const kMaxBytes: number = 16 << 20;

/**
 * Reads the file "checkpoint" of a folder. Returns null if there is none.
 *
 * Throws INVALID_ARGUMENT, with line and column, if the file is malformed; DATA_LOSS if it is not UTF-8; RESOURCE_EXHAUSTED if it has more
 * than 16 MiB; CANCELLED if the signal is aborted.
 *
 * @example
 * const text = 'model_checkpoint_path: "ckpt-2"\nall_model_checkpoint_paths: "ckpt-1"\nall_model_checkpoint_paths: "ckpt-2"';
 * const state = await readCheckpointState({ checkpoint: new TextEncoder().encode(text) });
 * state?.allModelCheckpointPaths; // => ["ckpt-1", "ckpt-2"]
 * await readCheckpointState({}); // => null
 */
export async function readCheckpointState(files: FileSetInput, options: TransferOptions = {}): Promise<CheckpointStateProto | null> {
  checkOptions("readCheckpointState", options, ["signal", "onProgress"]);
  checkTransfer(options);
  const source = await fileOrNull(toFileSet(files), kStateFile, options.signal);
  if (source === null) return null;
  if (source.size > kMaxBytes) throw new ResourceExhaustedError(`${kStateFile} has ${source.size} bytes, more than ${kMaxBytes}`);
  const bytes = await checkedRead(source, 0, source.size, kStateFile, options.signal);
  const text = decodeUtf8(bytes);
  if (text === null) throw new DataLossError(`${kStateFile}: the file is not UTF-8`);
  return fromTextFormat(checkpointStateCodec, text);
}

/**
 * Returns the prefix of the latest checkpoint of a folder, or null if the folder has no file "checkpoint", if that names none, or if the
 * checkpoint that it names is not there (tf.train.latest_checkpoint).
 *
 * The prefix is relative to the folder, for `BundleReader.open(files, prefix)`. Of an absolute path only the last name counts, since
 * folders are moved; TensorFlow would look for it in the old place.
 *
 * Throws as `readCheckpointState`.
 *
 * @example
 * const checkpoint = new TextEncoder().encode('model_checkpoint_path: "/data/run/ckpt-2"');
 * await latestCheckpoint({ checkpoint, "ckpt-2.index": new Uint8Array(0) }); // => "ckpt-2"
 * await latestCheckpoint({ checkpoint }); // => null
 */
export async function latestCheckpoint(files: FileSetInput, options: TransferOptions = {}): Promise<string | null> {
  checkOptions("latestCheckpoint", options, ["signal", "onProgress"]);
  checkTransfer(options);
  const set = toFileSet(files);
  const path = (await readCheckpointState(set, options))?.modelCheckpointPath ?? "";
  const prefix = withinFolder(path);
  if (prefix === "") return null;
  // The checkpoints of version 1 are one file without a suffix.
  for (const name of [metaFilename(prefix), prefix]) if ((await fileOrNull(set, name, options.signal)) !== null) return prefix;
  return null;
}

/**
 * The options of `updateCheckpointState`.
 *
 * @example
 * const options: CheckpointStateOptions = { all: ["ckpt-1"], timestamp: 1.5 };
 * (await updateCheckpointState(new MemoryFiles(), "ckpt-2", options)).allModelCheckpointPaths; // => ["ckpt-1", "ckpt-2"]
 */
export interface CheckpointStateOptions extends TransferOptions {
  /** The state so far, as `readCheckpointState` returns it: its checkpoints stay in the list. Default: none. */
  readonly previous?: CheckpointStateProto | null;
  /** The checkpoints that are kept, instead of those of `previous`. The latest is put at the end. */
  readonly all?: readonly string[];
  /** When the checkpoint was written, in seconds since 1970. Default: now. */
  readonly timestamp?: number;
}

/**
 * Writes the file "checkpoint" with `prefix` as the latest checkpoint (tf.train.update_checkpoint_state). Returns what it wrote.
 *
 * A file on disk should be replaced as a whole, as `directorySinks` of `onebuffer/node` does, so that readers see the old or the new one.
 *
 * Throws INVALID_ARGUMENT for wrong arguments, and what the sink throws.
 *
 * @example
 * const made = new MemoryFiles();
 * const state = await updateCheckpointState(made, "ckpt-1", { timestamp: 1.5 });
 * state.allModelCheckpointPaths; // => ["ckpt-1"]
 * (await readCheckpointState(made.files))?.modelCheckpointPath; // => "ckpt-1"
 * await updateCheckpointState(new MemoryFiles(), ""); // throws INVALID_ARGUMENT
 */
export async function updateCheckpointState(
  output: BundleOutput,
  prefix: string,
  options: CheckpointStateOptions = {},
): Promise<CheckpointStateProto> {
  const files = toFileSinks(output);
  checkText(prefix, "the prefix of a checkpoint");
  if (prefix === "") throw new InvalidArgumentError("updateCheckpointState: the prefix of a checkpoint is empty");
  checkOptions("updateCheckpointState", options, ["previous", "all", "timestamp", "signal", "onProgress"]);
  checkTransfer(options);
  const state = nextState(prefix, options);
  const bytes = encodeUtf8(toTextFormat(checkpointStateCodec, state));
  await writeAndCommit(files, async () => {
    await writeToSink(await files.create(kStateFile), bytes.length, options, (writer) => writer.write(bytes, kStateFile));
  });
  return state;
}

function nextState(prefix: string, options: CheckpointStateOptions): CheckpointStateProto {
  const { previous, all, timestamp = Date.now() / 1000 } = options;
  checkNumber(timestamp, "timestamp");
  if (all !== undefined) checkArray(all, "all");
  const known = previous?.allModelCheckpointPaths ?? [];
  const times = previous?.allModelCheckpointTimestamps ?? [];
  // Timestamps are left out if one is not known: there is one for each path or none.
  const timed = times.length === known.length;
  const timeOf = new Map(known.map((path, at) => [path, times[at]]));
  const others = (all ?? known).filter((path) => path !== prefix);
  const otherTimes = others.map((path) => timeOf.get(path));
  const hasTimes = timed && otherTimes.every((time) => time !== undefined);
  return {
    modelCheckpointPath: prefix,
    allModelCheckpointPaths: [...others, prefix],
    ...(hasTimes ? { allModelCheckpointTimestamps: [...(otherTimes as number[]), timestamp] } : {}),
    ...(previous?.lastPreservedTimestamp === undefined ? {} : { lastPreservedTimestamp: previous.lastPreservedTimestamp }),
  };
}

/** Returns a path as it is, or of an absolute one the last name. */
function withinFolder(path: string): string {
  const isAbsolute = /^(?:[/\\]|[A-Za-z]:[/\\]|[A-Za-z][\w+.-]*:\/\/)/.test(path);
  return isAbsolute ? (path.split(/[/\\]/).at(-1) ?? "") : path;
}
