/** The entry `onebuffer/base`: data types, codecs of their elements, status errors. */
export * from "@onebuffer/base";
