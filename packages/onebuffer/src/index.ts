/** onebuffer: everything of every package under one name. The command line (main.ts) is not part of it. */
export * from "@onebuffer/base";
export * from "@onebuffer/shape";
export * from "@onebuffer/eigen";
export * from "@onebuffer/slice";
export * from "@onebuffer/core";
export * from "@onebuffer/io";
// eigen and core each have a type of this name: the array that a map gives, and the arrays that a tensor is made from.
export type { NestedArray } from "@onebuffer/core";
