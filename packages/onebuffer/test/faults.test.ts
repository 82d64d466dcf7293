// Tests of faults that come from outside: memory that runs out, files that end early, sinks that fail.
import "./faults/allocation-faults.suite.ts";
