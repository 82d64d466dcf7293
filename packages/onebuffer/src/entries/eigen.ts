/** The entry `onebuffer/eigen`: maps, expressions and the operations. */
export * from "@onebuffer/eigen";
