// Two processes, each a Node program with a runner of its own, joined by JAX on this machine: they compute together, and notice when the
// other one dies.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { XlaDevice } from "@onebuffer/stablehlo/node";
import { assert, equal, isRunning, leftovers, near, rejection, until } from "./checks.mjs";
import { trainHere } from "./group-member.mjs";

const kSeconds = 15;

/** Returns a port that is free at the moment. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Starts member `index` of two; `steps` is Infinity for one that goes on until something fails. */
function member(python, port, index, steps) {
  const path = fileURLToPath(new URL("./group-member.mjs", import.meta.url));
  const child = spawn(process.execPath, [path, python, `127.0.0.1:${port}`, String(index), String(steps)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines = [];
  let printed = "";
  child.stdout.on("data", (chunk) =>
    lines.push(
      ...String(chunk)
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
    ),
  ); // prettier-ignore
  child.stderr.on("data", (chunk) => (printed += chunk));
  const exit = new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code)));
  return { child, lines, exit, printed: () => printed };
}

async function survivorOf(python, killed) {
  const before = leftovers().shared;
  const port = await freePort();
  const members = [member(python, port, 0, Infinity), member(python, port, 1, Infinity)];
  try {
    await until(
      () => members.every(({ lines }) => lines.some(({ step }) => step >= 3)),
      60,
      `the first steps ${members.map(({ printed }) => printed())}`,
    );
    const pids = members.map(({ lines }) => lines[0].pid);
    const started = performance.now();
    process.kill(pids[killed], "SIGKILL");
    const survivor = members[1 - killed];
    await until(() => survivor.lines.some(({ error }) => error !== undefined), kSeconds, "the error of the survivor");
    const seconds = (performance.now() - started) / 1000;
    equal(survivor.lines.at(-1).error, "UNAVAILABLE", `the code of ${survivor.lines.at(-1).message}`);
    // The survivor's program lives on: it starts another device and ends by itself.
    equal(await survivor.exit, 0, "the exit code of the survivor");
    equal(survivor.lines.at(-1).again, true, "the next start");
    await members[killed].exit;
    await until(() => !pids.some(isRunning), kSeconds, "the end of the runners");
    equal(leftovers().shared, before, "files");
    return `${seconds.toFixed(1)} s`;
  } finally {
    for (const { child } of members) child.kill("SIGKILL");
  }
}

export const processChecks = {
  "training on two processes of four devices each gives the weights of one thread": async (python) => {
    const port = await freePort();
    const members = [member(python, port, 0, 30), member(python, port, 1, 30)];
    try {
      for (const { exit, printed } of members) equal(await exit, 0, printed());
    } finally {
      for (const { child } of members) child.kill("SIGKILL");
    }
    const [first, second] = members.map(({ lines }) => lines.at(-1));
    equal(first.weights, second.weights, "the weights of the two");
    equal([first.devices, first.shards, second.shards], [8, [0, 8, 16, 24], [32, 40, 48, 56]], "devices, and the rows of each"); // prettier-ignore
    return `off by ${near(first.weights, trainHere(30), 1e-5, "the weights")}, ${first.ms.toFixed(1)} ms a step`;
  },

  "a peer that does not come": async (python) => {
    const processes = { coordinator: `127.0.0.1:${await freePort()}`, count: 2, index: 0, joinSeconds: 3 };
    const started = performance.now();
    await rejection(XlaDevice.start({ python, platform: "cpu", devices: 1, processes }), "UNAVAILABLE");
    assert(performance.now() - started < 1000 * kSeconds, "late");
  },

  "a peer is killed: the survivor, which coordinates, has an error": (python) => survivorOf(python, 1),

  "the coordinator is killed: the survivor has an error": (python) => survivorOf(python, 0),
};

assert(process.platform !== "win32", "XlaDevice needs Linux or macOS");
