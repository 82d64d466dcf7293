// The sub-paths of the package and the modules behind them, relative to `esm/`.
export const ENTRIES = {
  ".": "onebuffer/index",
  "./base": "base/index",
  "./shape": "shape/index",
  "./allocator": "allocator/index",
  "./eigen": "eigen/index",
  "./slice": "slice/index",
  "./xla": "xla/index",
  "./core": "core/index",
  "./proto": "proto/index",
  "./io": "io/index",
  "./testing": "onebuffer/testing/index",
};

/** The name of an entry's file in `node/`. */
export const nodeFile = (path) => `${path === "." ? "onebuffer" : path.slice(2)}.js`;
