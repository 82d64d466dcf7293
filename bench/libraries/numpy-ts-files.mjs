// numpy-ts: .npy and .npz.
import * as np from "numpy-ts";
import { fileChecksum, kFileElements, npyFile } from "../files-data.mjs";

let sink;

const checksumOf = (array) => fileChecksum(Number(array.get([1])), Number(array.get([kFileElements - 1])));

/** Calls `act` with an array, and releases it. */
function using(array, act) {
  const result = act(array);
  array.dispose?.();
  return result;
}

export const filesOfNumpyTs = {
  "npy read"() {
    const file = npyFile();
    return {
      run: () => void (sink = using(np.parseNpy(file), (array) => array.ndim)),
      checksum: () => using(np.parseNpy(file), checksumOf),
    };
  },
  "npy write"() {
    const array = np.parseNpy(npyFile());
    return {
      run: () => void (sink = np.serializeNpy(array)),
      checksum: () => np.serializeNpy(array).length,
      free: () => array.dispose?.(),
    };
  },
  "npz read"() {
    const file = np.serializeNpzSync({ a: np.parseNpy(npyFile()) });
    const read = (act) => using(np.parseNpzSync(file).arrays.get("a"), act);
    return { run: () => void (sink = read((array) => array.ndim)), checksum: () => read(checksumOf) };
  },
};

export const last = () => sink;
