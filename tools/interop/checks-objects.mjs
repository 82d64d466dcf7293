// Variants and resource handles: values made by TensorFlow's kernels, read by our readers and given back to the kernels.
import { DataType, dataTypeOf, isStatusError } from "@onebuffer/base";
import { Tensor, Variant } from "@onebuffer/core";
import { tensorProtoCodec } from "@onebuffer/proto";
import { bytesOfProto, kForms, read, rewritten, tensorOf, encoded, variantsOf } from "./ours.mjs";
import { bytesOf, hexOf, sample } from "./samples.mjs";

/** Returns the status code with which a reader refuses, or nothing. */
function refusal(act) {
  try {
    act();
    return "accepted";
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return String(error).split(":")[0];
  }
}

/**
 * TensorFlow's variants: refused if their type is not registered, kept unchanged if the option asks for that, and read again by
 * TensorFlow.
 */
export async function variantsOfKernels(tensorflow, report) {
  report.begin("variants that TensorFlow's kernels make");
  const theirs = await tensorflow.ask({ op: "variants" });
  for (const [name, hex] of Object.entries(theirs)) {
    if (typeof hex !== "string") {
      report.note(`TensorFlow does not serialize ${name}: ${hex.error.slice(0, 80)}`);
      continue;
    }
    await report.check(name, async () => {
      const empty = name === "empty variants";
      report.same(
        `${name}, unregistered`,
        refusal(() => read(hex)),
        empty ? "accepted" : "INVALID_ARGUMENT",
      );
      report.same(`${name}, kept as bytes`, rewritten(hex, "content", { unknownVariants: "bytes" }), hex);
      const field = rewritten(hex, "field", { unknownVariants: "bytes" });
      const expected = { dtype: DataType.DT_VARIANT, ...dimsAndContent(hex) };
      report.same(`${name}, TensorFlow reads our field form`, expected, await tensorflow.ask({ op: "parse_tensor", hex: field }));
      report.same(`${name}, field form and back`, rewritten(field, "content", { unknownVariants: "bytes" }), hex);
    });
  }
}

function dimsAndContent(hex) {
  const { tensorShape, tensorContent } = tensorProtoCodec.decode(bytesOf(hex));
  return { dims: (tensorShape?.dim ?? []).map(({ size = 0 }) => Number(size)), content: hexOf(tensorContent ?? new Uint8Array(0)) };
}

/** A TensorList that we write item by item, and whose items a TensorFlow kernel reads. */
export async function listsOfOurs(tensorflow, report) {
  report.begin("a TensorList of ours, read by TensorFlow's kernels");
  for (const dtype of ["float32", "int64", "string", "bool", "bfloat16", "complex128"]) {
    await report.check(dtype, async () => {
      const items = [sample(dtype, [2, 3], 3), sample(dtype, [2, 3], 4)];
      const tensors = items.map(tensorOf);
      // Metadata: no invalid indices, the element's DataType, no limit (-1), then the shape of the elements: unknown.
      const metadata = Uint8Array.of(0, dataTypeOf(dtype), ...Array(9).fill(255), 1, 0x18, 1);
      const proto = {
        dtype: DataType.DT_VARIANT,
        tensorShape: {},
        variantVal: [{ typeName: "tensorflow::TensorList", metadata, tensors: tensors.map(kForms.content) }],
      };
      const hex = bytesOfProto(proto);
      for (const tensor of tensors) tensor.dispose();
      report.same(`${dtype}, as messages`, items, await tensorflow.ask({ op: "list_items", hex, dtype: dataTypeOf(dtype) }));
      const content = rewritten(hex, "content", { unknownVariants: "bytes" });
      report.same(`${dtype}, as content`, items, await tensorflow.ask({ op: "list_items", hex: content, dtype: dataTypeOf(dtype) }));
      report.same(`${dtype}, the list's type`, variantsOf(content)[0].typeName, "tensorflow::TensorList");
    });
  }
}

/** Variants of the five types that both sides know, made by us. */
export async function variantsOfOurs(tensorflow, report) {
  report.begin("variants of ours");
  const inner = Tensor.from([1.5, -2.5]);
  const tensor = new Tensor("variant", [6]);
  const flat = tensor.flat();
  [new Variant(42, "int"), new Variant(1.5, "float"), new Variant(-2.5, "double"), new Variant(true), new Variant(inner)].forEach(
    (v, i) => {
      flat.set(i, v);
      v.dispose();
    },
  );
  for (const [form, write] of Object.entries(kForms)) {
    await report.check(`${form} form`, async () => {
      const hex = bytesOfProto(write(tensor));
      report.same(`${form} form, parse_tensor`, encoded(tensor), await tensorflow.ask({ op: "parse_tensor", hex }));
      report.same(`${form} form, read by us`, read(hex), encoded(tensor));
    });
  }
  await report.check("a type nobody registered", async () => {
    const proto = { dtype: DataType.DT_VARIANT, tensorShape: {}, variantVal: [{ typeName: "no such type" }] };
    const hex = bytesOfProto(proto);
    const answer = await tensorflow.tryAsk({ op: "parse_tensor", hex });
    report.same("a type nobody registered", [refusal(() => read(hex)), answer.ok === undefined], ["INVALID_ARGUMENT", true]);
  });
  tensor.dispose();
  inner.dispose();
}

/** Handles of live variables: read, written to the same bytes, and used to read the variables. */
export async function handlesOfVariables(tensorflow, report) {
  report.begin("resource handles of live variables");
  const theirs = await tensorflow.ask({ op: "variables" });
  const a = { dtype: DataType.DT_FLOAT, dims: [2], content: "0000a03f000020c0" };
  const b = { dtype: DataType.DT_INT32, dims: [], content: "2a000000" };
  for (const [name, values] of Object.entries({ a: [a], b: [b], both: [a, b] })) {
    await report.check(name, async () => {
      const hex = theirs[name];
      report.same(`${name}, written again`, rewritten(hex, "content"), hex);
      const dtypes = values.map(({ dtype }) => dtype);
      for (const form of Object.keys(kForms)) {
        const ours = rewritten(hex, form);
        report.same(`${name}, ${form} form, the variables read`, values, await tensorflow.ask({ op: "read_variables", hex: ours, dtypes }));
        report.same(`${name}, ${form} form, read by us`, rewritten(ours, "content"), hex);
      }
      const handle = Tensor.fromProto(tensorProtoCodec.decode(bytesOf(hex)));
      const { container, name: variable, dtypesAndShapes } = handle.flat().at(0);
      report.same(`${name}, its words`, [container, /^Variable\/\d+$/.test(variable), dtypesAndShapes.length], ["Anonymous", true, 1]);
      report.same(
        `${name}, its dtype and shape`,
        [dtypesAndShapes[0].dtype, dtypesAndShapes[0].shape.debugString()],
        [dtypes[0], `[${values[0].dims}]`],
      );
      handle.dispose();
    });
  }
}
