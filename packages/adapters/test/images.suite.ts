// Pictures of browsers and of other libraries: memory is shared where it can be, row pitches and planes are walked as the format has them, and
// malformed ones are refused.
import { describe, expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import { constant } from "@onebuffer/eigen";
import type { CanvasLike, ImageLike, VideoFrameLike } from "@onebuffer/adapters";
import { drawToCanvas, mapFromCanvas, mapFromImage, readVideoFrame, toImage, toVideoFrameParts } from "@onebuffer/adapters";
import { expectRefusal } from "@onebuffer/test-support";

/** The bytes 0, 1, 2, … */
const counted = (count: number) => Uint8Array.from({ length: count }, (_, i) => i);

describe("images", () => {
  test.each<[string, ImageLike, readonly number[]]>([
    ["an ImageData", { data: new Uint8ClampedArray(24), width: 2, height: 3 }, [3, 2, 4]],
    ["jpeg-js without alpha", { data: Buffer.alloc(18), width: 2, height: 3 }, [3, 2, 3]],
    ["pngjs in gray", { data: new Uint8Array(6), width: 2, height: 3 }, [3, 2, 1]],
    ["raw pixels of sharp", { data: Buffer.alloc(12), info: { width: 2, height: 3, channels: 2 } }, [3, 2, 2]],
    ["no pixels", { data: new Uint8Array(0), width: 0, height: 3 }, [3, 0, 4]],
  ])("%s is a map over its memory", (_, image, dimensions) => {
    const map = mapFromImage(image);
    expect([map.dtype, [...map.dimensions]]).toEqual(["uint8", dimensions]);
    map.assign(constant("uint8", 7));
    expect((image.data as Uint8Array).every((byte) => byte === 7)).toBe(true);
  });

  test("pixels of 16 bits are read out of clamped bytes, too, and of no other elements", async () => {
    const data = new Uint8ClampedArray(Uint16Array.of(1, 256).buffer);
    expect([...mapFromImage({ data, width: 1, height: 1 } as ImageLike, { dtype: "uint16" })]).toEqual([1, 256]);
    const image = (each: object) => ({ data, width: 1, height: 1, ...each }) as never;
    await expectRefusal(() => mapFromImage(image({}), { dtype: "string" as never }), "INVALID_ARGUMENT", "is no dtype of numbers");
    await expectRefusal(() => mapFromImage(image({}), { dtype: "wide" as never }), "INVALID_ARGUMENT", "is no dtype of numbers");
    await expectRefusal(() => mapFromImage(image({ height: -1 })), "INVALID_ARGUMENT", "the image's height");
    const empty = { data: new Uint8Array(0), info: { width: 2, height: 2, channels: 0 } };
    await expectRefusal(() => mapFromImage(image(empty)), "INVALID_ARGUMENT", "and 0 channels has 0 elements");
    using floats = Tensor.zeros([2, 3]);
    await expectRefusal(() => toImage(floats), "INVALID_ARGUMENT", "toImage: a picture is uint8");
  });

  test("pixels of 16 bits are read out of bytes", () => {
    const data = new Uint8Array(Uint16Array.of(1, 256, 65535, 7).buffer);
    expect(mapFromImage({ data, info: { width: 2, height: 2, channels: 1 } }, { dtype: "uint16" }).toArray()).toEqual([
      [[1], [256]],
      [[65535], [7]],
    ]);
  });

  test.each<[string, unknown, RegExp]>([
    ["another length", { data: new Uint8Array(7), width: 2, height: 2 }, /of 2 x 2 pixels has 7 elements/],
    ["other channels", { data: new Uint8Array(8), width: 2, height: 2, channels: 3 }, /and 3 channels has 8 elements/],
    ["no width", { data: new Uint8Array(8), height: 2 }, /width/],
    ["a plain array", { data: [1, 2, 3, 4], width: 1, height: 1 }, /expected a typed array as data/],
    ["floats", { data: new Float32Array(4), width: 1, height: 1 }, /elements of uint8 are stored in a Uint8Array, got a Float32Array/],
    ["an info that is none", { data: new Uint8Array(4), info: 3 }, /info/],
  ])("%s is refused", async (_, image, message) => {
    await expectRefusal(() => mapFromImage(image as ImageLike), "INVALID_ARGUMENT", message.source.slice(0, 0));
    expect(() => mapFromImage(image as ImageLike)).toThrow(message);
  });

  test("a tensor becomes a picture over its memory; a view with gaps and a copy have their own", () => {
    using pixels = Tensor.from(counted(24), { dtype: "uint8" });
    using picture = pixels.reshape([2, 3, 4]);
    const { data, width, height, info } = toImage(picture);
    expect([width, height, info]).toEqual([3, 2, { width: 3, height: 2, channels: 4 }]);
    data[0] = 99;
    expect(pixels.flat().at(0)).toBe(99);
    const copy = toImage(picture, { copy: true });
    copy.data[0] = 1;
    expect([pixels.flat().at(0), Object.prototype.toString.call(copy.data.buffer)]).toEqual([99, "[object ArrayBuffer]"]);
    expect([...toImage(picture.strided(":, 1:2")).data]).toEqual([4, 5, 6, 7, 16, 17, 18, 19]);
    expect([...toImage(picture.strided("1, :, ::-1")).data].slice(0, 4)).toEqual([15, 14, 13, 12]);
    expect(() => toImage(pixels)).toThrow(/uint8 \[height, width, channels\], got uint8 \[24\]/);
  });
});

/** A frame that lays out its planes with a pitch, the k-th plane filled with numbers from 100 k on. */
function frameOf(
  format: string,
  width: number,
  height: number,
  planes: readonly (readonly [rows: number, bytes: number])[],
): VideoFrameLike {
  const pad = 3;
  const stride = (bytes: number) => bytes + pad;
  const size = planes.reduce((sum, [rows, bytes]) => sum + rows * stride(bytes), 0);
  return {
    format,
    visibleRect: { width, height },
    allocationSize: () => size,
    copyTo: async (memory) => {
      memory.fill(255);
      let offset = 0;
      return planes.map(([rows, bytes], k) => {
        for (let i = 0; i < rows * bytes; i++) memory[offset + Math.floor(i / bytes) * stride(bytes) + (i % bytes)] = 100 * k + i;
        const layout = { offset, stride: stride(bytes) };
        offset += rows * stride(bytes);
        return layout;
      });
    },
  };
}

describe("video frames", () => {
  test("packed pixels have the pitch of the frame, in memory that is kept", async () => {
    using memory = Tensor.zeros([64], { dtype: "uint8" });
    const frame = frameOf("BGRA", 2, 3, [[3, 8]]);
    const { format, planes } = await readVideoFrame(frame, { memory: memory.flat().data });
    expect([format, planes.length]).toEqual(["BGRA", 1]);
    expect([...planes[0]!]).toEqual([...counted(24)]);
    memory.flat().set(11, 77); // the first byte of the second row
    expect(planes[0]!.at(1, 0, 0)).toBe(77);
  });

  test("planes of NV12 and I420, with odd sizes", async () => {
    const nv12 = await readVideoFrame(
      frameOf("NV12", 3, 3, [
        [3, 3],
        [2, 4],
      ]),
    );
    expect(nv12.planes.map(({ dimensions }) => [...dimensions])).toEqual([
      [3, 3, 1],
      [2, 2, 2],
    ]);
    expect([...nv12.planes[1]!]).toEqual([100, 101, 102, 103, 104, 105, 106, 107]);
    const i420 = await readVideoFrame(
      frameOf("I420", 4, 2, [
        [2, 4],
        [1, 2],
        [1, 2],
      ]),
    );
    expect(i420.planes.map((plane) => [...plane])).toEqual([[...counted(8)], [100, 101], [200, 201]]);
  });

  const [packed, whole, narrow, quarter] = ["3,5,4", "3,5,1", "3,3,1", "2,3,1"];
  test.each([
    ["RGBX", [packed]],
    ["BGRX", [packed]],
    ["I420A", [whole, quarter, quarter, whole]],
    ["I422", [whole, narrow, narrow]],
    ["I444", [whole, whole, whole]],
  ] as const)("planes of %s with odd sizes", async (format, wanted) => {
    const sizes = wanted.map((text) => text.split(",").map(Number) as [number, number, number]);
    const frame = frameOf(
      format,
      5,
      3,
      sizes.map(([rows, columns, channels]) => [rows, columns * channels]),
    );
    // Exactly as much memory as the frame takes.
    const { planes } = await readVideoFrame(frame, { memory: new Uint8Array(frame.allocationSize()) });
    expect(planes.map(({ dimensions }) => [...dimensions])).toEqual(sizes);
    planes.forEach((plane, k) => expect([...plane]).toEqual(Array.from({ length: plane.size }, (_, i) => (100 * k + i) % 256)));
  });

  test.each<readonly [string, object, string]>([
    ["a closed frame", { visibleRect: null }, "that is open"],
    ["a size that is no object", { visibleRect: 3 }, "that is open"],
    ["a width below 0", { visibleRect: { width: -1, height: 2 } }, "the video frame's width"],
    ["a height that is no integer", { visibleRect: { width: 2, height: 1.5 } }, "the video frame's height"],
    ["no method copyTo", { copyTo: undefined }, "has the methods allocationSize and copyTo"],
    ["no method allocationSize", { allocationSize: 22 }, "has the methods allocationSize and copyTo"],
    ["a stride below 0", { copyTo: async () => [{ offset: 0, stride: -8 }] }, "the video frame's stride"],
    ["a format of other bits", { format: "I420P12" }, "RGBA, RGBX, BGRA, BGRX, I420, I420A, I422, I444, NV12"],
  ])("refused: %s", async (_, changes, text) => {
    const frame = { ...frameOf("RGBA", 2, 2, [[2, 8]]), ...changes } as VideoFrameLike;
    await expectRefusal(() => readVideoFrame(frame), text.startsWith("RGBA") ? "UNIMPLEMENTED" : "INVALID_ARGUMENT", text);
  });

  test("options that there are not, and sources of other elements and ranks, are refused", async () => {
    const frame = frameOf("RGBA", 2, 2, [[2, 8]]);
    await expectRefusal(() => readVideoFrame(frame, { wrong: 1 } as never), "INVALID_ARGUMENT", "readVideoFrame: ");
    await expectRefusal(() => toVideoFrameParts({} as never), "INVALID_ARGUMENT", "toVideoFrameParts: expected a tensor");
    using floats = Tensor.zeros([2, 2, 4]);
    using ranks = Tensor.zeros([2, 2, 4, 1], { dtype: "uint8" });
    await expectRefusal(() => toVideoFrameParts(floats), "INVALID_ARGUMENT", "got float32 [2,2,4]");
    await expectRefusal(() => toVideoFrameParts(ranks), "INVALID_ARGUMENT", "got uint8 [2,2,4,1]");
  });

  test("frames that are none, memory that is too small and layouts outside of it are refused", async () => {
    const frame = frameOf("RGBA", 2, 2, [[2, 8]]);
    await expectRefusal(() => readVideoFrame({ ...frame, allocationSize: () => 2 ** 52 }), "INVALID_ARGUMENT", "allocationSize");
    await expectRefusal(() => readVideoFrame({ ...frame, format: null }), "INVALID_ARGUMENT", "open");
    await expectRefusal(() => readVideoFrame({ ...frame, format: "I420P10" }), "UNIMPLEMENTED", "I420P10");
    await expectRefusal(() => readVideoFrame({ ...frame, format: "constructor" }), "UNIMPLEMENTED", "constructor");
    await expectRefusal(() => readVideoFrame(frame, { memory: new Uint8Array(21) }), "INVALID_ARGUMENT", "22 bytes");
    await expectRefusal(() => readVideoFrame(frame, { memory: new Float32Array(99) as never }), "INVALID_ARGUMENT", "Uint8Array");
    for (const layout of [[], [{ offset: 8, stride: 11 }], [{ offset: -1, stride: 8 }], [null], 3]) {
      await expectRefusal(() => readVideoFrame({ ...frame, copyTo: async () => layout as never }), "INVALID_ARGUMENT", "the video frame");
    }
  });

  test("rows of a tensor are a frame over its memory, other views are copied", () => {
    using bytes = Tensor.from(counted(64), { dtype: "uint8" });
    using picture = bytes.reshape([4, 4, 4]);
    const rows = toVideoFrameParts(picture.strided("1:3"));
    expect(rows.init).toEqual({ format: "RGBA", codedWidth: 4, codedHeight: 2, layout: [{ offset: 0, stride: 16 }] });
    rows.data[0] = 99;
    expect(bytes.flat().at(16)).toBe(99);
    const part = toVideoFrameParts(picture.strided("2:4, 1:3"));
    expect([part.init.layout[0]!.stride, ...part.data]).toEqual([8, 36, 37, 38, 39, 40, 41, 42, 43, 52, 53, 54, 55, 56, 57, 58, 59]);
    const turned = toVideoFrameParts(picture.strided("::-1"));
    expect([turned.data[0], turned.init.layout[0]!.stride]).toEqual([48, 16]);
    expect(() => toVideoFrameParts(picture.strided("..., :3"))).toThrow(/uint8 \[height, width, 4\], got uint8 \[4,4,3\]/);
  });
});

/** A canvas over memory, with what was done to it. */
function canvasOf(width: number, height: number): CanvasLike & { readonly done: unknown[] } {
  const done: unknown[] = [];
  const canvas = {
    width,
    height,
    done,
    getContext: (kind: string) => ({
      drawImage: (image: object) => void done.push(["draw", image]),
      getImageData: (_x: number, _y: number, w: number, h: number) => ({
        data: new Uint8ClampedArray(counted(w * h * 4)),
        width: w,
        height: h,
      }),
      createImageData: (w: number, h: number) => ({ data: new Uint8ClampedArray(w * h * 4), width: w, height: h }),
      putImageData: (image: ImageLike) => void done.push([kind, [...(image.data as Uint8ClampedArray)], image.width, image.height]),
    }),
  };
  return canvas;
}

describe("canvases", () => {
  test("pixels are read, of a bitmap after it is drawn, and drawn", () => {
    const canvas = canvasOf(2, 1);
    expect(mapFromCanvas(canvas).toArray()).toEqual([
      [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
      ],
    ]);
    const bitmap = { width: 1, height: 3 };
    expect([...mapFromCanvas(canvas, { draw: bitmap }).dimensions]).toEqual([3, 1, 4]);
    expect([canvas.width, canvas.height, canvas.done]).toEqual([1, 3, [["draw", bitmap]]]);
    using bytes = Tensor.from(counted(8), { dtype: "uint8" });
    using pixels = bytes.reshape([1, 2, 4]);
    drawToCanvas(canvas, pixels.strided(":, ::-1"));
    expect(canvas.done.at(-1)).toEqual(["2d", [4, 5, 6, 7, 0, 1, 2, 3], 2, 1]);
  });

  test("the context is asked for with the hint that its pixels are read", () => {
    const asked: unknown[] = [];
    const { getContext } = canvasOf(1, 1);
    mapFromCanvas({
      width: 1,
      height: 1,
      getContext: (...args: ["2d", object]) => asked.push(args) && getContext(args[0]),
    } as never);
    expect(asked).toEqual([["2d", { willReadFrequently: true }]]);
  });

  test.each<readonly [string, unknown, object, string]>([
    ["no object", null, {}, "the canvas"],
    ["a method that is none", { width: 1, height: 1, getContext: "2d" }, {}, "has a method getContext"],
    ["a context that is no object", { width: 1, height: 1, getContext: () => 3 }, {}, 'the canvas has no context "2d": 3'],
    ["other options", canvasOf(1, 1), { wrong: 1 }, "mapFromCanvas: "],
    ["a picture that is none", canvasOf(1, 1), { draw: 3 }, "the picture to draw"],
    ["a picture without rows", canvasOf(1, 1), { draw: { width: 1, height: 0 } }, "the height of the picture to draw"],
    [
      "a context that cannot draw",
      { width: 1, height: 1, getContext: () => ({ getImageData: () => null }) },
      { draw: { width: 1, height: 1 } },
      "the method drawImage of the canvas's context",
    ],
  ])("refused: %s", async (_, canvas, options, text) => {
    await expectRefusal(() => mapFromCanvas(canvas as never, options as never), "INVALID_ARGUMENT", text);
  });

  test.each(["createImageData", "putImageData"])("a context without %s is refused before anything is drawn", async (method) => {
    const context = { createImageData: () => ({ data: new Uint8ClampedArray(4) }), putImageData: () => undefined, [method]: undefined };
    using pixels = Tensor.zeros([1, 1, 4], { dtype: "uint8" });
    const canvas = { width: 1, height: 1, getContext: () => context } as never;
    await expectRefusal(() => drawToCanvas(canvas, pixels), "INVALID_ARGUMENT", `the method ${method} of the canvas's context`);
  });

  test("what is no canvas, and other channels, are refused", () => {
    expect(() => mapFromCanvas({ width: 1, height: 1 } as never)).toThrow(/getContext/);
    expect(() => mapFromCanvas({ width: 1, height: 1, getContext: () => null })).toThrow(/no context "2d"/);
    expect(() => mapFromCanvas({ width: 1, height: 1, getContext: () => ({}) })).toThrow(/getImageData/);
    expect(() => mapFromCanvas(canvasOf(1, 1), { draw: { width: 0, height: 1 } })).toThrow(/width of the picture to draw/);
    using gray = Tensor.zeros([2, 2], { dtype: "uint8" });
    expect(() => drawToCanvas(canvasOf(1, 1), gray)).toThrow(/4 channels/);
  });
});
