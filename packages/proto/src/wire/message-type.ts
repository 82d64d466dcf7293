/**
 * MessageType: what the codecs know of a message, its fields in tables (what protoc generates as code in C++).
 *
 * A field has a kind, which says how one value stands on the wire, and a label, which says how many there are and what
 * JavaScript holds them in:
 *
 *     one       a single value; proto3's default is left out         dtype, name, tensor_shape
 *     optional  a single value that counts even when it is 0         TensorSliceProto.Extent.length (a oneof)
 *     list      a plain array                                        dims, parameter_names, string_val
 *     packed    a typed array                                        float_val, int64_val, bool_val
 *
 * The names of proto and JSON follow from the camelCase name: `tensorShape` is `tensor_shape`.
 */

/** How one value stands on the wire. The order matters: first the varints, then the fixed sizes, then what has a length. */
export const Kind = {
  INT32: 0,
  ENUM: 1,
  UINT32: 2,
  BOOL: 3,
  INT64: 4,
  UINT64: 5,
  FIXED32: 6,
  FLOAT: 7,
  DOUBLE: 8,
  STRING: 9,
  BYTES: 10,
  MESSAGE: 11,
} as const;

export type Kind = (typeof Kind)[keyof typeof Kind];

/** How many values a field has, and what holds them. */
export const Label = { ONE: 0, OPTIONAL: 1, LIST: 2, PACKED: 3 } as const;

export type Label = (typeof Label)[keyof typeof Label];

/** protobuf's wire types that can stand in a message on their own. */
export const Wire = { VARINT: 0, BIT64: 1, LENGTH: 2, START_GROUP: 3, END_GROUP: 4, BIT32: 5 } as const;

/** Enum values by their names. */
export type EnumNumbers = Readonly<Record<string, number>>;

/** A message as the codecs handle it: its fields by their camelCase names. */
export type MessageObject = Record<string, unknown>;

/** One field of a message. */
export interface Field {
  /** The camelCase name, which is also the JSON name. */
  readonly name: string;
  /** The name in the .proto file, which JSON may use as well. */
  readonly protoName: string;
  readonly no: number;
  readonly kind: Kind;
  readonly label: Label;
  /** The wire type of one value that stands alone. */
  readonly wireType: number;
  /** The tag that is written: packed where it can be. */
  readonly tag: number;
  readonly enumNumbers: EnumNumbers | null;
  /** The type of a MESSAGE; a function, because messages contain themselves. */
  readonly message: (() => MessageType) | null;
}

/** A message's name and fields. */
export interface MessageType {
  /** The full name, as `tensorflow.TensorProto`. */
  readonly typeName: string;
  /** In the order of the numbers, which is the order on the wire. */
  readonly fields: readonly Field[];
  /** By number; empty where there is none. */
  readonly byNumber: readonly (Field | undefined)[];
  /** By camelCase name. */
  readonly byName: ReadonlyMap<string, Field>;
}

/** The name of a scalar kind as .proto files write it. */
export type ScalarName = "int32" | "uint32" | "bool" | "int64" | "uint64" | "fixed32" | "float" | "double" | "string" | "bytes";

const kKinds: Readonly<Record<ScalarName, Kind>> = {
  int32: Kind.INT32,
  uint32: Kind.UINT32,
  bool: Kind.BOOL,
  int64: Kind.INT64,
  uint64: Kind.UINT64,
  fixed32: Kind.FIXED32,
  float: Kind.FLOAT,
  double: Kind.DOUBLE,
  string: Kind.STRING,
  bytes: Kind.BYTES,
};

/** What a field's values are: a scalar, an enum's names, or a message. */
export type FieldValue = ScalarName | EnumNumbers | (() => { readonly type: MessageType });

/** A field without its name, which is the key it stands under. */
export type FieldOf = (name: string) => Field;

function wireTypeOf(kind: Kind): number {
  if (kind < Kind.FIXED32) return Wire.VARINT;
  if (kind >= Kind.STRING) return Wire.LENGTH;
  return kind === Kind.DOUBLE ? Wire.BIT64 : Wire.BIT32;
}

function makeField(no: number, value: FieldValue, label: Label): FieldOf {
  const kind = typeof value === "string" ? kKinds[value] : typeof value === "function" ? Kind.MESSAGE : Kind.ENUM;
  const wireType = wireTypeOf(kind);
  const message = typeof value === "function" ? () => value().type : null;
  return (name) => ({
    name,
    protoName: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    no,
    kind,
    label,
    wireType,
    tag: (no << 3) | (label >= Label.LIST ? Wire.LENGTH : wireType),
    enumNumbers: typeof value === "object" ? value : null,
    message,
  });
}

/** A single value with proto3's default. */
export const one = (no: number, value: FieldValue): FieldOf => makeField(no, value, Label.ONE);
/** A single value that counts even when it is 0. */
export const optional = (no: number, value: FieldValue): FieldOf => makeField(no, value, Label.OPTIONAL);
/** Many values in a plain array. */
export const list = (no: number, value: FieldValue): FieldOf => makeField(no, value, Label.LIST);
/** Many numbers or bools in a typed array. */
export const packed = (no: number, value: ScalarName): FieldOf => makeField(no, value, Label.PACKED);

/** The table of a message. */
export function makeMessageType(typeName: string, fieldsByName: Readonly<Record<string, FieldOf>>): MessageType {
  const fields = Object.entries(fieldsByName).map(([name, field]) => field(name));
  fields.sort((a, b) => a.no - b.no);
  const byNumber: (Field | undefined)[] = new Array((fields.at(-1)?.no ?? 0) + 1).fill(undefined);
  for (const field of fields) byNumber[field.no] = field;
  return { typeName, fields, byNumber, byName: new Map(fields.map((field) => [field.name, field])) };
}
