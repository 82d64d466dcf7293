// Runs the suites of .npz and of lazy .npy, so that the library is loaded once.
import "../fuzz/fuzz.suite.ts";
import "./npz-file.suite.ts";
import "./real-files.suite.ts";
import "./write-npz.suite.ts";
import "./zip-directory.suite.ts";
