/** How the writers of formats with several files get the sinks of their files. */
import type { SinkOutput } from "../source/to-byte-sink.ts";

/**
 * Makes the sink of a file of a checkpoint: in Node `(name) => fileSink(join(folder, name))`.
 *
 * @example
 * const sinks: ChunkSink[] = [];
 * const create: CreateSink = () => sinks[sinks.push(new ChunkSink()) - 1] as ChunkSink;
 * typeof create("model.ckpt.index"); // => "object"
 */
export type CreateSink = (name: string) => SinkOutput | Promise<SinkOutput>;
