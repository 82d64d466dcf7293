// Errors of sums of float32 beside those of the kernels of this process: the figures of docs/webgpu.md.
import { WebGpuDevice } from "@onebuffer/webgpu";
import { newMap } from "./compared.mjs";
import { randomMaps } from "./random-maps.mjs";

const kSize = 512;
/** Half of the distance of 1 from the next float32. */
const kUnit = 2 ** -24;

/**
 * Returns the trees, each with the function that gives term k of its element in a row and a column, and with the largest error that it may
 * have, in kUnit of the magnitudes. Sums keep what the additions lose, so that one rounding is left; products are sums in the order of k.
 */
function sums() {
  const { floats } = randomMaps(3);
  const [a, b] = [floats([kSize, kSize]), floats([kSize, kSize])];
  const at = (map, row, column) => map.data[row * kSize + column];
  return {
    "sums of rows": { tree: a.sum([1]), columns: 1, most: 1, term: (row, _, k) => at(a, row, k) },
    "sums of columns": { tree: a.sum([0]), columns: 1, most: 1, term: (column, _, k) => at(a, k, column) },
    "a product": { tree: a.matMul(b), columns: kSize, most: 8, term: (row, column, k) => at(a, row, k) * at(b, k, column) },
  };
}

/** The elements of a product of which one is looked at: all would take seconds. */
const kEvery = 13;

/** Returns the largest errors of lists of elements, in kUnit of the magnitudes of their terms. */
function errorsOf(lists, columns, term) {
  const errors = lists.map(() => 0);
  for (let element = 0; element < lists[0].length; element += columns === 1 ? 1 : kEvery) {
    const [row, column] = [Math.floor(element / columns), element % columns];
    let [exact, magnitudes] = [0, 0];
    for (let k = 0; k < kSize; k++) {
      const one = term(row, column, k);
      exact += one;
      magnitudes += Math.abs(one);
    }
    lists.forEach((list, which) => {
      errors[which] = Math.max(errors[which], Math.abs(list[element] - exact) / (magnitudes * kUnit));
    });
  }
  return errors;
}

/** Checks that the errors on the GPU are small, and notes them. */
export async function sumChecks(gpu, report) {
  const device = await WebGpuDevice.create({ gpu });
  for (const [name, { tree, columns, most, term }] of Object.entries(sums()))
    await report.check(`${name} of ${kSize} terms`, async () => {
      const [there, here] = [newMap(tree), newMap(tree)];
      await there.device(device).assign(tree);
      here.assign(tree);
      const [error, other] = errorsOf([there.data, here.data], columns, term);
      if (!(error <= most)) throw new Error(`the error is ${error}, more than ${most}`);
      const share = there.data.filter((value, k) => value !== here.data[k]).length / there.data.length;
      return `error ${error.toFixed(2)}, of the kernels here ${other.toFixed(2)}, in 2^-24 of the magnitudes; other bits in ${Math.round(100 * share)} %`;
    });
  await device.dispose();
}
