/** The entry `onebuffer/core`: Tensor, its buffers, variants and resources. */
export * from "@onebuffer/core";
