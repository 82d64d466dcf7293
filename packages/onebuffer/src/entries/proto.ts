/** The entry `onebuffer/proto`: bytes and JSON of TensorFlow's and XLA's messages. */
export * from "@onebuffer/proto";
