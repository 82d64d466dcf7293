// The panel "On a GPU": without WebGPU, and in a Chromium that has it through SwiftShader.
import assert from "node:assert/strict";
import { checkLooks } from "./looks.mjs";

/** Opens the panel and waits until it knows whether there is a GPU. */
async function opened(visit, address) {
  await visit.open(address);
  return visit.stateWhere(({ search }) => search !== "looking", "that the search for a GPU ends");
}

/** Opens the panel in a browser with a GPU. Prints "skipped" and returns null where it finds none. */
async function openedOnGpu(visit, address) {
  const state = await opened(visit, address);
  if (state.search === "found") return state;
  assert.notEqual(process.env.ONEBUFFER_REQUIRE_WEBGPU, "1", state.missing);
  process.stdout.write(`  skipped: no adapter in ${visit.browserName}: ${state.missing}\n`);
  return null;
}

/** Presses the button and returns the results by place. */
async function computed(visit) {
  await visit.pressButton("Compute it in all places");
  const { results, error } = await visit.stateWhere((state) => !state.isRunning && (state.results.length > 0 || state.error !== ""));
  assert.equal(error, "");
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

export const gpuChecks = [
  {
    name: "gpu: without a GPU the panel says so, shows the shaders and compares the threads",
    run: async (visit) => {
      const { search, missing, shaders, kernels, numerics } = await opened(visit, "gpu?text=exp(x) %2B 1&tensors=x: 4, 100");
      assert.deepEqual([search, numerics], ["none", null]);
      assert.match(missing, /^(NOT_FOUND|UNAVAILABLE): /);
      assert.match(await visit.text(), /This page has no GPU: (NOT_FOUND|UNAVAILABLE)/);
      assert.deepEqual([kernels.map(({ by }) => by), shaders.map(({ form }) => form)], [["map"], ["map"]]);
      assert.match(await visit.text('[aria-label="WGSL of step 1"]'), /@compute @workgroup_size/);
      assert.match(await visit.text('[aria-label="WebAssembly of step 1"]'), /f32x4\.add/);
      const results = await computed(visit);
      assert.deepEqual(
        Object.values(results).map(({ equal, differing, ulp }) => [equal, differing, ulp]),
        [
          [400, 0, 0],
          [400, 0, 0],
        ],
      );
      await visit.click("not for a GPU");
      const refused = await visit.state();
      assert.equal(refused.refusal, "UNIMPLEMENTED: WGSL has no floats of 64 bits");
      assert.deepEqual([refused.shaders, refused.kernels.length > 0, refused.results], [[], true, []]);
    },
  },
  {
    name: "gpu: an order has the same bits on the GPU, sums differ in the last ones, and what it refuses is left out",
    webgpu: true,
    run: async (visit) => {
      const state = await openedOnGpu(visit, "gpu?text=tanh(x) * exp(y)&tensors=x: 32, 100; y: 32, 100");
      if (state === null) return;
      assert.equal(state.numerics.divisionUlp, 0);
      const functions = await computed(visit);
      // With relaxed SIMD a product and a sum are rounded once here: each function is then at most 1 ulp away.
      const { equal: same, differing: other, ulp: most } = functions["the GPU"];
      assert.equal(same + other, 3200);
      assert.ok(state.isRelaxed ? other < 320 && most <= 3 : other === 0, JSON.stringify(functions["the GPU"]));
      await visit.click("an order");
      assert.deepEqual([(await computed(visit))["the GPU"].equal, (await visit.state()).results.length], [64000, 3]);
      assert.match(await visit.text('[aria-label="Elements of each place"]'), /the GPU.*64,000/s);
      await visit.click("a layer");
      const layer = await computed(visit);
      const { equal, differing, ulp, listed } = layer["the GPU"];
      assert.equal(equal + differing, 64 * 64);
      assert.ok(differing > 0 && listed.length > 0 && ulp > 0, JSON.stringify(layer));
      assert.match(await visit.text(), /element \d+/);
      await visit.click("not for a GPU");
      assert.deepEqual(Object.keys(await computed(visit)).includes("the GPU"), false);
    },
  },
  {
    name: "gpu: with a GPU the panel has no serious fault in light, dark and narrow",
    webgpu: true,
    run: async (visit) => {
      if ((await openedOnGpu(visit, "gpu?text=softmax(x)&tensors=x: 32, 100")) === null) return;
      await computed(visit);
      await checkLooks(visit, "gpu-found");
    },
  },
];
