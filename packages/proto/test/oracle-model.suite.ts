// Compares every codec with the code that protoc-gen-es generated from our .proto files: the field tables, and random messages.
import { fromBinary, fromJson, ScalarType, toBinary, toJson } from "@bufbuild/protobuf";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { describe, expect, test } from "@jest/globals";
import type { JsonValue } from "@onebuffer/proto";
import fc from "fast-check";
import type { OracleMessage } from "./oracle.ts";
import { asOurs, messageArbitrary, pairs } from "./oracle.ts";

const numRuns = process.env["ONEBUFFER_LONG"] === undefined ? 3 : 500;

const kKindNames = ["int32", "enum", "uint32", "bool", "int64", "uint64", "fixed32", "float", "double", "string", "bytes", "message"];

describe.each(pairs)("%s", (_name, codec, schema) => {
  const messages = messageArbitrary(schema, 3);
  const of2017 = schema.file.name.startsWith("tensorflow/compiler");

  test("has the fields of the .proto file", () => {
    const ours = codec.type.fields.map((field) => ({
      name: field.name,
      protoName: field.protoName,
      no: field.no,
      kind: kKindNames[field.kind],
      many: field.label >= 2,
      optional: field.label === 1,
    }));
    const theirs = schema.fields.map((field) => ({
      name: field.jsonName,
      protoName: field.name,
      no: field.number,
      kind:
        field.message !== undefined ? "message" : field.enum !== undefined ? "enum" : ScalarType[field.scalar as ScalarType].toLowerCase(),
      many: field.fieldKind === "list" || field.fieldKind === "map",
      optional: field.oneof !== undefined,
    }));
    theirs.sort((a, b) => a.no - b.no);
    // Our XLA codecs have the fields of 2017 and of today.
    const known = new Set(theirs.map((field) => field.no));
    const xla = schema.typeName.startsWith("xla.");
    expect(xla ? ours.filter((field) => known.has(field.no)) : ours).toEqual(theirs);
    for (const field of schema.fields) {
      if (field.enum === undefined) continue;
      const numbers = Object.fromEntries(field.enum.values.map((value) => [value.name, value.number]));
      expect(codec.type.byNumber[field.number]?.enumNumbers).toMatchObject(numbers);
    }
    if (!of2017) expect(codec.typeName).toBe(schema.typeName);
  });

  test("encodes the same bytes as the generated code, from values and from decoded messages", () => {
    fc.assert(
      fc.property(messages, (message) => {
        const bytes = toBinary(schema, message);
        expect(codec.encode(asOurs(schema, message))).toEqual(bytes);
        const read = codec.decode(bytes);
        expect(codec.encode(read)).toEqual(bytes);
        expect(codec.byteLength(read)).toBe(bytes.length);
        expect(Buffer.concat(codec.encodeChunks(read))).toEqual(Buffer.from(bytes));
      }),
      { numRuns },
    );
  });

  test("is decoded by the generated code", () => {
    fc.assert(
      fc.property(messages, (message) => {
        expect(fromBinary(schema, codec.encode(asOurs(schema, message)))).toEqual(message);
      }),
      { numRuns },
    );
  });

  test("decodes every order and packing of the fields, and keeps unknown ones, like the generated code", () => {
    const unknown = fc.record({ no: fc.integer({ min: 34, max: 2 ** 29 - 1 }), kind: fc.constantFrom(0, 1, 2, 3, 5), value: fc.nat() });
    fc.assert(
      fc.property(messages, messages, fc.array(unknown, { maxLength: 3 }), (first, second, extra) => {
        const writer = new BinaryWriter();
        writer.raw(unpackedBytes(schema, first));
        for (const { no, kind, value } of extra) {
          writer.tag(no, kind);
          if (kind === 0) writer.uint32(value);
          else if (kind === 1) writer.fixed64(value);
          else if (kind === 2) writer.string(String(value));
          else if (kind === 5) writer.fixed32(value);
          else writer.tag(1, 0).uint32(value).tag(no, 4);
        }
        writer.raw(toBinary(schema, second)).raw(unpackedBytes(schema, second));
        const bytes = writer.finish();
        const theirs = toBinary(schema, fromBinary(schema, bytes));
        expect(codec.encode(codec.decode(bytes))).toEqual(theirs);
      }),
      { numRuns },
    );
  });

  test("converts to and from JSON like the generated code", () => {
    fc.assert(
      fc.property(messages, (message) => {
        const ours = codec.toJson(asOurs(schema, message));
        const bytes = toBinary(schema, message);
        // The generated code of 2017 does not know today's enum names. It prints floats with other digits, so bytes are compared.
        const readable = of2017 ? codec.toJson(asOurs(schema, message), { enumAsInteger: true }) : ours;
        expect(toBinary(schema, fromJson(schema, readable as never))).toEqual(bytes);
        expect(codec.toJson(codec.decode(bytes))).toEqual(ours);
        const text = JSON.stringify(ours);
        expect(codec.encode(codec.fromJson(JSON.parse(text) as JsonValue))).toEqual(bytes);
        const theirs = JSON.parse(JSON.stringify(toJson(schema, message, { useProtoFieldName: true, enumAsInteger: true }))) as JsonValue;
        expect(codec.encode(codec.fromJson(theirs))).toEqual(toBinary(schema, fromJson(schema, theirs as never)));
      }),
      { numRuns },
    );
  });
});

/** Encodes the lists of scalars of a message unpacked, with the fields in descending order. */
function unpackedBytes(schema: (typeof pairs)[number][2], message: OracleMessage): Uint8Array {
  const bytes = toBinary(schema, message);
  const read = fromBinary(schema, bytes);
  const writer = new BinaryWriter();
  for (const field of [...schema.fields].sort((a, b) => b.number - a.number)) {
    const values = (read as unknown as Record<string, unknown>)[field.localName];
    if (field.fieldKind !== "list" || field.message !== undefined) continue;
    for (const value of values as never[]) {
      if (field.fieldKind === "list" && field.listKind === "enum") writer.tag(field.number, 0).int32(value);
      else if (field.scalar === ScalarType.INT32) writer.tag(field.number, 0).int32(value);
      else if (field.scalar === ScalarType.UINT32) writer.tag(field.number, 0).uint32(value);
      else if (field.scalar === ScalarType.INT64) writer.tag(field.number, 0).int64(value);
      else if (field.scalar === ScalarType.UINT64) writer.tag(field.number, 0).uint64(value);
      else if (field.scalar === ScalarType.BOOL) writer.tag(field.number, 0).bool(value);
      else if (field.scalar === ScalarType.FLOAT) writer.tag(field.number, 5).float(value);
      else if (field.scalar === ScalarType.DOUBLE) writer.tag(field.number, 1).double(value);
      else if (field.scalar === ScalarType.STRING) writer.tag(field.number, 2).string(value);
      else if (field.scalar === ScalarType.BYTES) writer.tag(field.number, 2).bytes(value);
    }
  }
  return writer.finish();
}
