// Tests object graphs: reading by paths, cycles, malformed graphs; writing trees of objects and reading them back; slots.
import { describe, expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import type { ObjectNode, TrackableTree } from "@onebuffer/io";
import { BundleReader, BundleWriter, ChunkSink, ObjectGraph, Trackable, writeCheckpoint } from "@onebuffer/io";
import type { TrackableObjectGraphProto } from "@onebuffer/proto";
import { trackableObjectGraphCodec } from "@onebuffer/proto";
import { expectRefusal, isLong } from "@onebuffer/test-support";
import fc from "fast-check";
import { MemoryFolder } from "../checkpoint/bundle-files.ts";

const kKey = "_CHECKPOINTABLE_OBJECT_GRAPH";
const value = (checkpointKey: string): { name: string; checkpointKey: string } => ({ name: "VARIABLE_VALUE", checkpointKey });

async function reopened(folder: MemoryFolder, prefix = "c"): Promise<{ reader: BundleReader; graph: ObjectGraph }> {
  const reader = await BundleReader.open(folder.files, prefix);
  return { reader, graph: await ObjectGraph.read(reader) };
}

describe("reading", () => {
  const proto: TrackableObjectGraphProto = {
    nodes: [
      { children: [{ nodeId: 1, localName: "model" }, { nodeId: 2, localName: "w" }, { localName: "self" }] },
      {
        children: [
          { nodeId: 2, localName: "k/ey" },
          { nodeId: 3, localName: ".x" },
          { nodeId: 0, localName: "parent" },
        ],
      },
      { attributes: [value("w/.ATTRIBUTES/VARIABLE_VALUE")], hasCheckpointValues: { value: true } },
      {
        attributes: [value("a"), { name: "other", fullName: "f", checkpointKey: "b" }],
        registeredSaver: { name: "s" },
        slotVariables: [{ originalVariableNodeId: 2, slotName: "m", slotVariableNodeId: 4 }],
        hasCheckpointValues: {},
      },
      { attributes: [value("slot")] },
    ],
  };
  const graph = ObjectGraph.fromProto(proto);

  test("finds objects by paths, by lists of names, through cycles", () => {
    const w = graph.find("w");
    expect([w.id, w.checkpointKey, w.hasCheckpointValues]).toEqual([2, "w/.ATTRIBUTES/VARIABLE_VALUE", true]);
    for (const path of ["model/k.Sey", ["model", "k/ey"], "self/self/model/parent/w"]) expect(graph.find(path)).toBe(w);
    expect(graph.find("")).toBe(graph.root);
    expect(graph.find("model/..x").attributes).toEqual([
      { name: "VARIABLE_VALUE", fullName: "", checkpointKey: "a" },
      { name: "other", fullName: "f", checkpointKey: "b" },
    ]);
    expect(graph.checkpointKey("model/k.Sey")).toBe("w/.ATTRIBUTES/VARIABLE_VALUE");
    const x = graph.find(["model", ".x"]);
    expect([x.checkpointKey, x.registeredSaver, x.hasCheckpointValues]).toEqual([null, { name: "s", objectName: "" }, false]);
    expect(x.slotVariables).toEqual([{ slotName: "m", variable: w, slotVariable: graph.nodes[4] }]);
    expect(graph.root.hasCheckpointValues).toBeNull();
  });

  test("lists every object once, by its shortest path", () => {
    expect([...graph.paths()].map(([path, node]) => [path, node.id])).toEqual([
      ["", 0],
      ["model", 1],
      ["w", 2],
      ["model/..x", 3],
    ]);
    expect([...graph.variables()]).toEqual([
      ["w", "w/.ATTRIBUTES/VARIABLE_VALUE"],
      ["model/..x", "a"],
      ["model/..x", "b"],
    ]);
  });

  test("a child may have an empty name", () => {
    const unnamed = ObjectGraph.fromProto({
      nodes: [
        { children: [{ nodeId: 1 }, { nodeId: 2, localName: "a" }] },
        { children: [{ nodeId: 3, localName: "a" }] },
        { children: [{ nodeId: 4 }] },
        {},
        {},
      ],
    });
    const paths = [...unnamed.paths()].map(([path, node]) => [path, node.id]);
    expect(paths).toEqual([
      ["", 0],
      [".", 1],
      ["a", 2],
      ["./a", 3],
      ["a/.", 4],
    ]);
    for (const [path, id] of paths) expect(unnamed.find(path as string).id).toBe(id);
    expect([unnamed.find([""]).id, unnamed.find("a/").id, unnamed.find("/a").id]).toEqual([1, 4, 3]);
  });

  test("long names and long chains take linear time and no stack", () => {
    const localName = "a.b/".repeat(isLong ? 100_000 : 25_000);
    const long = ObjectGraph.fromProto({ nodes: [{ children: [{ nodeId: 1, localName }] }, {}] });
    const [, [path]] = [...long.paths()] as [unknown, [string, unknown]];
    expect(long.find(path).id).toBe(1);
    const count = 10_000;
    const chain = ObjectGraph.fromProto({
      nodes: Array.from({ length: count }, (_, i) => (i + 1 < count ? { children: [{ nodeId: i + 1, localName: "child" }] } : {})),
    });
    expect([...chain.paths()].length).toBe(count);
    expect(chain.find("child/".repeat(count - 1).slice(0, -1)).id).toBe(count - 1);
  });

  test("says what there is instead", async () => {
    await expectRefusal(() => graph.find("modle"), "NOT_FOUND", 'the root has no child "modle", but children "model", "w", "self"');
    await expectRefusal(() => graph.find("model/k.Sey/z"), "NOT_FOUND", 'the object at "model/k.Sey" has no child "z", but no children');
    await expectRefusal(() => graph.checkpointKey("model"), "NOT_FOUND", 'the object at "model" has 0 values');
    await expectRefusal(() => graph.checkpointKey(["model", ".x"]), "NOT_FOUND", "has 2 values");
    for (const path of ["model/.x", "model/a.", "a.b"]) await expectRefusal(() => graph.find(path), "INVALID_ARGUMENT", "is no name");
    for (const path of [1, null, [1]]) await expectRefusal(() => graph.find(path as never), "INVALID_ARGUMENT");
    const many = { nodes: [{ children: Array.from({ length: 12 }, (_, i) => ({ localName: `c${i}` })) }] };
    await expectRefusal(() => ObjectGraph.fromProto(many).find("x"), "NOT_FOUND", '"c9" and 2 more');
  });

  test.each<[string, TrackableObjectGraphProto, string]>([
    ["no root", {}, "there is no node"],
    ["a child beyond the list", { nodes: [{ children: [{ nodeId: 1, localName: "a" }] }] }, 'the child "a" of node 0 is node 1 of 1'],
    ["a negative child", { nodes: [{ children: [{ nodeId: -1 }] }] }, "is node -1 of 1"],
    [
      "a slot of a variable beyond the list",
      { nodes: [{ slotVariables: [{ slotName: "m", originalVariableNodeId: 7 }] }] },
      'the slot "m"',
    ],
    ["a slot beyond the list", { nodes: [{ slotVariables: [{ slotVariableNodeId: 1 }] }] }, "is node 1 of 1"],
    ["two children of a name", { nodes: [{ children: [{ nodeId: 1 }, { nodeId: 0 }] }, {}] }, 'two children ""'],
  ])("refuses %s", async (_what, wrong, words) => {
    await expectRefusal(() => ObjectGraph.fromProto(wrong), "INVALID_ARGUMENT", words);
    await expectRefusal(() => ObjectGraph.decode(trackableObjectGraphCodec.encode(wrong)), "INVALID_ARGUMENT", words);
  });

  test("refuses checkpoints without a graph, and with something else under its key", async () => {
    const folder = new MemoryFolder();
    const writer = new BundleWriter(folder.create, "c");
    using w = Tensor.from([1]);
    await writer.add("w", w);
    await writer.finish();
    const reader = await BundleReader.open(folder.files, "c");
    await expectRefusal(() => ObjectGraph.read(reader), "NOT_FOUND", kKey);
    const lookups: readonly (() => Tensor)[] = [
      () => Tensor.from([1, 2]),
      () => Tensor.from(["a", "b"]),
      () => new Tensor("string", [0]),
      () => Tensor.from(1),
    ];
    for (const make of lookups)
      await expectRefusal(() => ObjectGraph.read({ lookup: async () => make() }), "INVALID_ARGUMENT", "expected a string");
    const text = (bytes: Uint8Array) => ({ lookup: async () => Tensor.from(bytes, { dtype: "string", shape: [] }) });
    await expectRefusal(() => ObjectGraph.read(text(Uint8Array.of(10, 5))), "DATA_LOSS");
  });

  test("every truncation and mutation of a graph is a graph or a refusal", () => {
    const bytes = trackableObjectGraphCodec.encode(proto);
    const outcomes = new Set<string>();
    const attempt = (mutant: Uint8Array): void => {
      try {
        outcomes.add(typeof [...ObjectGraph.decode(mutant).variables()].length);
      } catch (error) {
        outcomes.add((error as { code: string }).code);
      }
    };
    for (let length = 0; length < bytes.length; length++) attempt(bytes.subarray(0, length));
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [1, 2, 8, 128]) {
        const mutant = bytes.slice();
        mutant[at]! ^= bit;
        attempt(mutant);
      }
    }
    expect([...outcomes].sort()).toEqual(["DATA_LOSS", "INVALID_ARGUMENT", "number"]);
  });
});

describe("writing", () => {
  test("trees of objects, Maps, arrays and tensors come back by their names", async () => {
    using a = Tensor.from([[1, 2]]);
    using b = Tensor.from(["x", "yz"]);
    using c = Tensor.from(5n);
    const shared = { b };
    const tree = {
      model: { a, list: [shared, c] },
      dict: new Map<string, TrackableTree>([
        ["k/ey", a],
        [".x", shared],
        ["é", c],
      ]),
    };
    const folder = new MemoryFolder();
    await writeCheckpoint(folder.create, "c", tree, { saveCounter: 4, alignment: 64 });
    const { reader, graph } = await reopened(folder);
    expect([...graph.variables()]).toEqual([
      ["save_counter", "save_counter/.ATTRIBUTES/VARIABLE_VALUE"],
      ["model/a", "model/a/.ATTRIBUTES/VARIABLE_VALUE"],
      ["dict/é", "dict/é/.ATTRIBUTES/VARIABLE_VALUE"],
      ["dict/..x/b", "dict/..x/b/.ATTRIBUTES/VARIABLE_VALUE"],
    ]);
    expect(graph.find("dict/k.Sey")).toBe(graph.find("model/a"));
    expect(graph.find("model/list/0")).toBe(graph.find("dict/..x"));
    using read = await reader.lookup(graph.checkpointKey("model/list/0/b"));
    expect(read.toArray()).toEqual(b.toArray());
    using counter = await reader.lookup(graph.checkpointKey("save_counter"), { dtype: "int64" });
    expect(counter.item()).toBe(4n);
    expect(graph.nodes.map(({ hasCheckpointValues }) => hasCheckpointValues)).toEqual(graph.nodes.map(() => true));
  });

  test("slots have keys of both names, and stand behind all other objects", async () => {
    using w = Tensor.from([1, 2]);
    using m = Tensor.from([0.5, 0]);
    const variable = new Trackable(w);
    const root = new Trackable()
      .setChild("opt", new Trackable().setSlot("m.o", variable, m))
      .setChild("v", variable)
      .setChild("empty", {});
    const folder = new MemoryFolder();
    await writeCheckpoint(folder.create, "c", root);
    const { reader, graph } = await reopened(folder);
    expect(reader.keys.slice(1)).toEqual(["v/.ATTRIBUTES/VARIABLE_VALUE", "v/.OPTIMIZER_SLOT/opt/m..o/.ATTRIBUTES/VARIABLE_VALUE"]);
    const [slot] = graph.find("opt").slotVariables;
    expect([slot?.slotName, slot?.variable, slot?.slotVariable.id]).toEqual(["m.o", graph.find("v"), 4]);
    using read = await reader.lookup(slot?.slotVariable.checkpointKey ?? "");
    expect(read.toArray()).toEqual([0.5, 0]);
    expect(graph.nodes.map(({ hasCheckpointValues }) => hasCheckpointValues)).toEqual([true, true, true, false, true]);
  });

  test("cycles, deep trees and a tensor as the root", async () => {
    using w = Tensor.from([1]);
    const a: Record<string, TrackableTree> = { w };
    a["again"] = { back: a };
    let deep: TrackableTree = { w };
    for (let depth = 0; depth < (isLong ? 20_000 : 12_000); depth++) deep = { d: deep };
    const folder = new MemoryFolder();
    await writeCheckpoint(folder.create, "c", { a, w } as TrackableTree);
    const { graph } = await reopened(folder);
    expect(graph.find("a/again/back/again/back")).toBe(graph.find("a"));
    expect(Trackable.of(deep).child("d")?.child("d")?.children.size).toBe(1);
    await writeCheckpoint(folder.create, "root", w);
    const { graph: single } = await reopened(folder, "root");
    expect(single.checkpointKey("")).toBe("/.ATTRIBUTES/VARIABLE_VALUE");
  });

  test("any tree of names comes back", async () => {
    const names = fc.oneof(
      fc.constantFrom("a", "b", ".", "/", "..", ".S", "a/b", ".ATTRIBUTES", "__proto__"),
      fc.string({ minLength: 1, unit: "grapheme" }),
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.integer({ min: -9, max: 9 }),
        fc.array(fc.tuple(names, tie("tree")), { maxLength: 4 }).map((entries) => new Map(entries)),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, async (shape) => {
        const tensors: Tensor[] = [];
        const made = (node: unknown): TrackableTree => {
          if (typeof node === "number") return tensors[tensors.push(Tensor.from(node)) - 1]!;
          return new Map(Array.from(node as Map<string, unknown>, ([name, child]) => [name, made(child)] as const));
        };
        const folder = new MemoryFolder();
        try {
          await writeCheckpoint(folder.create, "c", made(shape));
        } finally {
          for (const tensor of tensors) tensor.dispose();
        }
        const { reader, graph } = await reopened(folder);
        const readBack = async (node: ObjectNode): Promise<unknown> => {
          if (node.checkpointKey === null) {
            const entries: [string, unknown][] = [];
            for (const [name, child] of node.children) entries.push([name, await readBack(child)]);
            return new Map(entries);
          }
          using tensor = await reader.lookup(node.checkpointKey);
          return tensor.item();
        };
        expect(await readBack(graph.root)).toEqual(shape);
        for (const [path, node] of graph.paths()) expect(graph.find(path)).toBe(node);
      }),
      { numRuns: process.env["ONEBUFFER_LONG"] === undefined ? 6 : 200 },
    );
  });

  test("refuses wrong trees, names and slots, and aborts the files", async () => {
    using w = Tensor.from([1]);
    const wrong: readonly (readonly [unknown, string])[] = [
      [7, "the root is 7"],
      [{ a: { b: null } }, '"a/b" is null'],
      [{ a: new Float32Array(1) }, '"a" is'],
      [{ a: "text" }, '"a" is "text"'],
      [new Map([[1, w]]), "the name of a child"],
      [{ "": w }, "is empty"],
    ];
    const create = (): ChunkSink => new ChunkSink();
    for (const [tree, words] of wrong) await expectRefusal(() => writeCheckpoint(create, "c", tree as never), "INVALID_ARGUMENT", words);
    await expectRefusal(() => writeCheckpoint(create, "c", { w }, { saveCounter: 0.5 }), "INVALID_ARGUMENT", "saveCounter");
    await expectRefusal(() => writeCheckpoint(create, "c", { save_counter: w }, { saveCounter: 1 }), "INVALID_ARGUMENT", "already");
    await expectRefusal(() => writeCheckpoint(create, "c", { w }, { counter: 1 } as never), "INVALID_ARGUMENT");
    const stranger = new Trackable().setSlot("m", new Trackable(w), w);
    await expectRefusal(() => writeCheckpoint(create, "c", { opt: stranger }), "INVALID_ARGUMENT", "not in the tree");
    const variable = new Trackable(w);
    const withChildren = new Trackable().setSlot("m", variable, { w });
    await expectRefusal(() => writeCheckpoint(create, "c", { variable, withChildren }), "INVALID_ARGUMENT", "a slot is a variable");
    await expectRefusal(() => new Trackable(1 as never), "INVALID_ARGUMENT");
    await expectRefusal(() => new Trackable().setSlot("m", w as never, w), "INVALID_ARGUMENT", "expected a Trackable");
    const unnamed = new ChunkSink();
    await expectRefusal(
      () => writeCheckpoint(() => unnamed, "c", { w, "\ud800": {} }),
      "INVALID_ARGUMENT",
      "local_name: expected well-formed",
    );
    await expectRefusal(() => unnamed.toBytes(), "FAILED_PRECONDITION");
    using variant = new Tensor("variant", []);
    const sink = new ChunkSink();
    await expectRefusal(() => writeCheckpoint(() => sink, "c", { w, variant }), "INVALID_ARGUMENT", "variant");
    await expectRefusal(() => sink.toBytes(), "FAILED_PRECONDITION");
  });
});
