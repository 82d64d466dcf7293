/** All public names: the face and every sub-path. */
export * from "onebuffer";
export * from "onebuffer/allocator";
export * from "onebuffer/base";
export * from "onebuffer/core";
export * from "onebuffer/debug";
export * from "onebuffer/eigen";
export * from "onebuffer/io";
export * from "onebuffer/node";
export * from "onebuffer/proto";
export * from "onebuffer/shape";
export * from "onebuffer/slice";
export * from "onebuffer/testing";
export * from "onebuffer/xla";
