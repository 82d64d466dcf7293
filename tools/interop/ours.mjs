// Our side of a question: converts encoded tensors to Tensors, to bytes in every form, and back.
import { dtypeOf } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { tensorProtoCodec } from "@onebuffer/proto";
import { bytesOf, hexOf } from "./samples.mjs";

/** Returns the Tensor of an encoded tensor; the caller disposes it. */
export function tensorOf({ dtype, dims, content, strings }) {
  const name = dtypeOf(dtype);
  if (strings === undefined) return Tensor.wrap(bytesOf(content), dims, { dtype: name });
  const tensor = new Tensor(name, dims);
  const flat = tensor.flat();
  strings.forEach((hex, i) => flat.set(i, bytesOf(hex)));
  return tensor;
}

/** Returns a Tensor as an encoded tensor. Resources and variants are encoded as their messages' bytes. */
export function encoded(tensor) {
  const answer = { dtype: tensor.shape.dataType, dims: [...tensor.shape.dimSizes] };
  if (tensor.dtype === "string") {
    const flat = tensor.flat();
    return { ...answer, strings: Array.from({ length: tensor.numElements }, (_, i) => hexOf(flat.at(i))) };
  }
  if (tensor.dtype === "resource" || tensor.dtype === "variant")
    return { ...answer, content: hexOf(tensor.asProtoTensorContent().tensorContent ?? new Uint8Array(0)) };
  return { ...answer, content: hexOf(tensor.tensorData) };
}

export const kForms = { content: (tensor) => tensor.asProtoTensorContent(), field: (tensor) => tensor.asProtoField() };

/** Returns the bytes of a message, encoded at once and in chunks; throws if the two differ. */
export function bytesOfProto(proto) {
  const whole = tensorProtoCodec.encode(proto);
  const chunks = Buffer.concat(tensorProtoCodec.encodeChunks(proto));
  if (Buffer.compare(whole, chunks) !== 0) throw new Error("encode and encodeChunks differ");
  if (tensorProtoCodec.byteLength(proto) !== whole.byteLength) throw new Error("byteLength is not encode's length");
  return hexOf(whole);
}

/** Returns the encoded tensor that our readers read from bytes. */
export function read(hex, options) {
  const tensor = Tensor.fromProto(tensorProtoCodec.decode(bytesOf(hex)), options);
  try {
    return encoded(tensor);
  } finally {
    tensor.dispose();
  }
}

/** Decodes bytes, makes a Tensor, and writes it again in the given form. */
export function rewritten(hex, form, options) {
  const tensor = Tensor.fromProto(tensorProtoCodec.decode(bytesOf(hex)), options);
  try {
    return bytesOfProto(kForms[form](tensor));
  } finally {
    tensor.dispose();
  }
}

/** Returns the values in a variant tensor's bytes as messages, whatever their types. */
export function variantsOf(hex) {
  const tensor = Tensor.fromProto(tensorProtoCodec.decode(bytesOf(hex)), { unknownVariants: "bytes" });
  try {
    return tensor.asProtoField().variantVal ?? [];
  } finally {
    tensor.dispose();
  }
}
