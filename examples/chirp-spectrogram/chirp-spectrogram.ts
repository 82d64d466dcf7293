// The spectrogram of a chirp that arrives in pieces: each piece goes through a band-pass filter whose state the next one continues, and the
// filtered signal is cut into frames, of which the picture shows the power by frequency.
import { evaluate, liveBuffers, Tensor, updateTogether } from "onebuffer";
import { sosFilter, spectrogram } from "onebuffer/signal";

const kRate = 8000; // elements per second
const kLength = 16000;
const kFrom = 100; // hertz at the beginning of the chirp
const kTo = 3500; // and at its end
const kFrame = 256;
const kStep = 250;
const kPieces = [1, 997, 64, 2048, 333]; // sizes of the pieces, again and again

/** Two resonances of 1000 hertz, each as b0, b1, b2, a0, a1, a2: a band-pass filter. */
function bandPass(): number[] {
  const [radius, angle] = [0.85, (2 * Math.PI * 1000) / kRate];
  const section = [1 - radius, 0, radius - 1, 1, -2 * radius * Math.cos(angle), radius * radius];
  return [...section, ...section];
}

/** Element `i` of the chirp: its frequency grows in proportion to the time. */
function chirp(i: number): number {
  const t = i / kRate;
  return Math.sin(2 * Math.PI * (kFrom * t + ((kTo - kFrom) * t * t) / (2 * (kLength / kRate))));
}

export function run() {
  using sections = Tensor.from(Float64Array.from(bandPass()), { shape: [2, 6] });
  using state = Tensor.zeros([2, 2], { dtype: "float64" });
  using filtered = Tensor.zeros([kLength], { dtype: "float64" });

  const started = performance.now();
  for (let at = 0, k = 0; at < kLength; k++) {
    const size = Math.min(kPieces[k % kPieces.length] as number, kLength - at);
    using piece = Tensor.from(Float64Array.from({ length: size }, (_, i) => chirp(at + i)));
    const next = sosFilter(piece.vec(), sections.matrix(), { state: state.matrix() });
    // The filtered piece and the new state are parts of one result, which is computed once.
    updateTogether([
      [
        filtered
          .vec()
          .strided()
          .slice([at, at + size]),
        next.y,
      ],
      [state, next.state],
    ]);
    at += size;
  }
  const power = spectrogram(filtered.vec(), kFrame, kStep);
  const loudest = evaluate(power.argmax(1)).toArray().map(Number);
  const levels = evaluate(power.sum(1).add(1e-12).log10()).toArray();
  const ms = performance.now() - started;
  return { loudest, levels, picture: draw(evaluate(power).toArray()), ms };
}

/** Draws bands of 8 frequencies, the highest first, over time: darker characters for more power. */
function draw(power: readonly (readonly number[])[]): string[] {
  const lines: string[] = [];
  for (let band = 15; band >= 0; band--) {
    const line = power.map((frame) => {
      const most = Math.max(...frame.slice(8 * band, 8 * band + 8));
      return most > 300 ? "#" : most > 30 ? "+" : most > 3 ? "." : " ";
    });
    lines.push(line.join("").trimEnd());
  }
  return lines;
}

export const result = run();

console.log(result.picture.join("\n"));
console.log(
  `the loudest frequencies of frames 10, 20, 30: ${[10, 20, 30].map((frame) => (result.loudest[frame] as number) * (kRate / kFrame)).join(", ")} Hz`,
);
console.log(`${result.ms.toFixed(0)} ms, ${liveBuffers()} buffers left`);
