// The reasons why kernels did not run, from the first import of this file on. The engine tells each reason once.
import { setKernelHooks } from "@onebuffer/kernels/internal";

export const reasons: string[] = [];
setKernelHooks({ onFallback: (reason) => reasons.push(reason) });
