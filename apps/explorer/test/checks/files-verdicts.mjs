// The verdicts of the panel "Files" and those of `onebuffer inspect --json` for every file of ../shared/real-files.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const kFolder = resolve(root, process.env.ONEBUFFER_REAL_FILES ?? "../shared/real-files");
const kOnlyNames = { npy: "array", TensorProto: "tensor" };
const kDataFile = /\.data-\d{5}-of-\d{5}$/;

/** Returns the files below the folder by the folder that they are directly in. */
function filesByFolder() {
  const folders = new Map();
  for (const entry of readdirSync(kFolder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const folder = entry.parentPath ?? entry.path;
    folders.set(folder, [...(folders.get(folder) ?? []), entry.name]);
  }
  return folders;
}

/** Runs the command over files. Returns by path what it printed, or the line of its error. */
function inspected(paths) {
  const command = join(root, "packages/onebuffer/bin/onebuffer.js");
  const { stdout, stderr } = spawnSync(process.execPath, [command, "inspect", "--json", "--", ...paths], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const found = new Map(
    stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => [JSON.parse(line).file, JSON.parse(line)]),
  );
  for (const path of paths) {
    const line = stderr.split("\n").find((each) => each.startsWith(`onebuffer: ${path}: `));
    if (line !== undefined) found.set(path, { error: line.slice(`onebuffer: ${path}: `.length) });
  }
  return found;
}

/** An error's text as both show it: on one line, without the path that only the command knows. */
const errorOf = (text) =>
  text
    .replaceAll(/\s*\n\s*/g, " ")
    .replace(/^NOT_FOUND: .*/, "NOT_FOUND")
    .replaceAll(/[^\x20-\x7e]/g, "?");

/** What both say of a file. */
const verdictOfPanel = ({ error, tensors }) => ({
  error: errorOf(error),
  tensors: error !== "" ? [] : tensors.map(({ key, dtype, shape, bytes, checksum }) => [key, dtype, shape, bytes, checksum]),
});
const verdictOfCommand = ({ error = "", format, tensors = [] }) => ({
  error: errorOf(error),
  tensors: tensors.map(({ name, dtype, shape, bytes, crc }) => [
    name === "" ? (kOnlyNames[format] ?? name) : name,
    dtype,
    shape,
    bytes,
    crc,
  ]),
});

/** The word that the panel shows for each end of the command. */
function wordsOf({ error = "", tensors = [] }) {
  if (error === "") return tensors.some(({ crc }) => crc === "bad") ? ["damaged"] : ["sound"];
  const code = error.split(":")[0];
  return (
    { DATA_LOSS: ["damaged"], NOT_FOUND: ["incomplete"], UNIMPLEMENTED: ["other types"] }[code] ?? ["malformed", "not a file of tensors"]
  );
}

export const filesVerdictsChecks = [
  {
    name: "files: the verdict on every real file is that of `onebuffer inspect --json`",
    browsers: ["chromium"],
    run: async (visit) => {
      if (!existsSync(join(kFolder, "MANIFEST.json"))) {
        assert.notEqual(process.env.ONEBUFFER_REQUIRE_REAL_FILES, "1", `no files in ${kFolder}`);
        return;
      }
      await visit.open("files");
      const differences = [];
      const words = new Map();
      let count = 0;
      const folders = filesByFolder();
      const command = inspected([...folders].flatMap(([folder, names]) => names.map((name) => join(folder, name))));
      for (const [folder, names] of folders) {
        await (await visit.page.$("input[type=file]")).uploadFile(...names.map((name) => join(folder, name)));
        const shown = names.filter((name) => !kDataFile.test(name) || !names.includes(name.replace(kDataFile, ".index")));
        const { files } = await visit.stateWhere(
          (state) => state.busy === "" && state.files.map(({ name }) => name).join() === shown.join(),
        );
        for (const file of files) {
          count++;
          const other = command.get(join(folder, file.name));
          words.set(file.verdict, [...(words.get(file.verdict) ?? []), file.name]);
          try {
            assert.deepEqual(verdictOfPanel(file), verdictOfCommand(other));
            assert.ok(file.isChecked || file.error !== "", "not checked");
            assert.ok(wordsOf(other).includes(file.verdict), file.verdict);
          } catch (error) {
            differences.push(`${folder}/${file.name}: ${error.message.slice(0, 300)}`);
          }
        }
        // A data file is read with its index.
        for (const name of names)
          if (!shown.includes(name))
            assert.ok(
              files.some((file) => file.name === name.replace(kDataFile, ".index")),
              name,
            );
      }
      assert.deepEqual(differences, []);
      assert.ok(count >= 300, `${count} files`);
      // Healthy files of no format, or of a program's own, are not called broken.
      const foreign = words.get("not a file of tensors") ?? [];
      for (const name of ["README", "MANIFEST.json", "saved_model.pb", "checkpoint"]) assert.ok(foreign.includes(name), name);
      process.stdout.write(`  ${count} real files: ${[...words].map(([word, list]) => `${list.length} ${word}`).join(", ")}\n`);
    },
  },
];
