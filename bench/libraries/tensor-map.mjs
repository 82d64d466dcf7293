// TensorMap.at in a separate process, for the workloads that are compared with it.
import { cases as ours } from "./ours.mjs";

export const cases = { "strided at": ours.at };
