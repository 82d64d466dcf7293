// Provides a Python with TensorFlow for run.mjs: finds an interpreter, makes a virtual environment in the user's cache folder
// (never in the tree) and installs TensorFlow with pip, once. If something is missing, the result is `{ skipped: why }`, not an
// error.
//
// ONEBUFFER_INTEROP_PYTHON names an interpreter that has TensorFlow already; ONEBUFFER_INTEROP_CACHE another folder.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The packages to install. The checks were written for this range of versions; a newer TensorFlow needs a review. */
export const kRequirements = ["tensorflow-cpu>=2.20,<2.22"];

const kInterpreters = ["python3", "python3.13", "python3.12", "python3.11", "python3.10", "python"];
const kProbe = "import sys, ensurepip, venv; print(sys.executable); print('%d.%d' % sys.version_info[:2])";

/** Returns the first interpreter that can make environments and for which TensorFlow is built. */
function findInterpreter() {
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
    if (major === 3 && minor >= 10 && minor <= 13) return { executable, version };
    seen = `${name} is Python ${version}, TensorFlow is built for 3.10 to 3.13`;
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
  if (given !== undefined) return { python: given };
  const found = findInterpreter();
  if (found.skipped !== undefined) return found;
  const cache = process.env.ONEBUFFER_INTEROP_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "onebuffer");
  const key = createHash("sha256")
    .update(JSON.stringify([found, kRequirements]))
    .digest("hex")
    .slice(0, 12);
  const folder = join(cache, `tensorflow-py${found.version}-${key}`);
  const python = process.platform === "win32" ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python");
  const mark = join(folder, "onebuffer-ready");
  if (existsSync(mark)) return { python };
  say(`Installing ${kRequirements.join(", ")} for Python ${found.version} (once, some 300 MB)...`);
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
  const pip = ["-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet", "--only-binary", ":all:", ...kRequirements];
  const installed = await run(python, pip, milliseconds);
  if (installed.status !== 0) return { skipped: `pip install: ${installed.tail}` };
  writeFileSync(mark, `${kRequirements.join("\n")}\n`);
  say(`Installed in ${Math.round((performance.now() - started) / 1000)} s.`);
  return { python };
}
