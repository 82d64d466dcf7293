/** The version that `onebuffer --version` prints. A test compares it with package.json. */
export const version = "0.1.0";
