// Tests of the scratch memory itself. In a file of their own: what earlier kernels had no room for would make the stack larger from the start.
import "./kernel/scratch.suite.ts";
