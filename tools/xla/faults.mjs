// Faults: each is an error within 15 s, this process lives on, nothing is left, and the next start works.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tensorMap } from "@onebuffer/eigen";
import { XlaDevice } from "@onebuffer/stablehlo/node";
import { runnerPath } from "../../packages/stablehlo/dist/src/device/runner-path.js";
import { assert, equal, isRunning, leftovers, rejection, until, withDevice } from "./checks.mjs";

const kSeconds = 15;

let warm;

/** Runs `cause` beside a call that takes long; returns the seconds until the call failed. The next start must work. */
async function faultOf(options, call, cause, code, text) {
  // The first process that Node starts opens a file that stays open.
  await (warm ??= works(options));
  const before = leftovers();
  const xla = await XlaDevice.start(options);
  const failing = rejection(call(xla), code, text);
  const started = performance.now();
  await cause(xla);
  await failing;
  const seconds = (performance.now() - started) / 1000;
  assert(seconds < kSeconds, `the error came after ${seconds} s`);
  const { pid } = xla;
  await xla.dispose();
  assert(!isRunning(pid), "the process still runs");
  equal(leftovers(), before, "what is left");
  await works(options);
  return `${seconds.toFixed(2)} s`;
}

/** A start and a call. */
const works = ({ python }) =>
  withDevice({ python, devices: 2 }, async (xla) => {
    const out = tensorMap("float32", new Float32Array(2), [2]);
    await out.device(xla).assign(out.add(1));
    equal(out.toArray(), [1, 1], "the next result");
  });

const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A product that takes a processor some minutes. */
const endless = async (xla) => {
  const x = await xla.put(tensorMap("float32", new Float32Array(2048 * 2048), [2048, 2048]));
  let product = x;
  for (let k = 0; k < 200; k++) product = product.matMul(x);
  await xla.evaluate(product);
};

/** Runs a Node program; returns it, with the lines that it prints. */
function program(text, ...args) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", text, ...args], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = [];
  child.stdout.on("data", (chunk) =>
    lines.push(
      ...String(chunk)
        .split("\n")
        .filter((line) => line !== ""),
    ),
  ); // prettier-ignore
  const exit = new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code)));
  return { child, lines, exit };
}

const kStart = `import { XlaDevice } from "@onebuffer/stablehlo/node"; import { tensorMap } from "@onebuffer/eigen";
const xla = await XlaDevice.start({ python: process.argv[1], devices: 1 });
const map = await xla.put(tensorMap("float32", new Float32Array(4), [4]));
console.log(xla.pid);`;

export const faultChecks = {
  "the runner is killed in the middle of a program": (python) =>
    faultOf({ python, devices: 2 }, endless, (xla) => later(1500).then(() => process.kill(xla.pid, "SIGKILL")), "UNAVAILABLE", "SIGKILL"),

  "the runner is killed in the middle of a transfer": (python) =>
    faultOf(
      { python, devices: 1, sharedMemory: { bytes: 2 ** 18 } },
      (xla) => xla.put(tensorMap("float32", new Float32Array(2 ** 24), [2 ** 24])),
      (xla) => later(20).then(() => process.kill(xla.pid, "SIGKILL")),
      "UNAVAILABLE",
      "SIGKILL",
    ),

  "the runner is disposed in the middle of a program": (python) =>
    faultOf({ python, devices: 2 }, endless, (xla) => later(1500).then(() => xla.dispose()), "CANCELLED", "disposed"),

  "garbage comes from the runner": async (python) => {
    const folder = mkdtempSync(join(tmpdir(), "onebuffer-xla-"));
    try {
      writeFileSync(
        join(folder, "noisy.py"),
        "import os, runpy, sys, threading\nthreading.Timer(6, lambda: os.write(3, b'\\xff' * 100)).start()\nsys.argv = sys.argv[1:]\nrunpy.run_path(sys.argv[0], run_name='__main__')\n",
      );
      const noisy = join(folder, "python");
      writeFileSync(noisy, `#!/bin/sh\nexec '${python}' '${join(folder, "noisy.py")}' "$@"\n`, { mode: 0o755 });
      return await faultOf({ python: noisy, devices: 1 }, endless, () => {}, "DATA_LOSS", "frame of 4294967295 bytes");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },

  "garbage comes to the runner: it ends": async (python) => {
    for (const garbage of [Buffer.alloc(100, 0xff), Buffer.from("GET / HTTP/1.1\r\n\r\n"), Buffer.from([4, 0, 0, 0, 1, 0, 0, 0, 0])]) {
      // With -I Python does not search the program's folder, where the protocol is.
      const child = spawn(python, ["-I", runnerPath()], { stdio: ["ignore", "ignore", "pipe", "pipe"] });
      let printed = "";
      child.stderr.on("data", (chunk) => (printed += chunk));
      const exit = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
      child.stdio[3].on("error", () => {});
      child.stdio[3].write(garbage);
      equal(await exit, 1, "the exit code");
      assert(printed.includes("DATA_LOSS: a frame of"), printed);
    }
  },

  "a device has no memory: an error, and the next call works": (python) =>
    withDevice({ python, devices: 2, mesh: { x: 2 } }, async (xla) => {
      const one = tensorMap("float32", Float32Array.of(1), [1]);
      const x = await xla.put(one);
      const started = performance.now();
      await rejection(xla.evaluate(x.broadcast([2 ** 20, 2 ** 20]).add(x)), "RESOURCE_EXHAUSTED");
      assert(performance.now() - started < kSeconds * 1000, "late");
      const out = tensorMap("float32", new Float32Array(1), [1]);
      await out.device(xla).assign(x.add(1));
      equal(out.toArray(), [2], "the next result");
    }),

  "Node is killed: the runner ends, no file is left": async (python) => {
    const before = leftovers();
    const { child, lines, exit } = program(`${kStart} setInterval(() => {}, 1000);`, python);
    await until(() => lines.length > 0, 30, "the start");
    const pid = Number(lines[0]);
    assert(isRunning(pid), "the runner does not run");
    child.kill("SIGKILL");
    equal(await exit, "SIGKILL", "the end of Node");
    const seconds = await until(() => !isRunning(pid), kSeconds, "the end of the runner");
    equal(leftovers().shared, before.shared, "files");
    return `${seconds.toFixed(1)} s`;
  },

  "a program that forgets the device ends, and the runner with it": async (python) => {
    const { lines, exit } = program(kStart, python);
    equal(await exit, 0, "the exit code");
    await until(() => !isRunning(Number(lines[0])), kSeconds, "the end of the runner");
  },
};
