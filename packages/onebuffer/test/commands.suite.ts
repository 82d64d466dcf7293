// Tests inspect, convert and diff on files that are written here, in every format.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Tensor } from "onebuffer";
import { BundleWriter, readNpy, readNpz, readSafetensors, saveNpz, saveSafetensors, writeNpy, writeTFRecords } from "onebuffer/io";
import { directorySinks, fileSink } from "onebuffer/node";
import { tensorProtoCodec } from "onebuffer/proto";
import { runCommand } from "./run-command.ts";
import type { CommandResult } from "./run-command.ts";
import { hasTerminal, inTerminal, main } from "./terminal.ts";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;
let folder = "";
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "onebuffer-"));
  using kernel = Tensor.from([
    [0, 1, 2],
    [3, 4, 5],
  ]);
  using bias = Tensor.from([1, Number.NaN, -0.5, Number.POSITIVE_INFINITY]);
  using names = Tensor.from(["a", "bc"]);
  using changed = Tensor.from([
    [0, 1, 2],
    [3, 4, 7],
  ]);
  await saveSafetensors({ "layer/kernel": kernel, "layer/bias": bias }, fileSink(at("a.safetensors")));
  await saveNpz({ "layer/kernel": changed, more: kernel }, fileSink(at("b.npz")));
  await saveNpz({ "evil\u001b[31m\u200f": bias }, fileSink(at("evil.npz")));
  const writer = new BundleWriter(directorySinks(folder), "model.ckpt");
  await writer.add("layer/bias", bias);
  await writer.add("layer/kernel", kernel);
  await writer.add("names", names);
  await writer.finish();
  await writeTFRecords(fileSink(at("r.tfrecord")), [Uint8Array.of(1, 2), new Uint8Array(0)]);
  writeFileSync(at("t.pb"), tensorProtoCodec.encode(kernel.asProtoTensorContent()));
  writeFileSync(at("matrix.npy"), writeNpy(kernel));
  writeFileSync(at("note.txt"), "neither of these formats");
  mkdirSync(at("empty"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: readonly string[]): Promise<CommandResult> => runCommand(folder, ...args);

describe("inspect", () => {
  test("lists the tensors of a checkpoint with dtype, shape, bytes and checksum; its index, a data file and its prefix are the same", async () => {
    const { exit, out } = await run("inspect", "model.ckpt");
    expect(exit).toBe(0);
    expect(out.split("\n").slice(1)).toEqual([
      "  1 data file",
      "name          dtype    shape  bytes  crc",
      "layer/bias    float32  [4]       16  ok",
      "layer/kernel  float32  [2,3]     24  ok",
      "names         string   [2]        9  ok",
    ]);
    for (const path of ["model.ckpt.index", "model.ckpt.data-00000-of-00001"])
      expect((await run(path)).out.split("\n").slice(2)).toEqual(out.split("\n").slice(2));
  });

  test("--stats counts NaN, infinities and zeros, and leaves them out of the mean", async () => {
    const { out } = await run("inspect", "--stats", "a.safetensors");
    expect(out).toMatch(/layer\/bias +float32 +\[4\] +16 +- +-0\.5 +1 +0\.25 +0\.75 +0 +1 +1$/m);
    expect(out).toMatch(/layer\/kernel +float32 +\[2,3\] +24 +- +0 +5 +2\.5 +1\.70783 +1 +0 +0$/m);
  });

  test("--tensor prints values as NumPy does and draws a matrix; --slice takes a part", async () => {
    const { out } = await run("inspect", "model.ckpt", "--tensor", "layer/kernel");
    expect(out.split("\n").slice(0, 3)).toEqual(["layer/kernel  float32 [2,3]", "[[0. 1. 2.]", " [3. 4. 5.]]"]);
    expect(out).toContain("██");
    expect((await run("inspect", "model.ckpt", "--tensor", "layer/kernel", "--slice", "1,1:-")).out).toContain("[[3. 4. 5.]]");
    expect((await run("inspect", "b.npz", "--tensor", "more", "--slice", "-:2,1")).out).toContain("[[2.]\n [5.]]");
    expect((await run("inspect", "b.npz", "--slice", "-:2,1")).err).toMatch(/INVALID_ARGUMENT: --slice needs --tensor NAME/);
    expect((await run("inspect", "b.npz", "--tensor", "kernel")).err).toMatch(/NOT_FOUND/);
  });

  test("records and TensorProtos are tensors, too", async () => {
    expect((await run("r.tfrecord")).out).toMatch(/record 0 +string +\[\] +2 +ok\nrecord 1 +string +\[\] +0 +ok$/);
    expect(JSON.parse((await run("inspect", "--json", "t.pb")).out)).toMatchObject({
      format: "TensorProto",
      tensors: [{ name: "", dtype: "float32", shape: [2, 3], bytes: 24, crc: null }],
    });
  });

  test("a wrong checksum is shown, and the exit code is 3", async () => {
    const index = readFileSync(at("model.ckpt.index"));
    const data = readFileSync(at("model.ckpt.data-00000-of-00001"));
    data[17] = 1;
    writeFileSync(at("bad.ckpt.index"), index);
    writeFileSync(at("bad.ckpt.data-00000-of-00001"), data);
    const { exit, out } = await run("bad.ckpt");
    expect([exit, out.split("\n").filter((line) => line.includes("bad "))]).toEqual([3, []]);
    expect(out).toMatch(/layer\/kernel +float32 +\[2,3\] +24 +bad$/m);
    expect(out).toMatch(/1 wrong checksums$/);
    expect(JSON.parse((await run("inspect", "--json", "bad.ckpt")).out).tensors[1]).toMatchObject({ crc: "bad", bytes: 24 });
  });

  test("control characters in names are escaped, so that a file cannot write to the terminal", async () => {
    const { out } = await run("evil.npz");
    expect(out).toContain("evil\\u001b[31m\\u200f");
    expect(out.includes("\u001b") || out.includes("\u200f")).toBe(false);
  });

  test("--json prints one line for each file, and nothing else", async () => {
    const { exit, out, err } = await run("inspect", "--json", "a.safetensors", "missing.npz", "b.npz");
    expect([exit, err.split("\n").length]).toEqual([1, 1]);
    const lines = out.split("\n").map((line) => JSON.parse(line) as { file: string; format: string });
    expect(lines.map(({ file, format }) => [file, format])).toEqual([
      ["a.safetensors", "safetensors"],
      ["b.npz", "npz"],
    ]);
  });

  test.each(["a.safetensors", "b.npz", "model.ckpt"])("a --slice that does not fit is refused with the values: %s", async (path) => {
    const name = "layer/kernel";
    const err = async (slice: string): Promise<string> => (await run("inspect", path, "--tensor", name, "--slice", slice)).err;
    const subject = (slice: string): string => `tensor "${name}" of shape [2,3]: the slice ${slice}`;
    expect(await err("1,2:-")).toBe(`onebuffer: ${path}: OUT_OF_RANGE: ${subject("1,2:-")} is 1 to 3 in dimension 0, which has 2`);
    expect(await err("-:3,1")).toBe(`onebuffer: ${path}: OUT_OF_RANGE: ${subject("-:3,1")} is 3 to 4 in dimension 1, which has 3`);
    for (const [slice, extents] of [
      ["-", 1],
      ["-:-:-", 3],
      ["", 0],
    ] as const)
      expect(await err(slice)).toBe(
        `onebuffer: ${path}: INVALID_ARGUMENT: ${subject(slice)} has ${extents} extents, the tensor has 2 dimensions`,
      );
    for (const slice of ["x", "0,0:-", "-1,1:-"]) {
      const result = await run("inspect", path, "--tensor", name, `--slice=${slice}`);
      expect([result.exit, result.err]).toEqual([2, expect.stringContaining(`--slice takes a text such as 0,2:-, got "${slice}"`)]);
    }
  });

  test("the table of a format without checksums reads no elements", async () => {
    // A tensor of 64 GiB, of which the disk has nothing.
    const bytes = 2 ** 36;
    const header = JSON.stringify({ w: { dtype: "U8", shape: [bytes], data_offsets: [0, bytes] } });
    const length = Buffer.alloc(8);
    length.writeUInt32LE(header.length);
    writeFileSync(at("sparse.safetensors"), Buffer.concat([length, Buffer.from(header)]));
    truncateSync(at("sparse.safetensors"), 8 + header.length + bytes);
    expect((await run("sparse.safetensors")).out).toMatch(/^w +uint8 +\[68719476736\] +68719476736 +-$/m);
    rmSync(at("sparse.safetensors"));
  });

  /** Writes an .npy file of so many zeros of float32, which takes no room on the disk. */
  const writeSparse = (count: number): void => {
    const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${count},), }`.padEnd(117);
    writeFileSync(at("sparse.npy"), `\x93NUMPY\x01\0v\0${text}\n`, "latin1");
    truncateSync(at("sparse.npy"), 128 + 4 * count);
  };

  test("an .npy file that does not fit into memory is a table", async () => {
    writeSparse(1.5 * 2 ** 30);
    expect((await run("sparse.npy")).out).toMatch(/^"" +float32 +\[1610612736\] +6442450944 +-$/m);
    rmSync(at("sparse.npy"));
  });

  test("the sha256 covers more than 2 GiB", async () => {
    if (!isLong) return;
    writeSparse(2 ** 29 + 1);
    const { out } = await run("--json", "sparse.npy");
    expect(JSON.parse(out)).toMatchObject({ tensors: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }] });
    rmSync(at("sparse.npy"));
  });

  test.each([
    ["note.txt", /INVALID_ARGUMENT: not a file of tensors/],
    [
      "empty",
      /NOT_FOUND: this folder is no model: it has no checkpoint, no model\.safetensors and no SavedModel\. No file in it looks like one of tensors/,
    ],
    [".", /NOT_FOUND: this folder is no model: .* Name one of its files: a\.safetensors, b\.npz, /],
    ["x".repeat(256), /INVALID_ARGUMENT: cannot be read \(ENAMETOOLONG\)/],
    ["note.txt/inside.npy", /INVALID_ARGUMENT: (?:cannot be read \(ENOTDIR\)|"[^"]*note\.txt": not a folder)/],
    ["missing.ckpt", /NOT_FOUND: no such file/],
  ])("%s is refused in one line", async (path, message) => {
    const { exit, out, err } = await run("inspect", path);
    expect([exit, out, err.split("\n").length]).toEqual([1, "", 1]);
    expect(err).toMatch(message);
  });
});

describe("convert", () => {
  test("between all formats the tensors stay the same", async () => {
    for (const [from, to] of [
      ["a.safetensors", "one.npz"],
      ["one.npz", "two.ckpt"],
      ["two.ckpt", "three.safetensors"],
    ] as const) {
      expect(await run("convert", from, to)).toMatchObject({ exit: 0, err: "" });
    }
    expect(await run("diff", "a.safetensors", "three.safetensors")).toMatchObject({ exit: 0, out: "2 equal, 0 different" });
    using tensors = readSafetensors(new Uint8Array(readFileSync(at("three.safetensors"))));
    expect(tensors.tensor("layer/kernel").toArray()).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
  });

  test("--filter, --exclude, --rename and --cast", async () => {
    const args = [
      "--filter",
      "^layer",
      "--exclude",
      "bias",
      "--rename",
      "s/^layer/dense/",
      "--rename",
      "s|/kernel|.w|",
      "--cast",
      "float32=int16",
    ];
    expect(await run("convert", "model.ckpt", "cast.npz", ...args)).toMatchObject({ exit: 0, err: "" });
    using tensors = await readNpz(new Uint8Array(readFileSync(at("cast.npz"))));
    expect([...tensors].map(([name, tensor]) => [name, tensor.dtype, tensor.toArray()])).toEqual([
      [
        "dense.w",
        "int16",
        [
          [0, 1, 2],
          [3, 4, 5],
        ],
      ],
    ]);
    expect(await run("convert", "b.npz", "half.npy", "--filter", "^more$", "--cast", "float16")).toMatchObject({ exit: 0 });
    using half = readNpy(new Uint8Array(readFileSync(at("half.npy"))));
    expect(half.dtype).toBe("float16");
  });

  test("a tensor without a name keeps it in safetensors, and is arr_0 in other files", async () => {
    using bias = Tensor.from([1, 2]);
    await saveSafetensors({ "": bias }, fileSink(at("unnamed.safetensors")));
    for (const [from, to, name] of [
      ["unnamed.safetensors", "named.safetensors", ""],
      ["unnamed.safetensors", "named.npz", "arr_0"],
      ["unnamed.safetensors", "named.npy", ""],
      ["named.npy", "again.safetensors", "arr_0"],
    ] as const) {
      expect(await run("convert", from, to)).toMatchObject({ exit: 0 });
      expect(JSON.parse((await run("inspect", "--json", to)).out).tensors[0].name).toBe(name);
    }
    for (const each of readdirSync(folder)) if (/^(unnamed|named|again)\./.test(each)) rmSync(at(each));
  });

  test("--shard-size writes several files", async () => {
    expect(await run("convert", "a.safetensors", "big.safetensors", "--shard-size", "30B")).toMatchObject({ exit: 0 });
    expect(await run("diff", "a.safetensors", "big.safetensors.index.json")).toMatchObject({ exit: 0 });
    expect(await run("convert", "model.ckpt", "split.ckpt", "--shard-size", "20")).toMatchObject({ exit: 0 });
    expect(existsSync(at("split.ckpt.data-00002-of-00003"))).toBe(true);
    expect(await run("diff", "model.ckpt", "split.ckpt")).toMatchObject({ exit: 0, out: "3 equal, 0 different" });
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("a folder that is not there, or cannot be written to, is one line of error", async () => {
    for (const out of ["absent/m.npz", "absent/m.ckpt", "note.txt/m.npz", "note.txt/m.ckpt", "empty", `${"x".repeat(256)}.npz`])
      for (const more of [[], ["--shard-size", "20"]]) {
        const { exit, err } = await run(
          "convert",
          "model.ckpt",
          out,
          "--to",
          more.length === 0 && out.endsWith("npz") ? "npz" : "checkpoint",
          "--exclude",
          "names",
          ...more,
        );
        // "empty" is a folder, beside which a checkpoint of this name has its files.
        if (out !== "empty")
          expect([out, exit, err.split("\n").length, /: (NOT_FOUND|INVALID_ARGUMENT): /.test(err)]).toEqual([out, 1, 1, true]);
      }
    for (const name of readdirSync(folder)) if (name.startsWith("empty.")) rmSync(at(name));
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("TensorFlow's own string stays in checkpoints, and a line says so", async () => {
    using graph = Tensor.from("graph");
    using weights = Tensor.from([1, 2]);
    const writer = new BundleWriter(directorySinks(folder), "keras.ckpt");
    await writer.add("_CHECKPOINTABLE_OBJECT_GRAPH", graph);
    await writer.add("w", weights);
    await writer.finish();
    const done = await run("convert", "keras.ckpt", "keras.npz");
    expect(done).toMatchObject({ exit: 0, err: "" });
    expect(done.out).toContain("left out _CHECKPOINTABLE_OBJECT_GRAPH");
    using tensors = await readNpz(new Uint8Array(readFileSync(at("keras.npz"))));
    expect([...tensors].map(([name]) => name)).toEqual(["w"]);
    expect((await run("convert", "keras.ckpt", "again.ckpt")).out).not.toContain("left out");
    for (const name of readdirSync(folder)) if (/^(keras|again)\./.test(name)) rmSync(at(name));
  });

  test("a failure leaves no file behind", async () => {
    const before = readdirSync(folder);
    expect((await run("convert", "model.ckpt", "new.npz")).err).toMatch(/UNIMPLEMENTED: npz: tensor "names": string/);
    expect((await run("convert", "model.ckpt", "new.npy")).err).toMatch(/INVALID_ARGUMENT: an \.npy file has one tensor, 3 are left/);
    expect((await run("convert", "b.npz", "new.npz", "--rename", "s/.*/x/")).err).toMatch(/would both be called "x"/);
    expect((await run("convert", "b.npz", "new.npz", "--filter", "nothing")).err).toMatch(/no tensor is left of 2/);
    expect((await run("convert", "bad.ckpt", "new.safetensors", "--exclude", "names")).err).toMatch(/DATA_LOSS/);
    expect(readdirSync(folder)).toEqual(before);
  });

  test.each([
    [["convert", "a"], /convert needs IN and OUT/],
    [["convert", "a", "b.txt"], /the format of "b.txt"/],
    [["convert", "a", "b.npz", "--cast", "float99"], /"float99" is no dtype/],
    [["convert", "a", "b.npz", "--cast", "float32=int8=int16"], /"int8=int16" is no dtype/],
    [["convert", "a", "b.npz", "--rename", "x/y/"], /--rename takes s\/PATTERN/],
    [["convert", "a", "b.npz", "--rename", "s/a/b/g/c"], /--rename takes s\/PATTERN.*, got "s\/a\/b\/g\/c"/],
    [["convert", "a", "-", "--to", "npz"], /OUT is -, which \.\/- can name/],
    [["convert", "a", "b.npz", "--filter", "("], /is not a regular expression/],
    [["convert", "a", "b.npz", "--shard-size", "1MB"], /--shard-size is an option/],
    [["convert", "a", "b.ckpt", "--shard-size", "many"], /--shard-size takes a number/],
    [["convert", "a", "b.npy", "--compressed"], /--compressed is an option of \.npz/],
    [["convert", "a", "b", "--to", "pickle"], /--to is one of/],
    [["convert", "a", "b.npz", "--wrong"], /--wrong/],
    [["diff", "a"], /diff needs two files/],
    [["convert", "a", ""], /a path is empty/],
    [["diff", "", "b"], /a path is empty/],
    [["inspect", ""], /a path is empty/],
    [[""], /unknown command ""|a path is empty/],
    [["inspect", "-dash.npy"], /unknown option -dash\.npy; a file whose name begins with a dash is written \.\/-dash\.npy, or after --/],
    [["-dash.npy"], /unknown option -dash\.npy; .* or after --/],
    [["convert", "a", "-b.npz"], /unknown option -b\.npz; .* or after --/],
    [["inspect", "a", "--tensor"], /--tensor/],
    [["explore", "--port", "99999"], /--port is a number/],
    [["explore", "x"], /explore takes no paths/],
  ])("%j has one line of error and the exit code 2", async (args, message) => {
    const { exit, out, err } = await run(...args);
    expect([exit, out, err.split("\n").length]).toEqual([2, "", 1]);
    expect(err).toMatch(message);
  });
});

describe("diff", () => {
  test("names what is missing, what has another kind, and by how much values differ", async () => {
    const { exit, out } = await run("diff", "a.safetensors", "b.npz");
    expect(exit).toBe(3);
    expect(out.split("\n")).toEqual([
      "- layer/bias  float32 [4]",
      "! layer/kernel  float32 [2,3]  1 of 6 differ, by at most 2 (0.285714 of the value)",
      "+ more  float32 [2,3]",
      "0 equal, 3 different",
    ]);
    await run("convert", "a.safetensors", "int.npz", "--cast", "int32", "--filter", "kernel");
    expect((await run("diff", "a.safetensors", "int.npz")).out).toContain("~ layer/kernel  float32 [2,3] -> int32 [2,3]");
  });
});

if (hasTerminal && isLong) {
  test("in a pseudo-terminal there are colors", () => {
    const command = `${process.execPath} ${main} inspect a.safetensors`;
    expect(inTerminal(command, folder).stdout).toContain("\u001b[1m");
    expect(inTerminal(command, folder, { NO_COLOR: "1" }).stdout.includes("\u001b[1m")).toBe(false);
    expect(spawnSync(process.execPath, [main, "a.safetensors"], { cwd: folder, encoding: "utf8" }).stdout.includes("\u001b")).toBe(false);
  });

  test("work over half a second has a progress bar; Ctrl-C ends it with 130 and leaves no half-written file", async () => {
    const tensors: Record<string, Tensor> = {};
    for (let i = 0; i < 3; i++) tensors[`t${i}`] = Tensor.random([1024, 1024], { seed: i });
    await saveNpz(tensors, fileSink(at("large.npz")), { compressed: true });
    for (const tensor of Object.values(tensors)) tensor.dispose();
    const before = readdirSync(folder);
    const child = spawn("script", ["-qec", `${process.execPath} ${main} convert large.npz out.npz --compressed`, "/dev/null"], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", TERM: "xterm" },
    });
    let out = "";
    let isPressed = false;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      if (isPressed || !out.includes("%")) return;
      isPressed = true;
      child.stdin.write("\u0003");
    });
    const exit = await new Promise((resolve) => child.on("close", resolve));
    expect(out).toMatch(/\[=*-*\] +\d+%/);
    expect(out).toMatch(/onebuffer: large\.npz: cancelled/);
    expect(exit).toBe(130);
    expect(readdirSync(folder)).toEqual(before);
  });
}
