// protobufjs, reflecting on the same .proto files; it compiles a codec for each message at run time.
import { floats } from "../data.mjs";
import { bundleBytes } from "../bundle.mjs";
import { bytesChecksum, contentBytes, MILLION, PAYLOAD, packedBytes, SMALL, smallBytes } from "../protos-data.mjs";
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
    encoding(() => ({ dtype: 1, tensorShape: shape(PAYLOAD / 4), tensorContent: new Uint8Array(PAYLOAD).fill(63) })),
  "proto decode packed": () => decoding(packedBytes(), ({ floatVal }) => floatVal.length + floatVal[5] + floatVal[MILLION - 1]),
  "proto encode packed": () => encoding(() => ({ dtype: 1, tensorShape: shape(MILLION), floatVal: floats(MILLION) })),
  "proto decode small": () => decoding(smallBytes(), ({ floatVal, tensorShape }) => floatVal[5] + Number(tensorShape.dim[1].size)),
  "proto encode small": () =>
    encoding(() => ({
      dtype: SMALL.dtype,
      tensorShape: { dim: SMALL.tensorShape.dim.map(({ size }) => ({ size })) },
      floatVal: SMALL.floatVal,
    })),
  "proto bundle": () => ({
    note: "minimal, without any message and without JSON",
    value: () => bundleBytes('export * from "protobufjs/minimal.js"'),
  }),
};

export const last = () => sink;
