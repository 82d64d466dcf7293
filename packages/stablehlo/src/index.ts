/**
 * @onebuffer/stablehlo: expressions beyond this machine. An expression as StableHLO text, which any PJRT runtime compiles.
 */
export type { FaultKind } from "./lowering/lowering.ts";
export type { Mesh, Sharding } from "./text/sharding.ts";
export { toStableHLO } from "./to-stable-hlo.ts";
export type { StableHLOAnnotation, StableHLOLeaf, StableHLOModule, StableHLOOptions, StableHLOResult } from "./to-stable-hlo.ts";
