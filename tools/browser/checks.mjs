// The checks of the library in a browser. Each throws if it fails; none uses anything that only Node has.
import { bytesCopied, deepCopy, isStatusError, liveBuffers, readNpy, reclaim, scope, Tensor, TensorShape } from "onebuffer";
import { BFCAllocator, LinearMemorySubAllocator } from "onebuffer/allocator";
import { linearMemory, memorySnapshot } from "onebuffer/debug";
import { tensorProtoCodec } from "onebuffer/proto";
import { layoutView, parseShape } from "onebuffer/xla";
import { decodeUtf8 } from "@onebuffer/storage/internal";
import { kAppChecks, kNoWasmChecks } from "./checks-app.mjs";
import { kFileChecks } from "./checks-files.mjs";
import { kImageChecks } from "./checks-images.mjs";
import { kPoolChecks } from "./checks-pool.mjs";
import { kThreadChecks } from "./checks-threads.mjs";
import { equal, task, throwsStatus } from "./verdict.mjs";

const MiB = 1048576;

/** Waits until forgotten tensors are reclaimed, so that at most `live` buffers are left; 20 seconds at most. */
async function allBack(live) {
  const start = performance.now();
  while (liveBuffers() > live && performance.now() - start < 20_000) await reclaim();
}

const kChecks = {
  "twelve numbers have five shapes over one buffer"() {
    const vector = Tensor.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const copied = bytesCopied();
    const views = [
      [1, 12],
      [3, 4],
      [2, 6],
      [3, 2, 2],
    ].map((dims) => vector.reshape(dims));
    views[1].matrix().set(2, 3, 99);
    equal(views[3].tensor(3).at(2, 1, 1), 99);
    equal(vector.refCount, 5);
    equal(bytesCopied() - copied, 0);
    for (const view of views) view.dispose();
    vector.dispose();
  },
  "a shape is sixteen bytes"() {
    equal([...new TensorShape([2, 70000]).bytes()], [2, 0, 0, 0, 112, 17, 1, 0, 0, 0, 0, 0, 0, 0, 2, 1]);
  },
  "a tensor wraps memory of the page"() {
    const data = new Float32Array([1, 2, 3, 4]);
    const tensor = Tensor.wrap(data, [2, 2]);
    tensor.matrix().set(1, 1, 7);
    equal(data[3], 7);
    tensor.dispose();
  },
  "a tensor wraps shared memory, if the page has it"() {
    if (typeof SharedArrayBuffer === "undefined") return;
    const data = new Int32Array(new SharedArrayBuffer(16));
    const tensor = Tensor.wrap(data, [4]);
    tensor.vec().set(2, 5);
    equal(data[2], 5);
    tensor.dispose();
  },
  "a disposed tensor throws"() {
    const tensor = Tensor.zeros([2]);
    tensor.dispose();
    throwsStatus(() => tensor.vec(), "FAILED_PRECONDITION");
  },
  "a map of freed memory throws"() {
    const tensor = Tensor.zeros([2]);
    const map = tensor.vec();
    tensor.dispose();
    throwsStatus(() => map.at(0), "FAILED_PRECONDITION");
  },
  "tensors are allocated in an arena over the page's linear memory"() {
    const arena = new BFCAllocator(new LinearMemorySubAllocator(), 16 * 1024 * 1024, "page");
    const tensor = new Tensor("float32", [512, 512], { allocator: arena });
    tensor.matrix().fill(2.5);
    equal(tensor.buffer.memory === linearMemory().buffer, true);
    equal(arena.getStats().bytesInUse, 512 * 512 * 4);
    tensor.dispose();
    equal(arena.getStats().bytesInUse, 0);
    arena.dispose();
  },
  "elements are read and written in a column-major layout"() {
    const data = new Float32Array(4);
    const view = layoutView(parseShape("f32[2,2]{0,1}"), data);
    view.set(0, 1, 7);
    equal([...data], [0, 0, 7, 0]);
  },
  async "platform functions that refuse shared memory accept the result of toArrayBuffer"() {
    const tensor = Tensor.from(new TextEncoder().encode("geschüttelt!"));
    equal(Object.prototype.toString.call(tensor.buffer.memory), "[object SharedArrayBuffer]");
    const bytes = tensor.toArrayBuffer();
    equal(Object.prototype.toString.call(bytes), "[object ArrayBuffer]");
    equal(new TextDecoder().decode(bytes), "geschüttelt!");
    equal(await new Blob([bytes]).text(), "geschüttelt!");
    equal(await new Response(bytes).text(), "geschüttelt!");
    equal((await crypto.subtle.digest("SHA-256", bytes)).byteLength, 32);
    equal([...new ImageData(new Uint8ClampedArray(bytes, 0, 4), 1, 1).data], [103, 101, 115, 99]);
    const { port1, port2 } = new MessageChannel();
    const received = new Promise((resolve) => {
      port2.onmessage = ({ data }) => resolve(data);
    });
    port1.postMessage(bytes, [bytes]);
    equal([bytes.byteLength, (await received).byteLength], [0, 13]);
    port1.close();
    tensor.dispose();
  },
  "text in shared memory is decoded"() {
    const tensor = Tensor.from(new TextEncoder().encode("é!"));
    equal(decodeUtf8(tensor.tensorData), "é!");
    const words = new Tensor("string", [1]);
    words.vec().set(0, tensor.tensorData);
    tensor.dispose();
    equal(words.toArray(), ["é!"]);
    words.dispose();
  },
  async "scopes dispose of what they kept, also interleaved ones"() {
    const before = liveBuffers();
    const pause = () => new Promise((resolve) => setTimeout(resolve, 1));
    const work = (n) =>
      scope(async (keep) => {
        const made = keep(Tensor.arange(n));
        await pause();
        keep(Tensor.zeros([n]));
        await pause();
        return [keep(made.slice(0, 1))];
      });
    const results = await Promise.all([work(3), work(4)]);
    equal(liveBuffers() - before, 2);
    for (const [row] of results) row.dispose();
  },
  "a tensor is encoded as TensorFlow's bytes and decoded as a view of them"() {
    const tensor = Tensor.from([1, -2], { dtype: "int8" });
    const bytes = tensorProtoCodec.encode(tensor.asProtoTensorContent());
    equal([...bytes], [8, 6, 18, 4, 18, 2, 8, 2, 34, 2, 1, 254]);
    const copied = bytesCopied();
    const again = Tensor.fromProto(tensorProtoCodec.decode(bytes));
    equal(again.toArray(), [1, -2]);
    equal(bytesCopied() - copied, 0);
    bytes[11] = 3;
    equal(again.toArray(), [1, 3]);
    again.dispose();
    tensor.dispose();
  },
  "tensors that grow and shrink: the arena stays as small as the live bytes"() {
    const data = new Float32Array(200 * 16384).fill(1);
    const before = memorySnapshot().arena;
    for (let round = 0; round < 1200; round++) {
      const at = round % 400;
      const tensor = Tensor.from(data.subarray(0, 16384 * (at < 200 ? at + 1 : 400 - at)));
      const copy = deepCopy(tensor);
      tensor.dispose();
      copy.dispose();
    }
    const { poolBytes, bytesInUse } = memorySnapshot().arena;
    equal([bytesInUse - before.bytesInUse, poolBytes <= Math.max(before.poolBytes, 70 * MiB)], [0, true]);
  },
  async "3,000 MiB of forgotten tensors, with pauses, are reclaimed meanwhile"() {
    const before = liveBuffers();
    // Separate functions, because the variables of a function that is suspended may keep the last tensors alive.
    const forget = (value) => void Tensor.full([512, 512], value);
    const most = await (async () => {
      let most = 0;
      for (let i = 1; i <= 3000; i++) {
        forget(i);
        if (i % 16 !== 0) continue;
        await task();
        most = Math.max(most, liveBuffers() - before);
      }
      return most;
    })();
    // Firefox collects later than Chromium, but before the arena is full.
    const limit = "chrome" in globalThis ? 512 : 3000;
    if (most > limit) throw new Error(`${most} of 3,000 tensors were live at a time`);
    await allBack(before);
  },
  async "forgetting tensors in a synchronous loop throws RESOURCE_EXHAUSTED, and reclaim() frees them"() {
    const before = liveBuffers();
    const forget = () => {
      // Nothing is written to them, so they take no physical pages.
      for (let i = 0; i < 5000; i++) new Tensor("uint8", [MiB]);
    };
    try {
      forget();
      throw new Error("5,000 MiB fitted");
    } catch (error) {
      if (!isStatusError(error, "RESOURCE_EXHAUSTED")) throw error;
      equal(/\d+ bytes in \d+ buffers are not released; some of them may belong to dropped tensors/.test(error.message), true);
    }
    await allBack(before);
    const room = new Tensor("uint8", [64 * MiB]);
    equal(room.isInitialized(), true);
    room.dispose();
  },
  async "a NumPy file fetched over HTTP is read without a copy"() {
    const response = await fetch("/examples/data/digits.npy");
    const copied = bytesCopied();
    const digits = readNpy(await response.arrayBuffer());
    equal(digits.shape.dimSizes, [1797, 8, 8]);
    equal(bytesCopied() - copied, 0);
    digits.dispose();
  },
};

/** Runs all checks, or those for a page that may not compile WebAssembly. Returns a list of `{ name, ok, detail }`. */
export async function runChecks({ wasm }) {
  const verdicts = [];
  const checks = wasm ? { ...kChecks, ...kThreadChecks, ...kPoolChecks, ...kAppChecks } : kNoWasmChecks;
  for (const [name, check] of Object.entries({ ...checks, ...kFileChecks, ...kImageChecks })) {
    const before = liveBuffers();
    try {
      await check();
      equal(liveBuffers(), before);
      verdicts.push({ name, ok: true, detail: "" });
    } catch (error) {
      verdicts.push({ name, ok: false, detail: `${error}\n${error?.stack ?? ""}` });
    }
  }
  return verdicts;
}
