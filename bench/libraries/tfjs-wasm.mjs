// TensorFlow.js with its WebAssembly backend.
import { tfjsCases } from "./tfjs.mjs";

export const cases = () => tfjsCases("wasm");
