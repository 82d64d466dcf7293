// The parts of packages/eigen that the address check watches, by their paths: none of them is an export for users.
export { kernels } from "../../packages/eigen/dist/src/kernel/run/kernels.js";
export { scratchInUse } from "../../packages/eigen/dist/src/kernel/plan/scratch.js";
export { treeOrder } from "../../packages/eigen/dist/src/expression/tree/tree-order.js";
export { linearMemory } from "../../packages/wasm/dist/src/index.js";
