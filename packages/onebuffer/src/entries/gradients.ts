/** The entry `onebuffer/gradients`: the gradients of any expression, as expressions. */
export * from "@onebuffer/gradients";
