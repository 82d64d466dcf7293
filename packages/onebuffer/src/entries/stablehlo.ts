/** The entry `onebuffer/stablehlo`: expressions as StableHLO text, for XLA and every other PJRT runtime. */
export * from "@onebuffer/stablehlo";
