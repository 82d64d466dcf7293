/** The package `onebuffer`: re-exports all public names of the `@onebuffer/*` packages. The command line (main.ts) is not exported. */
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
