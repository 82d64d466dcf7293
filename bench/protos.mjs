// Prepares TensorProto for the other protobuf libraries: protobufjs reads the .proto files of packages/proto, and protobuf-es gets
// the descriptors from it. Both are as fast with descriptors as with generated code.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";
import descriptor from "protobufjs/ext/descriptor/index.js";

const protos = fileURLToPath(new URL("../packages/proto/protos/", import.meta.url));
const kFiles = ["types", "tensor_shape", "resource_handle", "tensor"].map((name) => `tensorflow/core/framework/${name}.proto`);

export const root = new protobuf.Root();
for (const file of kFiles) protobuf.parse(readFileSync(`${protos}${file}`, "utf8"), root);
root.resolveAll();

/** protobufjs names types relative to the message that uses them; protobuf-es needs absolute names. */
function nameAbsolutely(message, owner) {
  const type = owner.lookup(message.name);
  for (const field of message.field) if (field.typeName) field.typeName = type.lookup(field.typeName).fullName;
  for (const nested of message.nestedType) nameAbsolutely(nested, type);
}

/** Returns the bytes of the FileDescriptorSet. */
export function descriptorBytes() {
  const set = root.toDescriptor("proto3");
  for (const file of set.file) for (const message of file.messageType) nameAbsolutely(message, root.lookup(file.package));
  return descriptor.FileDescriptorSet.encode(set).finish();
}
