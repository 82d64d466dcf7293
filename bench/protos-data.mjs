// The messages of the protobuf workloads, which every library encodes and decodes.
import { floats } from "./data.mjs";

export const kPayload = 64 * 2 ** 20;
export const kMillion = 1_000_000;

const varint = (n) => {
  const out = [];
  for (; n > 127; n = Math.floor(n / 128)) out.push((n % 128) | 128);
  return [...out, n];
};

/** Returns the bytes of a TensorProto: dtype float, shape [n], and one length-delimited field with the given number. */
function message(n, field, payload) {
  const size = varint(n);
  const head = Uint8Array.from([
    8,
    1,
    18,
    2 + size.length + 1,
    18,
    size.length + 1,
    8,
    ...size,
    field * 8 + 2,
    ...varint(payload.byteLength),
  ]);
  const out = new Uint8Array(head.length + payload.byteLength);
  out.set(head);
  out.set(payload, head.length);
  return out;
}

const bytes = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** Returns a message with 64 MiB of tensor_content. */
export const contentBytes = () => message(kPayload / 4, 4, new Uint8Array(kPayload).fill(63));
/** Returns a message with a million packed floats in float_val. */
export const packedBytes = () => message(kMillion, 5, bytes(floats(kMillion)));
/** Returns a message with float [2, 3] and its six values in float_val: a typical small constant. */
export const kSmall = {
  dtype: 1,
  tensorShape: {
    dim: [
      { size: 2, name: "" },
      { size: 3, name: "" },
    ],
  },
  floatVal: [1, 2, 3, 4, 5, 6],
};
export const smallBytes = () => {
  const payload = bytes(Float32Array.from(kSmall.floatVal));
  return Uint8Array.from([8, 1, 18, 8, 18, 2, 8, 2, 18, 2, 8, 3, 42, payload.length, ...payload]);
};

/** Returns the checksum of an encoding: its length plus its first and last bytes. */
export const bytesChecksum = (length, first, last) => length + first / 256 + last / 65536;
