// onebuffer's Fourier transforms.
import { Tensor } from "onebuffer";
import { DefaultDevice, ThreadPoolDevice } from "onebuffer/eigen";
import { fft, fft2d, rfft } from "onebuffer/signal";
import { isReal, kAllTransforms, meanOf, signalOf } from "../signal-data.mjs";
import { floats } from "../data.mjs";

/** Returns complex numbers of adjacent parts, as a tensor. */
function complexTensor(parts, shape) {
  const tensor = Tensor.zeros(shape, { dtype: "complex64" });
  tensor.flat().data.set(parts);
  return tensor;
}

const caseOf = (name, isWhole) => () => {
  const shape = kAllTransforms[name];
  const operand =
    isReal(name) && !isWhole
      ? Tensor.from(signalOf(name), { shape })
      : complexTensor(isWhole ? floats(2 * shape[0]) : signalOf(name), shape);
  const x = shape.length === 1 ? operand.vec() : operand.matrix();
  const expression = name.startsWith("fft2d") ? fft2d(x) : isReal(name) && !isWhole ? rfft(x) : fft(x);
  const result = Tensor.zeros(expression.dimensions, { dtype: "complex64" });
  const out = shape.length === 1 ? result.vec() : result.matrix();
  return {
    run: () => out.assign(expression),
    checksum: isWhole ? undefined : () => meanOf(result.flat().data),
    free() {
      operand.dispose();
      result.dispose();
    },
  };
};

/** Returns the case of rows on a device. */
export const rowsOn = (deviceOf) => async () => {
  const device = await deviceOf();
  const operand = complexTensor(floats(2 * 4096 * 1024), [4096, 1024]);
  const expression = fft(operand.matrix());
  const result = Tensor.zeros([4096, 1024], { dtype: "complex64" });
  return {
    run: () => result.device(device).assignSync(expression),
    checksum: () => meanOf(result.flat().data),
    free() {
      operand.dispose();
      result.dispose();
      void device.dispose?.();
    },
  };
};

export const signalOfOurs = {
  ...Object.fromEntries(Object.keys(kAllTransforms).map((name) => [name, caseOf(name, false)])),
  "fft 4096 rows, two threads": rowsOn(async () => {
    const pool = new ThreadPoolDevice(2);
    await pool.ready();
    return pool;
  }),
};

/** What `by-hand` and `whole` have: the same work on one thread, and complex numbers in place of real ones. */
export const rowsOnOneThread = { "fft 4096 rows, two threads": rowsOn(async () => new DefaultDevice()) };
export const wholeOfOurs = Object.fromEntries(
  Object.keys(kAllTransforms)
    .filter(isReal)
    .map((name) => [name, caseOf(name, true)]),
);
