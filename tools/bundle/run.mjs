// `node tools/bundle/run.mjs`: bundles small programs as an app's bundler does, and checks their output and size. A bundler drops a
// module that only registers something when it is loaded, unless `sideEffects` in its package.json names it; so each program uses
// something that is registered. Part of `.ci/run`; esbuild is installed in this folder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

if (!existsSync(`${here}node_modules/.package-lock.json`)) {
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = spawnSync("npm", args, { cwd: here, stdio: "inherit", shell: process.platform === "win32" });
  if (done.status !== 0) process.exit(done.status ?? 1);
}
const { buildSync } = await import("esbuild");

/** The programs: their expected output, and the most bytes they may have when minified. */
const kPrograms = [
  {
    name: "a variant tensor through its bytes",
    code: `
      import { Tensor } from "onebuffer";
      import { Variant } from "onebuffer/core";
      import { tensorProtoCodec } from "onebuffer/proto";
      const tensor = Tensor.from([new Variant(42, "int")], { dtype: "variant" });
      const again = Tensor.fromProto(tensorProtoCodec.decode(tensorProtoCodec.encode(tensor.asProtoTensorContent())));
      console.log(again.vec().at(0).get("int"));`,
    prints: "42\n",
    most: Infinity,
  },
  {
    name: "a tensor used on one thread only",
    code: `
      import { Tensor } from "onebuffer";
      const tensor = Tensor.from([[1, 2], [3, 4]]);
      console.log(tensor.matrix().at(1, 0));`,
    prints: "3\n",
    most: 1_000_000,
  },
  {
    name: "a shape",
    code: `
      import { TensorShape } from "onebuffer/shape";
      console.log(new TensorShape([2, 3]).debugString());`,
    prints: "[2,3]\n",
    most: 25_000,
  },
];

/** Bundles and runs one program. Returns a description of the failure, or null. */
function check({ name, code, prints, most }, folder) {
  const built = buildSync({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    external: ["node:*"],
    write: false,
    logLevel: "error",
  });
  const [{ contents }] = built.outputFiles;
  const path = join(folder, "program.mjs");
  writeFileSync(path, contents);
  const done = spawnSync(process.execPath, [path], { encoding: "utf8" });
  process.stdout.write(`${name}: ${contents.length} bytes, ${gzipSync(contents).length} gzipped\n`);
  if (done.stdout !== prints) return `${name}: printed ${JSON.stringify(done.stdout)}, not ${JSON.stringify(prints)}\n${done.stderr}`;
  return contents.length > most ? `${name}: ${contents.length} bytes, more than ${most}` : null;
}

const folder = mkdtempSync(join(tmpdir(), "onebuffer-bundle-"));
try {
  const wrong = kPrograms.map((program) => check(program, folder)).filter((problem) => problem !== null);
  for (const problem of wrong) process.stdout.write(`FAILED: ${problem}\n`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
