// The traps of PJRT, one check for each: what it reads unchecked, drops silently, aliases, or hangs on.
import { fileURLToPath } from "node:url";
import { mkdtempSync, openSync, closeSync, ftruncateSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allDTypes, dtypeSize, isRawDType, typedArrayConstructor } from "@onebuffer/base";
import { assignTogether, evaluate, tensorMap } from "@onebuffer/eigen";
import { toStableHLO } from "@onebuffer/stablehlo";
import { Tensor } from "@onebuffer/core";
import { kRequest, words } from "../../packages/stablehlo/dist/src/device/frame.js";
import { RunnerProcess } from "../../packages/stablehlo/dist/src/device/runner-process.js";
import { runnerPath } from "../../packages/stablehlo/dist/src/device/runner-path.js";
import { assert, equal, rejection, until, withDevice } from "./checks.mjs";

const json = (body) => Buffer.from(body.toString());
const vector = (...values) => tensorMap("float32", Float32Array.from(values), [values.length]);

/** Runs `use` with a runner of two devices that has a segment of 4096 bytes and the arrays 1, float32 [4], and 2, int32 [4]. */
async function withRunner(python, use) {
  const runner = await RunnerProcess.start([python], [runnerPath()]);
  const folder = mkdtempSync(join(tmpdir(), "onebuffer-xla-"));
  try {
    await rejection(runner.requestJson(kRequest.free, {}), "FAILED_PRECONDITION", "not started");
    await runner.requestJson(kRequest.start, { protocol: 1, devices: 2, mesh: [["x", 2]] });
    const path = join(folder, "segment");
    const file = openSync(path, "wx+");
    ftruncateSync(file, 4096);
    closeSync(file);
    await runner.requestJson(kRequest.segment, { segment: 1, path, bytes: 4096 });
    for (const [handle, dtype] of [
      [1, "float32"],
      [2, "int32"],
    ])
      await runner.requestJson(kRequest.put, slotOf({ handle, dtype })); // prettier-ignore
    return await use(runner, path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await runner.close(new Error("the end of the check"));
  }
}

/** A request to make array 3, with changes. */
const slotOf = (changes) => ({
  ...{ handle: 3, dtype: "float32", dims: [4], sharding: [null], segment: 1, offset: 0, bytes: 16, slot: 9 },
  ...changes,
});

export const trapChecks = {
  "the runner checks every dtype, size, offset and handle itself": (python) =>
    withRunner(python, async (runner, path) => {
      const put = (changes, code, text) => rejection(runner.requestJson(kRequest.put, slotOf(changes)), code, text);
      await put({ dtype: "float31" }, "UNIMPLEMENTED", "float31");
      await put({ bytes: 12 }, "INVALID_ARGUMENT", "16 bytes, not 12");
      await put({ dims: [5] }, "INVALID_ARGUMENT", "20 bytes, not 16");
      await put({ dims: [-1] }, "INVALID_ARGUMENT", "size -1");
      await put({ dims: [true] }, "INVALID_ARGUMENT", "size True");
      await put({ dims: [2 ** 39, 2 ** 39], bytes: 16 }, "OUT_OF_RANGE", "do not fit");
      await put({ dims: "4" }, "INVALID_ARGUMENT", "sizes");
      await put({ offset: 8 }, "INVALID_ARGUMENT", "multiple of 64");
      await put({ offset: 4096 }, "OUT_OF_RANGE", "do not fit segment 1");
      await put({ offset: -64 }, "INVALID_ARGUMENT", "offset -64");
      await put({ segment: 7 }, "NOT_FOUND", "segment 7");
      await put({ handle: 0 }, "INVALID_ARGUMENT", "handle 0");
      await put({ sharding: ["y"] }, "INVALID_ARGUMENT", "axis");
      await put({ sharding: ["x"], dims: [3], bytes: 12 }, "INVALID_ARGUMENT", "2 equal shards");
      await put({ sharding: ["x", "x"], dims: [2, 2] }, "INVALID_ARGUMENT", "twice");
      await put({ sharding: [null, "x"] }, "INVALID_ARGUMENT", "2 dimensions");
      const fetch = (changes, code, text) =>
        rejection(runner.requestJson(kRequest.fetch, { handle: 1, at: 0, segment: 1, offset: 0, bytes: 16, ...changes }), code, text); // prettier-ignore
      await fetch({ bytes: 20 }, "INVALID_ARGUMENT", "bytes 20");
      await fetch({ at: 4 }, "INVALID_ARGUMENT", "offset 4");
      await fetch({ handle: 5 }, "NOT_FOUND", "array 5");
      await rejection(runner.requestJson(kRequest.fill, { handle: 5, at: 0, bytes: 1, last: true }), "NOT_FOUND", "not begun");
      await rejection(runner.requestJson(kRequest.segment, { segment: 1, path, bytes: 64 }), "INVALID_ARGUMENT", "is open");
      await rejection(runner.requestJson(kRequest.segment, { segment: 2, path: "/no/such/file", bytes: 64 }), "INTERNAL", "No such file");
      await rejection(runner.requestJson(kRequest.segment, { segment: 2, path, bytes: 2 ** 60 }), "INVALID_ARGUMENT", "bytes");
      await rejection(runner.requestJson(kRequest.dropSegment, { segment: 5 }), "NOT_FOUND", "segment 5");
      await rejection(runner.requestJson(kRequest.start, { protocol: 1 }), "FAILED_PRECONDITION", "before");
      await rejection(runner.request(99), "UNIMPLEMENTED", "kind 99");
      await rejection(runner.request(kRequest.put, json("{")), "INVALID_ARGUMENT", "malformed");
      await rejection(runner.request(kRequest.put, json("[]")), "INVALID_ARGUMENT");
      await rejection(runner.request(kRequest.shards, Uint8Array.of(255)), "INVALID_ARGUMENT");

      const x = vector(1, 2, 3, 4);
      const { text } = toStableHLO([x.mul(x)], { locations: false });
      const one = { dtype: "float32", dims: [4], sharding: [null] };
      const compile = (header, body = text) => {
        const bytes = Buffer.from(JSON.stringify({ program: 1, arguments: [one], results: [one], checks: [], ...header }));
        return runner.request(kRequest.compile, words([bytes.length]), bytes, Buffer.from(body));
      };
      await rejection(compile({}, "module {"), "INTERNAL", "error");
      await rejection(compile({}, text.replace("stablehlo.multiply", "stablehlo.frobnicate")), "INTERNAL", "frobnicate");
      await rejection(compile({ results: [{ ...one, dims: [5] }] }), "INVALID_ARGUMENT");
      await rejection(compile({ arguments: [] }), "INVALID_ARGUMENT");
      await rejection(compile({ checks: ["unknown"] }), "INVALID_ARGUMENT", "unknown");
      await compile({});
      await rejection(compile({}), "INVALID_ARGUMENT", "exists");
      const run = (program, handles, inputs, outputs) => {
        const body = words([program, 0, ...handles]);
        new DataView(body.buffer).setUint16(4, inputs, true);
        new DataView(body.buffer).setUint16(6, outputs, true);
        return runner.request(kRequest.run, body);
      };
      await rejection(run(1, [2, 3], 1, 1), "INVALID_ARGUMENT", "array 2 is int32 of [4]");
      await rejection(run(1, [8, 3], 1, 1), "NOT_FOUND", "array 8");
      await rejection(run(5, [1, 3], 1, 1), "NOT_FOUND", "program 5");
      await rejection(run(1, [1, 1, 3], 2, 1), "INVALID_ARGUMENT", "2 arguments");
      await rejection(run(1, [1], 1, 1), "INVALID_ARGUMENT", "bytes");
      await rejection(runner.request(kRequest.run, words([1])), "INVALID_ARGUMENT", "bytes");
      await run(1, [1, 3], 1, 1);
      await runner.request(kRequest.drop, words([1]));
      await rejection(run(1, [1, 3], 1, 1), "NOT_FOUND", "program 1");
    }),

  "shardings are kept: of what is put, of results, and of arguments alone": (python) =>
    withDevice({ python, devices: 8, mesh: { x: 4, y: 2 } }, async (xla) => {
      const map = tensorMap(
        "float32",
        Float32Array.from({ length: 64 }, (_, k) => k),
        [8, 8],
      );
      for (const sharding of [["x"], ["y"], [null, "x"], ["x", "y"], [["x", "y"]], [null, ["y", "x"]], []]) {
        const put = await xla.put(map, sharding);
        const sum = await xla.evaluate(put.add(put));
        const parts = sharding.map((entry) => (entry === null ? 1 : [entry].flat().reduce((product, name) => product * xla.mesh[name], 1)));
        const sizes = [0, 1].map((d) => 8 / (parts[d] ?? 1));
        for (const array of [put, sum]) {
          const shards = await array.shards();
          equal(
            shards.map((shard) => shard.sizes),
            Array(8).fill(sizes),
            `the shards of ${JSON.stringify(sharding)}`,
          ); // prettier-ignore
        }
        const back = await sum.fetch();
        equal(back.toArray(), evaluate(map.mul(2)).toArray(), `the sum of ${JSON.stringify(sharding)}`);
      }
      const { text } = toStableHLO([map.add(map)], { mesh: { x: 4, y: 2 }, leaves: () => ({ sharding: ["x"] }) });
      assert(!text.includes("mhlo.sharding"), "an annotation that XLA drops silently");
    }),

  "memory that an array aliases is not used again before the array is dead": (python) =>
    withDevice({ python, devices: 1 }, async (xla) => {
      const kSize = 2 ** 16;
      const source = tensorMap("float32", new Float32Array(kSize).fill(1), [kSize]);
      const kept = await xla.put(source);
      const copies = [];
      for (let k = 2; k < 60; k++) {
        source.fill(k);
        const next = await xla.put(source);
        if (k % 3 === 0) copies.push([k, next]);
        else next.dispose();
      }
      for (const [k, map] of [[1, kept], ...copies]) {
        const tensor = await map.fetch();
        const wrong = tensor.flat().data.findIndex((value) => value !== k);
        assert(wrong < 0, `element ${wrong} of array ${k} is ${tensor.flat().data[wrong]}`);
      }
      // A result of a program that returns its operand is another array.
      const same = await xla.evaluate(kept);
      kept.dispose();
      source.fill(-1);
      await xla.put(source);
      const tensor = await same.fetch();
      equal(tensor.flat().data[kSize - 1], 1, "a result that is an operand");
      for (const [, map] of copies) map.dispose();
      same.dispose();
      await until(() => xla.usage.slots <= 1, 5, "slots are free");
    }),

  "300 launches with all-reduces that nobody waits for do not hang": (python) =>
    withDevice({ python, devices: 8, mesh: { x: 8 } }, async (xla) => {
      const a = tensorMap("float32", new Float32Array(64).fill(0.125), [8, 8]);
      const [rows, columns] = [await xla.put(a, ["x"]), await xla.put(a, [null, "x"])];
      const out = await xla.put(a, []);
      await Promise.all(Array.from({ length: 300 }, () => out.device(xla).assign(columns.matMul(rows).add(out))));
      const tensor = await out.fetch();
      equal(tensor.toArray()[7][7], 0.125 + 300 * 0.125, "the sum");
    }),

  "elements of every dtype come back as they were, in one part and in eight": (python) =>
    withDevice({ python, devices: 8, mesh: { x: 8 } }, async (xla) => {
      const raw = allDTypes.filter((dtype) => isRawDType(dtype));
      const bits = { int2: 2, uint2: 2, int4: 4, uint4: 4, float4_e2m1fn: 4 };
      for (const dtype of raw) {
        const count = 8 * 32;
        const bytes = Uint8Array.from({ length: count * dtypeSize(dtype) }, (_, k) => {
          if (dtype === "bool") return (k >> 1) & 1;
          const unsigned = k % 2 ** (bits[dtype] ?? 8);
          return dtype === "int2" || dtype === "int4" ? (unsigned << (32 - bits[dtype])) >> (32 - bits[dtype]) : unsigned;
        });
        const map = tensorMap(dtype, new (typedArrayConstructor(dtype))(bytes.buffer), [8, 32]);
        for (const sharding of [[], ["x"], [null, "x"]]) {
          const put = await xla.put(map, sharding);
          const back = await put.fetch();
          equal(
            [...new Uint8Array(back.flat().data.buffer, back.flat().data.byteOffset, bytes.length)],
            [...bytes],
            `${dtype} put and fetched`,
          );
          if (sharding[0] !== "x") continue;
          const out = tensorMap(
            dtype,
            new (typedArrayConstructor(dtype))(bytes.length / typedArrayConstructor(dtype).BYTES_PER_ELEMENT),
            [32, 8],
          );
          await out.device(xla).assign(put.shuffle([1, 0]));
          equal(
            [...new Uint8Array(out.data.buffer)],
            [...new Uint8Array(evaluate(map.shuffle([1, 0])).data.buffer)],
            `${dtype} transposed`,
          );
        }
      }
      const odd = tensorMap("bool", Uint8Array.of(0, 1, 2, 255), [4]);
      const [numbers, same] = [tensorMap("int32", new Int32Array(4), [4]), tensorMap("bool", new Uint8Array(4), [4])];
      await assignTogether(
        [
          [numbers, odd.cast("int32")],
          [same, odd.equal(true)],
        ],
        xla,
      ); // prettier-ignore
      equal(
        [numbers.toArray(), [...same.data]],
        [
          [0, 1, 1, 1],
          [0, 1, 1, 1],
        ],
        "bytes of bool that are neither 0 nor 1",
      ); // prettier-ignore
      return `${raw.length} dtypes`;
    }),

  "a target is held during the call, and one of freed memory is refused": (python) =>
    withDevice({ python, devices: 1 }, async (xla) => {
      const x = await xla.put(vector(1, 2, 3, 4));
      for (let k = 0; k < 20; k++) {
        const out = Tensor.zeros([4]);
        const operand = Tensor.ones([4]);
        const assigning = out.device(xla).assign(x.add(operand).add(k));
        out.dispose();
        operand.dispose();
        // These would get the memory of the two.
        const others = Tensor.full([4], -1);
        const more = Tensor.full([4], -2);
        await assigning;
        equal(
          [others.toArray(), more.toArray()],
          [
            [-1, -1, -1, -1],
            [-2, -2, -2, -2],
          ],
          "other tensors",
        ); // prettier-ignore
      }
      const gone = Tensor.zeros([4]);
      const map = gone.vec();
      gone.dispose();
      await rejection(map.device(xla).assign(x), "FAILED_PRECONDITION");
      await rejection(xla.put(map), "FAILED_PRECONDITION");
      const resident = await xla.put(vector(5, 6, 7, 8));
      const out = vector(0, 0, 0, 0);
      const assigning = out.device(xla).assign(resident.add(x));
      resident.dispose();
      await assigning;
      equal(out.toArray(), [6, 8, 10, 12], "an operand that was disposed during the call");
    }),

  "programs, arrays and slots do not pile up": (python) =>
    withDevice({ python, devices: 1, programs: 8 }, async (xla) => {
      const out = vector(0, 0, 0, 0);
      const x = await xla.put(vector(1, 2, 3, 4));
      for (let k = 0; k < 40; k++) await out.device(xla).assign(x.mul(out).add(1));
      equal(xla.usage.programs, 1, "programs of one structure");
      for (let k = 0; k < 20; k++) await out.device(xla).assign(x.add(k));
      equal([out.toArray(), xla.usage.programs], [[20, 21, 22, 23], 8], "programs that are kept"); // prettier-ignore
      await out.device(xla).assign(x.add(0));
      equal(out.toArray(), [1, 2, 3, 4], "a program that was dropped");
      await until(() => xla.usage.slots === 1, 5, "slots of calls are free");
    }),

  "element errors are those of assign, and leave the target as it was": (python) =>
    withDevice({ python, devices: 2 }, async (xla) => {
      const ints = (...values) => tensorMap("int32", Int32Array.from(values), [values.length]);
      const out = ints(7, 7);
      await rejection(out.device(xla).assign(ints(1, 2).div(ints(1, 0))), "INVALID_ARGUMENT", "divided by 0");
      await rejection(out.device(xla).assign(ints(1, 2).gather(ints(0, 5))), "INVALID_ARGUMENT", "out of range");
      const resident = await xla.put(out);
      await rejection(resident.device(xla).assign(resident.div(resident.sub(7))), "INVALID_ARGUMENT", "divided by 0");
      const tensor = await resident.fetch();
      equal(
        [out.toArray(), tensor.toArray()],
        [
          [7, 7],
          [7, 7],
        ],
        "the targets",
      ); // prettier-ignore
      await out.device(xla).assign(ints(9, 8).div(ints(2, 4)));
      equal(out.toArray(), [4, 2], "a division");
    }),

  "a small folder of shared memory: pieces both ways, nothing lost": (python) =>
    withDevice({ python, devices: 4, mesh: { x: 4 }, sharedMemory: { bytes: 2 ** 20 } }, async (xla) => {
      const kSize = 3 * 2 ** 20;
      const map = tensorMap(
        "int32",
        Int32Array.from({ length: kSize }, (_, k) => k),
        [kSize],
      );
      const seen = [];
      const put = await xla.put(map, ["x"], { onProgress: ({ bytes }) => seen.push(bytes) });
      equal([seen.length > 10, seen.at(-1)], [true, 4 * kSize], "the progress");
      const out = tensorMap("int32", new Int32Array(kSize), [kSize]);
      await Promise.all([out.device(xla).assign(put.add(map)), xla.put(map)]);
      const wrong = out.data.findIndex((value, k) => value !== 2 * k);
      assert(wrong < 0, `element ${wrong} is ${out.data[wrong]}`);
      assert(xla.usage.sharedBytes <= 2 ** 20, `${xla.usage.sharedBytes} bytes of shared memory`);
      const controller = new AbortController();
      const putting = xla.put(map, [], { signal: controller.signal, onProgress: () => controller.abort("enough") });
      await rejection(putting, "CANCELLED", "enough");
    }),

  "a Python without JAX, and a program that is no Python": async (python) => {
    const folder = mkdtempSync(join(tmpdir(), "onebuffer-xla-"));
    try {
      const bare = join(folder, "bare-python");
      writeFileSync(bare, `#!/bin/sh\nexec '${python}' -S -E "$@"\n`, { mode: 0o755 });
      await rejection(
        withDevice({ python: bare }, () => {}),
        "FAILED_PRECONDITION",
        "pip install jax",
      );
      await rejection(
        withDevice({ python: "/bin/false" }, () => {}),
        "UNAVAILABLE",
        "exit code 1",
      );
      await rejection(
        withDevice({ python: fileURLToPath(import.meta.url) }, () => {}),
        "FAILED_PRECONDITION",
        "cannot be run",
      );
      await rejection(
        withDevice({ python, devices: 2, platform: "nothing" }, () => {}),
        "FAILED_PRECONDITION",
        "nothing",
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
