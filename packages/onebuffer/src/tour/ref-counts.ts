/**
 * Chapter 4: reference counts going up and down, and memory that is given back by the last one who lets go.
 */
import { liveBuffers } from "@onebuffer/allocator";
import { Tensor, TensorReference } from "@onebuffer/core";
import { countOf } from "./one-buffer.ts";
import { say, showCode } from "./page.ts";
import type { Print } from "./page.ts";
import { failureOf } from "./sixteen-bytes.ts";

/** Shows the counts of one buffer, line by line. */
export function refCounts(print: Print): void {
  const before = liveBuffers();
  const count = (code: string, tensor: Tensor): void =>
    showCode(print, code, `refs ${countOf(tensor)}   live buffers ${liveBuffers() - before}`);
  say(
    print,
    "C++ counts in constructors and destructors; here share() is the copy, move() the move, dispose() the destructor (or `using`, " +
      "which calls it). The last one to let go gives the bytes back, at once.",
  );
  const a = Tensor.zeros([1000, 1000]);
  count("const a = Tensor.zeros([1000, 1000]);", a);
  const b = a.share();
  count("const b = a.share();", a);
  const c = b.slice(0, 10);
  count("const c = b.slice(0, 10);", a);
  const d = b.move();
  count("const d = b.move();                 // b is empty now", a);
  showCode(print, "b.isInitialized()", b.isInitialized());
  const held = new TensorReference(a);
  count("const held = new TensorReference(a); // a count, no shape", a);
  a.dispose();
  count("a.dispose();", d);
  d.dispose();
  count("d.dispose();                        // c still has rows", c);
  held.unref();
  count("held.unref();", c);
  showCode(print, "c.refCountIsOne()", c.refCountIsOne());
  const map = c.matrix();
  c.dispose();
  showCode(print, "c.dispose();                        // 4,000,000 bytes go", `live buffers ${liveBuffers() - before}`);
  print("");
  say(print, "Who holds a view or a handle of what is gone gets an error, never somebody else's bytes:");
  showCode(
    print,
    "map.at(0, 0)                        // a map of c's rows",
    failureOf(() => map.at(0, 0)),
  );
  showCode(
    print,
    "c.slice(0, 1)",
    failureOf(() => c.slice(0, 1)),
  );
  showCode(
    print,
    "held.unref()                        // a second time",
    failureOf(() => held.unref()),
  );
}
