// Programs sharded over eight virtual devices give the results of one thread, and their results are divided as they should be.
import { assignTogether, concatenate, evaluate, select, tensorMap } from "@onebuffer/eigen";
import { equal, near, numbers, withDevice } from "./checks.mjs";

const kBound = 2e-6;

const random = (seed, dims) => tensorMap("float32", numbers(seed)(dims.reduce((a, b) => a * b, 1)), dims);

/** The sizes of the shards, and the number of different ones. */
async function shardsOf(map) {
  const shards = await map.shards();
  const places = new Set(shards.map(({ offsets }) => offsets.join()));
  return [shards.length, places.size, shards[0].sizes];
}

/** Fetches an XlaMap as nested arrays. */
async function fetched(map) {
  const tensor = await map.fetch();
  try {
    return tensor.toArray();
  } finally {
    tensor.dispose();
  }
}

export const resultChecks = {
  "a data-parallel product: rows on eight devices": (python) =>
    withDevice({ python, devices: 8, mesh: { data: 8 } }, async (xla) => {
      const [x, w] = [random(1, [64, 48]), random(2, [48, 40])];
      const rows = await xla.put(x, ["data"]);
      const weights = await xla.put(w);
      const product = await xla.evaluate(rows.matMul(weights));
      equal(product.sharding, ["data", null], "the sharding that XLA chose");
      equal(await shardsOf(product), [8, 8, [8, 40]], "the shards of the product");
      equal(await shardsOf(weights), [8, 1, [48, 40]], "the shards of the weights");
      const host = tensorMap("float32", new Float32Array(64 * 40), [64, 40]);
      await host.device(xla).assign(rows.matMul(weights));
      const expected = evaluate(x.matMul(w)).toArray();
      near(host.toArray(), expected, kBound, "in this process");
      return `off by ${near(await fetched(product), expected, kBound, "the product")}`;
    }),

  "a row-sharded product: the summed dimension on eight devices, added up by an all-reduce": (python) =>
    withDevice({ python, devices: 8, mesh: { x: 8 } }, async (xla) => {
      const [a, b] = [random(3, [32, 64]), random(4, [64, 24])];
      const columns = await xla.put(a, [null, "x"]);
      const rows = await xla.put(b, ["x"]);
      equal(await shardsOf(columns), [8, 8, [32, 8]], "the shards of the columns");
      equal(await shardsOf(rows), [8, 8, [8, 24]], "the shards of the rows");
      const product = await xla.evaluate(columns.matMul(rows), []);
      equal(await shardsOf(product), [8, 1, [32, 24]], "the shards of the sum");
      const scattered = await xla.evaluate(columns.matMul(rows), ["x"]);
      equal(await shardsOf(scattered), [8, 8, [4, 24]], "the shards of the scattered sum");
      const expected = evaluate(a.matMul(b)).toArray();
      near(await fetched(scattered), expected, kBound, "the scattered sum");
      return `off by ${near(await fetched(product), expected, kBound, "the product")}`;
    }),

  "the forward pass of a network: four parts of the data by two of the units": (python) =>
    withDevice({ python, devices: 8, mesh: { data: 4, model: 2 } }, async (xla) => {
      const [x, w1, b1, w2, b2] = [random(5, [32, 24]), random(6, [24, 16]), random(7, [16]), random(8, [16, 10]), random(9, [10])];
      const forward = (x, w1, b1, w2, b2) => x.matMul(w1).add(b1).relu().matMul(w2).add(b2).softmax();
      const rows = await xla.put(x, ["data"]);
      const columns = await xla.put(w1, [null, "model"]);
      const bias = await xla.put(b1, ["model"]);
      const joined = await xla.put(w2, ["model"]);
      const last = await xla.put(b2);
      const out = await xla.evaluate(forward(rows, columns, bias, joined, last), ["data"]);
      equal(await shardsOf(columns), [8, 2, [24, 8]], "the shards of the weights");
      equal(await shardsOf(out), [8, 4, [8, 10]], "the shards of the probabilities");
      return `off by ${near(await fetched(out), evaluate(forward(x, w1, b1, w2, b2)).toArray(), kBound, "the probabilities")}`;
    }),

  "twenty steps of training, weights in place": (python) =>
    withDevice({ python, devices: 8, mesh: { data: 8 } }, async (xla) => {
      const [x, y] = [random(10, [64, 12]), random(11, [64, 3])];
      const weights = [random(12, [12, 16]), random(13, [16, 3])];
      const here = weights.map((map) => tensorMap("float32", map.data.slice(), map.dimensions));
      const [rows, wanted] = [await xla.put(x, ["data"]), await xla.put(y, ["data"])];
      const there = [await xla.put(here[0]), await xla.put(here[1])];
      const step = (x, y, [w1, w2]) => {
        const h = x.matMul(w1).tanh();
        const error = h
          .matMul(w2)
          .sub(y)
          .mul(2 / 64);
        const back = error.matMul(w2.transpose()).mul(h.square().neg().add(1));
        return [
          [w1, w1.sub(x.transpose().matMul(back).mul(0.1))],
          [w2, w2.sub(h.transpose().matMul(error).mul(0.1))],
        ];
      };
      for (let k = 0; k < 20; k++) {
        assignTogether(step(x, y, weights));
        await assignTogether(step(rows, wanted, there), xla);
      }
      equal(await shardsOf(there[0]), [8, 1, [12, 16]], "the shards of the weights");
      // w1 is read by the second assignment, so that the two are separate programs; each is compiled once.
      equal(xla.usage.programs <= 2, true, "the number of programs");
      return `off by ${Math.max(...(await Promise.all(there.map(fetched))).map((map, k) => near(map, weights[k].toArray(), 1e-5, "the weights")))}`;
    }),

  "assignments one after the other read what earlier ones wrote; strided, empty and scalar operands": (python) =>
    withDevice({ python, devices: 2 }, async (xla) => {
      const memory = tensorMap(
        "float32",
        Float32Array.from({ length: 12 }, (_, k) => k),
        [3, 4],
      );
      const [a, b] = [tensorMap("float32", new Float32Array(3), [3]), tensorMap("float32", new Float32Array(3), [3])];
      await assignTogether(
        [
          [a, memory.sum([1])],
          [b, a.mul(2)],
        ],
        xla,
      ); // prettier-ignore
      equal(
        [a.toArray(), b.toArray()],
        [
          [6, 22, 38],
          [12, 44, 76],
        ],
        "two assignments",
      ); // prettier-ignore
      const turned = memory.strided("::-1, ::2").transpose();
      const out = tensorMap("float32", new Float32Array(20), [4, 5]);
      await out.strided("1:3, ::-2").device(xla).assign(turned.add(0.5));
      equal(
        out.toArray(),
        [
          [0, 0, 0, 0, 0],
          [0.5, 0, 4.5, 0, 8.5],
          [2.5, 0, 6.5, 0, 10.5],
          [0, 0, 0, 0, 0],
        ],
        "strided maps",
      ); // prettier-ignore
      await memory.device(xla).assign(memory.reverse([0]).sub(memory));
      equal(memory.toArray()[0], [8, 8, 8, 8], "a target that is an operand");
      const empty = tensorMap("float32", new Float32Array(0), [0, 3]);
      const sum = tensorMap("float32", Float32Array.of(1, 1, 1), [3]);
      await sum.device(xla).assign(empty.sum([0]));
      equal(sum.toArray(), [0, 0, 0], "the sum of no rows");
      const scalar = tensorMap("int64", BigInt64Array.of(3n), []);
      await scalar.device(xla).addAssign(2n ** 40n);
      equal(String(scalar.item()), String(2n ** 40n + 3n), "a scalar");
      const both = tensorMap("int32", new Int32Array(4), [4]);
      await both.device(xla).assign(select(both.equal(0), 7, concatenate([both, both]).slice([0, 4])));
      equal(both.toArray(), [7, 7, 7, 7], "an int32 target");
    }),
};
