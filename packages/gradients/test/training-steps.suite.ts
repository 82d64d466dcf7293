// Steps of training: planned once, with the same bits by the plan that was just made and by the one that is kept, also for expressions that
// are written anew for each step.
import { expect, test } from "@jest/globals";
import { liveBuffers } from "@onebuffer/allocator";
import { updateTogether } from "@onebuffer/eigen";
import type { Assigned } from "@onebuffer/eigen";
import { scope, Tensor } from "@onebuffer/core";
import type { Keep } from "@onebuffer/core";
import { adam, adamState, gradients, momentum, momentumState, rmsProp, rmsPropState, sgd } from "@onebuffer/gradients";
import { isLong } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";

const kUnits = 16;
const kRows = 8;

type Rule = (parameters: Tensor<"float32">[], keep: Keep) => (g: never) => Assigned[];

const rules: Readonly<Record<string, Rule>> = {
  sgd: (parameters) => (g) => sgd(parameters, g, { learningRate: 0.1 }),
  momentum(parameters, keep) {
    const state = momentumState(parameters).map(keep);
    return (g) => momentum(parameters, g, state as never, { learningRate: 0.1 });
  },
  adam(parameters, keep) {
    const state = adamState(parameters);
    for (const each of [state.steps, ...state.means, ...state.squares]) keep(each);
    return (g) => adam(parameters, g, state);
  },
  rmsProp(parameters, keep) {
    const state = rmsPropState(parameters).map(keep);
    return (g) => rmsProp(parameters, g, state as never);
  },
};

/** A network of layers with biases and relu. Returns its parameters and a function that writes its loss. */
function network(layers: number, keep: Keep): { parameters: Tensor<"float32">[]; lossOf: () => never } {
  const filled = (shape: number[], seed: number): Tensor<"float32"> => {
    const count = shape.reduce((product, size) => product * size, 1);
    const values = Float32Array.from({ length: count }, (_, i) => Math.sin(seed * 100 + i) / 2);
    return keep(Tensor.from(values, { shape }) as Tensor<"float32">);
  };
  const x = filled([kRows, kUnits], 1);
  const parameters = Array.from({ length: layers }, (_, k) => [filled([kUnits, kUnits], 2 * k + 2), filled([kUnits], 2 * k + 3)]).flat();
  const lossOf = (): never => {
    let h = x.matrix().add(0);
    for (let k = 0; k < layers; k++)
      h = h
        .matMul(parameters[2 * k]!.matrix())
        .add(parameters[2 * k + 1]!.vec())
        .relu();
    return h.square().mean() as never;
  };
  return { parameters, lossOf };
}

/** 2 to 32 layers have from about 30 to 600 nodes: descriptions of both kinds (compiler's run/plan-subject.ts). */
const cases = Object.keys(rules).flatMap((rule) =>
  (isLong ? [1, 2, 5, 8, 32] : rule === "sgd" ? [2, 12] : [3]).map((layers) => [rule, layers] as const),
);

test.each(cases)("%s over %i layers", (rule, layers) => {
  scope((keep) => {
    const { parameters, lossOf } = network(layers, keep);
    const out = keep(Tensor.zeros([]));
    const written = rules[rule]!(parameters, keep);
    const pairsOf = (): Assigned[] => {
      const loss = lossOf();
      return [[out, loss], ...written(gradients(loss, parameters) as never)];
    };
    const states = [...pairsOf().map(([target]) => target as unknown as Tensor<"float32">)];
    const elements = (): Uint8Array[] =>
      states.map((tensor) => new Uint8Array((tensor.flat() as never as { data: Float32Array }).data.slice().buffer));
    const before = elements();
    const restore = (): void =>
      states.forEach((tensor, k) => (tensor.flat() as never as { data: Float32Array }).data.set(new Float32Array(before[k]!.buffer)));
    const pairs = pairsOf();
    updateTogether(pairs);
    const first = elements();
    const { planned } = kernelCounts();
    for (let time = 0; time < 4; time++) {
      restore();
      // The same expressions, and others of the same structure: their plan is kept.
      updateTogether(time % 2 === 0 ? pairs : pairsOf());
      expect(elements()).toEqual(first);
    }
    const live = liveBuffers();
    for (let step = 0; step < (isLong ? 10_000 / layers : 10); step++) updateTogether(step % 2 === 0 ? pairs : pairsOf());
    expect(kernelCounts().planned).toBe(planned);
    expect(liveBuffers()).toBe(live);
  });
});
