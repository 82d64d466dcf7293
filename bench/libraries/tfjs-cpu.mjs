// TensorFlow.js with its plain JavaScript backend.
import { tfjsCases } from "./tfjs.mjs";

export const cases = () => tfjsCases("cpu");
