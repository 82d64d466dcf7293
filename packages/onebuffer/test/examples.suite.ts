/**
 * The programs under examples/: each runs, prints, leaves no buffer behind, and gets the figures that its NumPy twin wrote into
 * expected.json. `npm run long` also starts each as a user does, with node. Programs with a page of their own need a GPU: `npm run webgpu`
 * runs them.
 */
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { liveBuffers } from "onebuffer";

const kLong = process.env["ONEBUFFER_LONG"] !== undefined;
const kExamples = new URL("../../../../examples/", import.meta.url);

type Figure = number | string | boolean | readonly Figure[];
type Figures = Readonly<Record<string, Figure>>;

/**
 * By how much a figure may be off, at most: 0 where the program and its twin count or choose. The rest are sums and products of float32 in
 * another order; each bound is ten times or more what was measured.
 */
const kBounds: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "k-means": { groups: 0, centers: 1e-5, table: 0, steps: 0 },
  "digits-devices": { losses: 1e-5, predicted: 0, right: 0, tested: 0 },
  "digits-network": { losses: 1e-5, predicted: 0, right: 0, tested: 0 },
  "heat-equation": { mean: 1e-4, column: 1e-4, before: 0, after: 0 },
  "image-pipeline": { shape: 0, means: 1e-6, deviations: 1e-6, samples: 1e-6 },
  "sensor-ring": { means: 2e-6, overTheEnd: 0 },
  "chirp-spectrogram": { loudest: 0, levels: 1e-6, picture: 0 },
  "pca-digits": { shares: 1e-12, errors: 1e-10, picture: 0 },
  "polynomial-regression": { coefficients: 1e-5, losses: 1e-6, fitted: 1e-5 },
};

const names = Object.keys(kBounds);

/** The figures that the NumPy twin wrote. */
const expectedOf = (name: string): Figures => JSON.parse(readFileSync(new URL(`${name}/expected.json`, kExamples), "utf8"));

/** Expects the same nesting, and numbers at most `bound` apart. */
function expectWithin(found: unknown, expected: Figure, bound: number, path: string): void {
  if (Array.isArray(expected)) {
    expect([path, Array.isArray(found) ? found.length : found]).toEqual([path, expected.length]);
    expected.forEach((each, i) => expectWithin((found as unknown[])[i], each, bound, `${path}[${i}]`));
  } else if (typeof expected === "number" && bound > 0) {
    const isNear = typeof found === "number" && Math.abs(found - expected) <= bound;
    if (!isNear) throw new Error(`${path}: ${String(found)}, and NumPy's is ${expected}, more than ${bound} apart`);
  } else {
    expect([path, found]).toEqual([path, expected]);
  }
}

afterEach(() => {
  jest.restoreAllMocks();
});

const isPage = (name: string): boolean => existsSync(new URL(`${name}/index.html`, kExamples));

test("each folder under examples but the data and the pages is a program of the list", () => {
  const folders = readdirSync(kExamples, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const found = folders.map(({ name }) => name).filter((name) => !["data", "dist"].includes(name) && !isPage(name));
  expect(found.sort()).toEqual([...names].sort());
});

/** digits-devices trains the network of digits-network by the calls of a device; `npm test` runs the other. */
const run = kLong ? names : names.filter((name) => name !== "digits-devices");

describe.each(run)("%s", (name) => {
  test("gets its NumPy twin's figures, prints a page at most, and leaves no buffer", async () => {
    const lines: string[] = [];
    jest.spyOn(console, "log").mockImplementation((text: unknown) => void lines.push(...String(text).split("\n")));
    const before = liveBuffers();
    const { result } = (await import(new URL(`${name}/${name}.js`, kExamples).href)) as { result: Figures };
    expect(liveBuffers()).toBe(before);

    const expected = expectedOf(name);
    const bounds = kBounds[name] ?? {};
    expect(Object.keys(bounds)).toEqual(Object.keys(expected));
    for (const [figure, bound] of Object.entries(bounds)) expectWithin(result[figure], expected[figure] as Figure, bound, figure);
    expect(result["copied"] ?? 0).toBe(0);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.length).toBeLessThan(45);
    expect(lines.filter((line) => line.length > 140 || /undefined|NaN/.test(line))).toEqual([]);
  });

  if (!kLong) return;
  test("runs with node, and says that no buffer is left", () => {
    const program = fileURLToPath(new URL(`${name}/${name}.js`, kExamples));
    expect(execFileSync(process.execPath, [program], { encoding: "utf8" })).toMatch(/(^|\D)0 buffers left\n$/);
  });
});
