// The speed of transfers: an operand of 64 MiB beside fs.writeSync of the same bytes to a file of the same folder.
import { closeSync, openSync, unlinkSync, writeSync, readSync } from "node:fs";
import { tensorMap } from "@onebuffer/eigen";
import { assert, withDevice } from "./checks.mjs";

const kBytes = 64 * 2 ** 20;
const kRounds = 12;
/** The least share of the speed of writeSync, in percent. */
const kLeastShare = 70;

const timed = async (act) => {
  const started = performance.now();
  await act();
  return performance.now() - started;
};

export const speedChecks = {
  "an operand of 64 MiB": (python) =>
    withDevice({ python, devices: 1 }, async (xla) => {
      const map = tensorMap("float32", new Float32Array(kBytes / 4).fill(1.5), [kBytes / 4]);
      const bytes = new Uint8Array(map.data.buffer);
      const path = `/dev/shm/onebuffer-speed-${process.pid}`;
      const file = openSync(path, "wx+", 0o600);
      unlinkSync(path);
      let [write, put, read, fetch] = [Infinity, Infinity, Infinity, Infinity];
      try {
        writeSync(file, bytes, 0, kBytes, 0);
        for (let round = 0; round < kRounds; round++) {
          write = Math.min(write, await timed(() => writeSync(file, bytes, 0, kBytes, 0)));
          let resident;
          put = Math.min(put, await timed(async () => (resident = await xla.put(map))));
          const tensor = await resident.fetch();
          const target = new Uint8Array(tensor.flat().data.buffer, tensor.flat().data.byteOffset, kBytes);
          read = Math.min(read, await timed(() => readSync(file, target, 0, kBytes, 0)));
          fetch = Math.min(fetch, await timed(() => tensor.device(xla).assign(resident)));
          resident.dispose();
        }
      } finally {
        closeSync(file);
      }
      const share = (100 * write) / put;
      const shown = `writeSync ${write.toFixed(1)} ms, put ${put.toFixed(1)} ms, ${share.toFixed(0)} % of its speed`;
      assert(share >= kLeastShare, `${shown}, ${kLeastShare} are wanted`);
      return `${shown}; readSync ${read.toFixed(1)} ms, a result ${fetch.toFixed(1)} ms`;
    }),
};
