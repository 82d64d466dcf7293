/** onebuffer/testing: matchers for the tests of programs that use tensors. */
export * from "@onebuffer/core/testing";
