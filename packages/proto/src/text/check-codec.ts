/** Checks the codec that a function of the text format gets. */
import { argumentError } from "@onebuffer/base/internal";
import type { MessageCodec } from "../wire/message-codec.ts";

/** Throws INVALID_ARGUMENT unless the value is a MessageCodec, of any copy of the library. */
export function checkCodec(codec: unknown): void {
  const { type } = (codec ?? {}) as Partial<MessageCodec<object>>;
  if (typeof type?.typeName !== "string" || typeof type.fields !== "object")
    throw argumentError("a MessageCodec such as checkpointStateCodec", codec);
}
