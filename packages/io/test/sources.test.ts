// Runs the suites of sources, sinks, checksums, compression, files on disk and collections of tensors, so that the library is loaded once.
import "./checksum/crc.suite.ts";
import "./checksum/fold-kernel.suite.ts";
import "./compress/deflate.suite.ts";
import "./compress/snappy.suite.ts";
import "./node/append-npy.suite.ts";
import "./node/file-sink.suite.ts";
import "./node/file-source.suite.ts";
import "./node/read-files.suite.ts";
import "./source/byte-sinks.suite.ts";
import "./source/byte-sources.suite.ts";
import "./source/http-source.suite.ts";
import "./source/read-plan.suite.ts";
import "./tensor/tensors-by-name.suite.ts";
