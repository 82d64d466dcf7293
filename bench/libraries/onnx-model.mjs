// Encodes models for onnxruntime as protobuf: only the parts of ModelProto that the bench's graphs need.
const text = new TextEncoder();

function varint(value) {
  const out = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    out.push(rest === 0n ? low : low | 128);
  } while (rest !== 0n);
  return out;
}

const int = (field, value) => [...varint(field << 3), ...varint(value)];
const bytes = (field, content) => [...varint((field << 3) | 2), ...varint(content.length), ...content];
const string = (field, value) => bytes(field, [...text.encode(value)]);
const float = (field, value) => [...varint((field << 3) | 5), ...new Uint8Array(Float32Array.of(value).buffer)];

const kTypes = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10, float64: 11 };

/** Encodes an attribute: an integer, a list of integers, a text, or `{ float }`. */
function attribute(name, value) {
  const typed = Array.isArray(value)
    ? [...value.flatMap((x) => int(8, x)), ...int(20, 7)]
    : typeof value === "string"
      ? [...string(4, value), ...int(20, 3)]
      : typeof value === "object"
        ? [...float(2, value.float), ...int(20, 1)]
        : [...int(3, value), ...int(20, 2)];
  return bytes(5, [...string(1, name), ...typed]);
}

export const node = (op, inputs, outputs, attributes = {}) =>
  bytes(1, [
    ...inputs.flatMap((x) => string(1, x)),
    ...outputs.flatMap((x) => string(2, x)),
    ...string(4, op),
    ...Object.entries(attributes).flatMap(([k, v]) => attribute(k, v)),
  ]);

const valueInfo = (field, [name, dtype, dims]) =>
  bytes(field, [
    ...string(1, name),
    ...bytes(
      2,
      bytes(1, [
        ...int(1, kTypes[dtype]),
        ...bytes(
          2,
          dims.flatMap((size) => bytes(1, int(1, size))),
        ),
      ]),
    ),
  ]);

/** Encodes the constants of a graph. */
export const longs = (name, values) =>
  bytes(5, [...int(1, values.length), ...int(2, 7), ...values.flatMap((x) => int(7, x)), ...string(8, name)]);
export const floatsOf = (name, values, dims = [values.length]) =>
  bytes(5, [...dims.flatMap((size) => int(1, size)), ...int(2, 1), ...values.flatMap((x) => float(4, x)), ...string(8, name)]);

/** Encodes a model of a graph: nodes, [name, dtype, dims] of inputs and outputs, constants. */
export function model({ nodes, inputs, outputs, constants = [] }) {
  const graph = [
    ...nodes.flat(),
    ...string(2, "g"),
    ...constants.flat(),
    ...inputs.flatMap((x) => valueInfo(11, x)),
    ...outputs.flatMap((x) => valueInfo(12, x)),
  ];
  return Uint8Array.from([...int(1, 9), ...bytes(8, [...string(1, ""), ...int(2, 20)]), ...bytes(7, graph)]);
}
