/** The entry `onebuffer/webgpu`: expressions computed on a GPU, through WebGPU. */
export * from "@onebuffer/webgpu";
