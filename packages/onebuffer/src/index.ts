/** onebuffer: everything of every package under one name. The command line (main.ts) is not part of it. */
export * from "@onebuffer/base";
export * from "@onebuffer/shape";
export * from "@onebuffer/wasm";
export * from "@onebuffer/allocator";
export * from "@onebuffer/eigen";
export * from "@onebuffer/slice";
export * from "@onebuffer/xla";
export * from "@onebuffer/core";
export * from "@onebuffer/proto";
export * from "@onebuffer/io";
