/**
 * Chapter 4 of the tour: reference counts go up and down, and the last reference frees the memory.
 */
import { liveBuffers } from "@onebuffer/allocator";
import { Tensor, TensorReference } from "@onebuffer/core";
import { countOf } from "./one-buffer.ts";
import { say, showCode } from "./page.ts";
import type { Print } from "./page.ts";
import { failureOf } from "./sixteen-bytes.ts";

/** Shows the reference count of one buffer after each line of code. */
export function refCounts(print: Print): void {
  const before = liveBuffers();
  const count = (code: string, tensor: Tensor): void =>
    showCode(print, code, `refs ${countOf(tensor)}   live buffers ${liveBuffers() - before}`);
  say(
    print,
    "C++ counts references in constructors and destructors. Here share() is the copy constructor, move() the move constructor, and " +
      "dispose() the destructor (`using` calls it). Dropping the last reference frees the bytes at once.",
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
  count("const held = new TensorReference(a); // no shape", a);
  a.dispose();
  count("a.dispose();", d);
  d.dispose();
  count("d.dispose();                        // c still has rows", c);
  held.unref();
  count("held.unref();", c);
  showCode(print, "c.refCountIsOne()", c.refCountIsOne());
  const map = c.matrix();
  c.dispose();
  showCode(print, "c.dispose();                        // frees 4 MB", `live buffers ${liveBuffers() - before}`);
  print("");
  say(print, "A map or a handle of freed memory throws an error. It never reads another tensor's bytes:");
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
