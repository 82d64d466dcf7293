// The panel "Files".
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Tensor, writeNpy } from "onebuffer";
import { BundleWriter, ChunkSink, MemoryFiles, writeNpz, writeSafetensors, writeTFRecords } from "onebuffer/io";

const done = ({ busy }) => busy === "";

/** Gives files to the page through its file field, and removes them once `use` is done with them. */
async function give(visit, files, use) {
  // The data files of a checkpoint are shown with its index.
  const shown = Object.keys(files).filter((name) => !name.includes(".data-")).length;
  const folder = mkdtempSync(join(tmpdir(), "onebuffer-files-"));
  try {
    const paths = Object.entries(files).map(([name, bytes]) => {
      writeFileSync(join(folder, name), bytes);
      return join(folder, name);
    });
    await (await visit.page.$("input[type=file]")).uploadFile(...paths);
    await use(await visit.stateWhere((state) => done(state) && state.files.length === shown));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Drops an .npy file of float32 zeros, large but made of few bytes, on the page. */
const dropZeros = (visit, rows) =>
  visit.page.evaluate((count) => {
    const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${count}, 1024), }`;
    const head = new Uint8Array(128).fill(32);
    head.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0]);
    head.set(new TextEncoder().encode(text), 10);
    head[127] = 10;
    const block = new Blob([new Uint8Array(4096 * 1024)]);
    const file = new File([head, ...Array.from({ length: count / 1024 }, () => block)], "zeros.npy");
    const transfer = new DataTransfer();
    transfer.items.add(file);
    document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, rows);

export const filesChecks = [
  {
    name: "files: a checkpoint is listed, filtered, and a slice of it read",
    run: async (visit) => {
      await visit.open("files");
      await visit.click("checkpoint");
      const { files } = await visit.stateWhere((state) => done(state) && state.files.length === 1);
      assert.deepEqual(
        files[0].tensors.map(({ key, dtype, shape }) => [key, dtype, shape]),
        [
          ["dense/bias", "float32", [96]],
          ["dense/kernel", "float32", [64, 96]],
          ["labels", "string", [3]],
        ],
      );
      await visit.type("Filter", "kern");
      assert.deepEqual((await visit.state()).listed, ["dense/kernel"]);
      await visit.pressButton("dense/kernel");
      const whole = (await visit.stateWhere((state) => state.facts !== null)).facts;
      assert.deepEqual([whole.numbers.count, whole.numbers.image], [6144, [96, 64]]);
      assert.ok(Math.abs(whole.numbers.max - 1.5) < 0.2);
      await visit.type("Slice", "2,1:0,4");
      await visit.keys("Enter");
      const part = (await visit.stateWhere(({ facts, slice }) => facts !== null && slice === "2,1:0,4")).facts;
      assert.deepEqual(part.shape, [1, 4]);
      assert.ok(part.bytesRead < 1000, String(part.bytesRead));
      await visit.address(/sample=checkpoint&tensor=dense\/kernel/);
    },
  },
  {
    name: "files: a file that is given while a large one opens is the one that is read",
    run: async (visit) => {
      await visit.open("files");
      await dropZeros(visit, 15 * 1024);
      const small = Tensor.from([1, 2, 3]);
      await give(visit, { "small.npy": writeNpy(small) }, async () => {
        // By then the large one is open, too.
        await new Promise((resolve) => setTimeout(resolve, 1000));
        await visit.pressButton("array");
        const { facts, error } = await visit.stateWhere((state) => done(state) && state.tensor !== null);
        assert.deepEqual([facts?.shape, error], [[3], ""]);
      });
      small.dispose();
    },
  },
  {
    name: "files: every sample opens, and its tensors are read",
    run: async (visit) => {
      for (const [sample, key, first] of [
        [".npy", "array", "float32"],
        [".npz", "kernel", "float32"],
        ["safetensors", "dense/bias", "float32"],
        ["TensorProto", "tensor", "float32"],
      ]) {
        await visit.open(`files?sample=${sample}&tensor=${key}`);
        const state = await visit.stateWhere((each) => each.facts !== null || each.error !== "");
        assert.equal(state.error, "");
        assert.equal(state.facts.dtype, first);
        assert.ok(state.files[0].regions > 0, sample);
        assert.deepEqual(
          state.files[0].tensors.find((tensor) => tensor.key === key).shape,
          key === "kernel" ? [64, 96] : state.facts.shape,
        );
      }
      assert.ok(Math.abs((await visit.state()).facts.numbers.mean) < 1e-6);
    },
  },
  {
    name: "files: controls in names, such as those of the direction of text, are shown escaped",
    run: async (visit) => {
      await visit.open("files");
      const given = { "names.safetensors": writeSafetensors({ "a\u202eb\u200f": Tensor.from([1]) }) };
      await give(visit, given, async ({ files }) => assert.equal(files[0].tensors[0].key, "a\u202eb\u200f"));
      const text = await visit.text();
      assert.ok(text.includes("a\\u202eb\\u200f"), text);
      assert.doesNotMatch(text, /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
    },
  },
  {
    name: "files: nothing sticks out of a page of 320 pixels",
    run: async (visit) => {
      await visit.page.setViewport({ width: 320, height: 900 });
      try {
        await visit.open("files");
        assert.deepEqual(await visit.wide(), []);
      } finally {
        await visit.page.setViewport({ width: 1280, height: 900 });
      }
    },
  },
  {
    name: "files: the bytes of an index, down to its restart points",
    run: async (visit) => {
      await visit.open("files?sample=checkpoint");
      await visit.stateWhere((state) => done(state) && state.files.length === 1);
      await (await visit.find("button", "0 data block 0")).focus();
      await visit.keys("Enter");
      const { region } = await visit.stateWhere((state) => state.region !== null);
      assert.equal(region.offset, 0);
      const text = await visit.text();
      for (const part of ["footer", "index block", "metaindex block"]) assert.ok(text.includes(part), part);
      await visit.pressButton("6 pieces in data block 0");
      assert.match(await visit.text(), /restart points/);
    },
  },
  {
    name: "files: broken files show the error and the offset",
    run: async (visit) => {
      await visit.open("files?sample=broken checkpoint");
      const [index] = (await visit.stateWhere((state) => done(state) && state.files.length === 1)).files;
      assert.match(index.error, /^DATA_LOSS.*checksum/);
      // The checksum of the block is wrong, and from byte 71 its entries cannot be read.
      assert.equal(index.errorAt, 71);
      assert.match(await visit.text(), /crc32c does not match/);
      await visit.shot("files-broken");
      assert.match(await visit.text(), new RegExp(`damaged at byte ${index.errorAt}`));
      const bytes = writeNpy(Tensor.from([1, 2, 3, 4]));
      const given = {
        "short.npy": bytes.subarray(0, bytes.length - 3),
        "not.npy": Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9),
        "good.npy": bytes,
      };
      await give(visit, given, async ({ files }) => {
        assert.deepEqual(
          files.map(({ verdict }) => verdict),
          ["damaged", "not a file of tensors", "sound"],
        );
        assert.deepEqual(
          files.map(({ name, error, errorAt }) => [name, error.split(":")[0], errorAt]),
          [
            ["short.npy", "DATA_LOSS", bytes.length - 3],
            ["not.npy", "INVALID_ARGUMENT", -1],
            ["good.npy", "", -1],
          ],
        );
        await visit.click("good.npy");
        await visit.click("array");
        assert.equal((await visit.stateWhere((state) => state.facts !== null)).facts.numbers.max, 4);
      });
    },
  },
  {
    name: "files: the bytes of a file decide its format, not its name; a slice reads its own bytes",
    run: async (visit) => {
      await visit.open("files");
      const w = Tensor.arange(0, 40_000).reshape([400, 100]);
      const made = new MemoryFiles();
      const writer = new BundleWriter(made, "m");
      await writer.add("w", w);
      await writer.finish();
      const records = new ChunkSink();
      await writeTFRecords(records, [Uint8Array.of(65, 66)]);
      const given = {
        "a.npz": writeNpy(w),
        "b.npy": await writeNpz({ w }),
        "c.index": writeSafetensors({ w }),
        "d.npy": made.files.get("m.index"),
        "d.npy.data-00000-of-00001": made.files.get("m.data-00000-of-00001"),
        "e.safetensors": records.toBytes(),
        "f.npy": new TextEncoder().encode("no tensors"),
      };
      await give(visit, given, async ({ files }) => {
        assert.deepEqual(
          files.map(({ name, format, error }) => [name, format, error.split(":")[0]]),
          [
            ["a.npz", ".npy", ""],
            ["b.npy", ".npz, a zip of .npy files", ""],
            ["c.index", "safetensors", ""],
            ["d.npy", "checkpoint", ""],
            ["e.safetensors", "TFRecord", ""],
            ["f.npy", "unknown", "INVALID_ARGUMENT"],
          ],
        );
        for (const name of ["b.npy", "c.index", "d.npy"]) {
          await visit.click(name);
          await visit.click("w");
          await visit.stateWhere((state) => state.facts !== null);
          await visit.type("Slice", "7,2:-");
          await visit.keys("Enter");
          const { facts } = await visit.stateWhere((state) => state.facts !== null && state.slice === "7,2:-");
          assert.deepEqual([facts.shape, facts.numbers.min, facts.numbers.max], [[2, 100], 700, 899]);
          // The 800 bytes of the rows, and of .npz the headers of the member.
          assert.ok(facts.bytesRead <= 5000, `${name}: ${facts.bytesRead} bytes`);
        }
      });
    },
  },
  {
    name: "files: the folder of a SavedModel is opened as a whole, and its graph is not called broken",
    browsers: ["chromium"],
    run: async (visit) => {
      await visit.open("files");
      const folder = mkdtempSync(join(tmpdir(), "onebuffer-saved-model-"));
      try {
        const made = new MemoryFiles();
        const writer = new BundleWriter(made, "variables");
        await writer.add("w", Tensor.from([1, 2, 3]));
        await writer.finish();
        mkdirSync(join(folder, "variables"));
        for (const [name, bytes] of made.files) writeFileSync(join(folder, "variables", name), bytes);
        writeFileSync(join(folder, "saved_model.pb"), Uint8Array.of(8, 1, 18, 40, 10, 2, 255, 254));
        await (await visit.page.$(".folder-field input")).uploadFile(folder);
        const { files } = await visit.stateWhere((state) => done(state) && state.files.length > 0);
        assert.deepEqual(files.map(({ name, verdict }) => [name, verdict]).sort(), [
          ["saved_model.pb", "not a file of tensors"],
          ["the SavedModel", "sound"],
          ["variables/variables.index", "sound"],
        ]);
        assert.match(await visit.text(), /the SavedModel/);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
  {
    name: "files: of a huge tensor only the asked rows are read, and the page stays alive while all are",
    run: async (visit) => {
      await visit.open("files");
      await dropZeros(visit, 32 * 1024);
      await visit.stateWhere((state) => done(state) && state.files.length === 1);
      await visit.click("array");
      const rows = (await visit.stateWhere((state) => state.facts !== null)).facts;
      assert.deepEqual(rows.shape, [256, 1024]);
      assert.ok(rows.bytesRead < 3_000_000, String(rows.bytesRead));
      await visit.type("Slice", "");
      await visit.keys("Enter");
      await visit.stateWhere(({ busy }) => busy !== "");
      const longest = await visit.page.evaluate(
        () =>
          new Promise((resolve) => {
            let [last, most, ticks] = [performance.now(), 0, 0];
            const timer = setInterval(() => {
              most = Math.max(most, performance.now() - last);
              last = performance.now();
              if (++ticks < 20) return;
              clearInterval(timer);
              resolve(most);
            }, 10);
          }),
      );
      assert.ok(longest < 1000, `the page stood still for ${longest} ms`);
      if ((await visit.state()).busy !== "") await visit.click("Cancel").catch(() => {});
      const state = await visit.stateWhere(done);
      assert.ok(state.facts !== null || /^CANCELLED/.test(state.error), state.error);
      await visit.type("Slice", "1,2:0,3");
      await visit.keys("Enter");
      assert.deepEqual((await visit.stateWhere((each) => each.slice === "1,2:0,3" && each.facts !== null)).facts.shape, [2, 3]);
    },
  },
];
