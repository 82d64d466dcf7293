// Runs the suites of the room for files on disk, so that the library is loaded once.
import "./node/append-npy.suite.ts";
import "./node/file-sink.suite.ts";
import "./node/file-source.suite.ts";
import "./node/read-files.suite.ts";
