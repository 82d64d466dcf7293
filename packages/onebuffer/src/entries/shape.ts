/** The entry `onebuffer/shape`: TensorShape, PartialTensorShape and their utilities. */
export * from "@onebuffer/shape";
