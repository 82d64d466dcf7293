/** NumPy's .npy as a format. Its tensor has the name "". */
import { InvalidArgumentError } from "@onebuffer/base";
import type { Tensor } from "@onebuffer/core";
import type { NpyDType } from "../npy/npy-descr.ts";
import { readNpyRegion } from "../npy/npy-region.ts";
import { readNpyData } from "../npy/read-npy-data.ts";
import { saveNpy } from "../npy/write-npy.ts";
import { checkedRead } from "../source/checked-read.ts";
import { transferOf } from "../source/transfer-options.ts";
import { regionOfSlice } from "../tensor/region.ts";
import type { Format } from "./format.ts";
import { beginsWith, writeOneFile } from "./format.ts";
import { readNpyEntry } from "./npy-entry.ts";
import type { StoreReader } from "./checked-store.ts";
import type { StoredBytes } from "./tensor-store.ts";

/** Files that begin with "\x93NUMPY". */
export const npyFormat: Format = {
  name: "npy",
  names: /\.npy$/,
  sniff: ({ start }) => beginsWith(start, 0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59),
  async open({ source }, { signal }): Promise<StoreReader> {
    const entry = await readNpyEntry("", source, signal);
    const { info, header, unreadable, isInOrder, dataOffset, dataBytes } = entry;
    return {
      format: "npy",
      names: [""],
      hasChecksums: false,
      notes: entry.fortranOrder ? [["order", "column-major (Fortran)"]] : [],
      info: (name) => (name === "" ? info : undefined),
      async read(_, slice, options) {
        if (header === null) throw unreadable;
        const kept = { ...options, boolBytes: "keep" } as const;
        if (slice === null) return await readNpyData(source, header, kept);
        return await readNpyRegion(source, header, regionOfSlice("npy", slice, header.shape), kept);
      },
      async bytes(_, options): Promise<StoredBytes> {
        if (header === null && !isInOrder) throw unreadable;
        if (header === null || info.dtype === "string")
          return { bytes: await checkedRead(source, dataOffset, dataBytes, "the data of the .npy file", options.signal), checksum: null };
        using tensor = await readNpyData(source, header, { ...options, boolBytes: "keep" });
        return { bytes: tensor.tensorData.slice(), checksum: null };
      },
    };
  },
  writer: {
    names: /\.npy$/,
    async write(tensors, files, name, options): Promise<void> {
      const { names } = tensors;
      if (names.length !== 1) throw new InvalidArgumentError(`an .npy file has one tensor, got ${names.length}`);
      using tensor = await tensors.read(names[0] as string);
      const transfer = { voidTypes: true, ...transferOf(options) };
      await writeOneFile(files, name, (sink) => saveNpy(tensor as Tensor<NpyDType>, sink, transfer));
    },
  },
};
