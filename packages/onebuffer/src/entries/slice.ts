/** The entry `onebuffer/slice`: TensorSlice, sets and names of slices. */
export * from "@onebuffer/slice";
