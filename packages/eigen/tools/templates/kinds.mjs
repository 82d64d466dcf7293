// The list of storage kinds: the dtypes that share one set of map classes, and the expressions that read, check and write an element.
//
//   id        the suffix of the class names          file      src/map/generated/<file>.ts
//   dtypes    the dtypes that share the kind         array     the TypeScript type of the array
//   dtypeClass   instead of `dtypes`: their class in the table of dtypes
//   element   the type that `at` returns             input     the type that `set` takes
//   raw       the type of one slot of the array      constant     statements that define names for these expressions
//   read(r, self)   raw -> element                   ok(v)     the test that v is an element
//   write(v, self)  element -> raw                   imports   the names that these expressions need from @onebuffer/base
//   store(place, v)  a call instead of `write`, for objects, whose storing is more than an assignment
//
// A function that `at` or `set` calls is such a constant, too: Firefox looks up a name of the module at every call, because the methods are
// in a class inside a function, and `set` of float16 then takes 11.6 instead of 10.1 ns.
//
// The methods of complex numbers, objects and unaligned elements differ in more than these expressions: `form` selects the templates for
// them in access.mjs and kind-file.mjs.

const typed = (name) => `${name}<ArrayBufferLike>`;
const isNumber = (v) => `typeof ${v} === "number"`;
const isBigInt = (v) => `typeof ${v} === "bigint"`;
const same = (r) => r;

/** A kind whose elements are the numbers or bigints of a typed array. */
const plain = (id, file, array, dtypes, big = false) => ({
  id,
  file,
  dtypes,
  array: typed(array),
  form: "plain",
  element: big ? "bigint" : "number",
  input: big ? "bigint" : "number",
  raw: big ? "bigint" : "number",
  ok: big ? isBigInt : isNumber,
  read: same,
  write: same,
  imports: [],
});

/** A kind whose elements are bytes that the dtype's SmallFormat decodes by table. */
const small = (id, file, array, dtypeClass) => ({
  ...plain(id, file, array, []),
  dtypeClass,
  constant: "const format = smallFormat(dtype);\n",
  computes: false,
  read: (r) => `format.table[${r} & 0xff] as number`,
  write: (v) => `format.encode(${v})`,
});

/** A kind whose elements take two slots, re and im. */
const complex = (id, file, array, dtype) => ({
  id,
  file,
  dtypes: [dtype],
  array: typed(array),
  form: "complex",
  element: "Complex",
  input: "Complex",
  raw: "number",
  ok: (v) => `isComplex(${v})`,
  read: same,
  write: same,
  imports: [],
});

/** All storage kinds. */
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
    constant: "const table = halfTable();\nconst toBits = halfBits;\n",
    read: (r) => `table[${r}] as number`,
    write: (v) => `toBits(${v})`,
  },
  {
    ...plain("BF16", "bfloat16", "Uint16Array", ["bfloat16"]),
    constant: "const toValue = bfloat16Value;\nconst toBits = bfloat16Bits;\n",
    read: (r) => `toValue(${r})`,
    write: (v) => `toBits(${v})`,
  },
  small("F8", "float8", "Uint8Array", "smallFloat"),
  small("Narrow", "narrow-int", "Int8Array", "smallInt"),
  small("UnsignedNarrow", "unsigned-narrow-int", "Uint8Array", "smallUint"),
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
    dtypes: [],
    dtypeClass: "object",
    array: "unknown[]",
    form: "object",
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
    element: "unknown",
    input: "never",
    raw: "number",
    ok: () => "true",
    read: same,
    write: same,
    constant: "const { bytes } = elementCodec(dtype);\n",
    imports: ["elementCodec"],
  },
];

/** Returns true if several dtypes share a kind. */
export const isShared = (kind) => kind.dtypes.length > 1 || kind.dtypeClass !== undefined;

/** Returns the dtypes of a kind as a type, such as `"uint8" | "quint8"`. One kind serves the unaligned maps of all raw dtypes. */
export function dtypeUnion(kind) {
  if (kind.form === "unaligned") return "RawDType";
  if (kind.dtypeClass !== undefined) return `DTypesWhere<"class", "${kind.dtypeClass}">`;
  return kind.dtypes.map((name) => JSON.stringify(name)).join(" | ");
}
