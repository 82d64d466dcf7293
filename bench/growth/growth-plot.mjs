// The plot of times by size: a panel for each kind of work, both scales logarithmic, a line for each library, and dashed lines for the machine's
// limits. Colors are attributes, so that the file shows the same by itself as within a page that has a style sheet.

const kPanel = { width: 300, height: 250, left: 52, right: 12, top: 34, bottom: 40 };
const kColumns = 3;
const kLegendHeight = 28;

/** By library: its name in the legend, its color, and the dashes of its line. */
const kLines = {
  ours: { name: "onebuffer", color: "#0b66c3", width: 2.5 },
  stream: { name: "limit: memory", color: "#777777", dashes: "2 3" },
  peak: { name: "limit: multiply-add", color: "#777777", dashes: "7 3" },
  "tfjs-cpu": { name: "tfjs-cpu", color: "#e8a33d" },
  "tfjs-wasm": { name: "tfjs-wasm", color: "#c4570e" },
  "numpy-ts": { name: "numpy-ts", color: "#2f8f4e" },
  "jax-js": { name: "jax-js", color: "#8a4fbf" },
  "pffft-wasm": { name: "pffft-wasm", color: "#c2266b" },
  "kissfft-wasm": { name: "kissfft-wasm", color: "#1f9e9e" },
  "fft-js": { name: "fft.js", color: "#9a8412" },
};

const escaped = (value) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const label = (x, y, value, more = "") => `<text x="${x}" y="${y}" ${more}>${escaped(value)}</text>`;

const kUnits = ["ns", "µs", "ms", "s"];

/** Returns a power of ten of nanoseconds as text: 10 µs. */
const shownTime = (power) => `${10 ** (power % 3)} ${kUnits[Math.floor(power / 3)]}`;

const kThousands = [
  [1e6, "M"],
  [1e3, "k"],
];

/** Returns a size as a short text: 65k. */
function shownSize(size) {
  for (const [unit, letter] of kThousands) if (size >= unit) return `${Math.floor(size / unit)}${letter}`;
  return String(size);
}

/** Returns a function that maps a number of [least, most] to [from, to], by logarithms. */
function scale(least, most, from, to) {
  const [first, last] = [least, most].map(Math.log);
  return (value) => Number((from + ((Math.log(value) - first) / (last - first)) * (to - from)).toFixed(1));
}

/** Returns the lines and labels of a panel whose upper left corner is the origin. */
function panelOf({ title, sizeText, sizes, series }) {
  const { width, height, left, right, top, bottom } = kPanel;
  const times = series.flatMap(({ points }) => points.map(({ ns }) => ns));
  const [first, last] = [Math.floor(Math.log10(Math.min(...times))), Math.ceil(Math.log10(Math.max(...times)))];
  const across = scale(sizes[0], sizes.at(-1), left, width - right);
  const up = scale(10 ** first, 10 ** last, height - bottom, top);
  const powers = Array.from({ length: last - first + 1 }, (_, k) => first + k);
  const rows = powers.map((power) => {
    const y = up(10 ** power);
    return `<line x1="${left}" x2="${width - right}" y1="${y}" y2="${y}" stroke="#d5d5d5"/>${power < 0 ? "" : label(left - 5, y + 4, shownTime(power), 'text-anchor="end"')}`;
  });
  const columns = sizes.map((size) => label(across(size), height - bottom + 15, shownSize(size), 'text-anchor="middle"'));
  const lines = series.flatMap(({ library, points }) => {
    if (points.length === 0) return [];
    const { color, dashes, width: thickness = 1.5 } = kLines[library];
    const dashed = dashes === undefined ? "" : ` stroke-dasharray="${dashes}"`;
    const path = points.map(({ size, ns }, i) => `${i === 0 ? "M" : "L"}${across(size)} ${up(ns)}`).join("");
    return `<path d="${path}" fill="none" stroke="${color}" stroke-width="${thickness}"${dashed}/>`;
  });
  return [
    label(left, 18, title, 'class="title" font-weight="600"'),
    ...rows,
    ...columns,
    label((left + width - right) / 2, height - 6, sizeText, 'text-anchor="middle"'),
    ...lines,
  ].join("\n");
}

/** Returns the legend: a piece of each line and its name. */
function legend() {
  const step = (kColumns * kPanel.width) / (Object.keys(kLines).length / 2);
  return Object.values(kLines).map(({ name, color, dashes, width = 1.5 }, k) => {
    const [x, y] = [12 + (k >> 1) * step, 12 + (k & 1) * 18];
    const dashed = dashes === undefined ? "" : ` stroke-dasharray="${dashes}"`;
    return `<path d="M${x} ${y}h26" stroke="${color}" stroke-width="${width}"${dashed}/>${label(x + 32, y + 4, name)}`;
  });
}

/** Returns the plot as SVG. */
export function growthPlot(panels) {
  const { width, height } = kPanel;
  const rows = Math.ceil(panels.length / kColumns);
  const [wide, high] = [kColumns * width, rows * height + kLegendHeight + 12];
  const placed = panels.map(
    (panel, k) =>
      `<g transform="translate(${(k % kColumns) * width} ${Math.floor(k / kColumns) * height + kLegendHeight + 12})">\n${panelOf(panel)}\n</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" role="img" aria-label="Times by size, both on logarithmic scales" font-family="sans-serif" font-size="11">
<rect class="ground" width="${wide}" height="${high}" fill="#ffffff"/>
${legend().join("\n")}
${placed.join("\n")}
</svg>
`;
}
