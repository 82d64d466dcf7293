/** The painted tensor: each block of rows in the tone of the worker that painted it. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { kBlockRows, kColumns, kRows } from "./messages.ts";
import type { Threads } from "./model.ts";

const kTones: readonly (readonly [number, number, number])[] = [
  [32, 90, 156],
  [154, 74, 18],
  [63, 107, 29],
  [109, 63, 166],
];

/** Draws the elements as they are in memory at this moment. */
export function Picture({ model }: { model: Threads }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context === null || context === undefined) return;
    const image = context.createImageData(kColumns, kRows);
    const values = model.pixels;
    for (let i = 0; i < values.length; i++) {
      const owner = model.owners[Math.floor(i / kColumns / kBlockRows)]!;
      const tone = kTones[owner] ?? kTones[0]!;
      const light = 1 - Math.min(1, Math.sqrt(values[i]!) * 2.2);
      for (let c = 0; c < 3; c++) image.data[4 * i + c] = tone[c]! + (246 - tone[c]!) * light;
      image.data[4 * i + 3] = owner < 0 ? 0 : 255;
    }
    context.putImageData(image, 0, 0);
  });
  return (
    <canvas
      ref={canvas}
      class="painting"
      width={kColumns}
      height={kRows}
      role="img"
      aria-label="The tensor as an image: each band in the color of the worker that painted it"
    />
  );
}
