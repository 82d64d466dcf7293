// Tests chapters 1 to 7 of the tour, the tour as a whole, and the programs under examples/.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { createHash } from "node:crypto";
import { bytesCopied, deepCopy, liveBuffers, readNpy, Tensor } from "onebuffer";
import { tensorProtoCodec } from "onebuffer/proto";
import type { ClassifierFiles } from "../src/tour/classifier.ts";
import { digits } from "../src/tour/digits.ts";
import { layouts } from "../src/tour/layouts.ts";
import { oneBuffer } from "../src/tour/one-buffer.ts";
import { kPageWidth } from "../src/tour/page.ts";
import { refCounts } from "../src/tour/ref-counts.ts";
import { sixteenBytes } from "../src/tour/sixteen-bytes.ts";
import { slices } from "../src/tour/slices.ts";
import { runTour } from "../src/tour/tour.ts";
import { writeThrough } from "../src/tour/write-through.ts";
import "./classifier.suite.ts";
import "./examples.suite.ts";
import "./guesses.suite.ts";
import { dataFile, modelFiles } from "./data-files.ts";
import { expectMistakes } from "./expect-mistakes.ts";

let files: ClassifierFiles;
let live = 0;
let copied = 0;
beforeAll(() => {
  files = { digits: dataFile("digits.npy"), labels: dataFile("digits-labels.npy"), model: modelFiles() };
});
beforeEach(() => {
  live = liveBuffers();
  copied = bytesCopied();
});
afterEach(() => {
  expect(liveBuffers()).toBe(live);
});

/** Returns the lines that a chapter prints. */
function linesOf(chapter: (print: (line: string) => void) => void): string[] {
  const lines: string[] = [];
  chapter((line) => lines.push(line));
  return lines;
}

/** Returns the text that follows `code` on its line: the printed result. Exactly one line must begin with `code`. */
function resultOf(lines: readonly string[], code: string): string {
  const found = lines.filter((line) => line.trimStart().startsWith(code));
  expect({ code, found: found.length }).toEqual({ code, found: 1 });
  return (found[0] ?? "").trimStart().slice(code.length).trim();
}

test("the data files match the tables of examples/data/README.md", () => {
  const readme = new TextDecoder().decode(dataFile("README.md"));
  const found = Object.entries(files.model).map(([name, file]) => [`${name}.pb`, file] as const);
  for (const [name, file] of [["digits.npy", files.digits] as const, ["digits-labels.npy", files.labels] as const, ...found]) {
    const row = readme.split("\n").find((line) => line.startsWith(`| \`${name}\``)) ?? "";
    using tensor = name.endsWith(".npy") ? readNpy(file) : Tensor.fromProto(tensorProtoCodec.decode(file));
    expect(row).toContain(`| (${tensor.shape.dimSizes.join(", ")}${tensor.dims === 1 ? "," : ""}) |`);
    expect(row).toContain(`| ${tensor.dtype} |`);
    expect(row).toContain(tensor.totalBytes.toLocaleString("en"));
    expect(row).toContain(createHash("sha256").update(tensor.tensorData).digest("hex"));
  }
});

describe("chapters", () => {
  test("1: five tensors share one buffer, a write shows in all of them, nothing is copied", () => {
    const lines = linesOf(oneBuffer);
    for (const [i, shape] of ["[12]", "[1,12]", "[3,4]", "[2,6]", "[3,2,2]"].entries()) {
      expect(resultOf(lines, `${shape} `)).toContain(`sharesBufferWith the first: true, references to the buffer: ${i + 1}`);
    }
    expect(resultOf(lines, "t[3,2,2].tensor(3).at(1, 0, 0)")).toBe("500");
    expect(resultOf(lines, "bytes copied in this chapter")).toBe("0");
    expect(bytesCopied()).toBe(copied);
  });

  test("2: prints the sixteen bytes of shapes, that a tensor's shape is sealed, and the limits of a shape", () => {
    const lines = linesOf(sixteenBytes);
    expect(resultOf(lines, "[3,4] ")).toBe("REP16           03 00 04 00 00 00 00 00 00 00 00 00 00 00 02 00");
    expect(resultOf(lines, "[65533,2] ")).toMatch(/^REP16 +fd ff 02 00/);
    expect(resultOf(lines, "[65534,2] ")).toMatch(/^REP32 +fe ff 00 00 02 00 00 00/);
    expect(resultOf(lines, "[4294967293] ")).toMatch(/^REP32 +fd ff ff ff/);
    expect(resultOf(lines, "[4294967294] ")).toMatch(/^REP_OUT_OF_LINE/);
    expect(resultOf(lines, "[1,2,3,4,5,6,7] ")).toMatch(/^REP_OUT_OF_LINE/);
    expect(resultOf(lines, "tensor.shape.isSealed")).toBe("true");
    expect(resultOf(lines, "tensor.shape.addDim(5)")).toBe("FAILED_PRECONDITION");
    expect(resultOf(lines, "const copy = tensor.shape.clone(); copy.addDim(5)")).toBe("[3,4,5]");
    expect(resultOf(lines, "new TensorShape(254 times 1).dims")).toBe("254");
    expect(resultOf(lines, "and a 255th: addDim(1)")).toMatch(/^(INVALID_ARGUMENT|OUT_OF_RANGE)$/);
  });

  test("3: slices share the buffer; refuses a view of a region that is not contiguous", () => {
    const lines = linesOf(slices);
    expect(resultOf(lines, "t.slice(2, 5) ")).toBe("░░░░██████░░░░░░  [3,12] from byte 96, not aligned, shares: true");
    expect(resultOf(lines, "t.subSlice(4)")).toBe("░░░░░░░░██░░░░░░  [12] from byte 192, aligned, shares: true");
    expect(resultOf(lines, "t.slice(2, 5).slice(1, 2)")).toBe("░░░░░░██░░░░░░░░  [1,12] from byte 144, not aligned, shares: true");
    expect(resultOf(lines, "5,1:4,8 ")).toMatch(/a view, shares: true, first element 64$/);
    expect(resultOf(lines, "-:0,4 ")).toMatch(/^\[8,4\] +FAILED_PRECONDITION/);
    expect(resultOf(lines, "bytes copied in this chapter")).toBe("0");
  });

  test("4: counts go up and down; dropping the last reference frees the buffer", () => {
    expectMistakes();
    const lines = linesOf(refCounts);
    const refs = lines.flatMap((line) => /refs (\d+) +live buffers (\d+)$/.exec(line)?.slice(1).join("/") ?? []);
    expect(refs).toEqual(["1/1", "2/1", "3/1", "3/1", "4/1", "3/1", "2/1", "1/1"]);
    expect(resultOf(lines, "b.isInitialized()")).toBe("false");
    expect(resultOf(lines, "c.refCountIsOne()")).toBe("true");
    expect(lines.find((line) => line.includes("c.dispose();"))).toMatch(/live buffers 0$/);
    for (const code of ["map.at(0, 0)", "c.slice(0, 1)", "held.unref()                        // a second"]) {
      expect(lines.find((line) => line.trimStart().startsWith(code))).toMatch(/FAILED_PRECONDITION$/);
    }
  });

  test("5: a write shows in every view", () => {
    const lines = linesOf(writeThrough);
    expect(resultOf(lines, "t.flat().at(5)")).toBe("1.5");
    expect(resultOf(lines, "t.shaped([3, 2]).at(2, 1)")).toBe("1.5");
    expect(resultOf(lines, "t.subSlice(1).vec().at(2)")).toBe("1.5");
    expect(resultOf(lines, "t.bitCastedShaped('int32', [6]).at(5)")).toMatch(/^0x3fc00000/);
    expect(Number(resultOf(lines, "t.matrix().at(1, 2)"))).toBeCloseTo(Math.PI, 6);
    expect(resultOf(lines, "bytes copied in this chapter")).toBe("0");
  });

  test("6: the tensor uses the bytes of the digits file without a copy", () => {
    const lines = linesOf((print) => digits(print, files));
    expect(resultOf(lines, "const images = readNpy(bytes);")).toBe("uint8 [1797,8,8], 0 bytes copied");
    expect(resultOf(lines, "images.reshape([1797, 8, 8, 1])")).toContain("[1797,8,8,1]");
    expect(resultOf(lines, "batch.sharesBufferWith(images)")).toMatch(/^true, 4 references/);
    expect(resultOf(lines, "bytes copied in this chapter")).toBe("0");
    expect(lines.filter((line) => line.includes("█")).length).toBeGreaterThan(10);
    // The labels under the pictures must be those of the labels file, whose elements are its last 1797 bytes.
    const labels = files.labels.subarray(-1797);
    const drawn = lines.flatMap((line) => [...line.matchAll(/(\d+): a (\d)/g)].map((m) => [Number(m[1]), Number(m[2])]));
    expect(drawn).toEqual([100, 101, 102, 103].map((i) => [i, labels[i]]));
    const counts = Array.from({ length: 10 }, (_, digit) => labels.filter((label) => label === digit).length);
    const captions = lines.flatMap((line) => [...line.matchAll(/(\d) \((\d+)\)/g)].map((m) => Number(m[2])));
    expect(captions).toEqual(counts);
  });

  test("6: the pictures are drawn from the file's bytes; a truncated file throws", () => {
    const blank = { ...files, digits: files.digits.map((byte, i) => (i < 128 ? byte : 0)) };
    const lines = linesOf((print) => digits(print, blank));
    expect(lines.filter((line) => /[█▓▒░]/.test(line))).toEqual([]);
    expect(() => digits(() => undefined, { ...files, digits: files.digits.subarray(0, 1000) })).toThrow(/got 872$/);
  });

  test("7: prints the worked examples of XLA's documentation", () => {
    const lines = linesOf(layouts);
    expect(resultOf(lines, "u8[2,3]{0,1}  ")).toBe("a d b e c f                      dimension 0 is minor");
    expect(resultOf(lines, "u8[2,3]{1,0} ")).toBe("a b c d e f                      dimension 0 is major");
    expect(resultOf(lines, "u8[2,3]{0,1} in [3,5]")).toBe("a d 0 b e 0 c f 0 0 0 0 0 0 0");
    expect(resultOf(lines, "u8[3,5]{0,1} ")).toBe("a d 0 b e 0 c f 0 0 0 0 0 0 0");
    expect(resultOf(lines, "the same bytes")).toBe("true");
    expect(resultOf(lines, "u8[3,5]{1,0:T(2,2)}")).toBe("a b f g c d h i e 0 j 0 k l 0 0 m n 0 0 o 0 0 0");
    expect(resultOf(lines, "tiledLinearIndex(shape, [2, 3])")).toBe("17   // the position of n");
    expect(resultOf(lines, "Tensor.wrap(memory, [24]).vec().at(17)")).toBe("N");
    expect(resultOf(lines, "bytes copied in this chapter")).toBe("0");
    expect(lines.join(" ")).toContain("CC BY 3.0");
  });
});

describe("the whole tour", () => {
  test("copies nothing, leaves no live buffers, prints no line wider than the page, prints color codes only if asked", () => {
    expectMistakes();
    const lines = linesOf((print) => runTour(print, { ...files, color: false }));
    expect(lines.find((line) => line.includes("bytesCopied()"))).toMatch(/ 0$/);
    expect(lines.find((line) => line.includes("liveBuffers()"))).toMatch(/ 0$/);
    expect(bytesCopied()).toBe(copied);
    expect(lines.filter((line) => [...line].length > kPageWidth)).toEqual([]);
    expect(lines.join("").includes("\u001b")).toBe(false);
    const colored = linesOf((print) => runTour(print, { ...files, color: true }));
    expect(colored.map((line) => line.replaceAll(/\u001b\[\d+m/g, ""))).toEqual(lines);
    expect(colored).not.toEqual(lines);
  });

  test("bytesCopied, which the tour prints, counts a deliberate copy", () => {
    using images = readNpy(files.digits);
    expect(bytesCopied()).toBe(copied);
    using copy = deepCopy(images);
    expect(copy.sharesBufferWith(images)).toBe(false);
    expect(bytesCopied() - copied).toBe(115_008);
    // Big-endian elements cannot be used in place, so readNpy copies them.
    const text = "{'descr': '>i2', 'fortran_order': False, 'shape': (3,)}";
    const file = Uint8Array.from([
      0x93,
      0x4e,
      0x55,
      0x4d,
      0x50,
      0x59,
      1,
      0,
      text.length,
      0,
      ...[...text].map((c) => c.charCodeAt(0)),
      0,
      1,
      0,
      2,
      0,
      3,
    ]);
    using swapped = readNpy(file);
    expect(swapped.toArray()).toEqual([1, 2, 3]);
    expect(bytesCopied() - copied).toBe(115_008 + 6);
  });
});
