// What the checks have in common: a folder in which the tarball is installed, the programs, and the tools.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const isWindows = process.platform === "win32";

/** Thrown by a check that cannot be made here; the message says why. */
export class Skip extends Error {}

/** Throws unless both are equal. */
export function equal(got, want, what) {
  if (got !== want) throw new Error(`${what}: got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

/** Runs a command in a folder; returns what it prints, and throws with all its output if it fails. */
export function run(command, args, cwd, env = {}) {
  const done = spawnSync(command, args, { cwd, encoding: "utf8", timeout: 120_000, env: { ...process.env, ...env }, shell: isWindows });
  if (done.status !== 0)
    throw new Error(`${command} ${args.join(" ")} ended with ${done.status ?? done.signal ?? done.error}:\n${done.stdout}${done.stderr}`);
  return done.stdout;
}

/** Installs this folder's tools, once. False where no registry can be reached. */
export function installTools() {
  const mark = join(here, "node_modules/.package-lock.json");
  // `install`, not `ci`: runtimes for other platforms may be missing from a registry, which `ci` refuses.
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  return existsSync(mark) || spawnSync("npm", args, { cwd: here, stdio: "ignore", timeout: 300_000, shell: isWindows }).status === 0;
}

/** A fresh folder in which nothing but the tarball is installed, and what checks need to know. */
export function installed(tarball, { all, hasTools }) {
  const app = mkdtempSync(join(tmpdir(), "onebuffer-app-"));
  writeFileSync(join(app, "package.json"), `${JSON.stringify({ name: "app", private: true })}\n`);
  // Offline: the package must need nothing but itself.
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", tarball], app);
  cpSync(join(here, "programs"), app, { recursive: true });
  return {
    all,
    app,
    tarball,
    package: join(app, "node_modules/onebuffer"),
    /** The folder of a tool's package. Throws Skip where the tools could not be installed. */
    tool(name) {
      if (!hasTools) throw new Skip("no registry was reached, so its tools are missing");
      return join(here, "node_modules", name);
    },
    /** Writes a file of the app; returns its path. */
    write(name, text) {
      mkdirSync(join(app, name, ".."), { recursive: true });
      writeFileSync(join(app, name), text);
      return join(app, name);
    },
    node: (...args) => run(process.execPath, args, app).trim(),
    remove: () => rmSync(app, { recursive: true, force: true }),
  };
}
