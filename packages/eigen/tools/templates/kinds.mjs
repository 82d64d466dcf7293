// The storage kinds: which dtypes share one set of map classes, and how an element of each is read, tested and written.
//
//   id        the ending of the class names          file      src/map/generated/<file>.ts
//   dtypes    the dtypes that share the kind         array     TypeScript's name of the array class
//   element   what `at` returns                      input     what `set` takes
//   raw       the type of one raw place              carries   the last field, when the dtype alone does not say all
//   read(r, self)   raw -> element                   ok(v)     is v an element
//   write(v, self)  element -> raw                   imports   what these expressions need from @onebuffer/base
//   store(place, v)  instead of write: a call, where storing is more than an assignment (objects)
//
// Complex numbers, objects and unaligned bytes differ in more than expressions; `form` names their shape of access.

const typed = (name) => `${name}<ArrayBufferLike>`;
const isNumber = (v) => `typeof ${v} === "number"`;
const isBigInt = (v) => `typeof ${v} === "bigint"`;
const same = (r) => r;

/** Elements that a typed array holds as they are. */
const plain = (id, file, array, dtypes, big = false) => ({
  id,
  file,
  dtypes,
  array: typed(array),
  form: "plain",
  carries: dtypes.length > 1 ? "dtype" : null,
  element: big ? "bigint" : "number",
  input: big ? "bigint" : "number",
  raw: big ? "bigint" : "number",
  ok: big ? isBigInt : isNumber,
  read: same,
  write: same,
  imports: [],
});

/** Elements of one byte that a SmallFormat decodes by table. */
const small = (id, file, array, dtypes) => ({
  id,
  file,
  dtypes,
  array: typed(array),
  form: "plain",
  carries: "format",
  element: "number",
  input: "number",
  raw: "number",
  ok: isNumber,
  read: (r, self = "this") => `${self}.format.table[${r} & 0xff] as number`,
  write: (v, self = "this") => `${self}.format.encode(${v})`,
  imports: [],
});

/** Elements of two places, re and im. */
const complex = (id, file, array, dtype) => ({
  id,
  file,
  dtypes: [dtype],
  array: typed(array),
  form: "complex",
  carries: null,
  element: "Complex",
  input: "Complex",
  raw: "number",
  ok: (v) => `isComplex(${v})`,
  read: same,
  write: same,
  imports: [],
});

export const kinds = [
  plain("F32", "float32", "Float32Array", ["float32"]),
  plain("F64", "float64", "Float64Array", ["float64"]),
  plain("I8", "int8", "Int8Array", ["int8", "qint8"]),
  plain("U8", "uint8", "Uint8Array", ["uint8", "quint8"]),
  plain("I16", "int16", "Int16Array", ["int16", "qint16"]),
  plain("U16", "uint16", "Uint16Array", ["uint16", "quint16"]),
  plain("I32", "int32", "Int32Array", ["int32", "qint32"]),
  plain("U32", "uint32", "Uint32Array", ["uint32"]),
  plain("I64", "int64", "BigInt64Array", ["int64"], true),
  plain("U64", "uint64", "BigUint64Array", ["uint64"], true),
  {
    ...plain("F16", "float16", "Uint16Array", ["float16"]),
    carries: "table",
    read: (r, self = "this") => `${self}.table[${r}] as number`,
    write: (v) => `floatToHalf(${v})`,
    imports: ["floatToHalf", "halfTable"],
  },
  {
    ...plain("BF16", "bfloat16", "Uint16Array", ["bfloat16"]),
    read: (r) => `bfloat16ToFloat(${r})`,
    write: (v) => `floatToBfloat16(${v})`,
    imports: ["bfloat16ToFloat", "floatToBfloat16"],
  },
  small("F8", "float8", "Uint8Array", [
    "float8_e5m2",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e4m3b11fnuz",
    "float8_e5m2fnuz",
    "float4_e2m1fn",
  ]),
  small("Narrow", "narrow-int", "Int8Array", ["int4", "int2"]),
  small("UnsignedNarrow", "unsigned-narrow-int", "Uint8Array", ["uint4", "uint2"]),
  {
    ...plain("Bool", "bool", "Uint8Array", ["bool"]),
    element: "boolean",
    input: "boolean",
    ok: (v) => `typeof ${v} === "boolean"`,
    read: (r) => `${r} !== 0`,
    write: (v) => `${v} ? 1 : 0`,
  },
  complex("C64", "complex64", "Float32Array", "complex64"),
  complex("C128", "complex128", "Float64Array", "complex128"),
  {
    id: "Object",
    file: "object",
    dtypes: ["string", "resource", "variant"],
    array: "unknown[]",
    form: "object",
    carries: "dtype",
    element: "unknown",
    input: "unknown",
    raw: "unknown",
    ok: (v) => `isElementInput(this.dtype, ${v})`,
    read: same,
    store: (place, v, self = "this") => `storeObjectAt(${self}.array, ${place}, ${self}.dtype, ${v})`,
    imports: [],
  },
  {
    id: "Unaligned",
    file: "unaligned",
    dtypes: [],
    array: typed("Uint8Array"),
    form: "unaligned",
    carries: "codec",
    element: "unknown",
    input: "never",
    raw: "number",
    ok: () => "true",
    read: same,
    write: same,
    imports: [],
  },
];

/** `"uint8" | "quint8"`: the dtypes of a kind as a type; unaligned maps have one kind for all dtypes whose elements are bytes. */
export const dtypeUnion = (kind) => (kind.form === "unaligned" ? "RawDType" : kind.dtypes.map((name) => JSON.stringify(name)).join(" | "));

/** The last constructor parameter: `{ name, type }` or null. */
export function carried(kind) {
  if (kind.carries === "dtype") return { name: "dtype", type: dtypeUnion(kind) };
  if (kind.carries === "format") return { name: "format", type: `SmallFormat<${dtypeUnion(kind)}>` };
  if (kind.carries === "table") return { name: "table", type: "Float32Array<ArrayBuffer>" };
  if (kind.carries === "codec") return { name: "codec", type: "Bytewise<RawDType>" };
  return null;
}
