/** The entry `onebuffer/xla`: XLA's shapes, layouts and literals, and views through them. */
export * from "@onebuffer/xla";
