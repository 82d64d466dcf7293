/** The entry `onebuffer/allocator`: reference counts, allocators, the arena and threads. */
export * from "@onebuffer/allocator";
