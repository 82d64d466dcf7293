// onebuffer's long expressions, written anew for each assignment.
import { assignTogether, Tensor } from "onebuffer";

const kElements = 100;

const vector = (scale) => Tensor.from(Float32Array.from({ length: kElements }, (_, i) => ((i * scale) % 7) / 8 + 0.25)).vec();
const matrix = (scale) =>
  Tensor.from(
    Float32Array.from({ length: 64 }, (_, i) => ((i * scale) % 7) / 56),
    { shape: [8, 8] },
  ).matrix();

/** Returns a chain of operations. */
function chainOf(length, first, step) {
  let e = first;
  for (let k = 0; k < length; k++) e = step(e, k);
  return e;
}

const assigned = (make) => () => {
  const { out, write } = make();
  return { run: () => out.assign(write()) };
};

const plainStep = (b, c) => (e, k) => (k % 2 === 1 ? e.mul(b) : e.add(c));

const plain = (length) =>
  assigned(() => {
    const [a, b, c] = [1, 2, 3].map(vector);
    const step = plainStep(b, c);
    return { out: vector(1), write: () => chainOf(length, a, step) };
  });

export const plansOfOurs = {
  "chain 30 anew": plain(30),
  "chain 100 anew": plain(100),
  "chain 1000 anew": plain(1000),
  "chain 10000 anew": plain(10_000),
  "chain of constants 1000 anew": assigned(() => {
    const a = vector(1);
    return { out: vector(1), write: () => chainOf(1000, a, (e, k) => e.add(k + 0.5)) };
  }),
  "chain of shared nodes 1000 anew": assigned(() => {
    const [a, b] = [1, 2].map(vector);
    const write = () => {
      let [e, before] = [a.add(b), a];
      for (let k = 1; k < 1000; k++) [e, before] = [k % 2 === 1 ? e.add(before) : e.mul(before), e];
      return e;
    };
    return { out: vector(1), write };
  }),
  "chain of products 1000 anew": assigned(() => {
    const [a, b] = [1, 2].map(matrix);
    return { out: matrix(1), write: () => chainOf(1000, a, (e, k) => (k % 4 === 3 ? e.matMul(b) : e.add(b))) };
  }),
  "three results 1000 anew"() {
    const [a, b, c] = [1, 2, 3].map(vector);
    const outs = [1, 2, 3].map(vector);
    const step = plainStep(b, c);
    const run = () => {
      const e = chainOf(1000, a, step);
      assignTogether([e, e.add(b), e.mul(c)].map((tree, k) => [outs[k], tree]));
    };
    return { run };
  },
};
