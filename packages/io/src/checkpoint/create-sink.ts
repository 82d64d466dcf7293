/** Where the writers of checkpoints put their files: a function that makes the sink of each, or FileSinks, which appear together. */
import { argumentError, isClass } from "@onebuffer/base/internal";
import type { FileSinks } from "../source/file-sinks.ts";
import { toByteSink } from "../source/to-byte-sink.ts";
import type { SinkOutput } from "../source/to-byte-sink.ts";

/**
 * Makes the sink of a file of a checkpoint, for example `(name) => fileSink(join(folder, name))` in Node.
 *
 * @example
 * const sinks: ChunkSink[] = [];
 * const create: CreateSink = () => sinks[sinks.push(new ChunkSink()) - 1] as ChunkSink;
 * typeof create("model.ckpt.index"); // => "object"
 */
export type CreateSink = (name: string) => SinkOutput | Promise<SinkOutput>;

/**
 * Where a checkpoint is written: FileSinks such as MemoryFiles or, in `onebuffer/node`, `directorySinks`, whose files appear together when
 * all are complete; or a function that makes the sink of each file.
 *
 * @example
 * const outputs: BundleOutput[] = [new MemoryFiles(), () => new ChunkSink()];
 * outputs.map((output) => typeof output); // => ["object", "function"]
 */
export type BundleOutput = CreateSink | FileSinks;

/** Returns an output as FileSinks. Throws INVALID_ARGUMENT for anything else. */
export function toFileSinks(output: BundleOutput): Required<FileSinks> {
  if (typeof output === "function" && !isClass(output))
    return { create: async (name) => toByteSink(await output(name)), commit: async () => undefined, abort: async () => undefined };
  const sinks = (output ?? {}) as FileSinks;
  const { create, commit } = sinks;
  if (typeof create !== "function" || typeof commit !== "function")
    throw argumentError("FileSinks or a function that makes the sink of a file", output);
  return {
    create: async (name) => toByteSink(await sinks.create(name)),
    commit: () => sinks.commit(),
    abort: async (reason) => sinks.abort?.(reason),
  };
}
