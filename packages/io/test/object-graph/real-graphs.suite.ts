// Tests the object graphs, `checkpoint` files and SavedModels that TensorFlow wrote.
import { describe, expect, test } from "@jest/globals";
import { BundleReader, latestCheckpoint, ObjectGraph, openSavedModel, readCheckpointState } from "@onebuffer/io";
import type { FileSetInput, SourceInput } from "@onebuffer/io";
import { checkpointStateCodec, toTextFormat, trackableObjectGraphCodec } from "@onebuffer/proto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { folder, isUsual, load, present, required, testEach, testUsual } from "@onebuffer/test-support/real-files";

const kKey = "_CHECKPOINTABLE_OBJECT_GRAPH";

const paths = present ? (readdirSync(folder, { recursive: true }) as string[]).map((path) => path.replaceAll("\\", "/")).sort() : [];
const indexes = paths.filter((path) => path.endsWith(".index") && !path.startsWith("verdicts/"));
const states = paths.filter((path) => basename(path) === "checkpoint" && !isFolder(path)).map((path) => [path, null] as const);
const models = paths.filter((path) => basename(path) === "saved_model.pb").map((path) => [dirname(path), null] as const);

function isFolder(path: string): boolean {
  return paths.some((each) => each.startsWith(`${path}/`));
}

/** The files of a folder, read when they are opened. */
const filesOf =
  (path: string): FileSetInput =>
  (name: string): SourceInput | undefined => {
    return existsSync(join(folder, path, name)) ? load(join(path, name)) : undefined;
  };

/** Files that Google's own build wrote: some fields of a message are in descending order. */
const kOtherOrder: readonly string[] = [
  "tensorflow+serving/saved_model_half_plus_two_tf2_cpu/00000123/variables/variables.index",
  "thenexthub+Machina/python/checkpoint/testdata/table_legacy_saveable_object.index",
];
/** A table: its attribute is the front part of the keys of two tensors. */
const kTable = "thenexthub+Machina/python/checkpoint/testdata/table_legacy_saveable_object.index";

test("the files are there, or may be missing", () => {
  expect(present || !required).toBe(true);
});

(present ? describe : describe.skip)("real object graphs", () => {
  test("some checkpoints have object graphs, and all say where their tensors belong", async () => {
    const found: string[] = [];
    for (const path of indexes) {
      const reader = await BundleReader.open(filesOf(dirname(path)), basename(path, ".index"));
      if (!reader.contains(kKey)) continue;
      found.push(path);
      const graph = await ObjectGraph.read(reader);
      using tensor = await reader.lookup(kKey, { dtype: "string" });
      const bytes = new Uint8Array(tensor.flat().at(0));
      const again = trackableObjectGraphCodec.encode(trackableObjectGraphCodec.decode(bytes));
      expect([path, Buffer.compare(again, bytes) === 0, again.length]).toEqual([path, !kOtherOrder.includes(path), bytes.length]);
      const keys = new Set(graph.nodes.flatMap(({ attributes }) => attributes.map(({ checkpointKey }) => checkpointKey)));
      if (path === kTable) {
        expect([...graph.variables()]).toEqual([["lookup_table", "lookup_table/.ATTRIBUTES/table"]]);
        expect(reader.keys.slice(1)).toEqual(["lookup_table/.ATTRIBUTES/table-keys", "lookup_table/.ATTRIBUTES/table-values"]);
      } else expect([path, ...reader.keys.slice(1)]).toEqual([path, ...[...keys].sort()]);
      for (const [name, node] of graph.paths()) expect(graph.find(name)).toBe(node);
    }
    if (isUsual) expect(found.length).toBeGreaterThanOrEqual(9);
  });

  testUsual("tf-2.21.0-generated/objgraph: a list and a dict", async () => {
    const reader = await BundleReader.open(filesOf("tf-2.21.0-generated/objgraph"), "ckpt-3");
    const graph = await ObjectGraph.read(reader);
    expect([...graph.variables()].map(([path]) => path)).toEqual([
      "epoch",
      "save_counter",
      "model/w",
      "model/b",
      "model/step",
      "model/layers/0",
      "model/layers/1",
      "model/d/k.Sey",
    ]);
    expect(graph.find(["model", "d", "k/ey"]).attributes.length).toBe(1);
    using counter = await reader.lookup(graph.checkpointKey("save_counter"));
    expect(counter.item()).toBe(3n);
  });

  testUsual("OptimizerSlotVariableModule: slots of a variable", async () => {
    const reader = await openSavedModel(filesOf("thenexthub+Machina/cc/saved_model/testdata/OptimizerSlotVariableModule"));
    const graph = await ObjectGraph.read(reader);
    const slots = graph.find("opt").slotVariables;
    expect(
      slots.map(({ slotName, variable, slotVariable }) => [slotName, variable === graph.find("v"), slotVariable.checkpointKey]),
    ).toEqual([
      ["m", true, "v/.OPTIMIZER_SLOT/opt/m/.ATTRIBUTES/VARIABLE_VALUE"],
      ["v", true, "v/.OPTIMIZER_SLOT/opt/v/.ATTRIBUTES/VARIABLE_VALUE"],
    ]);
    using slot = await reader.lookup(slots[0]?.slotVariable.checkpointKey ?? "");
    expect(slot.dtype).toBe("float32");
  });

  testEach(states, "%s", async (path) => {
    const files = filesOf(dirname(path));
    const state = await readCheckpointState(files);
    expect(toTextFormat(checkpointStateCodec, state!)).toBe(readFileSync(join(folder, path), "utf8"));
    const latest = await latestCheckpoint(files);
    expect(latest).toBe(state!.modelCheckpointPath);
  });

  testEach(models, "SavedModel %s", async (path) => {
    const reader = await openSavedModel(filesOf(path));
    expect(reader.keys.length).toBeGreaterThan(0);
  });
});
