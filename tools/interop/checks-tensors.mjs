// Tensors of every dtype through both readers, in both directions, bit for bit.
import { allDTypes, dataTypeOf, isObjectDType } from "@onebuffer/base";
import { compressTensorProtoInPlace, createTensorProto } from "@onebuffer/core";
import { tensorProtoCodec } from "@onebuffer/proto";
import { bytesOfProto, kForms, read, rewritten, tensorOf, variantsOf } from "./ours.mjs";
import { bytesOf, compressible, hexOf, kMask, kShapes, sample } from "./samples.mjs";

const kKernelWrites = new Set(
  "float32 float64 int32 uint8 int16 int8 string complex64 int64 bool bfloat16 uint16 complex128 float16 uint32 uint64".split(" "),
);

/** The dtypes that this TensorFlow knows and whose elements can be encoded as bits. */
export function encodableDTypes(hello, report) {
  return allDTypes.filter((dtype) => {
    if (dtype === "resource" || dtype === "variant") return false;
    const known = hello.dataTypes[dataTypeOf(dtype)] !== undefined;
    if (!known) report.note(`${dtype} is unknown to TensorFlow ${hello.tensorflow}`);
    return known;
  });
}

/** Quiets signaling NaNs: Python reads float_val and scomplex_val through a double, which does that; C++ keeps them. */
function quieted(encoded, dtype) {
  if (dtype !== "float32" && dtype !== "complex64") return encoded;
  const bytes = bytesOf(encoded.content);
  const words = new Uint32Array(bytes.buffer);
  for (let i = 0; i < words.length; i++) if ((words[i] & 0x7fffffff) > 0x7f800000) words[i] |= 0x00400000;
  return { ...encoded, content: hexOf(bytes) };
}

/**
 * Returns the numbers of an encoded tensor: 4- and 2-bit elements without the bits above them. The field form contains numbers;
 * TensorFlow stores a negative one with those bits set, as we do, and both ignore the bits when reading.
 */
function numbers(encoded, dtype) {
  if (dtype === "bool" || kMask[dtype] === undefined) return encoded;
  return { ...encoded, content: hexOf(bytesOf(encoded.content).map((byte) => byte & kMask[dtype])) };
}

/** The dtypes that some Python functions do not support although TensorFlow does. */
const kPythonLacks = new Set(["float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz"]);

/** Gives our bytes, in each form, to tf.io.parse_tensor, MakeNdarray and protobuf's own writer. */
export async function tensorFlowReadsOurs(dtype, tensorflow, report) {
  report.begin(`${dtype}: TensorFlow reads ours`);
  await Promise.all(
    kShapes.flatMap((dims) =>
      Object.entries(kForms).map(([form, write]) =>
        report.check(`${form} form of [${dims}]`, async () => {
          const encoded = sample(dtype, dims);
          const tensor = tensorOf(encoded);
          const hex = bytesOfProto(write(tensor));
          tensor.dispose();
          // A string in tensor_content is a list of lengths, which MakeNdarray cannot read: it expects the bytes of an array.
          const python = !kPythonLacks.has(dtype) && (dtype !== "string" || form === "field" || dims.includes(0));
          if (kPythonLacks.has(dtype)) report.note(`MakeNdarray does not know ${dtype}`);
          const [parsed, array, written] = await Promise.all([
            tensorflow.ask({ op: "parse_tensor", hex }),
            python ? tensorflow.ask({ op: "make_ndarray", hex }) : undefined,
            tensorflow.ask({ op: "reserialize", message: "TensorProto", hex }),
          ]);
          report.same(`${form} form of [${dims}], parse_tensor`, numbers(encoded, dtype), numbers(parsed, dtype));
          report.same(`${form} form of [${dims}], read by us`, read(hex), parsed);
          if (python) {
            const quiet = form === "field" ? (t) => quieted(t, dtype) : (t) => t;
            report.same(`${form} form of [${dims}], MakeNdarray`, quiet(numbers(encoded, dtype)), quiet(numbers(array, dtype)));
          }
          report.same(`${form} form of [${dims}], written again by protobuf`, hex, written.hex);
        }),
      ),
    ),
  );
}

/** Gives TensorFlow's bytes to our readers, and checks that our writers give the same bytes. */
export async function weReadTensorFlows(dtype, tensorflow, report) {
  report.begin(`${dtype}: we read TensorFlow's, and write the same bytes`);
  await Promise.all(
    kShapes.map((dims) =>
      report.check(`[${dims}]`, async () => {
        const encoded = sample(dtype, dims, 7);
        const theirs = await tensorflow.ask({ op: "write", ...encoded });
        report.same(`[${dims}], what TensorFlow holds`, encoded, theirs.encoded);
        if (theirs.content !== null) {
          report.same(`[${dims}], serialize_tensor read`, read(theirs.content), encoded);
          report.same(
            `[${dims}], serialize_tensor written`,
            rewritten(theirs.content, dtype === "string" ? "field" : "content"),
            theirs.content,
          );
        } else if (kKernelWrites.has(dtype)) report.fail(`[${dims}]`, "serialize_tensor has no kernel for the dtype any more");
        // A TensorList writes its items in the field form.
        report.same(
          `[${dims}], a TensorList's item read and written`,
          rewritten(theirs.list, "content", { unknownVariants: "bytes" }),
          theirs.list,
        );
        const [list] = variantsOf(theirs.list);
        const item = hexOf(tensorProtoCodec.encode(list.tensors[0]));
        report.same(`[${dims}], field form read`, numbers(read(item), dtype), numbers(encoded, dtype));
        await readAsTensorFlow(`[${dims}], field form`, item, tensorflow, report);
        report.same(`[${dims}], field form written`, rewritten(item, "field"), item);
        if (theirs.python === null) report.note(`make_tensor_proto refuses ${dtype}`);
        else await readAsTensorFlow(`[${dims}], make_tensor_proto`, theirs.python, tensorflow, report);
      }),
    ),
  );
  if (kPythonLacks.has(dtype)) return;
  await Promise.all(
    [[2, 3], [1], []].map((dims) =>
      report.check(`one value for [${dims}]`, async () => {
        const hex = await tensorflow.ask({ op: "python_splat", ...sample(dtype, [], 5), dims });
        await readAsTensorFlow(`one value for [${dims}]`, hex, tensorflow, report);
      }),
    ),
  );
}

async function readAsTensorFlow(what, hex, tensorflow, report) {
  report.same(what, read(hex), await tensorflow.ask({ op: "parse_tensor", hex }));
}

/** Checks that the result of compressTensorProtoInPlace means the same bits to TensorFlow and to us. */
export async function compressedMeansTheSame(dtype, tensorflow, report) {
  if (isObjectDType(dtype)) return;
  report.begin(`${dtype}: compressed protos mean the same to both`);
  await Promise.all(
    compressible(dtype).flatMap(([name, encoded]) =>
      Object.entries(kForms).map(([form, write]) =>
        report.check(`${name}, ${form} form`, async () => {
          const tensor = tensorOf(encoded);
          const proto = write(tensor);
          const before = tensorProtoCodec.byteLength(proto);
          const changed = compressTensorProtoInPlace(proto);
          const hex = bytesOfProto(proto);
          tensor.dispose();
          if (changed && hex.length / 2 >= before) report.fail(`${name}, ${form} form`, `grew from ${before} to ${hex.length / 2} bytes`);
          const parsed = await tensorflow.ask({ op: "parse_tensor", hex });
          report.same(`${name}, ${form} form, parse_tensor`, numbers(encoded, dtype), numbers(parsed, dtype));
          report.same(`${name}, ${form} form, read by us`, read(hex), parsed);
        }),
      ),
    ),
  );
}

/** Checks that TensorFlow reads the values of createTensorProto's messages. */
export async function createdProtosMeanTheirValues(tensorflow, report) {
  report.begin("createTensorProto");
  const cases = [
    ["float32", [1.5, -2.5], [2], { content: "0000c03f000020c0" }],
    ["int64", [1n, -1n], [2], { content: "0100000000000000ffffffffffffffff" }],
    ["uint16", [65535, 1], [1, 2], { content: "ffff0100" }],
    ["bool", [true, false], [2], { content: "0100" }],
    ["float16", [1, -2], [2], { content: "003c00c0" }],
    ["complex64", [[1, 2]], [1], { content: "0000803f00000040" }],
    ["string", [Uint8Array.of(0x61, 0xff), "ü"], [2], { strings: ["61ff", "c3bc"] }],
  ];
  await Promise.all(
    cases.map(([dtype, values, dims, expected]) =>
      report.check(dtype, async () => {
        const hex = bytesOfProto(createTensorProto(dtype, values, dims));
        report.same(dtype, { dtype: dataTypeOf(dtype), dims, ...expected }, await tensorflow.ask({ op: "parse_tensor", hex }));
      }),
    ),
  );
}
