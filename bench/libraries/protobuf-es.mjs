// The protobuf workloads of @bufbuild/protobuf, with descriptors of the .proto files that the other libraries use (protos.mjs).
import { create, createFileRegistry, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { floats } from "../data.mjs";
import { bundleBytes } from "../bundle.mjs";
import { bytesChecksum, contentBytes, kMillion, kPayload, packedBytes, kSmall, smallBytes } from "../protos-data.mjs";
import { descriptorBytes } from "../protos.mjs";

const schema = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptorBytes())).getMessage("tensorflow.TensorProto");
let sink;

const checked = (bytes) => bytesChecksum(bytes.length, bytes[0], bytes.at(-1));
const small = () => ({ ...kSmall, tensorShape: { dim: kSmall.tensorShape.dim.map(({ size }) => ({ size: BigInt(size) })) } });
const shape = (n) => ({ dim: [{ size: BigInt(n) }] });

const decoding = (bytes, sum) => ({ run: () => void (sink = fromBinary(schema, bytes)), checksum: () => sum(fromBinary(schema, bytes)) });
const encoding = (make) => {
  const message = create(schema, make());
  return { run: () => void (sink = toBinary(schema, message)), checksum: () => checked(toBinary(schema, message)) };
};

export const cases = {
  "proto decode content": () => decoding(contentBytes(), ({ tensorContent }) => tensorContent.length + tensorContent[77]),
  "proto encode content": () =>
    encoding(() => ({ dtype: 1, tensorShape: shape(kPayload / 4), tensorContent: new Uint8Array(kPayload).fill(63) })),
  "proto decode packed": () => decoding(packedBytes(), ({ floatVal }) => floatVal.length + floatVal[5] + floatVal[kMillion - 1]),
  "proto encode packed": () => encoding(() => ({ dtype: 1, tensorShape: shape(kMillion), floatVal: Array.from(floats(kMillion)) })),
  "proto decode small": () => decoding(smallBytes(), ({ floatVal, tensorShape }) => floatVal[5] + Number(tensorShape.dim[1].size)),
  "proto encode small": () => encoding(small),
  "proto bundle": () => ({
    note: "the runtime only, without message types",
    value: () => bundleBytes('export { create, fromBinary, toBinary, fromJson, toJson } from "@bufbuild/protobuf"'),
  }),
};

export const last = () => sink;
