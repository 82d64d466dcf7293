// Files of arrays in both directions: NumPy and safetensors read ours, and write the same arrays again; their bytes are ours, and we read
// them back to the same tensors.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Tensor } from "@onebuffer/core";
import { readNpy, readNpz, readSafetensors, SafetensorsFile, writeNpy, writeNpz, writeSafetensors } from "@onebuffer/io";

const script = fileURLToPath(new URL("files_side.py", import.meta.url));
const kNumPy = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split(" ");
/** Types of safetensors by their dtype. */
const kSafetensors = {
  bool: "BOOL",
  float4_e2m1fn: "F4",
  uint8: "U8",
  int8: "I8",
  float8_e5m2: "F8_E5M2",
  float8_e4m3fn: "F8_E4M3",
  float8_e4m3fnuz: "F8_E4M3FNUZ",
  float8_e5m2fnuz: "F8_E5M2FNUZ",
  int16: "I16",
  uint16: "U16",
  float16: "F16",
  bfloat16: "BF16",
  int32: "I32",
  uint32: "U32",
  float32: "F32",
  complex64: "C64",
  float64: "F64",
  int64: "I64",
  uint64: "U64",
};
const kShapes = [[], [1], [7], [0], [3, 4], [2, 0, 3], [2, 3, 4], [1, 1, 1, 1, 5]];
const kNames = ["a", "w/kernel", "ünï", "𝄞", "\uff5e", "__proto__", "with space", '"quoted"\\', "arr_0", "x".repeat(300)];

/** A tensor of bytes that depend on `seed`; 0 and 1 for bool, four bits for float4. */
function sampleTensor(dtype, shape, seed) {
  const tensor = Tensor.zeros(shape, { dtype });
  const mask = dtype === "bool" ? 1 : dtype === "float4_e2m1fn" ? 15 : 255;
  if (tensor.numElements > 0) tensor.tensorData.forEach((_, i, all) => (all[i] = (i * 37 + seed * 11 + 5) & mask));
  return tensor;
}

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const hashOf = (tensor) => sha256(tensor.numElements === 0 ? new Uint8Array(0) : tensor.tensorData);

/** Returns the elements as an F4 file has them. */
function packed(bytes) {
  return Uint8Array.from({ length: bytes.length / 2 }, (_, i) => bytes[2 * i] | (bytes[2 * i + 1] << 4));
}

/** Installs safetensors beside TensorFlow, once. Returns why that is not possible, or undefined. */
function installSafetensors(python) {
  if (spawnSync(python, ["-c", "import safetensors"]).status === 0) return undefined;
  const pip = [
    "-m",
    "pip",
    "--disable-pip-version-check",
    "--no-input",
    "install",
    "--quiet",
    "--only-binary",
    ":all:",
    "safetensors>=0.8,<0.9",
  ];
  const done = spawnSync(python, pip, { encoding: "utf8", timeout: 120_000 });
  return done.status === 0 ? undefined : (done.stderr ?? "").trim().split("\n").at(-1);
}

/** Makes the files, as `[name, bytes, tensors by name, metadata]`. */
async function ourFiles() {
  const files = [];
  for (const dtype of kNumPy) {
    for (const [i, shape] of kShapes.entries()) {
      const tensor = sampleTensor(dtype, shape, i);
      files.push([`${dtype}-${i}.npy`, writeNpy(tensor), new Map([["", tensor]])]);
    }
  }
  const many = () => new Map(kNames.map((name, i) => [name, sampleTensor(kNumPy[i % kNumPy.length], kShapes[i % kShapes.length], i)]));
  for (const [name, tensors] of [
    ["many", many()],
    ["empty", new Map()],
    ["types", new Map(kNumPy.map((dtype, i) => [dtype, sampleTensor(dtype, kShapes[i % 8], i)]))],
  ]) {
    files.push([`${name}.npz`, await writeNpz(tensors), tensors]);
    files.push([`${name}-compressed.npz`, await writeNpz(tensors, { compressed: true }), tensors]);
  }
  const types = Object.keys(kSafetensors);
  for (const [i, shape] of kShapes.entries()) {
    const tensors = new Map(
      types.map((dtype) => [`${dtype} ${i}`, sampleTensor(dtype, dtype.startsWith("float4") ? [...shape, 2] : shape, i)]),
    );
    files.push([`types-${i}.safetensors`, writeSafetensors(tensors), tensors]);
  }
  const named = new Map(kNames.map((name, i) => [name, sampleTensor(types[i % types.length] ?? "bool", [2, 2], i)]));
  files.push(["names.safetensors", writeSafetensors(named), named]);
  // The library writes the keys of metadata in an order that changes from run to run, so one key is compared.
  const metadata = { '"k"\n\u0001': "v/é𝄞\u2028\u007f" };
  files.push(["metadata.safetensors", writeSafetensors(named, { metadata }), named, metadata]);
  files.push(["empty.safetensors", writeSafetensors({}), new Map()]);
  return files;
}

/** The rows that the Python side prints for tensors. */
function rowsOf(name, tensors) {
  return [...tensors].map(([key, tensor]) => {
    const isSafetensors = name.endsWith(".safetensors");
    const stored = tensor.dtype === "float4_e2m1fn" ? sha256(packed(tensor.tensorData)) : hashOf(tensor);
    return [key, isSafetensors ? kSafetensors[tensor.dtype] : tensor.dtype, tensor.shape.dimSizes, stored];
  });
}

const sorted = (rows) => [...rows].sort(([a], [b]) => (a < b ? -1 : 1));

/** Reads a file of theirs to tensors by name. */
async function read(name, bytes) {
  if (name.endsWith(".npy")) return new Map([["", readNpy(bytes)]]);
  return name.endsWith(".npz") ? await readNpz(bytes) : readSafetensors(bytes);
}

export async function filesAgree(python, report) {
  const missing = installSafetensors(python);
  const folder = mkdtempSync(join(tmpdir(), "onebuffer-files-"));
  try {
    const ours = await ourFiles();
    mkdirSync(join(folder, "ours"));
    for (const [name, bytes] of ours) writeFileSync(join(folder, "ours", name), bytes);
    const done = spawnSync(python, [script, folder], { encoding: "utf8", maxBuffer: 1 << 28 });
    if (done.status !== 0) throw new Error(`files_side.py: ${done.stderr.slice(-400)}`);
    const { files } = JSON.parse(done.stdout);
    for (const kind of [".npy", ".npz", ".safetensors"]) {
      report.begin(`${kind} files`);
      if (kind === ".safetensors" && missing !== undefined) {
        report.note(`safetensors cannot be installed: ${missing}`);
        continue;
      }
      for (const [name, bytes, tensors, metadata = {}] of ours.filter(([each]) => each.endsWith(kind))) {
        await report.check(name, async () => {
          report.same(`${name}, read by the reference`, sorted(rowsOf(name, tensors)), sorted(files[name].arrays ?? [[files[name].error]]));
          if (kind === ".safetensors") report.same(`${name}, its metadata`, metadata, files[name].metadata);
          const theirs = new Uint8Array(readFileSync(join(folder, "theirs", name)));
          if (!name.includes("-compressed")) report.same(`${name}, the bytes that the reference writes`, sha256(bytes), sha256(theirs));
          const again = await read(name, theirs);
          report.same(`${name}, written by the reference`, sorted(rowsOf(name, tensors)), sorted(rowsOf(name, again)));
          if (kind === ".safetensors")
            report.same(`${name}, metadata of theirs`, metadata, Object.fromEntries(SafetensorsFile.fromBytes(theirs).metadata));
          for (const tensor of again.values()) tensor.dispose();
        });
      }
    }
    for (const tensor of new Set(ours.flatMap(([, , tensors]) => [...tensors.values()]))) tensor.dispose();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
