/**
 * The table of dtypes, a row for each. The types, sizes, classes, lists and names of dtypes in all packages are read from it.
 *
 * Rows of a class stand together: lists of dtypes, in messages for example, have the order of the table. The columns:
 *
 *   number        TensorFlow's DataType number
 *   class         what the elements are; "small" classes have a pattern of at most 8 bits in one byte (codec/small-codecs.ts)
 *   bits          the bits of an element, 0 for objects; tensors store whole bytes and do not pack elements
 *   array         the class of the typed array that holds the elements, in two slots for complex numbers
 *   field         the field of a TensorProto that holds the elements as numbers
 *   npy           NumPy's kind and bytes in an .npy file; "V": raw bytes, for the types that NumPy knows through ml_dtypes only
 *   safetensors   the type in a safetensors file
 *   hlo, xla      StableHLO's element type, and the name of XLA's PrimitiveType; quantized elements are plain integers there
 *   float         of floats, and of the parts of complex numbers: the bits of the significand with the hidden bit, the exponent of the
 *                 smallest positive number, and the largest number
 */

/** The class of a dtype. */
export type DTypeClass =
  | "float"
  | "int"
  | "uint"
  | "complex"
  | "bool"
  | "smallFloat"
  | "smallInt"
  | "smallUint"
  | "qint"
  | "quint"
  | "object";

/** A row; null where there is no such name. */
type Cells = readonly [
  number: number,
  kind: DTypeClass,
  bits: number,
  array: string | null,
  field: string | null,
  npy: string | null,
  safetensors: string | null,
  hlo: string | null,
  xla: string | null,
  float?: FloatRow,
];

/** The bits of the significand, the exponent of the smallest positive number, and the largest number. */
type FloatRow = readonly [significandBits: number, minExponent: number, largest: number];

// biome-ignore format: columns
const kTable = {
  //                  number class         bits  array             field          npy    safetensors     hlo              xla              float
  float32:            [ 1,  "float",        32,  "Float32Array",   "floatVal",    "f4",  "F32",          "f32",           "F32",           [24, -149, 3.4028234663852886e38]],
  float64:            [ 2,  "float",        64,  "Float64Array",   "doubleVal",   "f8",  "F64",          "f64",           "F64",           [53, -1074, 1.7976931348623157e308]],
  float16:            [19,  "float",        16,  "Uint16Array",    "halfVal",     "f2",  "F16",          "f16",           "F16",           [11, -24, 65504]],
  bfloat16:           [14,  "float",        16,  "Uint16Array",    "halfVal",     "V2",  "BF16",         "bf16",          "BF16",          [8, -133, 3.3895313892515355e38]],
  int8:               [ 6,  "int",           8,  "Int8Array",      "intVal",      "i1",  "I8",           "i8",            "S8"],
  int16:              [ 5,  "int",          16,  "Int16Array",     "intVal",      "i2",  "I16",          "i16",           "S16"],
  int32:              [ 3,  "int",          32,  "Int32Array",     "intVal",      "i4",  "I32",          "i32",           "S32"],
  int64:              [ 9,  "int",          64,  "BigInt64Array",  "int64Val",    "i8",  "I64",          "i64",           "S64"],
  uint8:              [ 4,  "uint",          8,  "Uint8Array",     "intVal",      "u1",  "U8",           "ui8",           "U8"],
  uint16:             [17,  "uint",         16,  "Uint16Array",    "intVal",      "u2",  "U16",          "ui16",          "U16"],
  uint32:             [22,  "uint",         32,  "Uint32Array",    "uint32Val",   "u4",  "U32",          "ui32",          "U32"],
  uint64:             [23,  "uint",         64,  "BigUint64Array", "uint64Val",   "u8",  "U64",          "ui64",          "U64"],
  complex64:          [ 8,  "complex",      64,  "Float32Array",   "scomplexVal", "c8",  "C64",          "complex<f32>",  "C64",           [24, -149, 3.4028234663852886e38]],
  complex128:         [18,  "complex",     128,  "Float64Array",   "dcomplexVal", "c16", null,           "complex<f64>",  "C128",          [53, -1074, 1.7976931348623157e308]],
  bool:               [10,  "bool",          8,  "Uint8Array",     "boolVal",     "b1",  "BOOL",         "i1",            "PRED"],
  float8_e5m2:        [24,  "smallFloat",    8,  "Uint8Array",     "float8Val",   "V1",  "F8_E5M2",      "f8E5M2",        "F8E5M2",        [3, -16, 57344]],
  float8_e4m3fn:      [25,  "smallFloat",    8,  "Uint8Array",     "float8Val",   "V1",  "F8_E4M3",      "f8E4M3FN",      "F8E4M3FN",      [4, -9, 448]],
  float8_e4m3fnuz:    [26,  "smallFloat",    8,  "Uint8Array",     "float8Val",   "V1",  "F8_E4M3FNUZ",  "f8E4M3FNUZ",    "F8E4M3FNUZ",    [4, -10, 240]],
  float8_e4m3b11fnuz: [27,  "smallFloat",    8,  "Uint8Array",     "float8Val",   "V1",  null,           "f8E4M3B11FNUZ", "F8E4M3B11FNUZ", [4, -13, 30]],
  float8_e5m2fnuz:    [28,  "smallFloat",    8,  "Uint8Array",     "float8Val",   "V1",  "F8_E5M2FNUZ",  "f8E5M2FNUZ",    "F8E5M2FNUZ",    [3, -17, 57344]],
  float4_e2m1fn:      [33,  "smallFloat",    4,  "Uint8Array",     "float8Val",   "V1",  "F4",           "f4E2M1FN",      "F4E2M1FN",      [2, -1, 6]],
  int4:               [29,  "smallInt",      4,  "Int8Array",      "intVal",      "V1",  null,           "i4",            "S4"],
  uint4:              [30,  "smallUint",     4,  "Uint8Array",     "intVal",      "V1",  null,           "ui4",           "U4"],
  int2:               [31,  "smallInt",      2,  "Int8Array",      "intVal",      "V1",  null,           "i2",            "S2"],
  uint2:              [32,  "smallUint",     2,  "Uint8Array",     "intVal",      "V1",  null,           "ui2",           "U2"],
  qint8:              [11,  "qint",          8,  "Int8Array",      "intVal",      null,  null,           "i8",            "S8"],
  quint8:             [12,  "quint",         8,  "Uint8Array",     "intVal",      null,  null,           "ui8",           "U8"],
  qint32:             [13,  "qint",         32,  "Int32Array",     "intVal",      null,  null,           "i32",           "S32"],
  qint16:             [15,  "qint",         16,  "Int16Array",     "intVal",      null,  null,           "i16",           "S16"],
  quint16:            [16,  "quint",        16,  "Uint16Array",    "intVal",      null,  null,           "ui16",          "U16"],
  string:             [ 7,  "object",        0,  null,             null,          null,  null,           null,            null],
  resource:           [20,  "object",        0,  null,             null,          null,  null,           null,            null],
  variant:            [21,  "object",        0,  null,             null,          null,  null,           null,            null],
} as const;

type Table = typeof kTable;

/** The name of a dtype, as a key of the table. */
export type DTypeKey = keyof Table;

/** The place of each column from which types are derived. */
interface Columns {
  readonly class: 1;
  readonly array: 3;
  readonly field: 4;
  readonly npy: 5;
  readonly safetensors: 6;
  readonly hlo: 7;
  readonly xla: 8;
}

/** The literal type of a dtype's cell in a column: `DTypeCell<"int8", "array">` is `"Int8Array"`. */
export type DTypeCell<D extends DTypeKey, C extends keyof Columns> = Table[D][Columns[C]];

/** The dtypes whose cell in a column is a `V`: `DTypesWhere<"class", "complex">` is `"complex64" | "complex128"`. */
export type DTypesWhere<C extends keyof Columns, V> = { [D in DTypeKey]: DTypeCell<D, C> extends V ? D : never }[DTypeKey];

/** A row of the table, with the columns that are described above. */
export interface DTypeRow {
  readonly number: number;
  readonly class: DTypeClass;
  readonly bits: number;
  readonly array: DTypeCell<DTypeKey, "array">;
  readonly field: DTypeCell<DTypeKey, "field">;
  readonly npy: DTypeCell<DTypeKey, "npy">;
  readonly safetensors: DTypeCell<DTypeKey, "safetensors">;
  readonly hlo: DTypeCell<DTypeKey, "hlo">;
  readonly xla: DTypeCell<DTypeKey, "xla">;
  readonly float: FloatRow | undefined;
}

/** The row of each dtype. A name that may not be one must be checked with `isDType` first: the object has the usual prototype. */
export const dtypeRows: Readonly<Record<DTypeKey, DTypeRow>> = Object.fromEntries(
  Object.entries<Cells>(kTable).map(([dtype, [number, kind, bits, array, field, npy, safetensors, hlo, xla, float]]) => [
    dtype,
    { number, class: kind, bits, array, field, npy, safetensors, hlo, xla, float },
  ]),
) as Record<DTypeKey, DTypeRow>;

/** Returns the dtypes of some classes, in the order of the table. */
export function dtypesOfClass<C extends DTypeClass>(...classes: readonly C[]): DTypesWhere<"class", C>[] {
  return (Object.keys(dtypeRows) as DTypesWhere<"class", C>[]).filter((dtype) =>
    (classes as readonly DTypeClass[]).includes(dtypeRows[dtype].class),
  );
}
