// Operations on whole arrays at sizes on both sides of the edges of blocks, and indices out of range.
import { bincount, iota, statelessNormal, statelessUniform, tensorMap } from "@onebuffer/eigen";
import { markedCumsum, scaledCumsum } from "@onebuffer/expression/internal";
import { gradients } from "@onebuffer/gradients";
import { WebGpuDevice } from "@onebuffer/webgpu";
import { difference, newMap } from "./compared.mjs";
import { randomMaps } from "./random-maps.mjs";

const { floats, integers } = randomMaps(7);

/** The gradient of a sum of squares of what `scan` makes of rows of numbers. */
const gradientOf = (scan) => {
  const x = floats([3, 40]);
  return gradients(scan(x).square().sum(), [x])[0];
};

const kCases = {
  "a gather of many rows": () => floats([50, 40]).gather(integers([700], 50)),
  "a gather along the last axis": () =>
    floats([30, 9])
      .add(1)
      .gather(integers([4, 5], 9), 1),
  "a line of one block": () => integers([1024], 100).cumsum(),
  "a line of several blocks": () => integers([1025], 100).cumsum(0, { exclusive: true }),
  "blocks from the end": () => integers([3, 2100, 2], 1000).cumsum(1, { reverse: true }),
  "the largest of several blocks": () => floats([2, 3000]).cummax(1),
  "a scan of what is computed": () => integers([2000], 9).mul(3).cumsum().sub(1),
  "a scaled sum of long lines": () => {
    const dims = [2, 3000, 3];
    return scaledCumsum(floats(dims), floats(dims, 1.5), floats(dims), 1, { exclusive: true });
  },
  "sums that end at marks": () =>
    markedCumsum(floats([3000]), integers([3000], 3).cast("float32"), integers([3000], 3).cast("float32"), 0, {}),
  "the gradient of running products": () => gradientOf((x) => x.abs().add(0.5).cumprod(1)),
  "the gradient of the largest so far": () => gradientOf((x) => x.cummax(1)),
  "the gradient of the least so far": () => gradientOf((x) => x.cummin(1, { reverse: true })),
  "an order within one block": () => floats([3, 1024]).sort(),
  "an order across blocks": () => integers([2, 5000], 700).argsort(-1, { descending: true }),
  "an order with NaN and zeros": () => floats([4100]).mul(3).round().sqrt().mul(-1).sort(0),
  "many short lines": () => floats([3000, 5]).sort(-1, { descending: true }),
  "sums of equal rows in their order": () => floats([9, 3]).scatter(integers([3000], 9), floats([3000, 3]), 0, { reduction: "add" }),
  "infinite powers among others, in whole workgroups and in a part of one": () => floats([2500], 120).abs().exp(),
  "powers in a body that is too long to be written four times": () => {
    const x = floats([2500], 100).abs();
    return x.exp().add(x.exp2()).add(x.expm1()).add(x.tanh()).add(x.erf());
  },
  "float16 sums of equal rows, rounded once": () =>
    floats([9, 3])
      .cast("float16")
      .scatter(integers([300], 9), floats([300, 3]).cast("float16"), 0, { reduction: "add" }),
  "infinity times the 0 of an axis of one element": () =>
    floats([1, 5])
      .add(200)
      .exp()
      .mul(iota("float32", [1, 5], 0)),
  "the last of equal rows": () => floats([300]).scatter(integers([2000], 300), floats([2000])),
  "how often numbers occur, of which some are too large": () => bincount(integers([500], 40), 30),
  "zeros of both signs in a running product": () => tensorMap("float32", Float32Array.of(-0, -1, 3, 0, -2, 5), [6]).cumprod(),
  "normal numbers": () => statelessNormal("float32", [5000], [3, 4]),
  "integers of a range": () => statelessUniform("uint32", [5001], [3, 4], { minval: 7, maxval: 1000 }),
};

const kErrors = {
  "an index behind the end": () => floats([5, 3]).gather(tensorMap("int32", Int32Array.of(1, 5), [2])),
  "a negative index": () => floats([5, 3]).gather(tensorMap("int64", BigInt64Array.of(-1n, 0n), [2])),
  "an index whose row is not used": () =>
    floats([5, 3])
      .gather(tensorMap("int32", Int32Array.of(1, 9), [2]))
      .slice([0, 1], [0, 3])
      .add(1),
  "an update behind the end": () => floats([5]).scatter(tensorMap("int32", Int32Array.of(5), [1]), floats([1])),
};

/** Compares the cases with the evaluator, and checks that errors are errors. */
export async function arrayChecks(gpu, report) {
  const device = await WebGpuDevice.create({ gpu });
  for (const [name, make] of Object.entries(kCases)) {
    const answer = await difference(device, make());
    if (answer.agrees) report.pass();
    else report.fail(name, answer.differs ?? answer.skipped);
  }
  for (const [name, make] of Object.entries(kErrors)) {
    const root = make();
    const code = await newMap(root)
      .device(device)
      .assign(root)
      .then(
        () => "none",
        (error) => error.code,
      );
    if (code === "INVALID_ARGUMENT") report.pass();
    else report.fail(name, `the error is ${code}`);
  }
  await device.dispose();
}
