// Compares TFRecord files, examples, object graphs and `checkpoint` files with TensorFlow, in both directions. Files go through a folder in
// the system's temporary folder.
import { Tensor } from "@onebuffer/core";
import {
  BundleReader,
  latestCheckpoint,
  MemoryFiles,
  ObjectGraph,
  parseExample,
  readCheckpointState,
  readTFRecords,
  Trackable,
  updateCheckpointState,
  writeCheckpoint,
  writeTFRecords,
} from "@onebuffer/io";
import { exampleCodec, fromTextFormat, toTextFormat, trackableObjectGraphCodec } from "@onebuffer/proto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sameMessage } from "./checks-messages.mjs";
import { kCodecs } from "./messages.mjs";
import { bytesOf, hexOf } from "./samples.mjs";

const kCompressions = ["", "GZIP", "ZLIB"];

/** Runs a check with a folder that exists as long. */
async function withFolder(act) {
  const folder = mkdtempSync(join(tmpdir(), "onebuffer-interop-"));
  try {
    await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const filesIn = (folder) => (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : undefined);

function save(folder, made) {
  for (const [name, bytes] of made.files) writeFileSync(join(folder, name), bytes);
}

/** Returns records of many lengths: none, one byte, across the writer's buffer, random and repetitive bytes. */
function recordsOf() {
  const lengths = [0, 1, 5, 255, 65_519, 65_520, 65_521, 300_000, 0, 12];
  return lengths.map((length, at) => Uint8Array.from({ length }, (_, i) => (at % 2 === 0 ? Math.imul(i + at, 0x9e3779b1) >>> 24 : at)));
}

/** Records that we write are read by tf.data.TFRecordDataset, and those of tf.io.TFRecordWriter by us. */
export async function recordsAgree(tensorflow, report) {
  for (const compression of kCompressions) {
    report.begin(`TFRecord files, compression ${JSON.stringify(compression)}`);
    await withFolder(async (folder) => {
      const records = recordsOf();
      await report.check("our file", async () => {
        const path = join(folder, "ours");
        const made = new MemoryFiles();
        await writeTFRecords(await made.create("ours"), records, { compression });
        await made.commit();
        save(folder, made);
        report.same("read by TensorFlow", records.map(hexOf), await tensorflow.ask({ op: "read_records", path, compression }));
      });
      await report.check("TensorFlow's file", async () => {
        const path = join(folder, "theirs");
        await tensorflow.ask({ op: "write_records", path, compression, records: records.map(hexOf) });
        const read = [];
        for await (const record of readTFRecords(readFileSync(path), { compression })) read.push(hexOf(record));
        report.same("read by us", read, records.map(hexOf));
        if (compression !== "") return;
        const made = new MemoryFiles();
        await writeTFRecords(await made.create("again"), records);
        await made.commit();
        report.same("the same bytes", hexOf(made.files.get("again")), hexOf(readFileSync(path)));
      });
    });
  }
}

/** tf.io.parse_example reads our examples; we read TensorFlow's. */
export async function examplesAgree(tensorflow, report) {
  report.begin("tf.train.Example: our bytes in tf.io.parse_example");
  const examples = [0, 1, 2].map((i) => {
    const feature = new Map([
      ["f", { floatList: { value: [i + 0.5, -i, 3e38] } }],
      ["i", { int64List: { value: [BigInt(i) - 2n ** 63n, 2n ** 53n + 1n] } }],
      ["s", { bytesList: { value: [Uint8Array.of(i, 255, 0), new Uint8Array(0)] } }],
      ["__proto__", { int64List: { value: [i] } }],
    ]);
    return { features: { feature } };
  });
  await report.check("examples", async () => {
    const parsed = await tensorflow.ask({ op: "parse_examples", examples: examples.map((each) => hexOf(exampleCodec.encode(each))) });
    report.same(
      "floats",
      parsed.f,
      [0, 1, 2].map((i) => [i + 0.5, -i || 0, Math.fround(3e38)]),
    );
    report.same(
      "integers",
      parsed.i,
      [0, 1, 2].map((i) => [String(BigInt(i) - 2n ** 63n), String(2n ** 53n + 1n)]),
    );
    report.same(
      "bytes",
      parsed.s,
      [0, 1, 2].map((i) => [`${hexOf(Uint8Array.of(i))}ff00`, ""]),
    );
    report.same("the key __proto__", parsed.proto, [[0], [1], [2]]);
  });
}

const kFeatures = {
  nothing: undefined,
  "no list": {},
  "no floats": { floatList: {} },
  "one float": { floatList: { value: [1.5] } },
  "two floats": { floatList: { value: [1.5, -2] } },
  "three floats": { floatList: { value: [1, 2, 3] } },
  "two integers": { int64List: { value: [-1, 2n ** 62n] } },
  "two strings": { bytesList: { value: [Uint8Array.of(0xff), new Uint8Array(0)] } },
};

/** parseExample and tf.io.parse_example accept and refuse the same features, with the same values. */
export async function parsedExamplesAgree(tensorflow, report) {
  report.begin("parseExample as tf.io.parse_example");
  for (const [what, feature] of Object.entries(kFeatures)) {
    const map = new Map(feature === undefined ? [] : [["x", feature]]);
    const record = exampleCodec.encode({ features: { feature: map } });
    for (const dtype of ["float32", "int64", "string"]) {
      for (const shape of [[], [2], [1, 2], [0]]) {
        for (const withDefault of [false, true]) {
          const name = `${what} as ${dtype} [${shape}]${withDefault ? " with a default" : ""}`;
          await report.check(name, async () => {
            const count = shape.reduce((product, size) => product * size, 1);
            const element = { float32: 7, int64: 7n, string: "d" }[dtype];
            const values = new Array(count).fill(element);
            const defaultValue = shape.length === 0 ? element : shape.length === 2 ? [values] : values;
            let mine = null;
            try {
              const tensors = parseExample([record, record], { x: { shape, dtype, ...(withDefault ? { defaultValue } : {}) } });
              const list = Array.from(tensors.get("x").flat(), (each) => (dtype === "string" ? hexOf(each) : String(each)));
              mine = { shape: tensors.get("x").shape.dimSizes, values: list };
              tensors.dispose();
            } catch (error) {
              if (error.code !== "INVALID_ARGUMENT") throw error;
            }
            // TensorFlow takes a default without elements for none.
            if (withDefault && count === 0) return report.note("a default without elements");
            const theirs = await tensorflow.tryAsk({ op: "parse_feature", hex: hexOf(record), dtype, shape, with_default: withDefault });
            report.same(name, mine, theirs.ok ?? null);
          });
        }
      }
    }
  }
}

/** The text format: we print what Python prints, and each parses the other's. */
export async function textsAgree(tensorflow, hello, report) {
  for (const [message, codec] of kCodecs) {
    if (!hello.messages.includes(message)) continue;
    report.begin(`${message}: the text format`);
    const theirs = await tensorflow.ask({ op: "random_texts", message, seed: 2, count: 20 });
    await Promise.all(
      theirs.map(({ hex, text }, i) =>
        report.check(`${message} ${i}`, async () => {
          const mine = codec.decode(bytesOf(hex));
          report.same(`${message} ${i}, printed`, toTextFormat(codec, mine), text);
          const parsed = hexOf(codec.encode(fromTextFormat(codec, text)));
          await sameMessage(tensorflow, report, message, `${message} ${i}, parsed`, parsed, hex);
        }),
      ),
    );
  }
}

/** tf.train.Checkpoint restores objects that we write; we read those that it saves, and its `checkpoint` file. */
export async function objectGraphsAgree(tensorflow, report) {
  report.begin("object graphs: tf.train.Checkpoint restores ours");
  await withFolder(async (folder) => {
    await report.check("our checkpoint", async () => {
      const tensors = [[[1, 2, 3]], [0.5], 7n, "größer", [[4, 5, 6]], [1.5], 8n].map((value) => Tensor.from(value));
      const [w, b, step, text, momentum, other, count] = tensors;
      const variable = new Trackable(w);
      const optimizer = new Trackable().setSlot("momentum", variable, momentum);
      const dict = new Map([
        ["k/ey", other],
        [".x", count],
      ]);
      const made = new MemoryFiles();
      await writeCheckpoint(
        made,
        "ckpt-5",
        { model: { w: variable, layers: [b, step], dict }, again: variable, text, optimizer },
        { saveCounter: 5 },
      );
      const state = new MemoryFiles();
      await updateCheckpointState(state, "ckpt-5");
      save(folder, made);
      save(folder, state);
      const restored = await tensorflow.ask({ op: "restore_objects", folder });
      for (const tensor of tensors) tensor.dispose();
      report.same("values", restored, {
        latest: join(folder, "ckpt-5"),
        w: [[1, 2, 3]],
        again: true,
        layers: [[0.5], 7],
        dict: { "k/ey": [1.5], ".x": 8 },
        text: "größer",
        momentum: [[4, 5, 6]],
        counter: 5,
      });
    });
  });
  report.begin("object graphs: we read those of tf.train.CheckpointManager");
  await withFolder(async (folder) => {
    await report.check("TensorFlow's checkpoint", async () => {
      const { proto, files } = await tensorflow.ask({ op: "save_objects", folder });
      const latest = await latestCheckpoint(filesIn(folder));
      report.same("the latest", latest, "ckpt-3");
      const state = await readCheckpointState(filesIn(folder));
      report.same("the list", state.allModelCheckpointPaths, files);
      const reader = await BundleReader.open(filesIn(folder), latest);
      const graph = await ObjectGraph.read(reader);
      const valueOf = async (key) => {
        const tensor = await reader.lookup(key);
        const value = tensor.toArray();
        tensor.dispose();
        return value;
      };
      const valueAt = (path) => valueOf(graph.checkpointKey(path));
      report.same("a variable", await valueAt("model/w"), [[1, 2, 3]]);
      report.same("of a list", await valueAt("model/layers/0"), [0.5]);
      report.same("of a dict", await valueAt(["model", "dict", "k/ey"]), [2.5]);
      const [slot] = graph.find("optimizer").slotVariables;
      const momentum = await valueOf(slot.slotVariable.checkpointKey);
      report.same("a slot", [slot.slotName, slot.variable === graph.find("model/w"), momentum], ["momentum", true, [[0, 0, 0]]]);
      const keys = new Set(graph.nodes.flatMap(({ attributes }) => attributes.map(({ checkpointKey }) => checkpointKey)));
      report.same("all keys", [...keys].sort(), reader.keys.slice(1));
      report.same("the graph's bytes", hexOf(trackableObjectGraphCodec.encode(trackableObjectGraphCodec.decode(bytesOf(proto)))), proto);
    });
  });
}
