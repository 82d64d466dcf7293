// The parts of packages/eigen that the address check watches, by their paths: none of them is an export for users.
export { kernels } from "../../packages/compiler/dist/src/kernels.js";
export { scratchInUse } from "../../packages/kernels/dist/src/calls/scratch.js";
export { treeOrder } from "../../packages/expression/dist/src/tree/tree-order.js";
export { linearMemory } from "../../packages/wasm/dist/src/index.js";
