// Writes test/data/kernel-fallbacks.txt: the operations and dtypes that the plain evaluator computes because no kernel does.
// Run it after `npm run build` when kernels have learnt something; a test fails when they have forgotten something.
import { kernelFallbacks } from "@onebuffer/eigen";
import { writeFileSync } from "node:fs";

writeFileSync(new URL("../test/data/kernel-fallbacks.txt", import.meta.url), `${kernelFallbacks().join("\n")}\n`);
