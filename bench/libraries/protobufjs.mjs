// protobufjs, reflecting on the same .proto files; it compiles a codec for each message at run time.
import { floats } from "../data.mjs";
import { bundleBytes } from "../bundle.mjs";
import { bytesChecksum, contentBytes, kMillion, kPayload, packedBytes, kSmall, smallBytes } from "../protos-data.mjs";
import { root } from "../protos.mjs";

const type = root.lookupType("tensorflow.TensorProto");
let sink;

const checked = (bytes) => bytesChecksum(bytes.length, bytes[0], bytes.at(-1));
const shape = (n) => ({ dim: [{ size: n }] });

const decoding = (bytes, sum) => ({ run: () => void (sink = type.decode(bytes)), checksum: () => sum(type.decode(bytes)) });
const encoding = (make) => {
  const message = type.create(make());
  return { run: () => void (sink = type.encode(message).finish()), checksum: () => checked(type.encode(message).finish()) };
};

export const cases = {
  "proto decode content": () => decoding(contentBytes(), ({ tensorContent }) => tensorContent.length + tensorContent[77]),
  "proto encode content": () =>
    encoding(() => ({ dtype: 1, tensorShape: shape(kPayload / 4), tensorContent: new Uint8Array(kPayload).fill(63) })),
  "proto decode packed": () => decoding(packedBytes(), ({ floatVal }) => floatVal.length + floatVal[5] + floatVal[kMillion - 1]),
  "proto encode packed": () => encoding(() => ({ dtype: 1, tensorShape: shape(kMillion), floatVal: floats(kMillion) })),
  "proto decode small": () => decoding(smallBytes(), ({ floatVal, tensorShape }) => floatVal[5] + Number(tensorShape.dim[1].size)),
  "proto encode small": () =>
    encoding(() => ({
      dtype: kSmall.dtype,
      tensorShape: { dim: kSmall.tensorShape.dim.map(({ size }) => ({ size })) },
      floatVal: kSmall.floatVal,
    })),
  "proto bundle": () => ({
    note: "the minimal runtime only, without message types and JSON",
    value: () => bundleBytes('export * from "protobufjs/minimal.js"'),
  }),
};

export const last = () => sink;
