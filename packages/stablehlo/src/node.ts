/**
 * @onebuffer/stablehlo/node: XlaDevice, which starts a process. It is the only entry of this package that needs Node.
 */
export type { XlaDeviceInfo, XlaDeviceOptions, XlaProcesses, XlaVersions } from "./device/start-options.ts";
export type { XlaMap, XlaShard } from "./device/xla-map.ts";
export { drawShards } from "./device/draw-shards.ts";
export { XlaDevice } from "./xla-device.ts";
