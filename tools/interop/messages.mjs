// Maps the protobuf name of every message to our codec.
import * as proto from "@onebuffer/proto";

export const kCodecs = new Map(
  Object.values(proto)
    .filter((value) => typeof value?.typeName === "string" && typeof value.decode === "function")
    .map((codec) => [codec.typeName.split(".").at(-1), codec]),
);
