/** CheckVersions: whether this code may read a file, by the versions in it (tensorflow/core/framework/versions.h). */
import { InvalidArgumentError } from "@onebuffer/base";
import type { VersionDef } from "@onebuffer/proto";

/** The version of both checkpoint formats that this code reads, and the oldest writer whose files it reads. */
const kConsumer = 1;
const kMinProducer = 0;

/**
 * Throws INVALID_ARGUMENT if the file asks for a newer reader, refuses readers of this version, or was written by an unsupported writer.
 * A file without versions was written by version 0.
 */
export function checkVersions({ producer = 0, minConsumer = 0, badConsumers = [] }: VersionDef, what: string): void {
  if (producer < kMinProducer)
    throw new InvalidArgumentError(`${what}: Checkpoint producer version ${producer} below min producer ${kMinProducer}`);
  if (kConsumer < minConsumer)
    throw new InvalidArgumentError(`${what}: Checkpoint min consumer version ${minConsumer} above current version ${kConsumer}`);
  if (badConsumers.includes(kConsumer)) throw new InvalidArgumentError(`${what}: Checkpoint disallows consumer version ${kConsumer}`);
}
