// `npm run real-files`: reads real files of every format, and compares what is in them with MANIFEST.json and the verdicts beside it.
//
//   npm run real-files               the files of ../shared/real-files, or of ONEBUFFER_REAL_FILES
//   npm run real-files -- --dir DIR  another folder of the same form
//
// The checks are the tests of packages/io, and of the command line, whose group is called "real …": a format adds a suite with
// `describe("real … files")`, which takes its files from test-support/src/real-files.ts. Without the files it prints "skipped: why" and
// exits with 0, or with 1 under ONEBUFFER_REQUIRE_REAL_FILES=1.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = process.argv.indexOf("--dir");
const dir = at >= 0 ? process.argv[at + 1] : undefined;
if (at >= 0 && dir === undefined) throw new Error("--dir needs a folder");
const folder = dir === undefined ? resolve(root, process.env.ONEBUFFER_REAL_FILES ?? "../shared/real-files") : resolve(dir);
const manifest = join(folder, "MANIFEST.json");

if (!existsSync(manifest)) {
  process.stdout.write(`skipped: no MANIFEST.json in ${folder}\n`);
  process.exitCode = dir !== undefined || process.env.ONEBUFFER_REQUIRE_REAL_FILES === "1" ? 1 : 0;
} else {
  const counts = new Map();
  for (const { kind } of Object.values(JSON.parse(readFileSync(manifest, "utf8")))) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  process.stdout.write(`${folder}: ${[...counts].map(([kind, count]) => `${count} ${kind}`).join(", ")}\n`);
  const jest = [
    "--experimental-vm-modules",
    "node_modules/jest/bin/jest.js",
    "--testPathPatterns",
    "packages/(io/dist/test/|onebuffer/dist/test/command-line)",
    "-t",
    "^(real|verdicts of) ",
  ];
  const env = {
    ...process.env,
    ONEBUFFER_REAL_FILES: folder,
    ONEBUFFER_REAL_FILES_ALL: "1",
    ...(dir === undefined ? {} : { ONEBUFFER_REAL_FILES_OTHER: "1" }),
  };
  const { stdout, stderr, status } = spawnSync(process.execPath, jest, { cwd: root, env, encoding: "utf8", maxBuffer: 1 << 28 });
  const passed = Number(/Tests:.* (\d+) passed/.exec(stdout + stderr)?.[1] ?? 0);
  if (status !== 0 || passed === 0) process.stdout.write(stdout + stderr);
  process.stdout.write(`real files: ${passed} tests passed${status === 0 && passed > 0 ? "" : ", some failed"}\n`);
  process.exitCode = status === 0 && passed > 0 ? 0 : 1;
}
