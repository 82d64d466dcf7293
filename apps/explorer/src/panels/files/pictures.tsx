/** The pictures of a tensor's elements: a histogram, and a matrix as an image. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { shortNumber } from "../../parts/number-text.ts";
import type { NumberFacts } from "./messages.ts";

const kWide = 480;
const kHigh = 120;

/** Draws the number of elements in each interval. */
export function Histogram({ numbers }: { numbers: NumberFacts }): JSX.Element {
  const { histogram, min, max } = numbers;
  const most = Math.max(1, ...histogram);
  const width = kWide / histogram.length;
  const mode = histogram.indexOf(Math.max(...histogram));
  const from = min + ((max - min) * mode) / histogram.length;
  return (
    <svg
      class="histogram"
      viewBox={`0 0 ${kWide} ${kHigh + 18}`}
      role="img"
      aria-label={`Histogram from ${shortNumber(min)} to ${shortNumber(max)}; most elements are near ${shortNumber(from)}`}
    >
      {histogram.map((count, i) => {
        const height = count === 0 ? 0 : Math.max(1, (kHigh * count) / most);
        return <rect key={i} x={i * width + 0.5} y={kHigh - height} width={width - 1} height={height} />;
      })}
      <line x1={0} x2={kWide} y1={kHigh} y2={kHigh} />
      {min < 0 && max > 0 && <line class="zero" x1={(kWide * -min) / (max - min)} x2={(kWide * -min) / (max - min)} y1={0} y2={kHigh} />}
      <text x={0} y={kHigh + 14}>
        {shortNumber(min)}
      </text>
      <text x={kWide} y={kHigh + 14} text-anchor="end">
        {shortNumber(max)}
      </text>
    </svg>
  );
}

/** Draws a matrix: light is near zero or the least, blue below zero, orange above. */
export function MatrixImage({ image, label }: { image: NonNullable<NumberFacts["image"]>; label: string }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height, pixels } = image;
  useEffect(() => {
    canvas.current?.getContext("2d")?.putImageData(new ImageData(pixels, width, height), 0, 0);
  }, [pixels, width, height]);
  const zoom = Math.max(1, Math.min(8, Math.floor(480 / width)));
  return (
    <canvas
      ref={canvas}
      class="matrix-image"
      width={width}
      height={height}
      role="img"
      aria-label={label}
      style={{ width: `${width * zoom}px` }}
    />
  );
}
