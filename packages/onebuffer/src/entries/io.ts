/** The entry `onebuffer/io`: file formats, from bytes; arrays of other libraries. */
export * from "@onebuffer/adapters";
export * from "@onebuffer/io";
