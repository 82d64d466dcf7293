// The words of errors that name what was wrong, where no other test looks at them.
import { expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import { NpzFile, openNpy, readNpy, SafetensorsFile, Trackable, writeNpy, writeNpz, writeSafetensors } from "@onebuffer/io";
import { npy, npyFile, npyHeader } from "../npy/npy-file.ts";
import { zipFile } from "../npz/zip-file.ts";

/** Returns the text of the error that `act` throws. */
async function textOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    return String(error);
  }
  return "nothing was thrown";
}

test("errors of .npy files", async () => {
  expect(await textOf(() => readNpy(npy("<f4", [2, 3], new Uint8Array(4))))).toMatch(
    /npy: expected 24 bytes of data for float32 of shape \(2, 3\), got 4$/,
  );
  const header = npyHeader("<f4", [1]);
  expect(await textOf(() => readNpy(npyFile({ version: [3, 0], header: `${header}\n   `, data: new Uint8Array(4) })))).toMatch(
    /npy header: the header ends with a line of 3 blanks without a line end$/,
  );
  expect(await textOf(() => readNpy(npy("|xS5", [1], new Uint8Array(5)), { strings: true }))).toMatch(/'\|xS5' is not a valid dtype/);
  expect(await textOf(() => readNpy(new Map() as never))).toMatch(
    /expected an ArrayBuffer, a SharedArrayBuffer or a view of one, got Map$/,
  );
  const scalar = await openNpy(new Blob([npy("<f4", [], new Uint8Array(4))]));
  expect(await textOf(() => scalar.rows(0))).toMatch(/npy: a scalar has no rows$/);
  using narrow = Tensor.from([1, 2], { dtype: "int4" });
  expect(await textOf(() => writeNpy(narrow))).toMatch(/int4 has no type in an \.npy file; cast\("float32"\) first/);
});

test("wrong options name the call", async () => {
  using t = Tensor.from([1]);
  const [npz, safetensors] = [NpzFile.fromBytes(await writeNpz({ t })), SafetensorsFile.fromBytes(writeSafetensors({ t }))];
  expect(await textOf(() => npz.tensor("t", { color: 1 } as never))).toMatch(/INVALID_ARGUMENT: tensor:.*color/);
  expect(await textOf(() => safetensors.tensor("t", { color: 1 } as never))).toMatch(/INVALID_ARGUMENT: tensor:.*color/);
});

test("a value that is no tensor is shown", async () => {
  expect(await textOf(() => new Trackable(5 as never))).toMatch(/Trackable: expected a Tensor or null, got 5$/);
});

test("a zip64 record with another signature or of another size is refused", async () => {
  using t = Tensor.from([1, 2, 3]);
  const bytes = zipFile([{ name: "a.npy", data: writeNpy(t) }], { zip64: true });
  // Before the end record of 22 bytes and the locator of 20 are the 56 bytes of the zip64 record.
  const at = bytes.length - 22 - 20 - 56;
  expect(NpzFile.fromBytes(bytes).names).toEqual(["a"]);
  for (const place of [at, at + 3, at + 4]) {
    const wrong = bytes.slice();
    wrong[place]!++;
    expect(await textOf(() => NpzFile.fromBytes(wrong))).toMatch(
      /npz: the zip64 record is not where it is expected, or has fields of its own$/,
    );
  }
});
