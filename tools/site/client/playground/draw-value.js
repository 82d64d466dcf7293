// Draws a described value: small arrays as tables, long vectors as plots, larger matrices as pictures.

const kTableRows = 16;
const kTableColumns = 16;
const kPlotLength = 12;

function element(tag, text, className = "") {
  const made = document.createElement(tag);
  if (text !== "") made.textContent = text;
  if (className !== "") made.className = className;
  return made;
}

/** A number in a cell: at most six digits. */
const cellText = (value) => (typeof value === "number" && !Number.isInteger(value) ? String(Number(value.toPrecision(6))) : String(value));

function tableOf(rows) {
  const table = element("table", "");
  for (const row of rows) {
    const line = element("tr", "");
    for (const value of row) line.append(element("td", cellText(value)));
    table.append(line);
  }
  return table;
}

/** Returns the least and the largest of the finite numbers. */
const extremesOf = (numbers) =>
  numbers
    .filter(Number.isFinite)
    .reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);

const numbersOf = (values) => values.flat(Number.POSITIVE_INFINITY).map(Number);

/** A vector as a line. */
function plotOf(values) {
  const [width, height, edge] = [480, 120, 6];
  const numbers = values.map(Number);
  const [least, most] = extremesOf(numbers);
  const span = most - least || 1;
  const points = numbers.map((value, i) => [
    edge + (i / Math.max(1, numbers.length - 1)) * (width - 2 * edge),
    height - edge - ((value - least) / span) * (height - 2 * edge),
  ]);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `plot of ${numbers.length} elements from ${cellText(least)} to ${cellText(most)}`);
  const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
  line.setAttribute(
    "points",
    points
      .filter(([, y]) => Number.isFinite(y))
      .map((point) => point.map((each) => each.toFixed(1)).join(","))
      .join(" "),
  );
  svg.append(line);
  const figure = element("figure", "");
  figure.append(svg, element("figcaption", `${cellText(least)} to ${cellText(most)}`));
  return figure;
}

/** A matrix in shades of gray, or an image of three or four channels in its colors. */
function pictureOf(values, [rows, columns, channels = 1], dtype) {
  const numbers = numbersOf(values);
  const [least, most] = extremesOf(numbers);
  const shade = (value) => (dtype === "uint8" ? value : ((value - least) / (most - least || 1)) * 255);
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  for (let i = 0; i < rows * columns; i++) {
    for (let c = 0; c < 3; c++) image.data[4 * i + c] = shade(numbers[i * channels + (channels >= 3 ? c : 0)]);
    image.data[4 * i + 3] = channels === 4 ? shade(numbers[4 * i + 3]) : 255;
  }
  context.putImageData(image, 0, 0);
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `picture of ${rows} by ${columns} elements from ${cellText(least)} to ${cellText(most)}`);
  return canvas;
}

function drawn({ dtype, sizes, values }) {
  const isNumeric = !/string|complex|variant|resource/.test(dtype);
  if (sizes.length === 0) return [element("code", cellText(values))];
  if (sizes.includes(0)) return [element("span", "no elements")];
  if (sizes.length === 1) {
    const table = tableOf([values.slice(0, kTableColumns).concat(values.length > kTableColumns ? ["…"] : [])]);
    return isNumeric && values.length >= kPlotLength ? [plotOf(values), table] : [table];
  }
  const isImage = sizes.length === 3 && (sizes[2] === 3 || sizes[2] === 4) && sizes[0] > 4 && sizes[1] > 4;
  if (isNumeric && (isImage || (sizes.length === 2 && (sizes[0] > kTableRows || sizes[1] > kTableColumns))))
    return [pictureOf(values, sizes, dtype)];
  if (sizes.length === 2) return [tableOf(values.slice(0, kTableRows).map((row) => row.slice(0, kTableColumns)))];
  const parts = values.slice(0, 4).flatMap((each, i) => [element("p", `[${i}]`), ...drawn({ dtype, sizes: sizes.slice(1), values: each })]);
  return values.length > 4 ? [...parts, element("p", "…")] : parts;
}

/** Returns the elements that show a value. */
export function drawValue(value) {
  if (value.kind === "text") return [element("code", value.text, "play-text")];
  return [element("span", `${value.dtype} [${value.sizes.join(", ")}]`, "play-type"), ...drawn(value)];
}
