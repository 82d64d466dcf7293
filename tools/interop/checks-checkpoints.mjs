// Checkpoints in both directions: the files that TensorFlow's kernels and our writer make of the same tensors are identical, and each
// side reads those of the other.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataTypeOf } from "@onebuffer/base";
import { BundleReader, BundleWriter, CheckpointReader, mergeBundles } from "@onebuffer/io";
import { directoryFiles, directorySinks } from "@onebuffer/io/node";
import { TensorSlice } from "@onebuffer/slice";
import { encoded, tensorOf } from "./ours.mjs";
import { kShapes, sample } from "./samples.mjs";

const hexOfText = (text) => Buffer.from(text).toString("hex");

/** The dtypes whose slices TensorFlow 2.21 can put together, and those that version 1 can store. */
const kJoined = ["float32", "float64", "int8", "uint8", "int16", "int32", "int64", "complex64", "complex128", "bool", "bfloat16"];
const kVersion1 = ["float32", "float64", "int32", "uint8", "int16", "int8", "int64", "complex64", "bool", "string", "float16"];

/** Writes encoded tensors, with slices as text such as "4 3 0,2:-", as our checkpoint `prefix` of a folder. */
async function writeOurs(folder, prefix, tensors, options = {}) {
  const writer = new BundleWriter(directorySinks(folder), prefix, options);
  for (const { key, slice, ...content } of tensors) {
    const tensor = tensorOf(content);
    try {
      const bytes = new Uint8Array(Buffer.from(key, "hex"));
      if (slice === "") await writer.add(bytes, tensor);
      else {
        const words = slice.split(" ");
        await writer.addSlice(bytes, words.slice(0, -1).map(Number), TensorSlice.parse(words.at(-1)), tensor);
      }
    } finally {
      tensor.dispose();
    }
  }
  await writer.finish();
}

/** Passes if two folders have the same files. */
function sameFiles(report, what, ours, theirs) {
  report.same(`${what}: names`, readdirSync(ours).sort(), readdirSync(theirs).sort());
  for (const name of readdirSync(theirs)) {
    const mine = readFileSync(join(ours, name)).toString("hex");
    report.same(`${what}: ${name}`, mine, readFileSync(join(theirs, name)).toString("hex"));
  }
}

/** Returns our reading of tensors of a folder's checkpoint. */
async function readOurs(folder, prefix, tensors) {
  const reader = await BundleReader.open(directoryFiles(folder), prefix);
  const found = [];
  for (const { key, slice } of tensors) {
    const bytes = new Uint8Array(Buffer.from(key, "hex"));
    const region = slice === "" ? undefined : TensorSlice.parse(slice.split(" ").at(-1));
    const tensor = region === undefined ? await reader.lookup(bytes) : await reader.lookupSlice(bytes, region);
    found.push(encoded(tensor));
    tensor.dispose();
  }
  return found;
}

const withoutKeys = (tensors) => tensors.map(({ key: _, slice: __, ...content }) => content);

export async function checkpointsAgree(dtypes, tensorflow, report) {
  report.begin("checkpoints, in both directions");
  const root = mkdtempSync(join(tmpdir(), "onebuffer-interop-"));
  const folder = (name) => {
    mkdirSync(join(root, name));
    return join(root, name);
  };
  const cases = new Map();
  const storable = dtypes.filter((dtype) => dtype !== "resource" && dtype !== "variant");
  for (const dtype of storable)
    cases.set(
      dtype,
      kShapes.map((dims, i) => ({ key: hexOfText(`${dtype}/${(i * 7) % 10}`), slice: "", ...sample(dtype, dims) })),
    );
  // Out of order, with bytes that are not UTF-8, and enough entries for two blocks of the index.
  const long = "a/very/long/scope/".repeat(10);
  cases.set("many keys", [
    ...Array.from({ length: 2000 }, (_, i) => ({ key: hexOfText(`${long}${(i * 7919) % 2000}`), slice: "", ...sample("int16", [i % 3]) })),
    { key: "6eff00ff0078", slice: "", ...sample("string", [2, 2]) },
    { key: "ffff", slice: "", ...sample("float32", []) },
  ]);
  for (const dtype of storable) cases.set(`slices of ${dtype}`, slicesOf(dtype));
  try {
    for (const [name, tensors] of cases) {
      await report.check(name, async () => {
        const ours = folder(`ours ${name}`);
        const theirs = folder(`theirs ${name}`);
        await writeOurs(ours, "m", tensors);
        await tensorflow.ask({ op: "save_checkpoint", prefix: join(theirs, "m"), tensors });
        sameFiles(report, name, ours, theirs);
        report.same(`${name}: read by us`, await readOurs(theirs, "m", tensors), withoutKeys(tensors));
        if (name.startsWith("slices") && !kJoined.includes(name.slice(10))) return;
        report.same(`${name}: read by TensorFlow`, await restored(tensorflow, ours, tensors), withoutKeys(tensors));
      });
    }
    await report.check("alignment", async () => {
      const tensors = [..."cab"].map((key, i) => ({ key: hexOfText(key), slice: "", ...sample(["bool", "int64", "string"][i], [3]) }));
      const ours = folder("alignment");
      await writeOurs(ours, "m", tensors, { alignment: 64 });
      report.same("alignment: read by TensorFlow", await restored(tensorflow, ours, tensors), withoutKeys(tensors));
    });
    await merged(folder, tensorflow, report);
    await variants(folder, tensorflow, report);
    for (const dtype of kVersion1) await version1(dtype, folder, tensorflow, report);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** A tensor in four slices, out of order, one in two, and a slice that is everything. */
function slicesOf(dtype) {
  const part = (name, shape, slice, dims) => ({ key: hexOfText(name), slice: `${shape} ${slice}`, ...sample(dtype, dims, slice.length) });
  return [
    part("grid", "7 5", "3,4:0,2", [4, 2]),
    part("grid", "7 5", "0,3:2,3", [3, 3]),
    part("rows", "4 3 2", "0,1:-:-", [1, 3, 2]),
    part("grid", "7 5", "3,4:2,3", [4, 3]),
    part("grid", "7 5", "0,3:0,2", [3, 2]),
    part("rows", "4 3 2", "1,3:-:-", [3, 3, 2]),
    part("all", "2 3", "0,2:0,3", [2, 3]),
  ];
}

async function restored(tensorflow, folder, tensors) {
  return tensorflow.ask({
    op: "restore_checkpoint",
    prefix: join(folder, "m"),
    tensors: tensors.map(({ key, slice, dtype }) => ({ key, slice, dtype })),
  });
}

/** Three shards with slices of one tensor, merged by both; TensorFlow's merge moves the files of its parts. */
async function merged(folder, tensorflow, report) {
  await report.check("merged", async () => {
    const rows = (start, count) => ({ key: hexOfText("w"), slice: `9 4 ${start},${count}:-`, ...sample("float32", [count, 4], start + 1) });
    const one = (name) => ({ key: hexOfText(name), slice: "", ...sample("string", [3], name.length) });
    const parts = [[rows(4, 3), one("b")], [one("aa"), rows(0, 4)], [rows(7, 2)]];
    const ours = folder("ours parts");
    const theirs = folder("theirs merged");
    const target = folder("ours merged");
    const prefixes = parts.map((_, i) => `part-${i}`);
    for (const [i, tensors] of parts.entries()) {
      await writeOurs(ours, `part-${i}`, tensors);
      await tensorflow.ask({ op: "save_checkpoint", prefix: join(theirs, `part-${i}`), tensors });
    }
    await mergeBundles(directoryFiles(ours), prefixes, directorySinks(target), "m");
    await tensorflow.ask({ op: "merge_checkpoints", prefixes: prefixes.map((each) => join(theirs, each)), prefix: join(theirs, "m") });
    sameFiles(report, "merged", target, theirs);
    report.same("merged: read by TensorFlow", await restored(tensorflow, target, parts.flat()), withoutKeys(parts.flat()));
    report.same("merged: read by us", await readOurs(theirs, "m", parts.flat()), withoutKeys(parts.flat()));
  });
}

/** TensorFlow's variants, whose messages are read and written back. */
async function variants(folder, tensorflow, report) {
  await report.check("variants", async () => {
    const theirs = folder("theirs variants");
    const ours = folder("ours variants");
    await tensorflow.ask({ op: "save_checkpoint", prefix: join(theirs, "m"), tensors: [], variants: true });
    const reader = await BundleReader.open(directoryFiles(theirs), "m");
    const writer = new BundleWriter(directorySinks(ours), "m");
    for (const key of reader.keys) {
      const tensor = await reader.lookup(key);
      await writer.addVariants(key, tensor);
      tensor.dispose();
    }
    await writer.finish();
    sameFiles(report, "variants", ours, theirs);
  });
}

/** A checkpoint of version 1, which we only read. */
async function version1(dtype, folder, tensorflow, report) {
  await report.check(`version 1: ${dtype}`, async () => {
    const theirs = folder(`version 1 ${dtype}`);
    const whole = [[3, 2], [257], []].map((dims, i) => ({ key: hexOfText(`w${i}`), slice: "", ...sample(dtype, dims) }));
    const parts = slicesOf(dtype).filter(({ slice }) => slice.startsWith("4 3 2"));
    const answer = await tensorflow.tryAsk({ op: "save_version_1", path: join(theirs, "m"), tensors: [...whole, ...parts] });
    if (answer.ok === undefined && answer.error !== undefined) {
      report.note(`TensorFlow does not write ${dtype} in version 1: ${answer.error.slice(0, 80)}`);
      return;
    }
    const reader = await CheckpointReader.open(directoryFiles(theirs), "m");
    report.same("version", reader.version, 1);
    for (const { key, slice: _, ...content } of whole) {
      const tensor = await reader.getTensor(Buffer.from(key, "hex").toString());
      report.same(`version 1: ${dtype}`, encoded(tensor), content);
      tensor.dispose();
    }
    const joined = await reader.getTensor("rows");
    const all = parts.map(({ content, strings }) => content ?? strings.join());
    const { content, strings } = encoded(joined);
    report.same(`version 1: slices of ${dtype}`, content ?? strings.join(), all.join(content === undefined ? "," : ""));
    report.same(`version 1: dtype of ${dtype}`, reader.variableToDataTypeMap.get("rows"), dtype);
    report.same(`version 1: number of ${dtype}`, dataTypeOf(joined.dtype), parts[0].dtype);
    joined.dispose();
  });
}
