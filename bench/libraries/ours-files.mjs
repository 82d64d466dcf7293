// The workloads of packages/io.
import { Tensor } from "onebuffer";
import { crc32c } from "onebuffer/io";
import { crcBytes, kCrcElements } from "../files-data.mjs";

let sink;

export const filesOfOurs = {
  crc32c() {
    const tensor = new Tensor("uint8", [kCrcElements * 4]);
    const bytes = tensor.tensorData;
    bytes.set(crcBytes());
    return { run: () => void (sink = crc32c(bytes)), checksum: () => crc32c(bytes), free: () => tensor.dispose() };
  },
  "crc32c of an array"() {
    const bytes = crcBytes();
    return { run: () => void (sink = crc32c(bytes)), checksum: () => crc32c(bytes) };
  },
};

export const last = () => sink;
