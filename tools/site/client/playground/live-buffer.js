// The picture of the first page, live: its cells are elements of real tensors over one buffer.
import { Tensor } from "onebuffer";

/** Returns the shape of a text such as `2, 2, 3`. */
const shapeOf = (text) => text.split(",").map((part) => Number(part.trim()));

/** One view of the picture: a tensor of its own over the same buffer. */
class View {
  #figure;
  #tensor;

  constructor(figure, base) {
    this.#figure = figure;
    this.#tensor = base.reshape(shapeOf(figure.dataset.shape));
  }

  /** Writes an element through this view. Throws if the text is no number. */
  write(at, text) {
    const value = Number(text);
    if (text.trim() === "" || Number.isNaN(value)) throw new RangeError(`${JSON.stringify(text)} is not a number`);
    this.#tensor.flat().set(at, value);
  }

  /** Takes another shape. Throws what the library throws. */
  reshape(base, text) {
    const next = base.reshape(shapeOf(text));
    this.#tensor.dispose();
    this.#tensor = next;
    const columns = next.shape.dimSizes.at(-1) ?? 1;
    const fields = [...this.#figure.querySelectorAll("[data-at]")].map((field) => field.parentElement);
    const rows = Array.from({ length: fields.length / columns }, (_, row) => {
      const line = document.createElement("tr");
      line.append(...fields.slice(row * columns, (row + 1) * columns));
      return line;
    });
    this.#figure.querySelector("table").replaceChildren(...rows);
  }

  /** Reads all elements from the buffer. */
  draw() {
    const map = this.#tensor.flat();
    for (const field of this.#figure.querySelectorAll("[data-at]")) field.value = String(map.at(Number(field.dataset.at)));
  }

  sharesWith(base) {
    return this.#tensor.sharesBufferWith(base);
  }
}

/** Makes the picture live. Returns the function that takes a change of one of its fields. */
export function openLive(section) {
  const base = Tensor.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  const views = new Map([...section.querySelectorAll(".home-view")].map((figure) => [figure, new View(figure, base)]));
  const status = section.querySelector(".home-status");
  return (field) => {
    const view = views.get(field.closest(".home-view"));
    try {
      if (field.classList.contains("home-shape")) view.reshape(base, field.value);
      else view.write(Number(field.dataset.at), field.value);
      const shared = [...views.values()].filter((each) => each.sharesWith(base)).length;
      status.textContent = `${base.totalBytes} bytes, ${shared} tensors of ${views.size} over the one buffer; nothing was copied.`;
    } catch (error) {
      status.textContent = error.message;
    }
    for (const each of views.values()) each.draw();
  };
}
