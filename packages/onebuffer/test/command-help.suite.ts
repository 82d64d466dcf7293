// Help of each command, standard input, options before files, files onto themselves, folders, and TFRecords of Examples.
import { afterAll, expect, test } from "@jest/globals";
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { Tensor, writeNpy } from "onebuffer";
import { TFRecordWriter } from "onebuffer/io";
import { fileSink } from "onebuffer/node";
import { exampleCodec } from "onebuffer/proto";
import { runCommand, runCommandOn } from "./run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "onebuffer-help-"));
afterAll(() => rmSync(folder, { recursive: true }));
const bytes = ((): Uint8Array => {
  using tensor = Tensor.from([1, 2, 3]);
  return writeNpy(tensor);
})();
writeFileSync(join(folder, "a.npy"), bytes);

test.each(["tour", "inspect", "convert", "diff", "explore"])("%s --help shows its usage", async (command) => {
  for (const args of [["--help"], ["a.npy", "-h"]]) {
    const { exit, out, err } = await runCommand(folder, command, ...args);
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toContain("usage: onebuffer");
    expect(out).toContain(command);
    expect(out).not.toContain(command === "diff" ? "convert IN" : "diff A B");
  }
});

test("after -- the word --help is a path", async () => {
  expect(await runCommand(folder, "inspect", "--", "--help")).toMatchObject({ exit: 1 });
});

test("- is standard input", async () => {
  const read = (...args: readonly string[]) => runCommandOn(Readable.from([bytes]), folder, ...args);
  expect(JSON.parse((await read("inspect", "--json", "-")).out)).toMatchObject({ file: "-", format: "npy", tensors: [{ shape: [3] }] });
  expect((await read("-")).out).toContain("float32");
  expect(await read("diff", "a.npy", "-")).toMatchObject({ exit: 0 });
  expect(await read("convert", "-", "b.npz")).toMatchObject({ exit: 0 });
  const { exit, err } = await read("diff", "-", "-");
  expect([exit, err]).toEqual([1, "onebuffer: -, -: INVALID_ARGUMENT: standard input, -, can be read once only"]);
});

test("options of inspect may stand before the file", async () => {
  expect(await runCommand(folder, "--stats", "a.npy")).toEqual(await runCommand(folder, "inspect", "a.npy", "--stats"));
  expect(await runCommand(folder, "--stats")).toMatchObject({ exit: 2 });
  expect(await runCommand(folder, "--nonsense", "a.npy")).toMatchObject({ exit: 2 });
});

test("convert refuses its own input, also under another name", async () => {
  linkSync(join(folder, "a.npy"), join(folder, "same.npy"));
  for (const out of ["a.npy", "./a.npy", "same.npy"]) {
    const { exit, err } = await runCommand(folder, "convert", "--cast", "int8", "a.npy", out);
    expect([exit, err]).toEqual([1, expect.stringContaining("OUT is IN")]);
  }
  expect(new Uint8Array(readFileSync(join(folder, "a.npy")))).toEqual(new Uint8Array(bytes));
});

test("a folder without a model names its files of tensors", async () => {
  mkdirSync(join(folder, "some/empty"), { recursive: true });
  for (let i = 0; i < 10; i++) writeFileSync(join(folder, `some/${i}.npy`), bytes);
  const { err } = await runCommand(folder, "inspect", "some");
  expect(err).toContain("this folder is no model");
  expect(err).toContain("Name one of its files: 0.npy, 1.npy, 2.npy, 3.npy, 4.npy, 5.npy, 6.npy, 7.npy and 2 more");
  expect((await runCommand(folder, "inspect", "some/empty")).err).toContain("No file in it looks like one of tensors");
});

test("TFRecords of Examples are shown by feature, other records by number", async () => {
  const write = async (name: string, records: readonly Uint8Array[]): Promise<void> => {
    const sink = fileSink(join(folder, name));
    const writer = new TFRecordWriter(sink);
    for (const record of records) await writer.write(record);
    await writer.close();
  };
  const example = (label: number, length: number): Uint8Array =>
    exampleCodec.encode({
      features: {
        feature: new Map([
          ["label", { int64List: { value: [label] } }],
          ["pixels", { floatList: { value: new Float32Array(length).fill(0.5) } }],
          ["name", { bytesList: { value: [new TextEncoder().encode("cat")] } }],
        ]),
      },
    });
  await write("examples.tfrecord", [example(3, 4), example(5, 6)]);
  const { out } = await runCommand(folder, "examples.tfrecord");
  expect(out).toContain("each record is a tensorflow.Example; features of 2 records");
  expect(out).toMatch(/label +int64 +1 +2 +3/);
  expect(out).toMatch(/pixels +float +4 to 6 +2 +0.5 0.5/);
  expect(out).toMatch(/name +bytes +1 +2 +3 bytes cat/);
  await write("others.tfrecord", [example(3, 4), new Uint8Array([1, 2, 3])]);
  expect((await runCommand(folder, "others.tfrecord")).out).toMatch(/record 1/);
});
