// Tests of operands and targets outside the linear memory. In a file of their own: the first test needs a thread without the scratch
// memory that every kernel allocates. That of kernel-running.test.ts does, too.
import "./kernel/kernel-wrapped.suite.ts";
import "./kernel/kernel-chunks.suite.ts";
import "./kernel/ways.suite.ts";
