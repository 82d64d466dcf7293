// npyjs 1.2.0: reads .npy.
import { parse } from "npyjs";
import { fileChecksum, kFileElements, npyFile } from "../files-data.mjs";

let sink;

export const cases = {
  "npy read"() {
    const { buffer } = npyFile();
    return {
      run: () => void (sink = parse(buffer)),
      checksum() {
        const { data } = parse(buffer);
        return fileChecksum(data[1], data[kFileElements - 1]);
      },
    };
  },
};

export const last = () => sink;
