// One of two processes that train together; processes.mjs starts it with the Python, the coordinator, its index and the number of steps.
// It prints a JSON object a line.
import { pathToFileURL } from "node:url";
import { evaluate, tensorMap } from "@onebuffer/eigen";
import { XlaDevice } from "@onebuffer/stablehlo/node";
import { numbers } from "./checks.mjs";

const [kRows, kColumns] = [64, 6];

const problem = () => {
  const next = numbers(21);
  const map = (...dims) => tensorMap("float32", next(dims.reduce((a, b) => a * b)), dims);
  return { x: map(kRows, kColumns), y: map(kRows, 1), w: map(kColumns, 1) };
};

/** The weights after a step of gradient descent. */
const stepped = (x, y, w) =>
  w.sub(
    x
      .transpose()
      .matMul(x.matMul(w).sub(y))
      .mul(0.1 / kRows),
  );

/** The weights after some steps on this thread. */
export function trainHere(steps) {
  const { x, y, w } = problem();
  for (let k = 0; k < steps; k++) w.copyFrom(evaluate(stepped(x, y, w)));
  return w.toArray();
}

const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function train(python, coordinator, index, steps) {
  const xla = await XlaDevice.start({
    python,
    platform: "cpu",
    devices: 4,
    mesh: { data: 8 },
    processes: { coordinator, count: 2, index },
  });
  try {
    print({ pid: xla.pid });
    const here = problem();
    const [x, y, w] = [await xla.put(here.x, ["data"]), await xla.put(here.y, ["data"]), await xla.put(here.w)];
    const started = performance.now();
    for (let k = 0; k < steps; k++) {
      await w.device(xla).assign(stepped(x, y, w));
      if (k < 5) print({ step: k });
    }
    const ms = (performance.now() - started) / steps;
    await here.w.device(xla).assign(w);
    const whole = await x.fetch();
    if (whole.toArray()[kRows - 1][0] !== here.x.at(kRows - 1, 0)) throw new Error("a fetched array lacks the rows of the other process");
    whole.dispose();
    const shards = (await x.shards()).map(({ offsets }) => offsets[0]);
    print({ weights: here.w.toArray(), devices: xla.devices.length, shards, ms });
  } finally {
    await xla.dispose();
  }
}

async function main([python, coordinator, index, steps]) {
  try {
    await train(python, coordinator, Number(index), Number(steps));
  } catch ({ code, message }) {
    print({ error: code, message });
    const again = await XlaDevice.start({ python, devices: 1 });
    await again.dispose();
    print({ error: code, message, again: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv.slice(2));
