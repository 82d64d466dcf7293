// The workloads of packages/io.
import { Tensor } from "onebuffer";
import { crc32c, NpzFile, readNpy, readSafetensors, saveNpy, writeNpy, writeNpz } from "onebuffer/io";
import { crcBytes, fileChecksum, kCrcElements, kFileElements, kTensors, npyFile, safetensorsFile } from "../files-data.mjs";

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
  "npy read"() {
    const file = npyFile();
    const read = (act) => {
      const tensor = readNpy(file);
      const result = act(tensor);
      tensor.dispose();
      return result;
    };
    return {
      run: () => void (sink = read((tensor) => tensor)),
      checksum: () => read((tensor) => fileChecksum(tensor.vec("float32").at(1), tensor.vec("float32").at(kFileElements - 1))),
    };
  },
  "npy save"() {
    const tensor = readNpy(npyFile());
    const nowhere = { write: () => undefined };
    return { isAsync: true, run: async () => void (sink = await saveNpy(tensor, nowhere)), free: () => tensor.dispose() };
  },
  "npy write"() {
    const tensor = readNpy(npyFile());
    return { run: () => void (sink = writeNpy(tensor)), checksum: () => writeNpy(tensor).length, free: () => tensor.dispose() };
  },
  async "npz read"() {
    const tensor = readNpy(npyFile());
    const file = await writeNpz({ a: tensor });
    tensor.dispose();
    const read = (act) => {
      const array = NpzFile.fromBytes(file).tensorSync("a");
      const result = act(array);
      array.dispose();
      return result;
    };
    return {
      run: () => void (sink = read((array) => array)),
      checksum: () => read((array) => fileChecksum(array.vec("float32").at(1), array.vec("float32").at(kFileElements - 1))),
    };
  },
  "safetensors read"() {
    const file = safetensorsFile();
    const read = (act) => {
      const tensors = readSafetensors(file);
      const result = act(tensors);
      tensors.dispose();
      return result;
    };
    return {
      run: () => void (sink = read((tensors) => tensors.size)),
      checksum: () =>
        read((tensors) =>
          fileChecksum(
            tensors.size,
            tensors
              .tensor(`model.layers.${kTensors - 1}.weight`, { dtype: "float32" })
              .matrix()
              .at(63, 63),
          ),
        ),
    };
  },
};

export const last = () => sink;
