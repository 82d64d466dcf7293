/** The entry `onebuffer/io`: file formats, from bytes. */
export * from "@onebuffer/io";
