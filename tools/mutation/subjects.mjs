// The parts of the library whose tests are measured by mutants: the compiled modules that are changed, and the test files that run over them.

/** Returns a pattern for the test files of some packages. */
const testsOf = (...names) => new RegExp(`^packages/(?:${names.join("|")})/dist/test/(?!doc-examples/).*\\.test\\.js$`);

/**
 * By the name that is printed: `sources`, a pattern for the paths of compiled modules, `tests`, one for test files, and `isKept`, whether
 * what the modules compute is kept for tests that do not run them, as the texts of kernels are. The compiler, the kernels and the geometry of
 * storage have no tests of their own: those of the packages above run them.
 */
export const kSubjects = {
  shape: { sources: /^packages\/shape\/dist\/src\//, tests: testsOf("shape") },
  slice: { sources: /^packages\/slice\/dist\/src\//, tests: testsOf("slice") },
  core: { sources: /^packages\/core\/dist\/src\//, tests: testsOf("core") },
  // What buffers and threads do with allocators is tested by tensors.
  allocator: { sources: /^packages\/allocator\/dist\/src\//, tests: testsOf("allocator", "core") },
  xla: { sources: /^packages\/xla\/dist\/src\//, tests: testsOf("xla") },
  // The readers: modules that only write are left out.
  io: {
    sources: /^packages\/io\/dist\/src\/(?!node)(?!.*(?:write|writer|sink|save|builder|deflate|append))/,
    tests: testsOf("io"),
  },
  adapters: { sources: /^packages\/adapters\/dist\/src\//, tests: testsOf("adapters") },
  kernels: { sources: /^packages\/kernels\/dist\/src\/(?!products)/, tests: testsOf("eigen", "gradients"), isKept: true },
  geometry: { sources: /^packages\/storage\/dist\/src\/geometry\//, tests: testsOf("core", "eigen") },
  contraction: {
    sources: /^packages\/(?:kernels\/dist\/src\/products|compiler\/dist\/src\/contraction)\//,
    tests: testsOf("eigen"),
    isKept: true,
  },
};

/** True if a compiled module may be changed: `index` modules only export, and generated ones are checked by their generator's tests. */
export const isMutable = (path) => path.endsWith(".js") && !/\/(?:generated\/|(?:index|internal|node)\.js$)/.test(path);

/** Returns the path of the TypeScript file of a compiled module. */
export const sourceOf = (path) => path.replace("/dist/src/", "/src/").replace(/\.js$/, ".ts");
