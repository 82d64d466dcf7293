/** filter-calls: the kernels of nodes of filters, row by row. */
import type { CustomCall, CustomKernel } from "@onebuffer/expression/internal";
import { linearMemory } from "@onebuffer/wasm";
import { callKernel, runUnits } from "../fft/divided-work.ts";
import { copyFunction } from "../fft/element-kernels.ts";
import { partsAt } from "../fft/tables.ts";
import { checkSections, firSizes, partsOf, sosSizes } from "./call-sizes.ts";
import { firFunction, sectionFunction } from "./filter-kernels.ts";

/** Nanoseconds of a product and a sum, and of one element and section. */
const [kTapNs, kSectionNs] = [0.1, 5];

/** Returns the kernel of a filter with taps. */
export function firKernel(call: CustomCall): CustomKernel {
  const dtype = partsOf(call.dtype);
  const bytes = dtype === "float32" ? 4 : 8;
  const { rows, count, order } = firSizes(call);
  return (target, [from, taps]) => {
    const kernel = firFunction(dtype);
    runUnits(call, count * order * kTapNs, rows, 0, (begin, end, _, splitter) => {
      for (let row = begin; row < end; row++) {
        callKernel(splitter, kernel, from! + row * (count + order - 1) * bytes, target + row * count * bytes, taps!, count, order);
      }
    });
    return true;
  };
}

/** Returns the kernel of a filter of sections. */
export function sosKernel(call: CustomCall): CustomKernel {
  const dtype = partsOf(call.dtype);
  const bytes = dtype === "float32" ? 4 : 8;
  const { rows, count, order } = sosSizes(call);
  return (target, [from, sections, states]) => {
    if (!linearMemory().isAvailable) return false;
    const coefficients = partsAt(dtype, sections!, 6 * order);
    checkSections(order, (index) => coefficients[index]!);
    const [copy, kernel] = [copyFunction(), sectionFunction(dtype)];
    runUnits(call, count * order * kSectionNs, rows, 0, (begin, end, _, splitter) => {
      for (let row = begin; row < end; row++) {
        const to = target + row * (count + 2 * order) * bytes;
        const state = to + count * bytes;
        callKernel(splitter, copy, states! + row * 2 * order * bytes, state, 0, 0, 2 * order * bytes, 1);
        for (let section = 0; section < order && count > 0; section++) {
          const source = section === 0 ? from! + row * count * bytes : to;
          callKernel(splitter, kernel, source, to, sections! + 6 * section * bytes, state + 2 * section * bytes, count);
        }
      }
    });
    return true;
  };
}
