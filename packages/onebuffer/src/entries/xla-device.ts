/** The entry `onebuffer/xla-device`: expressions computed by JAX on other devices and hosts, from Node. */
export * from "@onebuffer/stablehlo/node";
