/**
 * MessageType: the table of a message's fields, from which the codecs work (in C++ protoc generates code instead).
 *
 * A field has a kind, which determines how one value is encoded, and a label, which determines how many values there are and which
 * JavaScript object holds them:
 *
 *     one       a single value; proto3's default is left out         dtype, name, tensor_shape
 *     optional  a single value that is encoded even if it is 0       TensorSliceProto.Extent.length (a oneof)
 *     list      a plain array                                        dims, parameter_names, string_val
 *     packed    a typed array                                        float_val, int64_val, bool_val
 *     map       a Map from texts to messages                         Features.feature
 *
 * At most one field of a oneof is set. A oneof with a single field is declared as an optional field.
 *
 * The name in the .proto file is derived from the camelCase name: `tensorShape` is `tensor_shape`.
 */

/** How one value is encoded. The order matters: first varints, then values of a fixed size, then values with a length. */
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

/** How many values a field has, and which JavaScript object holds them; see the head of this file. */
export const Label = { ONE: 0, OPTIONAL: 1, LIST: 2, PACKED: 3, MAP: 4 } as const;

export type Label = (typeof Label)[keyof typeof Label];

/** protobuf's wire types. */
export const Wire = { VARINT: 0, BIT64: 1, LENGTH: 2, START_GROUP: 3, END_GROUP: 4, BIT32: 5 } as const;

/** The tags of the key and the value in an entry of a map. */
export const kKeyTag: number = (1 << 3) | Wire.LENGTH;
export const kValueTag: number = (2 << 3) | Wire.LENGTH;

/** The values of an enum by their names. */
export type EnumNumbers = Readonly<Record<string, number>>;

/** A message object: the values of its fields by their camelCase names. */
export type MessageObject = Record<string, unknown>;

/** One field of a message. */
export interface Field {
  /** The camelCase name, which is also the JSON name. */
  readonly name: string;
  /** The name in the .proto file, which JSON may use, too. */
  readonly protoName: string;
  /** The field number. */
  readonly no: number;
  readonly kind: Kind;
  readonly label: Label;
  /** The wire type of one value that is not packed. */
  readonly wireType: number;
  /** The tag that encoding writes: that of a packed run if the field is repeated. */
  readonly tag: number;
  /** The values of an ENUM; null for other kinds. */
  readonly enumNumbers: EnumNumbers | null;
  /** Returns the type of a MESSAGE (of a map, that of its values); null for other kinds. A function, because messages can contain themselves. */
  readonly message: (() => MessageType) | null;
  /** The name of the oneof that the field is part of with other fields, or null. */
  readonly oneof: string | null;
}

/** A message's name and fields. */
export interface MessageType {
  /** The full name, such as `tensorflow.TensorProto`. */
  readonly typeName: string;
  /** The fields sorted by number, which is the order of encoding. */
  readonly fields: readonly Field[];
  /** The fields by number; undefined for an unused number. */
  readonly byNumber: readonly (Field | undefined)[];
  /** The fields by camelCase name. */
  readonly byName: ReadonlyMap<string, Field>;
  /** The only field of a wrapper such as `google.protobuf.BoolValue`, whose JSON is that of the field; null for other messages. */
  readonly wrapped: Field | null;
}

/** The name of a scalar kind in .proto files. */
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

/** A message as the type of a field's values, given by its codec. */
export type MessageValue = () => { readonly type: MessageType };

/** The type of a field's values: a scalar, an enum, or a message. */
export type FieldValue = ScalarName | EnumNumbers | MessageValue;

/** A function that makes a field with a given name. The name is the field's key in the table of fields. */
export type FieldOf = (name: string) => Field;

function wireTypeOf(kind: Kind): number {
  if (kind < Kind.FIXED32) return Wire.VARINT;
  if (kind >= Kind.STRING) return Wire.LENGTH;
  return kind === Kind.DOUBLE ? Wire.BIT64 : Wire.BIT32;
}

function makeField(no: number, value: FieldValue, label: Label, oneof: string | null = null): FieldOf {
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
    oneof,
  });
}

/** Declares a field of a single value, whose default value is not encoded. */
export const one = (no: number, value: FieldValue): FieldOf => makeField(no, value, Label.ONE);
/** Declares a field of a single value that is encoded even if it is the default. */
export const optional = (no: number, value: FieldValue): FieldOf => makeField(no, value, Label.OPTIONAL);
/** Declares a message field that is part of a oneof: setting one of its fields clears the others. */
export const oneOf = (no: number, oneof: string, value: MessageValue): FieldOf => makeField(no, value, Label.OPTIONAL, oneof);
/** Declares a repeated field in a plain array. */
export const list = (no: number, value: FieldValue): FieldOf => makeField(no, value, Label.LIST);
/** Declares a repeated field of numbers or bools in a typed array. */
export const packed = (no: number, value: ScalarName): FieldOf => makeField(no, value, Label.PACKED);

/** Declares a map from texts to messages, in a Map. */
export const map = (no: number, value: MessageValue): FieldOf => makeField(no, value, Label.MAP);

/** Makes the table of a message from its declared fields. */
export function makeMessageType(typeName: string, fieldsByName: Readonly<Record<string, FieldOf>>): MessageType {
  const fields = Object.entries(fieldsByName).map(([name, field]) => field(name));
  fields.sort((a, b) => a.no - b.no);
  const byNumber: (Field | undefined)[] = new Array((fields.at(-1)?.no ?? 0) + 1).fill(undefined);
  for (const field of fields) byNumber[field.no] = field;
  const byName = new Map(fields.map((field) => [field.name, field]));
  return { typeName, fields, byNumber, byName, wrapped: /^google\.protobuf\.\w+Value$/.test(typeName) ? fields[0]! : null };
}
