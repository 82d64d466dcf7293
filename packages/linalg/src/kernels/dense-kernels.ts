/** dense-kernels: the WebAssembly functions of linear algebra, one module for a dtype, compiled when it is first needed. */
import type { WasmModule } from "@onebuffer/wasm/internal";
import { arrayKernel, textFunction } from "@onebuffer/kernels/internal";
import type { ArrayFunctions } from "@onebuffer/kernels/internal";
import { choleskyLocals, choleskyParams, choleskyText } from "./cholesky-text.ts";
import { laneWords } from "../dense/lane-words.ts";
import type { KernelDType, LaneWords } from "../dense/lane-words.ts";
import { transposeLocals, transposeParams, transposeText } from "../dense/transpose-text.ts";
import * as move from "./move-text.ts";
import { panelLocals, panelParams, panelText } from "./panel-text.ts";
import {
  byColumnsText,
  byRowsText,
  forwardLocals,
  forwardParams,
  forwardText,
  stripWidths,
  vectorLocals,
  vectorParams,
} from "./triangle-text.ts";

/** The functions of a dtype, by the names in `writeModule`, with the parameters of their texts. */
export type DenseKernels = ArrayFunctions & { readonly words: LaneWords };

const made = new Map<KernelDType, DenseKernels | null>();

/** Returns the functions of a dtype; null if the engine refuses them. */
export function denseKernels(dtype: KernelDType): DenseKernels | null {
  let kernels = made.get(dtype);
  if (kernels === undefined) {
    const words = laneWords(dtype);
    const functions = arrayKernel(`linalg ${dtype}`, (module) => writeModule(module, words));
    kernels = functions === null ? null : ({ ...functions, words } as DenseKernels);
    made.set(dtype, kernels);
  }
  return kernels;
}

function writeModule(module: WasmModule, words: LaneWords): void {
  textFunction(module, "panel", panelParams, panelLocals(words), panelText(words));
  for (const width of stripWidths)
    textFunction(module, `forward${width}`, forwardParams, forwardLocals(words, width), forwardText(words, width));
  textFunction(module, "byRows", vectorParams, vectorLocals(words), byRowsText(words));
  textFunction(module, "byColumns", vectorParams, vectorLocals(words), byColumnsText(words));
  textFunction(module, "cholesky", choleskyParams, choleskyLocals(words), choleskyText(words));
  textFunction(module, "copy", move.copyParams, move.copyLocals, move.copyText(words));
  textFunction(module, "permute", move.permuteParams, move.permuteLocals(words), move.permuteText(words));
  textFunction(module, "transpose", transposeParams, transposeLocals, transposeText(words));
  textFunction(module, "negate", move.copyParams, move.copyLocals, move.negateText(words));
  textFunction(module, "clear", move.clearParams, move.clearLocals, move.clearText(words));
}
