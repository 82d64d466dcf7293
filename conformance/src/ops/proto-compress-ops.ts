/**
 * proto.compress (tf-proto.json): compresses a TensorProto.
 *
 *     {wire} or {proto} or {gen: {dtype, length, tail_length, as_field}}     gen: element i is i (complex: (0, i)),
 *                                                                           the last tail_length elements are 0
 *
 * Our code must always keep the values, even where TensorFlow's does not, so the values are compared before and after in every case.
 * In a `tf_defect` case nothing else is compared (judge.ts).
 */
import { DataType } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import type { Tensor } from "@onebuffer/core";
import { compressTensorProtoInPlace } from "@onebuffer/core";
import type { TensorProto } from "@onebuffer/core";
import { tensorProtoCodec } from "@onebuffer/proto";
import type { Args } from "../args.ts";
import type { CaseScope } from "../case-scope.ts";
import { fromHex, toHex } from "../compare.ts";
import type { State } from "../compare.ts";
import { toDType } from "../literals.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { toTensorProto } from "../proto-literals.ts";
import { anyMap, newTensor } from "../tensor-literals.ts";
import { RunnerError } from "../vector.ts";
import { readProto, sha256 } from "./proto-ops.ts";

/** Converts the number i to an element. Integers of 8 bits wrap around, as in C++'s cast. */
function elementOf(dtype: DType, i: number): unknown {
  const wrap: Readonly<Partial<Record<DType, number>>> = {
    int8: (i << 24) >> 24,
    qint8: (i << 24) >> 24,
    uint8: i & 0xff,
    quint8: i & 0xff,
  };
  if (dtype === "bool") return i !== 0;
  if (dtype === "int64" || dtype === "uint64") return BigInt(i);
  if (dtype === "complex64" || dtype === "complex128") return [0, i];
  return wrap[dtype] ?? i;
}

/** Makes the message of a `gen` literal. */
function generated(args: Args, scope: CaseScope): TensorProto {
  const gen = args.args("gen", ["dtype", "length", "tail_length", "as_field"]);
  const dtype = toDType(gen.json("dtype"));
  const length = gen.size("length");
  const tensor = newTensor(scope, dtype, [length]);
  const flat = anyMap(tensor.flat());
  for (let i = 0; i < length; i++) flat.set(i, elementOf(dtype, i < length - gen.size("tail_length") ? i : 0));
  return gen.flag("as_field", false) ? tensor.asProtoField({ copy: true }) : tensor.asProtoTensorContent({ copy: true });
}

function messageOf(args: Args, scope: CaseScope): TensorProto {
  if (args.has("wire")) return tensorProtoCodec.decode(fromHex(args.text("wire")));
  if (args.has("proto")) return toTensorProto(args.json("proto"));
  if (args.has("gen")) return generated(args, scope);
  throw new RunnerError("none of wire, proto and gen");
}

/** Returns the number of elements in the typed field that is set. */
function numValues({ dtype = 0, dtype: _, tensorShape, tensorContent, unknownFields, versionNumber, ...fields }: TensorProto): number {
  const slots = dtype === DataType.DT_COMPLEX64 || dtype === DataType.DT_COMPLEX128 ? 2 : 1;
  const lengths = Object.values(fields).map((values: ArrayLike<unknown> | undefined) => values?.length ?? 0);
  return Math.max(0, ...lengths) / slots;
}

/** Decodes a tensor and returns its elements, encoded as a message with typed fields. Returns null if it cannot be decoded. */
function valuesOf(scope: CaseScope, bytes: Uint8Array): string | null {
  const tensor: Tensor | null = readProto(scope, () => tensorProtoCodec.decode(bytes));
  return tensor === null ? null : toHex(tensorProtoCodec.encode(tensor.asProtoField()));
}

function compress(args: Args, scope: CaseScope): State {
  const proto = messageOf(args, scope);
  const before = valuesOf(scope, tensorProtoCodec.encode(proto));
  const compressed = compressTensorProtoInPlace(proto, args.size("min_num_elements"), args.size("min_compression_ratio"));
  const after = tensorProtoCodec.encode(proto);
  const kept = valuesOf(scope, after) === before;
  if (!kept) throw new RunnerError("compressing changed the values");
  return {
    compressed: () => compressed,
    num_values: () => numValues(proto),
    content_bytes: () => proto.tensorContent?.byteLength ?? 0,
    after_wire: () => toHex(after),
    after_wire_sha256: () => sha256(after),
    keeps_values: () => kept,
  };
}

/** The operations by name. */
export const protoCompressOps: Operations = {
  "proto.compress": operation(["wire", "proto", "gen", "min_num_elements", "min_compression_ratio"], compress, "compressed"),
};
