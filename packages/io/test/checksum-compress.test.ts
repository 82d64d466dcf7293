// Runs the suites of checksums and compression, so that the library is loaded once.
import "./checksum/crc.suite.ts";
import "./checksum/fold-kernel.suite.ts";
import "./compress/deflate.suite.ts";
import "./compress/snappy.suite.ts";
