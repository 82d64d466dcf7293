// Provides a Python with TensorFlow or with JAX: finds an interpreter, makes a virtual environment in the user's cache folder (never in the
// tree) and installs the package with pip, once. If something is missing, the result is `{ skipped: why }`, not an error.
//
// ONEBUFFER_INTEROP_PYTHON names an interpreter that has TensorFlow already, ONEBUFFER_XLA_PYTHON one that has JAX; ONEBUFFER_INTEROP_CACHE
// names another folder.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The packages to install. The checks were written for this range of versions; a newer TensorFlow needs a review. */
export const kRequirements = ["tensorflow-cpu>=2.20,<2.22"];

/** Two packages, and the minor versions of Python 3 for which they are built. */
const kTensorFlow = { name: "tensorflow", title: "TensorFlow", requirements: kRequirements, megabytes: 300, least: 10, most: 13 };
const kJax = { name: "jax", title: "JAX", requirements: ["jax>=0.10,<0.11"], megabytes: 100, least: 11, most: 14 };

const kInterpreters = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10", "python"];
const kProbe = "import sys, ensurepip, venv; print(sys.executable); print('%d.%d' % sys.version_info[:2])";

/** Returns the first interpreter that can make environments and for which the package is built. */
function findInterpreter({ title, least, most }) {
  let seen = "no python3 was found";
  for (const name of kInterpreters) {
    const asked = spawnSync(name, ["-c", kProbe], { encoding: "utf8" });
    if (asked.error !== undefined) continue;
    if (asked.status !== 0) {
      seen = `${name} cannot make virtual environments: ${lastLine(asked.stderr)}`;
      continue;
    }
    const [executable, version] = asked.stdout.trim().split(/\r?\n/);
    const [major, minor] = version.split(".").map(Number);
    if (major === 3 && minor >= least && minor <= most) return { executable, version };
    seen = `${name} is Python ${version}, ${title} is built for 3.${least} to 3.${most}`;
  }
  return { skipped: seen };
}

const lastLine = (text) => text.trim().split(/\r?\n/).at(-1) ?? "";

/** Runs a program with a time limit. Returns a promise of `{ status, tail }`; the tail is the last line it wrote. */
function run(program, args, milliseconds) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    const keep = (chunk) => {
      text = (text + chunk).slice(-4000);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, milliseconds);
    const end = (status, error) => {
      clearTimeout(timer);
      const errors = text.split(/\r?\n/).filter((line) => /^ERROR/.test(line));
      resolve({ status, tail: late ? `no end within ${Math.round(milliseconds / 1000)} s` : (error ?? errors.at(-1) ?? lastLine(text)) });
    };
    child.once("error", (error) => end(1, error.message));
    child.once("close", (code) => end(code ?? 1));
  });
}

/** Returns `{ python }`, an interpreter that imports TensorFlow, or `{ skipped }`. Calls `say` before slow steps. */
export async function pythonWithTensorFlow(say, milliseconds) {
  const given = process.env.ONEBUFFER_INTEROP_PYTHON;
  return given === undefined ? await environmentWith(kTensorFlow, say, milliseconds) : { python: given };
}

/** Returns `{ python }`, an interpreter that imports JAX: that of PATH if it does; or `{ skipped }`. Calls `say` before slow steps. */
export async function pythonWithJax(say, milliseconds) {
  const given = process.env.ONEBUFFER_XLA_PYTHON;
  if (given !== undefined) return { python: given };
  if (spawnSync("python3", ["-c", "import jax"]).status === 0) return { python: "python3" };
  return await environmentWith(kJax, say, milliseconds);
}

/** Makes the environment with a package, unless it exists. */
async function environmentWith(kind, say, milliseconds) {
  const { name, requirements, megabytes } = kind;
  const found = findInterpreter(kind);
  if (found.skipped !== undefined) return found;
  const cache = process.env.ONEBUFFER_INTEROP_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "onebuffer");
  const key = createHash("sha256")
    .update(JSON.stringify([found, requirements]))
    .digest("hex")
    .slice(0, 12);
  const folder = join(cache, `${name}-py${found.version}-${key}`);
  const python = process.platform === "win32" ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python");
  const mark = join(folder, "onebuffer-ready");
  if (existsSync(mark)) return { python };
  say(`Installing ${requirements.join(", ")} for Python ${found.version} (once, some ${megabytes} MB)...`);
  // The leftovers of an interrupted attempt are deleted first.
  rmSync(folder, { recursive: true, force: true });
  try {
    mkdirSync(cache, { recursive: true });
  } catch (error) {
    return { skipped: `no cache folder: ${error.message}` };
  }
  const started = performance.now();
  const made = await run(found.executable, ["-m", "venv", folder], 120_000);
  if (made.status !== 0) return { skipped: `python -m venv: ${made.tail}` };
  const pip = ["-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet", "--only-binary", ":all:", ...requirements];
  const installed = await run(python, pip, milliseconds);
  if (installed.status !== 0) return { skipped: `pip install: ${installed.tail}` };
  writeFileSync(mark, `${requirements.join("\n")}\n`);
  say(`Installed in ${Math.round((performance.now() - started) / 1000)} s.`);
  return { python };
}
