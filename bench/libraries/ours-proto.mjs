// onebuffer's codecs: cases that ours.mjs includes in its own.
import { tensorProtoCodec } from "@onebuffer/proto";
import { Tensor } from "onebuffer";
import { floats } from "../data.mjs";
import { bytesChecksum, contentBytes, kMillion, kPayload, packedBytes, kSmall, smallBytes } from "../protos-data.mjs";

let sink;

const shape = (n) => ({ dim: [{ size: n }] });
const decoding = (bytes, sum) => ({
  run: () => void (sink = tensorProtoCodec.decode(bytes)),
  checksum: () => sum(tensorProtoCodec.decode(bytes)),
});

/** Returns the checksum of chunks: total length plus first and last bytes. */
function checked(chunks) {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return bytesChecksum(length, chunks[0][0], chunks.at(-1).at(-1));
}

const inChunks = (message) => ({
  note: "as chunks",
  run: () => void (sink = tensorProtoCodec.encodeChunks(message)),
  checksum: () => checked(tensorProtoCodec.encodeChunks(message)),
});

/** Decodes a message and makes a Tensor that is a view of its bytes, as a reader of messages does. */
function tensorOfContent() {
  const bytes = contentBytes();
  // The payload begins where the message's head ends; a float32 view needs a multiple of 4.
  const head = bytes.length - kPayload;
  const aligned = new Uint8Array(kPayload + 16).subarray((4 - (head % 4)) % 4).subarray(0, bytes.length);
  aligned.set(bytes);
  return {
    note: "decode and Tensor.fromProto, aligned",
    run() {
      const tensor = Tensor.fromProto(tensorProtoCodec.decode(aligned));
      sink = tensor;
      tensor.dispose();
    },
    checksum() {
      const tensor = Tensor.fromProto(tensorProtoCodec.decode(aligned));
      const sum = tensor.tensorData.length + tensor.tensorData[77];
      const copied = tensor.tensorData.buffer !== aligned.buffer;
      tensor.dispose();
      return copied ? Number.NaN : sum;
    },
  };
}

export const protoCases = {
  "proto decode content": () => decoding(contentBytes(), ({ tensorContent }) => tensorContent.length + tensorContent[77]),
  "proto tensor of content": tensorOfContent,
  "proto encode content": () => inChunks({ dtype: 1, tensorShape: shape(kPayload / 4), tensorContent: new Uint8Array(kPayload).fill(63) }),
  "proto decode packed": () => decoding(packedBytes(), ({ floatVal }) => floatVal.length + floatVal[5] + floatVal[kMillion - 1]),
  "proto encode packed": () => inChunks({ dtype: 1, tensorShape: shape(kMillion), floatVal: floats(kMillion) }),
  "proto decode small": () => decoding(smallBytes(), ({ floatVal, tensorShape }) => floatVal[5] + Number(tensorShape.dim[1].size)),
  "proto encode small": () => ({
    run: () => void (sink = tensorProtoCodec.encode(kSmall)),
    checksum: () => checked([tensorProtoCodec.encode(kSmall)]),
  }),
};

/** The bundler is installed with the peers; without them (`--ours`) the size is not measured. */
try {
  const { bundleBytes } = await import("../bundle.mjs");
  const below = ["base", "shape", "eigen", "slice", "xla", "core"].map((name) => `@onebuffer/${name}`);
  protoCases["proto bundle"] = () => ({ value: () => bundleBytes('export * from "@onebuffer/proto"', below) });
} catch (error) {
  if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error;
}

export const last = () => sink;
